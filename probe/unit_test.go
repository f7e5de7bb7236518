package probe

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/testkit/need"
)

func unitCheck(name string, timeout time.Duration) *Check {
	return &Check{Type: check.Service, Timeout: timeout, Attempts: 1, Options: &Unit{Name: name}}
}

// scripted puts a program of that name first in PATH, because a test cannot start systemd itself.
func scripted(t *testing.T, name, script string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
}

// systemctlShow returns the output of `systemctl show` with values such as "ActiveState=active", and those that are always there.
func systemctlShow(values ...string) []byte {
	return []byte("LoadState=loaded\nLoadError=\n" + strings.Join(values, "\n") + "\n")
}

func TestUnitIsWhatItsStateMeans(t *testing.T) {
	const now = time.Hour
	ago := func(past time.Duration) string {
		return fmt.Sprintf("StateChangeTimestampMonotonic=%d", (now - past).Microseconds())
	}
	for _, test := range []struct {
		name   string
		output []byte
		status check.Status
		text   string
	}{
		{"active", systemctlShow("ActiveState=active", "SubState=running"), check.Healthy, ""},
		{"done, and remains", systemctlShow("ActiveState=active", "SubState=exited", "Type=oneshot", "RemainAfterExit=yes"), check.Healthy, ""},
		{"a timer", systemctlShow("ActiveState=active", "SubState=waiting"), check.Healthy, ""},
		{"reloading", systemctlShow("ActiveState=reloading", "SubState=reload"), check.Healthy, ""},
		{
			"restarted and up again", systemctlShow("ActiveState=active", "SubState=running", "NRestarts=3", ago(12*time.Second)),
			check.Degraded, "was restarted 3 times, the last time 12 s ago",
		},
		{"restarted long ago", systemctlShow("ActiveState=active", "SubState=running", "NRestarts=3", ago(time.Minute)), check.Healthy, ""},
		{
			"crash loop", systemctlShow("ActiveState=activating", "SubState=auto-restart", "Result=exit-code", "ExecMainCode=1", "ExecMainStatus=203",
				"NRestarts=7"),
			check.Down, "starts again and again: failed (exit-code 203), restarted 7 times",
		},
		{
			"crash loop of a newer systemd", systemctlShow("ActiveState=activating", "SubState=auto-restart-queued", "Result=signal", "ExecMainCode=2",
				"ExecMainStatus=11", "NRestarts=1"),
			check.Down, "starts again and again: failed (signal SIGSEGV), restarted once",
		},
		{
			"starting", systemctlShow("ActiveState=activating", "SubState=start-pre", "Type=notify", ago(90*time.Second)),
			check.Degraded, "is starting (start-pre) for 1m30s",
		},
		{"a job at work", systemctlShow("ActiveState=activating", "SubState=start", "Type=oneshot"), check.Healthy, ""},
		{"stopping", systemctlShow("ActiveState=deactivating", "SubState=stop-sigterm"), check.Down, "is stopping (stop-sigterm)"},
		{
			"failed", systemctlShow("ActiveState=failed", "SubState=failed", "Result=exit-code", "ExecMainCode=1", "ExecMainStatus=1", ago(4*time.Minute)),
			check.Down, "failed (exit-code 1) 4 min ago",
		},
		{
			"killed for memory", systemctlShow("ActiveState=failed", "SubState=failed", "Result=oom-kill", "ExecMainCode=2", "ExecMainStatus=9"),
			check.Down, "failed (oom-kill)",
		},
		{
			"given up", systemctlShow("ActiveState=failed", "Result=start-limit-hit", "NRestarts=5", ago(3*time.Hour/4)),
			check.Down, "failed (start-limit-hit) 45 min ago, restarted 5 times",
		},
		{"stopped", systemctlShow("ActiveState=inactive", "SubState=dead", "Type=simple", "Result=success"), check.Down, "does not run (inactive)"},
		{"a job that is done", systemctlShow("ActiveState=inactive", "Type=oneshot", "RemainAfterExit=no", "Result=success"), check.Healthy, ""},
		{
			"a job of a timer", systemctlShow("ActiveState=inactive", "Type=simple", "TriggeredBy=backup.timer", "RemainAfterExit=no", "Result=success"),
			check.Healthy, "",
		},
		{
			"a stopped one that would have remained", systemctlShow("ActiveState=inactive", "Type=oneshot", "RemainAfterExit=yes", "Result=success"),
			check.Down, "does not run (inactive)",
		},
		{
			"condition", systemctlShow("ActiveState=inactive", "Type=simple", "Result=success", "ConditionResult=no", "ConditionTimestampMonotonic=5"),
			check.Down, "does not run: a condition of it was not met",
		},
		{"masked", systemctlShow("LoadState=masked", "ActiveState=inactive"), check.Down,
			"is masked: it does not run, and cannot be started before `systemctl unmask`"},
		{"unknown", systemctlShow("LoadState=not-found", "ActiveState=inactive"), check.Down, "does not exist: systemd finds no such unit"},
		{
			"not readable", systemctlShow("LoadState=bad-setting", "LoadError=org.freedesktop.systemd1.BadUnitSetting \"no ExecStart\"",
				"ActiveState=inactive"),
			check.Down, "cannot be loaded (bad-setting): org.freedesktop.systemd1.BadUnitSetting \"no ExecStart\"",
		},
		{"maintenance", systemctlShow("ActiveState=maintenance", "SubState=x"), check.Down, "is maintenance (x)"},
		{"nothing", nil, check.Down, "is not known: systemctl said nothing of it"},
		{"only the first of several units", []byte("LoadState=loaded\nActiveState=active\n\nActiveState=failed\n"), check.Healthy, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := readUnit(test.output, now).result("shop.service")
			want := "shop.service " + test.text
			if test.name == "starting" {
				want = check.AsksForTime + want
			}
			if f.Status != test.status || f.Error != want {
				t.Errorf("%s %q; want %s %q", f.Status, f.Error, test.status, want)
			}
		})
	}
}

func TestUnitAsksSystemctlByItsName(t *testing.T) {
	dir := t.TempDir()
	scripted(t, "systemctl", `echo "$@" >"`+dir+`/asked"; env >"`+dir+`/environ"; printf 'LoadState=loaded\nActiveState=active\n'`)
	t.Setenv("SHOP_PASSWORD", "hunter22")
	k := unitCheck("-shop.service", time.Minute)
	k.Options.(*Unit).User = true
	if f := attemptOnce(t, k, Settings{}); f.Status != check.Healthy || f.ResponseTimeMS == nil {
		t.Errorf("%+v; want healthy, with the time it took", f)
	}
	asked, err := os.ReadFile(filepath.Join(dir, "asked"))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.TrimSpace(string(asked)); !strings.HasPrefix(got, "--user show ") || !strings.HasSuffix(got, " -- -shop.service") {
		t.Errorf("systemctl was called with %q", got)
	}
	environ, err := os.ReadFile(filepath.Join(dir, "environ"))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(environ), "hunter22") || !strings.Contains(string(environ), "XDG_RUNTIME_DIR=") {
		t.Errorf("the environment of systemctl is to have XDG_RUNTIME_DIR and no password:\n%s", environ)
	}
}

func TestUnitSaysWhyItCouldNotBeAskedFor(t *testing.T) {
	for _, test := range []struct{ name, script, want string }{
		{
			"no systemd", "echo 'System has not been booted with systemd as init system (PID 1). Can'\\''t operate.' >&2; exit 1",
			"systemd cannot be asked: systemd does not run on this machine",
		},
		{
			"no bus", "echo 'Failed to connect to bus: No medium found' >&2; echo more >&2; exit 1",
			"systemd cannot be asked: systemctl says: Failed to connect to bus: No medium found",
		},
		{"nothing said", "exit 4", "systemd cannot be asked: systemctl exited with 4"},
		{"killed", "kill -9 $$", "systemd cannot be asked: systemctl was ended by SIGKILL"},
	} {
		t.Run(test.name, func(t *testing.T) {
			scripted(t, "systemctl", test.script)
			f := attemptOnce(t, unitCheck("shop.service", time.Minute), Settings{})
			if f.Status != check.Unknown || f.Error != test.want {
				t.Errorf("%+v; want unknown, %q", f, test.want)
			}
		})
	}
}

func TestUnitDoesNotWaitForSystemdForEver(t *testing.T) {
	scripted(t, "systemctl", "sleep 1000")
	f := attemptOnce(t, unitCheck("shop.service", 200*time.Millisecond), Settings{})
	if want := "no answer from systemd within 200ms"; f.Status != check.Unknown || f.Error != want {
		t.Errorf("%+v; want unknown, %q", f, want)
	}
}

func TestUnitWithoutSystemctlSaysSo(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	f := attemptOnce(t, unitCheck("shop.service", time.Minute), Settings{})
	want := "systemd cannot be asked: there is no program systemctl in PATH (" + dir + ")"
	if f.Status != check.Unknown || f.Error != want {
		t.Errorf("%+v; want unknown, %q", f, want)
	}
}

// The real systemctl, if there is one: its answers are understood whether or not systemd runs.
func TestUnitUnderstandsTheRealSystemctl(t *testing.T) {
	need.Full(t, "systemctl")
	if _, err := exec.LookPath("systemctl"); err != nil {
		t.Fatalf("the tests need systemctl (Debian's package systemd; it need not run): %v", err)
	}
	status, want := check.Unknown, "systemd cannot be asked: systemd does not run on this machine"
	if _, err := os.Stat("/run/systemd/system"); err == nil { // as in sd_booted(3)
		status, want = check.Down, "no-such-unit-at-all.service does not exist: systemd finds no such unit"
	}
	f := attemptOnce(t, unitCheck("no-such-unit-at-all.service", time.Minute), Settings{})
	if f.Status != status || f.Error != want {
		t.Errorf("%+v; want %s, %q", f, status, want)
	}
}
