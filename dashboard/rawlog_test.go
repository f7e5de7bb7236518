package dashboard

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/claudeops/claudeops/store"
)

func begins(lines []LogLine) (at []int64) {
	for _, l := range lines {
		at = append(at, l.At)
	}
	return at
}

func TestTheEndOfALogIsShown(t *testing.T) {
	longest := strings.Repeat("x", mostLine)
	for name, c := range map[string]struct {
		log         string
		first, last string
		lines       int
		from        int64
	}{
		"empty":                      {"", "", "", 0, 0},
		"one line":                   {"one\n", "one", "one", 1, 0},
		"without newline at the end": {"one\ntwo", "one", "two", 2, 0},
		"only newlines":              {strings.Repeat("\n", 1200), "", "", 500, 700},
		"more lines than are shown":  {"first\n" + strings.Repeat("more\n", 499) + "last\n", "more", "last", 500, 6},
		"more bytes than are read":   {strings.Repeat(longest+"\n", 9) + "last\n", "", "last", 4, 6 * (mostLine + 1)},
		"a line that is too long":    {"one\n" + longest + "xx\nlast\n", "one", "last", 3, 0},
		"one line that is too long, and goes beyond what is read": {strings.Repeat("x", mostTail+5), "a line of", "a line of", 1, 5},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLogged(t, c.log)
			l.end()
			page := got(l.LogPage(t.Context(), l.session))(t)
			if len(page.Lines) != c.lines || page.From != c.from || page.Next != page.Size || page.Size != int64(len(c.log)) || page.Live {
				t.Fatalf("%d lines from %d to %d of %d", len(page.Lines), page.From, page.Next, page.Size)
			}
			if c.lines == 0 {
				return
			}
			if first, last := page.Lines[0].Text, page.Lines[c.lines-1].Text; !strings.HasPrefix(first, c.first) || !strings.HasPrefix(last, c.last) {
				t.Errorf("from %.30q to %.30q", first, last)
			}
		})
	}
}

func TestALineThatIsTooLongIsToldByItsLength(t *testing.T) {
	l := newLogged(t, "{}\n"+strings.Repeat("x", 700_000)+"\nlast\n")
	l.end()
	lines := followed(t, l, 0)
	if len(lines) != 3 || !strings.Contains(lines[1].Text, "a line of 700001 bytes") || lines[2].Text != "last" {
		t.Errorf("the lines are %.300v", lines)
	}
}

// A log as the agent program writes it, and what is shown of each line.
func TestEventsAreToldAsPeopleReadThem(t *testing.T) {
	for _, c := range []struct{ line, kind, tool, text string }{
		{`{"type":"system","subtype":"init","tools":["Bash","Read"],"model":"claude-haiku"}`, "system", "", "started: claude-haiku, 2 tools (Bash, Read)"},
		{`{"type":"system","subtype":"api_retry","attempt":6,"max_retries":10,"retry_delay_ms":17238,"error_status":401,"error":"authentication_failed"}`,
			"error", "", "the API has not answered: authentication_failed, status 401, attempt 6 of 10, the next in 17.2 s"},
		{`{"type":"assistant","message":{"content":[{"type":"text","text":"hello"}]}}`, "text", "", "hello"},
		{`{"type":"assistant","message":{"content":"hello"}}`, "text", "", "hello"},
		{`{"type":"assistant","message":{"content":[{"type":"thinking","thinking":"hm"}]}}`, "thinking", "", "hm"},
		{`{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"docker ps"}}]}}`, "tool", "Bash", "docker ps"},
		{`{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t2","name":"Read","input":{ "file_path" : "/x" }}]}}`, "tool", "Read", `{"file_path":"/x"}`},
		{`{"type":"assistant","message":{"content":[{"type":"text","text":"so"},{"type":"tool_use","id":"t3","name":"Bash","input":{"command":"id"}}]}}`, "tool", "Bash", "so\n\nid"},
		{`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"up","is_error":false}]}}`, "result", "Bash", "up"},
		{`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t2","content":[{"type":"text","text":"a"},{"type":"image"}],"is_error":true}]}}`, "error", "Read", "a\n(image)"},
		{`{"type":"user","message":{"content":"Stop hook feedback"}}`, "system", "", "to the agent: Stop hook feedback"},
		{`{"type":"result","subtype":"success","is_error":false,"result":"done","total_cost_usd":0.1234,"num_turns":3,"duration_ms":61000}`, "end", "", "ended: $0.1234, 3 turns, 1m1s\n\ndone"},
		{`{"type":"result","subtype":"error_max_turns","is_error":true,"errors":["too many"],"permission_denials":[{}]}`,
			"end", "", "ended with an error (error_max_turns): $0.0000, 0 turns, 0s, 1 calls refused\n\ntoo many"},
		{`{"type":"claudeops","subtype":"log_full"}`, "system", "", "the log is full: nothing more of this session is in it"},
		{`{"type":"stream_event","event":{}}`, "raw", "", `{"type":"stream_event","event":{}}`},
		{`{"type":"assistant","message":{"content":[{"type":"redacted"}]}}`, "raw", "", `{"type":"assistant","message":{"content":[{"type":"redacted"}]}}`},
		{`not json`, "raw", "", "not json"},
		{"\xff\xfe", "raw", "", "\uFFFD"},
		{``, "raw", "", ""},
	} {
		r := logReader{tools: map[string]string{"t1": "Bash", "t2": "Read"}}
		got := r.line([]byte(c.line))
		if want := (LogLine{Kind: c.kind, Tool: c.tool, Text: c.text}); got != want {
			t.Errorf("%s\nis told as %+v\n    want    %+v", c.line, got, want)
		}
	}
}

func FuzzLogLine(f *testing.F) {
	f.Add([]byte(`{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"x"}}]}}`))
	f.Add([]byte(`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"\ud800"}]}]}}`))
	f.Add([]byte(`{"type":"system","subtype":"api_retry","error":{},"error_status":1e400}`))
	f.Add([]byte(`{"type":"result","duration_ms":-9223372036854775808,"total_cost_usd":1e308}`))
	f.Add([]byte(strings.Repeat(`[`, 20000)))
	kinds := []string{"system", "thinking", "text", "tool", "result", "error", "end", "raw"}
	f.Fuzz(func(t *testing.T, line []byte) {
		l := (&logReader{tools: map[string]string{}}).line(line)
		if !slices.Contains(kinds, l.Kind) {
			t.Errorf("told as %+v", l)
		}
		if len(l.Text) > mostLineText || !utf8.ValidString(l.Text+l.Tool) {
			t.Errorf("%d bytes of text, valid: %t", len(l.Text), utf8.ValidString(l.Text+l.Tool))
		}
	})
}

func TestALongTextSaysHowMuchIsMissing(t *testing.T) {
	l := (&logReader{}).line([]byte(`{"type":"assistant","message":{"content":"` + strings.Repeat("é", 20_000) + `"}}`))
	if len(l.Text) > mostLineText || !utf8.ValidString(l.Text) || !strings.HasSuffix(l.Text, " bytes more)") {
		t.Errorf("%d bytes, ending with %q", len(l.Text), l.Text[len(l.Text)-40:])
	}
}

// logged is a house with one session, which is running and has a log.
type logged struct {
	*house
	session int64
	log     string
}

func newLogged(t *testing.T, text string) logged {
	t.Helper()
	h := newHouse(t)
	id := h.session(store.Session{Status: store.Running})
	l := logged{h, id, filepath.Join(h.results(), fmt.Sprintf("session-%d.ndjson", id))}
	fine(t, h.store.SetSessionLog(t.Context(), id, l.log))
	l.write(text)
	return l
}

func (l logged) write(text string) {
	l.t.Helper()
	fine(l.t, os.WriteFile(l.log, []byte(text), 0o600))
}

func (l logged) remove() {
	l.t.Helper()
	fine(l.t, os.Remove(l.log))
}

// link replaces the log by a link to a foreign file.
func (l logged) link() {
	l.t.Helper()
	l.remove()
	fine(l.t, os.Symlink("/etc/passwd", l.log))
}

func (l logged) append(text string) {
	l.t.Helper()
	f := got(os.OpenFile(l.log, os.O_APPEND|os.O_WRONLY, 0))(l.t)
	_, err := f.WriteString(text)
	fine(l.t, errors.Join(err, f.Close()))
}

func (l logged) end() {
	l.t.Helper()
	fine(l.t, l.store.EndSession(l.t.Context(), l.session, store.Session{Status: store.Completed}))
}

// named sets the path of the log in the database.
func texts(lines []LogLine) (all []string) {
	for _, l := range lines {
		all = append(all, l.Text)
	}
	return all
}

func TestALogIsFollowedToItsEndWithoutGapsOrRepeats(t *testing.T) {
	l := newLogged(t, "one\ntw")
	l.alive()
	// The events at each pause, in order.
	steps := []func(){
		func() { l.append("o\nthr") },
		func() { l.append("ee\n") },
		func() { l.append(strings.Repeat("x", 3*mostLine)) },
		func() {},
		func() { l.append(strings.Repeat("x", mostLine) + "\nfour\nlast without newline") },
		l.end,
	}
	var lines []LogLine
	pauses := 0
	err := l.follow(t.Context(), l.session, 0, func(some []LogLine) error {
		lines = append(lines, some...)
		return nil
	}, func(context.Context) error {
		if pauses < len(steps) {
			steps[pauses]()
		}
		if pauses++; pauses > 50 {
			return errors.New("it never ends")
		}
		return nil
	})
	fine(t, err)
	want := []string{"one", "two", "three", fmt.Sprintf("a line of %d bytes, which is too long to be shown", 4*mostLine+1), "four", "last without newline"}
	if got := texts(lines); !slices.Equal(got, want) {
		t.Errorf("handed over: %q", got)
	}
	for n, line := range lines[1:] {
		if line.At != lines[n].Next {
			t.Errorf("line %d begins at %d, not at %d", n+1, line.At, lines[n].Next)
		}
	}
}

// A reader that resumes at the Next of any line gets each later line once.
func TestFollowingResumesBehindAnyLine(t *testing.T) {
	l := newLogged(t, strings.Repeat("a line\n", 40)+strings.Repeat("y", 2*mostLine)+"\nand more\n")
	l.end()
	all := followed(t, l, 0)
	if len(all) != 42 {
		t.Fatalf("%d lines", len(all))
	}
	for n, line := range all {
		if got := begins(followed(t, l, line.Next)); !slices.Equal(got, begins(all[n+1:])) {
			t.Errorf("behind line %d there are %v", n, got)
		}
		if got := begins(followed(t, l, line.At)); !slices.Equal(got, begins(all[n:])) {
			t.Errorf("from line %d on there are %v", n, got)
		}
	}
}

func followed(t *testing.T, l logged, from int64) (lines []LogLine) {
	t.Helper()
	fine(t, l.follow(t.Context(), l.session, from, func(some []LogLine) error {
		lines = append(lines, some...)
		return nil
	}, func(context.Context) error { return errors.New("there is nothing to wait for") }))
	return lines
}

func TestFollowingEndsWhenItsReaderOrItsContextDoes(t *testing.T) {
	l := newLogged(t, "one\n")
	l.alive()
	gone := errors.New("gone")
	calls := 0
	err := l.follow(t.Context(), l.session, 0, func(lines []LogLine) error {
		if calls++; len(lines) == 0 {
			return gone
		}
		return nil
	}, pause)
	if !errors.Is(err, gone) || calls != 2 {
		t.Errorf("after %d calls: %v", calls, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	err = l.Follow(ctx, l.session, 0, func([]LogLine) error { cancel(); return nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

func TestALogThatIsNotThereYetIsWaitedFor(t *testing.T) {
	l := newLogged(t, "")
	l.alive()
	l.remove()
	pauses, lines := 0, []LogLine{}
	err := l.follow(t.Context(), l.session, 0, func(some []LogLine) error {
		lines = append(lines, some...)
		return nil
	}, func(context.Context) error {
		switch pauses++; pauses {
		case 3:
			l.write("one\n")
		case 6:
			l.end()
		case 30:
			return errors.New("it never ends")
		}
		return nil
	})
	if err != nil || !slices.Equal(texts(lines), []string{"one"}) {
		t.Errorf("%v: %q", err, texts(lines))
	}
}

// A session that was cut off is complete, whatever its record says.
func TestTheLogOfASessionThatWasCutOffEnds(t *testing.T) {
	l := newLogged(t, "one\nhalf")
	l.pass(24 * time.Hour)
	if got := texts(followed(t, l, 0)); !slices.Equal(got, []string{"one", "half"}) {
		t.Errorf("handed over: %q", got)
	}
}

func TestALogThatCannotBeShownHasANote(t *testing.T) {
	for name, c := range map[string]struct {
		make func(l logged)
		want string
	}{
		"pruned":      {func(l logged) { l.end(); l.remove() }, "The log is gone"},
		"none":        {func(l logged) { l.remove(); fine(l.t, l.store.SetSessionLog(l.t.Context(), l.session, "")) }, "This session has no log"},
		"not yet":     {logged.remove, "Nothing has been logged yet"},
		"a link":      {logged.link, "symbolic link"},
		"a directory": {func(l logged) { l.remove(); fine(l.t, os.Mkdir(l.log, 0o700)) }, "not a regular file"},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLogged(t, "one\n")
			c.make(l)
			page, err := l.LogPage(t.Context(), l.session)
			if err != nil || len(page.Lines) != 0 || !strings.Contains(page.Note, c.want) {
				t.Fatalf("%v: %+v", err, page)
			}
		})
	}
}

func TestAPageOfTheLogOfASessionThatRunsLeavesTheLineThatIsWritten(t *testing.T) {
	l := newLogged(t, "one\ntw")
	l.alive()
	page, err := l.LogPage(t.Context(), l.session)
	fine(t, err)
	if !slices.Equal(texts(page.Lines), []string{"one"}) || page.Next != 4 || page.Size != 6 || page.From != 0 || !page.Live {
		t.Errorf("the page is %+v", page)
	}
	l.end()
	page, err = l.LogPage(t.Context(), l.session)
	fine(t, err)
	if !slices.Equal(texts(page.Lines), []string{"one", "tw"}) || page.Next != 6 {
		t.Errorf("the page is %+v", page)
	}
}

func TestALogOfAnUnknownSessionIsNotFound(t *testing.T) {
	l := newLogged(t, "one\n")
	for _, id := range []int64{0, -1, 999, 1 << 62} {
		if _, err := l.LogPage(t.Context(), id); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%d: %v", id, err)
		}
		if err := l.Follow(t.Context(), id, 0, func([]LogLine) error { return nil }); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%d: %v", id, err)
		}
	}
}
