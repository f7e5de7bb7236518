package wrapper

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"
	"unicode"

	"github.com/claudeops/claudeops/hooks"
	"github.com/claudeops/claudeops/internal/text"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/sys/unix"
)

// exitTimeout is the exit code for a hook that was ended at its timeout, as in timeout(1).
const exitTimeout = 124

// verdict is the exit code with which a hook reports to the agent. It is not a failure.
const verdict = 2

// errorMax limits a hook's error, in characters.
const errorMax = 500

// ended is the end of a hook's process, with its output.
type ended struct {
	args           []string
	spawn          *unspawned         // why it did not start; nil if it did
	status         syscall.WaitStatus // valid unless lost is set
	lost           error              // why its status is unknown
	asked          syscall.Signal     // the signal by which it was asked to end
	timeout        time.Duration      // set if it was ended at this timeout
	stdout, stderr capture
}

// exitCode returns the wrapper's exit code: the hook's own, if it has one.
func (e *ended) exitCode() int {
	switch {
	case e.spawn != nil:
		return e.spawn.exitCode()
	case e.timeout > 0:
		return exitTimeout
	case e.wasEnded():
		return exitSignalled + int(e.asked)
	case e.lost != nil:
		return 1
	case e.status.Signaled():
		return exitSignalled + int(e.status.Signal())
	}
	return e.status.ExitStatus()
}

// wasEnded reports whether the hook ended because of the signal, instead of handling it and exiting by itself.
func (e *ended) wasEnded() bool {
	return e.asked != 0 && (e.lost != nil || e.status.Signaled() || e.status.ExitStatus() == exitSignalled+int(e.asked))
}

// judge returns the outcome of a hook's run for its circuits (RULE "Circuit breaker").
func (e *ended) judge(event string) hooks.Outcome {
	message := e.failure()
	return hooks.Outcome{Failed: message != "", Error: message, Block: hooks.Stops(event) && e.blocks()}
}

// failure returns why the run failed; empty if it did not.
func (e *ended) failure() string {
	switch {
	case e.spawn != nil:
		return errorText(e.spawn.Error())
	case e.timeout > 0:
		return "Timed out after " + e.timeout.String()
	case e.wasEnded():
		return "Ended by " + signalName(e.asked)
	case e.lost != nil:
		return errorText("Lost: " + e.lost.Error())
	case e.status.Signaled():
		return "Ended by " + signalName(e.status.Signal())
	}
	code := e.status.ExitStatus()
	last := e.errorLine()
	switch code {
	case 0:
		return ""
	case verdict:
		if e.stdout.size > 0 {
			return ""
		}
		return errorText(broken(string(e.stderr.head), strings.Join(e.args, " ")))
	case exitCannotRun, exitNotFound:
		if kind := spawnKind(last); kind != "" {
			return errorText(fmt.Sprintf("Failed to spawn: %s (%s)", kind, last))
		}
	}
	if last == "" {
		return fmt.Sprintf("Exit code %d", code)
	}
	return errorText(fmt.Sprintf("Exit code %d: %s", code, last))
}

// errorLine returns the line of standard error that names the problem: the last one, except that Node.js prints its version last.
func (e *ended) errorLine() string {
	last := lastLine(e.stderr.tail)
	if !strings.HasPrefix(last, "Node.js v") {
		return last
	}
	for line := range strings.Lines(string(e.stderr.head)) {
		if before, _, found := strings.Cut(line, ": "); found && strings.HasSuffix(before, "Error") {
			return strings.TrimSpace(line)
		}
	}
	return last
}

func signalName(sig syscall.Signal) string {
	if name := unix.SignalName(sig); name != "" {
		return name
	}
	return fmt.Sprintf("signal %d", int(sig))
}

// printed are the parts of a hook's output that may make the agent continue.
type printed struct {
	Decision jsontext.Value `json:"decision"`
	Continue jsontext.Value `json:"continue"`
	Specific jsontext.Value `json:"hookSpecificOutput"`
}

// looksMissing reports whether the agent program assumes, at the end of the agent's work, that the hook's script is missing. Exit code 2
// then does not make the agent continue.
func (e *ended) looksMissing() bool {
	if len(trimJS(e.stdout.head)) > 0 {
		return false
	}
	said := strings.ToLower(string(e.stderr.head) + "\n" + string(e.stderr.tail))
	return strings.Contains(said, "no such file") || strings.Contains(said, "can't open")
}

// blocks reports whether the hook made the agent continue.
func (e *ended) blocks() bool {
	if e.spawn != nil || e.timeout > 0 || e.asked != 0 {
		return false
	}
	var out printed
	if object := trimJS(e.stdout.head); !e.stdout.cut() && len(object) > 0 && object[0] == '{' {
		if err := json.Unmarshal(object, &out, lenient()); err != nil {
			out = printed{} // the agent program reads it as text, too
		}
	}
	if string(out.Continue) == "false" {
		return false
	}
	if e.status.ExitStatus() == verdict && !e.looksMissing() || string(out.Decision) == `"block"` {
		return true
	}
	var specific struct {
		Context string `json:"additionalContext"`
	}
	err := json.Unmarshal(out.Specific, &specific, lenient())
	return err == nil && specific.Context != ""
}

// A brokenForm is the first message of an interpreter that cannot open or parse its script. If the pattern captures a name, named reports
// whether that is the hook's own script: a hook may quote messages about others.
type brokenForm struct {
	what, pattern string
	named         func(name, command string) bool
}

const (
	failedSpawn = "Failed to spawn"
	failedParse = "Failed to parse"
	failedMake  = "Failed to make"

	lineNumber = `(?:(?:line )?[0-9]+: )?`
)

// brokenForms are those of:
//
//	Can't open perl script "check.pl": No such file or directory
//	Fatal error: cannot open file 'check.R': No such file or directory
//
//	/usr/bin/python3: can't open file '/x/check.py': [Errno 2] No such file or directory
//	sh: can't open 'check.sh': No such file or directory              (busybox)
//	sh: 0: cannot open check.sh: No such file                         (dash)
//	check.sh: 3: .: cannot open lib.sh: No such file                  (dash)
//	gawk: fatal: cannot open source file `check.awk' for reading: No such file or directory
//	mawk: cannot open check.awk (No such file or directory)
//
//	ksh: check.sh: cannot open [No such file or directory]
//
//	jq: Could not open check.jq: No such file or directory
//	jq: error: Could not open file check.jq: No such file or directory
//
//	check.sh: 3: Syntax error: "then" unexpected                      (dash)
//	check.sh: line 3: syntax error near unexpected token `then'       (bash)
//	check.sh: line 3: unexpected EOF while looking for matching `"'   (bash)
//	sh: -c: line 3: syntax error: unexpected end of file              (bash)
//	sh: syntax error: unexpected "then"                               (busybox)
//
//	mawk: check.awk: line 1: missing ) near end of line
//	mawk: line 1: syntax error at or near }
//
//	make: check.mk: No such file or directory
//	make: *** folder: No such file or directory.  Stop.
//	make: *** No rule to make target 'check'.  Stop.                  (but not: "needed by" another one)
//	make: *** No targets specified and no makefile found.  Stop.
var brokenForms = []brokenForm{
	{failedSpawn, `^(?:Can't open perl script |Fatal error: cannot open file ')`, nil},
	{failedSpawn, `^([^:]*): ` + lineNumber + `(?:error: )?(?:fatal: )?(?:\.: )?(?:can't|cannot) open `, func(name, command string) bool {
		return interpreters.MatchString(name) || isPartOf(name, command)
	}},
	{failedSpawn, `^(?:[^:]*/)?ksh: .*: cannot open \[`, nil},
	{failedSpawn, `^(?:[^:]*/)?jq: (?:error: )?Could not open (?:file )?(.*?)(?:: |$)`, isFilter},
	{failedParse, `^([^:]*): (?:-c: )?` + lineNumber + `(?:[Ss]yntax error|unexpected EOF while looking for)`, func(name, command string) bool {
		return shells.MatchString(name) || isPartOf(name, command)
	}},
	{failedParse, `^(?:[^:]*/)?mawk: (.*?): (?:line )?[0-9]+: .`, isPartOf},
	{failedParse, `^(?:[^:]*/)?mawk: line `, nil},
	{failedMake, `^(?:[^:]*/)?g?make: (?:\*\*\* )?[^*].*: No such file or directory(?:\.  Stop\.)?$`, nil},
	{failedMake, `^(?:[^:]*/)?g?make: \*\*\* No (?:rule to make target (.*)|targets )`, func(target, _ string) bool {
		return !strings.Contains(target, ", needed by ")
	}},
}

// Interpreters whose messages are known. Versions are ignored: python3.11 is python.
var (
	shells       = regexp.MustCompile(`^(?:.*/)?-?(?:|ba|da|a|k|mk|z)sh$`)
	interpreters = regexp.MustCompile(`^(?:.*/)?(?:-?(?:|ba|da|a|k|mk|z)sh|(?:python|pypy|[gmn]?awk|busybox)[-0-9.]*)$`)
	filterOption = regexp.MustCompile(`(?s)(?:^|[^\w.-])jq\s(?:.*?\s)??(?:--from-file|-[A-Za-z]*f[A-Za-z]*)\s+(?:-\S*\s+)*(\S+)`)
)

// broken returns the message of an interpreter that could not open or parse its script; many exit with the code of a verdict then. It is
// empty for a verdict. Only the start of standard error counts, because a hook may quote anything.
func broken(stderr, command string) string {
	for line := range strings.Lines(stderr) {
		if strings.HasPrefix(line, "error: Failed to spawn: `") { // uv, which may first list what it installed
			return fmt.Sprintf("%s: No such file or directory (%s)", failedSpawn, strings.TrimSpace(line))
		}
	}
	line := firstRemark(stderr)
	for _, form := range brokenForms {
		found := regexp.MustCompile(form.pattern).FindStringSubmatch(line)
		switch {
		case found == nil, form.named != nil && !form.named(found[1], command):
		case form.what == failedSpawn:
			return fmt.Sprintf("%s: %s (%s)", form.what, cmp.Or(spawnKind(line), "No such file or directory"), line)
		default:
			return form.what + ": " + line
		}
	}
	return ""
}

// firstRemark returns the first line that is not a warning or its continuation. Warnings, mostly about the locale, come first.
func firstRemark(stderr string) string {
	for line := range strings.Lines(stderr) {
		if strings.TrimSpace(line) == "" || line[0] == ' ' || line[0] == '\t' || strings.Contains(strings.ToLower(line), "warning:") {
			continue
		}
		return strings.TrimSpace(line)
	}
	return ""
}

// isFilter reports whether a file is jq's program and not its data.
func isFilter(file, command string) bool {
	return slices.ContainsFunc(filterOption.FindAllStringSubmatch(command, -1), func(found []string) bool {
		return path.Base(strings.Trim(found[1], "\"'`;()")) == path.Base(file)
	})
}

// isPartOf reports whether the command names a script.
func isPartOf(script, command string) bool {
	name := path.Base(script)
	return name != "." && name != "/" && strings.Contains(command, name)
}

// spawnKind returns the system error behind a shell's message that a program cannot be run; empty for another message.
func spawnKind(line string) string {
	for _, kind := range []struct{ says, means string }{
		{"bad interpreter", "bad interpreter"},
		{"required file not found", "bad interpreter"},
		{"ermission denied", "Permission denied"},
		{"s a directory", "Is a directory"},
		{"xec format error", "Exec format error"},
		{"cannot execute binary file", "Exec format error"},
		{"rgument list too long", "Argument list too long"},
		{"o such file", "No such file or directory"},
		{"not found", "No such file or directory"},
	} {
		if strings.Contains(line, kind.says) {
			return kind.means
		}
	}
	return ""
}

// errorText returns a hook's error as it is stored: one printable line of limited length.
func errorText(s string) string { return text.Shorten(text.Line(text.Clean(s)), errorMax) }

// trimJS is JavaScript's trim(), with which the agent program decides whether an output is JSON.
func trimJS(b []byte) []byte {
	return bytes.TrimFunc(b, func(r rune) bool {
		return r == '\ufeff' || r != '\u0085' && unicode.IsSpace(r)
	})
}

// lenient accepts what the agent program accepts, not only strictly valid JSON.
func lenient() json.Options {
	return json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}
