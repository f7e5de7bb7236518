package dashboard

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/store"
)

// IncidentLine is an incident in a list.
type IncidentLine struct {
	store.Incident
	State      store.IncidentState `json:"state"`
	DurationMS int64               `json:"duration_ms"` // up to now while it is open
	CostUSD    float64             `json:"cost_usd"`    // of the sessions of Tier 2 and 3 that worked on it
	Sessions   int                 `json:"sessions"`    // the number of those sessions
	Held       string              `json:"held"`        // why it is held back now; empty if it is not, or if unknown
	Fault      string              `json:"fault"`       // the last bad check's result and alerts: "http: HTTP 502; alert: slow"; empty if none is on record
	Doing      string              `json:"doing"`       // what is being done about it now, or why nothing is; empty if it is over
}

// IncidentsPage is a page of incidents, newest first.
type IncidentsPage struct {
	Incidents []IncidentLine `json:"incidents"`
	Next      int64          `json:"next_before"`
}

// IncidentDetail is an incident from its first bad check to its end.
type IncidentDetail struct {
	IncidentLine
	Dependents []store.Dependent     `json:"dependents"`
	Alerts     []store.AlertRow      `json:"alerts"`    // about its service that fired during it, newest first; at most 50
	Proposals  []ProposalLine        `json:"proposals"` // the newest 20
	Timeline   []store.TimelineEntry `json:"timeline"`  // in order of time; at most 2,000: the first and the last ones
	Omitted    int                   `json:"omitted"`   // entries left out in the middle
}

// faultBefore is how long before an incident its first checks may be; no cycle takes longer.
const faultBefore = 24 * time.Hour

// incidentsOnPage is the default number of incidents on a page.
const incidentsOnPage = 50

// Incidents returns a page of incidents: 50 if no Limit is set, at most 200.
func (i *Instance) Incidents(ctx context.Context, q store.IncidentFilter) (*IncidentsPage, error) {
	most := onPage(q.Limit, incidentsOnPage, mostOnPage)
	q.Limit = most + 1 // one more, to see whether there is another page
	page := &IncidentsPage{}
	err := i.read(ctx, func(b *ledger.Records) error {
		incidents, err := b.Store.Incidents(ctx, q)
		if err != nil {
			return err
		}
		if len(incidents) > most {
			incidents = incidents[:most]
			page.Next = incidents[most-1].ID
		}
		page.Incidents, err = i.incidentLinesNow(ctx, b, incidents)
		return err
	})
	return page, err
}

// incidentLinesNow is incidentLines for a page without a snapshot.
func (i *Instance) incidentLinesNow(ctx context.Context, b *ledger.Records, incidents []store.Incident) ([]IncidentLine, error) {
	st, _, err := state.Mended(ctx, b) // the first page reports faults of cooldown.json
	if err != nil {
		return nil, err
	}
	return i.incidentLines(ctx, b, st, incidents)
}

// incidentLines returns incidents with what was done about them and what holds them back.
func (i *Instance) incidentLines(ctx context.Context, b *ledger.Records, st *state.State, incidents []store.Incident) ([]IncidentLine, error) {
	ids := make([]int64, len(incidents))
	for n, incident := range incidents {
		ids[n] = incident.ID
	}
	work, err := b.Store.IncidentWork(ctx, ids)
	if err != nil {
		return nil, err
	}
	workers, err := i.workers(ctx, b.Store, st)
	if err != nil {
		return nil, err
	}
	lines := make([]IncidentLine, len(incidents))
	for n, incident := range incidents {
		until := st.Now
		if incident.ClosedAt != nil {
			until = *incident.ClosedAt
		}
		is := st.Service(incident.Service)
		fault := i.faultNow(is)
		if fault == "" || incident.ClosedAt != nil {
			if fault, err = faultOf(ctx, b.Store, incident, incident.OpenedAt.Add(-faultBefore), until); err != nil {
				return nil, err
			}
		}
		lines[n] = IncidentLine{
			Incident: incident.Shown(is.Status()), State: incident.State(), DurationMS: max(0, until.Sub(incident.OpenedAt).Milliseconds()),
			CostUSD: work[incident.ID].CostUSD, Sessions: work[incident.ID].Sessions, Fault: fault,
		}
		if incident.ClosedAt == nil {
			hold := is.Held(state.Tiers)
			if !givenUp(hold) {
				lines[n].Held = hold.Reason
			}
			lines[n].Doing = i.doing(&lines[n], is, workers)
		}
	}
	return lines, nil
}

// faultNow returns what is wrong with a service by its last checks and its alerts; empty if nothing is.
func (i *Instance) faultNow(is *state.Service) string {
	var found []string
	for _, r := range is.Found(i.options.Redactor.String) {
		found = append(found, string(r.Type)+": "+cmp.Or(r.Error, string(r.Status)))
	}
	return text.Clip(strings.Join(found, "; "), mostSpan)
}

const (
	shownAlerts = 3   // that are named with an incident
	mostSpan    = 600 // bytes of a fault
)

// faultOf returns what was last found wrong in an incident: the last bad check between two times, and its alerts.
func faultOf(ctx context.Context, s *store.Store, incident store.Incident, from, until time.Time) (string, error) {
	fault, err := s.LastFault(ctx, incident.Service, from, until)
	if err != nil {
		return "", err
	}
	alerts, err := s.AlertsBetween(ctx, incident.Service, incident.OpenedAt, until, shownAlerts)
	titles := make([]string, len(alerts))
	for n, a := range alerts {
		titles[n] = a.Title
	}
	if len(alerts) > 0 {
		told := "alert: " + strings.Join(titles, ", ")
		fault = strings.TrimPrefix(fault+"; "+told, "; ")
	}
	return text.Clip(fault, mostSpan), err
}

// Limits of an incident's timeline.
const (
	mostEntries = 2000
	// mostAudits limits the sessions whose audits are read; mostIncidentAudit limits all of them together, in bytes.
	mostAudits        = 1000
	mostIncidentAudit = 16 << 20
	// mostText limits the text of one entry, in bytes.
	mostText = 16 << 10
)

// Incident returns one incident.
func (i *Instance) Incident(ctx context.Context, id int64) (*IncidentDetail, error) {
	d := &IncidentDetail{}
	var sessions []store.IncidentSession
	var timeline []store.TimelineEntry
	about := map[string]bool{} // its own service, its dependents and its dependencies
	err := i.read(ctx, func(b *ledger.Records) error {
		incident, err := b.Store.Incident(ctx, id)
		if err != nil {
			return err
		}
		lines, err := i.incidentLinesNow(ctx, b, []store.Incident{incident})
		if err != nil {
			return err
		}
		d.IncidentLine = lines[0]
		if d.Dependents, err = b.Store.Dependents(ctx, id); err != nil {
			return err
		}
		until := d.OpenedAt.Add(time.Duration(d.DurationMS) * time.Millisecond)
		if d.Alerts, err = b.Store.AlertsBetween(ctx, d.Service, d.OpenedAt, until, mostAlerts); err != nil {
			return err
		}
		if d.Proposals, err = i.proposalLines(ctx, b, store.ProposalFilter{Incident: id, Limit: mostProposals}); err != nil {
			return err
		}
		about[d.Service] = true
		for _, dependent := range d.Dependents {
			about[dependent.Service] = true
		}
		if is, known := b.Inventory.Get(d.Service); known {
			for _, name := range is.DependsOn {
				about[b.Inventory.NameOf(name)] = true
			}
		}
		if sessions, err = b.Store.IncidentSessions(ctx, id); err != nil {
			return err
		}
		timeline, err = b.Store.IncidentTimeline(ctx, incident, sessions)
		return err
	})
	if err != nil {
		return nil, err
	}
	for n := range timeline {
		timeline[n].Text = text.Clip(timeline[n].Text, mostText)
	}
	d.Timeline = append(i.decisions(sessions, about), timeline...)
	d.Timeline = append(d.Timeline, store.TimelineEntry{At: d.OpenedAt, Kind: "opened", Text: "the incident of " + d.Service + " was opened"})
	if d.ClosedAt != nil {
		d.Timeline = append(d.Timeline, store.TimelineEntry{At: *d.ClosedAt, Kind: "recovered", Text: endWords(d.Incident)})
	}
	slices.SortStableFunc(d.Timeline, func(a, b store.TimelineEntry) int { return moment(a).Compare(moment(b)) })
	if d.Omitted = max(0, len(d.Timeline)-mostEntries); d.Omitted > 0 {
		d.Timeline = slices.Delete(d.Timeline, mostEntries/2, mostEntries/2+d.Omitted)
	}
	return d, nil
}

// endWords says how an incident has ended.
func endWords(i store.Incident) string {
	if i.Status != check.Healthy {
		return fmt.Sprintf("the incident was closed; %s was last found %s", i.Service, i.Status)
	}
	return i.Service + " recovered, and the incident was closed"
}

// moment returns the time for sorting. Remediations are recorded to the second, and sort after everything in it, because they were
// granted before.
func moment(e store.TimelineEntry) time.Time {
	if e.Kind == "action" {
		return e.At.Truncate(time.Second).Add(time.Second - 1)
	}
	return e.At
}

// decisions returns the remediations that the guard granted in sessions, and everything it refused, as far as they concern these services
// or no specific one: of higher tiers first, then of the newest. If some cannot be read, an entry says so.
func (i *Instance) decisions(sessions []store.IncidentSession, about map[string]bool) (entries []store.TimelineEntry) {
	left := int64(mostIncidentAudit)
	slices.SortFunc(sessions, func(a, b store.IncidentSession) int {
		return cmp.Or(cmp.Compare(b.Session.Tier, a.Session.Tier), cmp.Compare(b.Session.ID, a.Session.ID))
	})
	for _, by := range sessions[:min(len(sessions), mostAudits)] {
		s := by.Session
		calls, read, complete, err := readAudit(guard.AuditBeside(i.logPath(s)), min(left, mostAudit))
		left -= read
		missing := ""
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			missing = fmt.Sprintf("what was granted and refused in session %d cannot be read: %v", s.ID, err)
		case !complete:
			missing = fmt.Sprintf("the record of what was granted and refused in session %d is too long: "+
				"only its first %d bytes are shown", s.ID, read)
		}
		if missing != "" {
			entries = append(entries, store.TimelineEntry{At: s.StartedAt, Kind: "missing", SessionID: &s.ID, Text: missing})
		}
		for _, call := range calls {
			if e, ok := decision(call, about); ok {
				e.SessionID = &s.ID
				entries = append(entries, e)
			}
		}
	}
	return entries
}

// decision converts a call to a timeline entry; a granted call that only observes has none.
func decision(call guard.Entry, about map[string]bool) (e store.TimelineEntry, ok bool) {
	if len(call.Services) > 0 && !slices.ContainsFunc(call.Services, func(service string) bool { return about[service] }) {
		return e, false // a session may work on several incidents
	}
	e = store.TimelineEntry{At: call.Time, Reason: call.Reason, Deed: deed(call), Command: cmp.Or(call.Command, call.Tool)}
	e.Text = text.Clip(strings.TrimSpace(e.Deed+": "+e.Command), mostText)
	switch call.Decision {
	case guard.Allowed:
		e.Kind, e.Reason = "granted", ""
		return e, slices.ContainsFunc(call.Actions, func(a guard.Action) bool { return a != guard.Observe })
	case guard.Denied:
		e.Kind = "refused"
		return e, true
	}
	return e, false
}

// deed describes a call's actions: "restart of shop". Harmless actions are listed only if there are no others.
func deed(call guard.Entry) string {
	var words []string
	for _, action := range call.Actions {
		if action != guard.Observe || len(call.Actions) == 1 {
			words = append(words, string(action))
		}
	}
	slices.Sort(words)
	text := cmp.Or(strings.Join(words, ", "), cmp.Or(call.Tool, "a call"))
	if len(call.Services) > 0 {
		text += " of " + strings.Join(call.Services, ", ")
	}
	return text
}
