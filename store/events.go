package store

import (
	"cmp"
	"context"
	"time"
)

// Level is the severity of an event.
type Level string

// Critical events are faults of the monitoring itself, or need a human.
const (
	Info     Level = "info"
	Warning  Level = "warning"
	Critical Level = "critical"
)

// Event is a decision or an observation of the program, for people.
type Event struct {
	ID        int64     `json:"id"`
	SessionID *int64    `json:"session_id"` // nil if it concerns no session
	Level     Level     `json:"level"`
	Service   string    `json:"service"` // empty if it concerns no single service
	Message   string    `json:"message"`
	CreatedAt time.Time `json:"created_at"`
}

// EventFilter selects the events to list. Zero fields do not restrict.
type EventFilter struct {
	SessionID *int64
	Service   string
	Level     Level
	Begins    string // only messages with this beginning
	Before    int64  // only those with a lower id: the next page
	Limit     int    // the maximum number
}

const eventColumns = `id, session_id, level, service, message, created_at`

// AddEvent records an event; a zero CreatedAt means now.
func (s *Store) AddEvent(ctx context.Context, e Event) error {
	return s.exec(ctx, "add an event", `INSERT INTO events (session_id, level, service, message, created_at) VALUES (?, ?, ?, ?, ?)`,
		e.SessionID, e.Level, e.Service, e.Message, cmp.Or(e.CreatedAt, s.Now()))
}

// Events lists events, newest first.
func (s *Store) Events(ctx context.Context, want EventFilter) ([]Event, error) {
	var f filter
	f.add(want.SessionID != nil, "session_id = ?", want.SessionID)
	f.add(want.Service != "", "service = ?", want.Service)
	f.add(want.Level != "", "level = ?", want.Level)
	f.add(want.Begins != "", "message LIKE ?", want.Begins+"%")
	f.add(want.Before != 0, "id < ?", want.Before)
	return listed[Event](ctx, s, "list events", `SELECT `+eventColumns+` FROM events`, f, "id DESC", want.Limit)
}
