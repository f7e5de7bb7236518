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

	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/store"
)

// How much of an incident's story is told.
const (
	mostEntries = 2000
	// mostAudits is how many sessions' audits are read, and mostIncidentAudit how much of all of them, in bytes.
	mostAudits        = 256
	mostIncidentAudit = 16 << 20
	// mostText is how much of one entry's text is told, in bytes.
	mostText = 16 << 10
)

// Incident reads one incident.
func (i *Instance) Incident(ctx context.Context, id int64) (*IncidentDetail, error) {
	d := &IncidentDetail{}
	var sessions []store.Session
	about := map[string]bool{}
	err := i.readRecords(ctx, func(b *records.Records) error {
		incident, err := b.Store.Incident(ctx, id)
		if err != nil {
			return err
		}
		lines, err := i.incidentLines(ctx, b, []store.Incident{incident})
		if err != nil {
			return err
		}
		d.IncidentLine = lines[0]
		if d.Dependents, err = b.Store.Dependents(ctx, id); err != nil {
			return err
		}
		if sessions, err = b.Store.IncidentLogs(ctx, id, mostAudits+1); err != nil {
			return err
		}
		d.concerns(b.Inventory, about)
		told, err := b.Store.IncidentTimeline(ctx, id)
		d.Timeline = timeline(told)
		return err
	})
	if err != nil {
		return nil, err
	}
	d.Dependents = emptyNotNil(d.Dependents)
	d.tell(i.decisions(d, sessions, about))
	return d, nil
}

// concerns are the services that an incident is about: its own, those that have trouble with it, and those that it needs.
func (d *IncidentDetail) concerns(inv *inventory.Inventory, about map[string]bool) {
	about[d.Service] = true
	for _, dependent := range d.Dependents {
		about[dependent.Service] = true
	}
	if is, known := inv.Get(d.Service); known {
		for _, name := range is.DependsOn {
			about[inv.NameOf(name)] = true
		}
	}
}

func timeline(told []store.TimelineEntry) []TimelineEntry {
	entries := make([]TimelineEntry, len(told))
	for n, e := range told {
		entries[n] = TimelineEntry{At: e.At, Kind: e.Kind, SessionID: e.SessionID, Status: e.Status, Text: clip(e.Text, mostText)}
	}
	return entries
}

// tell puts what the guard decided, the beginning and the end among the rest, and leaves out the middle of what is too much.
func (d *IncidentDetail) tell(decisions []TimelineEntry) {
	marks := []TimelineEntry{{At: d.OpenedAt, Kind: "opened", Text: "the incident of " + d.Service + " was opened"}}
	if d.ClosedAt != nil {
		marks = append(marks, TimelineEntry{At: *d.ClosedAt, Kind: "recovered", Text: d.Service + " recovered, and the incident was closed"})
	}
	d.Timeline = slices.Concat(decisions, d.Timeline, marks)
	slices.SortStableFunc(d.Timeline, func(a, b TimelineEntry) int { return a.moment().Compare(b.moment()) })
	if d.Omitted = max(0, len(d.Timeline)-mostEntries); d.Omitted > 0 {
		d.Timeline = slices.Delete(d.Timeline, mostEntries/2, mostEntries/2+d.Omitted)
	}
}

// moment is what an entry's place is by. Remediations are on record by the second, and come behind all of it: what granted them was before.
func (e TimelineEntry) moment() time.Time {
	if e.Kind == "action" {
		return e.At.Truncate(time.Second).Add(time.Second - 1)
	}
	return e.At
}

// decisions are the remediations that the guard granted in sessions, and all that it refused, as far as they are about these services or about
// none. Where some cannot be told, an entry says so.
func (i *Instance) decisions(d *IncidentDetail, sessions []store.Session, about map[string]bool) (entries []TimelineEntry) {
	untold := func(at time.Time, session *int64, text string, of ...any) {
		entries = append(entries, TimelineEntry{At: at, Kind: "session", SessionID: session, Text: fmt.Sprintf(text, of...), untold: true})
	}
	if len(sessions) > mostAudits {
		sessions = sessions[:mostAudits]
		untold(d.OpenedAt, nil, "more than %d sessions worked on this: what was granted and refused in the first of them is not told", mostAudits)
	}
	left := int64(mostIncidentAudit)
	for _, s := range sessions {
		log, err := i.logPath(s)
		if err != nil {
			continue // the page of the session says why
		}
		calls, read, complete, err := readAudit(guard.AuditBeside(log), min(left, mostAudit))
		left -= read
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			untold(s.StartedAt, &s.ID, "what was granted and refused in session %d cannot be read: %v", s.ID, err)
			continue
		case !complete:
			untold(s.StartedAt, &s.ID, "the record of what was granted and refused in session %d is too long: only its first %d bytes are told", s.ID, read)
		}
		for _, call := range calls {
			if e, told := decision(call, about); told {
				e.SessionID = &s.ID
				entries = append(entries, e)
			}
		}
	}
	return entries
}

// decision is a call as the story of an incident tells it; what was granted and only looks is no part of it.
func decision(call guard.Entry, about map[string]bool) (e TimelineEntry, told bool) {
	if len(call.Services) > 0 && !slices.ContainsFunc(call.Services, func(service string) bool { return about[service] }) {
		return e, false // a session may work on several incidents
	}
	e = TimelineEntry{At: call.Time, Text: clip(strings.TrimSpace(deed(call)+": "+cmp.Or(call.Command, call.Tool)), mostText), Reason: call.Reason}
	switch call.Decision {
	case guard.Allowed:
		e.Kind, e.Reason = "granted", ""
		return e, slices.ContainsFunc(call.Actions, func(a guard.Action) bool { return a != guard.Observe })
	case guard.Denied:
		e.Kind = "refused"
		return e, true
	case guard.Reserving, guard.Blocked: // no decision yet, and an agent that was told to go on
	}
	return e, false
}

// deed says what a call does, the harmless only where it does nothing else: "restart of shop".
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
