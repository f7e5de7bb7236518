package probe

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/internal/child"
	"github.com/claudeops/claudeops/internal/procfs"
	"github.com/claudeops/claudeops/testkit/need"
)

// nagios is where Debian keeps monitoring plugins.
const nagios = "/usr/lib/nagios/plugins"

func pluginCheck(timeout time.Duration, command ...string) *Check {
	return &Check{Type: check.Service, Timeout: timeout, Attempts: 1, Options: &Plugin{Command: command}}
}

func runPlugin(t *testing.T, timeout time.Duration, command ...string) check.Result {
	t.Helper()
	return attemptOnce(t, pluginCheck(timeout, command...), Settings{Environ: os.Environ()})
}

// script writes a plugin and returns its path.
func script(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "check_shop")
	if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestPluginsOfDebianAreRunAsTheyAre(t *testing.T) {
	need.Full(t, "Debian's monitoring plugins")
	if _, err := os.Stat(nagios + "/check_dummy"); err != nil {
		t.Fatalf("the tests need Debian's package monitoring-plugins-basic: %v", err)
	}
	open := listen(t, "tcp", "127.0.0.1:0")
	_, port, _ := strings.Cut(open, ":")
	for _, test := range []struct {
		command []string
		status  check.Status
		text    string
	}{
		{[]string{nagios + "/check_dummy", "0", "all good"}, check.Healthy, ""},
		{[]string{nagios + "/check_dummy", "1", "a bit slow"}, check.Degraded, "WARNING: a bit slow"},
		{[]string{nagios + "/check_dummy", "2", "gone"}, check.Down, "CRITICAL: gone"},
		{[]string{nagios + "/check_dummy", "3", "no idea"}, check.Unknown,
			"plugin check_dummy could not tell (exit code 3, unknown): UNKNOWN: no idea"},
		{[]string{nagios + "/check_load", "-w", "9999,9999,9999", "-c", "9999,9999,9999"}, check.Healthy, ""},
		{[]string{nagios + "/check_load"}, check.Unknown, "plugin check_load could not tell (exit code 3, unknown): "},
		{[]string{nagios + "/check_tcp", "-H", "127.0.0.1", "-p", port}, check.Healthy, ""},
		{[]string{nagios + "/check_tcp", "-H", "127.0.0.1", "-p", "1"}, check.Down,
			"connect to address 127.0.0.1 and port 1: Connection refused"},
	} {
		f := runPlugin(t, time.Minute, test.command...)
		if f.Status != test.status || !strings.HasPrefix(f.Error, test.text) || (test.text == "") != (f.Error == "") || f.ResponseTimeMS == nil {
			t.Errorf("%q: %+v; want %s, %q", test.command, f, test.status, test.text)
		}
		if strings.Contains(f.Error, "|") {
			t.Errorf("%q: the performance data was to be cut: %q", test.command, f.Error)
		}
	}
}

func TestPluginIsFoundInThePathOfTheEnvironmentGiven(t *testing.T) {
	need.Full(t, "Debian's monitoring plugins")
	environ := []string{"PATH=relative::" + nagios}
	f := attemptOnce(t, pluginCheck(time.Minute, "check_dummy", "1", "found"), Settings{Environ: environ})
	if f.Status != check.Degraded || f.Error != "WARNING: found" {
		t.Errorf("%+v; want degraded, %q", f, "WARNING: found")
	}
}

func TestPluginThatFailsItselfSaysSo(t *testing.T) {
	dir := t.TempDir()
	plain := filepath.Join(dir, "plain")
	if err := os.WriteFile(plain, []byte("#!/bin/sh\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	missing := filepath.Join(dir, "missing")
	noInterpreter := script(t, "#!/no/such/interpreter\n")
	noProgram := script(t, "just text")
	crlf, optionCRLF, envCRLF := script(t, "#!/bin/sh\r\n"), script(t, "#!/bin/bash -e\r\n"), script(t, "#!/usr/bin/env sh\r\n")
	foreign := script(t, "\x7fELF\x02\x02\x01"+strings.Repeat("\x00", 64)) // of a big-endian one
	for _, test := range []struct {
		name string
		path string
		want string
	}{
		{"missing", missing, "the plugin cannot be run: there is no program " + missing},
		{"missing in PATH", "no-such-plugin-at-all", "the plugin cannot be run: there is no program no-such-plugin-at-all in PATH ("},
		{"not executable", plain, "the plugin cannot be run: " + plain + " cannot be started: it is not executable for this user (permission denied)"},
		{"a folder", dir, "the plugin cannot be run: " + dir + " cannot be started: it is not executable for this user (permission denied)"},
		{"no interpreter", noInterpreter,
			"the plugin cannot be run: " + noInterpreter + " cannot be started: the interpreter that its first line names does not exist: /no/such/interpreter"},
		{"CR LF", crlf, "the plugin cannot be run: " + crlf + " cannot be started: its lines end with CR LF"},
		{"CR LF and an option", optionCRLF, "the plugin cannot be run: " + optionCRLF + " cannot be started: its lines end with CR LF"},
		{"CR LF and env", envCRLF, "the plugin cannot be run: " + envCRLF + " cannot be started: its lines end with CR LF"},
		{"another processor", foreign, "the plugin cannot be run: " + foreign + " cannot be started: it is neither a program for this machine's processor"},
		{"no program", noProgram, "the plugin cannot be run: " + noProgram + " cannot be started: it is neither a program"},
		{
			"127", script(t, "#!/bin/sh\necho lib.so: not found >&2\nexit 127\n"),
			"plugin check_shop or a program that it calls cannot be run (exit code 127): lib.so: not found",
		},
		{"a signal", script(t, "#!/bin/sh\necho begun\nkill -SEGV $$\n"), "plugin check_shop was ended by SIGSEGV: begun"},
		{"silent", script(t, "#!/bin/sh\nexit 2\n"), "plugin check_shop said nothing, exit code 2"},
		{
			"only performance data", script(t, "#!/bin/sh\necho '|time=3'; echo why >&2\nexit 2\n"),
			"plugin check_shop said nothing, exit code 2: why",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := runPlugin(t, time.Minute, test.path)
			status := check.Down
			if strings.Contains(test.want, "cannot be run") {
				status = check.Unknown // it says nothing about the service
			}
			if f.Status != status || !strings.HasPrefix(f.Error, test.want) {
				t.Errorf("%+v; want %s, %q", f, status, test.want)
			}
		})
	}
}

func TestPluginOfWhichTheFirstLineCounts(t *testing.T) {
	path := script(t, `#!/bin/sh
printf '\n  SHOP WARNING - 3 orders wait | wait=3;2;5\nlong output | more=1\n'
exit 1
`)
	if f := runPlugin(t, time.Minute, path); f.Status != check.Degraded || f.Error != "SHOP WARNING - 3 orders wait" {
		t.Errorf("%+v; want degraded and the first line without its performance data", f)
	}
}

func TestPluginThatReadsGetsNothing(t *testing.T) {
	path := script(t, "#!/bin/sh\nread line && exit 2\nexit 0\n")
	if f := runPlugin(t, time.Minute, path); f.Status != check.Healthy {
		t.Errorf("%+v; want healthy: there is nothing to read", f)
	}
}

func TestPluginThatFloodsIsBounded(t *testing.T) {
	forever := script(t, "#!/bin/sh\nexec yes 'SHOP OK - and so on'\n")
	want := "plugin check_shop wrote more than 16 MiB and was killed: SHOP OK - and so on"
	if f := runPlugin(t, time.Minute, forever); f.Status != check.Down || f.Error != want {
		t.Errorf("%+v; want down, %q", f, want)
	}
	megabyte := script(t, "#!/bin/sh\nhead -c 1000000 /dev/zero | tr '\\0' x\nexit 1\n")
	if f := runPlugin(t, time.Minute, megabyte); f.Status != check.Degraded || len(f.Error) != child.DefaultKeep {
		t.Errorf("%s with %d bytes; want degraded: what is drained does not hinder it", f.Status, len(f.Error))
	}
}

// pidIn waits until a process has written its id to the file, and returns the id.
func pidIn(t *testing.T, file string) int {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	return pid
}

// wantEnded waits until a killed process has ended; it may still be a zombie.
func wantEnded(t *testing.T, pid int) {
	t.Helper()
	deadline := time.Now().Add(time.Minute)
	for {
		p, err := procfs.Read(pid)
		if err != nil || p.Dead() {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("process %d runs still: %+v", pid, p)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// untilThere returns a context that ends once a file exists.
func untilThere(t *testing.T, file string) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	go func() {
		for ctx.Err() == nil {
			if _, err := os.Stat(file); err == nil {
				cancel()
			}
			time.Sleep(time.Millisecond)
		}
	}()
	return ctx
}

func TestPluginThatHangsIsKilledWithItsChildren(t *testing.T) {
	dir := t.TempDir()
	path := script(t, `#!/bin/sh
trap '' TERM INT HUP
echo "begun"
sleep 1000 &
echo $! >"`+dir+`/part"
mv "`+dir+`/part" "`+dir+`/child"
wait
sleep 1000
`)
	f := attemptOf(pluginCheck(2*time.Second, path), Settings{Environ: os.Environ()})(untilThere(t, filepath.Join(dir, "child")))
	if want := "plugin check_shop did not end within 2s and was killed: begun"; f.Status != check.Down || f.Error != want || f.ResponseTimeMS != nil {
		t.Errorf("%+v; want down, %q", f, want)
	}
	wantEnded(t, pidIn(t, filepath.Join(dir, "child")))
}

func TestPluginWhoseChildrenKeepItsOutputOpenIsNotWaitedFor(t *testing.T) {
	dir := t.TempDir()
	path := script(t, `#!/bin/sh
sleep 1000 &
echo $! >"`+dir+`/child"
echo "SHOP WARNING - left something behind"
exit 1
`)
	f := runPlugin(t, time.Minute, path)
	if want := "SHOP WARNING - left something behind"; f.Status != check.Degraded || f.Error != want {
		t.Errorf("%+v; want degraded, %q", f, want)
	}
	wantEnded(t, pidIn(t, filepath.Join(dir, "child")))
}

func TestPluginWhoseChildEscapesIsNotWaitedForEither(t *testing.T) {
	dir := t.TempDir()
	path := script(t, `#!/bin/sh
setsid sh -c 'echo $$ >"`+dir+`/child.part"; mv "`+dir+`/child.part" "`+dir+`/child"; exec sleep 1000' &
while ! [ -e "`+dir+`/child" ]; do sleep 0.01; done
echo "SHOP CRITICAL - a daemon of its own"
exit 2
`)
	f := runPlugin(t, time.Minute, path)
	t.Cleanup(func() { _ = syscall.Kill(pidIn(t, filepath.Join(dir, "child")), syscall.SIGKILL) })
	if want := "SHOP CRITICAL - a daemon of its own"; f.Status != check.Down || f.Error != want {
		t.Errorf("%+v; want down, %q", f, want)
	}
}

func TestPluginEndsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if f := attemptOf(pluginCheck(time.Minute, script(t, "#!/bin/sh\nexit 0\n")), Settings{Environ: os.Environ()})(ctx); f.Status != check.Down {
		t.Errorf("%+v; want down: it was not begun", f)
	}
	dir := t.TempDir()
	path := script(t, "#!/bin/sh\necho $$ >"+dir+"/part; mv "+dir+"/part "+dir+"/pid\nsleep 1000\n")
	if f := attemptOf(pluginCheck(time.Minute, path), Settings{Environ: os.Environ()})(untilThere(t, dir+"/pid")); f.Status != check.Down {
		t.Errorf("%+v; want down", f)
	}
	wantEnded(t, pidIn(t, dir+"/pid"))
}

func TestPluginSeesNoSecrets(t *testing.T) {
	given := []string{
		"PATH=/usr/bin:/bin", "HOME=/root", "LC_ALL=C", "TZ=UTC", "SHOP_REGION=eu", "SHOP_PASSWORD=a", "PGPASSWORD=b", "ANTHROPIC_API_KEY=c",
		"CLAUDEOPS_APPRISE_URLS=d", "CLAUDEOPS_STATE_DIR=/state", "nothing", "SHOPDB=of-a-check",
	}
	want := []string{"PATH=/usr/bin:/bin", "HOME=/root", "LC_ALL=C", "TZ=UTC", "SHOP_REGION=eu"}
	if got := pluginEnviron(Settings{Environ: given, Secret: []string{"SHOPDB"}}); !slices.Equal(got, want) {
		t.Errorf("%q; want %q", got, want)
	}
	if got := pluginEnviron(Settings{Environ: given, Secret: []string{"SHOPDB"}, RunToken: "run"}); !slices.Equal(got, append(want, "CLAUDEOPS_RUN_TOKEN=run")) {
		t.Errorf("in a session %q; want the run token too", got)
	}
	t.Setenv("SHOP_INHERITED", "x")
	path := script(t, "#!/bin/sh\necho \"$SHOP_INHERITED.\"\nexit 1\n")
	if f := attemptOnce(t, pluginCheck(time.Minute, path), Settings{}); f.Error != "." {
		t.Errorf("%+v; an environment that is given empty is to be empty", f)
	}
}

// A variable is secret because a check uses it as such, whatever its name, and is secret for all checks.
func TestPluginsDoNotHaveWhatOtherChecksLogInWith(t *testing.T) {
	path := script(t, "#!/bin/sh\nread line <\"$FILE\"\necho \"$PW$TOK$OTHER. $line\"\nexit 2\n")
	file := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(file, []byte("login with database-word, header-word and elsewhere-word failed, says visible\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	services := []Service{
		{Name: "plugin", Checks: []Check{*pluginCheck(time.Minute, path)}},
		{Name: "others", Checks: []Check{
			{Type: check.Database, Attempts: 1, Options: &Database{URL: "postgres://u@127.0.0.1:1/", PasswordEnv: "PW"}},
			{Type: check.HTTP, Attempts: 1, Options: &HTTP{URL: "http://127.0.0.1:1/", HeadersEnv: map[string]string{"X-Shop": "TOK"}}},
		}},
	}
	if got := SecretVariables(services); !slices.Equal(got, []string{"PW", "TOK"}) {
		t.Errorf("%q are the secret variables", got)
	}
	settings := Settings{Secret: []string{"OTHER"}, Environ: []string{
		"PATH=/usr/bin:/bin", "FILE=" + file, "PW=database-word", "TOK=header-word", "OTHER=elsewhere-word", "SEEN=visible"}}
	report := Run(attemptContext(t, time.Minute), services, settings, Bounds{}, nil)
	if got, want := report[0].Error, ". login with ***, *** and *** failed, says visible"; got != want {
		t.Errorf("%q; want %q", got, want)
	}
}

// A child that is left behind may hold the output open; that is not part of the plugin's time.
func TestPluginTakesAsLongAsItRuns(t *testing.T) {
	alone := filepath.Join(t.TempDir(), "alone")
	path := script(t, "#!/bin/sh\nsetsid sh -c 'echo $$ >"+alone+".part; mv "+alone+".part "+alone+"; exec sleep 1000' &\nwhile [ ! -e "+alone+" ]; do sleep 0.01; done\n")
	t.Cleanup(func() { _ = syscall.Kill(pidIn(t, alone), syscall.SIGKILL) })
	began := time.Now()
	f := runPlugin(t, time.Minute, path)
	if waited := time.Since(began); f.Status != check.Healthy || f.ResponseTimeMS == nil || time.Duration(*f.ResponseTimeMS-1)*time.Millisecond > waited-time.Second { // it is rounded up
		t.Errorf("took %s, of which %s were waiting for it: %+v", waited, time.Second, f)
	}
}
