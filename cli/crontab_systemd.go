package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/claudeops/claudeops/crontab"
	"github.com/claudeops/claudeops/internal/child"
)

// systemctl is the command line of a call.
func (f *crontabFlags) systemctl(args ...string) []string {
	command := []string{"systemctl"}
	if !f.system() {
		command = append(command, "--user")
	}
	return append(command, args...)
}

// startTimer has systemd read the units and start the timer; the text is for people.
func (f *crontabFlags) startTimer(ctx context.Context, changed bool) (said string, err error) {
	if f.target.word != systemdTarget {
		return "", nil
	}
	calls := [][]string{f.systemctl("daemon-reload"), f.systemctl("enable", "--now", crontab.TimerUnit)}
	if changed { // one that runs already is to follow its new times, however often it was started just now
		calls = [][]string{
			f.systemctl("daemon-reload"), f.systemctl("enable", crontab.TimerUnit),
			f.systemctl("reset-failed", crontab.TimerUnit), f.systemctl("restart", crontab.TimerUnit),
		}
	}
	if f.dryRun {
		return "and then:\n" + typed(calls), nil
	}
	text, err := systemctls(ctx, calls)
	if err != nil {
		return "", fmt.Errorf("the units are written, and the timer was not started: %w%s", err, f.unreached())
	}
	return text, nil
}

// unreached says how a user's own systemd is reached, where that may be what is wrong.
func (f *crontabFlags) unreached() string {
	if f.system() || os.Getenv("XDG_RUNTIME_DIR") != "" {
		return ""
	}
	return "\n(XDG_RUNTIME_DIR is not set: a user's systemd is reached from a login of that user, by ssh or `machinectl shell`, rather than from su or sudo)"
}

// stopTimer is for before the units are gone.
func (f *crontabFlags) stopTimer(ctx context.Context) (said string, err error) {
	if f.target.word != systemdTarget || f.dryRun {
		return "", nil
	}
	text, err := systemctls(ctx, [][]string{f.systemctl("disable", "--now", crontab.TimerUnit)})
	if err != nil {
		return "", fmt.Errorf("the timer was not stopped, and nothing was changed: %w", err)
	}
	return text, nil
}

// forgetUnits is for when they are gone.
func (f *crontabFlags) forgetUnits(ctx context.Context) (said string, err error) {
	if f.target.word != systemdTarget || f.dryRun {
		return "", nil
	}
	text, err := systemctls(ctx, [][]string{f.systemctl("daemon-reload")})
	if err != nil {
		return "", fmt.Errorf("the units are removed, and systemd still knows them: %w", err)
	}
	return text, nil
}

// systemctls makes the calls where systemd runs, and otherwise says what to type where it does.
func systemctls(ctx context.Context, calls [][]string) (said string, err error) {
	if !systemdRuns() {
		return "systemd does not run here; where it does:\n" + typed(calls), nil
	}
	program, found := child.Find("systemctl", os.Getenv("PATH"))
	if !found {
		return "there is no systemctl in PATH; type with it:\n" + typed(calls), nil
	}
	for i, call := range calls {
		if _, err := crontab.RunProgram(ctx, nil, append([]string{program}, call[1:]...)...); err != nil {
			return "", errors.Join(err, errors.New("when that is mended, type:\n"+strings.TrimRight(typed(calls[i:]), "\n")))
		}
	}
	return "", nil
}

// systemdRuns is sd_booted(3).
func systemdRuns() bool {
	_, err := os.Lstat("/run/systemd/system")
	return err == nil
}

func typed(calls [][]string) string {
	var text strings.Builder
	for _, call := range calls {
		text.WriteString("  " + strings.Join(call, " ") + "\n")
	}
	return text.String()
}
