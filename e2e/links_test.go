package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// No link is followed when a file of ours is read or replaced: its target is not changed.
func TestNoFileOfOursIsReadOrReplacedThroughALink(t *testing.T) {
	const theirs = "{\"services\": {}, \"theirs\": true}\n"
	cycle := []string{"run-once"}
	for file, command := range map[string][]string{
		"state/cooldown.json":      cycle,
		"state/cooldown.lock":      cycle,
		"state/cycle.lock":         cycle,
		"state/notify.lock":        {"notify", "--title", "x"},
		"state/handoff.json":       cycle,
		"state/claudeops.db":       cycle,
		"state/claudeops.db-wal":   cycle,
		"state/claudeops.db-shm":   cycle,
		"state/claudeops.db.lock":  cycle,
		"state/run":                cycle,
		"results/session-1.ndjson": cycle,
		"metrics.prom":             cycle,
	} {
		t.Run(strings.Join(command[:1], " ")+" "+file, func(t *testing.T) {
			w := newWorld(t)
			w.agent(1, reportDown, finish)
			w.program("apprise", "cat > /dev/null")
			w.env["CLAUDEOPS_APPRISE_URLS"] = "json://127.0.0.1:1/x"
			w.env["CLAUDEOPS_METRICS_FILE"] = w.path("metrics.prom")
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

// Files of the program are private to its user, except for the metrics, which others must be able to read.
func TestWhatIsMadeIsForItsOwnerAlone(t *testing.T) {
	w := newWorld(t)
	w.agent(1, reportDown, finish)
	w.env["CLAUDEOPS_METRICS_FILE"] = w.path("metrics.prom")
	w.env["CLAUDEOPS_STATE_DIR"], w.env["CLAUDEOPS_RESULTS_DIR"] = w.path("made", "state"), w.path("made", "results")
	w.run("run-once")
	found := 0
	must(t, filepath.WalkDir(w.path("made"), func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		is, err := d.Info()
		if err == nil && is.Mode()&os.ModeSymlink == 0 && is.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v", path, is.Mode())
		}
		found++
		return err
	}))
	if found < 12 {
		t.Errorf("only %d files and folders were made", found)
	}
	if is, err := os.Stat(w.path("metrics.prom")); err != nil || is.Mode() != 0o644 {
		t.Errorf("the metrics: %v, %v", is.Mode(), err)
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
	stranger := exec.Command("flock", w.path("state"), "sh", "-c", "echo locked; cat")
	stranger.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	_, err := stranger.StdinPipe() // cat ends with this test
	must(t, err)
	says, err := stranger.StdoutPipe()
	must(t, err)
	must(t, stranger.Start())
	killInTime(t, stranger)
	_, err = says.Read(make([]byte, 1))
	must(t, err)
	w.cycle(0)
}
