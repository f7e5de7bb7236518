package dashboard

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/claudeops/claudeops/store"
)

// wholeLines returns the offsets of a log's lines by definition: 0 and after each newline, except at the end.
func wholeLines(log []byte) (begins []int64) {
	for at := 0; at < len(log); {
		begins = append(begins, int64(at))
		n := bytes.IndexByte(log[at:], '\n')
		if n < 0 {
			break
		}
		at += n + 1
	}
	return begins
}

func begins(lines []LogLine) (at []int64) {
	for _, l := range lines {
		at = append(at, l.At)
	}
	return at
}

func reading(log []byte) *logReader {
	r := newLogReader(bytes.NewReader(log))
	r.size = int64(len(log))
	return r
}

// forwards reads pages from an offset to the end and checks that each line follows the one before.
func forwards(t *testing.T, log []byte, from int64) (lines []LogLine) {
	t.Helper()
	for {
		page, err := reading(log).page(t.Context(), from)
		if err != nil {
			t.Fatal(err)
		}
		if len(page.Lines) > mostLogLines || page.Next < from || page.Next == from && len(page.Lines) > 0 {
			t.Fatalf("from %d the next page is at %d", from, page.Next)
		}
		lines = append(lines, page.Lines...)
		if page.Next >= page.Size {
			return lines
		}
		from = page.Next
	}
}

// backwards reads pages from the end to the beginning.
func backwards(t *testing.T, log []byte) (lines []LogLine) {
	t.Helper()
	before := int64(len(log)) + 1
	for from := int64(LogTail); ; {
		page, err := reading(log).page(t.Context(), from)
		if err != nil {
			t.Fatal(err)
		}
		until := slices.IndexFunc(page.Lines, func(l LogLine) bool { return l.At >= before }) // the first page may reach into the second
		if until < 0 {
			until = len(page.Lines)
		}
		lines = append(slices.Clone(page.Lines[:until]), lines...)
		if page.Earlier < 0 {
			return lines
		}
		if page.Earlier >= page.From {
			t.Fatalf("the page before %d is at %d", page.From, page.Earlier)
		}
		before, from = page.From, page.Earlier
	}
}

func checkPaging(t *testing.T, log []byte, from int64) {
	t.Helper()
	all := wholeLines(log)
	from = min(max(from, 0), int64(len(log)))
	first, _ := slices.BinarySearch(all, from)
	lines := forwards(t, log, from)
	if got, want := begins(lines), all[first:]; !slices.Equal(got, want) {
		t.Fatalf("from %d there are %d lines forwards, want %d", from, len(got), len(want))
	}
	for n, l := range lines {
		if n > 0 && lines[n-1].Next != l.At {
			t.Fatalf("line %d ends at %d and the one behind it begins at %d", n-1, lines[n-1].Next, l.At)
		}
	}
	if got := begins(backwards(t, log)); !slices.Equal(got, all) {
		t.Fatalf("there are %d lines backwards, want %d", len(got), len(all))
	}
}

// log creates a log whose lines have these lengths, without the newline.
func logOf(lengths ...int) []byte {
	var log []byte
	for n, length := range lengths {
		log = append(append(log, bytes.Repeat([]byte{byte('a' + n%26)}, length)...), '\n')
	}
	return log
}

func TestAPageOfALogHoldsWholeLinesForwardsAndBackwards(t *testing.T) {
	short := slices.Repeat([]int{100, 0, 3000}, 300)
	for name, log := range map[string][]byte{
		"empty":                             nil,
		"one newline":                       []byte("\n"),
		"only newlines":                     bytes.Repeat([]byte("\n"), 5*mostLogLines+7),
		"no newline at the end":             append(logOf(10, 20), "abc"...),
		"one line without newline":          []byte("abc"),
		"as many as a page has":             bytes.Repeat([]byte("\n"), mostLogLines),
		"one more than a page has":          bytes.Repeat([]byte("\n"), mostLogLines+1),
		"many":                              logOf(short...),
		"as long as a step":                 logOf(logStep, logStep-1, logStep-2, logStep+1, 5),
		"a long line in the middle":         logOf(append(append(slices.Clone(short), 5*logStep), short...)...),
		"long lines at both ends":           logOf(append(append([]int{4 * logStep}, short...), 3*logStep)...),
		"long ones alone":                   logOf(3*logStep, 3*logStep, 2*logStep),
		"a long one without newline at end": append(logOf(10), bytes.Repeat([]byte("x"), 3*logStep)...),
	} {
		t.Run(name, func(t *testing.T) {
			for _, from := range []int64{0, 1, 2, 99, 100, 101, 5000, logStep - 1, logStep, logStep + 1, 2 * logStep, 3*logStep + 17, int64(len(log)) - 1, int64(len(log)), int64(len(log)) + 1} {
				checkPaging(t, log, from)
			}
		})
	}
}

func FuzzPaging(f *testing.F) {
	f.Add([]byte{1, 200, 255, 0, 3}, uint32(77), true)
	f.Add([]byte{255, 255, 255, 255, 255, 255}, uint32(400_000), false)
	f.Fuzz(func(t *testing.T, lengths []byte, from uint32, cut bool) {
		var sizes []int
		for _, l := range lengths[:min(len(lengths), 24)] {
			size := int(l)
			if l >= 240 {
				size = int(l-239) * 29_000 // up to three and a half steps
			}
			sizes = append(sizes, size)
		}
		log := logOf(sizes...)
		if cut && len(log) > 0 {
			log = log[:len(log)-1]
		}
		checkPaging(t, log, int64(from)%(int64(len(log))+2))
	})
}

// counting counts the bytes that are read from a log of zeros.
type counting struct {
	size, read int64
	text       []byte // the content at its end
}

func (c *counting) ReadAt(p []byte, at int64) (int, error) {
	if at >= c.size {
		return 0, io.EOF
	}
	n := int(min(int64(len(p)), c.size-at))
	clear(p[:n])
	for i := range p[:n] {
		if behind := at + int64(i) - (c.size - int64(len(c.text))); behind >= 0 {
			p[i] = c.text[behind]
		} else if (at+int64(i))%1000 == 999 {
			p[i] = '\n'
		}
	}
	c.read += int64(n)
	return n, nil
}

func TestAPageOfAHugeLogReadsLittle(t *testing.T) {
	for name, from := range map[string]int64{"beginning": 0, "middle": 1 << 30, "end": LogTail} {
		t.Run(name, func(t *testing.T) {
			log := &counting{size: 2 << 30}
			r := newLogReader(log)
			r.size = log.size
			page, err := r.page(t.Context(), from)
			if err != nil {
				t.Fatal(err)
			}
			if len(page.Lines) < 100 || log.read > 5*logStep {
				t.Errorf("%d lines, of %d bytes that were read", len(page.Lines), log.read)
			}
		})
	}
}

func TestALineThatIsTooLongIsToldByItsLength(t *testing.T) {
	log := slices.Concat([]byte("{}\n"), []byte(`{"type":"user","x":"`), bytes.Repeat([]byte("x"), 3<<20), []byte("\"}\nlast\n"))
	lines := forwards(t, log, 0)
	if len(lines) != 3 || !strings.Contains(lines[1].Text, "3145750 bytes, of type user") || lines[2].Text != "last" {
		t.Errorf("the lines are %.300v", lines)
	}
}

func TestASearchForTheEndOfALineEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := reading(logOf(4 * logStep))
	if _, err := r.page(ctx, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

// A log as the agent program writes it, and what is shown of each line.
func TestEventsAreToldAsPeopleReadThem(t *testing.T) {
	for _, c := range []struct{ line, kind, tool, id, text string }{
		{`{"type":"system","subtype":"init","tools":["Bash","Read"],"model":"claude-haiku"}`, "system", "", "", "started: claude-haiku, 2 tools (Bash, Read)"},
		{`{"type":"system","subtype":"api_retry","attempt":6,"max_retries":10,"retry_delay_ms":17238,"error_status":401,"error":"authentication_failed"}`,
			"error", "", "", "the API has not answered: authentication_failed, status 401, attempt 6 of 10, the next in 17.2 s"},
		{`{"type":"system","subtype":"hook_response","hook_name":"PreToolUse:Bash","hook_event":"PreToolUse","outcome":"success","exit_code":0,"stdout":"a\n"}`,
			"system", "", "", "hook PreToolUse:Bash ended: success, exit 0\na"},
		{`{"type":"assistant","message":{"content":[{"type":"text","text":"hello"}]}}`, "text", "", "", "hello"},
		{`{"type":"assistant","message":{"content":"hello"}}`, "text", "", "", "hello"},
		{`{"type":"assistant","message":{"content":[{"type":"thinking","thinking":"hm"}]}}`, "thinking", "", "", "hm"},
		{`{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"docker ps"}}]}}`, "tool", "Bash", "t1", "docker ps"},
		{`{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t2","name":"Read","input":{ "file_path" : "/x" }}]}}`, "tool", "Read", "t2", `{"file_path":"/x"}`},
		{`{"type":"assistant","message":{"content":[{"type":"text","text":"so"},{"type":"tool_use","id":"t3","name":"Bash","input":{"command":"id"}}]}}`, "tool", "Bash", "t3", "so\n\nid"},
		{`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"up","is_error":false}]}}`, "result", "Bash", "t1", "up"},
		{`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t2","content":[{"type":"text","text":"a"},{"type":"image"}],"is_error":true}]}}`, "error", "Read", "t2", "a\n(image)"},
		{`{"type":"user","message":{"content":"Stop hook feedback"}}`, "system", "", "", "to the agent: Stop hook feedback"},
		{`{"type":"result","subtype":"success","is_error":false,"result":"done","total_cost_usd":0.1234,"num_turns":3,"duration_ms":61000}`, "end", "", "", "ended: $0.1234, 3 turns, 1m1s\n\ndone"},
		{`{"type":"result","subtype":"error_max_turns","is_error":true,"errors":["too many"],"permission_denials":[{}]}`,
			"end", "", "", "ended with an error (error_max_turns): $0.0000, 0 turns, 0s, 1 calls refused\n\ntoo many"},
		{`{"type":"claudeops","subtype":"log_full"}`, "system", "", "", "the log is full: nothing more of this session is in it"},
		{`{"type":"stream_event","event":{}}`, "raw", "", "", `{"type":"stream_event","event":{}}`},
		{`{"type":"assistant","message":{"content":[{"type":"redacted"}]}}`, "raw", "", "", `{"type":"assistant","message":{"content":[{"type":"redacted"}]}}`},
		{`not json`, "raw", "", "", "not json"},
		{"\xff\xfe", "raw", "", "", "\uFFFD"},
		{``, "raw", "", "", ""},
	} {
		r := newLogReader(nil)
		r.tools = map[string]string{"t1": "Bash", "t2": "Read"}
		got := r.line([]byte(c.line), 7, 9)
		if want := (LogLine{At: 7, Next: 9, Kind: c.kind, Tool: c.tool, ID: c.id, Text: c.text}); got != want {
			t.Errorf("%s\nis told as %+v\n    want    %+v", c.line, got, want)
		}
	}
}

func TestTheTimeOfAnEventIsTold(t *testing.T) {
	l := newLogReader(nil).line([]byte(`{"type":"user","timestamp":"2026-01-02T03:04:05.678+01:00","message":{"content":"x"}}`), 0, 1)
	if l.Time == nil || l.Time.String() != "2026-01-02 02:04:05.678 +0000 UTC" {
		t.Errorf("the time is %v", l.Time)
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
		l := newLogReader(nil).line(line, 1, 2)
		if l.At != 1 || l.Next != 2 || !slices.Contains(kinds, l.Kind) {
			t.Errorf("told as %+v", l)
		}
		if len(l.Text) > mostLineText || !utf8.ValidString(l.Text+l.Tool+l.ID) {
			t.Errorf("%d bytes of text, valid: %t", len(l.Text), utf8.ValidString(l.Text+l.Tool+l.ID))
		}
	})
}

func TestALongTextSaysHowMuchIsMissing(t *testing.T) {
	l := newLogReader(nil).line([]byte(`{"type":"assistant","message":{"content":"`+strings.Repeat("é", 20_000)+`"}}`), 0, 1)
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
	fine(l.t, l.store.EndSession(l.t.Context(), l.session, store.SessionEnd{Status: store.Completed}))
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
		func() { l.append(strings.Repeat("x", 3*logStep)) },
		func() {},
		func() { l.append(strings.Repeat("x", logStep) + "\nfour\nlast without newline") },
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
	want := []string{"one", "two", "three", fmt.Sprintf("a line of %d bytes, which is too long to be shown", 4*logStep), "four", "last without newline"}
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
	l := newLogged(t, strings.Repeat("a line\n", 40)+strings.Repeat("y", 2*logStep)+"\nand more\n")
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
	if got := begins(followed(t, l, 3)); !slices.Equal(got, begins(all[1:])) {
		t.Errorf("from the middle of the first line on there are %v", got)
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

func TestWhatBecomesOfALogWhileItIsFollowedIsSaid(t *testing.T) {
	for name, c := range map[string]struct {
		happens func(l logged)
		want    string
	}{
		"cut short": {func(l logged) { l.write("o") }, "cut short"},
		"removed":   {logged.remove, "removed or replaced"},
		"replaced": {func(l logged) {
			fine(l.t, os.WriteFile(l.log+"x", []byte("one\ntwo\nthree\n"), 0o600))
			fine(l.t, os.Rename(l.log+"x", l.log))
		}, "removed or replaced"},
		"a link": {logged.link, "removed or replaced"},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLogged(t, "one\ntwo\n")
			l.alive()
			pauses := 0
			err := l.follow(t.Context(), l.session, 0, func([]LogLine) error { return nil }, func(context.Context) error {
				if pauses++; pauses == 1 {
					c.happens(l)
				}
				if pauses > 20 {
					return errors.New("nobody noticed")
				}
				return nil
			})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("the error is %v, want %q in it", err, c.want)
			}
		})
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
			page, err := l.LogPage(t.Context(), l.session, 0)
			if err != nil || len(page.Lines) != 0 || !strings.Contains(page.Note, c.want) {
				t.Fatalf("%v: %+v", err, page)
			}
		})
	}
}

func TestAPageOfTheLogOfASessionThatRunsLeavesTheLineThatIsWritten(t *testing.T) {
	l := newLogged(t, "one\ntw")
	l.alive()
	page, err := l.LogPage(t.Context(), l.session, LogTail)
	fine(t, err)
	if !slices.Equal(texts(page.Lines), []string{"one"}) || page.Next != 4 || page.Size != 6 || page.From != 0 || page.Earlier != -1 {
		t.Errorf("the page is %+v", page)
	}
	l.end()
	page, err = l.LogPage(t.Context(), l.session, LogTail)
	fine(t, err)
	if !slices.Equal(texts(page.Lines), []string{"one", "tw"}) || page.Next != 6 {
		t.Errorf("the page is %+v", page)
	}
}

func TestALogOfAnUnknownSessionIsNotFound(t *testing.T) {
	l := newLogged(t, "one\n")
	for _, id := range []int64{0, -1, 999, 1 << 62} {
		if _, err := l.LogPage(t.Context(), id, 0); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%d: %v", id, err)
		}
		if err := l.Follow(t.Context(), id, 0, func([]LogLine) error { return nil }); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%d: %v", id, err)
		}
	}
}
