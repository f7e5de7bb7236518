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

// Asked is an open incident and the content of the messages about it.
type Asked struct {
	Incident Incident
	First    *time.Time // the first request; nil if there was none
	Well     bool       // the last message said that the service is well
}

// askedBefore returns the open incidents with the first and the last request for a human. Requests dated a day or more in the future do
// not count, as in QueueNotification.
const askedBefore = `
	SELECT ` + incidentColumns + `, first, well FROM (
		SELECT i.*, min(n.created_at) FILTER (WHERE n.kind = 'human_attention') AS first,
			max(n.created_at) FILTER (WHERE n.kind = 'human_attention' AND n.created_at < ?2) AS last,
			coalesce(max(n.id) FILTER (WHERE n.kind IN ` + saysWell + `), 0) > coalesce(max(n.id) FILTER (WHERE n.kind IN ` + saysUnwell + `), 0) AS well
		FROM incidents i INDEXED BY incidents_open CROSS JOIN notifications n ON n.incident_id = i.id
		WHERE i.closed_at IS NULL GROUP BY i.id)
	WHERE well OR first IS NOT NULL AND coalesce(last, '') <= ?1 AND acknowledged_at IS NULL ORDER BY id`

// AskedBefore returns the open incidents whose last request is at least 24 h before now and that nobody has acknowledged, or whose last
// message said that the service is well, oldest first.
func (s *Store) AskedBefore(ctx context.Context, now time.Time) ([]Asked, error) {
	return list[Asked](ctx, s, "find whom to remind", askedBefore, now.Add(-repeatAfter), now.Add(repeatAfter))
}

// RecoveriesToTell returns, oldest first, the unsteady incidents (Unsteady) whose recovery has lasted for ReturnWithin and whose last
// message said that the service is unwell.
func (s *Store) RecoveriesToTell(ctx context.Context, now time.Time) ([]Incident, error) {
	lasted := now.Add(-ReturnWithin)
	return list[Incident](ctx, s, "find the recoveries that have lasted", `
		SELECT `+incidentColumns+` FROM incidents i
		WHERE returns >= ?1 AND status = 'healthy' AND closed_at <= ?2 AND closed_at > ?3
			AND id = (SELECT max(id) FROM incidents WHERE service = i.service)
			AND (SELECT max(id) FROM notifications WHERE incident_id = i.id AND +kind IN `+saysUnwell+`) >
				coalesce((SELECT max(id) FROM notifications WHERE incident_id = i.id AND +kind IN `+saysWell+`), 0)
		ORDER BY id`, unsteadyReturns, lasted, lasted.Add(-repeatAfter))
}
