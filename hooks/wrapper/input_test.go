package wrapper

import (
	"bytes"
	"context"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"
)

func TestScanner(t *testing.T) {
	for name, tt := range map[string]struct {
		text           string
		event, session string
		whole, newline bool
		known          bool
	}{
		"message":           {text: message("Stop"), event: "Stop", session: "s1", whole: true, newline: true, known: true},
		"as far as needed":  {text: `{"session_id":"s","hook_event_name":"Stop","tool_`, event: "Stop", session: "s", known: true},
		"no session yet":    {text: `{"hook_event_name":"Stop","tool_`, event: "Stop"},
		"no session":        {text: `{"hook_event_name":"Stop"}`, event: "Stop", whole: true, known: true},
		"subagent, not yet": {text: `{"session_id":"s","hook_event_name":"SubagentStop",`, event: "SubagentStop", session: "s"},
		"subagent": {text: `{"session_id":"s","hook_event_name":"SubagentStop","agent_id":"a",`,
			event: "SubagentStop", session: "s/a", known: true},
		"agent, no end": {text: `{"session_id":"s","agent_id":"a","hook_event_name":"Stop"`, event: "Stop", session: "s", known: true},
		"order": {text: `{"x":[{"session_id":"no"}],"hook_event_name":"Stop","session_id":"s"}`,
			event: "Stop", session: "s", whole: true, known: true},
		"deeper": {text: `{"x":{"session_id":"no","hook_event_name":"no"}}`, whole: true, known: true},
		"spelled otherwise": {text: `{"session\u005fid":"\u0073","hook_event_name":"S\"top"} ` + "\r\n",
			event: `S"top`, session: "s", whole: true, newline: true, known: true},
		"other types":       {text: `{"session_id":1,"hook_event_name":["Stop"]}`, whole: true, known: true},
		"empty":             {text: " \n"},
		"no members":        {text: "{}", whole: true, known: true},
		"scalars":           {text: `{"a":-1.5e+3,"b":true,"c":null,"d":[1,false]}`, whole: true, known: true},
		"array":             {text: `[1]`, known: true},
		"text":              {text: `hello`, known: true},
		"second value":      {text: "{}\n{", newline: true, known: true},
		"no name":           {text: `{a}`, known: true},
		"comma":             {text: `{"a":1,}`, known: true},
		"brackets":          {text: `{"a":[1}`, known: true},
		"control character": {text: "{\"a\":\"\n", known: true},
		"no colon":          {text: `{"a" 1`, known: true},
		"long session": {text: `{"session_id":"` + strings.Repeat("x", 200) + `","hook_event_name":"Stop"}`,
			event: "Stop", whole: true, known: true},
		"longer session": {text: `{"session_id":"` + strings.Repeat("x", 2000) + `","hook_event_name":"Stop"}`,
			event: "Stop", whole: true, known: true},
		"too deep": {text: `{"a":` + strings.Repeat("[", 10_001), known: true},
	} {
		for _, size := range []int{1, 2, 7, len(tt.text)} {
			var s scanner
			for i := 0; i < len(tt.text); i += size {
				s.feed([]byte(tt.text[i:min(i+size, len(tt.text))]))
			}
			if s.event() != tt.event || s.session() != tt.session || s.whole() != tt.whole ||
				s.newline != tt.newline || s.known() != tt.known {
				t.Errorf("%s, in pieces of %d: event %q, session %q, whole %t, newline %t, known %t", name, size,
					s.event(), s.session(), s.whole(), s.newline, s.known())
			}
		}
	}
}

// FuzzInput checks that the hook gets the input byte for byte, in whatever pieces it arrives, and that the end of a message is found.
func FuzzInput(f *testing.F) {
	f.Add([]byte(message("Stop")), uint8(3))
	f.Add([]byte("{}\n{}\n"), uint8(1))
	f.Add([]byte("{\"a\\u005f\":[1,{\"\":-0.0e1}]} x"), uint8(5))
	f.Add([]byte{}, uint8(0))
	f.Add(bytes.Repeat([]byte(`{"session_id":"x","a":[`), 300), uint8(200))
	f.Fuzz(func(t *testing.T, text []byte, size uint8) {
		checkScanner(t, text, int(size)+1)
		if len(text) <= 32<<10 { // any pipe holds this much
			checkForwarded(t, text)
		}
	})
}

func checkScanner(t *testing.T, text []byte, size int) {
	dec := jsontext.NewDecoder(bytes.NewReader(text), lenient())
	value, err := dec.ReadValue()
	if err != nil || value.Kind() != '{' || bytes.HasPrefix(text, []byte("\xef\xbb\xbf")) {
		return
	}
	end := int(dec.InputOffset())
	var s scanner
	for i := 0; i < end; i += size {
		if s.whole() {
			t.Fatalf("ends before %d in %q", end, text)
		}
		s.feed(text[i:min(i+size, end)])
	}
	if !s.whole() {
		t.Fatalf("does not end at %d in %q", end, text)
	}
	rest := text[end:]
	s.feed(rest)
	if blank := len(bytes.Trim(rest, " \t\r\n")) == 0; s.whole() != blank || blank && s.newline != bytes.Contains(rest, []byte("\n")) {
		t.Fatalf("whole %t, newline %t with %q behind the value", s.whole(), s.newline, rest)
	}
}

func checkForwarded(t *testing.T, text []byte) {
	inR, inW, err := os.Pipe()
	must(t, err)
	defer inR.Close()
	hookR, hookW, err := os.Pipe()
	must(t, err)
	defer hookR.Close()
	_, err = inW.Write(text)
	must(t, err)
	must(t, inW.Close())
	in := &input{file: inR, fault: func(fault any) { t.Error(fault) }}
	in.readHeader(context.Background())
	feeder, err := in.feed(context.Background(), hookW)
	must(t, err)
	if feeder != nil {
		<-feeder.done
	}
	feeder.stop()
	got := make([]byte, len(text)+1)
	n := 0
	for {
		m, err := hookR.Read(got[n:])
		n += m
		if err != nil || m == 0 {
			break
		}
	}
	if !bytes.Equal(got[:n], text) {
		t.Fatalf("got  %q\nwant %q", got[:n], text)
	}
}

// The scanner's result does not depend on how the input is split.
func TestScannerInPieces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.SampledFrom([]rune(`{}[]":,\ 1tn`+"\n"))).Draw(t, "text")
		text = rapid.SampledFrom([]string{"", `{"session_id":"s",`, `{"a":`}).Draw(t, "begin") + text
		cut := rapid.IntRange(0, len(text)).Draw(t, "cut")
		var one, two scanner
		one.feed([]byte(text))
		two.feed([]byte(text[:cut]))
		two.feed([]byte(text[cut:]))
		if one.state != two.state || one.newline != two.newline || one.session() != two.session() {
			t.Fatalf("%d %t, in pieces %d %t", one.state, one.newline, two.state, two.newline)
		}
	})
}

// The agent program does not always close its pipe.
func TestPipeNeverClosed(t *testing.T) {
	for name, text := range map[string]string{"line": message("PreToolUse"), "no newline": `{"hook_event_name":"Stop"}`} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, w, err := os.Pipe()
			must(t, err)
			defer w.Close()
			defer r.Close()
			cmd := line(t, "cat").command(t)
			cmd.Stdin = r
			_, err = io.WriteString(w, text)
			must(t, err)
			equal(t, wait(t, cmd), result{0, text, ""})
		})
	}
}

func TestNothingOnPipe(t *testing.T) {
	r, w, err := os.Pipe()
	must(t, err)
	defer w.Close()
	defer r.Close()
	hook := line(t, "echo ran")
	cmd := hook.command(t)
	cmd.Stdin = r
	equal(t, wait(t, cmd), result{0, "ran\n", ""})
	hook.failed(t, 0, "")
}

// A large input for a skipped hook is read nevertheless; otherwise the agent program's write would fail.
func TestInputWhenOpen(t *testing.T) {
	w := line(t, `cat >/dev/null; exit 1`)
	w.configure(t, "circuit_breaker: {failure_threshold: 1}")
	w.run(t, largeJSON())
	cmd := w.command(t)
	stdin, err := cmd.StdinPipe()
	must(t, err)
	must(t, cmd.Start())
	if _, err := io.WriteString(stdin, largeJSON()); err != nil {
		t.Error(err)
	}
	must(t, stdin.Close())
	must(t, cmd.Wait())
}

// A panic of the scanner loses no input.
func TestScannerPanics(t *testing.T) {
	inR, inW, err := os.Pipe()
	must(t, err)
	defer inR.Close()
	hookR, hookW, err := os.Pipe()
	must(t, err)
	defer hookR.Close()
	var fault any
	in := &input{file: inR, fault: func(f any) { fault = f }}
	in.scan.decoder = jsontext.NewDecoder(&in.scan) // without the map for its results
	_, err = inW.WriteString(message("Stop"))
	must(t, err)
	in.readHeader(t.Context())
	feeder, err := in.feed(t.Context(), hookW)
	must(t, err)
	_, err = inW.WriteString("more")
	must(t, err)
	must(t, inW.Close())
	got, err := io.ReadAll(hookR)
	must(t, err)
	feeder.stop()
	if string(got) != message("Stop")+"more" || fault == nil {
		t.Errorf("%q, %v", got, fault)
	}
}

// Input that is not a message of the agent program may have several lines, and ends only at its end.
func TestWhereInputEnds(t *testing.T) {
	for text, want := range map[string]bool{
		message("Stop"): true, "{\"hook_event_name\":\"Stop\"}": false, "{\"a\":1}\n": false, "{}\n{}\n": false, "text\n": false, "": false,
	} {
		in := &input{}
		in.scan.feed([]byte(text))
		if in.complete() != want {
			t.Errorf("%q ends: %t", text, !want)
		}
		if in.eof = true; !in.complete() {
			t.Errorf("%q does not end where it ends", text)
		}
	}
}
