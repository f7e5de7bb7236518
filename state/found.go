package state

import (
	"slices"
	"strings"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// stand returns those of a service's last results that say how it is (RULE "Consecutive healthy"): its last round of the program's own
// checks and its last report. Beside a check of ours, a report stands if it was made since Tier 1 last began, for the types of which no
// check of ours could be made, and until ours, which have seen the trouble since, find its end.
func stand(last []store.Last, observed time.Time) []store.Last {
	own, reported := lastRound(last, store.Probed), lastRound(last, store.Reported)
	for n, r := range reported { // that something cannot be checked takes back nothing that was reported since then
		if r.Status == check.Unknown && r.Made.Unwell() && !r.UnwellAt.Before(observed) {
			reported[n].Status, reported[n].Error, reported[n].CheckedAt = r.Made, r.MadeError, *r.UnwellAt
		}
	}
	if len(own) == 0 || len(reported) > 0 && own[0].CheckedAt.Before(observed) && !reported[0].CheckedAt.Before(observed) {
		return reported // ours were not made this time
	}
	healthy := !slices.ContainsFunc(own, func(c store.Last) bool { return c.Status != check.Healthy })
	return append(own, slices.DeleteFunc(reported, func(r store.Last) bool {
		replaced := slices.ContainsFunc(own, func(c store.Last) bool { return c.Type == r.Type && c.Status != check.Unknown })
		return replaced || r.CheckedAt.Before(observed) || healthy && seen(own, observed) && !own[0].CheckedAt.Before(r.CheckedAt)
	})...)
}

// seen reports whether a check of ours has found the service unwell since a time.
func seen(last []store.Last, since time.Time) bool {
	return slices.ContainsFunc(last, func(c store.Last) bool {
		return c.Source == store.Probed && c.UnwellAt != nil && !c.UnwellAt.Before(since)
	})
}

// lastRound returns the results of the last round from a source: a check that is no longer made has none in it.
func lastRound(last []store.Last, source store.Source) (round []store.Last) {
	for _, c := range last {
		switch {
		case c.Source != source || len(round) > 0 && c.CheckedAt.Before(round[0].CheckedAt):
		case len(round) > 0 && c.CheckedAt.Equal(round[0].CheckedAt):
			round = append(round, c)
		default:
			round = []store.Last{c}
		}
	}
	return round
}

// ByChecks returns the status of the service by its last checks alone; empty if it was not checked within StatusLasts.
func (s *Service) ByChecks() check.Status { return s.by(store.Probed, store.Reported) }

// ByOwn returns the status of the service by the program's own last checks; empty if they were not made within StatusLasts.
func (s *Service) ByOwn() check.Status { return s.by(store.Probed) }

// by returns the worst result from some sources. What else is healthy does not make a service healthy if there was no time for a check, or if
// one was unwell in its incident that could not be made since.
func (s *Service) by(sources ...store.Source) (worst check.Status) {
	unproved := false
	for _, c := range s.Checks {
		if !slices.Contains(sources, c.Source) {
			continue
		}
		unproved = unproved || s.unproved(c)
		if c.Status.Worse(worst) {
			worst = c.Status
		}
	}
	if worst == check.Healthy && unproved {
		return check.Unknown
	}
	return worst
}

func (s *Service) unproved(c store.Last) bool {
	return c.Status == check.Unknown && (strings.HasPrefix(c.Error, check.NoTime) || s.Incident != nil && c.Made.Unwell())
}

// Proven reports whether the service is well by the program's own checks: all of them say so, and nothing that stands says otherwise. While
// an alert fires, only checks prove that have seen its trouble since Tier 1 last began (RULE "Fixed is what a check says").
func (s *Service) Proven() bool {
	return s.ByOwn() == check.Healthy && s.ByChecks() == check.Healthy && (len(s.Alerts) == 0 || seen(s.Checks, s.of.observed))
}

// Trouble returns the worst result: "http: HTTP 502 from ..."; empty if the service is healthy.
func (s *Service) Trouble() string {
	var worst, unproved check.Result
	for _, c := range s.Checks {
		if c.Status.Worse(worst.Status) {
			worst = c.Result
		}
		if s.unproved(c) {
			unproved = c.Result
		}
	}
	if worst.Status == check.Healthy {
		worst = unproved
	}
	for _, alerts := range s.AlertResults() {
		if alerts.Status.Worse(worst.Status) {
			worst = alerts
		}
	}
	if worst.Error == "" {
		return ""
	}
	return string(worst.Type) + ": " + worst.Error
}

// WellSince reports whether the program's own checks have all found the service healthy after a time.
func (s *Service) WellSince(at time.Time) bool {
	own := 0
	for _, c := range s.Checks {
		if c.Source != store.Probed {
			continue
		}
		if own++; c.HealthyAt == nil || !c.HealthyAt.After(at) {
			return false
		}
	}
	return own > 0
}

// UnwellBy returns the services that a session has found unwell and that still are.
func (st *State) UnwellBy(session int64) (unwell []string) {
	for _, s := range st.Services() {
		if s.UnwellBy(session) {
			unwell = append(unwell, s.Name)
		}
	}
	return unwell
}

// UnwellBy reports whether a result of a session says that the service is unwell.
func (s *Service) UnwellBy(session int64) bool {
	return slices.ContainsFunc(s.Checks, func(c store.Last) bool {
		return c.SessionID != nil && *c.SessionID == session && c.Status.Unwell()
	})
}

// Fingerprint identifies how the service is found. A check that was unwell, and could not be made since, does not change it.
func (s *Service) Fingerprint() string {
	var found []check.Result
	for _, c := range s.Checks {
		if s.unproved(c) && c.Made != "" {
			c.Status, c.Error = c.Made, c.MadeError
		}
		found = append(found, c.Result)
	}
	return check.Fingerprint(append(found, s.AlertResults()...))
}

// Stands reports whether a result is one that says how the service is now.
func (s *Service) Stands(k store.Check) bool {
	return slices.ContainsFunc(s.Checks, func(c store.Last) bool {
		return c.Type == k.Type && c.Source == k.Source && c.CheckedAt.Equal(k.CheckedAt)
	})
}

// Status returns the status of the service by its checks and its alerts, the worse of both; empty if there are neither.
func (s *Service) Status() check.Status {
	worst := s.ByChecks()
	for _, a := range s.Alerts {
		if a.Means.Worse(worst) {
			worst = a.Means
		}
	}
	return worst
}

// HasChecks reports whether the inventory has checks of the service.
func (s *Service) HasChecks() bool { return s.Listed != nil && len(s.Listed.Checks) > 0 }

// OnlyAlerts reports whether nothing but its alerts shows the service to be unwell.
func (s *Service) OnlyAlerts() bool { return len(s.Alerts) > 0 && !s.ByChecks().Unwell() }

// titlesNamed limits the alerts that are named as the trouble of a service.
const titlesNamed = 3

// AlertResults returns what the alerts that fire about the service say, as the one result of a check; none if there are none.
func (s *Service) AlertResults() []check.Result {
	if len(s.Alerts) == 0 {
		return nil
	}
	worst, titles := check.Degraded, []string{}
	for _, a := range s.Alerts {
		if a.Means.Worse(worst) {
			worst = a.Means
		}
		titles = append(titles, a.Title)
	}
	slices.Sort(titles)
	said := text.Unlinked(text.Few(slices.Compact(titles), titlesNamed))
	return []check.Result{{Service: s.Name, Type: check.Alert, Status: worst, Error: said}}
}

// Found returns what is wrong with the service: the unhealthy results of its last checks and what its alerts say, worst first. Each error is
// one line without secrets; what an agent may have written has no links.
func (s *Service) Found(redact func(string) string) (unwell []check.Result) {
	for _, c := range s.Checks {
		r := c.Result
		if c.Source == store.Reported {
			r.Error = text.Unlinked(notify.Masked(r.Error, redact, ledger.MaxFound))
		}
		if r.Status.Unwell() {
			unwell = append(unwell, r)
		}
	}
	unwell = append(unwell, s.AlertResults()...)
	slices.SortStableFunc(unwell, func(x, y check.Result) int { return check.WorstFirst(x.Status, y.Status) })
	for n := range unwell {
		unwell[n].Error = notify.Masked(unwell[n].Error, redact, ledger.MaxFound)
	}
	return unwell
}

// About returns what a message about the service says of it.
func (s *Service) About(redact func(string) string) notify.About {
	i := store.Incident{}
	if s.Incident != nil {
		i = *s.Incident
	}
	i.Service = s.Name
	about := notify.About{Incident: i, Found: s.Found(redact), Limits: s.limitLines(), Listed: s.Listed != nil, Quiet: s.Quiet().Given()}
	if s.Listed != nil {
		about.Owner = s.Listed.Owner
	}
	for _, action := range statefile.Actions() {
		for _, r := range s.within(action) {
			about.Recent = append(about.Recent, notify.Try{Action: action, Record: r})
		}
	}
	return about
}
