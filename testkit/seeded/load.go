package seeded

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	_ "github.com/mattn/go-sqlite3" // the driver by its name: this database is written by SQL alone

	"github.com/claudeops/claudeops/store"
)

// What Load writes.
const (
	LoadSessions  = 100_000
	LoadChecks    = 1_000_000
	LoadServices  = 500
	LoadEvents    = 50_000
	LoadIncidents = 5_000
	LoadActs      = 4_000
)

// LoadService is the name of the n-th service of Load.
func LoadService(n int) string { return fmt.Sprintf("service-%05d", n) }

// Load writes what a large installation has after a month: 100,000 sessions of which one in twenty began a chain of two or three,
// 1,000,000 check results, 500 services, 50,000 events, 5,000 incidents of which 12 are open, 4,000 remediations. It takes some seconds.
func Load(ctx context.Context, dir string, now time.Time) (*Lab, error) {
	l, err := place(dir, now)
	if err != nil {
		return nil, err
	}
	if err := l.writing(ctx, func(*store.Store) error { return nil }); err != nil { // makes the database
		return nil, err
	}
	db, err := sql.Open("sqlite3", "file:"+filepath.ToSlash(l.Database)+"?_txlock=immediate&_synchronous=OFF&_foreign_keys=OFF&_cache_size=-200000")
	if err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	db.SetMaxOpenConns(1)
	err = loadAll(ctx, db, l.Now)
	if closing := db.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return nil, fmt.Errorf("write the load: %w", err)
	}
	l.Chain = []int64{LoadSessions - 59, LoadSessions - 58, LoadSessions - 57}
	return l, l.mirror(ctx, nil, l.Now.Add(-time.Minute), l.Now.Add(-6*time.Hour))
}

// loadAll runs statements whose rows come from counting: SQLite makes a million of them in the time in which a caller hands it some ten
// thousand. ?1 is now; moment(seconds) in them stands for the text of a moment so many seconds before that.
func loadAll(ctx context.Context, db *sql.DB, now time.Time) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	for _, statement := range loadStatements() {
		query := moments(statement)
		if _, err := tx.ExecContext(ctx, query, now.Format("2006-01-02 15:04:05.000")); err != nil {
			return fmt.Errorf("%w in %.200s (%w)", err, query, tx.Rollback())
		}
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`)
	return err
}

// moments writes moment(…) out.
func moments(statement string) string {
	for {
		at := strings.Index(statement, "moment(")
		if at < 0 {
			return statement
		}
		depth, end := 0, at+len("moment")
		for ; ; end++ {
			if statement[end] == '(' {
				depth++
			} else if statement[end] == ')' {
				if depth--; depth == 0 {
					break
				}
			}
		}
		inner := statement[at+len("moment(") : end]
		statement = statement[:at] + `strftime('%Y-%m-%dT%H:%M:%fZ', ?1, '-' || (` + inner + `) || ' seconds')` + statement[end+1:]
	}
}

const counting = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) `

// In 60 sessions there are a chain of three (41, 42, 43 of 60) and two of two (11 and 12, 21 and 22); the others are Tier 1 alone.
const (
	loadTier   = `CASE i % 60 WHEN 42 THEN 2 WHEN 43 THEN 3 WHEN 12 THEN 2 WHEN 22 THEN 2 ELSE 1 END`
	loadParent = `CASE WHEN i % 60 IN (42, 43, 12, 22) THEN i - 1 END`
	// Sessions are spread over 30 days: one in 25.9 s.
	loadAge = `(100000 - i) * 25.92 + 60`
)

func loadStatements() []string {
	count := func(n int, statement string) string { return fmt.Sprintf(counting, n) + statement }
	return []string{
		count(LoadSessions, `
		INSERT INTO sessions (id, parent_session_id, tier, model, agent, prompt_file, trigger, status, started_at, ended_at, exit_code, cost_usd, num_turns,
			duration_ms, input_tokens, output_tokens, response, log_path, cli_session_id, handoff_json)
		SELECT i, `+loadParent+`, `+loadTier+`, CASE `+loadTier+` WHEN 1 THEN 'haiku' WHEN 2 THEN 'sonnet' ELSE 'opus' END, 'claude', 'tier' || (`+loadTier+`) || '.md',
			CASE WHEN `+loadTier+` = 1 THEN 'cron' ELSE 'escalation' END,
			CASE WHEN i % 60 IN (41, 42, 11, 21) THEN 'escalated' WHEN i % 97 = 5 THEN 'failed' WHEN i % 389 = 7 THEN 'timed_out' ELSE 'completed' END,
			moment(`+loadAge+`), moment(`+loadAge+` - 24), 0, (`+loadTier+`) * (`+loadTier+`) * 0.013 + (i % 17) * 0.0007, 3 + i % 9, 24000, 24000 + i % 5000, 600 + i % 300,
			'All ' || (12 + i % 5) || ' services of this round are healthy. Disk use of /srv is ' || (60 + i % 20) || ' %; nothing to hand on. Checked in this order: http, dns, container, database.',
			'/results/session-' || i || '.ndjson', 'c' || i,
			CASE WHEN i % 60 IN (41, 11, 21) THEN '{"schema_version":1,"recommended_tier":2,"services_affected":["service-' || printf('%05d', i * 7 % 500) ||
				'"],"check_results":[{"service":"service-' || printf('%05d', i * 7 % 500) || '","check_type":"http","status":"down","error":"HTTP 502"}],"cooldown_state":{}}' ELSE '' END
		FROM n`),
		count(LoadChecks, `
		INSERT INTO health_checks (session_id, service, check_type, status, response_time_ms, error, source, checked_at)
		SELECT 1 + (i - 1) / 10, 'service-' || printf('%05d', i % 500), CASE i % 3 WHEN 0 THEN 'dns' ELSE 'http' END,
			CASE WHEN i % 1499 = 0 THEN 'down' WHEN i % 701 = 0 THEN 'degraded' ELSE 'healthy' END, 10 + i * 31 % 120,
			CASE WHEN i % 1499 = 0 THEN 'HTTP 502 from http://127.0.0.1/' || i % 500 WHEN i % 701 = 0 THEN 'answered in 1.3s, slower than 1s' ELSE '' END, 'probe', moment((1000000 - i) * 2.592 + 61)
		FROM n`),
		count(LoadEvents, `
		INSERT INTO events (session_id, level, service, message, created_at)
		SELECT i * 2, CASE WHEN i % 40 = 0 THEN 'critical' WHEN i % 6 = 0 THEN 'warning' ELSE 'info' END, CASE WHEN i % 3 = 0 THEN 'service-' || printf('%05d', i * 2 % 500) ELSE '' END,
			'Tier 1 completed, $0.0130, ' || (3 + i % 5) || ' turns', moment((50000 - i) * 51.84 + 62)
		FROM n`),
		count(LoadIncidents, `
		INSERT INTO incidents (service, status, fingerprint, opened_at, last_seen_at, closed_at, last_chain)
		SELECT 'service-' || printf('%05d', i * 37 % 500), CASE WHEN i > 4988 THEN 'down' ELSE 'healthy' END, 'http down HTTP', moment((5000 - i) * 518.4 + 7300), moment((5000 - i) * 518.4 + 300),
			CASE WHEN i > 4988 THEN NULL ELSE moment((5000 - i) * 518.4 + 300) END, 'solved'
		FROM n`),
		`INSERT INTO incident_sessions (incident_id, session_id, findings, attempted)
		SELECT 1 + id / 60 % 5000, id, CASE tier WHEN 1 THEN '' ELSE 'the worker hangs' END, CASE tier WHEN 1 THEN '' ELSE 'docker restart: it hangs again' END
		FROM sessions WHERE id % 60 IN (41, 42, 43, 11, 12, 21, 22)`,
		count(LoadActs, `
		INSERT INTO cooldown_actions (id, session_id, service, action_type, success, tier, source, created_at, cleared_at)
		SELECT '0190a7c2-4b5e-7d3a-9c1f-' || printf('%012d', i), i * 25, 'service-' || printf('%05d', i * 11 % 500), CASE i % 5 WHEN 0 THEN 'redeployment' ELSE 'restart' END, i % 9 > 0, 2, 'guard',
			moment((4000 - i) * 648 + 63), CASE WHEN i < 3950 THEN moment((4000 - i) * 648 + 1) END
		FROM n`),
		count(LoadIncidents, `
		INSERT INTO notifications (incident_id, kind, type, service, title, body, created_at, message_id, next_attempt_at, delivered_at)
		SELECT i, CASE WHEN i > 4990 THEN 'human_attention' WHEN i % 2 = 0 THEN 'recovered' ELSE 'remediated' END, CASE WHEN i > 4990 THEN 'failure' ELSE 'success' END,
			'service-' || printf('%05d', i * 37 % 500), 'service-' || printf('%05d', i * 37 % 500) || ' is down and needs human attention: HTTP 502', 'Tier 3, the last, could not resolve it either.',
			moment((5000 - i) * 518.4 + 200), i, moment((5000 - i) * 518.4 + 200), moment((5000 - i) * 518.4 + 190)
		FROM n`),
		count(30*24, `
		INSERT INTO cycles (trigger, outcome, started_at, duration_ms)
		SELECT 'cron', CASE WHEN i % 97 = 0 THEN 'failed' ELSE 'completed' END, moment((720 - i) * 3600 + 120), 42000 FROM n`),
		`ANALYZE`,
	}
}
