package inventory

import (
	"slices"
	"strings"

	"github.com/claudeops/claudeops/check"
)

// serviceForm is that of type service, which is one of three: an address, a unit or a plugin.
func serviceForm() form {
	return form{
		of: check.Service, what: "a service check",
		begin: func(*Check) {},
		fields: []field[Check]{
			{"address", func(b *builder, c *Check, value *node) { c.TCP = &TCP{Address: b.address(value)} }},
			{"unit", func(b *builder, c *Check, value *node) { c.unit().Name = b.unit(value) }},
			{"user", func(b *builder, c *Check, value *node) { c.unit().User = b.boolean(value, "user") }},
			{"plugin", func(b *builder, c *Check, value *node) { c.plugin().Command = b.command(value) }},
			{"host", func(b *builder, c *Check, value *node) { c.plugin().Host = b.host(value) }},
		},
		finish: (*builder).finishService,
	}
}

func (c *Check) unit() *Unit {
	if c.Unit == nil {
		c.Unit = &Unit{}
	}
	return c.Unit
}

func (c *Check) plugin() *Plugin {
	if c.Plugin == nil {
		c.Plugin = &Plugin{}
	}
	return c.Plugin
}

// finishService sees that a check asks one thing, and that what is said beside it belongs to it.
func (b *builder) finishService(_ *Check, n *node) {
	const expected = "must have one of address, unit and plugin"
	asked := ""
	for _, name := range []string{"address", "unit", "plugin"} {
		value := n.member(name)
		if value != nil && asked != "" {
			b.fault(value, name, "stands beside "+asked+"; a service check "+expected)
		} else if value != nil {
			asked = name
		}
	}
	if asked == "" {
		b.fault(n, "", "a service check "+expected)
		return
	}
	for _, pair := range [][2]string{{"user", "unit"}, {"host", "plugin"}} {
		if value := n.member(pair[0]); value != nil && n.member(pair[1]) == nil {
			b.fault(value, pair[0], "belongs to "+pair[1]+", not to "+asked+"; leave it out")
		}
	}
}

// address is a host with a port, or the path of a socket.
func (b *builder) address(value *node) string {
	return b.reaches(value, "address", addressHost)
}

// host is whom a plugin asks.
func (b *builder) host(value *node) string {
	return b.reaches(value, "host", func(text string) (host, fault string) {
		if host = bareHost(text); !isHost(host) || withoutPort(text) != text {
			return "", "not a host; write it like db1 or 2001:db8::1, without a port"
		}
		return host, ""
	})
}

// unitSuffixes are the kinds of units that systemd has.
func unitSuffixes() []string {
	return []string{".service", ".socket", ".device", ".mount", ".automount", ".swap", ".target", ".path", ".timer", ".slice", ".scope"}
}

// unit is the name of a unit, to which what systemctl would add is added.
func (b *builder) unit(value *node) string {
	given, ok := b.text(value, "unit")
	if !ok {
		return ""
	}
	if given == "" || len(given) > check.MaxServiceName || given[0] == '-' || given[0] == '.' ||
		strings.ContainsFunc(given, func(r rune) bool { return !isLabel(r) && !strings.ContainsRune(`:.\@`, r) }) {
		b.fault(value, "unit", shown(given)+" is no unit of systemd; write it like nginx.service")
		return ""
	}
	if slices.ContainsFunc(unitSuffixes(), func(suffix string) bool { return strings.HasSuffix(given, suffix) }) {
		return given
	}
	return given + ".service"
}

// command is a plugin and its arguments. What YAML takes for numbers or dates there are arguments as they are written.
func (b *builder) command(value *node) []string {
	const expected = "must be a list of the plugin and its arguments, like [check_tcp, -H, db1, -p, 5432]"
	arguments := []node{*value}
	if value.kind == list {
		arguments = value.content
	}
	if len(arguments) == 0 {
		b.fault(value, "plugin", "empty; "+expected)
		return nil
	}
	command := make([]string, len(arguments))
	for i := range arguments {
		argument := &arguments[i]
		switch argument.kind {
		case str, number, boolean, date:
			command[i] = argument.value
		default:
			b.fault(argument, "plugin", argument.kind.String()+"; "+expected)
			return nil
		}
		if strings.ContainsRune(argument.value, 0) {
			b.fault(argument, "plugin", "a NUL character in an argument; must be text")
		}
	}
	switch name := command[0]; {
	case arguments[0].kind != str || name == "" || name[0] == '-' || hasControl(name):
		b.fault(&arguments[0], "plugin", "not the name or path of a program; "+expected)
	case value.kind != list && strings.ContainsAny(name, " \t"):
		b.fault(value, "plugin", "one text with blanks; "+expected)
	case strings.Contains(name, "/") && name[0] != '/':
		b.fault(&arguments[0], "plugin", "a path that does not begin with /; must be one that does, or a name in PATH")
	}
	return command
}
