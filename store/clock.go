package store

import (
	"context"
	"time"

	"github.com/claudeops/claudeops/internal/clock"
)

// ReadClock reads what the last cycle stored about the machine's clocks; Trusted uses it from then on. If no cycle has stored anything,
// the clock is trusted.
func (s *Store) ReadClock(ctx context.Context) error {
	type columns struct {
		at   *time.Time
		boot int64
		id   string
	}
	moment := func(r columns) clock.Moment {
		if r.at == nil {
			return clock.Moment{}
		}
		return clock.Moment{Wall: *r.at, Boot: time.Duration(r.boot) * time.Millisecond, BootID: r.id}
	}
	marks, err := listBy(ctx, s, "read the marks of the clock", func(r row, m *clock.Mark) error {
		var trusted, doubted columns
		err := r.Scan(&trusted.at, &trusted.boot, &trusted.id, &doubted.at, &doubted.boot, &doubted.id)
		m.Trusted, m.Doubted = moment(trusted), moment(doubted)
		return err
	}, `SELECT trusted_at, trusted_boot_ms, trusted_boot_id, doubted_at, doubted_boot_ms, doubted_boot_id FROM clock`)
	if err == nil && len(marks) > 0 {
		s.mark = marks[0]
	}
	return err
}

// LookAtClock is for a cycle: it compares the clock with what ReadClock has read, and stores the result for the next cycle. It returns
// the marks before and after.
func (s *Store) LookAtClock(ctx context.Context, now time.Time) (before, after clock.Mark, err error) {
	before, after = s.mark, s.mark.Next(clock.Read(now))
	var doubted *time.Time
	if !after.Doubted.Wall.IsZero() {
		doubted = &after.Doubted.Wall
	}
	err = s.exec(ctx, "keep the marks of the clock", `
		INSERT OR REPLACE INTO clock (id, trusted_at, trusted_boot_ms, trusted_boot_id, doubted_at, doubted_boot_ms, doubted_boot_id) VALUES (1, ?, ?, ?, ?, ?, ?)`,
		timeText(after.Trusted.Wall), after.Trusted.Boot.Milliseconds(), after.Trusted.BootID,
		optionalText(doubted), after.Doubted.Boot.Milliseconds(), after.Doubted.BootID)
	if err == nil {
		s.mark = after
	}
	return before, after, err
}

// Trusted returns the time by which windows and waits are judged: now or, while the clock is doubted, only the time that has passed for
// certain. Rows are still dated by now; a row dated after Trusted counts as made at that time.
func (s *Store) Trusted(now time.Time) time.Time { return s.mark.Now(clock.Read(now)) }

// ClockDoubted reports whether the clock seems to have jumped ahead. Then nothing may be pruned for its age.
func (s *Store) ClockDoubted(now time.Time) bool { return !s.mark.Trusts(clock.Read(now)) }
