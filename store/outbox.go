package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
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
	CircuitOpen    Kind = "circuit_open"
	Message        Kind = "message" // a message of a person or an agent, or the end of a silence: never a repetition
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
	case AgentFailing, CircuitOpen, AskApproval:
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

// FailingTarget is a target that could not be reached when it was last tried.
type FailingTarget struct {
	Hash         string    `json:"hash"`
	Name         string    `json:"name"`
	FailingSince time.Time `json:"failing_since"`
	Attempts     int       `json:"attempts"` // consecutive failed attempts
	RetryAt      time.Time `json:"retry_at"` // not tried again before
	LastError    string    `json:"last_error"`
}

// repeatAfter is how long a notification of one kind is not repeated for the same incident or, without one, for the same cause and
// service.
const repeatAfter = 24 * time.Hour

// MaxRetry is the longest wait of a target or a message for its next attempt. A time further ahead was set by a wrong clock, and counts
// as due.
const MaxRetry = 55 * time.Minute

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

// QueueNotification puts a notification into the outbox, unless the same one was queued within 24 h; queued reports which. Zero times
// mean now.
//
// For an incident, a notification that the service is unwell counts as new again after a message that it is well, or after one that was
// not sent because it was well; likewise the other way round. While a person has acknowledged the incident, a request for a human is sent
// only if it is the first. Digests and messages have their own rules. A notification dated a day or
// more in the future suppresses nothing: the clock was wrong, and would suppress others for that long.
func (s *Store) QueueNotification(ctx context.Context, n Notification) (queued bool, err error) {
	const work = "queue a notification"
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
				(?2 IN ` + saysUnwell + ` AND +later.kind IN ` + saysWell + ` OR ?2 = '` + string(Recovered) + `' AND +later.kind IN ` + saysUnwell + `))`
		since = `(` + since + ` OR ?2 = '` + string(HumanAttention) + `' AND EXISTS (SELECT 1 FROM incidents WHERE id = ?1 AND acknowledged_at IS NOT NULL))`
	}
	result, err := s.conn.ExecContext(ctx, `
		INSERT INTO notifications (incident_id, kind, service, cause, title, body, created_at, next_attempt_at, type, proposal_id)
		SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?11, ?12
		WHERE ?2 IN `+aloneKinds+` OR NOT EXISTS (SELECT 1 FROM notifications told WHERE `+same+` AND `+since+` AND created_at < ?10
			AND last_error <> '`+overNow+`')`,
		n.IncidentID, n.Kind, n.Service, n.Cause, n.Title, n.Body, timeText(n.CreatedAt), timeText(n.NextAttemptAt),
		timeText(n.CreatedAt.Add(-repeatAfter)), timeText(n.CreatedAt.Add(repeatAfter)), n.Type, n.ProposalID)
	if err != nil {
		return false, s.failed(work, err)
	}
	added, err := result.RowsAffected()
	return added > 0, s.failed(work, err)
}

// Notifications returns sent and pending notifications, newest first.
func (s *Store) Notifications(ctx context.Context, by NotificationFilter) ([]Notification, error) {
	query := `SELECT ` + notificationColumns + ` FROM notifications`
	if by.Pending {
		query += ` WHERE delivered_at IS NULL`
	}
	f := filter{}
	query = f.newestFirst(query, by.Limit)
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

// FailingTargets returns the targets that could not be reached, by name.
func (s *Store) FailingTargets(ctx context.Context) ([]FailingTarget, error) {
	return list[FailingTarget](ctx, s, "read the failing targets",
		`SELECT hash, name, failing_since, attempts, retry_at, last_error FROM targets ORDER BY name, hash`)
}

// AtRest is a quick test that delivery has nothing to do: nothing is pending, and no target is recorded as failing.
func (s *Store) AtRest(ctx context.Context) (rest bool, err error) {
	return one[bool](ctx, s, "look into the outbox",
		`SELECT NOT EXISTS (SELECT 1 FROM notifications WHERE delivered_at IS NULL) AND NOT EXISTS (SELECT 1 FROM targets)`)
}

// isPaused is true if everything is silenced at ?1.
const isPaused = `EXISTS (SELECT 1 FROM silences WHERE service = '' AND ended_at IS NULL AND until > ?1)`

// silenced selects the services that are silenced at ?1.
const silenced = `(SELECT service FROM silences WHERE ended_at IS NULL AND until > ?1)`

// Paused reports whether a pause is active.
func (s *Store) Paused(ctx context.Context, now time.Time) (yes bool, err error) {
	return one[bool](ctx, s, "look for a pause", `SELECT `+isPaused, timeText(now))
}

// isDue is true if the time of the next attempt has come at ?1, or is implausibly far ahead: after ?2.
const isDue = `(next_attempt_at <= ?1 OR next_attempt_at > ?2)`

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
// is over, or if a later one about the same incident with all its targets replaces it.
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
			SELECT id, incident_id, kind, type, service, false, last_error = '`+overNow+`', message_id IS NOT NULL, `+asked+` FROM notifications n WHERE incident_id IN (
				SELECT incident_id FROM notifications WHERE delivered_at IS NULL AND message_id IS NULL) ORDER BY id`)
		if err != nil {
			return err
		}
		past := map[int64]newsOf{}
		for _, n := range news {
			h := past[*n.IncidentID]
			past[*n.IncidentID] = newsOf{last: sent{n, way(n)}, known: h.known || n.Sent, spared: h.spared || n.Over}
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
				err = s.exec(ctx, "close a notification", `UPDATE notifications SET delivered_at = ?2, last_error = ?3 WHERE id = ?1`, n.ID, timeText(now), why)
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
	last   sent
	known  bool // any was sent
	spared bool // one was not sent because its trouble was over
}

// unsent returns why a notification is closed without being sent; empty if it is sent. If people were not sent the trouble, its recovery
// is not sent either. Notifications held by quiet hours are sent when they end.
func unsent(n Ungrouped, w Way, past map[int64]newsOf) string {
	switch {
	case len(w.To) == 0:
		return noTarget
	case n.IncidentID == nil, n.Asked:
		return ""
	}
	h := past[*n.IncidentID]
	next := h.last
	if n.Over && (!w.Held || next.ID == n.ID) || n.Kind == Recovered && h.spared && !h.known {
		return overNow
	}
	if next.ID > n.ID && (w.Held || !next.Held) && !slices.ContainsFunc(w.To, func(target string) bool { return !slices.Contains(next.To, target) }) {
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

// jsonList returns a list for json_each.
func jsonList[T int64 | string | [2]int64](values []T) string {
	text, err := json.Marshal(values, jsontext.AllowInvalidUTF8(true))
	if err != nil { // impossible for numbers and strings
		panic(err)
	}
	return string(text)
}

// Due is a message that some target has not received: the number of attempts at any target, and its first notification. All its
// notifications go to the same targets.
type Due struct {
	Message  int64
	Attempts int
	Kind     Kind
	Type     MessageType
	Service  string
}

// dueMessages selects the messages of pending notifications that meet a condition.
func dueMessages(condition string) string {
	return `SELECT g.message, g.attempts, n.kind, n.type, n.service FROM (
			SELECT message_id AS message, max(attempts) AS attempts, min(id) AS lead FROM notifications
			WHERE delivered_at IS NULL AND message_id IS NOT NULL AND ` + condition + `
			GROUP BY message_id) g JOIN notifications n ON n.id = g.lead
		ORDER BY g.message`
}

// Undelivered returns, in order, the due messages that a target has not received, if it is one of theirs. A message waits while all
// services that it is about are silenced.
func (s *Store) Undelivered(ctx context.Context, target string, now time.Time) ([]Due, error) {
	return list[Due](ctx, s, "read what a target has yet to get", dueMessages(isDue+` AND service NOT IN `+silenced+` AND message_id NOT IN (
			SELECT n.message_id FROM notifications n CROSS JOIN deliveries d ON d.notification_id = n.id AND d.target_hash = ?3
			WHERE n.delivered_at IS NULL AND n.message_id IS NOT NULL)`), timeText(now), timeText(now.Add(MaxRetry)), target)
}

// Undone returns the messages that some target may not have received, due or not.
func (s *Store) Undone(ctx context.Context) ([]Due, error) {
	return list[Due](ctx, s, "read what waits", dueMessages("true"))
}

// Waiting counts the messages that some target has not received, including those that pending notifications will form.
func (s *Store) Waiting(ctx context.Context) (messages int, err error) {
	return one[int](ctx, s, "count what waits in the outbox", `
		SELECT count(DISTINCT CASE WHEN message_id IS NOT NULL THEN message_id WHEN kind IN `+aloneKinds+` THEN id ELSE kind END)
		FROM notifications WHERE delivered_at IS NULL`)
}

// Delivered records that a target has received a message and works; complete reports whether every one of targets has it now. Its only
// deadline is SQLite's: each statement waits up to 5 s for another writer (busy_timeout).
func (s *Store) Delivered(ctx context.Context, message int64, target string, targets []string, now time.Time) (complete bool, err error) {
	const work = "record a delivery"
	err = s.Update(ctx, func(s *Store) error {
		err := s.exec(ctx, work, `
			INSERT INTO deliveries (notification_id, target_hash, delivered_at)
			SELECT min(id), ?2, ?3 FROM notifications WHERE message_id = ?1 HAVING min(id) IS NOT NULL
			ON CONFLICT DO NOTHING`, message, target, timeText(now))
		if err != nil {
			return err
		}
		if err := s.exec(ctx, work, `DELETE FROM targets WHERE hash = ?`, target); err != nil {
			return err
		}
		complete, err = s.Complete(ctx, []int64{message}, targets, now)
		return err
	})
	return complete, err
}

// Retarget forgets failing targets that are no longer configured.
func (s *Store) Retarget(ctx context.Context, targets []string) error {
	return s.exec(ctx, "look at the targets of notifications", `DELETE FROM targets WHERE hash NOT IN (SELECT value FROM json_each(?))`, jsonList(targets))
}

// Complete marks those of some messages as delivered that all their targets have received.
func (s *Store) Complete(ctx context.Context, messages []int64, targets []string, now time.Time) (any bool, err error) {
	result, err := s.conn.ExecContext(ctx, `
		UPDATE notifications SET delivered_at = ?2 WHERE delivered_at IS NULL AND message_id IN (SELECT value FROM json_each(?1)) AND (
			SELECT count(*) FROM notifications n JOIN deliveries d ON d.notification_id = n.id
			WHERE n.message_id = notifications.message_id AND d.target_hash IN (SELECT value FROM json_each(?3))) >= ?4`,
		jsonList(messages), timeText(now), jsonList(targets), len(targets))
	any, err = changedAny(result, err)
	return any, s.failed("record that a message is delivered", err)
}

// TargetFailed records that a message did not reach a target, which is not tried again before t.RetryAt.
func (s *Store) TargetFailed(ctx context.Context, t FailingTarget, messages ...int64) error {
	return s.Update(ctx, func(s *Store) error {
		err := s.exec(ctx, "record that a target fails", `
			INSERT INTO targets (hash, name, failing_since, attempts, retry_at, last_error) VALUES (?, ?, ?, ?, ?, ?)
			ON CONFLICT DO UPDATE SET name = excluded.name, attempts = excluded.attempts, retry_at = excluded.retry_at, last_error = excluded.last_error`,
			t.Hash, t.Name, timeText(t.FailingSince), t.Attempts, timeText(t.RetryAt), t.LastError)
		if err != nil {
			return err
		}
		return s.exec(ctx, "record a failed attempt", `
			UPDATE notifications SET attempts = attempts + 1, last_error = ?2
			WHERE message_id IN (SELECT value FROM json_each(?1)) AND delivered_at IS NULL`, jsonList(messages), t.LastError)
	})
}

// MessageRefused records that a target rejected a message, which waits until retry.
func (s *Store) MessageRefused(ctx context.Context, message int64, reason string, retry time.Time) error {
	return s.exec(ctx, "record a refused message", `
		UPDATE notifications SET attempts = attempts + 1, last_error = ?2, next_attempt_at = ?3 WHERE message_id = ?1 AND delivered_at IS NULL`,
		message, reason, timeText(retry))
}

// changedAny reports whether a statement changed rows.
func changedAny(result sql.Result, err error) (bool, error) {
	if err != nil {
		return false, err
	}
	n, err := result.RowsAffected()
	return n > 0, err
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

// Delivery records that a target has received a message.
type Delivery struct {
	Message     int64
	Target      string // its hash
	DeliveredAt time.Time
}

// Deliveries returns the deliveries of some messages, in the order in which they were made.
func (s *Store) Deliveries(ctx context.Context, messages []int64) ([]Delivery, error) {
	return list[Delivery](ctx, s, "read who has a message", `
		SELECT n.message_id, d.target_hash, d.delivered_at
		FROM notifications n CROSS JOIN deliveries d ON d.notification_id = n.id
		WHERE n.message_id IN (SELECT value FROM json_each(?))
		ORDER BY d.delivered_at, d.target_hash`, jsonList(messages))
}

// heldBack is true if a notification n waits for the end of a pause or of a silence at ?1; a message waits only if all its notifications
// do.
const heldBack = `(` + isPaused + ` OR n.service IN ` + silenced + ` AND (n.message_id IS NULL OR NOT EXISTS (
	SELECT 1 FROM notifications other
	WHERE other.message_id = n.message_id AND other.delivered_at IS NULL AND other.service NOT IN ` + silenced + `)))`

// HeldBack returns which of some notifications wait for the end of a pause or of a silence.
func (s *Store) HeldBack(ctx context.Context, ids []int64, now time.Time) ([]int64, error) {
	return list[int64](ctx, s, "read what is held back", `
		SELECT n.id FROM notifications n
		WHERE n.id IN (SELECT value FROM json_each(?2)) AND n.delivered_at IS NULL AND `+heldBack+`
		ORDER BY n.id`, timeText(now), jsonList(ids))
}

// Unheld returns the notifications that some target has not received and that no pause or silence holds back, oldest first.
func (s *Store) Unheld(ctx context.Context, now time.Time) ([]Notification, error) {
	return list[Notification](ctx, s, "read what waits longest", `
		SELECT `+notificationColumns+` FROM notifications n
		WHERE delivered_at IS NULL AND NOT `+heldBack+` ORDER BY id`, timeText(now))
}

// LastGoodCycle returns the start time of the last successful cycle that began after since; nil if there is none.
func (s *Store) LastGoodCycle(ctx context.Context, since time.Time) (began *time.Time, err error) {
	return one[*time.Time](ctx, s, "find the last good cycle",
		`SELECT max(started_at) FROM cycles WHERE started_at > ? AND outcome = 'completed'`, timeText(since))
}

// PendingNotifications counts the notifications that some target has not received.
func (s *Store) PendingNotifications(ctx context.Context) (n int64, err error) {
	return one[int64](ctx, s, "count what is pending", `SELECT count(*) FROM notifications WHERE delivered_at IS NULL`)
}
