package store

import (
	"context"
	"time"
)

// Kind is the subject of a notification.
type Kind string

// The kinds of notification.
const (
	Down           Kind = "down" // not yet worked on
	HumanAttention Kind = "human_attention"
	AskApproval    Kind = "approval" // asks whether a proposal may run; never a repetition
	Remediated     Kind = "remediated"
	Recovered      Kind = "recovered"
	DailyDigest    Kind = "daily_digest"
	AgentFailing   Kind = "agent_failing"
	Message        Kind = "message" // a message of a person: never a repetition
)

// MessageType is the severity of a message in Apprise's terms; services choose colours and icons by it.
type MessageType string

// The types of message.
const (
	InfoMessage    MessageType = "info"
	SuccessMessage MessageType = "success"
	WarningMessage MessageType = "warning"
	FailureMessage MessageType = "failure"
)

// Type returns the default message type of a kind.
func (k Kind) Type() MessageType {
	switch k {
	case HumanAttention, Down:
		return FailureMessage
	case AgentFailing, AskApproval:
		return WarningMessage
	case Remediated, Recovered:
		return SuccessMessage
	case DailyDigest, Message:
	}
	return InfoMessage
}

// Notification is news for people. It stays in the outbox until every target has it. Several pending ones of a kind are
// sent as one message.
type Notification struct {
	ID            int64       `json:"id"`
	IncidentID    *int64      `json:"incident_id"` // nil for faults of the monitoring itself, and for digests
	Kind          Kind        `json:"kind"`
	Type          MessageType `json:"type"` // if empty when queued: the kind's default
	Service       string      `json:"service"`
	Cause         string      `json:"cause"` // used in place of the incident if there is none
	Title         string      `json:"title"`
	Body          string      `json:"body"`
	CreatedAt     time.Time   `json:"created_at"`
	MessageID     *int64      `json:"message_id"` // the first notification of its message; nil until it is grouped
	Attempts      int         `json:"attempts"`   // failed ones
	NextAttemptAt time.Time   `json:"next_attempt_at"`
	DeliveredAt   *time.Time  `json:"delivered_at"` // when the last target received it
	LastError     string      `json:"last_error"`
	ProposalID    *int64      `json:"proposal_id"` // that it asks about
}

// NotificationFilter selects notifications. The zero value selects all.
type NotificationFilter struct {
	Pending bool // only those not yet delivered to some target
	Limit   int  // 0 means no limit
}

const notificationColumns = `id, incident_id, kind, type, service, cause, title, body, created_at, message_id,
	attempts, next_attempt_at, delivered_at, last_error, proposal_id`

// QueueNotification puts a notification into the outbox, and returns its id; 0 if people were told the same already
// (repeats), and nothing is queued. Zero times mean now.
func (s *Store) QueueNotification(ctx context.Context, n Notification) (id int64, err error) {
	if n.CreatedAt.IsZero() {
		n.CreatedAt = s.Now()
	}
	if n.Type == "" {
		n.Type = n.Kind.Type()
	}
	err = s.Update(ctx, func(s *Store) error {
		now, earlier, err := s.toldBefore(ctx, n)
		if err != nil || repeats(n, now, earlier) {
			return err
		}
		id, err = s.insert(ctx, "queue a notification", `
			INSERT INTO notifications (
				incident_id, kind, type, service, cause, title, body, created_at, next_attempt_at, proposal_id, status)
			VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8, ?9, ?10)`,
			n.IncidentID, n.Kind, n.Type, n.Service, n.Cause, n.Title, n.Body, n.CreatedAt, n.ProposalID, now.Status)
		return err
	})
	return id, err
}

// toldBefore returns how a notification's incident is now, and what people were told of it, newest first; without an
// incident, what they were told of the same kind, service and cause.
func (s *Store) toldBefore(ctx context.Context, n Notification) (now standing, earlier []told, err error) {
	const work, columns = "find what people were told", `SELECT kind, cause, status, created_at FROM notifications `
	if n.IncidentID == nil {
		earlier, err = list[told](ctx, s, work, columns+`
			WHERE kind = ? AND created_at > ? AND incident_id IS NULL AND service = ? AND cause = ? ORDER BY id DESC`,
			n.Kind, n.CreatedAt.Add(-repeatAfter), n.Service, n.Cause)
		return now, earlier, err
	}
	now, err = one[standing](ctx, s, work,
		`SELECT status, acknowledged_at IS NOT NULL FROM incidents WHERE id = ?`, *n.IncidentID)
	if err != nil {
		return now, nil, err
	}
	earlier, err = list[told](ctx, s, work, columns+`WHERE incident_id = ? ORDER BY id DESC`, *n.IncidentID)
	return now, earlier, err
}

// Notifications returns sent and pending notifications, newest first.
func (s *Store) Notifications(ctx context.Context, by NotificationFilter) ([]Notification, error) {
	var f filter
	f.add(by.Pending, "delivered_at IS NULL")
	query := f.newestFirst(`SELECT `+notificationColumns+` FROM notifications`, by.Limit)
	return list[Notification](ctx, s, "read the outbox", query, f.args...)
}

// Notification returns one notification, or ErrNotFound.
func (s *Store) Notification(ctx context.Context, id int64) (Notification, error) {
	return find[Notification](ctx, s, "notification", id,
		`SELECT `+notificationColumns+` FROM notifications WHERE id = ?`)
}

// IncidentNotifications returns the sent and pending notifications of an incident, oldest first.
func (s *Store) IncidentNotifications(ctx context.Context, incident int64) ([]Notification, error) {
	return list[Notification](ctx, s, "read an incident's notifications",
		`SELECT `+notificationColumns+` FROM notifications WHERE incident_id = ? ORDER BY id`, incident)
}

// Message returns the notifications that are sent as one message, oldest first.
func (s *Store) Message(ctx context.Context, id int64) ([]Notification, error) {
	return list[Notification](ctx, s, "read a message",
		`SELECT `+notificationColumns+` FROM notifications WHERE message_id = ? ORDER BY id`, id)
}
