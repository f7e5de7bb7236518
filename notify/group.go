package notify

import (
	"iter"
	"strings"
	"sync"
	"time"
)

const (
	// maxOutput is how much of a program's output is kept, in bytes.
	maxOutput = 16 << 10
	// maxWritten is how much it may write, in bytes. One that writes more is ended.
	maxWritten = 4 << 20
	// outputGrace is how long output may still come once the program has ended: its children hold the pipe open.
	outputGrace = time.Second
)

// output is the beginning of what a program writes.
type output struct {
	mu      sync.Mutex
	kept    []byte
	written int
	end     func() // the program that writes too much; nil until it has started
}

// flood sets what ends the program.
func (o *output) flood(end func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.end = end
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.kept = append(o.kept, p[:min(len(p), maxOutput-len(o.kept))]...)
	if o.written += len(p); o.written > maxWritten && o.end != nil {
		o.end()
	}
	return len(p), nil
}

func (o *output) flooded() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.written > maxWritten
}

// failures are the lines of apprise's log that say what went wrong, without time and level. It logs "2026-11-21 21:57:07,156 - WARNING -
// Failed to …".
func (o *output) failures() (all []string) {
	for line := range o.lines() {
		_, rest, isLog := strings.Cut(line, " - ")
		level, said, hasLevel := strings.Cut(rest, " - ")
		if isLog && hasLevel && (level == "WARNING" || level == "ERROR" || level == "CRITICAL") {
			all = append(all, said)
		}
	}
	return all
}

func (o *output) lines() iter.Seq[string] {
	o.mu.Lock()
	defer o.mu.Unlock()
	kept := clean(string(o.kept))
	return func(yield func(string) bool) {
		for line := range strings.Lines(kept) {
			if !yield(strings.TrimSpace(line)) {
				return
			}
		}
	}
}

// telling is the line of apprise's output that says what went wrong. Where it can use no URL all of its usage comes after that.
func (o *output) telling() string {
	if all := o.failures(); len(all) > 0 {
		if hasNoURL(all[0]) {
			return "it can use no URL of the configuration"
		}
		return all[0]
	}
	last := "it did not say why"
	usage := false
	for line := range o.lines() {
		switch {
		case strings.HasPrefix(line, "Usage:"):
			usage = true
		case strings.HasPrefix(line, "Error: "):
			return strings.TrimPrefix(line, "Error: ")
		case line != "" && !usage:
			last = line // of a traceback, this is what happened
		}
	}
	return last
}
