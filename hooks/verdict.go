package hooks

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"strings"
	"syscall"

	"github.com/go-json-experiment/json"
	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/internal/lazy"
	"github.com/claudeops/claudeops/internal/mask"
)

const (
	// verdict is the exit code with which a hook reports to the agent. It is not a failure.
	verdict = 2
	// A shell's exit codes for a command that it cannot run.
	exitCannotRun = 126
	exitNotFound  = 127
	exitSignalled = 128 // plus the signal's number

	maxError = 500 // characters of an error in the state file
)

// ending is how a hook's process ended, and the beginning of what it wrote.
type ending struct {
	err            error // it did not start
	status         syscall.WaitStatus
	stdout, stderr []byte
	interrupted    bool // a person or the end of a terminal asked it to end, which says nothing of it
}

// exitCode returns the exit code by which a shell would pass on the end.
func (e *ending) exitCode() int {
	switch {
	case errors.Is(e.err, exec.ErrNotFound), errors.Is(e.err, fs.ErrNotExist):
		return exitNotFound
	case e.err != nil:
		return exitCannotRun
	case e.status.Signaled():
		return exitSignalled + int(e.status.Signal())
	}
	return e.status.ExitStatus()
}

// outcome judges a call (RULE "Circuit breaker").
func (e *ending) outcome(event string) Outcome {
	if failure := e.failure(); failure != "" {
		return Outcome{Failed: true, Error: clip(OneLine(mask.New(nil).String(failure)), maxError)}
	}
	return Outcome{Block: Stops(event) && e.blocks()}
}

// failure returns why the run failed; empty if it did not.
func (e *ending) failure() string {
	if e.err != nil {
		return "Failed to spawn: " + reason(e.err)
	}
	if e.status.Signaled() {
		return "Ended by " + unix.SignalName(e.status.Signal())
	}
	code := e.status.ExitStatus()
	if code == 0 || code == verdict && len(e.stdout) > 0 {
		return ""
	}
	last := lastLine(e.stderr)
	switch code {
	case verdict:
		if line := brokenLine(e.stderr); line != "" {
			return "Failed to spawn: No such file or directory (" + line + ")"
		}
		return ""
	case exitNotFound:
		return "Failed to spawn: No such file or directory (" + last + ")"
	case exitCannotRun:
		return "Failed to spawn: Permission denied (" + last + ")"
	}
	if last == "" {
		return fmt.Sprintf("Exit code %d", code)
	}
	return fmt.Sprintf("Exit code %d: %s", code, last)
}

// reason returns the system's words for an error of starting a program.
func reason(err error) string {
	if errors.Is(err, exec.ErrNotFound) {
		err = syscall.ENOENT
	}
	text := err.Error()
	var errno syscall.Errno
	if errors.As(err, &errno) {
		text = errno.Error()
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// broken matches the first remark of an interpreter that does not find its script, and then exits with the code of a verdict:
//
//	/usr/bin/python3: can't open file '/x/check.py': [Errno 2] No such file or directory
//	sh: 0: cannot open check.sh: No such file                          (dash)
//	sh: can't open 'check.sh': No such file or directory               (busybox)
//	gawk: fatal: cannot open source file `check.awk' for reading: No such file or directory
//	Can't open perl script "check.pl": No such file or directory
//	jq: error: Could not open check.jq: No such file or directory
//	error: Failed to spawn: `check.py`                                 (uv)
var broken = lazy.Regexp(`^(?:` +
	`(?:\S*/)?(?:[a-z]*sh|python|pypy|busybox|[gmn]?awk|jq)[-0-9.]*: (?:\d+: )?(?:error: )?(?:fatal: )?(?:can't|cannot|Could not) open |` +
	"Can't open perl script |" +
	"error: Failed to spawn: `)")

// brokenLine returns the line that says that an interpreter does not find its script; empty if there is none. Only the first one counts that
// is no warning, because a hook may quote anything; uv lists first what it has installed.
func brokenLine(stderr []byte) string {
	first := true
	for line := range strings.Lines(string(stderr)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.Contains(strings.ToLower(line), "warning:") {
			continue
		}
		if (first || strings.HasPrefix(line, "error: Failed to spawn: `")) && broken().MatchString(line) {
			return line
		}
		first = false
	}
	return ""
}

// blocks reports whether a hook that did not fail makes the agent continue.
func (e *ending) blocks() bool {
	if e.status.ExitStatus() == verdict {
		return true
	}
	var said struct {
		Decision string `json:"decision"`
		Specific struct {
			Context string `json:"additionalContext"`
		} `json:"hookSpecificOutput"`
	}
	err := json.Unmarshal(bytes.TrimSpace(e.stdout), &said, reading)
	return err == nil && (said.Decision == "block" || said.Specific.Context != "")
}

// lastLine returns the line that names the problem: the last one that is not blank, except that Node.js prints its version last.
func lastLine(text []byte) string {
	text = bytes.TrimSpace(text)
	last := string(text[bytes.LastIndexByte(text, '\n')+1:])
	if strings.HasPrefix(last, "Node.js v") {
		for line := range strings.Lines(string(text)) {
			if strings.Contains(line, "Error: ") {
				return OneLine(line)
			}
		}
	}
	return OneLine(last)
}
