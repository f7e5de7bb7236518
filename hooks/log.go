package hooks

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/claudeops/claudeops/internal/statedir"
)

const (
	// maxLog is the size, in bytes, at which a log is renamed to NAME.1, replacing an earlier one.
	maxLog = 5 << 20
	// maxLogField limits a hook's command and a message in a line, in characters.
	maxLogField = 2000
)

// levels are Python's, as in ANTI-LOOP, the least severe first.
var levels = []string{"DEBUG", "INFO", "WARNING", "ERROR"}

// Log is the log file of ANTI-LOOP "Logging". Any number of processes write to it at once, each line in one piece. A line that cannot be
// written is lost: the log never stops a hook.
type Log struct {
	file, format string
	level        int // index in levels
	now          func() time.Time
}

// Log returns the log of a configuration.
func (c *Config) Log(now func() time.Time) *Log {
	return &Log{c.Logging.File, c.Logging.Format, slices.Index(levels, c.Logging.Level), now}
}

// Debug logs each run.
func (l *Log) Debug(hook, message string) { l.write(0, hook, message) }

// Info logs circuits that change and hooks that are skipped.
func (l *Log) Info(hook, message string) { l.write(1, hook, message) }

// Warning logs hooks that fail.
func (l *Log) Warning(hook, message string) { l.write(2, hook, message) }

// Error logs faults of the breaker itself.
func (l *Log) Error(hook, message string) { l.write(3, hook, message) }

func (l *Log) write(level int, hook, message string) {
	if level < l.level {
		return
	}
	line := strings.NewReplacer(
		"%(asctime)s", l.now().Local().Format("2006-01-02 15:04:05,000"), // Python's
		"%(levelname)s", levels[level],
		"%(hook_cmd)s", clip(OneLine(hook), maxLogField),
		"%(message)s", clip(OneLine(message), maxLogField),
	).Replace(l.format)
	f, err := l.open()
	if err != nil {
		return
	}
	_, _ = f.WriteString(line + "\n")
	_ = f.Close()
}

// open opens the file to append to it.
func (l *Log) open() (*os.File, error) {
	if is, err := os.Stat(l.file); err == nil && is.Size() >= maxLog {
		_ = os.Rename(l.file, l.file+".1") // otherwise it grows
	}
	if err := os.MkdirAll(filepath.Dir(l.file), 0o700); err != nil {
		return nil, err
	}
	return statedir.OpenFile(l.file, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
}
