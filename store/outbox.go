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

// Kind is what a notification is about.
type Kind string

// The kinds of notification.
const (
	Down           Kind = "down" // before anybody has worked on it
	HumanAttention Kind = "human_attention"
	Remediated     Kind = "remediated"
	Recovered      Kind = "recovered"
	DailyDigest    Kind = "daily_digest"
	AgentFailing   Kind = "agent_failing"
	CircuitOpen    Kind = "circuit_open"
	Message        Kind = "message" // what somebody has to say, and the end of a silence: never a repetition
)

// MessageType is what kind of news a message is: Apprise's own word, by which services choose colours and icons.
type MessageType string

// The types of message.
const (
	InfoMessage    MessageType = "info"
	SuccessMessage MessageType = "success"
	WarningMessage MessageType = "warning"
	FailureMessage MessageType = "failure"
)

// Type is what kind of news a notification is that does not say so itself.
func (k Kind) Type() MessageType {
	switch k {
	case HumanAttention, Down:
		return FailureMessage
	case AgentFailing, CircuitOpen:
		return WarningMessage
	case Remediated, Recovered:
		return SuccessMessage
	case DailyDigest, Message:
	}
	return InfoMessage
}

// Notification is news for people, in the outbox until every target has it. Several of a kind that wait together go out as one message.
type Notification struct {
	ID            int64       `json:"id"`
	IncidentID    *int64      `json:"incident_id"` // nil for faults of the watch itself, and for digests
	Kind          Kind        `json:"kind"`
	Type          MessageType `json:"type"` // empty, where it is queued: what is usual for the kind
	Service       string      `json:"service"`
	Cause         string      `json:"cause"` // takes the place of the incident, where there is none
	Title         string      `json:"title"`
	Body          string      `json:"body"`
	CreatedAt     time.Time   `json:"created_at"`
	MessageID     *int64      `json:"message_id"` // the first notification of the message it goes out in; nil until that is made up
	Attempts      int         `json:"attempts"`   // those that failed
	NextAttemptAt time.Time   `json:"next_attempt_at"`
	DeliveredAt   *time.Time  `json:"delivered_at"` // when every target had it
	LastError     string      `json:"last_error"`
}

// NotificationFilter chooses notifications. The zero value chooses all.
type NotificationFilter struct {
	Pending bool // only what some target has yet to get
	Limit   int  // 0 is no limit
}

// FailingTarget is a target that could not be reached when it was last tried.
type FailingTarget struct {
	Hash         string    `json:"hash"`
	Name         string    `json:"name"`
	FailingSince time.Time `json:"failing_since"`
	Attempts     int       `json:"attempts"` // in a row, all in vain
	RetryAt      time.Time `json:"retry_at"` // until then it is left alone
	LastError    string    `json:"last_error"`
}

// repeatAfter is how long a notification of one kind is not repeated for the same incident or, without one, the same cause and service.
const repeatAfter = 24 * time.Hour

// MaxRetry is the longest that a target or a message waits for its next attempt. A time further ahead comes from a clock that was
// wrong, and is due.
const MaxRetry = 55 * time.Minute

// What an incident's notifications say of its service: that it is unwell, or that it is well again.
const (
	saysUnwell = `('` + string(Down) + `', '` + string(HumanAttention) + `', '` + string(AgentFailing) + `')`
	saysWell   = `('` + string(Recovered) + `', '` + string(Remediated) + `')`
)

// CauseFlapping is the cause of the request for a human about a service that is flapping. It is sent whatever was asked before.
const CauseFlapping = "flapping"

// aloneKinds are the kinds of which each is a message of its own.
const aloneKinds = `('` + string(Message) + `', '` + string(DailyDigest) + `')`

const notificationColumns = `id, incident_id, kind, type, service, cause, title, body, created_at, message_id, attempts, next_attempt_at, delivered_at, last_error`

// QueueNotification puts a notification into the outbox, unless the same was queued within 24 h; queued says which. Zero times
// are now. Of an incident, that it is unwell is news again once a message said that it is well, or was not sent because it was, and the other way
// round. Digests and messages have their own rules. One dated a day or more in the future holds nothing back: the clock was wrong, and silence would last as
// long as that.
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
	same := `kind = ?2 AND incident_id IS NULL AND service = ?3 AND cause = ?4`
	if n.IncidentID != nil { // the + has SQLite look among an incident's notifications, not among all of the kind: thousands, some day
		same = `incident_id = ?1 AND +kind = ?2 AND (cause = ?4 OR ?4 <> '` + CauseFlapping + `') AND NOT EXISTS (
			SELECT 1 FROM notifications later WHERE later.incident_id = ?1 AND later.id > told.id AND
				(?2 IN ` + saysUnwell + ` AND +later.kind IN ` + saysWell + ` OR ?2 = '` + string(Recovered) + `' AND +later.kind IN ` + saysUnwell + `))`
	}
	result, err := s.conn.ExecContext(ctx, `
		INSERT INTO notifications (incident_id, kind, service, cause, title, body, created_at, next_attempt_at, type)
		SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?11
		WHERE ?2 IN `+aloneKinds+` OR NOT EXISTS (SELECT 1 FROM notifications told WHERE `+same+` AND created_at > ?9 AND created_at < ?10
			AND last_error <> '`+overNow+`')`,
		n.IncidentID, n.Kind, n.Service, n.Cause, n.Title, n.Body, timeText(n.CreatedAt), timeText(n.NextAttemptAt),
		timeText(n.CreatedAt.Add(-repeatAfter)), timeText(n.CreatedAt.Add(repeatAfter)), n.Type)
	if err != nil {
		return false, s.failed(work, err)
	}
	added, err := result.RowsAffected()
	return added > 0, s.failed(work, err)
}

// Notifications returns those that were sent or wait; newest first.
func (s *Store) Notifications(ctx context.Context, by NotificationFilter) ([]Notification, error) {
	query := `SELECT ` + notificationColumns + ` FROM notifications`
	if by.Pending {
		query += ` WHERE delivered_at IS NULL`
	}
	f := filter{}
	query = f.newestFirst(query, by.Limit)
	return list[Notification](ctx, s, "read the outbox", query, f.args...)
}

// Notification returns one; ErrNotFound where there is none of that id.
func (s *Store) Notification(ctx context.Context, id int64) (Notification, error) {
	return find[Notification](ctx, s, "notification", id, `SELECT `+notificationColumns+` FROM notifications WHERE id = ?`)
}

// IncidentNotifications returns those of an incident that were sent or wait; oldest first.
func (s *Store) IncidentNotifications(ctx context.Context, incident int64) ([]Notification, error) {
	return list[Notification](ctx, s, "read an incident's notifications",
		`SELECT `+notificationColumns+` FROM notifications WHERE incident_id = ? ORDER BY id`, incident)
}

// KnownUnwell reports whether people were told, or will be, that the service of an incident is unwell, and not since that it is well.
func (s *Store) KnownUnwell(ctx context.Context, incident int64) (known bool, err error) {
	return one[bool](ctx, s, "find what people know of an incident", `
		SELECT coalesce(max(id) FILTER (WHERE kind IN `+saysUnwell+` AND last_error NOT IN ('`+overNow+`', '`+noTarget+`')), 0) >
			coalesce(max(id) FILTER (WHERE kind IN `+saysWell+`), 0)
		FROM notifications WHERE incident_id = ?`, incident)
}

// KnownFlapping reports whether people were told, or will be, that the service of an incident is flapping.
func (s *Store) KnownFlapping(ctx context.Context, incident int64) (known bool, err error) {
	return one[bool](ctx, s, "find what people know of an incident", `
		SELECT EXISTS (SELECT 1 FROM notifications WHERE incident_id = ? AND cause = '`+CauseFlapping+`' AND last_error <> '`+overNow+`')`, incident)
}

// Message returns the notifications that go out as one message, oldest first.
func (s *Store) Message(ctx context.Context, id int64) ([]Notification, error) {
	return list[Notification](ctx, s, "read a message",
		`SELECT `+notificationColumns+` FROM notifications WHERE message_id = ? ORDER BY id`, id)
}

// FailingTargets returns the targets that could not be reached, by name.
func (s *Store) FailingTargets(ctx context.Context) ([]FailingTarget, error) {
	return list[FailingTarget](ctx, s, "read the failing targets",
		`SELECT hash, name, failing_since, attempts, retry_at, last_error FROM targets ORDER BY name, hash`)
}

// AtRest says at a glance that delivery has nothing to do: nothing is pending, and no target is on record as failing.
func (s *Store) AtRest(ctx context.Context) (rest bool, err error) {
	return one[bool](ctx, s, "look into the outbox",
		`SELECT NOT EXISTS (SELECT 1 FROM notifications WHERE delivered_at IS NULL) AND NOT EXISTS (SELECT 1 FROM targets)`)
}

// isPaused is that everything is silenced at ?1.
const isPaused = `EXISTS (SELECT 1 FROM silences WHERE service = '' AND ended_at IS NULL AND until > ?1)`

// silenced are the services of which nothing is to be sent at ?1.
const silenced = `(SELECT service FROM silences WHERE ended_at IS NULL AND until > ?1)`

// Paused says whether nothing is to be sent now.
func (s *Store) Paused(ctx context.Context, now time.Time) (yes bool, err error) {
	return one[bool](ctx, s, "look for a pause", `SELECT `+isPaused, timeText(now))
}

// isDue is that the time of the next attempt has come at ?1, or is further ahead than any of ours: after ?2.
const isDue = `(next_attempt_at <= ?1 OR next_attempt_at > ?2)`

// Ungrouped is a notification that is part of no message yet.
type Ungrouped struct {
	ID         int64
	IncidentID *int64
	Kind       Kind
	Type       MessageType
	Service    string
	// Mended is that it says that a service is unwell, and the service was found healthy since. Over is that its incident has ended, and
	// Sent that it was sent. Asked is that an agent asks it: nothing that comes later says it.
	Mended, Over, Sent, Asked bool
}

// Way is how a notification that waits is to go.
type Way struct {
	To   []string // hashes of targets
	Now  []string // those of them that no quiet hours keep waiting
	Held bool     // not now: all of them wait
}

// Why a notification is closed without being sent: last_error of one that is part of no message.
const (
	noTarget  = "not sent: no rule of the services file sends it to a target"
	overNow   = "not sent: the service is well again"
	overtaken = "not sent: notification %d says what came next"
)

// Group makes messages of the notifications that wait, by the way that each is to go. What is about a service that is silenced waits for the
// end of that, and everything where everything is paused. Closed without being sent is what no target is to get, a trouble that is over, and
// what a later notification about the same incident has overtaken that all its targets get.
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

// Whether a notification n says that the service of its incident i is unwell, and it is not. One that is recovering may be so again.
const (
	asked      = `n.cause = 'agent_asks'`
	asksInVain = `n.kind IN ` + saysUnwell + ` AND NOT ` + asked + ` AND i.id IS NOT NULL`
	mended     = asksInVain + ` AND n.created_at < coalesce(i.healthy_since, '')`
	over       = asksInVain + ` AND i.closed_at IS NOT NULL`
)

// sent is a notification with its way.
type sent struct {
	Ungrouped
	Way
}

// newsOf are the notifications of an incident.
type newsOf struct {
	last   sent
	known  bool // any was sent
	spared bool // one was not, because its trouble was over
}

// unsent is why a notification is closed without being sent; empty where it is not. That a service recovered is no news to those who were
// spared its trouble. What quiet hours hold back is, when they end.
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

// together says which notifications, given in their order, go out as one message, by the first of them: those of a kind that go to the same
// targets, now and later, as long as no service's news overtakes its own. Some kinds go alone.
func together(all []sent) map[int64][]int64 {
	messages := map[int64][]int64{}
	open := map[string]int64{}   // the last message of each kind and way
	latest := map[string]int64{} // the last message that is about each service
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

// alone reports whether a notification of the kind is a message by itself.
func (k Kind) alone() bool { return strings.Contains(aloneKinds, "'"+string(k)+"'") }

// jsonList is a list for json_each.
func jsonList[T int64 | string | [2]int64](values []T) string {
	text, err := json.Marshal(values, jsontext.AllowInvalidUTF8(true))
	if err != nil { // which numbers and texts do not give
		panic(err)
	}
	return string(text)
}

// Due is a message that some target has yet to get: how often it was tried, at whatever target, and the first of its notifications. Where
// that goes, all do.
type Due struct {
	Message  int64
	Attempts int
	Kind     Kind
	Type     MessageType
	Service  string
}

// dueMessages are those of the notifications that wait and meet a condition.
func dueMessages(condition string) string {
	return `SELECT g.message, g.attempts, n.kind, n.type, n.service FROM (
			SELECT message_id AS message, max(attempts) AS attempts, min(id) AS lead FROM notifications
			WHERE delivered_at IS NULL AND message_id IS NOT NULL AND ` + condition + `
			GROUP BY message_id) g JOIN notifications n ON n.id = g.lead
		ORDER BY g.message`
}

// Undelivered returns the messages that a target has yet to get, if it is to, and that are due, in their order. One waits as long as all
// services that it is about are silenced.
func (s *Store) Undelivered(ctx context.Context, target string, now time.Time) ([]Due, error) {
	return list[Due](ctx, s, "read what a target has yet to get", dueMessages(isDue+` AND service NOT IN `+silenced+` AND message_id NOT IN (
			SELECT n.message_id FROM notifications n CROSS JOIN deliveries d ON d.notification_id = n.id AND d.target_hash = ?3
			WHERE n.delivered_at IS NULL AND n.message_id IS NOT NULL)`), timeText(now), timeText(now.Add(MaxRetry)), target)
}

// Undone returns the messages that some target may have yet to get, due or not.
func (s *Store) Undone(ctx context.Context) ([]Due, error) {
	return list[Due](ctx, s, "read what waits", dueMessages("true"))
}

// Waiting counts the messages that some target has yet to get, those with it that will be made of what waits now.
func (s *Store) Waiting(ctx context.Context) (messages int, err error) {
	return one[int](ctx, s, "count what waits in the outbox", `
		SELECT count(DISTINCT CASE WHEN message_id IS NOT NULL THEN message_id WHEN kind IN `+aloneKinds+` THEN id ELSE kind END)
		FROM notifications WHERE delivered_at IS NULL`)
}

// Delivered records that a target has a message, and works; complete is that now every one of targets has it. It has no deadline but
// SQLite's: each statement waits up to 5 s for another writer (busy_timeout).
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

// Retarget keeps nothing of targets that failed and are not configured now.
func (s *Store) Retarget(ctx context.Context, targets []string) error {
	return s.exec(ctx, "look at the targets of notifications", `DELETE FROM targets WHERE hash NOT IN (SELECT value FROM json_each(?))`, jsonList(targets))
}

// Complete marks those of some messages as delivered that all targets have that are to get them.
func (s *Store) Complete(ctx context.Context, messages []int64, targets []string, now time.Time) (any bool, err error) {
	result, err := s.conn.ExecContext(ctx, `
		UPDATE notifications SET delivered_at = ?2 WHERE delivered_at IS NULL AND message_id IN (SELECT value FROM json_each(?1)) AND (
			SELECT count(*) FROM notifications n JOIN deliveries d ON d.notification_id = n.id
			WHERE n.message_id = notifications.message_id AND d.target_hash IN (SELECT value FROM json_each(?3))) >= ?4`,
		jsonList(messages), timeText(now), jsonList(targets), len(targets))
	any, err = changedAny(result, err)
	return any, s.failed("record that a message is delivered", err)
}

// TargetFailed records that a message did not reach a target, which is left alone until t.RetryAt.
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

// MessageRefused records that a target would not have a message, which waits until retry.
func (s *Store) MessageRefused(ctx context.Context, message int64, reason string, retry time.Time) error {
	return s.exec(ctx, "record a refused message", `
		UPDATE notifications SET attempts = attempts + 1, last_error = ?2, next_attempt_at = ?3 WHERE message_id = ?1 AND delivered_at IS NULL`,
		message, reason, timeText(retry))
}

// changedAny says whether a statement changed rows.
func changedAny(result sql.Result, err error) (bool, error) {
	if err != nil {
		return false, err
	}
	n, err := result.RowsAffected()
	return n > 0, err
}

// AddMessage puts a message of kind Message into the outbox, and returns its id: 0, and nothing is queued, where there are most of the
// same cause already. No limit is 0.
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

// ToldWithoutIncident counts the notifications of a kind and cause that hang on no incident, since then.
func (s *Store) ToldWithoutIncident(ctx context.Context, kind Kind, cause string, since time.Time) (count int, err error) {
	return one[int](ctx, s, "count notifications", `
		SELECT count(*) FROM notifications WHERE kind = ? AND created_at >= ? AND cause = ? AND incident_id IS NULL`,
		kind, timeText(since), cause)
}

// Delivery is that a target has a message.
type Delivery struct {
	Message     int64
	Target      string // its hash
	DeliveredAt time.Time
}

// Deliveries returns which targets have some messages, in the order in which they got them.
func (s *Store) Deliveries(ctx context.Context, messages []int64) ([]Delivery, error) {
	return list[Delivery](ctx, s, "read who has a message", `
		SELECT n.message_id, d.target_hash, d.delivered_at
		FROM notifications n CROSS JOIN deliveries d ON d.notification_id = n.id
		WHERE n.message_id IN (SELECT value FROM json_each(?))
		ORDER BY d.delivered_at, d.target_hash`, jsonList(messages))
}

// heldBack is that a notification n waits for the end of a pause or of a silence at ?1: of a message, that every part of it does.
const heldBack = `(` + isPaused + ` OR n.service IN ` + silenced + ` AND (n.message_id IS NULL OR NOT EXISTS (
	SELECT 1 FROM notifications other
	WHERE other.message_id = n.message_id AND other.delivered_at IS NULL AND other.service NOT IN ` + silenced + `)))`

// HeldBack says which of some notifications are waiting for the end of a pause or of a silence.
func (s *Store) HeldBack(ctx context.Context, ids []int64, now time.Time) ([]int64, error) {
	return list[int64](ctx, s, "read what is held back", `
		SELECT n.id FROM notifications n
		WHERE n.id IN (SELECT value FROM json_each(?2)) AND n.delivered_at IS NULL AND `+heldBack+`
		ORDER BY n.id`, timeText(now), jsonList(ids))
}

// ToldSince returns the services that a notification is about that waits to be sent, or was made since then: messages and digests aside.
func (s *Store) ToldSince(ctx context.Context, since time.Time) ([]string, error) {
	return list[string](ctx, s, "find what people are told of", `
		SELECT DISTINCT n.service FROM notifications n LEFT JOIN incidents i ON i.id = n.incident_id
		WHERE n.service <> '' AND n.kind NOT IN `+aloneKinds+` AND n.last_error <> '`+overNow+`' AND (n.created_at >= ?
			OR n.delivered_at IS NULL AND NOT (`+mended+`) AND NOT (`+over+`)) ORDER BY n.service`, timeText(since))
}

// Unheld returns the notifications that some target has yet to get, and that no pause and no silence holds back, the oldest first.
func (s *Store) Unheld(ctx context.Context, now time.Time) ([]Notification, error) {
	return list[Notification](ctx, s, "read what waits longest", `
		SELECT `+notificationColumns+` FROM notifications n
		WHERE delivered_at IS NULL AND NOT `+heldBack+` ORDER BY id`, timeText(now))
}

// AskedOf are the notifications that ask people for something that may not be over, the newest first, of an incident and of each cause
// only the newest, at most limit: requests for a human about open incidents; reports of an agent that fails, and what has no incident, from since
// on. In a dry run nothing but people does anything about an incident, whatever since.
func (s *Store) AskedOf(ctx context.Context, since time.Time, limit int) ([]Notification, error) {
	return list[Notification](ctx, s, "find what people were asked", askedOf, timeText(since), limit)
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

// LastGoodCycle is when the cycle began, after since, that last went well; nil where none did.
func (s *Store) LastGoodCycle(ctx context.Context, since time.Time) (began *time.Time, err error) {
	return one[*time.Time](ctx, s, "find the last good cycle",
		`SELECT max(started_at) FROM cycles WHERE started_at > ? AND outcome = 'completed'`, timeText(since))
}

// PendingNotifications counts the notifications that some target has yet to get.
func (s *Store) PendingNotifications(ctx context.Context) (n int64, err error) {
	return one[int64](ctx, s, "count what is pending", `SELECT count(*) FROM notifications WHERE delivered_at IS NULL`)
}
