package e2e

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/claudeops/claudeops/store"
)

func TestBadSetups(t *testing.T) {
	for name, test := range map[string]struct {
		set  func(*world)
		says string
	}{
		"no agent program": {func(w *world) { w.env["CLAUDEOPS_CLAUDE_BIN"] = w.path("none") }, "no agent to run with"},
		"agent not executable": {func(w *world) {
			bad := w.path("plain")
			must(w.t, os.WriteFile(bad, nil, 0o600))
			w.env["CLAUDEOPS_CLAUDE_BIN"] = bad
		}, "permission denied"},
		"auto without a credential":    {func(w *world) { w.env["CLAUDEOPS_TIER1_AGENT"] = "auto" }, "no credential"},
		"probe":                        {func(w *world) { w.env["CLAUDEOPS_TIER1_AGENT"] = "probe" }, "CLAUDEOPS_TIER1_AGENT=probe"},
		"prompt override missing":      {func(w *world) { w.env["CLAUDEOPS_PROMPTS_DIR"] = w.path("none") }, "CLAUDEOPS_PROMPTS_DIR"},
		"state directory is a file":    {func(w *world) { w.env["CLAUDEOPS_STATE_DIR"] = "/etc/passwd" }, "CLAUDEOPS_STATE_DIR"},
		"state directory on /proc":     {func(w *world) { w.env["CLAUDEOPS_STATE_DIR"] = "/proc/claudeops" }, "CLAUDEOPS_STATE_DIR"},
		"results directory unwritable": {func(w *world) { w.env["CLAUDEOPS_RESULTS_DIR"] = "/proc" }, "CLAUDEOPS_RESULTS_DIR"},
		"two bad values":               {func(w *world) { w.env["CLAUDEOPS_MAX_TIER"], w.env["CLAUDEOPS_TIER2_TIMEOUT"] = "9", "20 min" }, `CLAUDEOPS_TIER2_TIMEOUT="20 min"`},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			test.set(w)
			a := w.cycle(2)
			says(t, a.err, test.says)
			if entries, err := os.ReadDir(w.path("state")); err != nil || len(entries) != 0 {
				t.Errorf("something was touched: %v, %v", entries, err)
			}
		})
	}
}

func TestDatabaseOfANewerVersion(t *testing.T) {
	w := newWorld(t)
	w.agent(1, finish)
	w.cycle(0)
	db, err := sql.Open("sqlite3", w.path("state", store.FileName))
	must(t, err)
	_, err = db.Exec(`INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, 1)`)
	must(t, err)
	must(t, db.Close())
	a := w.cycle(1)
	says(t, a.err, "newer than this program")
	if a := w.run("sessions", "list"); a.code != 1 || !strings.Contains(a.err, "newer than this program") {
		t.Errorf("%d %s", a.code, a.err)
	}
}

func TestForeignDatabase(t *testing.T) {
	w := newWorld(t)
	w.alters(`CREATE TABLE recipes (name TEXT)`)
	if a := w.cycle(1); !strings.Contains(a.err, "not a database of claudeops") {
		t.Errorf("%s", a.err)
	}
}

func TestCorruptCooldownFileIsSetAsideAndRefilled(t *testing.T) {
	for name, text := range map[string]string{"empty": "", "truncated": `{"services":{"sh`, "foreign": `[1,2,3]`, "binary": "\x00\xff\xfe"} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.exits(0, "cooldown", "record", "shop", "restart", "success")
			w.writeCooldowns(text)
			w.agent(1, finish)
			w.cycle(0)
			counted(t, "restarts", w.cooldowns().Service("shop").Restarts, 1)
			copies, err := filepath.Glob(w.path("state", "cooldown.json.corrupt-*"))
			must(t, err)
			counted(t, "copies", copies, 1)
			kept, err := os.ReadFile(copies[0])
			must(t, err)
			if string(kept) != text {
				t.Errorf("the copy has %q, want %q", kept, text)
			}
			w.wantEvent(store.Warning, "could not be read")
		})
	}
}

// Commands do not touch a file that they cannot read. A cycle must go on: it sets the file aside and starts from the database.
func TestStateFileThatIsNoFile(t *testing.T) {
	for name, plant := range map[string]func(path string) error{
		"a directory": func(path string) error { return os.MkdirAll(filepath.Join(path, "deep"), 0o700) },
		"a link":      func(path string) error { return os.Symlink("/etc/passwd", path) },
		"a pipe":      func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"70 MB":       func(path string) error { return errors.Join(os.WriteFile(path, nil, 0o600), os.Truncate(path, 70<<20)) },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.exits(0, "cooldown", "record", "shop", "restart", "success")
			path := w.path("state", "cooldown.json")
			must(t, errors.Join(os.Remove(path), plant(path)))
			if a := w.run("cooldown", "check", "shop", "restart"); a.code != 1 || !strings.Contains(a.err, "cooldown.json") {
				t.Errorf("a check that cannot look: exit %d, %s", a.code, a.err)
			}
			w.agent(1, finish)
			w.cycle(0)
			counted(t, "restarts", w.cooldowns().Service("shop").Restarts, 1)
			copies, err := filepath.Glob(path + ".corrupt-*")
			if err != nil || len(copies) != 1 {
				t.Errorf("set aside: %v, %v", copies, err)
			}
			w.wantEvent(store.Warning, "could not be read")
		})
	}
}

func TestReportsThatAreWrong(t *testing.T) {
	for name, input := range map[string]string{
		"empty": "", "not JSON": "shop is down", "no results": "[]", "an unknown status": `[{"service":"shop","check_type":"http","status":"ok"}]`,
		"an unknown type": `[{"service":"shop","check_type":"ping","status":"down"}]`, "no service": `[{"check_type":"http","status":"down"}]`,
		"not UTF-8": "[{\"service\":\"sh\xffop\",\"check_type\":\"http\",\"status\":\"down\"}]", "deep": strings.Repeat("[", 100_000),
		"huge": "[" + strings.Repeat(" ", 2<<20) + "]",
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			if a := w.feed(input, "report"); a.code != 1 || !strings.HasPrefix(a.err, "claudeops: ") {
				t.Errorf("exit %d, %q", a.code, a.err)
			}
			if _, err := os.Stat(w.path("state", store.FileName)); err == nil {
				t.Error("a wrong report was stored")
			}
		})
	}
}

func TestClockThatJumps(t *testing.T) {
	w := newWorld(t)
	w.writeCooldowns(`{"services":{"shop":{"restarts":[{"timestamp":"2099-01-01T00:00:00Z","success":true}],"redeployments":[],"consecutive_healthy":0,"owner":"ops"}},"last_run":"2099-01-01T00:00:00Z","last_daily_digest":null}`)
	if a := w.run("cooldown", "check", "shop", "restart"); a.code != 0 || !strings.Contains(a.out, "1 of 2 used") {
		t.Errorf("a record of the future must count as now: %s%s", a.out, a.err)
	}
	w.agent(1, finish)
	w.cycle(0)
	shop := w.cooldowns().Service("shop")
	if len(shop.Restarts) != 1 || shop.Restarts[0].Timestamp.Year() == 2099 || !strings.Contains(string(shop.Extra), "ops") {
		t.Errorf("%+v, want the record rewritten to now, and what others wrote kept", shop)
	}
	w.wantEvent(store.Warning, "2099")
}
