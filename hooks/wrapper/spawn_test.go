package wrapper

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/claudeops/claudeops/hooks"
	"github.com/claudeops/claudeops/testkit/need"
)

func TestANTILOOP_Chaos_MissingFile(t *testing.T) {
	need.Full(t, "python3, gawk and busybox")
	for name, tt := range map[string]struct {
		args  []string
		code  int
		error string
	}{
		"program":       {[]string{"./missing.py"}, 127, "Failed to spawn: No such file or directory"},
		"in PATH":       {[]string{"no-such-program"}, 127, "Failed to spawn: No such file or directory"},
		"line":          {[]string{"/bin/sh", "-c", "./missing.py --flag"}, 127, "Failed to spawn: No such file or directory ("},
		"folder":        {[]string{"./file/missing.py"}, 127, "Failed to spawn: Not a directory"},
		"interpreter":   {[]string{"./interpreter"}, 127, "Failed to spawn: bad interpreter /no/such/interpreter: No such file or directory"},
		"nothing":       {[]string{""}, 127, "Failed to spawn: No such file or directory"},
		"python":        {[]string{"python3", "missing.py"}, 2, "Failed to spawn: No such file or directory ("},
		"python, shell": {[]string{"/bin/sh", "-c", "python3 \"$PWD/x/missing.py\" --a"}, 2, "Failed to spawn: No such file or directory ("},
		"sh":            {[]string{"sh", "missing.sh"}, 2, "Failed to spawn: No such file or directory ("},
		"bash":          {[]string{"bash", "missing.sh"}, 127, "Failed to spawn: No such file or directory ("},
		"perl":          {[]string{"perl", "missing.pl"}, 2, "Failed to spawn: No such file or directory ("},
		"awk":           {[]string{"gawk", "-f", "missing.awk"}, 2, "Failed to spawn: No such file or directory ("},
		"mawk":          {[]string{"mawk", "-f", "missing.awk"}, 2, "Failed to spawn: No such file or directory ("},
		"busybox":       {[]string{"busybox", "sh", "missing.sh"}, 2, "Failed to spawn: No such file or directory ("},
		"sourced":       {[]string{"sh", "sourcing.sh"}, 2, "No such file or directory (sourcing.sh: 2: .: cannot open ./lib.sh"},
		"env":           {[]string{"env", "no-such-program"}, 127, "Failed to spawn: No such file or directory ("},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := program(t, tt.args...)
			w.Command.Key = cmp.Or(w.Command.Key, "nothing")
			must(t, os.WriteFile(filepath.Join(w.Dir, "file"), nil, 0o600))
			must(t, os.WriteFile(filepath.Join(w.Dir, "interpreter"), []byte("#!/no/such/interpreter -x\n"), 0o700))
			must(t, os.WriteFile(filepath.Join(w.Dir, "sourcing.sh"), []byte("#\n. ./lib.sh\n"), 0o600))
			got := w.run(t, message("PreToolUse"))
			if got.code != tt.code || got.stdout != "" || got.stderr == "" {
				t.Errorf("got %+v, want exit code %d", got, tt.code)
			}
			w.failed(t, 1, tt.error)
			w.run(t, message("PreToolUse"))
			w.run(t, message("PreToolUse"))
			if h := w.hook(t); h.State != hooks.Open {
				t.Errorf("%s after three failures, want open", h.State)
			}
			got = w.run(t, message("PreToolUse"))
			if got.code != 0 || got.stderr != "" || !strings.Contains(got.stdout, `"result":"continue"`) {
				t.Errorf("when open: %+v", got)
			}
		})
	}
}

func TestANTILOOP_Chaos_PermissionError(t *testing.T) {
	for name, tt := range map[string]struct {
		args  []string
		error string
	}{
		"program":         {[]string{"./norun"}, "Failed to spawn: Permission denied"},
		"folder":          {[]string{"./folder"}, "Failed to spawn: Permission denied"},
		"line":            {[]string{"/bin/sh", "-c", "./norun"}, "Failed to spawn: Permission denied ("},
		"line, folder":    {[]string{"/bin/bash", "-c", "./folder"}, "Failed to spawn: Is a directory ("},
		"other machine's": {[]string{"./binary"}, "Failed to spawn: Exec format error"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := program(t, tt.args...)
			must(t, os.WriteFile(filepath.Join(w.Dir, "norun"), []byte("#!/bin/sh\n"), 0o600))
			must(t, os.WriteFile(filepath.Join(w.Dir, "binary"), []byte("\x7fELF\x00\x00\x00\n"), 0o700))
			must(t, os.Mkdir(filepath.Join(w.Dir, "folder"), 0o700))
			got := w.run(t, message("PreToolUse"))
			if got.code != 126 || got.stdout != "" || got.stderr == "" {
				t.Errorf("got %+v, want exit code 126", got)
			}
			w.failed(t, 1, tt.error)
		})
	}
}

func TestScriptWithoutInterpreterLine(t *testing.T) {
	w := program(t, "./script", "a  b")
	must(t, os.WriteFile(filepath.Join(w.Dir, "script"), []byte("echo \"$1\"; cat; exit 5\n"), 0o700))
	equal(t, w.run(t, message("Stop")), result{5, "a  b\n" + message("Stop"), ""})
}

// Programs are found where execvp finds them.
func TestLookUp(t *testing.T) {
	dir := t.TempDir()
	for name, mode := range map[string]os.FileMode{"a/no": 0o600, "a/both": 0o600, "b/both": 0o700, "b/x": 0o700} {
		must(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700))
		must(t, os.WriteFile(filepath.Join(dir, name), nil, mode))
	}
	t.Chdir(filepath.Join(dir, "b"))
	path := "PATH=" + dir + "/a:" + dir + "/b"
	for _, tt := range []struct {
		name    string
		environ []string
		want    string
		err     error
	}{
		{"both", []string{path}, dir + "/b/both", nil},
		{"no", []string{path}, "", syscall.EACCES},
		{"none", []string{path}, "", syscall.ENOENT},
		{"x", []string{"PATH="}, "./x", nil},
		{"x", []string{"PATH=/none:"}, "./x", nil},
		{"x", nil, "", syscall.ENOENT},
		{"sh", nil, "/bin/sh", nil},
		{"./x", nil, "./x", nil},
	} {
		if got, err := lookUp(tt.name, tt.environ); got != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("%s in %v: %q, %v; want %q, %v", tt.name, tt.environ, got, err, tt.want, tt.err)
		}
	}
}
