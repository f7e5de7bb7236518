package e2e

import (
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

func TestCorruptOrMissingCooldownFileIsRefilledAndTold(t *testing.T) {
	for name, text := range map[string]string{"empty": "", "truncated": `{"services":{"sh`, "foreign": `[1,2,3]`, "binary": "\x00\xff\xfe", "missing": ""} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.exits(0, "cooldown", "record", "shop", "restart", "success")
			w.writeCooldowns(text)
			w.agent(1, finish)
			if name == "missing" {
				must(t, os.Remove(w.path("state", "cooldown.json")))
			}
			w.cycle(0)
			counted(t, "restarts", w.cooldowns().Service("shop").Restarts, 1)
			w.wantNotified("human_attention", "")
			if name == "missing" {
				w.wantEvent(store.Warning, "cooldown.json was missing")
				return
			}
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

// What is no file is the operator's, and stays: commands and cycles say what to do. Then it is made anew from the database.
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
			w.agent(1, finish)
			for _, args := range [][]string{{"cooldown", "check", "shop", "restart"}, {"run-once"}} {
				if a := w.run(args...); a.code != 1 || !strings.Contains(a.err, path) || !strings.Contains(a.err, "move it away") {
					t.Errorf("%s: exit %d, %s", args, a.code, a.err)
				}
			}
			must(t, os.Rename(path, path+".mine"))
			w.cycle(0)
			counted(t, "restarts", w.cooldowns().Service("shop").Restarts, 1)
			w.wantEvent(store.Warning, "was missing")
		})
	}
}

func TestReportsThatAreWrong(t *testing.T) {
	for name, input := range map[string]string{
		"not JSON":          "shop is down",
		"an unknown status": `[{"service":"shop","check_type":"http","status":"ok"}]`,
		"huge":              "[" + strings.Repeat(" ", 2<<20) + "]",
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
