package cycle

import (
	"maps"
	"slices"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/statefile"
)

// evaluation is a cycle's finding about one service.
type evaluation struct {
	service     string
	status      check.Status
	fingerprint string
	found       string // the worst check's message, "http: HTTP 502 from …"; empty if healthy
	earlier     bool   // found by a killed or interrupted cycle; this cycle's Tier 1 has no result for it
}

// evaluate makes one evaluation per service from its latest results, in name order. A service that a valid handoff names as affected,
// without a result, is down: someone must check it. A service is unknown if none of its checks could be made, or if the others are
// healthy but one that could not be made was unwell the last time. lastKnown holds those last results by service and type.
func evaluate(results []check.Result, affected []string, lastKnown []check.Result) []evaluation {
	by := map[string][]check.Result{}
	for _, r := range results {
		by[r.Service] = append(by[r.Service], r)
	}
	status := check.Worst(results)
	for _, name := range affected {
		if was, known := status[name]; !known || was == check.Unknown {
			by[name] = append(by[name], check.Result{Service: name, Type: check.Service, Status: check.Down})
		}
	}
	open, instead := unproved(results, lastKnown)
	list := make([]evaluation, 0, len(by))
	for _, name := range slices.Sorted(maps.Keys(by)) {
		worst := by[name][0]
		for _, r := range by[name] {
			if r.Status.Worse(worst.Status) {
				worst = r
			}
		}
		if worst.Status == check.Healthy && open[name].Service != "" {
			worst = open[name]
		}
		e := evaluation{service: name, status: worst.Status, fingerprint: check.Fingerprint(slices.Concat(by[name], instead[name]))}
		if worst.Status != check.Healthy && worst.Error != "" {
			e.found = string(worst.Type) + ": " + worst.Error
		}
		list = append(list, e)
	}
	return list
}

// notSeen returns the earlier unwell results of services that have no later result and are not affected.
func notSeen(earlier, later []check.Result, affected []string) (left []check.Result) {
	known := check.Worst(later)
	for _, r := range earlier {
		if status := known[r.Service]; r.Status.Unwell() && !status.Unwell() && status != check.Healthy && !slices.Contains(affected, r.Service) {
			left = append(left, r)
		}
	}
	return left
}

// subject identifies the target of a check, as far as results do.
type subject struct {
	service string
	typ     check.Type
}

func subjectOf(r check.Result) subject { return subject{r.Service, r.Type} }

// unproved returns open: by service, a check that could not be made and was unwell the last time, so that healthy results of the other
// checks do not prove a recovery. instead holds the last results of such checks; they keep the incident's fingerprint unchanged.
func unproved(results, lastKnown []check.Result) (open map[string]check.Result, instead map[string][]check.Result) {
	unwell := map[subject]check.Result{}
	for _, r := range lastKnown {
		if r.Status.Unwell() {
			unwell[subjectOf(r)] = r
		}
	}
	open, instead = map[string]check.Result{}, map[string][]check.Result{}
	for _, r := range results {
		if last, was := unwell[subjectOf(r)]; was && r.Status == check.Unknown {
			open[r.Service], instead[r.Service] = r, append(instead[r.Service], last)
		}
	}
	return open, instead
}

// countHealthy counts consecutive healthy cycles by this cycle's evaluations (SPEC-0007 REQ-6). It returns the new counts, and the services
// that have recovered, whose restarts no longer count. before is cooldown.json as it was when the cycle began, and file as it is now: an
// agent may have counted too, with jq, and that must not count twice. A service whose checks could not be made keeps its count.
//
// If the agent's own value is all that a cycle has about a service, it counts, but at most as one above the value before, and not above it
// unless Tier 1 has completed.
func countHealthy(file, before *statefile.State, evaluations []evaluation, completed bool) (streaks map[string]int, recovered []string) {
	streaks = map[string]int{}
	set := func(name string, healthy int) {
		if healthy >= statefile.HealthyToReset {
			recovered, healthy = append(recovered, name), 0
		}
		streaks[name] = healthy
	}
	for _, e := range evaluations {
		was := before.Service(e.service).ConsecutiveHealthy
		switch {
		case e.status.Unwell():
			set(e.service, 0)
		case e.status == check.Healthy:
			set(e.service, was+1)
		default:
			streaks[e.service] = was
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
