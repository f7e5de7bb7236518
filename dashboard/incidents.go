package dashboard

import (
	"context"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/store"
)

// IncidentQuery says which incidents to list. Zero fields ask for nothing.
type IncidentQuery struct {
	Service string
	Open    *bool
	Before  int64 // only those with a lower id: the next page
	Limit   int   // 0 is 50, at most 200
}

// IncidentLine is an incident as lists show it.
type IncidentLine struct {
	store.Incident
	State      store.IncidentState `json:"state"`
	DurationMS int64               `json:"duration_ms"` // up to now, while it is open
	CostUSD    float64             `json:"cost_usd"`    // of the sessions of Tier 2 and 3 that worked on it
	Sessions   int                 `json:"sessions"`    // how many of those
	Held       string              `json:"held"`        // why nothing is done about it now; empty where that is not so, or not known
	Fault      string              `json:"fault"`       // what the last bad check found: "http: HTTP 502"; empty where none is on record
}

// IncidentsPage is a page of incidents, the newest first.
type IncidentsPage struct {
	Incidents []IncidentLine `json:"incidents"`
	Next      int64          `json:"next_before"`
}

// IncidentDetail is an incident from its first bad check to its end.
type IncidentDetail struct {
	IncidentLine
	Dependents []store.Dependent `json:"dependents"`
	Timeline   []TimelineEntry   `json:"timeline"` // in order of time; at most 2,000, the first and the last of more
	Omitted    int               `json:"omitted"`  // how many entries were left out in the middle
}

// TimelineEntry is one line of an incident's story.
type TimelineEntry struct {
	At        time.Time    `json:"at"`
	Kind      string       `json:"kind"` // check, dependent, session, finding, attempt, action, notification, granted, refused, opened or recovered
	SessionID *int64       `json:"session_id"`
	Status    check.Status `json:"status"` // of a check; else empty
	Text      string       `json:"text"`
	Reason    string       `json:"reason"` // of a refusal

	untold bool // it says that something granted or refused is missing
}

// faultBefore is how long before an incident opens the checks may be that opened it: no cycle takes longer.
const faultBefore = 24 * time.Hour

// incidentsOnPage is how many incidents a page shows where nobody says otherwise.
const incidentsOnPage = 50

// Incidents reads a page of incidents.
func (i *Instance) Incidents(ctx context.Context, q IncidentQuery) (*IncidentsPage, error) {
	limit := onPage(q.Limit, incidentsOnPage, mostOnPage)
	page := &IncidentsPage{Incidents: []IncidentLine{}}
	err := i.readRecords(ctx, func(b *records.Records) error {
		// One more than is shown: it says whether there is another page.
		incidents, err := b.Store.FilteredIncidents(ctx, store.IncidentFilter{Service: q.Service, Open: q.Open, Before: q.Before, Limit: limit + 1})
		if err != nil {
			return err
		}
		if len(incidents) > limit {
			incidents = incidents[:limit]
			page.Next = incidents[limit-1].ID
		}
		page.Incidents, err = i.incidentLines(ctx, b, incidents)
		return err
	})
	if err != nil {
		return nil, err
	}
	return page, nil
}

// incidentLines are incidents with what was done about them and what holds it back.
func (i *Instance) incidentLines(ctx context.Context, b *records.Records, incidents []store.Incident) ([]IncidentLine, error) {
	incidents, err := b.Store.Shown(ctx, incidents...)
	if err != nil {
		return nil, err
	}
	ids := make([]int64, len(incidents))
	for n, incident := range incidents {
		ids[n] = incident.ID
	}
	work, err := b.Store.IncidentWork(ctx, ids)
	if err != nil {
		return nil, err
	}
	lines := make([]IncidentLine, len(incidents))
	for n, incident := range incidents {
		until := i.now()
		if incident.ClosedAt != nil {
			until = *incident.ClosedAt
		}
		fault, err := b.Store.LastFault(ctx, incident.Service, incident.OpenedAt.Add(-faultBefore), until)
		if err != nil {
			return nil, err
		}
		line := IncidentLine{Fault: clip(fault, mostSpan), Incident: incident, State: incident.State(), DurationMS: i.since(incident.OpenedAt), CostUSD: work[incident.ID].CostUSD, Sessions: work[incident.ID].Sessions}
		if incident.ClosedAt != nil {
			line.DurationMS = max(0, incident.ClosedAt.Sub(incident.OpenedAt).Milliseconds())
		} else {
			hold, err := b.Hold(ctx, incident.Service)
			if err != nil {
				return nil, err
			}
			line.Held = hold.Reason
		}
		lines[n] = line
	}
	return lines, nil
}
