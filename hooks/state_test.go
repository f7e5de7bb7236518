package hooks

import (
	"bytes"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// FuzzState reads state files of others and changes two of their hooks. Valid JSON stays valid, and everything else is preserved.
func FuzzState(f *testing.F) {
	for _, text := range []string{
		``, `{}`, `null`, `{"hooks": null}`, `{"hooks": []}`, "\ufeff{ \"hooks\"\n:\t{ } , \"z\" : \"\xff\" }",
		`{"hooks": {"h": {"state": "open", "x": [1 , 2]}, "\u0068": 5, "other": {}}, "global_stats": {"y": 1}}`,
		`{"hooks": {"a": 1, "h": {"counted": ["x"], "sessions": {"s": {"loop": {"l": 2}, "k": 3}}}}}`,
		`{"hooks": {"h": {}}, "hooks": {"h": {"last_error": "\ud800", "retry_after": "2026-02-10T23:40:42+23:59"}}, "global_stats": null}`,
		`{"global_stats":[],"hooks":{"h":{"failure_count":1e400}}}`,
		"{\"h\x8aoks\": {\"h\": {}}, \"hooks\": {}}",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		bare := bytes.TrimPrefix(text, []byte("\ufeff"))
		valid := jsontext.Value(bare).IsValid(lenient())
		s, err := parseState(text)
		if err != nil {
			if !errors.Is(err, errNoState) || valid && jsontext.Value(bytes.TrimSpace(bare)).Kind() == '{' && !bytes.Contains(bare, []byte("h")) {
				t.Fatalf("%q was refused: %v", text, err)
			}
			return
		}
		if !valid {
			t.Fatalf("%q is not JSON and was read", text)
		}
		before := membersOf(t, s)
		path := filepath.Join(t.TempDir(), StateName)
		w := &work{file: &File{Random: func() float64 { return 0 }, Policy: func(string) Policy { return policy }}, path: path, now: noon}
		w.read(s)
		for _, name := range []string{"h", "new"} {
			e := w.entry(name)
			e.changed = true
			e.Begin(noon, policy, Call{ID: "id", Event: "Stop", Session: "s"})
			e.Finish(noon, policy, "id", Outcome{Failed: true, Block: true, Error: name}, 0)
		}
		w.recount = true
		if err := w.store(); err != nil {
			t.Fatal(err)
		}
		again, changed, err := readStateFile(path)
		if err != nil {
			t.Fatalf("%q became\n%s\n%v", text, changed, err)
		}
		if diff := cmp.Diff(before, membersOf(t, again)); diff != "" {
			t.Fatalf("%q became\n%s\n%s", text, changed, diff)
		}
		if h, err := again.hook("new"); err != nil || h.LastError != "new" {
			t.Fatalf("the new hook: %+v, %v", h, err)
		}
	})
}

// membersOf returns the unknown members of a state, and its hooks except the two that FuzzState changes.
func membersOf(t *testing.T, s *state) map[string]string {
	t.Helper()
	all := map[string]string{}
	for kind, members := range map[string]map[string]jsontext.Value{"other": s.Others, "hook": s.Hooks} {
		for name, value := range members {
			value = value.Clone() // Compact works in place
			if kind == "hook" && (name == "h" || name == "new") {
				continue
			}
			if err := value.Compact(jsontext.PreserveRawStrings(true), lenient()); err != nil {
				t.Fatal(err)
			}
			all[kind+" "+name] = string(value)
		}
	}
	return all
}

func TestAHookIsReadAsItWasWritten(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		h := hooks().Draw(r, "hook")
		text, err := json.Marshal(h, writingState())
		if err != nil {
			r.Fatal(err)
		}
		again, err := (&state{Hooks: map[string]jsontext.Value{"h": text}}).hook("h")
		if err != nil {
			r.Fatalf("%s: %v", text, err)
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
			Generation: count.Draw(r, "n"), DisabledMS: rapid.Int64Range(0, 999).Draw(r, "ms"), Openings: count.Draw(r, "n"),
			TrialsPassed: number.Draw(r, "f"), TrialsFailed: number.Draw(r, "f"),
		}
	})
	sessions := rapid.Custom(func(r *rapid.T) *Session {
		return &Session{SeenAt: times.Draw(r, "t"), Notified: rapid.Bool().Draw(r, "b"), Loop: rapid.Ptr(circuits, true).Draw(r, "loop")}
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
