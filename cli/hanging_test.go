package cli

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/claudeops/claudeops/cycle"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/store"
)

// stoppedHolder is a process that holds locks and is stopped.
func stoppedHolder(t *testing.T, locks ...string) (pid int) {
	t.Helper()
	var args []string
	for _, lock := range locks {
		args = append(args, "flock", "--no-fork", lock)
	}
	args = append(args, "sh", "-c", "kill -STOP $$")
	cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	hangs := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	defer hangs.Stop()
	t.Cleanup(func() { _ = cmd.Wait() }) // the end of the context has killed it
	var is syscall.WaitStatus
	_, err := syscall.Wait4(cmd.Process.Pid, &is, syscall.WUNTRACED, nil)
	for err == syscall.EINTR {
		_, err = syscall.Wait4(cmd.Process.Pid, &is, syscall.WUNTRACED, nil)
	}
	if err != nil || !is.Stopped() {
		t.Fatalf("the holder of %q did not stop: %v, %v", locks, is, err)
	}
	return cmd.Process.Pid
}

// mailbox is a courier with one target, which accepts everything.
type mailbox struct{ messages []notify.Message }

func (*mailbox) Targets() []notify.Target { return []notify.Target{{Name: "phone", Hash: "1"}} }

func (m *mailbox) Send(_ context.Context, _ notify.Target, message notify.Message) error {
	m.messages = append(m.messages, message)
	return nil
}

// A stopped cycle that exceeds its time limit prevents all others: people are notified once a day, the heartbeat each time.
func TestACycleThatHangsIsTold(t *testing.T) {
	for name, row := range map[string]struct {
		locks    []string
		prepare  func(t *testing.T, dir string)
		messages int // after two cycles that were turned away late
		aDay     int // after one more, a day later
	}{
		"stopped":                        {[]string{cycle.LockName}, nil, 1, 2},
		"its lock file was removed":      {[]string{""}, nil, 1, 2},
		"stopped while it delivered":     {[]string{cycle.LockName, notify.LockName}, nil, 1, 2},
		"the database cannot be written": {[]string{cycle.LockName}, directoryForDatabase, 2, 3},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for name, value := range map[string]string{
				"STATE_DIR": dir, "RESULTS_DIR": t.TempDir(), "CLAUDE_BIN": "sh", "TIER1_AGENT": "claude", "SANDBOX": "plain", "NOTIFY_TIMEOUT": "1s",
				"APPRISE_URLS": "json://127.0.0.1:1", "HEARTBEAT_URL": "http://127.0.0.1:1",
			} {
				t.Setenv("CLAUDEOPS_"+name, value)
			}
			programs := t.TempDir()
			if err := os.WriteFile(filepath.Join(programs, "claudeops-shim"), nil, 0o700); err != nil {
				t.Fatal(err)
			}
			t.Setenv("PATH", programs+":"+os.Getenv("PATH"))
			if row.prepare != nil {
				row.prepare(t, dir)
			}
			var locks []string
			for _, lock := range row.locks {
				locks = append(locks, filepath.Join(dir, lock))
			}
			pid := stoppedHolder(t, locks...)
			var box mailbox
			var beats []notify.Beat
			run := func(after time.Duration, args ...string) (code int, out string) {
				var text bytes.Buffer
				code = Main(t.Context(), append([]string{"claudeops", "--env-file", os.DevNull}, args...), Streams{
					Out: &text, Err: &text, Now: func() time.Time { return time.Now().Add(after) },
					Courier: &box,
					Beat: func(_ context.Context, beat notify.Beat, _ string) error {
						beats = append(beats, beat)
						return nil
					},
				})
				return code, text.String()
			}
			turnedAway := func(after time.Duration, messages int, heard ...notify.Beat) {
				t.Helper()
				beats = nil
				if code, out := run(after, "run-once"); code != exitLocked {
					t.Fatalf("exit %d: %s", code, out)
				}
				if len(box.messages) != messages {
					t.Fatalf("%d messages, want %d: %+v", len(box.messages), messages, box.messages)
				}
				if fmt.Sprint(beats) != fmt.Sprint(heard) {
					t.Errorf("the heartbeat heard %q, want %q", beats, heard)
				}
			}
			turnedAway(time.Hour, 0) // the longest duration of a cycle
			const late = 3 * time.Hour
			turnedAway(late, 1, notify.Failed)
			for _, text := range []string{
				fmt.Sprintf("process %d, which is stopped, runs for 3 h", pid), fmt.Sprintf("kill -CONT %d", pid), fmt.Sprintf("kill -9 %d", pid),
			} {
				if !strings.Contains(box.messages[0].Body, text) {
					t.Errorf("people are not told %q: %s", text, box.messages[0].Body)
				}
			}
			turnedAway(late+time.Minute, row.messages, notify.Failed)
			turnedAway(late+25*time.Hour, row.aDay, notify.Failed)
		})
	}
}

// directoryForDatabase creates a directory in place of the database.
func directoryForDatabase(t *testing.T, dir string) {
	if err := os.Mkdir(filepath.Join(dir, store.FileName), 0o700); err != nil {
		t.Fatal(err)
	}
}

// doctor names the stopped process that holds a lock, and what to do about it.
func TestDoctorNamesStoppedHolders(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("CLAUDEOPS_STATE_DIR", dir)
	pid := stoppedHolder(t, filepath.Join(dir, cycle.LockName), filepath.Join(dir, notify.LockName))
	now := time.Now()
	a := &app{Streams: Streams{Out: &bytes.Buffer{}, Err: &bytes.Buffer{}, Now: func() time.Time { return now }}, envFile: os.DevNull}
	l, err := a.load()
	if err != nil {
		t.Fatal(err)
	}
	if f := a.cycleLock(l.config); f.Result != "warn" {
		t.Errorf("found %+v, want a warning", f)
	}
	now = now.Add(3 * time.Hour)
	for _, f := range []finding{a.cycleLock(l.config), deliveryLock(dir)} {
		if f.Result != "fail" {
			t.Errorf("found %+v, want a failure", f)
		}
		if who := fmt.Sprintf("process %d, which is stopped", pid); !strings.Contains(f.Detail, who) || !strings.Contains(f.Remedy, fmt.Sprintf("kill -CONT %d", pid)) {
			t.Errorf("not named: %+v", f)
		}
	}
}
