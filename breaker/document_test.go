package breaker

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestDocumentChanges(t *testing.T) {
	for _, tt := range []struct {
		text   string
		remove []string
		set    map[string]string
		add    []string
		want   string
	}{
		{text: ` {"hooks":{}} `, want: ` {"hooks":{}} `},
		{text: `{"hooks":{}}`, add: []string{"a"}, want: "{\"hooks\":{\n    \"a\": +\n  }}"},
		{text: `{"hooks": { }}`, add: []string{"a", "b"}, want: "{\"hooks\": {\n    \"a\": +,\n    \"b\": +\n  }}"},
		{text: `{"hooks":{"a":1 , "b":2 , "c":3 },"x":0}`, remove: []string{"a"}, want: `{"hooks":{ "b":2 , "c":3 },"x":0}`},
		{text: `{"hooks":{"a":1 , "b":2 , "c":3 },"x":0}`, remove: []string{"b"}, want: `{"hooks":{"a":1 , "c":3 },"x":0}`},
		{text: `{"hooks":{"a":1 , "b":2 , "c":3 },"x":0}`, remove: []string{"c"}, want: `{"hooks":{"a":1 , "b":2 },"x":0}`},
		{text: `{"hooks":{"a":1 , "b":2 , "c":3 },"x":0}`, remove: []string{"a", "b"}, want: `{"hooks":{ "c":3 },"x":0}`},
		{text: `{"hooks":{"a":1 , "b":2 , "c":3 },"x":0}`, remove: []string{"a", "b", "c"}, want: `{"hooks":{},"x":0}`},
		{text: `{"hooks":{"a":1 },"x":0}`, remove: []string{"a"}, add: []string{"d"}, want: "{\"hooks\":{\n    \"d\": + },\"x\":0}"},
		{text: `{"hooks":{"a":1 , "b":2}}`, remove: []string{"b"}, add: []string{"d"}, want: "{\"hooks\":{\"a\":1,\n    \"d\": +}}"},
		{text: `{"hooks":{"a":1 , "b" : 2}}`, set: map[string]string{"b": "33"}, want: `{"hooks":{"a":1 , "b" : 33}}`},
		{text: `{"hooks":{"a":{}, "\u0062":[]}}`, set: map[string]string{"a": "1", "b": "33"}, want: `{"hooks":{"a":1, "\u0062":33}}`},
		{text: `{"x":1}`, add: []string{"a"}, want: "{\"x\":1,\n  \"hooks\": {\n    \"a\": +\n  }}"},
		{text: `{"hooks": null,"x":1}`, add: []string{"a"}, want: "{\"hooks\": {\n    \"a\": +\n  },\"x\":1}"},
	} {
		d, err := parseDocument([]byte(tt.text))
		if err != nil {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		for _, name := range tt.remove {
			d.hooks.set(d.hooks.find(name), nil)
		}
		for name, value := range tt.set {
			d.hooks.set(d.hooks.find(name), []byte(value))
		}
		for _, name := range tt.add {
			d.hooks.add(name, []byte("+"))
		}
		if got := string(bytes.Join(d.parts(), nil)); got != tt.want {
			t.Errorf("%s\nless %v, with %v and %v is\n%s\nwant\n%s", tt.text, tt.remove, tt.set, tt.add, got, tt.want)
		}
	}
}

// FuzzDocument reads state files of others and changes two of their hooks. What was JSON stays so, and everything else in it stays
// byte for byte.
func FuzzDocument(f *testing.F) {
	for _, text := range []string{
		``, `{}`, `null`, `{"hooks": null}`, `{"hooks": []}`, "\ufeff{ \"hooks\"\n:\t{ } , \"z\" : \"\xff\" }",
		`{"hooks": {"h": {"state": "open", "x": [1 , 2]}, "\u0068": 5, "other": {}}, "global_stats": {"y": 1}}`,
		`{"hooks": {"a": 1, "h": {"counted": ["x"], "sessions": {"s": {"loop": {"l": 2}, "k": 3}}}}}`,
		`{"hooks": {"h": {}}, "hooks": {"h": {"last_error": "\ud800", "retry_after": "2026-02-10T23:40:42+23:59"}}, "global_stats": null}`,
		`{"global_stats":[],"hooks":{"h":{"failure_count":1e400}}}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		lenient := json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
		bare := bytes.TrimPrefix(text, []byte("\ufeff"))
		valid := jsontext.Value(bare).IsValid(lenient)
		d, err := parseDocument(text)
		if err != nil {
			if !errors.Is(err, errNoState) || valid && jsontext.Value(bytes.TrimSpace(bare)).Kind() == '{' && !bytes.Contains(bare, []byte("h")) {
				t.Fatalf("%q was refused: %v", text, err)
			}
			return
		}
		if !valid {
			t.Fatalf("%q is not JSON and was read", text)
		}
		before := membersOf(t, d)
		w := &work{file: &File{Random: func() float64 { return 0 }, Policy: func(string) Policy { return policy }}, now: noon, doc: d}
		w.readStats()
		for _, name := range []string{"h", "new"} {
			e := w.entry(name)
			e.changed = true
			e.Begin(noon, policy, Call{ID: "id", Event: "Stop", Session: "s"})
			e.Finish(noon, policy, "id", Outcome{Failed: true, Block: true, Error: name}, 0)
		}
		w.recount = true
		w.store()
		changed := bytes.Join(d.parts(), nil)
		if !jsontext.Value(changed).IsValid(lenient) {
			t.Fatalf("%q became\n%s", text, changed)
		}
		again, err := parseDocument(changed)
		if err != nil {
			t.Fatalf("%q became\n%s\n%v", text, changed, err)
		}
		if diff := cmp.Diff(before, membersOf(t, again)); diff != "" {
			t.Fatalf("%q became\n%s\n%s", text, changed, diff)
		}
		h, _, err := decodeHook(again.hooks.value(again.hooks.find("new")))
		if err != nil || h.LastError != "new" {
			t.Fatalf("the new hook: %+v, %v", h, err)
		}
	})
}

// membersOf are the members of a document that belong to others, and its hooks less the two that FuzzDocument changes.
func membersOf(t *testing.T, d *document) (all []string) {
	t.Helper()
	for i := range d.members {
		if name := d.name(i); i != d.hooksAt && i != d.globalAt {
			all = append(all, fmt.Sprintf("%q %s", name, d.value(i)))
		}
	}
	h, added := d.hooks.find("h"), d.hooks.find("new")
	for i := range d.hooks.members {
		if i != h && i != added {
			all = append(all, fmt.Sprintf("hook %q %s", d.hooks.name(i), d.hooks.value(i)))
		}
	}
	return all
}

// The file's form of a hook is what the JSON library makes of it, whatever is in it.
func TestAnEntryIsTheHookAsJSON(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		h := hooks().Draw(r, "hook")
		text := h.encode(foreign{})
		want, err := json.Marshal(h)
		if err != nil {
			r.Fatal(err)
		}
		got := jsontext.Value(bytes.Clone(text))
		if err := errors.Join(got.Canonicalize(), (*jsontext.Value)(&want).Canonicalize()); err != nil {
			r.Fatal(err)
		}
		if string(got) != string(want) {
			r.Fatalf("got  %s\nwant %s", got, want)
		}
		again, others, err := decodeHook(text)
		if err != nil || len(others.hook) > 0 {
			r.Fatalf("%s: %v, others %q", text, err, others.hook)
		}
		if diff := cmp.Diff(h, again); diff != "" {
			r.Fatalf("read again (-want +got):\n%s", diff)
		}
	})
}

func hooks() *rapid.Generator[Hook] {
	times := rapid.Custom(func(r *rapid.T) time.Time {
		return time.Unix(rapid.Int64Range(0, 1<<37).Draw(r, "unix"), 0).UTC()
	})
	maybe := rapid.Ptr(times, true)
	count, number := rapid.Int64Range(0, 1<<53), rapid.Float64Range(0, 1e6)
	circuits := rapid.Custom(func(r *rapid.T) Circuit {
		return Circuit{
			State:        rapid.SampledFrom([]State{Closed, Open, HalfOpen}).Draw(r, "state"),
			FailureCount: count.Draw(r, "n"), ConsecutiveFailures: count.Draw(r, "n"), ConsecutiveSuccesses: count.Draw(r, "n"),
			FirstFailure: maybe.Draw(r, "t"), LastFailure: maybe.Draw(r, "t"), LastSuccess: maybe.Draw(r, "t"),
			LastError: rapid.String().Draw(r, "error"), DisabledAt: maybe.Draw(r, "t"), RetryAfter: maybe.Draw(r, "t"),
			Generation: count.Draw(r, "n"), DisabledMS: rapid.Int64Range(0, 999).Draw(r, "ms"), Openings: int(count.Draw(r, "n")),
			TrialsPassed: number.Draw(r, "f"), TrialsFailed: number.Draw(r, "f"),
		}
	})
	sessions := rapid.Custom(func(r *rapid.T) *Session {
		return &Session{times.Draw(r, "t"), rapid.Bool().Draw(r, "b"), rapid.Ptr(circuits, true).Draw(r, "loop")}
	})
	return rapid.Custom(func(r *rapid.T) Hook {
		h := Hook{
			circuits.Draw(r, "circuit"), maybe.Draw(r, "t"), count.Draw(r, "n"), count.Draw(r, "n"), maybe.Draw(r, "t"),
			rapid.String().Draw(r, "event"),
			nil, rapid.MapOf(rapid.String(), sessions).Draw(r, "sessions"), rapid.SliceOf(rapid.String()).Draw(r, "counted"),
		}
		if len(h.Counted) == 0 {
			h.Counted = nil
		}
		if len(h.Sessions) == 0 {
			h.Sessions = nil
		}
		return h
	})
}

func TestRunNames(t *testing.T) {
	ids := map[string]bool{}
	for range 100 {
		ids[newID()] = true
	}
	if len(ids) != 100 {
		t.Errorf("%d of 100 names are different", len(ids))
	}
	for _, id := range slices.Collect(maps.Keys(ids)) {
		if !isID(id) {
			t.Errorf("%q is not taken for a name", id)
		}
	}
	for _, id := range []string{"", ".", "..", "../0123456789abcdef", "0123456789abcde/", "0123456789abcdef00"} {
		if isID(id) {
			t.Errorf("%q is taken for a name", id)
		}
	}
}
