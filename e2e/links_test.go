package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/claudeops/claudeops/internal/statedir"
	"github.com/claudeops/claudeops/store"
)

// No link is followed where a file of ours is read or replaced: what it leads to stays as it is, whatever becomes of the link.
func TestNoFileOfOursIsReadOrReplacedThroughALink(t *testing.T) {
	const theirs = "{\"services\": {}, \"theirs\": true}\n"
	hook := []string{"hooks", "run", "--", "sh", "-c", "exit 1"}
	cycle := []string{"run-once"}
	for file, command := range map[string][]string{
		"state/cooldown.json":                  cycle,
		"state/cooldown.lock":                  cycle,
		"state/cycle.lock":                     cycle,
		"state/notify.lock":                    {"notify", "--title", "x"},
		"state/handoff.json":                   cycle,
		"state/claudeops.db":                   cycle,
		"state/claudeops.db-wal":               cycle,
		"state/claudeops.db-shm":               cycle,
		"state/claudeops.db.lock":              cycle,
		"state/run":                            cycle,
		"results/session-1.ndjson":             cycle,
		"metrics.prom":                         cycle,
		"home/.claude/hook_state.json":         hook,
		"home/.claude/breaker.log":             hook,
		"home/.claude/breaker.log.1":           hook,
		"home/.claude/breaker.prom":            hook,
		"home/.claude/hook_state.json.lock":    hook,
		"home/.claude/hook_state.json.running": hook,
	} {
		t.Run(strings.Join(command[:1], " ")+" "+file, func(t *testing.T) {
			w := newWorld(t)
			w.agent(1, reportDown, finish)
			w.program("apprise", "cat > /dev/null")
			w.env["CLAUDEOPS_APPRISE_URLS"] = "json://127.0.0.1:1/x"
			w.env["CLAUDEOPS_METRICS_FILE"] = w.path("metrics.prom")
			w.env["GUARDRAILS_LOGGING_FILE"], w.env["GUARDRAILS_METRICS_FILE"] = w.path("home", ".claude", "breaker.log"), w.path("home", ".claude", "breaker.prom")
			target := w.path("theirs")
			must(t, os.WriteFile(target, []byte(theirs), 0o644))
			must(t, os.MkdirAll(filepath.Dir(w.path(file)), 0o700))
			must(t, os.Symlink(target, w.path(file)))
			was, err := os.Stat(target)
			must(t, err)
			w.run(command...)
			is, err := os.Stat(target)
			must(t, err)
			if text, err := os.ReadFile(target); err != nil || string(text) != theirs || is.Mode() != was.Mode() || !os.SameFile(is, was) {
				t.Errorf("what the link leads to is %v and holds %q, %v", is.Mode(), text, err)
			}
			if links, err := filepath.Glob(w.path("*", "*", "theirs*")); err != nil || len(links) > 0 {
				t.Errorf("something was made beside it: %q, %v", links, err)
			}
		})
	}
}

// What the program makes is for its own user alone, but for the metrics: they are made to be read by others.
func TestWhatIsMadeIsForItsOwnerAlone(t *testing.T) {
	w := newWorld(t)
	w.agent(1, reportDown, finish)
	w.env["CLAUDEOPS_METRICS_FILE"] = w.path("metrics.prom")
	w.env["CLAUDEOPS_STATE_DIR"], w.env["CLAUDEOPS_RESULTS_DIR"] = w.path("made", "state"), w.path("made", "results")
	w.run("run-once")
	w.run("hooks", "run", "--", "sh", "-c", "exit 1")
	found := 0
	for _, dir := range []string{"made", "home"} {
		must(t, filepath.WalkDir(w.path(dir), func(path string, d os.DirEntry, err error) error {
			if err != nil || path == w.path("home") {
				return err
			}
			is, err := d.Info()
			if err == nil && is.Mode()&os.ModeSymlink == 0 && is.Mode().Perm()&0o077 != 0 {
				t.Errorf("%s: %v", path, is.Mode())
			}
			found++
			return err
		}))
	}
	if found < 12 {
		t.Errorf("only %d files and folders were made", found)
	}
	if is, err := os.Stat(w.path("metrics.prom")); err != nil || is.Mode() != 0o644 {
		t.Errorf("the metrics: %v, %v", is.Mode(), err)
	}
}

// A `claudeops notify` that was stopped while it delivers keeps nobody from being told: its place is taken, and that is said.
func TestAStoppedProcessDoesNotHoldUpMessages(t *testing.T) {
	w := newWorld(t)
	w.env["CLAUDEOPS_NOTIFY_TIMEOUT"] = "1s"
	w.env["CLAUDEOPS_APPRISE_URLS"] = "json://127.0.0.1:1/x"
	w.program("apprise", `cat > /dev/null; echo sent >> "`+w.path("sent")+`"`)
	w.agent(1, finish)
	w.cycle(0)
	holder := exec.Command("flock", w.path("state", "notify.lock"), "cat")
	_, err := holder.StdinPipe() // cat ends with this test
	must(t, err)
	must(t, holder.Start())
	killInTime(t, holder)
	for held := false; !held; {
		_, held = statedir.HolderOf(w.path("state", "notify.lock"))
	}
	must(t, holder.Process.Signal(syscall.SIGSTOP))
	for by := (statedir.Holder{}); !by.Stopped || by.Age < 2*time.Second; {
		by, _ = statedir.HolderOf(w.path("state", "notify.lock"))
	}
	w.agent(1, `sh claudeops notify --title "the shop is down" --body x`, finish)
	w.cycle(0)
	w.wantEvent(store.Critical, "held up by process "+strconv.Itoa(holder.Process.Pid)+", which is stopped")
	if _, err = os.Stat(w.path("sent")); err != nil {
		t.Errorf("nothing was sent: %v", err)
	}
}

// Who is turned away is told which process holds the cycle lock, and that it does not move.
func TestAStoppedCycleIsNamed(t *testing.T) {
	w := newWorld(t)
	w.agent(1, finish)
	w.cycle(0)
	holder := exec.Command("flock", w.path("state", "cycle.lock"), "cat")
	_, err := holder.StdinPipe() // cat ends with this test
	must(t, err)
	must(t, holder.Start())
	killInTime(t, holder)
	for held := false; !held; {
		_, held = statedir.HolderOf(w.path("state", "cycle.lock"))
	}
	must(t, holder.Process.Signal(syscall.SIGSTOP))
	for by := (statedir.Holder{}); !by.Stopped; {
		by, _ = statedir.HolderOf(w.path("state", "cycle.lock"))
	}
	if a := w.cycle(75); !strings.Contains(a.err, "process "+strconv.Itoa(holder.Process.Pid)+", which is stopped") {
		t.Errorf("%s", a.err)
	}
}

// Another user who may read the state directory may lock it, and stops no watch by that.
func TestAStrangersLockOnTheStateDirectoryStopsNoCycle(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root starts a process of another user")
	}
	w := newWorld(t)
	w.agent(1, finish)
	for _, dir := range []string{filepath.Dir(w.dir), w.dir, w.path("state")} {
		must(t, os.Chmod(dir, 0o755))
	}
	stranger := exec.Command("flock", w.path("state"), "cat")
	stranger.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	_, err := stranger.StdinPipe()
	must(t, err)
	must(t, stranger.Start())
	killInTime(t, stranger)
	for held := false; !held; {
		_, held = statedir.HolderOf(w.path("state"))
	}
	w.cycle(0)
}
