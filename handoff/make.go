package handoff

import (
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/claudeops/claudeops/check"
)

// maxAlerts limits the alerts of a handoff.
const maxAlerts = 20

// Known is what the program knows for a handoff from Tier 1.
type Known struct {
	Services []string       // that need Tier 2
	LeftOut  int            // how many more do
	Results  []check.Result // of any services; those of an alert have a type that is not in check.Types
	Alerts   []Alert        // about any services
	Cooldown jsontext.Value // of Services
}

// Alert is what another program says about a service.
type Alert struct {
	Service string       `json:"service"`
	Source  string       `json:"source"`
	Means   check.Status `json:"means"`
	Title   string       `json:"title"`
	Body    string       `json:"body"`
	Since   time.Time    `json:"since"`
}

// Make returns the program's own handoff from Tier 1. A service of which only an alert tells has a result of type service for it.
func Make(k Known) Handoff {
	h := Handoff{SchemaVersion: SchemaVersion, RecommendedTier: 2, ServicesAffected: k.Services, LeftOut: k.LeftOut, CooldownState: k.Cooldown}
	h.Take(bounded(k.Services, k.Results))
	checked := check.Worst(h.CheckResults)
	for _, r := range Of(k.Services, k.Results) {
		if _, known := checked[r.Service]; !known && !slices.Contains(check.Types(), r.Type) {
			r.Type, r.Error = check.Service, "alert: "+r.Error
			h.CheckResults = append(h.CheckResults, r)
		}
	}
	named := set(k.Services)
	for _, a := range k.Alerts {
		if named[a.Service] && len(h.Alerts) < maxAlerts {
			h.Alerts = append(h.Alerts, a)
		}
	}
	return h
}

// bounded returns the results of a handoff: of more than a report may have, those of the services that are unwell.
func bounded(services []string, results []check.Result) []check.Result {
	if len(results) <= check.MaxResults {
		return results
	}
	return slices.DeleteFunc(Of(services, results), func(r check.Result) bool { return !r.Status.Unwell() })
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
