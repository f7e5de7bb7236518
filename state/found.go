package state

import (
	"slices"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// ByChecks returns the status of the service by its last checks alone; empty if it was not checked within StatusLasts.
func (s *Service) ByChecks() (worst check.Status) {
	for _, c := range s.Checks {
		if c.Status.Worse(worst) {
			worst = c.Status
		}
	}
	return worst
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

// OnlyAlerts reports whether nothing but its alerts shows the service to be unwell.
func (s *Service) OnlyAlerts() bool { return len(s.Alerts) > 0 && !s.ByChecks().Unwell() }

// titlesNamed limits the alerts that are named as the trouble of a service.
const titlesNamed = 3

// AlertResult returns what the alerts that fire about a service say, as the result of a check.
func AlertResult(service string, firing []store.AlertRow) check.Result {
	worst, titles := check.Degraded, []string{}
	for _, a := range firing {
		if a.Means.Worse(worst) {
			worst = a.Means
		}
		titles = append(titles, a.Title)
	}
	slices.Sort(titles)
	return check.Result{Service: service, Type: check.Alert, Status: worst, Error: text.Unlinked(text.Few(slices.Compact(titles), titlesNamed))}
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
	if len(s.Alerts) > 0 {
		unwell = append(unwell, AlertResult(s.Name, s.Alerts))
	}
	slices.SortStableFunc(unwell, func(x, y check.Result) int { return check.WorstFirst(x.Status, y.Status) })
	for n := range unwell {
		unwell[n].Error = notify.Masked(unwell[n].Error, redact, ledger.MaxFound)
	}
	return unwell
}

// About returns what a message about the service says of it. Its incident is i, which may differ from the one of the picture; one without
// an id is none.
func (s *Service) About(i store.Incident, redact func(string) string) notify.About {
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

// AboutNow is About with the incident of the picture.
func (s *Service) AboutNow(redact func(string) string) notify.About {
	var open store.Incident
	if s.Incident != nil {
		open = *s.Incident
	}
	return s.About(open, redact)
}
