package crontab

import (
	"fmt"
	"log/slog"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Exit is how a cycle's process ended.
type Exit struct {
	Code   int            // -1 if a signal ended it
	Signal syscall.Signal // 0 if none did
	Err    error          // why the outcome is unknown; nil if it is known
}

// lockHeld is the exit code of run-once while another cycle runs.
const lockHeld = 75

// meaning describes an exit code of run-once, with its log level.
func (e Exit) meaning() (string, slog.Level) {
	const signalled = 128
	switch {
	case e.Err != nil:
		return "how it ended is not known: " + e.Err.Error(), slog.LevelError
	case e.Signal != 0:
		return "killed by " + unix.SignalName(e.Signal), slog.LevelError
	case e.Code == 0:
		return "the cycle ran to its end", slog.LevelInfo
	case e.Code == 1:
		return "the cycle ran, but a tier failed, timed out or could not start", slog.LevelWarn
	case e.Code == 2:
		return "usage or configuration error; nothing was started", slog.LevelError
	case e.Code == lockHeld:
		return "another cycle was running on the state directory; nothing was started", slog.LevelWarn
	case e.Code > signalled && unix.SignalName(syscall.Signal(e.Code-signalled)) != "":
		return "ended by " + unix.SignalName(syscall.Signal(e.Code-signalled)) + ", after its records were written", slog.LevelWarn
	}
	return "not an exit code of run-once", slog.LevelError
}

// stamp is a moment in a log line, in the machine's zone.
func stamp(t time.Time) string {
	if t.IsZero() {
		return "not within five years"
	}
	return t.Local().Format(time.RFC3339)
}

// zones names the zones that schedules are read in, each once.
func (t ticks) zones(now time.Time) string {
	var names []string
	for _, b := range t {
		name := b.Zone()
		if name == "" {
			name = fmt.Sprintf("local time (%s)", now.Local().Format("MST -07:00"))
		}
		if !strings.Contains(strings.Join(names, "\n")+"\n", name+"\n") {
			names = append(names, name)
		}
	}
	return strings.Join(names, "; ")
}
