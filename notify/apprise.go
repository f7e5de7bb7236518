package notify

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
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
func (p *program) send(ctx context.Context, r Route, m Message) error {
	fail := func(format string, args ...any) error {
		return errors.New(Clip(fmt.Sprintf(format, args...), maxLine))
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
	reason := readOutput(string(result.Stdout) + "\n" + string(result.Stderr))
	return fail("apprise ended with %d: %s", exit.Code, r.Mask.String(reason))
}

// readOutput extracts the reason from apprise's output: the first line of its log that reports a failure, without time and level
// ("2026-11-21 21:57:07,156 - WARNING - Failed to …").
func readOutput(output string) (reason string) {
	reason = "it did not say why"
	usage := false
	for line := range strings.Lines(text.Clean(output)) {
		line = strings.TrimSpace(line)
		_, rest, _ := strings.Cut(line, " - ")
		if level, fault, _ := strings.Cut(rest, " - "); slices.Contains([]string{"WARNING", "ERROR", "CRITICAL"}, level) {
			return fault
		}
		switch fault, isError := strings.CutPrefix(line, "Error: "); {
		case isError:
			return fault
		case strings.HasPrefix(line, "Usage:"): // printed if apprise cannot use any URL, or an option is wrong
			usage = true
		case line != "" && !usage:
			reason = line // the last line of a traceback is the error
		}
	}
	return reason
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
