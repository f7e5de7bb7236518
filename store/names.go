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

// ServiceNames are the names of services of which anything was recorded, in order, at most limit.
func (q queries) ServiceNames(ctx context.Context, limit int) ([]string, error) {
	return list(ctx, q, "list services", func(r row, name *string) error { return r.Scan(readName(name)) }, serviceNames, limit)
}
