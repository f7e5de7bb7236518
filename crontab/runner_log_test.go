package crontab

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// still is a writer that blocks until let is closed.
type still struct {
	bytes.Buffer
	let chan struct{}
}

func (s *still) Write(p []byte) (int, error) {
	<-s.let
	return s.Buffer.Write(p)
}

func TestALogDoesNotWaitForItsWriter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		to := &still{let: make(chan struct{})}
		l := NewLog(to)
		const extra = 7
		for n := range maxLines + 1 + extra { // the first is already being written
			_, _ = fmt.Fprintf(l, "line %d\n", n)
			synctest.Wait()
		}
		began := time.Now()
		l.Flush(time.Second)
		if waited := time.Since(began); waited != time.Second {
			t.Errorf("it waited %v for a writer that blocks, want 1s", waited)
		}
		if n := l.Lost(); n != extra {
			t.Errorf("%d lines were lost, want %d", n, extra)
		}
		close(to.let)
		l.Flush(time.Minute)
		if n := strings.Count(to.String(), "\n"); n != maxLines+1 || l.Lost() != 0 {
			t.Errorf("%d lines came through, want %d", n, maxLines+1)
		}
		close(l.lines)
	})
}
