package guard

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/probe"
)

// Rules of a refusal that do not come from the table.
const (
	RuleCall     = "call"          // the call cannot be judged or run
	RuleLimits   = "limits"        // a limit on remediations (SPEC-0007 REQ-4, REQ-5)
	RuleHeld     = "held"          // the service is in maintenance, silenced, another shard's, or depends on an unhealthy service
	RuleServices = "services file" // what it says, or its silence
	RuleApproval = "approval"      // a person must permit it
)

// RefusalError refuses a call. For a limit, Reason says which one, what was attempted, how often, and when it is free again.
type RefusalError struct{ Rule, Reason string }

func (e *RefusalError) Error() string { return e.Reason }

// Refuse returns a refusal.
func Refuse(rule, reason string, args ...any) *RefusalError {
	return &RefusalError{rule, fmt.Sprintf(reason, args...)}
}

// Decision returns the decision that the refusal is.
func (e *RefusalError) Decision() Decision {
	if e.Rule == RuleApproval {
		return Asked
	}
	return Denied
}

// Order is an act on one service that is to run: by the services file's word for a verb, or by a person's.
type Order struct {
	Action  Action // Restart, Redeploy, Named or Ask
	Service string // its name; without a services file, the container's
	Argv    []string
	Dir     string
	Timeout time.Duration
	Why     string // in the agent's words; may be empty
	Asks    bool   // a person must permit it first
}

// Orders makes orders of verbs. All fields except Inventory are required.
type Orders struct {
	Tier      int
	DryRun    bool
	ReposDir  string
	Inventory *inventory.Inventory
	Approval  config.Approval // of services of which the services file does not say it
	Environ   []string        // of acts
	// Look returns what a program prints that only looks at this machine; nil: a compose service has a container, and a name is no id.
	Look func(ctx context.Context, argv []string) (string, error)
}

// Order returns what a verb means, called in a folder; or a refusal with what to do instead.
func (o Orders) Order(ctx context.Context, v Verb, dir string) (Order, *RefusalError) {
	if why := o.tierFault(v.Action); why != "" {
		name := o.Inventory.NameOf(v.Name)
		return Order{Action: v.Action, Service: name}, Refuse(RuleServices, "not run: %s", why)
	}
	service, way, err := o.service(ctx, v, dir)
	if err != nil {
		return Order{Action: v.Action, Argv: v.Argv}, Refuse(RuleServices, "not run: %v", err)
	}
	order := Order{Action: v.Action, Service: service, Why: v.Why, Dir: o.ReposDir, Timeout: inventory.DefaultTimeout}
	s, known := o.Inventory.Get(service)
	approval := o.Approval
	if known && s.Approval != "" {
		approval = config.Approval(s.Approval)
	}
	order.Asks = v.Action == Ask || approval.Needed(o.Tier)
	switch {
	case v.Action == Ask:
		order.Argv = v.Argv
		return order, nil
	case !known: // a container, without a services file
	case v.Action == Restart:
		way = s.Restart
	case v.Action == Redeploy:
		way = s.Redeploy
	default:
		way = s.Actions[v.Do]
	}
	if !way.Given() || !known && v.Action != Restart {
		return order, Refuse(RuleServices, "not run: %s", o.noWay(v, service))
	}
	if v.Namespace != "" && way.Kind == inventory.Deployment && v.Namespace != way.Namespace {
		return order, Refuse(RuleServices, "not run: the services file has %s in the namespace %s, not in %s", service, way.Namespace, v.Namespace)
	}
	if order.Argv, err = o.argv(ctx, v.Action, way); err != nil {
		return order, Refuse(RuleServices, "not run: %v", err)
	}
	if way.Dir != "" {
		order.Dir = way.Dir
		if !filepath.IsAbs(way.Dir) {
			order.Dir = filepath.Join(o.ReposDir, way.Dir)
		}
	}
	if way.Timeout > 0 {
		order.Timeout = way.Timeout
	}
	return order, nil
}

// tierFault returns why the tier may not act so, as a clause; empty if it may (SPEC-0007 REQ-14, SPEC-0016 tiers).
func (o Orders) tierFault(a Action) string {
	switch {
	case o.DryRun:
		return "this is a dry run; report what you would have done"
	case o.Tier == 1:
		return "Tier 1 only observes; report what you see, and hand off to Tier 2"
	case o.Tier == 2 && a == Redeploy:
		return "Tier 3 does that; hand off with what you found"
	}
	return ""
}

// noWay says that the services file has no way to do what a verb wants, and what to do instead.
func (o Orders) noWay(v Verb, service string) string {
	const propose = "; `propose` puts the command that you would run to a person"
	s, known := o.Inventory.Get(service)
	switch {
	case !known:
		return fmt.Sprintf("without a services file only containers are restarted, by their names, and %s is not to be changed otherwise%s", service, propose)
	case v.Action != Named:
		return fmt.Sprintf("the services file does not say how to %s %s%s", v.Action, service, propose)
	case len(s.Actions) == 0:
		return fmt.Sprintf("the services file names no action of %s%s", service, propose)
	}
	return fmt.Sprintf("%s has no action %q, but these: %s", service, v.Do, strings.Join(slices.Sorted(maps.Keys(s.Actions)), ", "))
}

// service returns the service that a verb names, or the restart of a container where there is no services file.
func (o Orders) service(ctx context.Context, v Verb, dir string) (name string, way inventory.Way, err error) {
	if v.Kind == inventory.Compose {
		return o.member(ctx, v, dir)
	}
	if name, known := o.Inventory.Lookup(v.Name); known {
		return name, way, nil
	}
	switch {
	case len(o.Inventory.Everything()) > 0:
		return "", way, fmt.Errorf("the services file does not name %s; propose something for a service that it names, or `ask_human`", v.Name)
	case v.Action == Ask && v.Name != "":
		return v.Name, way, nil
	case v.Kind == inventory.Container || v.Kind == "":
		return o.container(ctx, v.Name)
	}
	return "", way, fmt.Errorf("without a services file only containers are restarted, by their names; `propose` puts what you want to a person")
}

// container returns the restart of a container by its name, where there is no services file.
func (o Orders) container(ctx context.Context, name string) (string, inventory.Way, error) {
	name = strings.TrimPrefix(name, "/")
	all, err := probe.Identities(ctx, o.Environ, true)
	if err != nil {
		return "", inventory.Way{}, fmt.Errorf("the containers are not known: %w", err)
	}
	for _, c := range all {
		if c.Name != name {
			continue
		}
		if o.leadsHere(c) {
			return "", inventory.Way{}, fmt.Errorf("%s is this program, or leads to the engine: no agent restarts that", name)
		}
		return name, inventory.Way{Kind: inventory.Container, Name: name}, nil
	}
	return "", inventory.Way{}, fmt.Errorf("no container is named %s", name)
}

// leadsHere reports whether a container is this program's, or the one by which it reaches the engine.
func (o Orders) leadsHere(c probe.Identity) bool {
	host, err := os.Hostname()
	engine, _ := url.Parse(config.Lookup(o.Environ, "DOCKER_HOST")) // otherwise it is no host's
	named := strings.FieldsFunc(strings.ToLower(c.Name), func(r rune) bool { return strings.ContainsRune("._-", r) })
	return slices.Contains(named, "claudeops") || err == nil && len(host) >= 12 && strings.HasPrefix(c.ID, host) ||
		engine != nil && engine.Hostname() != "" && (engine.Hostname() == c.Name || engine.Hostname() == c.Labels[composeService])
}

// The labels of compose.
const (
	composeService = "com.docker.compose.service"
	composeFiles   = "com.docker.compose.project.config_files"
	composeFolder  = "com.docker.compose.project.working_dir"
)

// member returns the service that a service of a compose project is: by the services file, or by the name of its running container, which
// compose has labelled with the file or the folder that was typed.
func (o Orders) member(ctx context.Context, v Verb, dir string) (string, inventory.Way, error) {
	at := v.File
	if !filepath.IsAbs(at) {
		at = filepath.Join(dir, at)
	}
	for _, s := range o.Inventory.Everything() {
		for _, way := range []inventory.Way{s.Restart, s.Redeploy} {
			if way.Kind == inventory.Compose && way.Name == v.Name && (way.File == at || v.File == "" && filepath.Dir(way.File) == at) {
				return s.Name, inventory.Way{}, nil
			}
		}
	}
	all, err := probe.Identities(ctx, o.Environ, true)
	if err != nil {
		return "", inventory.Way{}, fmt.Errorf("the containers of compose are not known: %w", err)
	}
	var named []string // the services, or the containers without a services file, to which the labels lead
	for _, c := range all {
		labels := c.Labels
		if labels[composeService] != v.Name || labels[composeFolder] != at && !slices.Contains(strings.Split(labels[composeFiles], ","), at) {
			continue
		}
		name, known := o.Inventory.Lookup(c.Name)
		if !known {
			name = c.Name
		}
		if (known || len(o.Inventory.Everything()) == 0) && !slices.Contains(named, name) {
			named = append(named, name)
		}
	}
	switch { // anybody's container may have any label
	case len(named) == 1 && len(o.Inventory.Everything()) > 0:
		return named[0], inventory.Way{}, nil
	case len(named) == 1:
		return o.container(ctx, named[0])
	}
	return "", inventory.Way{}, fmt.Errorf("which service %s of the compose project %s is, the services file does not say; name a service of it", v.Name, at)
}

// argv returns the argument list of a way.
func (o Orders) argv(ctx context.Context, a Action, way inventory.Way) ([]string, error) {
	engine := probe.EngineProgram(o.Environ)
	if a == Redeploy {
		return way.RedeployArgv(engine), nil
	}
	switch {
	case o.Look == nil:
	case way.Kind == inventory.Compose:
		if ids, err := o.Look(ctx, way.ContainersArgv(engine)); err == nil && strings.TrimSpace(ids) == "" {
			return way.UpArgv(engine), nil
		}
	case way.Kind == inventory.Container && idStart.MatchString(way.Name):
		said, err := o.Look(ctx, way.EngineArgv(engine, "inspect", "--type", "container", "--format", "{{.Name}}", way.Name))
		if err != nil {
			return nil, fmt.Errorf("the engine does not say whether there is a container named %s: %w", way.Name, err)
		}
		if is := strings.TrimPrefix(strings.TrimSpace(said), "/"); is != way.Name {
			return nil, fmt.Errorf("no container is named %s, and %s would take that for the start of the id of %s", way.Name, engine, is)
		}
	}
	return way.RestartArgv(engine), nil
}

// idStart matches names of containers that an engine also reads as the start of an id.
var idStart = regexp.MustCompile(`^[0-9a-f]{1,64}$`)
