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
	Message        Kind = "message" // a message of a person or an agent: never a repetition
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

// Notification is news for people. It stays in the outbox until every target has it. Several pending ones of a kind are sent as one
// message.
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

// repeatAfter is how long a notification of one kind is not repeated for the same incident or, without one, for the same cause and
// service.
const repeatAfter = 24 * time.Hour

// The kinds that say that an incident's service is unwell, or that it is well again.
const (
	saysUnwell = `('` + string(Down) + `', '` + string(HumanAttention) + `', '` + string(AgentFailing) + `')`
	saysWell   = `('` + string(Recovered) + `', '` + string(Remediated) + `')`
)

// CauseFlapping is the cause of the request for a human about a flapping service. It is sent regardless of earlier requests.
const CauseFlapping = "flapping"

// aloneKinds are the kinds that are never grouped.
const aloneKinds = `('` + string(Message) + `', '` + string(DailyDigest) + `', '` + string(AskApproval) + `')`

const notificationColumns = `id, incident_id, kind, type, service, cause, title, body, created_at, message_id, attempts, next_attempt_at, delivered_at, last_error,
	proposal_id`

// incidentStatus is the status of a notification's incident now; empty without one.
const incidentStatus = `coalesce((SELECT status FROM incidents WHERE id = ?1), '')`

// QueueNotification puts a notification into the outbox, unless the same one was queued within 24 h; queued reports which. Zero times
// mean now.
//
// For an incident, a notification that the service is unwell counts as new again after a message that it is well, or after one that was
// not sent because it was well; likewise the other way round. That a service is down is new after it was degraded. While a person has acknowledged the incident, a request for a human is sent
// only if it is the first. Digests and messages have their own rules. A notification dated a day or
// more in the future suppresses nothing: the clock was wrong, and would suppress others for that long.
func (s *Store) QueueNotification(ctx context.Context, n Notification) (queued bool, err error) {
	if n.CreatedAt.IsZero() {
		n.CreatedAt = s.Now()
	}
	if n.NextAttemptAt.IsZero() {
		n.NextAttemptAt = n.CreatedAt
	}
	if n.Type == "" {
		n.Type = n.Kind.Type()
	}
	since := `created_at > ?9`
	same := `kind = ?2 AND incident_id IS NULL AND service = ?3 AND cause = ?4`
	if n.IncidentID != nil { // the + makes SQLite search the incident's notifications, not the possibly thousands of the kind
		same = `incident_id = ?1 AND +kind = ?2 AND (cause = ?4 OR ?4 <> '` + CauseFlapping + `') AND NOT EXISTS (
			SELECT 1 FROM notifications later WHERE later.incident_id = ?1 AND later.id > told.id AND
				(?2 IN ` + saysUnwell + ` AND +later.kind IN ` + saysWell + ` OR ?2 = '` + string(Recovered) + `' AND +later.kind IN ` + saysUnwell + `))
			AND NOT (?2 IN ` + saysUnwell + ` AND told.status = 'degraded' AND ` + incidentStatus + ` = 'down')`
		since = `(` + since + ` OR ?2 = '` + string(HumanAttention) + `' AND EXISTS (SELECT 1 FROM incidents WHERE id = ?1 AND acknowledged_at IS NOT NULL))`
	}
	added, err := s.changed(ctx, "queue a notification", `
		INSERT INTO notifications (incident_id, kind, service, cause, title, body, created_at, next_attempt_at, type, proposal_id, status)
		SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?11, ?12, `+incidentStatus+`
		WHERE ?2 IN `+aloneKinds+` OR NOT EXISTS (SELECT 1 FROM notifications told WHERE `+same+` AND `+since+` AND created_at < ?10
			AND last_error <> '`+overNow+`')`,
		n.IncidentID, n.Kind, n.Service, n.Cause, n.Title, n.Body, timeText(n.CreatedAt), timeText(n.NextAttemptAt),
		timeText(n.CreatedAt.Add(-repeatAfter)), timeText(n.CreatedAt.Add(repeatAfter)), n.Type, n.ProposalID)
	return added > 0, err
}

// AddMessage puts a message of kind Message into the outbox, and returns its id. If there are already most messages of the same cause,
// nothing is queued and the id is 0. A most of 0 means no limit.
func (s *Store) AddMessage(ctx context.Context, n Notification, most int) (id int64, err error) {
	err = s.Update(ctx, func(s *Store) error {
		there, err := one[int](ctx, s, "count messages", `SELECT count(*) FROM notifications WHERE kind = ? AND cause = ?`, Message, n.Cause)
		if err != nil || most > 0 && there >= most {
			return err
		}
		if _, err := s.QueueNotification(ctx, n); err != nil {
			return err
		}
		id, err = one[int64](ctx, s, "read a message's id", `SELECT last_insert_rowid()`)
		return err
	})
	return id, err
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
	return find[Notification](ctx, s, "notification", id, `SELECT `+notificationColumns+` FROM notifications WHERE id = ?`)
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

// AtRest is a quick test that delivery has nothing to do: nothing is pending, and no target is recorded as failing.
func (s *Store) AtRest(ctx context.Context) (rest bool, err error) {
	return one[bool](ctx, s, "look into the outbox",
		`SELECT NOT EXISTS (SELECT 1 FROM notifications WHERE delivered_at IS NULL) AND NOT EXISTS (SELECT 1 FROM targets)`)
}

// PendingNotifications counts the notifications that some target has not received.
func (s *Store) PendingNotifications(ctx context.Context) (n int64, err error) {
	return one[int64](ctx, s, "count what is pending", `SELECT count(*) FROM notifications WHERE delivered_at IS NULL`)
}
