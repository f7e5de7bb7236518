package e2e

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/testkit/receiver"
)

func (w *world) db() string { return w.path("state", store.FileName) }

// alters runs a statement on the database that changes no rows.
func (w *world) alters(statement string) {
	w.t.Helper()
	db, err := sql.Open("sqlite3", w.db())
	must(w.t, err)
	_, err = db.ExecContext(w.t.Context(), statement)
	must(w.t, errors.Join(err, db.Close()))
}

// texts returns all delivered messages.
func texts(r *receiver.Receiver) string {
	var all []string
	for _, m := range r.Messages() {
		all = append(all, m.Title, m.Body)
	}
	return strings.Join(all, "\n")
}

// overwritten overwrites part of the closed database with garbage.
func (w *world) overwritten(from, length int64) {
	w.t.Helper()
	w.alters(`PRAGMA wal_checkpoint(TRUNCATE)`)
	f, err := os.OpenFile(w.db(), os.O_WRONLY, 0)
	must(w.t, err)
	_, err = f.WriteAt([]byte(strings.Repeat("\xa5", int(length))), from)
	must(w.t, err)
	must(w.t, f.Close())
}

func (w *world) setAside(why string) []string {
	w.t.Helper()
	found, err := filepath.Glob(w.db() + "." + why + "-*Z")
	must(w.t, err)
	return found
}

// The systemd unit for failed cycles calls notify, which must send its message whatever is wrong with the database.
func TestAMessageIsSentWithoutTheDatabase(t *testing.T) {
	for name, spoil := range map[string]func(*world){
		"garbage":       func(w *world) { must(w.t, os.WriteFile(w.db(), []byte(strings.Repeat("garbage ", 1000)), 0o600)) },
		"empty":         func(w *world) { must(w.t, os.WriteFile(w.db(), nil, 0o600)) },
		"newer":         func(w *world) { w.rewrite(`INSERT INTO goose_db_version (version_id, is_applied) VALUES (99, 1)`) },
		"no permission": func(w *world) { must(w.t, os.Chmod(w.db(), 0)) },
		"no folder":     func(w *world) { must(w.t, os.RemoveAll(w.path("state"))) },
	} {
		t.Run(name, func(t *testing.T) {
			w, r := newWorld(t), receiver.New(t)
			w.byAPI(r)
			w.asUser()
			w.agent(1, reportFine, finish)
			w.cycle(0)
			spoil(w)
			a := w.run("notify", "--title", "claudeops failed on box", "--type", "failure")
			if a.code != 0 || !strings.Contains(a.err, "sent without the outbox") {
				t.Errorf("%+v", a)
			}
			if m := r.Messages(); len(m) == 0 || m[len(m)-1].Title != "claudeops failed on box" || m[len(m)-1].Type != "failure" {
				t.Errorf("messages %+v", m)
			}
			r.Answer(func(int, receiver.Message) receiver.Answer { return receiver.Answer{Status: 500} })
			if a := w.run("notify", "--title", "again"); a.code != 1 || !strings.Contains(a.out, "fail") {
				t.Errorf("a target that fails: %+v", a)
			}
		})
	}
}

// Until the next cycle, commands report the damage, and messages are sent. The cycle replaces the database, notifies people, and monitors
// as usual.
func TestADamagedDatabaseIsHealedByTheNextCycle(t *testing.T) {
	for name, c := range map[string]struct {
		damage func(*world)
		kept   bool // the session before the damage
	}{
		"empty":        {func(w *world) { must(w.t, os.Truncate(w.db(), 0)) }, false},
		"removed":      {func(w *world) { must(w.t, os.Remove(w.db())) }, false},
		"garbage":      {func(w *world) { w.overwritten(0, 200_000) }, false},
		"cut short":    {func(w *world) { w.overwritten(0, 0); must(w.t, os.Truncate(w.db(), 10_000)) }, false},
		"a bad header": {func(w *world) { w.overwritten(0, 100) }, true},
		"a bad page":   {func(w *world) { w.overwritten(w.root("sessions"), 4096) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			w, r := watched(t, (*world).byAPI)
			w.agent(1, asked("shop")...)
			w.cycle(0)
			wantTitles(t, r, "shop is down and needs human attention: 502 Bad Gateway")
			c.damage(w)

			a := w.run("sessions", "list")
			if a.code != 1 || !strings.Contains(a.err, "damaged") || !strings.Contains(a.err, "next cycle") {
				t.Errorf("sessions list: %+v", a)
			}
			a = w.run("doctor")
			wantIn(t, a.out, "damaged", "the next cycle moves it aside")
			a = w.run("notify", "--title", "claudeops failed on box")
			if a.code != 0 {
				t.Errorf("notify: %+v", a)
			}

			a = w.cycle(0)
			if n := strings.Count(strings.ToLower(a.out), "the database was damaged"); n != 1 {
				t.Errorf("said %d times:\n%s", n, a.out)
			}
			got := titles(r)
			if len(got) < 3 || got[1] != "claudeops failed on box" || !strings.HasPrefix(strings.Join(got[2:], "\n"), "The database was damaged") {
				t.Errorf("messages %q", got)
			}
			w.wantEvent(store.Critical, "the database was damaged")
			if aside := len(w.setAside("corrupt")) == 1; aside == (name == "removed") {
				t.Errorf("set aside: %q", w.setAside("corrupt"))
			}
			if open := w.incidents(); len(open) != 1 || open[0].ClosedAt != nil {
				t.Errorf("incidents: %+v", open)
			}
			if kept := len(w.sessions()) == 2; kept != c.kept || w.sessions()[len(w.sessions())-1].ID != 2 {
				t.Errorf("sessions: %+v", w.sessions())
			}
			if a := w.cycle(0); strings.Contains(a.out, "damaged") {
				t.Errorf("and again:\n%s", a.out)
			}
		})
	}
}

// root returns the offset of the root page of a table or index.
func (w *world) root(name string) int64 {
	w.t.Helper()
	db, err := sql.Open("sqlite3", "file:"+w.db())
	must(w.t, err)
	var page int64
	must(w.t, errors.Join(db.QueryRowContext(w.t.Context(), `SELECT rootpage FROM sqlite_schema WHERE name = ?`, name).Scan(&page), db.Close()))
	return (page - 1) * 4096
}

// If it is not known what was done in the last 24 h, nothing is remediated until a person permits it.
func TestRemediationWaitsForAHumanWhereTheCountIsLost(t *testing.T) {
	w := newWorld(t)
	w.agent(1, reportDown, finish)
	w.agent(2, finish)
	w.cycle(0)
	w.wantStatuses("1 escalated", "2 completed")
	w.overwritten(0, 200_000)
	a := w.cycle(0)
	wantIn(t, a.out, "not known what was done in the last 24 h")
	w.wantStatuses("1 completed")
	a = w.run("cooldown", "check", "shop", "restart")
	if a.code != 1 || !strings.Contains(a.out, "not known what was done in the last 24 h") {
		t.Errorf("cooldown check: %+v", a)
	}
	asked := w.notified("human_attention")
	if n := asked[len(asked)-1]; n.Cause != "count_lost" || !strings.Contains(n.Body, "`claudeops cooldown reset --lost-count`") {
		t.Errorf("asked: %+v", asked)
	}
	a = w.run("cooldown", "reset", "--lost-count")
	if a.code != 0 {
		t.Errorf("reset: %+v", a)
	}
	if a = w.run("cooldown", "check", "shop", "restart"); a.code != 0 {
		t.Errorf("cooldown check, after that: %+v", a)
	}
	w.cycle(0)
	w.wantStatuses("1 completed", "1 escalated", "2 completed")
}

// Damage that no command has noticed is repaired by the cycle that finds it, which then continues as after a killed cycle.
func TestDamageThatIsMetInTheMiddleOfACycle(t *testing.T) {
	w := newWorld(t)
	w.agent(1, reportFine, finish)
	w.cycle(0)
	w.agent(1, reportFine, `sh test -e done || dd if=/dev/urandom of="$FAKE_AGENT_DIR/../state/claudeops.db" bs=4096 seek=1 conv=notrunc count=60; touch done`, reportFine, finish)
	a := w.cycle(0)
	wantIn(t, a.out, "the database was damaged")
	w.wantEvent(store.Critical, "the database was damaged")
	counted(t, "set aside", w.setAside("corrupt"), 1)
	if all := w.sessions(); all[len(all)-1].Status != store.Completed {
		t.Errorf("sessions: %+v", all)
	}
}

// A file that is not damaged is not moved.
func TestADatabaseThatCannotBeUsedIsNotSetAside(t *testing.T) {
	for name, spoil := range map[string]func(*world){
		"no permission": func(w *world) { must(w.t, os.Chmod(w.db(), 0)) },
		"newer":         func(w *world) { w.rewrite(`INSERT INTO goose_db_version (version_id, is_applied) VALUES (99, 1)`) },
		"newer and damaged": func(w *world) {
			w.rewrite(`INSERT INTO goose_db_version (version_id, is_applied) VALUES (99, 1)`)
			w.overwritten(w.root("events_level"), 4096)
		},
		"another program's": func(w *world) { w.alters(`DROP TABLE goose_db_version`) },
		"a folder":          func(w *world) { must(w.t, os.Remove(w.db())); must(w.t, os.Mkdir(w.db(), 0o755)) },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.agent(1, reportFine, finish)
			w.asUser()
			w.cycle(0)
			spoil(w)
			w.cycle(1)
			counted(t, "set aside", w.setAside("*"), 0)
			w.exits(1, "doctor")
		})
	}
}

// A trigger could discard the very message about it.
func TestWhatSomebodyAddedToTheDatabaseIsNamed(t *testing.T) {
	w, r := watched(t, (*world).byAPI)
	w.agent(1, reportFine, finish)
	w.cycle(0)
	w.alters(`CREATE TRIGGER quiet BEFORE INSERT ON Notifications BEGIN SELECT RAISE(IGNORE); END`)
	w.alters(`CREATE TABLE _litestream_seq (id INTEGER)`)
	w.alters(`CREATE VIEW spent AS SELECT sum(cost_usd) FROM sessions`)
	w.alters(`CREATE UNIQUE INDEX one ON events (level)`)
	a := w.run("doctor")
	wantIn(t, a.out, "trigger quiet on notifications (will be removed)", "table _litestream_seq (stays)", "view spent (stays)")
	if a.code != 1 {
		t.Errorf("doctor: %+v", a)
	}
	if a = w.run("notify", "--title", "before the cycle"); a.code != 0 {
		t.Errorf("notify: %+v", a)
	}
	w.agent(1, asked("shop")...)
	a = w.cycle(0)
	wantIn(t, a.out, "trigger quiet on notifications", "table _litestream_seq", "view spent")
	w.wantEvent(store.Critical, "trigger quiet on notifications")
	got := titles(r)
	wantIn(t, texts(r), "before the cycle", "shop is down")
	wantIn(t, texts(r), "trigger quiet on notifications", "_litestream_seq", "view spent", "index one on events")
	w.cycle(0)
	if len(titles(r)) != len(got) {
		t.Errorf("told again: %q", titles(r)[len(got):])
	}
	a = w.run("doctor")
	if strings.Contains(a.out, "quiet") || !strings.Contains(a.out, "_litestream_seq") {
		t.Errorf("doctor:\n%s", a.out)
	}
}

// Whatever prevents messages from being queued, the next cycle finds it, and people get all of them.
func TestNothingInTheDatabaseSwallowsMessages(t *testing.T) {
	for name, c := range map[string]struct{ change, sent string }{
		"a trigger named as SQLite's own": {`CREATE TRIGGER t BEFORE INSERT ON notifications BEGIN SELECT RAISE(IGNORE); END; PRAGMA writable_schema = ON;
			UPDATE sqlite_schema SET name = 'sqlite_t', sql = replace(sql, 'TRIGGER t', 'TRIGGER sqlite_t') WHERE name = 't'`, "trigger `sqlite_t` on notifications"},
		"a trigger listed by another name": {`CREATE TRIGGER t BEFORE INSERT ON notifications BEGIN SELECT RAISE(IGNORE); END; PRAGMA writable_schema = ON;
			UPDATE sqlite_schema SET name = 'other' WHERE name = 't'`, "database was damaged"},
		"a constraint": {`PRAGMA writable_schema = ON;
			UPDATE sqlite_schema SET sql = replace(sql, '-- Apprise', 'UNIQUE ON CONFLICT IGNORE -- Apprise') WHERE name = 'notifications'`, "database was damaged"},
		"an index": {`DROP INDEX notifications_kind; CREATE UNIQUE INDEX notifications_kind ON notifications (length(kind) > 0)`, "index `notifications_kind` on notifications"},
	} {
		t.Run(name, func(t *testing.T) {
			w, r := watched(t, (*world).byAPI)
			w.agent(1, reportFine, finish)
			w.cycle(0)
			w.alters(c.change)
			w.agent(1, asked("shop")...)
			w.cycle(0)
			wantIn(t, texts(r), "shop is down", c.sent)
			if a := w.run("doctor"); !strings.Contains(a.out, "ok    database") {
				t.Errorf("doctor:\n%s", a.out)
			}
		})
	}
}

// A trigger that a tier added does not discard the message about its findings.
func TestATriggerOfATierSwallowsNothing(t *testing.T) {
	w, r := watched(t, (*world).byAPI)
	w.agent(1, append([]string{asked("shop")[0], `sh sqlite3 "$FAKE_AGENT_DIR/../state/claudeops.db" "CREATE TRIGGER t BEFORE INSERT ON notifications BEGIN SELECT RAISE(IGNORE); END"`}, asked("shop")[1:]...)...)
	w.cycle(0)
	wantIn(t, texts(r), "shop is down", "trigger t on notifications")
}

// What a cycle writes is not lost even if the file is renamed meanwhile.
func TestADatabaseThatIsRemovedWhileACycleRuns(t *testing.T) {
	for name, c := range map[string]struct{ line, aside string }{
		"removed":            {`sh rm "$FAKE_AGENT_DIR/../state"/claudeops.db*`, ""},
		"removed alone":      {`sh rm "$FAKE_AGENT_DIR/../state/claudeops.db"`, ""},
		"replaced":           {`sh cd "$FAKE_AGENT_DIR/../state" && echo garbage > other && mv other claudeops.db && rm -f claudeops.db-*`, "replaced"},
		"replaced by a copy": {`sh cd "$FAKE_AGENT_DIR/../state" && cp claudeops.db other && mv other claudeops.db && rm -f claudeops.db-*`, "replaced"},
	} {
		t.Run(name, func(t *testing.T) {
			w, r := watched(t, (*world).byAPI)
			w.agent(1, reportFine, finish)
			w.cycle(0)
			w.agent(1, append([]string{asked("shop")[0]}, c.line, finish)...)
			a := w.cycle(0)
			wantIn(t, a.out, "while a cycle ran")
			w.wantEvent(store.Critical, "while a cycle ran")
			wantIn(t, texts(r), "shop is down", "while a cycle ran")
			w.wantStatuses("1 completed", "1 completed")
			counted(t, "incidents", w.incidents(), 1)
			if aside := w.setAside("replaced"); (len(aside) == 1) != (c.aside != "") {
				t.Errorf("set aside: %q", aside)
			}
			w.database(func(ctx context.Context, s *store.Store) {
				if waiting, err := s.Waiting(ctx); err != nil || waiting != 0 {
					t.Errorf("%d messages wait: %v", waiting, err)
				}
			})
			w.agent(1, asked("shop")...)
			if a := w.cycle(0); strings.Contains(a.out, "while a cycle ran") {
				t.Errorf("and again:\n%s", a.out)
			}
		})
	}
}
