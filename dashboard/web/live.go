package web

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/claudeops/claudeops/dashboard"
)

const (
	streamPath     = "/sessions/{id}/log/stream"
	logFilePath    = "/sessions/{id}/log/file"
	heartbeatEvery = 15 * time.Second
	// streamWrite is the time limit for a reader of a stream to accept what was written.
	streamWrite = 10 * time.Second
	eventStream = "text/event-stream; charset=utf-8"
)

// stream sends a raw log as server-sent events. Each line has the offset after it as its id, so that a reconnecting browser sends its
// position (Last-Event-ID), and misses and repeats nothing.
func (s *server) stream(w http.ResponseWriter, r *http.Request) error {
	id, err := s.filters(r).pathID()
	if err != nil {
		return err
	}
	from, err := s.resumeAt(r)
	if err != nil {
		return err
	}
	if r.Method == http.MethodHead {
		w.Header().Set("Content-Type", eventStream)
		return nil
	}
	select {
	case s.streams <- struct{}{}:
		defer func() { <-s.streams }()
	default:
		return &fault{
			Status: http.StatusServiceUnavailable, Title: "Too many logs are followed",
			Detail: strconv.Itoa(maxStreams) + " logs are followed at the moment, which is as many as can be.",
			Advice: "Close other pages that show a log, and load this one again.",
		}
	}
	ctx, cancel := context.WithCancel(r.Context())
	var ending sync.WaitGroup
	ending.Go(func() {
		select {
		case <-s.ending:
			cancel()
		case <-ctx.Done():
		}
	})
	defer ending.Wait()
	defer cancel()
	events := &eventWriter{server: s, w: w, to: http.NewResponseController(w)}
	err = s.instance.Follow(ctx, id, from, events.lines)
	switch {
	case ctx.Err() != nil: // the reader is gone, or reconnects with the id of the last line
	case err == nil:
		_ = events.send([]byte("event: end\ndata: {}\n\n")) // the reader may be gone
	case !events.begun:
		return err
	}
	return nil
}

// logFile answers with a raw log as a file that browsers save.
func (s *server) logFile(w http.ResponseWriter, r *http.Request) error {
	id, err := s.filters(r).pathID()
	if err != nil {
		return err
	}
	log, err := s.instance.LogFile(r.Context(), id)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }() // it was only read
	w.Header().Set("Content-Type", "application/x-ndjson")
	w.Header().Set("Content-Disposition", fmt.Sprintf(`attachment; filename="session-%d.ndjson"`, id))
	for lines := bufio.NewReader(log); err == nil; {
		var line string
		if line, err = lines.ReadString('\n'); line != "" {
			_, _ = io.WriteString(w, s.cleaner.plain.String(line)) // the reader may be gone
		}
	}
	return nil
}

// resumeAt returns the requested offset of a stream.
func (s *server) resumeAt(r *http.Request) (int64, error) {
	f := s.filters(r)
	if last := r.Header.Get("Last-Event-ID"); last != "" {
		f.values.Set("from", last)
	}
	return f.offset()
}

// eventWriter writes server-sent events.
type eventWriter struct {
	server *server
	w      http.ResponseWriter
	to     *http.ResponseController
	begun  bool
	last   time.Time // the last write
}

// lines sends lines; without any, it may send a sign of life.
func (e *eventWriter) lines(lines []dashboard.LogLine) error {
	now := e.server.now()
	if len(lines) == 0 && e.begun && now.Sub(e.last) < heartbeatEvery {
		return nil
	}
	e.last = now
	var out bytes.Buffer
	if len(lines) == 0 {
		out.WriteString(": still here\n\n")
	}
	for _, line := range lines {
		text, err := e.server.json(line)
		if err != nil {
			return err
		}
		out.WriteString("id: " + strconv.FormatInt(line.Next, 10) + "\nevent: line\ndata: ")
		out.Write(text)
		out.WriteString("\n\n")
	}
	return e.send(out.Bytes())
}

// send writes an event, and starts the answer before the first one. The connection's deadlines use the machine's own clock.
func (e *eventWriter) send(text []byte) error {
	if err := e.to.SetWriteDeadline(time.Now().Add(streamWrite)); err != nil {
		return err
	}
	if !e.begun {
		if err := e.to.SetReadDeadline(time.Time{}); err != nil { // otherwise readTimeout would end the connection
			return err
		}
		e.begun = true
		e.w.Header().Set("Content-Type", eventStream)
		e.w.Header().Set("X-Accel-Buffering", "no") // nginx forwards it at once
		e.w.WriteHeader(http.StatusOK)
	}
	if _, err := e.w.Write(text); err != nil {
		return err
	}
	return e.to.Flush()
}
