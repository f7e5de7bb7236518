package tiers

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A claudeops-hook is called where it is an executable file that tells the same version, and nothing else is.
func TestTheHookProgramFits(t *testing.T) {
	const ours = "echo 'claudeops-hook v1.2.3 (go1.26, linux/amd64)'"
	for name, tt := range map[string]struct {
		script string
		change func(path string) error
		fault  string
	}{
		"of the same version":     {ours, nil, ""},
		"without an environment":  {`[ -z "$SECRET" ] && ` + ours, nil, ""},
		"without standard input":  {"read -r line && exit 1; " + ours, nil, ""},
		"of another version":      {strings.ReplaceAll(ours, "v1.2.3", "v1.2.30"), nil, "is of version v1.2.30, and this program of v1.2.3"},
		"another program":         {strings.ReplaceAll(ours, "claudeops-hook", "claudeops"), nil, "is another program"},
		"says nothing":            {"exit 0", nil, "is another program"},
		"says its name alone":     {"echo claudeops-hook", nil, "is another program"},
		"says too much":           {ours + "; while :; do echo y; done", nil, "it said more than"},
		"fails":                   {ours + "; exit 3", nil, "exit status 3"},
		"is killed":               {"kill -KILL $$", nil, "killed"},
		"leaves something behind": {ours + "; sleep 3600 &", nil, "it left something running"},
		"missing":                 {ours, os.Remove, "no claudeops-hook in "},
		"not executable":          {ours, func(path string) error { return os.Chmod(path, 0o600) }, "cannot be executed"},
		"no program":              {ours, func(path string) error { return os.WriteFile(path, []byte("\x00"), 0o600) }, "exec format error"},
		"a folder":                {ours, func(path string) error { return errors.Join(os.Remove(path), os.Mkdir(path, 0o700)) }, "is no regular file"},
		"a link": {ours, func(path string) error {
			return errors.Join(os.Rename(path, path+"-1"), os.Symlink(path+"-1", path))
		}, "is no regular file"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("SECRET", "hunter22")
			path := filepath.Join(t.TempDir(), HookProgramName)
			must(t, os.WriteFile(path, []byte("#!/bin/sh\n"+tt.script+"\n"), 0o700))
			if tt.change != nil {
				must(t, tt.change(path))
			}
			err := fitsAsHook(t.Context(), path, "v1.2.3")
			mourn(t)
			if tt.fault == "" && err != nil || tt.fault != "" && (err == nil || !strings.Contains(err.Error(), tt.fault)) {
				t.Errorf("%v, want %q", err, tt.fault)
			}
			if missing := errors.Is(err, ErrNoHookProgram); missing != (name == "missing") {
				t.Errorf("it is missing: %t", missing)
			}
		})
	}
}

// mourn takes the exit statuses of what a program left behind: while these tests are the reaper, such a one is their child.
func mourn(t *testing.T) {
	t.Helper()
	for !childless() {
		if _, err := syscall.Wait4(-1, nil, 0, nil); err != nil && !errors.Is(err, syscall.EINTR) {
			t.Fatal(err)
		}
	}
}

// One that does not answer holds up no cycle: neither to its end nor beyond a signal.
func TestAHookProgramThatHangsIsEnded(t *testing.T) {
	path := filepath.Join(t.TempDir(), HookProgramName)
	must(t, errors.Join(unix.Mkfifo(path+".begun", 0o600), unix.Mkfifo(path+".never", 0o600)))
	must(t, os.WriteFile(path, []byte("#!/bin/sh\necho > $0.begun\ncat $0.never\n"), 0o700))
	ctx, cancel := context.WithCancelCause(t.Context())
	signal := errors.New("ended by a signal")
	go func() {
		_, err := os.ReadFile(path + ".begun") // once the program writes
		cancel(errors.Join(signal, err))
	}()
	if err := fitsAsHook(ctx, path, "v1.2.3"); !errors.Is(err, signal) {
		t.Errorf("%v, want %v", err, signal)
	}
	mourn(t)
	if versionWithin > 15*time.Second {
		t.Errorf("a program that hangs is waited for for %v", versionWithin)
	}
}

// Beside the binary of these tests stands none.
func TestWithoutAHookProgramThisVeryProgramIsCalled(t *testing.T) {
	path, err := FindHookProgram(t.Context(), "v1.2.3")
	if path != "" || !errors.Is(err, ErrNoHookProgram) {
		t.Errorf("%q, %v", path, err)
	}
}
