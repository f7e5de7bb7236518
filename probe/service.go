package probe

import (
	"path"
	"regexp"
	"strings"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/internal/strict"
	"github.com/claudeops/claudeops/internal/text"
)

// The type `service` has two forms beside that of address.go.
func init() {
	register(Type{Name: "service", Key: "unit", What: "a service check", Doc: "Looks at a unit of systemd.", Recorded: check.Service,
		Called: "systemd unit service", Written: "a unit is written type: service, unit: NAME",
		Options: func() Options { return &Unit{} }})
	register(Type{Name: "service", Key: "plugin", What: "a service check", Doc: "Runs a monitoring plugin.", Recorded: check.Service,
		Called: "nagios plugin exec command script ping icmp", Written: "what a program checks is written type: service, plugin: [PROGRAM, …]",
		Options: func() Options { return &Plugin{} }})
}

var units = regexp.MustCompile(`^[A-Za-z0-9_:\\@][A-Za-z0-9_:.\\@-]{0,199}$`)

// Unit checks a unit of systemd.
type Unit struct {
	Name string // with its suffix
	User bool   // of the user's own manager
}

// Fields returns the keys of the services file.
func (u *Unit) Fields() []strict.Field {
	return []strict.Field{
		{Name: "unit", Doc: "a unit of systemd, a `.service` where it has no suffix: it is active, or has done what it was started for",
			Takes: strict.Matching(&u.Name, units, " is no unit of systemd; write it like nginx.service")},
		{Name: "user", Doc: "with `unit`: `true` for one of the user's own manager", Takes: strict.Bool(&u.User)},
	}
}

// Finish adds the suffix that systemctl would add.
func (u *Unit) Finish(*strict.Reader, *strict.Node, string) {
	if u.Name != "" {
		u.Name = text.Unit(u.Name)
	}
}

// About describes the check. A timer also has the name of the unit that it starts, because restarting one restarts the other.
func (u *Unit) About() About {
	about := About{Target: u.Name, Asked: "systemd about " + u.Name, Needs: "unit", NamesKey: "unit"}
	if u.User {
		about.Needs = "user unit"
	}
	if u.Name != "" {
		about.Names = []string{u.Name}
		if starts, isTimer := strings.CutSuffix(u.Name, ".timer"); isTimer {
			about.Names = append(about.Names, starts)
		}
	}
	return about
}

// Plugin runs a monitoring plugin in the style of Nagios: exit code 0 ok, 1 warning, 2 critical, 3 unknown; the first line is the
// message.
type Plugin struct {
	Command []string // a path or a name in PATH, and arguments
	Host    string   // the host that it asks, for the limit per host; empty for this machine
}

// Fields returns the keys of the services file.
func (p *Plugin) Fields() []strict.Field {
	return []strict.Field{
		{Name: "plugin", Doc: "a list of a program, by its path or its name in `PATH`, and its arguments, which no shell reads; or the program alone. It exits with 0 " +
			"where all is well, 1 degraded, 2 down, 3 where it does not know, which is `unknown`; its first line says what it found",
			Takes: Command(&p.Command, "a list of the plugin and its arguments, like [check_tcp, -H, db1, -p, 5432]")},
		{Name: "host", Default: "this machine", Doc: "with `plugin`: whom it asks, so that no host is asked too much at once",
			Takes: reached(&p.Host, `"pattern":"^(`+hostPattern+`|`+ip6Pattern+`)$"`, func(text string) (host, fault string) {
				if host = BareHost(text); !isHost(host) || withoutPort(text) != text {
					return "", "not a host; write it like db1 or 2001:db8::1, without a port"
				}
				return host, ""
			})},
	}
}

// Command accepts a program and its arguments, or the program alone; expected says what the list must be. Arguments that YAML reads as
// numbers or dates are kept as written.
func Command(to *[]string, expected string) strict.Takes {
	return strict.Takes{Schema: commandSchema, Read: func(r *strict.Reader, name string, n *strict.Node) {
		*to = readCommand(r, name, n, "must be "+expected)
	}}
}

const commandSchema = `"anyOf":[{"type":"string","pattern":"^(/\\S*|[^-/\\s][^/\\s]*)$"},{"type":"array","minItems":1,"prefixItems":[` +
	`{"type":"string","pattern":"^(/[^\\x00-\\x1f\\x7f]*|[^-/\\x00-\\x1f\\x7f][^/\\x00-\\x1f\\x7f]*)$"}],"items":{"type":["string","number","boolean"]}}]`

func readCommand(r *strict.Reader, name string, n *strict.Node, expected string) (command []string) {
	arguments := []strict.Node{*n}
	if n.Kind == strict.List {
		arguments = n.Content
	}
	if len(arguments) == 0 {
		r.Fault(n, name, "empty; "+expected)
		return nil
	}
	for i := range arguments {
		argument := &arguments[i]
		switch argument.Kind {
		case strict.Text, strict.Number, strict.Boolean, strict.Date:
			command = append(command, argument.Value)
		default:
			r.Fault(argument, name, argument.Kind.String()+"; "+expected)
			return command
		}
		if strings.ContainsRune(argument.Value, 0) {
			r.Fault(argument, name, "a NUL character in an argument; must be text")
		}
	}
	switch program := command[0]; {
	case arguments[0].Kind != strict.Text || program == "" || program[0] == '-' || strict.HasControl(program):
		r.Fault(&arguments[0], name, "not the name or path of a program; "+expected)
	case n.Kind != strict.List && strings.ContainsAny(program, " \t"):
		r.Fault(n, name, "one text with blanks; "+expected)
	case strings.Contains(program, "/") && program[0] != '/':
		r.Fault(&arguments[0], name, "a path that does not begin with /; must be one that does, or a name in PATH")
	}
	return command
}

// Finish does nothing.
func (*Plugin) Finish(*strict.Reader, *strict.Node, string) {}

// About describes the check.
func (p *Plugin) About() About {
	if len(p.Command) == 0 {
		return About{}
	}
	return About{Target: path.Base(p.Command[0]), Asked: "plugin " + p.Command[0], Host: BareHost(p.Host), Needs: p.Command[0],
		Secrets: func([]string) []string { return inCommand(p.Command) }}
}
