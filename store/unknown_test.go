package store

import (
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
)

func TestMigrationOfChecksKeepsEachRow(t *testing.T) {
	path := older(t, 5)
	edit(t, path,
		`INSERT INTO sessions (id, tier, trigger, status, started_at) VALUES (7, 1, 'cron', 'completed', '2026-01-01T00:00:00.000Z')`,
		`INSERT INTO health_checks (id, session_id, service, check_type, status, response_time_ms, error, checked_at, source) VALUES
			(3, 7, 'shop', 'http', 'down', 31, '502', '2026-01-01T00:00:01.000Z', 'probe'),
			(9, NULL, 'mail', 'container', 'healthy', NULL, '', '2026-01-01T00:00:02.000Z', 'report')`,
		`INSERT INTO incidents (service, status, opened_at, last_seen_at) VALUES ('shop', 'down', '2026-01-01T00:00:01.000Z', '2026-01-01T00:00:01.000Z')`)
	s, err := Open(t.Context(), path, Migrate)
	ok(t, err)
	defer func() { ok(t, s.Close()) }()

	checks, err := list[Check](t.Context(), s, "read all", `SELECT `+checkColumns+` FROM health_checks ORDER BY id`)
	ok(t, err)
	session, ms := int64(7), int64(31)
	first := time.Date(2026, 1, 1, 0, 0, 1, 0, time.UTC)
	same(t, checks, []Check{
		{ID: 3, SessionID: &session, Result: check.Result{Service: "shop", Type: check.HTTP, Status: check.Down, Error: "502", ResponseTimeMS: &ms}, Source: Probed, CheckedAt: first},
		{ID: 9, Result: check.Result{Service: "mail", Type: check.Container, Status: check.Healthy}, Source: Reported, CheckedAt: first.Add(time.Second)},
	})
	open, err := s.OpenIncidents(t.Context())
	ok(t, err)
	same(t, open["shop"].State(), IncidentOpen)
	ok(t, s.AddProbed(t.Context(), 7, noon, []check.Result{{Service: "shop", Type: check.Container, Status: check.Unknown, Error: "no engine"}}, nil))
	ok(t, s.exec(t.Context(), "remove a session", `DELETE FROM sessions WHERE id = 7`))
	same(t, s.ask(t, `SELECT group_concat(service) FROM health_checks`), "mail")
}

// A check that could not be made says nothing about its service.
func TestAnUnknownCheckIsNeitherUpNorDown(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	id := must(s.AddSession(ctx, Session{Tier: 1, Trigger: "cron", Status: Running, StartedAt: noon}))
	found := func(at time.Time, status check.Status) {
		ok(t, s.AddChecks(ctx, nil, at, []check.Result{{Service: "web", Type: check.Container, Status: status, Error: "why"}}))
	}
	found(noon.Add(-4*time.Hour), check.Healthy)
	found(noon.Add(-2*time.Hour), check.Down)
	found(noon.Add(-time.Hour), check.Unknown)

	watched := must(s.WatchedFor(ctx, "web", noon, 24*time.Hour))
	same(t, watched, []Watched{{Time: 3 * time.Hour, Down: time.Hour}})
	days := must(s.LooksByDay(ctx, []time.Time{noon.Add(-24 * time.Hour), noon}, 10))
	same(t, days, []DayLooks{{Service: "web", Healthy: 1, Down: 1}})
	same(t, must(s.LastFault(ctx, "web", noon.Add(-90*time.Minute), noon)), "")
	same(t, must(s.LastStatuses(ctx, noon.Add(-24*time.Hour))), map[string]check.Status{"web": check.Unknown})
	same(t, must(s.LastKnown(ctx, noon.Add(-24*time.Hour), "web")), []check.Result{{Service: "web", Type: check.Container, Status: check.Down, Error: "why"}})

	// An agent's result counts if the program's own check could not be made.
	ok(t, s.AddProbed(ctx, id, noon, []check.Result{{Service: "web", Type: check.Container, Status: check.Unknown}}, nil))
	ok(t, s.AddChecks(ctx, &id, noon, []check.Result{{Service: "web", Type: check.Container, Status: check.Degraded}}))
	same(t, check.Worst(Results(must(s.LatestBySession(ctx, id)))), map[string]check.Status{"web": check.Degraded})
}
