// Package discover writes an inventory of what runs here: containers and their labels, systemd units, listening ports, and Kubernetes
// services.
//
// It only observes, and connects to the ports that the cluster lists. Names come from others, so they are not trusted: a name that no
// service may have is left out and reported, and the result is always an inventory that package inventory accepts. If a source cannot be
// read, the reason is reported and the others are used.
package discover

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/internal/child"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/probe"
)

// sourceTimeout limits the time for one source: the engine, the units, the listening ports or the cluster.
const sourceTimeout = 30 * time.Second

// Options say where to look.
type Options struct {
	Environ []string // with DOCKER_HOST and KUBECONFIG, if set, and the PATH of systemctl and kubectl

	proc string // replaces /proc
}

// Found is what runs here, or should.
type Found struct {
	Services []Service // sorted by name
	Missing  []string  // sources that could not be read, with the reason
	LeftOut  []string  // what was found but is not in Services, with the reason
}

// Service is a service of the inventory to be written.
type Service struct {
	Name      string
	Aliases   []string
	Owner     string
	DependsOn []string
	Settle    string        // a duration in Go's format; empty for the default
	FailAfter int           // 0 for the default
	Restart   inventory.Way // of a service of compose; the zero value if it follows from the checks
	Aid       bool          // first aid is offered in a comment
	MakesRoom bool          // its first aid is an action that makes room on the disk
	Checks    []Check
	From      []string // where it was found, for people
	Hints     []string // suggested checks that need more information
}

// Check is one of five kinds: exactly one of its texts is set.
type Check struct {
	Container string
	URL       string
	Address   string
	Unit      string
	Disk      string
}

// Run searches for services. The error is that of ctx, if it ended before everything was examined.
func Run(ctx context.Context, o Options) (Found, error) {
	c := &collection{byKey: map[string]*candidate{}, host: publishedOn(probe.EngineAddress(o.Environ)), exists: exists}
	for _, look := range []func(context.Context, Options) error{c.containers, c.units, c.listeners, c.cluster} {
		within, cancel := context.WithTimeout(ctx, sourceTimeout)
		err := look(within, o)
		cancel()
		if ctx.Err() != nil {
			return Found{}, fmt.Errorf("look for services: %w", context.Cause(ctx))
		}
		if err != nil {
			c.missing = append(c.missing, err.Error())
		}
	}
	within, cancel := context.WithTimeout(ctx, sourceTimeout)
	defer cancel()
	found, err := c.settle(within)
	switch {
	case ctx.Err() != nil:
		return Found{}, fmt.Errorf("look for services: %w", context.Cause(ctx))
	case err != nil:
		return Found{}, fmt.Errorf("make an inventory of the discovered services, within %s: %w", sourceTimeout, err)
	}
	found.addDisk(o.Environ)
	slices.SortFunc(found.Services, func(a, b Service) int { return cmp.Compare(a.Name, b.Name) })
	return found, nil
}

// addDisk adds this machine's own disk, unless a service is called so.
func (f *Found) addDisk(environ []string) {
	const name = "disk"
	for _, s := range f.Services {
		if slices.ContainsFunc(s.called(), func(other string) bool { return key(other) == name }) {
			return
		}
	}
	_, vacuums := child.Find("journalctl", config.Lookup(environ, "PATH"))
	f.Services = append(f.Services, Service{Name: name, Checks: []Check{{Disk: "/"}}, Aid: vacuums, MakesRoom: vacuums, From: []string{"this machine"}})
}

// exists reports whether there is a file on this machine.
func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// publishedOn returns the host on which an engine's containers publish their ports: the engine's, if it is reached over the network.
func publishedOn(engine string) string {
	if u, err := url.Parse(engine); err == nil && u.Scheme != "unix" && u.Hostname() != "" {
		return u.Hostname()
	}
	return "127.0.0.1"
}

// collection is what was found so far.
type collection struct {
	byKey   map[string]*candidate
	order   []*candidate
	host    string // where published ports are
	exists  func(path string) bool
	missing []string
	leftOut []string
}

// candidate may become a service.
type candidate struct {
	project    string // of compose, or the Kubernetes namespace; empty for none
	namespaced bool   // project is a namespace
	service    string // the name in compose or Kubernetes, or of the container, the unit or the program
	program    string // it listens, and has no unit
	ignored    bool
	labels     labels
	containers []string
	folders    []string // of its containers' compose project; empty where none is usable
	unit       string
	ports      []port
	image      string
	needs      []string // services of the same compose project
	from       []string
}

// labels are the labels that an operator has set on a container, without `claudeops.`.
type labels struct{ name, owner, url, settle, dependsOn string }

// port is a container's TCP port that is published on the host.
type port struct {
	address string // host:port
	private int    // in the container
}

// candidate returns the candidate with a key, and creates it if it is new.
func (c *collection) candidate(key string, made candidate) *candidate {
	if known := c.byKey[key]; known != nil {
		return known
	}
	c.byKey[key] = &made
	c.order = append(c.order, &made)
	return &made
}

func (c *collection) leaveOut(what, why string) {
	c.leftOut = append(c.leftOut, what+": "+why)
}

// take sets labels that were not set before.
func (l *labels) take(given map[string]string) {
	for name, to := range map[string]*string{
		"name": &l.name, "owner": &l.owner, "url": &l.url, "settle": &l.settle, "depends_on": &l.dependsOn,
	} {
		if text := strings.ToValidUTF8(strings.TrimSpace(given["claudeops."+name]), "�"); *to == "" {
			*to = text
		}
	}
}

// add appends the values that a list lacks.
func add[T comparable](list []T, more ...T) []T {
	for _, one := range more {
		if !slices.Contains(list, one) {
			list = append(list, one)
		}
	}
	return list
}
