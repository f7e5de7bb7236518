package crontab

import (
	"bytes"
	"io"
	"sync/atomic"
	"time"
)

// Log passes lines to a writer that may block, such as a full pipe, without waiting for it, because the caller must handle the clock and
// signals. It buffers maxLines; further lines are lost and counted.
type Log struct {
	to    io.Writer
	lines chan logged
	lost  atomic.Int64
}

// maxLines limits the buffered lines: more than an hour of an outage produces.
const maxLines = 256

// logged is a line or, if done is not nil, the end of a Flush.
type logged struct {
	text []byte
	done chan<- struct{}
}

// NewLog starts passing on lines, for as long as the process lives.
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

// Lost returns the number of lines lost since the last call.
func (l *Log) Lost() int64 { return l.lost.Swap(0) }

// Flush waits until everything written is passed on, for at most atMost.
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
