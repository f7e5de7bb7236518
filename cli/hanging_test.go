package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/claudeops/claudeops/internal/statedir"
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
type mailbox struct {
	messages []notify.Message
	fails    error
}

func (*mailbox) Targets() []notify.Target { return []notify.Target{{Name: "phone", Hash: "1"}} }

func (m *mailbox) Send(_ context.Context, _ notify.Target, message notify.Message) error {
	if m.fails == nil {
		m.messages = append(m.messages, message)
	}
	return m.fails
}

// A stopped cycle that exceeds its time limit prevents all others: people are notified once a day, the heartbeat each time.
func TestACycleThatHangsIsTold(t *testing.T) {
	for name, row := range map[string]struct {
		locks    []string
		prepare  func(t *testing.T, dir string)
		messages int // after two cycles that were turned away late
		aDay     int // after one more, a day later
	}{
		"stopped":                        {[]string{statedir.CycleLock}, nil, 1, 2},
		"stopped while it delivered":     {[]string{statedir.CycleLock, notify.LockName}, nil, 1, 2},
		"the database cannot be written": {[]string{statedir.CycleLock}, directoryForDatabase, 2, 3},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for name, value := range map[string]string{
				"STATE_DIR": dir, "RESULTS_DIR": t.TempDir(), "CLAUDE_BIN": "sh", "TIER1_AGENT": "claude", "NOTIFY_TIMEOUT": "1s",
				"APPRISE_URLS": "json://127.0.0.1:1", "HEARTBEAT_URL": "http://127.0.0.1:1",
			} {
				t.Setenv("CLAUDEOPS_"+name, value)
			}
			t.Setenv("PATH", programs(t, "claudeops-shim")+":"+os.Getenv("PATH"))
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

// A set-up that is at fault starts nothing. Who looks at the log of a scheduler? People are told once a day, also where nothing can be kept.
func TestASetUpThatDoesNotStartIsTold(t *testing.T) {
	broken := filepath.Join(t.TempDir(), "services.yaml")
	if err := os.WriteFile(broken, []byte("services:\n  - nam: shop\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, row := range map[string]struct {
		variable, value string
		args            []string
		says            string // empty: nobody is told
	}{
		"the services file":           {"INVENTORY", broken, []string{"run-once"}, "not a valid services file: line 2"},
		"a variable":                  {"TIER2_TIMEOUT", "20 min", []string{"run-once"}, `CLAUDEOPS_TIER2_TIMEOUT="20 min": `},
		"a variable of cron":          {"SCHEDULE", "daily", []string{"cron"}, `CLAUDEOPS_SCHEDULE="daily": `},
		"a program":                   {"CLAUDE_BIN", "no-such-agent", []string{"run-once"}, `CLAUDEOPS_CLAUDE_BIN="no-such-agent": `},
		"the state directory":         {"STATE_DIR", "/proc", []string{"run-once"}, `CLAUDEOPS_STATE_DIR="/proc": not a directory that can be written`},
		"a person asks for a service": {"INVENTORY", broken, []string{"run-once", "--service", "shop"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("TMPDIR", t.TempDir())
			for name, value := range map[string]string{
				"STATE_DIR": t.TempDir(), "RESULTS_DIR": t.TempDir(), "TIER1_AGENT": "claude", "NOTIFY_TIMEOUT": "1s", "APPRISE_URLS": "json://127.0.0.1:1",
				row.variable: row.value,
			} {
				t.Setenv("CLAUDEOPS_"+name, value)
			}
			var box mailbox
			for n, want := range []struct {
				after    time.Duration
				fails    error
				messages int
			}{{0, errors.New("busy"), 0}, {2 * time.Minute, nil, 1}, {3 * time.Minute, nil, 1}, {25 * time.Hour, nil, 2}} {
				box.fails = want.fails
				code := Main(t.Context(), append([]string{"claudeops", "--env-file", os.DevNull}, row.args...), Streams{
					Out: io.Discard, Err: io.Discard, Courier: &box, Now: func() time.Time { return noon.Add(want.after) },
				})
				if row.says == "" {
					want.messages = 0
				}
				if code != exitUsage || len(box.messages) != want.messages {
					t.Fatalf("call %d: exit %d, messages %+v; want %d", n, code, box.messages, want.messages)
				}
			}
			for _, m := range box.messages {
				if m.Title != "claudeops does not start: nothing is watched" || !strings.Contains(m.Body, row.says) {
					t.Errorf("told %+v, want %s", m, row.says)
				}
			}
		})
	}
}

func TestAFileOfAnotherUserIsNotOurs(t *testing.T) {
	ours, others := filepath.Join(t.TempDir(), "ours"), "/etc/passwd"
	if err := os.WriteFile(ours, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if os.Getuid() == 0 {
		others = filepath.Join(t.TempDir(), "others")
		if err := errors.Join(os.WriteFile(others, nil, 0o600), os.Chown(others, 1, 1)); err != nil {
			t.Fatal(err)
		}
	}
	if !isOurs(ours) || isOurs(others) || isOurs(ours+"-missing") {
		t.Errorf("ours: %v, another user's: %v, none: %v", isOurs(ours), isOurs(others), isOurs(ours+"-missing"))
	}
}

// noon is a time whose day is the same in every zone.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

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
	pid := stoppedHolder(t, filepath.Join(dir, statedir.CycleLock), filepath.Join(dir, notify.LockName))
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
