// Package inventory reads the services file (CLAUDEOPS_INVENTORY): the name of each service, the containers, units and other names
// that refer to it, the hosts of its checks and of ssh, its dependencies, its maintenance windows, and its health checks.
//
// The package hides YAML, and only accepts what cannot surprise: one document, known keys, no duplicates, and a limited number of
// aliases. All faults of a file are reported at once, with line and column, and without values that may be passwords. It does not
// access the network or running services. A nil *Inventory is valid: it is that of an operator without a services file, and knows no
// services.
package inventory

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/claudeops/claudeops/probe"
	"github.com/claudeops/claudeops/schedule"
)

// Inventory is a parsed services file. It is created by Parse and Read, and must not be modified, because it has lookup tables.
type Inventory struct {
	Services []Service           // in the file's order; for a shard (Part), only its own
	Notify   []Rule              // which targets get which notifications; nil means that every target gets everything
	Digest   schedule.Expression // when the daily digest is sent; the zero value means 24 h after the last one

	names    map[string]claim    // every name and alias, by key
	hosts    map[string]struct{} // in the form of probe.BareHost
	sshHosts []string            // in the form of probe.BareHost, sorted

	everything []Service           // for a shard: the services of all shards, to which the indexes in names refer
	elsewhere  func(string) string // for a shard: names the other shard that is responsible for a service; nil without shards
}

// Service is one thing that is checked, and whose restarts are counted.
type Service struct {
	Name        string   // as in cooldown.json and in handoffs; check.ServiceNameFault returns ""
	Aliases     []string // names of its containers, units, compose services, releases and so on
	SSH         string   // HOST or USER@HOST if its machine is reached by ssh; otherwise empty
	Owner       string   // whom to ask about it; one line
	DependsOn   []string // names of services, without cycles
	Maintenance []Window
	Settle      time.Duration  // time after a restart until its checks are meaningful
	Approval    string         // none, tier3 or remediation: what people must permit; empty: CLAUDEOPS_APPROVAL says it
	FailAfter   int            // number of consecutive failed cycles before people are notified or a tier is started; at least 1
	Hours       Hours          // when it may be remediated; the zero value means always
	Restart     Way            // how it is restarted; silently the container or unit that its checks name, if they name exactly one
	Redeploy    Way            // how it is redeployed
	Actions     map[string]Way // what may be done besides, by name
	FirstAid    FirstAid       // what is done about it without a model
	Query       Query          // what agents may ask its database as
	Logs        []string       // patterns of its log files; absolute
	MaxTier     int            // the highest tier that works on it; 0: CLAUDEOPS_MAX_TIER says it
	Runbook     string         // a file that the tiers that work on it get to read; relative to REPOS_DIR
	Checks      []probe.Check
}

// DefaultSettle is the default of Settle.
const DefaultSettle = 30 * time.Second

// approvalWord matches the values of approval.
var approvalWord = regexp.MustCompile(`^(?:none|tier3|remediation)$`)

// claim is the meaning of a name: the index of the service, and the line in the file.
type claim struct{ service, line int }

// key returns the part of a name that distinguishes services: docker puts a slash before a container's name, and systemctl adds .service
// to a unit without a suffix.
func key(name string) string { return strings.TrimSuffix(strings.TrimPrefix(name, "/"), ".service") }

// Service returns the service that name refers to: the name of a service or an alias, with or without a leading slash and the suffix
// .service. An unknown name is returned without these two, unless nothing would remain.
func (inv *Inventory) Service(name string) string {
	if service, known := inv.Lookup(name); known {
		return service
	}
	if bare := key(name); bare != "" {
		return bare
	}
	return name
}

// NameOf returns the name of the service that name refers to; name itself if it is unknown.
func (inv *Inventory) NameOf(name string) string {
	if service, known := inv.Lookup(name); known {
		return service
	}
	return name
}

// Checked converts services for package probe.
func Checked(services []Service) []probe.Service {
	checked := make([]probe.Service, len(services))
	for i, s := range services {
		checked[i] = probe.Service{Name: s.Name, Checks: s.Checks}
	}
	return checked
}

// SecretVariables returns the names of the variables with the secrets of checks and queries, of all shards, whatever their names are.
func (inv *Inventory) SecretVariables() []string {
	names := probe.SecretVariables(Checked(inv.Everything()))
	for _, s := range inv.Everything() {
		if name := s.Query.PasswordEnv; name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// CountChecks returns the total number of checks.
func CountChecks(services []Service) (count int) {
	for i := range services {
		count += len(services[i].Checks)
	}
	return count
}

// HasChecks reports whether any service has a check, in any shard: a shard without services still uses probes.
func (inv *Inventory) HasChecks() bool { return CountChecks(inv.Everything()) > 0 }

// Lookup returns the service that the first known of names refers to; known is false if none is known.
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

// Get returns the service that name refers to, as Lookup does. It must not be modified.
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

// KnowsHost reports whether a check names the host in its url, server, address, host or engine. Case, a port, brackets and a dot at the
// end are ignored. A host that only occurs in `ssh` or as an alias is not known.
func (inv *Inventory) KnowsHost(host string) bool {
	if inv == nil {
		return false
	}
	_, known := inv.hosts[probe.BareHost(host)]
	return known
}

// KnowsSSH reports whether a service's `ssh` names the host, with any user. It compares as KnowsHost does; host has no user.
func (inv *Inventory) KnowsSSH(host string) bool {
	if inv == nil {
		return false
	}
	_, known := slices.BinarySearch(inv.sshHosts, probe.BareHost(host))
	return known
}
