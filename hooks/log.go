package hooks

import (
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/internal/statedir"
)

const (
	// maxLog is the size, in bytes, at which a log is renamed to NAME.1, replacing an earlier one.
	maxLog = 5 << 20
	// maxLogField limits a hook's command and a message in a line, in bytes.
	maxLogField = 4 << 10
	// maxRotations limits how often a line waits for a log that others fill at the same time.
	maxRotations = 10
)

// Log is the breaker's log file. Any number of processes may write to it at once; lines are never mixed. A write error is ignored,
// because the log must never stop a hook. The nil Log writes nothing.
type Log struct {
	path  string
	level int // index in logLevels
	parts []logPart
	now   func() time.Time
	max   int64
}

// logLevels are Python's, as in ANTI-LOOP, the least severe first.
var logLevels = []string{"DEBUG", "INFO", "WARNING", "ERROR"}

// OpenLog returns the configured log. The file is opened for each line, so a run without a line costs nothing.
func (c *Config) OpenLog(now func() time.Time) *Log {
	parts, _ := parseFormat(c.LogFormat) // the format was validated by the same function
	return &Log{path: c.LogFile, level: slices.Index(logLevels, c.LogLevel), parts: parts, now: now, max: maxLog}
}

// Debug logs each run.
func (l *Log) Debug(hook, message string) { l.log(0, hook, message) }

// Info logs circuits that change and hooks that are skipped.
func (l *Log) Info(hook, message string) { l.log(1, hook, message) }

// Warning logs hooks that fail.
func (l *Log) Warning(hook, message string) { l.log(2, hook, message) }

// Error logs problems of the breaker itself.
func (l *Log) Error(hook, message string) { l.log(3, hook, message) }

// Faults logs the faults of the settings, once after each change of their file.
func (l *Log) Faults(c *Config) {
	if l == nil || len(c.Faults) == 0 {
		return
	}
	settings, err := os.Stat(c.File)
	if err != nil {
		return
	}
	if log, err := os.Stat(l.path); err == nil && log.ModTime().After(settings.ModTime()) {
		return
	}
	for _, fault := range c.Faults {
		l.Warning("-", fault)
	}
}

func (l *Log) log(level int, hook, message string) {
	if l == nil || l.path == "" || level < l.level {
		return
	}
	_ = l.write([]byte(l.line(level, hook, message))) // a write error cannot be reported anywhere
}

func (l *Log) line(level int, hook, message string) string {
	return logLine(l.parts, map[string]string{
		"asctime":   l.now().Local().Format("2006-01-02 15:04:05,000"), // Python's
		"levelname": logLevels[level], "hook_cmd": visible(hook), "message": visible(message), "process": strconv.Itoa(os.Getpid()),
	})
}

// visible returns a text as one line of limited length. Control characters are escaped, so that they cannot affect a terminal.
func visible(text string) string {
	cut := len(text) > maxLogField
	if cut {
		text = strings.TrimRightFunc(text[:maxLogField], func(r rune) bool { return r == utf8.RuneError })
	}
	var b strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		if strconv.IsPrint(r) && (r != utf8.RuneError || size > 1) {
			b.WriteString(text[:size])
		} else {
			quoted := strconv.Quote(text[:size])
			b.WriteString(quoted[1 : len(quoted)-1])
		}
		text = text[size:]
	}
	if cut {
		b.WriteString("…")
	}
	return b.String()
}

// write appends a line with one call, so that the kernel does not mix it with another.
func (l *Log) write(line []byte) error {
	for range maxRotations {
		f, err := inDirectory(l.path, func() (*os.File, error) {
			return statedir.OpenFile(l.path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
		})
		if err != nil {
			return err
		}
		moved, err := l.rotate(f)
		if err == nil && !moved {
			_, err = f.Write(line)
		}
		if err = errors.Join(err, f.Close()); err != nil || !moved {
			return err
		}
	}
	return errors.New("the log does not stay where it is")
}

// rotate renames a full log. It returns true if f is no longer the log, also if another process has renamed it first. If several
// processes find the log full, one renames it while the others continue to write: none waits, and a log that has just begun never
// replaces NAME.1. A log that cannot be renamed grows to at most twice its size.
func (l *Log) rotate(f *os.File) (moved bool, err error) {
	is, err := f.Stat()
	if err != nil || is.Size() < l.max {
		return false, err
	}
	err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) // until f is closed
	if err == nil {
		if there, statErr := os.Lstat(l.path); statErr != nil || !os.SameFile(is, there) {
			return true, nil //nolint:nilerr // if there is no log any more, it was renamed
		}
		if err = os.Rename(l.path, l.path+".1"); err == nil {
			return true, nil
		}
	}
	if is.Size() < 2*l.max {
		err = nil
	}
	return false, err
}
