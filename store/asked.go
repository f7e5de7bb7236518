package store

import (
	"context"
	"time"
)

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
