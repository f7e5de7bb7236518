package store

import (
	"context"
	"time"

	"github.com/claudeops/claudeops/statefile"
)

// LiveIncidents returns the open incidents and those that were closed after a time, in the order in which they ended.
func (s *Store) LiveIncidents(ctx context.Context, closedAfter time.Time) ([]Incident, error) {
	return list[Incident](ctx, s, "read the incidents", `
		SELECT `+incidentColumns+` FROM incidents WHERE closed_at IS NULL OR closed_at > ? ORDER BY closed_at, id`, closedAfter)
}

// ActsAfter returns all acts after a time, oldest first. Cleared ones are included: a recovery does not lower the count for the day's
// ceiling (RULE "A recovery resets, a day does not").
func (s *Store) ActsAfter(ctx context.Context, since time.Time) ([]Act, error) {
	return list[Act](ctx, s, "read cooldown actions",
		`SELECT `+actColumns+` FROM cooldown_actions WHERE created_at > ? ORDER BY created_at, id`, since)
}

// Record returns the record of an act in cooldown.json.
func (a Act) Record() statefile.Record {
	return statefile.Record{
		Timestamp: statefile.At(a.CreatedAt), Success: a.Success, Error: a.Error, Tier: a.Tier, ActionDetail: a.Detail, ID: a.ID,
	}
}
