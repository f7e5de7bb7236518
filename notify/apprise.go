package notify

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/internal/child"
	"github.com/claudeops/claudeops/internal/text"
)

const (
	// maxPrograms limits the apprise programs that run at once: each is a Python process of about 30 MB.
	maxPrograms = 8
	// patience is how long a program occupies one of those places; after that it continues without one.
	patience = 5 * time.Second
)

// program sends messages with the apprise program, which runs once per message and target.
type program struct {
	environ  []string
	places   chan struct{} // one for each running program
	patience time.Duration
}

func newProgram(environ []string) *program {
	return &program{environ: programEnvironment(environ), places: make(chan struct{}, maxPrograms), patience: patience}
}

// send runs apprise. The target's URL is in an unnamed memory file, so that neither ps nor the disk shows it.
func (p *program) send(ctx context.Context, r Route, m Message) *SendError {
	fail := func(format string, args ...any) *SendError {
		return &SendError{Reason: Clip(fmt.Sprintf(format, args...), maxLine)}
	}
	search := config.Lookup(p.environ, "PATH") // may differ from this process's PATH
	path, found := child.Find("apprise", search)
	if !found {
		return fail("apprise is not installed: there is none in PATH (%s); install it (apt install apprise), "+
			"or name an Apprise API server in CLAUDEOPS_APPRISE_API_URL", search)
	}
	line, err := configLine(r.URL)
	if err != nil {
		return fail("%v", err)
	}
	select {
	case p.places <- struct{}{}:
	case <-ctx.Done():
		return fail("apprise was not started before the time for that was over, since others had not ended")
	}
	leave := sync.OnceFunc(func() { <-p.places })
	defer leave()
	defer time.AfterFunc(p.patience, leave).Stop()

	file, err := memoryFile(line)
	if err != nil {
		return fail("hand apprise its URL: %v", err)
	}
	defer func() { _ = file.Close() }() // a memory file
	form, format := r.Form(m)
	cmd := &exec.Cmd{
		Path: path,
		Args: []string{
			"apprise", "--config=/proc/self/fd/3", "--input-format=" + format, "--notification-type=" + string(form.Type),
			"--title=" + form.Title, "-v",
		},
		Env: p.environ, Stdin: strings.NewReader(form.Body), ExtraFiles: []*os.File{file},
	}
	result, err := child.Run(ctx, cmd, child.Limits{Within: 5 * time.Minute, Keep: 16 << 10, Max: 4 << 20})
	var exit *child.ExitError
	switch {
	case err == nil, result.Code == 0: // sent, whatever the output
		return nil
	case errors.Is(err, child.ErrTooMuchOutput):
		return fail("apprise wrote without end, and was ended")
	case ctx.Err() != nil, errors.Is(err, context.DeadlineExceeded):
		return fail("apprise had not sent it when the time for that was over, and was ended")
	case !errors.As(err, &exit):
		return fail("apprise could not be started: %v", errors.Unwrap(err)) // the outer error quotes the command line
	case exit.Signal != 0:
		return fail("apprise was ended (signal: %v)", exit.Signal)
	}
	failures, reason := readOutput(string(result.Stdout) + "\n" + string(result.Stderr))
	failed := fail("apprise ended with %d: %s", exit.Code, r.Mask.String(reason))
	failed.Refused = exit.Code == 1 && reached(failures...) // 1: the message could not be sent; others: wrong usage
	return failed
}

// readOutput extracts from apprise's output the log lines that report failures, without time and level ("2026-11-21 21:57:07,156 -
// WARNING - Failed to …"), and the reason to show to a person.
func readOutput(output string) (failures []string, reason string) {
	reason = "it did not say why"
	usage, exact := false, false
	for line := range strings.Lines(text.Clean(output)) {
		line = strings.TrimSpace(line)
		_, rest, isLog := strings.Cut(line, " - ")
		if level, fault, hasLevel := strings.Cut(rest, " - "); isLog && hasLevel && slices.Contains([]string{"WARNING", "ERROR", "CRITICAL"}, level) {
			failures = append(failures, fault)
		}
		switch fault, isError := strings.CutPrefix(line, "Error: "); {
		case exact:
		case isError:
			reason, exact = fault, true
		case strings.HasPrefix(line, "Usage:"): // printed if apprise cannot use any URL, or an option is wrong
			usage = true
		case line != "" && !usage:
			reason = line // the last line of a traceback is the error
		}
	}
	if len(failures) > 0 {
		reason = failures[0]
		if hasNoURL(reason) {
			reason = "it can use no URL of the configuration"
		}
	}
	return failures, reason
}

// programEnvironment returns the operator's environment without the variables of claudeops and the agent.
func programEnvironment(environ []string) []string {
	left := []string{"CLAUDEOPS_", "ANTHROPIC_", "CLAUDE_", "APPRISE_URLS", "APPRISE_CONFIG", "PYTHONUTF8", "PYTHONIOENCODING"}
	kept := slices.DeleteFunc(slices.Clone(environ), func(entry string) bool {
		return slices.ContainsFunc(left, func(prefix string) bool { return strings.HasPrefix(entry, prefix) })
	})
	return append(kept, "PYTHONUTF8=1", "PYTHONIOENCODING=utf-8") // cron's locale is C, but messages are UTF-8
}

// configLine writes an Apprise URL as a line of apprise's text configuration, where some characters have another meaning.
func configLine(url string) (string, error) {
	const fault = "the URL in CLAUDEOPS_APPRISE_URLS %s; see `apprise --details` for how to write it"
	scheme, rest, found := strings.Cut(url, "://")
	switch {
	case !found || scheme == "" || strings.Trim(strings.ToLower(scheme), "abcdefghijklmnopqrstuvwxyz0123456789") != "":
		return "", fmt.Errorf(fault, "does not begin as an Apprise URL does")
	case text.Clean(url) != url || strings.Contains(url, "\n"):
		return "", fmt.Errorf(fault, "has a control character in it, or is not UTF-8")
	case strings.TrimSpace(rest) == "":
		return "", fmt.Errorf(fault, "ends after its scheme")
	}
	// Anywhere in the line, "a=b://" would be URL b with the tag a.
	return scheme + "://" + strings.ReplaceAll(rest, "://", "%3A//") + "\n", nil
}

// memoryFile returns a file without a name that holds the text.
func memoryFile(text string) (*os.File, error) {
	fd, err := unix.MemfdCreate("apprise", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("make a file of memory: %w", err)
	}
	f := os.NewFile(uintptr(fd), "apprise")
	if _, err := f.WriteString(text); err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("write a file of memory: %w", err)
	}
	return f, nil
}

// aboutMessage reports whether a failure status may concern only the message that was sent. Those of a server that fails, for "try again
// later", or for a wrong address or password are the same for all messages.
func aboutMessage(status int) bool {
	return status >= 400 && status < 500 && !slices.Contains([]int{401, 403, 404, 405, 407, 408, 425, 429}, status)
}

// reached reports whether, according to Apprise's log, a service may have been reached and failed on this message. Only the beginning and
// the end of a line are Apprise's own words; the middle may be a service's, or quote the message.
func reached(failures ...string) bool {
	if slices.ContainsFunc(failures, func(line string) bool { return hasNoURL(line) || strings.HasPrefix(line, "Unparseable ") }) {
		return false
	}
	return len(failures) == 0 || slices.ContainsFunc(failures, func(line string) bool {
		words := strings.Fields(strings.ToLower(line))
		if len(words) == 0 || slices.Contains(words[:min(len(words), 4)], "connection") { // "A Connection error occurred sending …"
			return false
		}
		// The error is a status (also 200, if there was a failure below it), or a number that begins with one, such as ntfy's 42901.
		number, found := strings.CutPrefix(strings.TrimRight(words[len(words)-1], "."), "error=")
		if !found || len(number) < 3 || strings.Trim(number, "0123456789") != "" {
			return true
		}
		status, _ := strconv.Atoi(number[:3])
		return status < 400 || aboutMessage(status)
	})
}

func hasNoURL(line string) bool {
	return strings.HasPrefix(line, "You must specify at least one server URL")
}
