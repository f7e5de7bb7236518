package store

import (
	"context"
	"time"
)

// CountLost is when it was last found that not all is known of what was done in the 24 h before, later than since, and that no person has
// accepted; zero where nothing was lost.
func (q queries) CountLost(ctx context.Context, since time.Time) (lost time.Time, err error) {
	at, err := one[*time.Time](ctx, q, "ask whether a count is lost",
		`SELECT max(lost_at) FROM lost_counts WHERE accepted_at IS NULL AND lost_at > ?`, timeText(since))
	if at != nil {
		lost = *at
	}
	return lost, err
}

// AcceptLostCounts is for a person who lets remediation go on although a count is lost.
func (q queries) AcceptLostCounts(ctx context.Context, at time.Time) error {
	return q.exec(ctx, "accept that a count is lost", `UPDATE lost_counts SET accepted_at = ? WHERE accepted_at IS NULL`, timeText(at))
}

// SkipSessions has the next session get a higher id than last: one that named a raw log never comes back.
func (q queries) SkipSessions(ctx context.Context, last int64) error {
	return q.failed("skip ids of sessions", skipIDs(ctx, q.conn, "sessions", last))
}
