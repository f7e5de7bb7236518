package handoff

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/claudeops/claudeops/check"
)

// maxAlerts limits the alerts of a handoff.
const maxAlerts = 20

// Alert is what another program says about a service.
type Alert struct {
	Service string       `json:"service"`
	Source  string       `json:"source"`
	Means   check.Status `json:"means"`
	Title   string       `json:"title"`
	Body    string       `json:"body"`
	Since   time.Time    `json:"since"`
}

// Make completes the program's own handoff from Tier 1, which names the services that need Tier 2: it takes all results, or
// those of its services that are unwell if a report may not have so many. A service of which only an alert tells has a result
// of type service for it; that of an alert has a type that is not in check.Types.
func Make(h Handoff, results []check.Result, alerts []Alert) Handoff {
	h.SchemaVersion, h.RecommendedTier = SchemaVersion, 2
	about := Of(h.ServicesAffected, results)
	if len(results) > check.MaxResults {
		results = slices.DeleteFunc(slices.Clone(about), func(r check.Result) bool { return !r.Status.Unwell() })
	}
	h.Take(results)
	checked := check.Worst(h.CheckResults)
	for _, r := range about {
		if _, known := checked[r.Service]; !known && !slices.Contains(check.Types(), r.Type) {
			r.Type, r.Error = check.Service, "alert: "+r.Error
			h.CheckResults = append(h.CheckResults, r)
		}
	}
	named := set(h.ServicesAffected)
	for _, a := range alerts {
		if named[a.Service] && len(h.Alerts) < maxAlerts {
			h.Alerts = append(h.Alerts, a)
		}
	}
	return h
}

// Of returns the results of the given services.
func Of(services []string, results []check.Result) (about []check.Result) {
	asked := set(services)
	for _, r := range results {
		if asked[r.Service] {
			about = append(about, r)
		}
	}
	return about
}

// Renew takes later results: each replaces what there is of its service and type. What could not be checked replaces nothing.
func (h *Handoff) Renew(later []check.Result) {
	var now Handoff
	now.Take(later)
	replaced := func(r check.Result) bool {
		return slices.ContainsFunc(now.CheckResults, func(l check.Result) bool { return l.Service == r.Service && l.Type == r.Type })
	}
	h.CheckResults = append(slices.DeleteFunc(slices.Clone(h.CheckResults), replaced), now.CheckResults...)
}

// Complete adds to a draft, a JSON object from an agent, the members that are missing and known to the program:
// schema_version, and whatever is set in known. Members of the draft are kept, even a null. A draft that is not an
// object is returned unchanged, because Parse reports all its faults at once.
func Complete(draft []byte, known Handoff) ([]byte, error) {
	known.SchemaVersion = SchemaVersion
	text, err := known.Marshal()
	if err != nil {
		return nil, err
	}
	var all, has map[string]jsontext.Value
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, fmt.Errorf("complete the handoff: %w", err)
	}
	if json.Unmarshal(draft, &has) != nil || has == nil {
		return draft, nil //nolint:nilerr // Parse reports it
	}
	unset := []string{"0", "[]", "null"}
	maps.DeleteFunc(all, func(_ string, v jsontext.Value) bool { return slices.Contains(unset, string(v)) })
	maps.Copy(all, has)
	return json.Marshal(all, json.Deterministic(true))
}

// Merge returns a tier's own handoff with what the program knows: for Tier 1 all that was found, of which its own results are a part, and the
// services that it forgot; for Tier 2 the handoff that started it. unresolved are the services of known that still need somebody. What Tier 2
// has in addition is marked as Added.
func (h Handoff) Merge(known Handoff, unresolved []string) Handoff {
	own, said := h.ServicesAffected, h.CheckResults
	h.LeftOut, h.Alerts, h.UnknownChecks, h.CheckResults = known.LeftOut, known.Alerts, known.UnknownChecks, known.CheckResults
	if h.RecommendedTier > 2 {
		h.Added = Addition{ServicesAffected: Without(own, known.ServicesAffected), CheckResults: NewResults(known.CheckResults, said)}
		h.ServicesAffected = slices.Concat(unresolved, Without(own, unresolved))
		return h
	}
	h.ServicesAffected = slices.Concat(own, Without(unresolved, own))
	h.CooldownState = known.CooldownState
	return h
}

// Without returns the names that are not among others. It must be fast, because an agent may have named a hundred
// thousand.
func Without(names, others []string) []string {
	drop := set(others)
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return drop[name] })
}

func set(names []string) map[string]bool {
	has := make(map[string]bool, len(names))
	for _, name := range names {
		has[name] = true
	}
	return has
}

// NewResults returns the later results that differ from all known ones in more than their response time.
func NewResults(known, later []check.Result) []check.Result {
	return slices.DeleteFunc(slices.Clone(later), func(r check.Result) bool {
		return slices.ContainsFunc(known, func(k check.Result) bool {
			return k.Service == r.Service && k.Type == r.Type && k.Status == r.Status && k.Error == r.Error
		})
	})
}
