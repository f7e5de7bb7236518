package store

import (
	"cmp"
	"context"
	"time"
)

// MaxSilence is the longest time that a silence may last. One with more time left was set under a clock that ran ahead.
const MaxSilence = 30 * 24 * time.Hour

// clockSlack is how far a clock may be set back during a silence of the maximum length.
const clockSlack = 24 * time.Hour

// Silence is a time in which nothing is done about a service and no message is sent, at an operator's request. A service has at most one
// active silence.
type Silence struct {
	ID        int64      `json:"id"`
	Service   string     `json:"service"` // empty: a pause of everything
	Reason    string     `json:"reason"`
	CreatedAt time.Time  `json:"created_at"`
	Until     time.Time  `json:"until"`
	EndedAt   *time.Time `json:"ended_at"` // if it was ended early
	ToldAt    *time.Time `json:"told_at"`  // when the message about its end was queued
}

// Active reports whether the silence covers a moment; Until itself is no longer covered.
func (s Silence) Active(now time.Time) bool { return s.EndedAt == nil && now.Before(s.Until) }

// End returns when it ended or will end.
func (s Silence) End() time.Time {
	if s.EndedAt != nil {
		return *s.EndedAt
	}
	return s.Until
}

const silenceColumns = `id, service, reason, created_at, until, ended_at, told_at`

// AddSilence starts a silence, or changes the end of the service's active one, and its reason if wanted has one. People are notified of
// it as a single silence since its first start. replaced is the earlier state; nil if there was none.
func (s *Store) AddSilence(ctx context.Context, wanted Silence) (added Silence, replaced *Silence, err error) {
	if wanted.CreatedAt.IsZero() {
		wanted.CreatedAt = s.Now()
	}
	err = s.Update(ctx, func(s *Store) error {
		active, err := s.ActiveSilences(ctx, wanted.CreatedAt)
		if err != nil {
			return err
		}
		for _, was := range active {
			if was.Service != wanted.Service {
				continue
			}
			added, replaced = was, &was
			added.Until, added.Reason = wanted.Until, cmp.Or(wanted.Reason, was.Reason)
			return s.change(ctx, "silence", added.ID, `UPDATE silences SET until = ?, reason = ? WHERE id = ?`,
				timeText(added.Until), added.Reason, added.ID)
		}
		added = wanted
		added.ID, err = s.insert(ctx, "add a silence", `INSERT INTO silences (service, reason, created_at, until) VALUES (?, ?, ?, ?)`,
			added.Service, added.Reason, timeText(added.CreatedAt), timeText(added.Until))
		return err
	})
	return added, replaced, err
}

// EndSilence ends a silence early. If it is over or unknown, the error is ErrNotFound.
func (s *Store) EndSilence(ctx context.Context, id int64, at time.Time) error {
	return s.change(ctx, "silence", id, `UPDATE silences SET ended_at = ?1 WHERE id = ?2 AND ended_at IS NULL AND until > ?1`, timeText(at), id)
}

// Silence returns one silence, or ErrNotFound.
func (s *Store) Silence(ctx context.Context, id int64) (Silence, error) {
	return find[Silence](ctx, s, "silence", id, `SELECT `+silenceColumns+` FROM silences WHERE id = ?`)
}

// Silences lists silences, active and over, newest first; limit 0 means no limit.
func (s *Store) Silences(ctx context.Context, limit int) ([]Silence, error) {
	var f filter
	query := f.newestFirst(`SELECT `+silenceColumns+` FROM silences`, limit)
	return list[Silence](ctx, s, "list silences", query, f.args...)
}

// ActiveSilences returns the silences that cover a moment, oldest first. Silences whose end was reported are over; the index on that
// leaves almost nothing to read.
func (s *Store) ActiveSilences(ctx context.Context, now time.Time) ([]Silence, error) {
	return list[Silence](ctx, s, "read the active silences", `
		SELECT `+silenceColumns+` FROM silences WHERE told_at IS NULL AND ended_at IS NULL AND until > ? ORDER BY id`, timeText(now))
}

// mostToTell limits the silences whose end one cycle reports. The next one reports the rest.
const mostToTell = 1000

// SilencesToTell returns the silences that are over and whose end was not reported, oldest first, and the active ones that were set under
// a clock that ran ahead.
func (s *Store) SilencesToTell(ctx context.Context, now time.Time) ([]Silence, error) {
	return list[Silence](ctx, s, "read the silences that are over", `
		SELECT `+silenceColumns+` FROM silences
		WHERE told_at IS NULL AND (ended_at IS NOT NULL OR until <= ?1 OR until > ?2) ORDER BY id LIMIT ?3`,
		timeText(now), timeText(now.Add(MaxSilence+clockSlack)), mostToTell)
}

// SilenceTold marks the end of a silence as reported.
func (s *Store) SilenceTold(ctx context.Context, id int64, at time.Time) error {
	return s.change(ctx, "silence", id, `UPDATE silences SET told_at = ? WHERE id = ?`, timeText(at), id)
}

// Found sums up how a service was found over a time. Of one session the worst result counts, so several checks in a cycle count once. A
// session in which no check could be made does not count.
type Found struct {
	Service     string
	Checked     int // sessions, and checks outside a session
	Degraded    int
	Down        int
	FirstUnwell *time.Time // degraded or down; nil if it never was
	LastUnwell  *time.Time
}

// FoundBetween returns how services were found from one time on and before another, by name; only the named service if it is not empty.
func (s *Store) FoundBetween(ctx context.Context, service string, from, to time.Time) ([]Found, error) {
	names, args := `WITH names (service) AS (SELECT ?3)`, []any{timeText(from), timeText(to), service}
	if service == "" {
		names, args = `WITH RECURSIVE`+checkedNames, args[:2]
	}
	return list[Found](ctx, s, "sum up checks", names+`
		SELECT service, sum(looks), sum(iif(worst = 1, looks, 0)), sum(iif(worst = 2, looks, 0)), min(first), max(last) FROM (
			SELECT service, 1 + max(coalesce(left_out, 0)) AS looks, max(CASE status WHEN 'healthy' THEN 0 WHEN 'degraded' THEN 1 ELSE 2 END) AS worst,
				min(checked_at) FILTER (WHERE status <> 'healthy') AS first, max(checked_at) FILTER (WHERE status <> 'healthy') AS last
			FROM names CROSS JOIN health_checks USING (service) WHERE checked_at >= ?1 AND checked_at < ?2 AND status <> 'unknown'
			GROUP BY service, coalesce(session_id, checked_at))
		GROUP BY service ORDER BY service`, args...)
}

// ActsBetween returns the acts from one time on and before another, oldest first; only those of the named service if it is not empty.
func (s *Store) ActsBetween(ctx context.Context, service string, from, to time.Time) ([]Act, error) {
	f := filter{where: []string{"created_at >= ?", "created_at < ?"}, args: []any{timeText(from), timeText(to)}}
	f.add(service != "", "service = ?", service)
	return list[Act](ctx, s, "read cooldown actions",
		`SELECT `+actColumns+` FROM cooldown_actions`+f.clause()+` ORDER BY created_at, id`, f.args...)
}

// CountEvents counts the events of a level, from one time on and before another, whose message contains a text; only those of the named
// service if it is not empty.
func (s *Store) CountEvents(ctx context.Context, level Level, service, text string, from, to time.Time) (n int, err error) {
	f := filter{
		where: []string{"level = ?", "created_at >= ?", "created_at < ?", "instr(message, ?) > 0"},
		args:  []any{level, timeText(from), timeText(to), text},
	}
	f.add(service != "", "service = ?", service)
	return one[int](ctx, s, "count events", `SELECT count(*) FROM events`+f.clause(), f.args...)
}

// KnowsService reports whether a service has any check, act or incident on record.
func (s *Store) KnowsService(ctx context.Context, name string) (known bool, err error) {
	return one[bool](ctx, s, "look for "+name, `
		SELECT EXISTS (SELECT 1 FROM health_checks WHERE service = ?1) OR EXISTS (SELECT 1 FROM incidents WHERE service = ?1)
			OR EXISTS (SELECT 1 FROM cooldown_actions WHERE service = ?1)`, name)
}

// isPaused is true if everything is silenced at ?1.
const isPaused = `EXISTS (SELECT 1 FROM silences WHERE service = '' AND ended_at IS NULL AND until > ?1)`

// silenced selects the services that are silenced at ?1.
const silenced = `(SELECT service FROM silences WHERE ended_at IS NULL AND until > ?1)`

// Paused reports whether a pause is active.
func (s *Store) Paused(ctx context.Context, now time.Time) (yes bool, err error) {
	return one[bool](ctx, s, "look for a pause", `SELECT `+isPaused, timeText(now))
}
