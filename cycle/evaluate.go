package cycle

import (
	"maps"
	"slices"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/statefile"
)

// found returns the services that a round is about, by name: those that were checked since it began, those that have an alert, and what
// Tier 1 of an unfinished cycle found unwell. A look beside a tier leaves out what the tier works on.
func (r Round) found() (all []*state.Service) {
	only := r.Now.Config.Services
	for _, is := range r.Now.Services() {
		alert := len(is.Alerts) > 0 && (only == nil || slices.Contains(only, is.Name))
		if r.checked(is) || alert || r.earlier(is) {
			all = append(all, is)
		}
	}
	return slices.DeleteFunc(all, func(is *state.Service) bool { return r.Worked[is.Name] || r.Looking && !is.Status().Unwell() })
}

func (r Round) checked(is *state.Service) bool { return !is.Checked.Before(r.Since) }

// earlier reports whether Tier 1 of an unfinished cycle has found a service unwell, and nothing has told otherwise since.
func (r Round) earlier(is *state.Service) bool { return slices.ContainsFunc(r.Unfinished, is.UnwellBy) }

// hold returns what keeps people from being told about a service, and tiers from being started for it. That its alert has started a tier
// holds nothing back in the cycle that has started it.
func (r Round) hold(is *state.Service) state.Hold {
	for _, h := range is.Holds() {
		if h.Stops(state.Messages) && h.From.Before(r.Began) {
			return h
		}
	}
	return state.Hold{}
}

// unwell returns the unwell services of the round that have an incident and are not held back.
func (p *planner) unwell() (names []string) {
	for _, is := range p.found {
		if is.Status().Unwell() && p.incident(is.Name) != nil && !p.heldBack(is.Name).Given() {
			names = append(names, is.Name)
		}
	}
	return names
}

// countHealthy counts consecutive healthy cycles by this cycle's evaluations (SPEC-0007 REQ-6). It returns the new counts, and the services
// that have recovered, whose restarts no longer count. before is cooldown.json as it was when the cycle began, and file as it is now: an
// agent may have counted too, with jq, and that must not count twice. A service whose checks could not be made keeps its count.
//
// If the agent's own value is all that a cycle has about a service, it counts, but at most as one above the value before, and not above it
// unless Tier 1 has completed.
func countHealthy(file, before *statefile.State, found []*state.Service, completed bool) (streaks map[string]int, recovered []string) {
	streaks = map[string]int{}
	set := func(name string, healthy int) {
		if healthy >= statefile.HealthyToReset {
			recovered, healthy = append(recovered, name), 0
		}
		streaks[name] = healthy
	}
	for _, is := range found {
		was := min(before.Service(is.Name).ConsecutiveHealthy, file.Service(is.Name).ConsecutiveHealthy)
		switch status := is.Status(); {
		case status.Unwell():
			set(is.Name, 0)
		case status == check.Healthy:
			set(is.Name, was+1)
		default:
			streaks[is.Name] = was
		}
	}
	for _, name := range slices.Sorted(maps.Keys(file.Services)) {
		if _, evaluated := streaks[name]; evaluated {
			continue
		}
		was, most := before.Service(name).ConsecutiveHealthy, before.Service(name).ConsecutiveHealthy
		if completed {
			most++
		}
		if counted := min(file.Services[name].ConsecutiveHealthy, most); counted > was {
			set(name, counted)
		} else {
			streaks[name] = counted
		}
	}
	return streaks, recovered
}
