package inventory

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/claudeops/claudeops/schedule"

	"github.com/claudeops/claudeops/check"
)

// builder makes an inventory of nodes.
type builder struct {
	*check.Reading
	*grammar
	inv    *Inventory
	wanted [][]node              // by service, the entries of its depends_on
	said   map[faultOfAlias]bool // so that what an alias repeats is told once

	// What has been read already: services are much alike.
	schedules map[string]*schedule.Expression
	regexes   map[string]*regexp.Regexp
}

// faultOfAlias is a fault of a value that an alias or a merge puts at several places.
type faultOfAlias struct {
	line, column int32
	what         string
}

// newBuilder is for a file of size bytes, of which read may know faults already.
func newBuilder(size int, read *check.Reading) *builder {
	services := size / 300 // an estimate that saves most of the growing
	return &builder{Reading: read, grammar: newGrammar(), inv: &Inventory{
		Services: make([]Service, 0, services),
		names:    make(map[string]claim, 3*services),
		hosts:    make(map[string]struct{}, 2*services),
	}, schedules: map[string]*schedule.Expression{}, regexes: map[string]*regexp.Regexp{}}
}

// inventory is what the document says, or every fault of it.
func (b *builder) inventory(document *node) (*Inventory, []string) {
	if b.isMapping(document, "", "`services:`, a list of services") {
		fill(b, document, b.inv, b.strangerOfFile, b.file, extensions(document))
		b.require(document, "services", "a list of services, each with a name")
	}
	b.dependencies()
	if faults := b.Faults(); faults != nil {
		return nil, faults
	}
	slices.Sort(b.inv.sshHosts)
	b.inv.sshHosts = slices.Compact(b.inv.sshHosts)
	return b.inv, nil
}

// fileFields are what stands at the top of the file.
func fileFields() []field[Inventory] {
	return []field[Inventory]{
		{"services", func(b *builder, _ *Inventory, value *node) {
			if value.kind == null { // those below it are commented out
				return
			}
			services := b.list(value, "services", "a list of services, each with a name")
			for i := range services {
				b.oneService(&services[i])
			}
		}},
	}
}

// extension begins the keys at the top of the file that are the operator's own: places for anchors.
const extension = "x-"

func extensions(document *node) (fields []field[Inventory]) {
	for i := 0; i+1 < len(document.content); i += 2 {
		if k := &document.content[i]; strings.HasPrefix(k.value, extension) {
			fields = append(fields, field[Inventory]{k.value, func(*builder, *Inventory, *node) {}})
		}
	}
	return fields
}

func (b *builder) strangerOfFile(key string) string {
	return b.stranger(key, "the services file", names(b.file)) + ", or begin with " + extension + " if it is for anchors only"
}

func (b *builder) fault(n *node, name, what string) {
	if n.aliased {
		f := faultOfAlias{n.line, n.column, what}
		if b.said[f] {
			return
		}
		if b.said == nil {
			b.said = make(map[faultOfAlias]bool)
		}
		b.said[f] = true
	}
	at := place(int(n.line), int(n.column))
	if name != "" {
		at += ": " + name
	}
	b.Fault(at, what)
}

// serviceBuild is a service that is being read.
type serviceBuild struct {
	Service
	index int // it will have in the inventory
}

func serviceFields() []field[serviceBuild] {
	return []field[serviceBuild]{
		{"name", func(b *builder, s *serviceBuild, value *node) { s.Name = b.name(value, "name", s.index) }},
		{"aliases", func(b *builder, s *serviceBuild, value *node) {
			aliases := b.list(value, "aliases", "a list of names")
			s.Aliases = make([]string, len(aliases))
			for i := range aliases {
				s.Aliases[i] = b.name(&aliases[i], "aliases", s.index)
			}
		}},
		{"ssh", func(b *builder, s *serviceBuild, value *node) { s.SSH = b.ssh(value) }},
		{"owner", func(b *builder, s *serviceBuild, value *node) { s.Owner = b.line(value, "owner") }},
		{"depends_on", func(b *builder, s *serviceBuild, value *node) {
			b.wanted[s.index] = b.list(value, "depends_on", "a list of names of services")
		}},
		{"maintenance", func(b *builder, s *serviceBuild, value *node) {
			windows := b.list(value, "maintenance", "a list of windows, each with from and to, or with schedule and for")
			s.Maintenance = make([]Window, len(windows))
			for i := range windows {
				s.Maintenance[i] = b.oneWindow(&windows[i])
			}
		}},
		{"settle", func(b *builder, s *serviceBuild, value *node) { s.Settle = b.duration(value, "settle", 0, time.Hour) }},
		{"checks", func(b *builder, s *serviceBuild, value *node) {
			checks := b.list(value, "checks", "a list of checks, each with a type")
			s.Checks = make([]Check, len(checks))
			for i := range checks {
				s.Checks[i] = b.oneCheck(&checks[i])
			}
		}},
	}
}

func (b *builder) oneService(n *node) {
	s := serviceBuild{Service: Service{Settle: DefaultSettle}, index: len(b.inv.Services)}
	b.wanted = append(b.wanted, nil)
	if b.isMapping(n, "services", "a service: `name:`, and what belongs to it") {
		fill(b, n, &s, func(key string) string { return b.stranger(key, "a service", names(b.service)) }, b.service)
		b.require(n, "name", "the name of the service")
		if checks := n.member("checks"); checks != nil && len(checks.content) == len(s.Checks) {
			b.adopt(&s, checks.content)
		}
	}
	b.inv.Services = append(b.inv.Services, s.Service)
}

// adopt makes the containers and units that checks look at aliases of their service, and gives a container that has no name there
// the service's.
func (b *builder) adopt(s *serviceBuild, checks []node) {
	for i := range s.Checks {
		switch k := &s.Checks[i]; {
		case k.Container != nil && k.Container.Name == "":
			b.containerOfService(k.Container, s.Name, &checks[i])
		case k.Container != nil:
			b.alias(s, checks[i].member("container"), "container", k.Container.Name)
		case k.Unit != nil && k.Unit.Name != "":
			value := checks[i].member("unit")
			b.alias(s, value, "unit", k.Unit.Name)
			if of, isTimer := strings.CutSuffix(k.Unit.Name, ".timer"); isTimer {
				b.alias(s, value, "unit", of) // who restarts a timer restarts what it starts
			}
		}
	}
}

// alias adds a name to a service, unless it has it already.
func (b *builder) alias(s *serviceBuild, value *node, from, name string) {
	had := key(s.Name) == key(name) || slices.ContainsFunc(s.Aliases, func(alias string) bool { return key(alias) == key(name) })
	if b.claim(value, from, name, s.index) && !had {
		s.Aliases = append(s.Aliases, name)
	}
}

// name reads a name or an alias and claims it for the service with that index.
func (b *builder) name(value *node, name string, index int) string {
	called, ok := b.text(value, name)
	if !ok {
		return ""
	}
	if fault := check.ServiceNameFault(called); fault != "" {
		b.fault(value, name, fault)
		return ""
	}
	if !b.claim(value, name, called, index) {
		return ""
	}
	return called
}

// claim notes that a name means the service with that index; where it cannot, that is a fault.
func (b *builder) claim(value *node, name, called string, index int) bool {
	k := key(called)
	if k == "" {
		b.fault(value, name, strconv.Quote(called)+" is nothing but what is taken off a name; must be a name")
		return false
	}
	if had, taken := b.inv.names[k]; taken && had.service != index {
		b.fault(value, name, fmt.Sprintf("%q means another service already, by line %d (a leading / and .service do not tell names apart); "+
			"must be a name or alias of one service only", called, had.line))
		return false
	}
	b.inv.names[k] = claim{service: index, line: int(value.line)}
	return true
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

// url is a URL that judge takes.
func (b *builder) url(value *node, name string, judge func(text string) (host, fault string)) string {
	return b.reaches(value, name, func(text string) (host, fault string) {
		if strings.Contains(text, "${") {
			return "", "a variable, and none is filled in here; write it out (headers_env and password_env name variables for what nobody may read)"
		}
		return judge(text)
	})
}

// reaches is a text by which somebody is reached, and notes the host that judge finds in it, if it has one, or what is wrong with it.
func (b *builder) reaches(value *node, name string, judge func(text string) (host, fault string)) string {
	given, ok := b.text(value, name)
	if !ok {
		return ""
	}
	host, fault := judge(given)
	if fault != "" {
		b.fault(value, name, fault)
		return ""
	}
	if host != "" {
		b.inv.hosts[host] = struct{}{}
	}
	return given
}

// hasControl reports whether a text has what would not stay on its line, or stays unseen there.
func hasControl(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) })
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

// told is what a library says of a foreign text, which it may repeat, on one line.
func told(err error) string {
	text := err.Error()
	if hasControl(text) || len(text) > 2*maxShown {
		return shown(text)
	}
	return text
}
