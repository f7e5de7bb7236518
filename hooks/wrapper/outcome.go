package wrapper

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"syscall"
	"time"
	"unicode"

	"github.com/claudeops/claudeops/hooks"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/sys/unix"
)

// exitTimeout is the exit code of a hook that was ended at its timeout: timeout(1) has the same.
const exitTimeout = 124

// verdict is the exit code by which a hook speaks to the agent: it is no failure.
const verdict = 2

// errorMax is how long a hook's error may be, in characters.
const errorMax = 500

// ended is how a hook's process ended, and what it printed.
type ended struct {
	args           []string
	spawn          *unspawned         // it did not begin
	status         syscall.WaitStatus // how it ended, unless
	lost           error              // that could not be learned
	asked          syscall.Signal     // it was asked to end by this signal
	timeout        time.Duration      // at its timeout
	stdout, stderr capture
}

// exitCode is what the wrapper exits with: the hook's own code, where it has one.
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

// wasEnded reports whether the hook ended by what it was asked by, instead of tidying up and saying itself how that went.
func (e *ended) wasEnded() bool {
	return e.asked != 0 && (e.lost != nil || e.status.Signaled() || e.status.ExitStatus() == exitSignalled+int(e.asked))
}

// judge says what the end of a hook's run means for its circuits (RULE "Circuit breaker").
func (e *ended) judge(event string) hooks.Outcome {
	message := e.failure()
	return hooks.Outcome{Failed: message != "", Error: message, Block: hooks.Stops(event) && e.blocks()}
}

// failure is why the run failed; empty where it did not.
func (e *ended) failure() string {
	switch {
	case e.spawn != nil:
		return oneLine(e.spawn.Error())
	case e.timeout > 0:
		return "Timed out after " + e.timeout.String()
	case e.wasEnded():
		return "Ended by " + signalName(e.asked)
	case e.lost != nil:
		return oneLine("Lost: " + e.lost.Error())
	case e.status.Signaled():
		return "Ended by " + signalName(e.status.Signal())
	}
	code := e.status.ExitStatus()
	last := e.lastWords()
	switch code {
	case 0:
		return ""
	case verdict:
		if e.stdout.size > 0 {
			return ""
		}
		return oneLine(broken(string(e.stderr.head), strings.Join(e.args, " ")))
	case exitCannotRun, exitNotFound:
		if kind := spawnKind(last); kind != "" {
			return oneLine(fmt.Sprintf("Failed to spawn: %s (%s)", kind, last))
		}
	}
	if last == "" {
		return fmt.Sprintf("Exit code %d", code)
	}
	return oneLine(fmt.Sprintf("Exit code %d: %s", code, last))
}

// lastWords is the line of standard error that says what went wrong: the last one, but Node.js ends with its version.
func (e *ended) lastWords() string {
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

// printed is what a hook printed, as far as it may make the agent go on.
type printed struct {
	Decision jsontext.Value `json:"decision"`
	Continue jsontext.Value `json:"continue"`
	Specific jsontext.Value `json:"hookSpecificOutput"`
}

// looksMissing reports whether the agent program takes the hook's script for missing at the end of the agent's work: then exit code 2
// does not make the agent go on.
func (e *ended) looksMissing() bool {
	if len(trimJS(e.stdout.head)) > 0 {
		return false
	}
	text := strings.ToLower(string(e.stderr.head) + "\n" + string(e.stderr.tail))
	return strings.Contains(text, "no such file") || strings.Contains(text, "can't open")
}

// blocks reports whether the hook made the agent go on.
func (e *ended) blocks() bool {
	if e.spawn != nil || e.timeout > 0 || e.asked != 0 {
		return false
	}
	var out printed
	if text := trimJS(e.stdout.head); !e.stdout.cut() && len(text) > 0 && text[0] == '{' {
		if err := json.Unmarshal(text, &out, lenient()); err != nil {
			out = printed{} // text to the agent program too
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

// The interpreters whose own words are known. Versions and paths do not count: /usr/bin/python3.11 is python.
func interpreter(program string) bool {
	name := strings.TrimRight(path.Base(program), "0123456789.-")
	return isShell(program) || slices.Contains([]string{"python", "pypy", "awk", "gawk", "mawk", "nawk", "busybox"}, name)
}

func isShell(program string) bool {
	return slices.Contains([]string{"sh", "bash", "dash", "ash", "ksh", "mksh", "zsh"}, strings.TrimPrefix(path.Base(program), "-"))
}

// broken tells a hook that says no from one whose interpreter could not open or parse its script, which many say with the same exit
// code. The message is empty for the first. Only the beginning of standard error counts: a hook may quote what it likes.
func broken(stderr, command string) string {
	for line := range strings.Lines(stderr) {
		if strings.HasPrefix(line, "error: Failed to spawn: `") { // uv; it may have told before what it installed
			return fmt.Sprintf("Failed to spawn: No such file or directory (%s)", strings.TrimSpace(line))
		}
	}
	line := firstLine(stderr)
	if cannotOpen(line, command) {
		return fmt.Sprintf("Failed to spawn: %s (%s)", cmp.Or(spawnKind(line), "No such file or directory"), line)
	}
	if cannotParse(line, command) {
		return fmt.Sprintf("Failed to parse: %s", line)
	}
	if nothingToMake(line) {
		return fmt.Sprintf("Failed to make: %s", line)
	}
	return ""
}

// firstLine is the first line that is no warning and does not go on with one: those come before anything else, of the locale mostly.
func firstLine(text string) string {
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) == "" || line[0] == ' ' || line[0] == '\t' || strings.Contains(strings.ToLower(line), "warning:") {
			continue
		}
		return strings.TrimSpace(line)
	}
	return ""
}

// cannotOpen reports whether an interpreter says that it cannot open its script:
//
//	/usr/bin/python3: can't open file '/x/check.py': [Errno 2] No such file or directory
//	sh: can't open 'check.sh': No such file or directory              (busybox)
//	sh: 0: cannot open check.sh: No such file                         (dash)
//	check.sh: 3: .: cannot open lib.sh: No such file                  (dash)
//	ksh: check.sh: cannot open [No such file or directory]
//	Can't open perl script "check.pl": No such file or directory
//	gawk: fatal: cannot open source file `check.awk' for reading: No such file or directory
//	mawk: cannot open check.awk (No such file or directory)
//	Fatal error: cannot open file 'check.R': No such file or directory
func cannotOpen(line, command string) bool {
	if strings.HasPrefix(line, "Can't open perl script ") || strings.HasPrefix(line, "Fatal error: cannot open file '") {
		return true
	}
	program, words, found := strings.Cut(line, ": ")
	if !found {
		return false
	}
	_, words = lineNumber(words)
	words = strings.TrimPrefix(strings.TrimPrefix(words, "error: "), "fatal: ")
	words = strings.TrimPrefix(words, ".: ")
	if name, is := strings.CutPrefix(words, "Could not open "); is {
		return path.Base(program) == "jq" && isFilter(name, command)
	}
	for _, phrase := range []string{"can't open ", "cannot open "} {
		if strings.HasPrefix(words, phrase) {
			return interpreter(program) || isPartOf(program, command)
		}
	}
	return path.Base(program) == "ksh" && strings.Contains(words, ": cannot open [")
}

// isFilter reports whether the file that jq could not open is the one with its program, and no data:
//
//	jq: Could not open check.jq: No such file or directory
//	jq: error: Could not open check.jq: No such file or directory
//	jq: error: Could not open file data.json: No such file or directory
func isFilter(said, command string) bool {
	name, _, _ := strings.Cut(strings.TrimPrefix(said, "file "), ": ")
	called, asked := false, false // behind jq, and behind its option: the file is the first word from there on that is none
	for _, word := range strings.Fields(command) {
		word = strings.Trim(word, "\"'`;()")
		option, isOption := strings.CutPrefix(word, "-")
		switch {
		case path.Base(word) == "jq":
			called, asked = true, false
		case isOption:
			asked = asked || called && (word == "--from-file" || !strings.HasPrefix(option, "-") && strings.Contains(option, "f"))
		case asked && path.Base(word) == path.Base(name):
			return true
		default:
			asked = false
		}
	}
	return false
}

// nothingToMake reports whether make says that it has not what it was asked for. What it finds missing on the way there is a verdict.
//
//	make: check.mk: No such file or directory
//	make: *** No rule to make target 'check'.  Stop.
//	make: *** No targets specified and no makefile found.  Stop.
//	make: *** folder: No such file or directory.  Stop.
func nothingToMake(line string) bool {
	program, words, found := strings.Cut(line, ": ")
	if name := path.Base(program); !found || name != "make" && name != "gmake" {
		return false
	}
	words, stops := strings.CutPrefix(words, "*** ")
	missing := strings.HasSuffix(strings.TrimSuffix(words, ".  Stop."), ": No such file or directory")
	rule := strings.HasPrefix(words, "No rule to make target ") && !strings.Contains(words, ", needed by ")
	return missing || stops && (rule || strings.HasPrefix(words, "No targets "))
}

// cannotParse reports whether a shell says that it cannot parse its script, or the line that it was given:
//
//	check.sh: 3: Syntax error: "then" unexpected                      (dash)
//	check.sh: line 3: syntax error near unexpected token `then'       (bash)
//	check.sh: line 3: unexpected EOF while looking for matching `"'   (bash)
//	sh: -c: line 3: syntax error: unexpected end of file              (bash)
//	sh: syntax error: unexpected "then"                               (busybox)
//	mawk: check.awk: line 1: missing ) near end of line
//
// A hook may say such a thing of the file that it was asked to look at. That is a verdict: it is its own name that counts.
func cannotParse(line, command string) bool {
	program, words, found := strings.Cut(line, ": ")
	if !found {
		return false
	}
	if path.Base(program) == "mawk" {
		script, rest, found := strings.Cut(words, ": ")
		numbered, rest := lineNumber(rest)
		return found && numbered && rest != "" && isPartOf(script, command) || strings.HasPrefix(words, "line ")
	}
	words = strings.TrimPrefix(words, "-c: ")
	_, words = lineNumber(words)
	for _, phrase := range []string{"syntax error", "Syntax error", "unexpected EOF while looking for"} {
		if strings.HasPrefix(words, phrase) {
			return isShell(program) || isPartOf(program, command)
		}
	}
	return false
}

// lineNumber takes "line 3: " or "3: " from the beginning.
func lineNumber(words string) (numbered bool, rest string) {
	number, rest, found := strings.Cut(strings.TrimPrefix(words, "line "), ": ")
	if !found || number == "" || strings.Trim(number, "0123456789") != "" {
		return false, words
	}
	return true, rest
}

// isPartOf reports whether the command names a script.
func isPartOf(script, command string) bool {
	name := path.Base(script)
	return name != "." && name != "/" && strings.Contains(command, name)
}

// spawnKind is the system's word behind what a shell says when it cannot run a program; empty where it says something else.
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

// oneLine is a text as an error is kept: no line ends, nothing that steers a terminal, and not too long.
func oneLine(text string) string { return shorten(hooks.OneLine(withoutColour(text)), errorMax) }

// shorten cuts a text after so many characters.
func shorten(text string, most int) string {
	n := 0
	for i := range text {
		if n++; n == most {
			if rest := text[i:]; len([]rune(rest)) > 1 {
				return text[:i] + "…"
			}
			break
		}
	}
	return text
}

// withoutColour takes out the sequences that colour text on a terminal.
func withoutColour(text string) string {
	if !strings.Contains(text, "\x1b[") {
		return text
	}
	parts := strings.Split(text, "\x1b[")
	for i, part := range parts[1:] {
		parts[i+1] = strings.TrimLeft(part, "0123456789;:?<=>")
		if parts[i+1] != "" {
			parts[i+1] = parts[i+1][1:]
		}
	}
	return strings.Join(parts, "")
}

// trimJS is JavaScript's trim(), by which the agent program decides whether an output is JSON.
func trimJS(b []byte) []byte {
	return bytes.TrimFunc(b, func(r rune) bool {
		return r == '\ufeff' || r != '\u0085' && unicode.IsSpace(r)
	})
}
