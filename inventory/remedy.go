package inventory

import (
	"regexp"
	"time"

	"github.com/claudeops/claudeops/internal/strict"
	"github.com/claudeops/claudeops/probe"
)

// Remedy is what may be done about a service without asking a model. The zero value is none: a service has a remedy only if its operator
// writes one.
type Remedy struct {
	Restart   string        // container, unit, compose or deployment; empty with Run
	Name      string        // of what is restarted; with compose, the service in the project
	Project   string        // with compose: the project's folder, or one of its files; absolute
	Namespace string        // with deployment
	Run       []string      // a program and its arguments, which no shell reads; nil with Restart
	Counts    string        // what a run counts as: restart or redeployment
	Settle    time.Duration // time after it until the checks are meaningful
	Attempts  int           // how often it is tried in one cycle; at least 1
}

// What a remedy restarts.
const (
	RestartContainer  = "container"
	RestartUnit       = "unit"
	RestartCompose    = "compose"
	RestartDeployment = "deployment"
)

// Given reports whether the service has a remedy.
func (r Remedy) Given() bool { return r.Restart != "" || r.Run != nil }

// Remediable reports whether the service may be remediated at a time of day.
func (s *Service) Remediable(now time.Time) bool {
	_, open := s.Hours.Until(now)
	return open || s.Hours == Hours{}
}

const maxAttempts = 5

var (
	restartWords = regexp.MustCompile(`^(?:container|unit|compose|deployment)$`)
	countWords   = regexp.MustCompile(`^(?:restart|redeployment)$`)
	// remedyNames matches the names of containers, units, compose services and deployments: none that is an option, a pattern or a path.
	remedyNames = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.:@\\-]{0,199}$`)
	namespaces  = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,62}$`)
)

// newRemedy returns a remedy with the defaults of its keys; Settle is that of its service.
func newRemedy() Remedy { return Remedy{Counts: "restart", Attempts: 1, Namespace: "default"} }

// remedyFields returns the keys of a remedy.
func (b *builder) remedyFields(r *Remedy) []strict.Field {
	return []strict.Field{
		{Name: "restart", Doc: "what is restarted: a `container`, a `unit`, a service of a `compose` project, or a `deployment`",
			Takes: strict.Matching(&r.Restart, restartWords, "; must be container, unit, compose or deployment")},
		{Name: "name", Doc: "with `restart`: its name; of a compose project, the service's name there",
			Takes: strict.Matching(&r.Name, remedyNames, " is no name of a container, unit, compose service or deployment")},
		{Name: "project", Doc: "with `restart: compose`: the folder of the project, or its file", Takes: strict.File(&r.Project)},
		{Name: "namespace", Doc: "with `restart: deployment`", Takes: strict.Matching(&r.Namespace, namespaces, " is no namespace")},
		{Name: "run", Doc: "a list of a program, by its path or its name in `PATH`, and its arguments, which no shell reads",
			Takes: probe.Command(&r.Run, "a list of the program and its arguments, like [/usr/local/bin/restart-shop, --quick]")},
		{Name: "counts", Doc: "with `run`: what a run counts as, a `restart` or a `redeployment`",
			Takes: strict.Matching(&r.Counts, countWords, "; must be restart or redeployment")},
		{Name: "settle", Default: "the service's", Doc: "what the service needs after it until its checks mean something; from `0s` to `1h`", Takes: strict.Duration(&r.Settle, 0, time.Hour)},
		{Name: "attempts", Doc: "how often it is tried in one cycle, 1 to 5; each attempt counts", Takes: strict.Whole(&r.Attempts, 1, maxAttempts)},
	}
}

// readRemedy reads a remedy.
func (b *builder) readRemedy(n *strict.Node) Remedy {
	const expected = "restart and name, or run"
	r := newRemedy()
	if !b.Mapping(n, "remedy", "a remedy: "+expected) {
		return r
	}
	b.Fill(n, "a remedy", "", b.remedyFields(&r))
	only := func(key string, allowed bool, with string) {
		if given := n.Member(key); given != nil && !allowed {
			b.Fault(given, key, "must not be given here; it belongs to "+with)
		}
	}
	restart, run := n.Member("restart") != nil, n.Member("run") != nil
	switch {
	case restart && run:
		b.Fault(n, "remedy", "both restart and run; must have "+expected)
		return r
	case restart:
		b.Require(n, "name", "the name of what is restarted")
		if r.Restart == RestartCompose {
			b.Require(n, "project", "the folder of the compose project, or its file")
		}
	case !run:
		b.Fault(n, "remedy", "neither restart nor run; must have "+expected)
	}
	only("name", !run, "restart")
	only("counts", !restart, "run: a restart counts as one")
	only("project", r.Restart == RestartCompose, "restart: compose")
	only("namespace", r.Restart == RestartDeployment, "restart: deployment")
	return r
}

// finishRemedy completes a service's remedy. The container or unit that it restarts becomes an alias of the service, so that every restart
// of that counts.
func (b *builder) finishRemedy(s *Service, n *strict.Node) {
	if n == nil {
		return
	}
	if n.Member("settle") == nil {
		s.Remedy.Settle = s.Settle
	}
	if name := n.Member("name"); name != nil && s.Remedy.Name != "" && (s.Remedy.Restart == RestartContainer || s.Remedy.Restart == RestartUnit) {
		b.addAlias(s, name, "name", s.Remedy.Name, len(b.inv.Services))
	}
}

// remediateFields returns the keys of remediate.
func (b *builder) remediateFields(s *Service) []strict.Field {
	return []strict.Field{
		{Name: "hours", Default: "always", Doc: "when the service may be restarted or redeployed, such as `\"22:00-06:00 Europe/Berlin\"`; without a zone it is the machine's (`TZ`)",
			Takes: b.hoursOf(&s.Hours)},
	}
}
