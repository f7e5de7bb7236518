package cycle

import (
	"maps"
	"slices"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/statefile"
)

// evaluation is what one cycle knows of a service.
type evaluation struct {
	service     string
	status      check.Status
	fingerprint string
	found       string // what the worst check says, "http: HTTP 502 from …"; empty where it is healthy
	earlier     bool   // by a cycle that was killed or interrupted; this one's Tier 1 has said nothing of it
}

// evaluate makes one evaluation a service from the latest results of each, in name order. A service that a valid handoff names
// as affected without a result of its own that says anything is down: somebody must look. One is unknown where none of its checks
// could be made, and where those that could are healthy, but one that could not was unwell when it was last made: lastKnown, for each
// service and type.
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
		e := evaluation{service: name, status: worst.Status, fingerprint: fingerprint(slices.Concat(by[name], instead[name]))}
		if worst.Status != check.Healthy && worst.Error != "" {
			e.found = string(worst.Type) + ": " + worst.Error
		}
		list = append(list, e)
	}
	return list
}

// notSeen are those of the earlier results that find services unwell of which later ones know nothing, and that are not affected.
func notSeen(earlier, later []check.Result, affected []string) (left []check.Result) {
	known := check.Worst(later)
	for _, r := range earlier {
		if status := known[r.Service]; r.Status.Unwell() && !status.Unwell() && status != check.Healthy && !slices.Contains(affected, r.Service) {
			left = append(left, r)
		}
	}
	return left
}

// subject is what a check looks at, as far as results say.
type subject struct {
	service string
	typ     check.Type
}

func subjectOf(r check.Result) subject { return subject{r.Service, r.Type} }

// unproved are, by service, a check that could not be made and that was unwell when it was last made: that the others are healthy does
// not prove the end of that. instead are what such checks found when they were last made, by which an incident stays the same.
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

// count carries a cycle's evaluations into the state file (SPEC-0007 REQ-6) and returns the services whose counters were
// reset. before is the file as the cycle found it: an agent may have counted too, by jq, and must not count twice.
// A service whose checks could not be made keeps its count.
//
// Where the agent's own value is all that a cycle has of a service it counts, at most one above where it was.
func count(st, before *statefile.State, evaluations []evaluation) (reset []string) {
	evaluated := map[string]bool{}
	for _, e := range evaluations {
		evaluated[e.service] = true
		st.Ensure(e.service).ConsecutiveHealthy = before.Service(e.service).ConsecutiveHealthy
		if e.status.Unwell() {
			st.MarkUnhealthy(e.service)
		} else if e.status == check.Healthy && st.MarkHealthy(e.service) {
			reset = append(reset, e.service)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(st.Services)) {
		if evaluated[name] {
			continue
		}
		was, is := before.Service(name), st.Services[name]
		is.ConsecutiveHealthy = min(is.ConsecutiveHealthy, was.ConsecutiveHealthy+1)
		if is.ConsecutiveHealthy >= statefile.HealthyToReset && is.ConsecutiveHealthy > was.ConsecutiveHealthy {
			is.ConsecutiveHealthy = statefile.HealthyToReset - 1
			if st.MarkHealthy(name) {
				reset = append(reset, name)
			}
		}
	}
	return reset
}
