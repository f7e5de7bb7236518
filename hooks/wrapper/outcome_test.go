package wrapper

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/claudeops/claudeops/hooks"
	"github.com/claudeops/claudeops/testkit/need"
)

// exit returns the end of a hook that exited by itself.
func exit(code int, stdout, stderr string) *ended {
	e := &ended{args: []string{"/bin/sh", "-c", `python3 "$DIR/check.py"; sh hooks/check.sh`}, status: syscall.WaitStatus(code << 8)}
	e.stdout, e.stderr = capture{headMax: heldMax}, capture{headMax: headMax, tailMax: headMax}
	e.stdout.add([]byte(stdout))
	e.stderr.add([]byte(stderr))
	return e
}

func TestJudge(t *testing.T) {
	const missing = "/usr/bin/python3: can't open file '/x/check.py': [Errno 2] No such file or directory\n"
	for name, tt := range map[string]struct {
		end   *ended
		event string
		code  int
		want  hooks.Outcome
	}{
		"success":         {end: exit(0, "x", "y"), want: hooks.Outcome{}},
		"verdict":         {end: exit(2, "", "refused\n"), code: 2, event: "PreToolUse", want: hooks.Outcome{}},
		"silent verdict":  {end: exit(2, "", ""), code: 2, want: hooks.Outcome{}},
		"block":           {end: exit(2, "", "go on\n"), code: 2, event: "Stop", want: hooks.Outcome{Block: true}},
		"block, subagent": {end: exit(2, "", "go on\n"), code: 2, event: "SubagentStop", want: hooks.Outcome{Block: true}},
		"block by JSON":   {end: exit(0, `{"decision": "block", "reason": "x"}`+"\n", ""), event: "Stop", want: hooks.Outcome{Block: true}},
		"block elsewhere": {end: exit(0, `{"decision": "block", "reason": "x"}`, ""), event: "PostToolUse", want: hooks.Outcome{}},
		"block and failure": {end: exit(1, `{"decision":"block"}`, "bad"), code: 1, event: "Stop",
			want: hooks.Outcome{Failed: true, Error: "Exit code 1: bad", Block: true}},
		"block, text before": {end: exit(0, `x {"decision":"block"}`, ""), event: "Stop", want: hooks.Outcome{}},
		"block, text behind": {end: exit(0, `{"decision":"block"} x`, ""), event: "Stop", want: hooks.Outcome{}},
		"block, odd members": {end: exit(0, `{"decision":"block","decision":"block","continue":1,"hookSpecificOutput":7}`, ""), event: "Stop",
			want: hooks.Outcome{Block: true}},
		"block, but ends": {end: exit(0, `{"decision":"block","continue":false}`, ""), event: "Stop", want: hooks.Outcome{}},
		"approve":         {end: exit(0, `{"decision":"approve"}`, ""), event: "Stop", want: hooks.Outcome{}},
		"context": {end: exit(0, `{"hookSpecificOutput":{"hookEventName":"Stop","additionalContext":"x"}}`, ""), event: "Stop",
			want: hooks.Outcome{Block: true}},
		"empty context":       {end: exit(0, `{"hookSpecificOutput":{"additionalContext":""}}`, ""), event: "Stop", want: hooks.Outcome{}},
		"too much to look at": {end: exit(0, `{"decision":"block"}`+strings.Repeat(" ", heldMax), ""), event: "Stop", want: hooks.Outcome{}},
		"failure": {end: exit(1, "", "Traceback\nValueError: no\n\n"), code: 1,
			want: hooks.Outcome{Failed: true, Error: "Exit code 1: ValueError: no", Block: false}},
		"silent failure": {end: exit(9, "", ""), code: 9, want: hooks.Outcome{Failed: true, Error: "Exit code 9", Block: false}},
		"Node.js": {end: exit(1, "", "x.js:1\n\nError: Cannot find module '/x.js'\n    at y\n\nNode.js v20.20.2\n"), code: 1,
			want: hooks.Outcome{Failed: true, Error: "Exit code 1: Error: Cannot find module '/x.js'", Block: false}},
		"colour": {end: exit(1, "", "\x1b[31mError\x1b[0m:\tx\x07\x1b[\n"), code: 1,
			want: hooks.Outcome{Failed: true, Error: "Exit code 1: Error: x", Block: false}},
		"no text": {end: exit(1, "", "\xff\xfe"), code: 1, want: hooks.Outcome{Failed: true, Error: "Exit code 1: �", Block: false}},
		"missing": {end: exit(2, "", missing), code: 2,
			want: failed("Failed to spawn: No such file or directory (" + strings.TrimSpace(missing) + ")")},
		"missing, on Stop": {end: exit(2, "", missing), code: 2, event: "Stop",
			want: failed("Failed to spawn: No such file or directory (" + strings.TrimSpace(missing) + ")")},
		"no block either": {end: exit(2, " \n", "cat: x: No such file or directory\n"), code: 2, event: "Stop", want: hooks.Outcome{}},
		"block all the same": {end: exit(2, "x", "cat: x: No such file or directory\n"), code: 2, event: "Stop",
			want: hooks.Outcome{Block: true}},
		"missing, with output": {end: exit(2, "x", missing), code: 2, want: hooks.Outcome{}},
		"missing is quoted":    {end: exit(2, "", "These tests fail:\n"+missing), code: 2, want: hooks.Outcome{}},
		"not found": {end: exit(127, "", "sh: 1: x.py: not found\n"), code: 127,
			want: hooks.Outcome{Failed: true, Error: "Failed to spawn: No such file or directory (sh: 1: x.py: not found)", Block: false}},
		"own 127": {end: exit(127, "", "no\n"), code: 127, want: hooks.Outcome{Failed: true, Error: "Exit code 127: no", Block: false}},
		"timeout": {end: &ended{asked: syscall.SIGTERM, timeout: 57 * time.Second}, code: 124, event: "Stop",
			want: hooks.Outcome{Failed: true, Error: "Timed out after 57s"}},
		"asked to end":     {end: askedToEnd(syscall.WaitStatus(syscall.SIGTERM)), code: 143, want: failed("Ended by SIGTERM")},
		"asked and killed": {end: askedToEnd(syscall.WaitStatus(syscall.SIGKILL)), code: 143, want: failed("Ended by SIGTERM")},
		"asked, says so":   {end: askedToEnd(143 << 8), code: 143, want: failed("Ended by SIGTERM")},
		"asked and lost":   {end: &ended{asked: syscall.SIGTERM, lost: errors.New("x")}, code: 143, want: failed("Ended by SIGTERM")},
		"tidied up":        {end: askedToEnd(0), code: 0, event: "Stop", want: hooks.Outcome{}},
		"asked, verdict":   {end: askedToEnd(2 << 8), code: 2, event: "Stop", want: hooks.Outcome{}},
		"asked, fails":     {end: askedToEnd(3 << 8), code: 3, want: failed("Exit code 3")},
		"crash": {end: &ended{status: syscall.WaitStatus(syscall.SIGSEGV)}, code: 139,
			want: hooks.Outcome{Failed: true, Error: "Ended by SIGSEGV"}},
		"spawn": {end: &ended{spawn: &unspawned{"x", syscall.ENOENT, ""}}, code: 127, event: "Stop",
			want: hooks.Outcome{Failed: true, Error: "Failed to spawn: No such file or directory"}},
		"no memory": {end: &ended{spawn: &unspawned{"x", syscall.ENOMEM, ""}}, code: 126,
			want: hooks.Outcome{Failed: true, Error: "Failed to spawn: Cannot allocate memory"}},
		"lost": {end: &ended{lost: errors.New("wait: no child")}, code: 1,
			want: hooks.Outcome{Failed: true, Error: "Lost: wait: no child"}},
	} {
		if got := tt.end.judge(tt.event); got != tt.want || tt.end.exitCode() != tt.code {
			t.Errorf("%s: exit code %d, %+v\nwant %d, %+v", name, tt.end.exitCode(), got, tt.code, tt.want)
		}
	}
}

// Messages of interpreters that could not open or parse their script, and similar texts.
func TestBroken(t *testing.T) {
	const command = `/bin/sh -c python3 "$CLAUDE_PROJECT_DIR/hooks/check.py" && sh hooks/check.sh && awk -f check.awk; ` +
		`cat x | jq -r --arg f 1 -nf "$DIR"/check.jq data.json; make -f check.mk check`
	const missing, denied, parse, make = "Failed to spawn: No such file or directory", "Failed to spawn: Permission denied", "Failed to parse: ", "Failed to make: "
	for stderr, want := range map[string]string{
		"/root/.pyenv/versions/3.11.7/bin/python3: can't open file '/x/check.py': [Errno 2] No such file or directory": missing,
		"python3.13: can't open file 'check.py': [Errno 13] Permission denied":                                         denied,
		"python: can't open file 'check.py': [Errno 2] No such file or directory":                                      missing,
		"bash: warning: setlocale: LC_ALL: cannot change locale (x)\npython3: can't open file 'x'":                     missing,
		"perl: warning: Setting locale failed.\nperl: warning: Please check that your locale settings:\n\tLANG = \"x\"\n    are supported.\n" +
			"perl: warning: Falling back to the standard locale (\"C\").\nCan't open perl script \"check.pl\": No such file or directory": missing,
		"sh: 0: cannot open check.sh: No such file":                                                      missing,
		"/bin/dash: 0: cannot open check.sh: Permission denied":                                          denied,
		"hooks/check.sh: 3: .: cannot open lib.sh: No such file":                                         missing,
		"sh: can't open 'check.sh': No such file or directory":                                           missing,
		"ksh: check.sh: cannot open [No such file or directory]":                                         missing,
		"gawk: fatal: cannot open source file `check.awk' for reading: No such file or directory":        missing,
		"mawk: cannot open check.awk (No such file or directory)":                                        missing,
		"jq: error: Could not open check.jq: No such file or directory":                                  missing,
		"jq: Could not open /x/check.jq: Permission denied":                                              denied,
		"jq: error: Could not open file check.jq: No such file or directory":                             missing,
		"make: check.mk: No such file or directory\nmake: *** No rule to make target 'check.mk'.  Stop.": make + "make: check.mk: ",
		"make: *** No rule to make target 'check'.  Stop.":                                               make + "make: *** No rule",
		"make: *** No rule to make target 'a,b'.  Stop.":                                                 make + "make: *** No rule",
		"gmake: *** No rule to make target `check'.  Stop.":                                              make + "gmake: *** No rule",
		"make: *** No targets specified and no makefile found.  Stop.":                                   make + "make: *** No targets",
		"make: *** /x: No such file or directory.  Stop.":                                                make + "make: *** /x",
		"Fatal error: cannot open file 'check.R': No such file or directory":                             missing,
		"Installed 2 packages in 3ms\nerror: Failed to spawn: `check.py`\n  Caused by: No such file\n":   missing,
		"sh: 1: Syntax error: Unterminated quoted string":                                                parse + "sh: 1: Syntax error",
		"hooks/check.sh: 3: Syntax error: \"then\" unexpected":                                           parse + "hooks/check.sh: 3",
		"/w/hooks/check.sh: line 3: syntax error near unexpected token `then'\nmore":                     parse + "/w/hooks/check.sh: line 3",
		"check.sh: line 9: unexpected EOF while looking for matching `\"'":                               parse + "check.sh: line 9",
		"/bin/sh: -c: line 0: syntax error near unexpected token `then'":                                 parse + "/bin/sh: -c",
		"bash: -c: line 1: unexpected EOF while looking for matching `\"'":                               parse + "bash: -c",
		"sh: syntax error: unexpected \"then\"":                                                          parse + "sh: syntax error",
		"check.sh: line 3: syntax error: unexpected end of file":                                         parse + "check.sh",
		"mawk: check.awk: line 1: missing ) near end of line":                                            parse + "mawk",
		"mawk: line 1: syntax error at or near }":                                                        parse + "mawk",

		"":          "",
		"\n":        "",
		"no":        "",
		"warning: ": "",
		"theirs.sh: line 3: syntax error near unexpected token `then'":        "",
		"theirs.sh: 3: Syntax error: \"then\" unexpected":                     "",
		"jq: error: Could not open file data.json: No such file or directory": "",
		"jq: error: Could not open data.json: No such file or directory":      "",
		"jq: error (at <stdin>:1): Cannot index number with \"a\"":            "",
		"check.py: Could not open file x":                                     "",
		"make: *** No rule to make target 'a.go', needed by 'check'.  Stop.":  "",
		"make: *** [Makefile:3: check] Error 1":                               "",
		"cmake: *** No rule to make target 'check'.  Stop.":                   "",
		"check.py: make: *** No rule to make target 'check'.  Stop.":          "",
		"src/app.py: can't open file":                                         "",
		"Do not open it: can't open file":                                     "",
		"I cannot open files: cannot open them":                               "",
		"refused: python3: can't open file 'check.py'":                        "",
		"cat: missing: No such file or directory":                             "",
		"python3: refused": "",
		"mawk: theirs.awk: line 1: missing ) near end of line": "",
		"1: 2: 3":            "",
		": : ":               "",
		".: 1: Syntax error": "",
		"We say:\nerror: Failed to compile\nsh: 1: Syntax error":           "",
		"grep: cannot open\nsh: 0: cannot open check.sh: No such file\n":   "",
		"usage: check.py [-h]\ncheck.py: error: unrecognized arguments: x": "",
	} {
		got := broken(stderr, command)
		if (got == "") != (want == "") || !strings.HasPrefix(got, want) {
			t.Errorf("%q\ngot  %q\nwant %q", stderr, got, want)
		}
	}
}

func TestErrorsAreShort(t *testing.T) {
	for _, long := range []string{strings.Repeat("é", 600), strings.Repeat("x", 501)} {
		got := errorText(long)
		if n := utf8.RuneCountInString(got); n != errorMax || !strings.HasSuffix(got, "…") {
			t.Errorf("%d characters: %q", n, got)
		}
	}
	if text := strings.Repeat("é", errorMax); errorText(text) != text {
		t.Error("what is short enough is cut")
	}
}

func FuzzErrorText(f *testing.F) {
	f.Add("\x1b[31mx\x1b[0m\n\x1b[")
	f.Fuzz(func(t *testing.T, text string) {
		got := errorText(text)
		if !utf8.ValidString(got) || utf8.RuneCountInString(got) > errorMax || strings.ContainsAny(got, "\n\r\t\x1b\x00\u009b\u202e\u2028") {
			t.Fatalf("%q becomes %q", text, got)
		}
		broken(text, text)
	})
}

// askedToEnd returns the end of a hook that was asked to end.
func askedToEnd(status syscall.WaitStatus) *ended {
	return &ended{asked: syscall.SIGTERM, status: status}
}

func failed(text string) hooks.Outcome { return hooks.Outcome{Failed: true, Error: text} }

// A script that does not parse is broken. Many shells exit with 2 then, which would otherwise be a verdict.
func TestScriptThatDoesNotParse(t *testing.T) {
	need.Full(t, "busybox")
	for name, args := range map[string][]string{
		"sh":      {"sh", "bad.sh"},
		"bash":    {"bash", "bad.sh"},
		"quote":   {"bash", "-c", "echo \"abc"},
		"line":    {"/bin/sh", "-c", "if then fi ("},
		"bash -c": {"bash", "-c", "if then fi ("},
		"busybox": {"busybox", "sh", "bad.sh"},
		"mawk":    {"mawk", "-f", "bad.awk"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := program(t, args...)
			must(t, os.WriteFile(filepath.Join(w.Dir, "bad.sh"), []byte(":\nif then fi (\n"), 0o600))
			must(t, os.WriteFile(filepath.Join(w.Dir, "bad.awk"), []byte("BEGIN { ( "), 0o600))
			if got := w.run(t, message("PreToolUse")); got.code != 2 {
				t.Fatalf("got %+v", got)
			}
			w.failed(t, 1, "Failed to parse: ")
		})
	}
}

// A hook that checks scripts, and finds one that does not parse, works correctly.
func TestVerdictOnAnotherScript(t *testing.T) {
	w := line(t, "for f in *.sh; do bash -n $f || exit 2; done")
	must(t, os.WriteFile(filepath.Join(w.Dir, "theirs.sh"), []byte("if then fi ("), 0o600))
	if got := w.run(t, message("PostToolUse")); got.code != 2 || !strings.HasPrefix(got.stderr, "theirs.sh: line 1: syntax error") {
		t.Fatalf("got %+v", got)
	}
	w.failed(t, 0, "")
}
