// Package discover writes an inventory of what runs here: containers and their labels, compose files, systemd's units, what listens on a
// port, services of Kubernetes.
//
// It only looks, and connects to what the cluster names. What it finds was named by others, so it believes none of it: a name that no service could have is left out and
// said so, and what it writes is an inventory that package inventory accepts. Where it cannot look, it says why and goes on.
package discover

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/claudeops/claudeops/probe"
)

// sourceTimeout is how long one source may take: the engine, the units, the cluster or the folder of repositories.
const sourceTimeout = 30 * time.Second

// Options are where to look.
type Options struct {
	Environ  []string // with DOCKER_HOST and KUBECONFIG, where these are set, and the PATH of systemctl and kubectl
	ReposDir string   // folder below which compose files are; empty for none

	proc string // in the place of /proc
}

// Found is what runs here, or should.
type Found struct {
	Services []Service // by name
	Missing  []string  // what could not be asked, and why
	LeftOut  []string  // what is not in Services though it was found, and why
}

// Service is one of the inventory to be.
type Service struct {
	Name      string
	Aliases   []string
	Owner     string
	DependsOn []string
	Settle    string // a duration as Go writes it, empty for the default
	FailAfter int    // 0 for the default
	Checks    []Check
	From      []string // where it was found, for people
	Hints     []string // checks that a person who knows more could write
}

// Check is one of four kinds: exactly one of its texts is set.
type Check struct {
	Container string
	Job       bool // of a container that is to end
	URL       string
	Address   string
	Unit      string
}

// Run looks for services. The error is that of ctx, before whose end not everything was seen.
func Run(ctx context.Context, o Options) (Found, error) {
	c := &collection{byKey: map[string]*candidate{}, projects: map[string]string{}, host: publishedOn(probe.EngineAddress(o.Environ))}
	for _, look := range []func(context.Context, Options) error{c.containers, c.composeFiles, c.units, c.listeners, c.cluster} {
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
		return Found{}, fmt.Errorf("make an inventory of what was found, within %s: %w", sourceTimeout, err)
	}
	slices.SortFunc(found.Services, func(a, b Service) int { return cmp.Compare(a.Name, b.Name) })
	return found, nil
}

// publishedOn is where the published ports of an engine's containers are: its own host, if it is reached by the network.
func publishedOn(engine string) string {
	if u, err := url.Parse(engine); err == nil && u.Scheme != "unix" && u.Hostname() != "" {
		return u.Hostname()
	}
	return "127.0.0.1"
}

// collection is what was found so far.
type collection struct {
	byKey    map[string]*candidate
	order    []*candidate
	projects map[string]string // of compose, by the path of a file
	host     string            // where published ports are
	missing  []string
	leftOut  []string
}

// candidate may become a service.
type candidate struct {
	project    string // of compose, or the namespace of Kubernetes; empty where it is of none
	namespaced bool   // project is a namespace
	service    string // of compose or Kubernetes, else the name of the container, the unit or the program
	program    string // that listens, and has no unit
	ignored    bool
	labels     labels
	containers []string
	unit       string
	job        bool
	ports      []port
	image      string
	needs      []string // services of the same compose project
	from       []string
}

// labels are what an operator has written on a container, without `claudeops.`.
type labels struct{ name, owner, url, settle, dependsOn string }

// port is one of a container that its host has, by TCP.
type port struct {
	address string // host:port
	private int    // in the container
}

// candidate returns the one of that key, which is made where it is new.
func (c *collection) candidate(key string, made candidate) *candidate {
	if known := c.byKey[key]; known != nil {
		return known
	}
	c.byKey[key] = &made
	c.order = append(c.order, &made)
	return &made
}

// ofCompose is the candidate of a service of a compose project.
func (c *collection) ofCompose(project, service string) *candidate {
	return c.candidate("compose\x00"+project+"\x00"+service, candidate{project: project, service: service})
}

func (c *collection) leaveOut(what, why string) {
	c.leftOut = append(c.leftOut, what+": "+why)
}

// take takes the labels over that say something, where nothing was said before.
func (l *labels) take(given map[string]string) {
	for name, to := range map[string]*string{
		"name": &l.name, "owner": &l.owner, "url": &l.url, "settle": &l.settle, "depends_on": &l.dependsOn,
	} {
		if text := strings.ToValidUTF8(strings.TrimSpace(given["claudeops."+name]), "�"); *to == "" {
			*to = text
		}
	}
}

func ignores(given map[string]string) bool {
	return strings.EqualFold(strings.TrimSpace(given["claudeops.ignore"]), "true")
}

// add adds to a list what it has not.
func add[T comparable](list []T, more ...T) []T {
	for _, one := range more {
		if !slices.Contains(list, one) {
			list = append(list, one)
		}
	}
	return list
}
