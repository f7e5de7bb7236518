package store

import (
	"context"
	"time"

	"github.com/claudeops/claudeops/check"
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
	// Status is that of the incident when it was queued.
	Status check.Status `json:"-"`
}

// NotificationFilter selects notifications. The zero value selects all.
type NotificationFilter struct {
	Pending bool  // only those not yet delivered to some target
	Message int64 // only those that are sent as this message; 0 means all
	Limit   int   // 0 means no limit
}

const notificationColumns = `id, incident_id, kind, type, service, cause, title, body, created_at, message_id,
	attempts, next_attempt_at, delivered_at, last_error, proposal_id, status`

// AddNotification puts a notification into the outbox, and returns its id.
func (s *Store) AddNotification(ctx context.Context, n Notification) (int64, error) {
	if n.Type == "" {
		n.Type = n.Kind.Type()
	}
	return s.insert(ctx, "queue a notification", `
		INSERT INTO notifications (
			incident_id, kind, type, service, cause, title, body, created_at, next_attempt_at, proposal_id, status)
		VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8, ?9, ?10)`,
		n.IncidentID, n.Kind, n.Type, n.Service, n.Cause, n.Title, n.Body, n.CreatedAt, n.ProposalID, n.Status)
}

// Told is an incident, and what was queued for people about it, newest first.
type Told struct {
	Incident Incident
	Said     []Notification
}

const said = `
	SELECT ` + notificationColumns + ` FROM notifications
	WHERE incident_id IN (SELECT value FROM json_each(?1)) ORDER BY id DESC`

// Told returns what people were told of incidents.
func (s *Store) Told(ctx context.Context, incidents []int64) (map[int64]Told, error) {
	const work = "find what people were told"
	told := map[int64]Told{}
	of, err := list[Incident](ctx, s, work,
		`SELECT `+incidentColumns+` FROM incidents WHERE id IN (SELECT value FROM json_each(?))`, incidents)
	if err != nil {
		return nil, err
	}
	for _, i := range of {
		told[i.ID] = Told{Incident: i}
	}
	all, err := list[Notification](ctx, s, work, said, incidents)
	for _, n := range all {
		is := told[*n.IncidentID]
		is.Said = append(is.Said, n)
		told[*n.IncidentID] = is
	}
	return told, err
}

// ToldLately is Told of the open incidents, and of the unsteady ones (Unsteady) whose recovery has lasted for
// ReturnWithin, for a day after that.
func (s *Store) ToldLately(ctx context.Context, now time.Time) (map[int64]Told, error) {
	lasted := now.Add(-ReturnWithin)
	ids, err := list[int64](ctx, s, "find the incidents that people are told of", `
		SELECT id FROM incidents i
		WHERE closed_at IS NULL OR returns >= ? AND status = 'healthy' AND closed_at <= ? AND closed_at > ?
			AND id = (SELECT max(id) FROM incidents WHERE service = i.service)`,
		unsteadyReturns, lasted, lasted.AddDate(0, 0, -1))
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	return s.Told(ctx, ids)
}

// ToldOfWatch returns the notifications without an incident that have a notification's kind, service and cause and were
// queued after a time, newest first.
func (s *Store) ToldOfWatch(ctx context.Context, n Notification, after time.Time) ([]Notification, error) {
	return list[Notification](ctx, s, "find what people were told", `SELECT `+notificationColumns+` FROM notifications
		WHERE kind = ? AND created_at > ? AND incident_id IS NULL AND service = ? AND cause = ? ORDER BY id DESC`,
		n.Kind, after, n.Service, n.Cause)
}

// Notifications returns sent and pending notifications, newest first.
func (s *Store) Notifications(ctx context.Context, by NotificationFilter) ([]Notification, error) {
	var f filter
	f.add(by.Pending, "delivered_at IS NULL")
	f.add(by.Message != 0, "message_id = ?", by.Message)
	return listed[Notification](ctx, s, "read the outbox", `SELECT `+notificationColumns+` FROM notifications`, f, "id DESC", by.Limit)
}

// Notification returns one notification, or ErrNotFound.
func (s *Store) Notification(ctx context.Context, id int64) (Notification, error) {
	return find[Notification](ctx, s, "notification", id,
		`SELECT `+notificationColumns+` FROM notifications WHERE id = ?`)
}

// AskedOf returns notifications that ask people for something that may still be needed, newest first, at most limit. Of an incident and
// of each cause only the newest is returned. It includes requests for a human about open incidents and, from since on, reports of a
// failing agent and notifications without an incident. In a dry run, incidents are included regardless of since, because only people act
// on them.
func (s *Store) AskedOf(ctx context.Context, since time.Time, limit int) ([]Notification, error) {
	return list[Notification](ctx, s, "find what people were asked", askedOf, since, limit)
}

const askedOf = `
	SELECT ` + notificationColumns + ` FROM notifications WHERE id IN (
		SELECT (
			SELECT max(n.id) FROM notifications n
			WHERE n.incident_id = i.id AND (kind = 'human_attention' OR kind = 'agent_failing' AND (cause = 'dry_run' OR created_at >= ?1)))
		FROM incidents i INDEXED BY incidents_open WHERE i.closed_at IS NULL
		UNION ALL
		SELECT max(id) FROM notifications INDEXED BY notifications_kind
		WHERE incident_id IS NULL AND kind IN ('human_attention', 'agent_failing') AND created_at >= ?1
		GROUP BY kind, service, cause)
	ORDER BY id DESC LIMIT ?2`
