package crontab

import (
	"bytes"
	"io"
	"sync/atomic"
	"time"
)

// Log passes lines on to a writer that may block, such as a full pipe, without waiting for it: whoever writes here has a
// clock and signals to look after. It keeps maxLines that are not passed on yet; what comes beyond is lost, and counted.
type Log struct {
	to    io.Writer
	lines chan logged
	lost  atomic.Int64
}

// maxLines is how many lines a Log keeps: more than an hour of an outage has.
const maxLines = 256

// logged is a line, or where done is not nil the end of a Flush.
type logged struct {
	text []byte
	done chan<- struct{}
}

// NewLog begins to pass on, for as long as the process lives.
func NewLog(to io.Writer) *Log {
	l := &Log{to: to, lines: make(chan logged, maxLines)}
	go func() {
		for line := range l.lines {
			if line.done != nil {
				close(line.done)
				continue
			}
			if _, err := l.to.Write(line.text); err != nil {
				l.lost.Add(1)
			}
		}
	}()
	return l
}

// Write never waits and never fails.
func (l *Log) Write(line []byte) (int, error) {
	select {
	case l.lines <- logged{text: bytes.Clone(line)}:
	default:
		l.lost.Add(1)
	}
	return len(line), nil
}

// Lost is how many lines were lost since it was last asked.
func (l *Log) Lost() int64 { return l.lost.Swap(0) }

// Flush waits until all that was written is passed on, at most so long.
func (l *Log) Flush(atMost time.Duration) {
	done, end := make(chan struct{}), time.NewTimer(atMost)
	defer end.Stop()
	select {
	case l.lines <- logged{done: done}:
	case <-end.C:
		return
	}
	select {
	case <-done:
	case <-end.C:
	}
}
