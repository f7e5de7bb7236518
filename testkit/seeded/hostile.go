package seeded

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/hooks"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/statefile"
)

// Infested is where one payload was written.
type Infested struct {
	Payload string
	// Sessions are a chain of three. Each has the payload in all of its texts; the third also has it in fields that the program itself would
	// have validated: its status, trigger, log path and handoff.
	Sessions [3]int64
	Incident int64 // of the service whose name is the payload
}

// Hostile writes records with each of the payloads in every place that pages read: every text column of every table, the raw logs, the
// guard's audits, handoffs, the names and values in cooldown.json, the commands and errors of hooks, and the texts of the inventory that
// may contain it. No cycle would write all of this, but anyone with write access to the files could.
func Hostile(ctx context.Context, dir string, now time.Time, payloads ...string) (*Lab, []Infested, error) {
	l, err := place(ctx, dir, now)
	if err != nil {
		return nil, nil, err
	}
	db := l.open("&_ignore_check_constraints=1")
	in := &infestation{lab: l}
	if err := errors.Join(in.database(ctx, db, payloads), db.Close()); err != nil {
		return nil, nil, fmt.Errorf("write hostile records: %w", err)
	}
	for _, i := range in.all {
		if err := in.files(i); err != nil {
			return nil, nil, err
		}
	}
	for _, write := range []func([]string) error{in.cooldowns, in.inventory, in.hooks} {
		if err := write(payloads); err != nil {
			return nil, nil, err
		}
	}
	return l, in.all, nil
}

type infestation struct {
	lab *Lab
	all []Infested
	tx  *sql.Tx
	// columns are the columns of each table, and whether they hold text.
	columns map[string]map[string]bool
}

type values map[string]any

func (in *infestation) ago(d time.Duration) string {
	return in.lab.Now.Add(-d).Format("2006-01-02T15:04:05.000Z")
}

func (in *infestation) database(ctx context.Context, db *sql.DB, payloads []string) (err error) {
	if _, err := db.ExecContext(ctx, `PRAGMA ignore_check_constraints = ON`); err != nil {
		return err
	}
	if in.tx, err = db.BeginTx(ctx, nil); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, in.tx.Rollback())
		}
	}()
	if err = in.schema(ctx); err != nil {
		return err
	}
	for n, payload := range payloads {
		if err = in.rows(ctx, n, payload); err != nil {
			return err
		}
	}
	err = in.insert(ctx, "cycles", "", values{"trigger": "cron", "outcome": "completed", "started_at": in.ago(time.Hour), "duration_ms": 41_000})
	if err != nil {
		return err
	}
	return in.tx.Commit()
}

// schema finds the columns that hold text, so that columns of later migrations are included.
func (in *infestation) schema(ctx context.Context) (err error) {
	rows, err := in.tx.QueryContext(ctx, `SELECT t.name, c.name, c.type FROM sqlite_schema t JOIN pragma_table_info(t.name) c WHERE t.type = 'table'`)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	in.columns = map[string]map[string]bool{}
	for rows.Next() {
		var table, column, kind string
		if err := rows.Scan(&table, &column, &kind); err != nil {
			return err
		}
		if in.columns[table] == nil {
			in.columns[table] = map[string]bool{}
		}
		in.columns[table][column] = kind == "TEXT"
	}
	return rows.Err()
}

// insert adds a row. All texts that are not given are the payload.
func (in *infestation) insert(ctx context.Context, table, payload string, given values) error {
	row := maps.Clone(given)
	for column, text := range in.columns[table] {
		if _, set := given[column]; text && !set {
			row[column] = payload
		}
	}
	names := slices.Sorted(maps.Keys(row))
	args := make([]any, len(names))
	for i, name := range names {
		args[i] = row[name]
	}
	query := `INSERT OR REPLACE INTO ` + table + ` (` + strings.Join(names, ", ") + `) VALUES (?` + strings.Repeat(", ?", len(names)-1) + `)` //nolint:gosec // G202: names of columns, from the schema
	if _, err := in.tx.ExecContext(ctx, query, args...); err != nil {
		return fmt.Errorf("%s: %w", table, err)
	}
	return nil
}

// rows adds the rows of one payload.
func (in *infestation) rows(ctx context.Context, n int, payload string) error {
	first := int64(1 + 3*n)
	is := Infested{Payload: payload, Sessions: [3]int64{first, first + 1, first + 2}, Incident: int64(1 + 2*n)}
	in.all = append(in.all, is)
	for tier, id := range is.Sessions {
		row := values{
			"id": id, "root_id": first, "tier": tier + 1, "started_at": in.ago(time.Duration(3-tier) * time.Minute), "ended_at": in.ago(time.Duration(3-tier)*time.Minute - 50*time.Second),
			"cost_usd": 0.5, "num_turns": 3, "duration_ms": 50_000, "input_tokens": 1000, "output_tokens": 100, "exit_code": 0,
		}
		if tier > 0 {
			row["parent_session_id"] = id - 1
		}
		if tier < 2 {
			row["trigger"], row["status"], row["log_path"], row["handoff_json"] = "cron", "escalated", in.lab.LogPath(id), hostileHandoff(tier+1, payload)
		}
		if err := in.insert(ctx, "sessions", payload, row); err != nil {
			return err
		}
	}
	at := in.ago(2 * time.Minute)
	for table, rows := range map[string][]values{
		"events": {
			{"session_id": first, "level": "critical", "created_at": at}, {"session_id": first, "level": "info", "service": "", "created_at": at}, {"session_id": first + 2, "created_at": at},
		},
		"health_checks": {
			{"session_id": first, "check_type": "http", "status": "down", "source": "probe", "response_time_ms": 18, "checked_at": at},
			{"session_id": first, "check_type": "dns", "status": "healthy", "source": "report", "response_time_ms": 9, "checked_at": in.ago(time.Hour)},
			{"session_id": first + 2, "status": "degraded", "response_time_ms": 7, "checked_at": at},
		},
		"cooldown_actions": {
			{"id": fmt.Sprintf("%s %d", payload, n), "session_id": first, "action_type": "restart", "success": 0, "tier": 2, "created_at": at, "cleared_at": nil},
			{"id": fmt.Sprintf("%d %s", n, payload), "session_id": first + 2, "success": 0, "tier": 2, "created_at": at, "cleared_at": at},
		},
		"incidents": {
			{"id": is.Incident, "status": "down", "opened_at": at, "last_seen_at": at, "closed_at": nil, "acknowledged_at": at, "retry_at": in.lab.Now.Add(time.Hour).Format("2006-01-02T15:04:05.000Z"), "last_chain": "attention", "dead_ends": 1, "hollow_fixes": 0, "healthy_since": nil, "healthy_cycles": 0},
			{"id": is.Incident + 1, "opened_at": in.ago(3 * time.Hour), "last_seen_at": in.ago(2 * time.Hour), "closed_at": in.ago(2 * time.Hour), "acknowledged_at": nil, "retry_at": nil, "dead_ends": 0, "hollow_fixes": 0, "healthy_since": nil, "healthy_cycles": 0},
		},
		"incident_sessions": {
			{"incident_id": is.Incident, "session_id": first}, {"incident_id": is.Incident, "session_id": first + 1}, {"incident_id": is.Incident, "session_id": first + 2},
			{"incident_id": is.Incident + 1, "session_id": first + 1},
		},
		"incident_dependents": {{"incident_id": is.Incident, "status": "down", "first_seen_at": at, "last_seen_at": at}, {"incident_id": is.Incident + 1, "first_seen_at": at, "last_seen_at": at}},
		"notifications": {
			{"id": 1 + 2*n, "incident_id": is.Incident, "kind": "human_attention", "type": "failure", "created_at": at, "message_id": 1 + 2*n, "attempts": 1, "next_attempt_at": at, "delivered_at": nil},
			{"id": 2 + 2*n, "incident_id": is.Incident, "created_at": at, "message_id": 2 + 2*n, "attempts": 1, "next_attempt_at": at, "delivered_at": at},
		},
		"latest": {
			{"session_id": first, "check_type": "http", "status": "down", "source": "probe", "response_time_ms": 18, "checked_at": at, "made": "down", "unwell_at": at, "healthy_at": at},
			{"session_id": first + 2, "status": "degraded", "response_time_ms": 7, "checked_at": at, "made": "degraded", "unwell_at": at, "healthy_at": at},
		},
		"hours":      {{"hour": in.ago(time.Hour), "healthy": 2, "degraded": 0, "down": 1, "unknown": 0, "timed": 1, "sum_ms": 18, "max_ms": 18}},
		"deliveries": {{"notification_id": 1 + 2*n, "delivered_at": at}},
		"targets":    {{"hash": fmt.Sprintf("%d %s", n, payload), "failing_since": at, "attempts": 2, "retry_at": at}},
		"silences":   {{"created_at": at, "until": in.lab.Now.Add(time.Hour).Format("2006-01-02T15:04:05.000Z"), "ended_at": nil}},
		"cycles":     {{"started_at": at, "duration_ms": 41_000}},
	} {
		for _, row := range rows {
			if err := in.insert(ctx, table, payload, row); err != nil {
				return err
			}
		}
	}
	return nil
}

func hostileHandoff(tier int, payload string) string {
	return asJSON(object{
		"schema_version": 1, "recommended_tier": tier + 1, "services_affected": []string{payload, "shop"}, "investigation_findings": payload, "remediation_attempted": payload,
		"check_results":  []object{{"service": payload, "check_type": "http", "status": "down", "error": payload}},
		"cooldown_state": object{"services": object{payload: payload}}, "written_by": payload, "more": payload,
	})
}

// files writes the raw logs and the audits of a payload's sessions. The lines of the third session's log are the unencoded payload.
func (in *infestation) files(is Infested) error {
	payload := is.Payload
	for n, id := range is.Sessions {
		log := &rawLog{at: in.lab.Now, id: id, session: payload, model: payload}
		raw := payload + "\n" + strings.ReplaceAll(payload, "\n", "\r") + "\n"
		if n < 2 {
			log.begin()
			for _, c := range []call{
				{Think: payload, Say: payload, Run: payload, Out: payload}, {Tool: payload + " ", Run: asJSON(object{payload: payload}), Out: payload, Failed: true},
			} {
				log.call(c)
			}
			log.text.WriteString(asJSON(object{"type": payload, "subtype": payload, "message": payload}) + "\n")
			log.text.WriteString(asJSON(object{"type": "system", "subtype": "api_retry", "error": payload, "attempt": payload}) + "\n")
			log.end(result{words: payload, failed: true, cost: 0.5, turns: 3, ms: 60_000, input: 1000, output: 100})
			raw = payload + "\n"
		}
		if err := os.WriteFile(in.lab.LogPath(id), []byte(log.text.String()+raw), 0o600); err != nil {
			return fmt.Errorf("write a hostile log: %w", err)
		}
		var audit strings.Builder
		for _, decision := range []guard.Decision{guard.Allowed, guard.Denied, guard.Decision(payload)} {
			audit.WriteString(asJSON(object{
				"time": in.lab.Now.Add(-2 * time.Minute), "tool_use_id": payload + string(decision), "tier": n + 1, "tool": payload, "command": payload,
				"actions": []string{"restart", payload}, "services": []string{payload}, "rule": payload, "decision": decision, "reason": payload,
			}) + "\n")
		}
		audit.WriteString(raw)
		if err := os.WriteFile(in.lab.AuditPath(id), []byte(audit.String()), 0o600); err != nil {
			return fmt.Errorf("write a hostile audit: %w", err)
		}
	}
	return nil
}

func (in *infestation) cooldowns(payloads []string) error {
	services := object{}
	for _, payload := range payloads {
		record := object{"timestamp": in.lab.Now.Add(-time.Minute), "success": false, "error": payload, "tier": 2, "id": payload, "action_detail": payload, "more": payload}
		services[strings.ToValidUTF8(payload, "\uFFFD")] = object{"restarts": []object{record}, "redeployments": []object{record}, "consecutive_healthy": 0, "more": payload}
	}
	text := asJSON(object{"services": services, "last_run": in.lab.Now.Add(-time.Minute), "last_daily_digest": nil, "more": payloads})
	if err := os.WriteFile(filepath.Join(in.lab.StateDir, statefile.FileName), []byte(text), 0o600); err != nil {
		return fmt.Errorf("write a hostile cooldown.json: %w", err)
	}
	return nil
}

// inventory writes a services file with the payloads that are valid in it.
func (in *infestation) inventory(payloads []string) error {
	text, header := "", "services:\n"
	for n, payload := range payloads {
		for _, entry := range []string{
			fmt.Sprintf("  - name: %s\n    owner: %[1]s\n    maintenance:\n      - {schedule: \"0 3 1 1 0\", for: 1h, note: %[1]s}\n", asJSON(payload)),
			fmt.Sprintf("  - name: shop-%d\n    owner: %s\n", n, asJSON(payload)),
		} {
			if _, err := inventory.Parse([]byte(header + text + entry)); err == nil {
				text += entry
				break
			}
		}
	}
	if text == "" {
		return nil
	}
	in.lab.Inventory = filepath.Join(filepath.Dir(in.lab.StateDir), "services.yaml")
	return errors.Join(os.WriteFile(in.lab.Inventory, []byte(header+text), 0o600), in.lab.writeEnv(""))
}

// hooks writes a state in which every hook is switched off, as a whole and for a session.
func (in *infestation) hooks(payloads []string) error {
	c, err := hooks.LoadConfig(in.lab.Home)
	if err != nil {
		return err
	}
	at := in.lab.Now.Add(-time.Minute)
	_, err = c.File(func() time.Time { return at }).Update(time.Second, func(s *hooks.Hooks) {
		for _, payload := range payloads {
			s.Edit(payload, payload, func(h *hooks.Hook) {
				for range c.Breaker.StopBlockThreshold {
					h.Finish(at, c.Rules(payload), hooks.Call{Event: "Stop", Session: payload}, hooks.Decision{},
						hooks.Outcome{Failed: true, Error: payload, Block: true})
				}
				h.Event = payload
			})
		}
	})
	return err
}
