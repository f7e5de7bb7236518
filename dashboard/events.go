package dashboard

import (
	"context"

	"github.com/claudeops/claudeops/store"
)

// How many events are on a page.
const usualEvents, mostEvents = 100, 500

// EventsPage is a page of events, the newest first.
type EventsPage struct {
	Events []store.Event `json:"events"`
	Next   int64         `json:"next_before"` // Before of the next page; 0 where this is the last
}

// Events reads a page of events; a Limit of 0 is 100, at most 500.
func (i *Instance) Events(ctx context.Context, q store.EventFilter) (*EventsPage, error) {
	most := onPage(q.Limit, usualEvents, mostEvents)
	q.Limit = most + 1
	page := &EventsPage{}
	err := i.read(ctx, func(s *store.Store) (err error) {
		page.Events, err = s.Events(ctx, q)
		return err
	})
	if err != nil {
		return nil, err
	}
	if len(page.Events) > most {
		page.Events = page.Events[:most]
		page.Next = page.Events[most-1].ID
	}
	page.Events = emptyNotNil(page.Events)
	return page, nil
}
