package web

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/claudeops/claudeops/dashboard"
	"github.com/claudeops/claudeops/testkit/seeded"
)

// busyLab is a separate homelab with a running session.
func busyLab(t *testing.T) (*site, *seeded.Lab) {
	t.Helper()
	lab := must(seeded.Homelab(t.Context(), t.TempDir(), testNow))(t)
	return newTestServer(t, func(o *dashboard.Options) { o.Config.StateDir, o.Config.ResultsDir = lab.StateDir, lab.ResultsDir }), lab
}

// sentEvent is a server-sent event as a browser reads it.
type sentEvent struct{ id, name, data string }

// follow reads events until f returns true, or the stream ends.
func (s *site) follow(path string, f func(sentEvent) bool, change ...func(*http.Request)) (int, http.Header) {
	s.t.Helper()
	ctx, cancel := context.WithCancel(s.t.Context())
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.http.URL+path, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, c := range change {
		c(r)
	}
	response, err := (&http.Client{}).Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	var e sentEvent
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, 1<<20)
	for enough := false; !enough && lines.Scan(); {
		name, value, _ := strings.Cut(lines.Text(), ": ")
		switch name {
		case "id":
			e.id = value
		case "event":
			e.name = value
		case "data":
			e.data = value
		case "":
			if lines.Text() == "" && e.name != "" {
				enough = !f(e)
			}
			e = sentEvent{}
		}
	}
	return response.StatusCode, response.Header
}

func streamOf(id int64) string { return fmt.Sprintf("/sessions/%d/log/stream", id) }

func TestLogsAreStreamedToTheirEnd(t *testing.T) {
	s := newTestServer(t)
	var events []sentEvent
	status, headers := s.follow(streamOf(s.lab.Chain[0])+"?from=0", func(e sentEvent) bool {
		events = append(events, e)
		return true
	})
	if status != http.StatusOK || headers.Get("Content-Type") != eventStream || headers.Get("Cache-Control") != "no-store" {
		t.Fatalf("%d %v", status, headers)
	}
	if len(events) < 5 || events[len(events)-1].name != "end" {
		t.Fatalf("%d events: %v", len(events), events)
	}
	at := int64(0)
	for _, e := range events[:len(events)-1] {
		var line dashboard.LogLine
		fine(t, json.Unmarshal([]byte(e.data), &line))
		if e.name != "line" || line.At < at || e.id != strconv.FormatInt(line.Next, 10) {
			t.Fatalf("behind %d comes %v", at, e)
		}
		at = line.Next
	}
}

// A browser that lost its connection at any point sends the last line that it has.
func TestStreamsResumeWithoutGapsOrRepeats(t *testing.T) {
	s := newTestServer(t)
	path := streamOf(s.lab.Chain[0])
	var whole []sentEvent
	s.follow(path+"?from=0", func(e sentEvent) bool { whole = append(whole, e); return true })
	var parts []sentEvent
	for done := false; !done; {
		change := header("X-First", "1")
		if len(parts) > 0 {
			change = header("Last-Event-ID", parts[len(parts)-1].id)
		}
		before := len(parts)
		s.follow(path+"?from=0", func(e sentEvent) bool {
			parts = append(parts, e)
			done = e.name == "end"
			return len(parts) < before+2
		}, change)
		if len(parts) == before {
			t.Fatal("the stream gives nothing")
		}
	}
	places := func(events []sentEvent) (ids []string) { // a result has no tool name if its call was sent before
		for _, e := range events {
			ids = append(ids, e.id+" "+e.name)
		}
		return ids
	}
	if diff := cmp.Diff(places(whole), places(parts)); diff != "" {
		t.Errorf("in parts it is not the same:\n%s", diff)
	}
}

func TestStreamsShowWhatIsWritten(t *testing.T) {
	s, lab := busyLab(t)
	said := "now the disk is checked \u202e<b>"
	var last sentEvent
	seen := 0
	s.follow(streamOf(lab.Running)+"?from=0", func(e sentEvent) bool {
		if seen++; seen == 1 {
			if err := lab.Say(said); err != nil {
				t.Error(err)
				return false
			}
		}
		last = e
		return !strings.Contains(e.data, "now the disk is checked")
	})
	var line dashboard.LogLine
	if err := json.Unmarshal([]byte(last.data), &line); err != nil || !strings.Contains(line.Text, said) {
		t.Errorf("the last event is %v (%v)", last, err)
	}
	if strings.Contains(last.data, "\u202e") {
		t.Error("what steers is sent as it is")
	}
}

func TestStreamsThatCannotBe(t *testing.T) {
	s := newTestServer(t)
	wantReply(t, s.get(streamOf(999999)), http.StatusNotFound, "There is no such session")
	wantReply(t, s.get("/sessions/x/log/stream"), http.StatusNotFound, "There is no such session")
	wantReply(t, s.get(streamOf(1)+"?from=x"), http.StatusBadRequest, "from=")
	for _, id := range []string{"x", "-2", "99999999999999999999", "1 2"} {
		wantReply(t, s.get(streamOf(1), header("Last-Event-ID", id)), http.StatusBadRequest, "from=")
	}
	for range maxStreams {
		s.server.streams <- struct{}{}
	}
	wantReply(t, s.get(streamOf(s.lab.Chain[0])), http.StatusServiceUnavailable, "64 logs are followed")
	<-s.server.streams
	s.follow(streamOf(s.lab.Chain[0])+"?from=0", func(sentEvent) bool { return true })
	if n := len(s.server.streams); n != maxStreams-1 {
		t.Errorf("%d streams are counted", n)
	}
}

func TestStreamsEndWhenTheServerEnds(t *testing.T) {
	s, lab := busyLab(t)
	ended := false
	s.follow(streamOf(lab.Running)+"?from=0", func(e sentEvent) bool {
		if !ended {
			ended = true
			close(s.server.ending)
		}
		if e.name == "end" {
			t.Error("the browser is told that the session has ended: it would not come back")
		}
		return true
	})
	if !ended {
		t.Fatal("nothing was streamed")
	}
	s.server.ending = make(chan struct{}) // closed at the test's end
}

func TestQuietStreamsShowThatTheyAreThere(t *testing.T) {
	s := newTestServer(t)
	got := httptest.NewRecorder()
	e := &eventWriter{server: s.server, w: got, to: http.NewResponseController(deadlines{got})}
	step := func(want string) {
		t.Helper()
		got.Body.Reset()
		fine(t, e.lines(nil))
		if got.Body.String() != want {
			t.Errorf("at %s it sends %q", s.clock(), got.Body)
		}
	}
	step(": still here\n\n")
	step("")
	s.wait(heartbeatEvery - 1)
	step("")
	s.wait(1)
	step(": still here\n\n")
	step("")
}

// deadlines is a recorder that accepts deadlines like a connection.
type deadlines struct{ *httptest.ResponseRecorder }

func (deadlines) SetWriteDeadline(_ time.Time) error { return nil }
func (deadlines) SetReadDeadline(_ time.Time) error  { return nil }

func TestASlowReaderIsCutOff(t *testing.T) {
	s := newTestServer(t)
	broken := errors.New("i/o timeout")
	e := &eventWriter{server: s.server, w: httptest.NewRecorder(), to: http.NewResponseController(lateWriter{httptest.NewRecorder(), broken})}
	if err := e.lines([]dashboard.LogLine{{Text: "x"}}); !errors.Is(err, broken) {
		t.Errorf("lines: %v", err)
	}
}

// lateWriter is a connection whose deadline is exceeded.
type lateWriter struct {
	*httptest.ResponseRecorder
	err error
}

func (l lateWriter) SetWriteDeadline(_ time.Time) error { return l.err }
