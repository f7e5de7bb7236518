package store

import "context"

// serviceNames jumps from name to name in the index of each table: there may be millions of rows of a few hundred services.
const serviceNames = `
	WITH RECURSIVE
		checked (service) AS (
			SELECT min(service) FROM health_checks
			UNION ALL
			SELECT (SELECT min(service) FROM health_checks WHERE service > checked.service) FROM checked WHERE service IS NOT NULL),
		troubled (service) AS (
			SELECT min(service) FROM incidents
			UNION ALL
			SELECT (SELECT min(service) FROM incidents WHERE service > troubled.service) FROM troubled WHERE service IS NOT NULL),
		remediated (service) AS (
			SELECT min(service) FROM cooldown_actions
			UNION ALL
			SELECT (SELECT min(service) FROM cooldown_actions WHERE service > remediated.service) FROM remediated WHERE service IS NOT NULL)
	SELECT service FROM (SELECT service FROM checked UNION SELECT service FROM troubled UNION SELECT service FROM remediated)
	WHERE service IS NOT NULL ORDER BY service LIMIT ?`

func scanName(r row, name *string) error { return r.Scan(readText{name, mostName}) }

// ServiceNames are the names of services of which anything was recorded, in order, at most limit.
func (q queries) ServiceNames(ctx context.Context, limit int) ([]string, error) {
	return listBy(ctx, q, "list services", scanName, serviceNames, limit)
}

// AllNames are the names of services of which anything was recorded or silenced.
func (q queries) AllNames(ctx context.Context) ([]string, error) {
	return listBy(ctx, q, "list services", scanName, `SELECT service FROM (`+serviceNames+`) UNION SELECT service FROM silences WHERE service <> ''`, -1)
}

// MergeName gives everything on record under one name another one. Where both have an open incident, they become the older one, with all
// sessions, messages and dependent services of both.
func (q queries) MergeName(ctx context.Context, other, name string) error {
	for _, statement := range []string{
		`UPDATE health_checks SET service = ?2 WHERE service = ?1`,
		`UPDATE cooldown_actions SET service = ?2 WHERE service = ?1`,
		`UPDATE events SET service = ?2 WHERE service = ?1`,
		`UPDATE notifications SET service = ?2 WHERE service = ?1`,
		`UPDATE silences SET service = ?2 WHERE service = ?1`,
		`UPDATE OR IGNORE incident_dependents SET service = ?2 WHERE service = ?1`,
		`DELETE FROM incident_dependents WHERE service = ?1 AND service <> ?2`,
		`UPDATE incidents SET service = ?2 WHERE service = ?1 AND closed_at IS NOT NULL`,
		`INSERT OR IGNORE INTO incident_sessions (incident_id, session_id, findings, attempted)
			SELECT first, session_id, findings, attempted FROM incident_sessions JOIN ` + openPair + ` ON incident_id = second`,
		`INSERT OR IGNORE INTO incident_dependents (incident_id, service, status, first_seen_at, last_seen_at)
			SELECT first, service, status, first_seen_at, last_seen_at FROM incident_dependents JOIN ` + openPair + ` ON incident_id = second`,
		`UPDATE notifications SET incident_id = first FROM ` + openPair + ` WHERE incident_id = second`,
		`UPDATE incidents SET opened_at = min(incidents.opened_at, o.opened_at), returns = max(incidents.returns, o.returns),
			dead_ends = max(incidents.dead_ends, o.dead_ends) FROM ` + openPair + ` JOIN incidents o ON o.id = second WHERE incidents.id = first`,
		`DELETE FROM incidents WHERE id = (SELECT second FROM ` + openPair + `)`,
		`UPDATE incidents SET service = ?2 WHERE service = ?1`,
	} {
		if err := q.exec(ctx, "merge the records of "+other+" with those of "+name, statement, other, name); err != nil {
			return err
		}
	}
	return nil
}

// openPair are the open incidents of the names ?1 and ?2, the older first; no row where not both have one.
const openPair = `(
	SELECT min(id) AS first, max(id) AS second FROM incidents WHERE service IN (?1, ?2) AND closed_at IS NULL HAVING count(*) = 2)`
