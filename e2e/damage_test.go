package e2e

import (
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

func (w *world) setAside() []string {
	w.t.Helper()
	found, err := filepath.Glob(w.db() + ".aside-*Z")
	must(w.t, err)
	return found
}

// The systemd unit for failed cycles calls notify, which must send its message whatever is wrong with the database.
func TestAMessageIsSentWithoutTheDatabase(t *testing.T) {
	for name, spoil := range map[string]func(*world){
		"garbage":       func(w *world) { must(w.t, os.WriteFile(w.db(), []byte(strings.Repeat("garbage ", 1000)), 0o600)) },
		"empty":         func(w *world) { must(w.t, os.WriteFile(w.db(), nil, 0o600)) },
		"newer":         func(w *world) { w.alters(`PRAGMA user_version = 99`) },
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

// Until the next cycle, commands report that the database cannot be used, and messages are sent. The cycle sets it aside, tells people, and
// monitors as usual.
func TestAnUnusableDatabaseIsSetAsideByTheNextCycle(t *testing.T) {
	for name, damage := range map[string]func(*world){
		"garbage":    func(w *world) { w.overwritten(0, 200_000) },
		"cut short":  func(w *world) { w.overwritten(0, 0); must(w.t, os.Truncate(w.db(), 10_000)) },
		"empty":      func(w *world) { w.overwritten(0, 0); must(w.t, os.Truncate(w.db(), 0)) },
		"a bad page": func(w *world) { w.overwritten(w.root("sessions"), 4096) },
	} {
		t.Run(name, func(t *testing.T) {
			w, r := watched(t, (*world).byAPI)
			w.agent(1, asked("shop")...)
			w.cycle(0)
			wantTitles(t, r, "shop is down and needs human attention: 502 Bad Gateway")
			damage(w)

			a := w.run("sessions", "list")
			if a.code != 1 || !strings.Contains(a.err, "cannot be used") || !strings.Contains(a.err, "next cycle") {
				t.Errorf("sessions list: %+v", a)
			}
			a = w.run("doctor")
			wantIn(t, a.out, "cannot be used", "the next cycle sets it aside")
			a = w.run("notify", "--title", "claudeops failed on box")
			if a.code != 0 {
				t.Errorf("notify: %+v", a)
			}

			if name == "a bad page" { // found in the middle
				a = w.cycle(1)
				w.cycle(0)
			} else {
				a = w.cycle(0)
			}
			wantIn(t, a.err, "the database could not be used")
			wantIn(t, texts(r), "claudeops failed on box", "The database could not be used", "silences, pauses, proposals, alerts and messages that had not been delivered are gone")
			w.wantEvent(store.Critical, "the database could not be used")
			counted(t, "set aside", w.setAside(), 1)
			counted(t, "incidents", w.incidents(), 1)
			if first := w.sessions()[0].ID; first < 2 {
				t.Errorf("the session takes the log of session %d", first)
			}
			if a := w.cycle(0); strings.Contains(a.out, "could not be used") {
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
	w.exits(0, "cooldown", "record", "shop", "restart", "success")
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
	if a = w.run("cooldown", "check", "shop", "restart"); a.code != 0 || !strings.Contains(a.out, "1 of 2 used") {
		t.Errorf("cooldown check, after that: %+v", a)
	}
	w.cycle(0)
	w.wantStatuses("1 completed", "1 escalated", "2 completed")
}

// Damage that is found in the middle of a cycle ends it; the next one goes on.
func TestDamageThatIsMetInTheMiddleOfACycle(t *testing.T) {
	w, r := watched(t, (*world).byAPI)
	w.agent(1, reportFine, finish)
	w.cycle(0)
	w.agent(1, reportFine, `sh test -e done || dd if=/dev/urandom of="$FAKE_AGENT_DIR/../state/claudeops.db" bs=4096 seek=1 conv=notrunc count=60; touch done`, reportFine, finish)
	a := w.cycle(1)
	wantIn(t, a.out, "the database could not be used")
	wantIn(t, texts(r), "The database could not be used")
	w.wantEvent(store.Critical, "the database could not be used")
	counted(t, "set aside", w.setAside(), 1)
	counted(t, "sessions", w.sessions(), 0)
	w.cycle(0)
	if all := w.sessions(); len(all) != 1 || all[0].Status != store.Completed || all[0].ID != 3 {
		t.Errorf("sessions: %+v", all)
	}
}

// A file that is not damaged is not moved.
func TestADatabaseThatCannotBeUsedIsNotSetAside(t *testing.T) {
	for name, spoil := range map[string]func(*world){
		"no permission":     func(w *world) { must(w.t, os.Chmod(w.db(), 0)) },
		"newer":             func(w *world) { w.alters(`PRAGMA user_version = 99`) },
		"another program's": func(w *world) { w.alters(`PRAGMA application_id = 0`) },
		"a folder":          func(w *world) { must(w.t, os.Remove(w.db())); must(w.t, os.Mkdir(w.db(), 0o755)) },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.agent(1, reportFine, finish)
			w.asUser()
			w.cycle(0)
			spoil(w)
			w.cycle(1)
			counted(t, "set aside", w.setAside(), 0)
			w.exits(1, "doctor")
		})
	}
}
