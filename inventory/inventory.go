// Package inventory reads the services file (CLAUDEOPS_INVENTORY): what an operator calls each service, which containers,
// units and other names mean it, which hosts its checks and ssh reach, what it depends on, when it is maintained, and how to
// see whether it is well.
//
// It hides YAML, of which only what cannot surprise is taken: one document, every key known and given once, aliases within
// bounds. All faults of a file are reported at once, with line and column, and without what may be a password. Nothing here
// asks the network or a running service; a nil *Inventory is that of an operator who has none, and knows nothing.
package inventory

import (
	"slices"
	"strings"
	"time"

	"github.com/claudeops/claudeops/probe"
	"github.com/claudeops/claudeops/schedule"
)

// Inventory is what a services file says. Parse and Read make it; nothing in it may be changed, since what it knows is
// looked up in tables made then.
type Inventory struct {
	Services []Service           // in the file's order; of a part (Part), those that it looks after
	Notify   []Rule              // who gets which notifications; nil where every target gets everything
	Digest   schedule.Expression // when the daily digest is sent; the zero value never comes: 24 h after the last

	names    map[string]claim    // by key, each name and alias
	hosts    map[string]struct{} // as probe.BareHost writes them
	sshHosts []string            // as probe.BareHost writes them, sorted

	everything []Service           // of a part: the services of all parts, which names count in
	elsewhere  func(string) string // of a part: which other one looks after a service; nil where there are no parts
}

// Service is one thing that is checked, and that restarts are counted of.
type Service struct {
	Name        string   // as in cooldown.json and in handoffs; check.ServiceNameFault holds
	Aliases     []string // its containers, units, compose services, releases and the like
	SSH         string   // HOST or USER@HOST where its machine is reached by ssh; empty where it is not
	Owner       string   // whom to ask about it, for people; one line
	DependsOn   []string // names of services, never in a circle
	Maintenance []Window
	Settle      time.Duration // what it needs after a restart until its checks mean something
	FailAfter   int           // how many cycles must find it unwell before anybody is told or started; at least 1
	Checks      []probe.Check
}

// DefaultSettle is the Settle of a service that says nothing else.
const DefaultSettle = 30 * time.Second

// claim is what a name means: the service with that index, which has it on that line of the file.
type claim struct{ service, line int }

// key is the part of a name that distinguishes services: docker puts a slash before a container's name, and systemctl adds .service to a
// unit without a suffix.
func key(name string) string { return strings.TrimSuffix(strings.TrimPrefix(name, "/"), ".service") }

// Service returns the service that name means: the name of a service or an alias, with or without a leading slash and the
// suffix .service. A name that means none comes back without these two, as long as that leaves something of it.
func (inv *Inventory) Service(name string) string {
	if service, known := inv.Lookup(name); known {
		return service
	}
	if bare := key(name); bare != "" {
		return bare
	}
	return name
}

// NameOf returns the name of the service that name means, and name itself where it means none.
func (inv *Inventory) NameOf(name string) string {
	if service, known := inv.Lookup(name); known {
		return service
	}
	return name
}

// Checked are services as package probe takes them.
func Checked(services []Service) []probe.Service {
	checked := make([]probe.Service, len(services))
	for i, s := range services {
		checked[i] = probe.Service{Name: s.Name, Checks: s.Checks}
	}
	return checked
}

// CountChecks is how many checks the services have together.
func CountChecks(services []Service) (count int) {
	for i := range services {
		count += len(services[i].Checks)
	}
	return count
}

// HasChecks reports whether any service has a check, of whichever part it is: a part without services is watched like the others.
func (inv *Inventory) HasChecks() bool { return CountChecks(inv.Everything()) > 0 }

// Lookup returns the service that the first of names which means one means; where none does, known is false.
func (inv *Inventory) Lookup(names ...string) (service string, known bool) {
	if inv == nil {
		return "", false
	}
	for _, name := range names {
		if c, known := inv.names[key(name)]; known {
			return inv.Everything()[c.service].Name, true
		}
	}
	return "", false
}

// Get returns the service that name means, as Lookup does. Nothing in it may be changed.
func (inv *Inventory) Get(name string) (service *Service, known bool) {
	if inv == nil {
		return nil, false
	}
	c, known := inv.names[key(name)]
	if !known {
		return nil, false
	}
	return &inv.Everything()[c.service], true
}

// KnowsHost reports whether a check names the host in its url, server, address, host or engine. Letters' case, a port, brackets and
// a dot at the end do not matter. A host that only ssh or an alias names is not known by that.
func (inv *Inventory) KnowsHost(host string) bool {
	if inv == nil {
		return false
	}
	_, known := inv.hosts[probe.BareHost(host)]
	return known
}

// KnowsSSH reports whether a service's `ssh` names the host, whoever its user is. It compares as KnowsHost does; host is
// without a user.
func (inv *Inventory) KnowsSSH(host string) bool {
	if inv == nil {
		return false
	}
	_, known := slices.BinarySearch(inv.sshHosts, probe.BareHost(host))
	return known
}

// SSHHosts returns the hosts that KnowsSSH knows, sorted, in lower case and without users.
func (inv *Inventory) SSHHosts() []string {
	if inv == nil {
		return nil
	}
	return slices.Clone(inv.sshHosts)
}
