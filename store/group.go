package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Ungrouped is a notification that belongs to no message yet.
type Ungrouped struct {
	ID         int64
	IncidentID *int64
	Kind       Kind
	Type       MessageType
	Service    string
	// Mended: it says that a service is unwell, and the service was found healthy since. Over: its incident has ended. Sent: it was sent.
	// Asked: an agent asks for it, so no later notification replaces it.
	Mended, Over, Sent, Asked bool
}

// Way is how a pending notification is to be sent.
type Way struct {
	To   []string // hashes of targets
	Now  []string // the targets without quiet hours now
	Held bool     // not now: all targets wait
}

// Why a notification was closed without being sent: its last_error, if it belongs to no message.
const (
	noTarget  = "not sent: no rule of the services file sends it to a target"
	overNow   = "not sent: the service is well again"
	overtaken = "not sent: notification %d says what came next"
)

// Group forms messages from pending notifications that are sent in the same way. Notifications about a silenced service wait for the end
// of the silence, and all of them for the end of a pause. A notification is closed without being sent if it has no target, if its trouble
// is over, or if a later one about the same incident with all its targets replaces it. A question about a proposal neither is replaced nor
// replaces anything: it waits for an answer, and does not say what came next.
func (s *Store) Group(ctx context.Context, now time.Time, way func(Ungrouped) Way) error {
	return s.Update(ctx, func(s *Store) error {
		found, err := list[Ungrouped](ctx, s, "read what waits", `
			SELECT n.id, n.incident_id, n.kind, n.type, n.service, `+mended+`, `+over+`, false, `+asked+`
			FROM notifications n LEFT JOIN incidents i ON i.id = n.incident_id
			WHERE n.delivered_at IS NULL AND n.message_id IS NULL AND `+isDue+` AND NOT `+isPaused+`
				AND n.service NOT IN `+silenced+`
			ORDER BY n.id`, timeText(now), timeText(now.Add(MaxRetry)))
		if err != nil || len(found) == 0 {
			return err
		}
		news, err := list[Ungrouped](ctx, s, "read an incident's notifications", `
			SELECT id, incident_id, kind, type, service, false, last_error = '`+overNow+`', message_id IS NOT NULL, `+asked+`
			FROM notifications n
			WHERE incident_id IN (SELECT incident_id FROM notifications WHERE delivered_at IS NULL AND message_id IS NULL) ORDER BY id`)
		if err != nil {
			return err
		}
		past := map[int64]newsOf{}
		for _, n := range news {
			h := past[*n.IncidentID]
			if n.Kind != AskApproval {
				h.last = sent{n, way(n)}
			}
			h.known, h.spared = h.known || n.Sent, h.spared || n.Over
			past[*n.IncidentID] = h
		}
		var going []sent
		for _, n := range found {
			w := way(n)
			if why := unsent(n, w, past); why != "" {
				if why == overNow {
					h := past[*n.IncidentID]
					h.spared = true
					past[*n.IncidentID] = h
				}
				err = s.exec(ctx, "close a notification",
					`UPDATE notifications SET delivered_at = ?2, last_error = ?3 WHERE id = ?1`, n.ID, timeText(now), why)
			} else if !w.Held && !n.Mended {
				going = append(going, sent{n, w})
			}
			if err != nil {
				return err
			}
		}
		for first, ids := range together(going) {
			if err := s.exec(ctx, "group notifications", `
				UPDATE notifications SET message_id = ? WHERE id IN (SELECT value FROM json_each(?))`, first, jsonList(ids)); err != nil {
				return err
			}
		}
		return nil
	})
}

// Whether a notification n says that the service of its incident i is unwell although it is not. A recovering service may become unwell
// again.
const (
	asked      = `n.cause = 'agent_asks'`
	asksInVain = `n.kind IN ` + saysUnwell + ` AND NOT ` + asked + ` AND i.id IS NOT NULL`
	mended     = asksInVain + ` AND n.created_at < coalesce(i.healthy_since, '')`
	over       = asksInVain + ` AND i.closed_at IS NOT NULL`
)

// sent is a notification and how it is sent.
type sent struct {
	Ungrouped
	Way
}

// newsOf describes the notifications of an incident.
type newsOf struct {
	last   sent // other than a question about a proposal
	known  bool // any was sent
	spared bool // one was not sent because its trouble was over
}

// unsent returns why a notification is closed without being sent; empty if it is sent. If people were not sent the trouble, its recovery
// is not sent either. Notifications held by quiet hours are sent when they end.
func unsent(n Ungrouped, w Way, past map[int64]newsOf) string {
	switch {
	case len(w.To) == 0:
		return noTarget
	case n.IncidentID == nil, n.Asked, n.Kind == AskApproval:
		return ""
	}
	h := past[*n.IncidentID]
	next := h.last
	if n.Over && (!w.Held || next.ID == n.ID) || n.Kind == Recovered && h.spared && !h.known {
		return overNow
	}
	missed := func(target string) bool { return !slices.Contains(next.To, target) }
	if next.ID > n.ID && (w.Held || !next.Held) && !slices.ContainsFunc(w.To, missed) {
		return fmt.Sprintf(overtaken, next.ID)
	}
	return ""
}

// together groups notifications, in their order, into messages, keyed by the first of each: notifications of a kind that go to the same
// targets, now and later, as long as news about a service stays in order. Some kinds are never grouped.
func together(all []sent) map[int64][]int64 {
	messages := map[int64][]int64{}
	open := map[string]int64{}   // the last message of each kind and way
	latest := map[string]int64{} // the last message about each service
	for _, n := range all {
		way := fmt.Sprint(n.Kind, n.To, n.Now)
		first, begun := open[way]
		if !begun || n.Kind.alone() || latest[n.Service] > first {
			first = n.ID
			open[way] = first
		}
		messages[first] = append(messages[first], n.ID)
		if n.Service != "" {
			latest[n.Service] = first
		}
	}
	return messages
}

// alone reports whether notifications of the kind are never grouped.
func (k Kind) alone() bool { return strings.Contains(aloneKinds, "'"+string(k)+"'") }
