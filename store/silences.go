package store

import (
	"cmp"
	"context"
	"time"
)

// MaxSilence is the longest time that a silence may last.
const MaxSilence = 30 * 24 * time.Hour

// Silence is a time in which nothing is done about a service and no message is sent, at an operator's request. A service has at most one
// active silence.
type Silence struct {
	ID        int64      `json:"id"`
	Service   string     `json:"service"` // empty: a pause of everything
	Reason    string     `json:"reason"`
	CreatedAt time.Time  `json:"created_at"`
	Until     time.Time  `json:"until"`
	EndedAt   *time.Time `json:"ended_at"` // if it was ended early
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

const silenceColumns = `id, service, reason, created_at, until, ended_at`

// AddSilence starts a silence, or changes the end of the service's active one, and its reason if wanted has one.
// replaced is the earlier state; nil if there was none.
func (s *Store) AddSilence(ctx context.Context, wanted Silence) (added Silence, replaced *Silence, err error) {
	wanted.CreatedAt = cmp.Or(wanted.CreatedAt, s.Now())
	err = s.Update(ctx, func(s *Store) (err error) {
		replaced, err = first[Silence](ctx, s, "read the active silence", `
			SELECT `+silenceColumns+` FROM silences WHERE service = ? AND ended_at IS NULL AND until > ?`,
			wanted.Service, wanted.CreatedAt)
		if err != nil {
			return err
		}
		if replaced == nil {
			added = wanted
			added.ID, err = s.insert(ctx, "add a silence", `INSERT INTO silences (service, reason, created_at, until) VALUES (?, ?, ?, ?)`,
				added.Service, added.Reason, added.CreatedAt, added.Until)
			return err
		}
		added = *replaced
		added.Until, added.Reason = wanted.Until, cmp.Or(wanted.Reason, added.Reason)
		return s.change(ctx, "silence", added.ID, `UPDATE silences SET until = ?, reason = ? WHERE id = ?`,
			added.Until, added.Reason, added.ID)
	})
	return added, replaced, err
}

// EndSilence ends a silence early. If it is over or unknown, the error is ErrNotFound.
func (s *Store) EndSilence(ctx context.Context, id int64, at time.Time) error {
	return s.change(ctx, "silence", id, `UPDATE silences SET ended_at = ?1 WHERE id = ?2 AND ended_at IS NULL AND until > ?1`, at, id)
}

// Silence returns one silence, or ErrNotFound.
func (s *Store) Silence(ctx context.Context, id int64) (Silence, error) {
	return find[Silence](ctx, s, "silence", id, `SELECT `+silenceColumns+` FROM silences WHERE id = ?`)
}

// Silences lists silences, active and over, newest first; limit 0 means no limit.
func (s *Store) Silences(ctx context.Context, limit int) ([]Silence, error) {
	return listed[Silence](ctx, s, "list silences", `SELECT `+silenceColumns+` FROM silences`, filter{}, "id DESC", limit)
}

// ActiveSilences returns the silences that cover a moment, oldest first.
func (s *Store) ActiveSilences(ctx context.Context, now time.Time) ([]Silence, error) {
	return list[Silence](ctx, s, "read the active silences", `
		SELECT `+silenceColumns+` FROM silences WHERE ended_at IS NULL AND until > ? ORDER BY id`, now)
}

// LimitSilences lets each silence end at the latest MaxSilence from now: one may have been set under a clock that ran ahead.
func (s *Store) LimitSilences(ctx context.Context) error {
	return s.exec(ctx, "limit the silences", `UPDATE silences SET until = ?1 WHERE ended_at IS NULL AND until > ?1`, s.Now().Add(MaxSilence))
}
