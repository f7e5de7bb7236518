package inventory

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/claudeops/claudeops/check"
)

// builder makes an inventory of nodes. Keys that mean nothing here are passed over.
type builder struct {
	*check.Reading
	inv *Inventory
}

// newBuilder is for a file of size bytes, of which read may know faults already.
func newBuilder(size int, read *check.Reading) *builder {
	services := size / 300 // an estimate that saves most of the growing
	return &builder{Reading: read, inv: &Inventory{
		Services: make([]Service, 0, services),
		names:    make(map[string]claim, 3*services),
		hosts:    make(map[string]struct{}, 2*services),
	}}
}

// inventory is what the document says, or every fault of it.
func (b *builder) inventory(document *node) (*Inventory, []string) {
	found := false
	for name, value := range b.members(document, "", "`services:`, a list of services") {
		if name != "services" {
			continue
		}
		found = true
		services := b.list(value, name, "a list of services, each with a name")
		for i := range services {
			b.service(&services[i])
		}
	}
	if !found && document.kind == mapping {
		b.fault(document, "services", "missing; must be a list of services, each with a name")
	}
	if faults := b.Faults(); faults != nil {
		return nil, faults
	}
	slices.Sort(b.inv.sshHosts)
	b.inv.sshHosts = slices.Compact(b.inv.sshHosts)
	return b.inv, nil
}

func (b *builder) fault(n *node, name, what string) {
	at := place(int(n.line), int(n.column))
	if name != "" {
		at += ": " + name
	}
	b.Fault(at, what)
}

func (b *builder) service(n *node) {
	var s Service
	named := false
	index := len(b.inv.Services)
	for name, value := range b.members(n, "services", "a service: `name:`, and what belongs to it") {
		switch name {
		case "name":
			named = true
			s.Name = b.name(value, name, index)
		case "aliases":
			aliases := b.list(value, name, "a list of names")
			s.Aliases = make([]string, len(aliases))
			for i := range aliases {
				s.Aliases[i] = b.name(&aliases[i], name, index)
			}
		case "ssh":
			s.SSH = b.ssh(value)
		case "checks":
			checks := b.list(value, name, "a list of checks, each with a type")
			s.Checks = make([]Check, len(checks))
			for i := range checks {
				s.Checks[i] = b.check(&checks[i])
			}
		}
	}
	if !named && n.kind == mapping {
		b.fault(n, "name", "missing; must be the name of the service")
	}
	b.inv.Services = append(b.inv.Services, s)
}

// name reads a name or an alias and claims it for the service with that index.
func (b *builder) name(value *node, name string, index int) string {
	called, ok := b.text(value, name)
	if !ok {
		return ""
	}
	k := key(called)
	if fault := check.ServiceNameFault(called); fault != "" {
		b.fault(value, name, fault)
		return ""
	}
	if k == "" {
		b.fault(value, name, strconv.Quote(called)+" is nothing but what is taken off a name; must be a name")
		return ""
	}
	if had, taken := b.inv.names[k]; taken && had.service != index {
		b.fault(value, name, fmt.Sprintf("%q means another service already, by line %d (a leading / and .service do not tell names apart); "+
			"must be a name or alias of one service only", called, had.line))
		return ""
	}
	b.inv.names[k] = claim{service: index, line: int(value.line)}
	return called
}

func (b *builder) ssh(value *node) string {
	target, ok := b.text(value, "ssh")
	if !ok {
		return ""
	}
	host, fault := sshHost(target)
	if fault != "" {
		b.fault(value, "ssh", fault)
		return ""
	}
	b.inv.sshHosts = append(b.inv.sshHosts, host)
	return target
}

func (b *builder) check(n *node) Check {
	var c Check
	var url *node
	typed := false
	for name, value := range b.members(n, "checks", "a check: `type:`, and what it asks") {
		switch name {
		case "type":
			typed = true
			c.Type = b.checkType(value)
		case "url":
			url = value
		case "host":
			c.Host = b.address(value, name)
		case "server":
			c.Server = b.address(value, name)
		case "address":
			c.Address = b.address(value, name)
		}
	}
	if !typed && n.kind == mapping {
		b.fault(n, "type", "missing; must be one of "+types())
	}
	if url != nil { // only now: what it may be depends on the type
		c.URL = b.url(url, c.Type)
	}
	return c
}

func (b *builder) checkType(value *node) check.Type {
	given, ok := b.text(value, "type")
	if ok && !check.Type(given).Valid() {
		b.fault(value, "type", shown(given)+" is none of "+types())
		return ""
	}
	return check.Type(given)
}

func (b *builder) url(value *node, of check.Type) string {
	given, ok := b.text(value, "url")
	if !ok {
		return ""
	}
	host, fault := urlHost(given, of)
	return b.reaches(value, "url", given, host, fault)
}

func (b *builder) address(value *node, name string) string {
	given, ok := b.text(value, name)
	if !ok {
		return ""
	}
	host, fault := addressHost(given)
	return b.reaches(value, name, given, host, fault)
}

func (b *builder) reaches(value *node, name, given, host, fault string) string {
	if fault != "" {
		b.fault(value, name, fault)
		return ""
	}
	if host != "" {
		b.inv.hosts[host] = struct{}{}
	}
	return given
}

// text is the value of a member that must be a text. Anything else is a fault: YAML makes numbers, dates and booleans of
// names that look like one, and other readers of the file would see those.
func (b *builder) text(value *node, name string) (string, bool) {
	switch value.kind {
	case text:
		return value.value, true
	case number, boolean, date:
		b.fault(value, name, value.kind.String()+"; must be a text, so put it in quotes")
	default:
		b.fault(value, name, value.kind.String()+"; must be a text")
	}
	return "", false
}

func (b *builder) list(value *node, name, expected string) []node {
	if value.kind != list {
		b.fault(value, name, value.kind.String()+"; must be "+expected)
		return nil
	}
	return value.content
}

// members yields the members of a mapping by name. One that is given twice is a fault and yielded once.
func (b *builder) members(n *node, name, expected string) iter.Seq2[string, *node] {
	return func(yield func(string, *node) bool) {
		if n.kind != mapping {
			b.fault(n, name, n.kind.String()+"; must be "+expected)
			return
		}
		repeated := repeatedKeys(n.content)
		for i := 0; i+1 < len(n.content); i += 2 {
			k := &n.content[i]
			switch {
			case k.kind == list || k.kind == mapping:
				b.fault(k, name, k.kind.String()+" as a key; must be a text")
			case repeated(i):
				b.fault(k, name, shown(k.value)+" is given twice; must be given once")
			case !yield(k.value, &n.content[i+1]):
				return
			}
		}
	}
}

// repeatedKeys returns what tells whether the key at i, of a mapping's content, stands there before. It is asked in order.
func repeatedKeys(content []node) func(i int) bool {
	if len(content) <= 32 {
		return func(i int) bool {
			for j := 0; j < i; j += 2 {
				if content[j].value == content[i].value {
					return true
				}
			}
			return false
		}
	}
	seen := make(map[string]bool, len(content)/2)
	return func(i int) bool {
		before := seen[content[i].value]
		seen[content[i].value] = true
		return before
	}
}

// types lists the check types for a person.
func types() string {
	var b strings.Builder
	for i, t := range check.Types() {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(string(t))
	}
	return b.String()
}

// maxShown is how many characters of a text a fault repeats.
const maxShown = 60

// shown is a foreign text on one line.
func shown(foreign string) string {
	runes := 0
	for i := range foreign {
		if runes == maxShown {
			return strconv.Quote(foreign[:i]) + "…"
		}
		runes++
	}
	return strconv.Quote(foreign)
}
