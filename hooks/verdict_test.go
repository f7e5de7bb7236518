package hooks

import (
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"
)

// exited returns the end of a hook that exited by itself.
func exited(code int, stdout, stderr string) *ending {
	return &ending{status: syscall.WaitStatus(code << 8), stdout: []byte(stdout), stderr: []byte(stderr)}
}

func TestWhatIsAFailureAndWhatAVerdict(t *testing.T) {
	const missing = "/usr/bin/python3: can't open file '/x/check.py': [Errno 2] No such file or directory"
	failed := func(text string) Outcome { return Outcome{Failed: true, Error: text} }
	spawned := func(err error) *ending { return &ending{err: err} }
	for name, tt := range map[string]struct {
		end   *ending
		event string
		code  int
		want  Outcome
	}{
		"success":              {exited(0, "x", "y"), "", 0, Outcome{}},
		"verdict":              {exited(2, "", "refused\n"), "PreToolUse", 2, Outcome{}},
		"silent verdict":       {exited(2, "", ""), "", 2, Outcome{}},
		"block":                {exited(2, "", "go on\n"), "Stop", 2, Outcome{Block: true}},
		"block of a subagent":  {exited(2, "", "go on\n"), "SubagentStop", 2, Outcome{Block: true}},
		"block by JSON":        {exited(0, `{"decision": "block", "reason": "x"}`+"\n", ""), "Stop", 0, Outcome{Block: true}},
		"block elsewhere":      {exited(0, `{"decision": "block"}`, ""), "PostToolUse", 0, Outcome{}},
		"block that fails":     {exited(1, `{"decision": "block"}`, "bad"), "Stop", 1, failed("Exit code 1: bad")},
		"no block: text":       {exited(0, `x {"decision":"block"}`, ""), "Stop", 0, Outcome{}},
		"no block: approved":   {exited(0, `{"decision":"approve"}`, ""), "Stop", 0, Outcome{}},
		"context at the end":   {exited(0, `{"hookSpecificOutput":{"additionalContext":"x"}}`, ""), "Stop", 0, Outcome{Block: true}},
		"own words of a block": {exited(2, "", "cat: x: No such file or directory\n"), "Stop", 2, Outcome{Block: true}},
		"failure":              {exited(1, "", "Traceback\nValueError: no\n\n"), "", 1, failed("Exit code 1: ValueError: no")},
		"silent failure":       {exited(9, "", ""), "", 9, failed("Exit code 9")},
		"Node.js": {
			exited(1, "", "x.js:1\n\nError: Cannot find module '/x.js'\n    at y\n\nNode.js v20.20.2\n"), "", 1,
			failed("Exit code 1: Error: Cannot find module '/x.js'"),
		},
		"colours":              {exited(1, "", "\x1b[31mError\x1b[0m:\tx\n"), "", 1, failed("Exit code 1: Error: x")},
		"missing script":       {exited(2, "", missing+"\n"), "PreToolUse", 2, failed("Failed to spawn: No such file or directory (" + missing + ")")},
		"missing, on Stop":     {exited(2, "", missing), "Stop", 2, failed("Failed to spawn: No such file or directory (" + missing + ")")},
		"missing, with output": {exited(2, "x", missing), "PreToolUse", 2, Outcome{}},
		"missing, quoted":      {exited(2, "", "These tests fail:\n"+missing), "PreToolUse", 2, Outcome{}},
		"not found": {
			exited(127, "", "sh: 1: x.py: not found\n"), "", 127,
			failed("Failed to spawn: No such file or directory (sh: 1: x.py: not found)"),
		},
		"not executable": {
			exited(126, "", "sh: 1: x.py: Permission denied\n"), "", 126,
			failed("Failed to spawn: Permission denied (sh: 1: x.py: Permission denied)"),
		},
		"asked to end":    {&ending{status: syscall.WaitStatus(syscall.SIGTERM)}, "", 143, failed("Ended by SIGTERM")},
		"a secret":        {exited(1, "", "login failed for --password hunter22"), "", 1, failed("Exit code 1: login failed for --password [redacted]")},
		"crash":           {&ending{status: syscall.WaitStatus(syscall.SIGSEGV)}, "", 139, failed("Ended by SIGSEGV")},
		"no such program": {spawned(&exec.Error{Name: "x", Err: exec.ErrNotFound}), "Stop", 127, failed("Failed to spawn: No such file or directory")},
		"no memory":       {spawned(syscall.ENOMEM), "", 126, failed("Failed to spawn: Cannot allocate memory")},
	} {
		if got := tt.end.outcome(tt.event); got != tt.want || tt.end.exitCode() != tt.code {
			t.Errorf("%s: exit code %d, %+v\nwant %d, %+v", name, tt.end.exitCode(), got, tt.code, tt.want)
		}
	}
}

// What interpreters say that do not find their script, and what is like it.
func TestAHookThatIsItselfBroken(t *testing.T) {
	for stderr, want := range map[string]bool{
		"/root/.pyenv/versions/3.11.7/bin/python3: can't open file '/x/check.py': [Errno 2] No such file or directory": true,
		"python3.13: can't open file 'check.py': [Errno 13] Permission denied":                                         true,
		"bash: warning: setlocale: LC_ALL: cannot change locale (x)\npython3: can't open file 'x'":                     true,
		"Can't open perl script \"check.pl\": No such file or directory":                                               true,
		"sh: 0: cannot open check.sh: No such file":                                                                    true,
		"/bin/dash: 0: cannot open check.sh: Permission denied":                                                        true,
		"sh: can't open 'check.sh': No such file or directory":                                                         true,
		"gawk: fatal: cannot open source file `check.awk' for reading: No such file or directory":                      true,
		"mawk: cannot open check.awk (No such file or directory)":                                                      true,
		"jq: error: Could not open file check.jq: No such file or directory":                                           true,
		"Installed 2 packages in 3ms\nerror: Failed to spawn: `check.py`\n  Caused by: No such file\n":                 true,

		"": false,
		"cat: missing: No such file or directory":                          false,
		"src/app.py: can't open file":                                      false,
		"I cannot open files: cannot open them":                            false,
		"refused: python3: can't open file 'check.py'":                     false,
		"python3: refused":                                                 false,
		"grep: cannot open\nsh: 0: cannot open check.sh: No such file\n":   false,
		"usage: check.py [-h]\ncheck.py: error: unrecognized arguments: x": false,
	} {
		if got := brokenLine([]byte(stderr)); (got != "") != want {
			t.Errorf("%q: %q", stderr, got)
		}
	}
}

func FuzzVerdict(f *testing.F) {
	f.Add(2, "Stop", `{"decision":"block"}`, "\x1b[31mx\x1b[0m\n\x1b[")
	f.Fuzz(func(t *testing.T, code int, event, stdout, stderr string) {
		e := exited(code&0xff, stdout, stderr)
		got := e.outcome(event).Error
		if !utf8.ValidString(got) || utf8.RuneCountInString(got) > maxError || strings.ContainsAny(got, "\n\r\t\x1b\x00\u009b\u202e\u2028") {
			t.Fatalf("%q becomes %q", stderr, got)
		}
	})
}
