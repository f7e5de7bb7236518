package store

import "context"

// ServiceNames returns the names of services with any record, in order.
func (s *Store) ServiceNames(ctx context.Context) ([]string, error) {
	return list[string](ctx, s, "list services", `
		SELECT service FROM latest UNION SELECT service FROM incidents UNION SELECT service FROM cooldown_actions
		UNION SELECT service FROM alerts WHERE status = 'firing' UNION SELECT service FROM silences WHERE service <> ''
		ORDER BY service`)
}

// MergeName moves all records of the service name other to name, except of what name has too. If both have an open
// incident, that of other is closed.
func (s *Store) MergeName(ctx context.Context, other, name string) error {
	statements := []string{
		`UPDATE incidents SET closed_at = ?3 WHERE service = ?1 AND closed_at IS NULL
			AND EXISTS (SELECT 1 FROM incidents WHERE service = ?2 AND closed_at IS NULL)`,
		`UPDATE alerts SET fingerprint = ?2 WHERE service = ?1 AND fingerprint = ?1`, // of an alert without its own
	}
	for _, table := range []string{
		"health_checks", "latest", "hours", "cooldown_actions", "events", "notifications", "silences", "alerts",
		"incidents", "incident_dependents",
	} {
		statements = append(statements,
			`UPDATE OR IGNORE `+table+` SET service = ?2 WHERE service = ?1`, `DELETE FROM `+table+` WHERE service = ?1`)
	}
	work := "merge the records of " + other + " with those of " + name
	return s.Update(ctx, func(s *Store) error {
		for _, statement := range statements {
			if err := s.exec(ctx, work, statement, other, name, s.Now()); err != nil {
				return err
			}
		}
		return nil
	})
}
