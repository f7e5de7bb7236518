package hooks

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/claudeops/claudeops/internal/statedir"
)

func newFile(t *testing.T, text string) *File {
	t.Helper()
	f := &File{Path: filepath.Join(t.TempDir(), "claude", "hook_state.json"), Now: func() time.Time { return noon }}
	if text != "" {
		must(t, os.MkdirAll(filepath.Dir(f.Path), 0o700))
		must(t, os.WriteFile(f.Path, []byte(text), 0o600))
	}
	return f
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// fail counts a failure of a hook.
func (f *File) fail(t *testing.T, name string) (changes []Change) {
	t.Helper()
	_, err := f.Update(lockWait, func(s *Hooks) {
		changes = s.Edit(name, "", func(h *Hook) { h.call(0, policy, Call{}, fails) })
	})
	must(t, err)
	return changes
}

// The operations of ANTI-LOOP "State Management".
func TestANTILOOP_StateManagerCRUD(t *testing.T) {
	f := newFile(t, "")
	s, err := f.Read()
	must(t, err)
	if len(s.Names()) != 0 || s.Hook("x").State != Closed {
		t.Errorf("a missing file: %+v", s)
	}
	for i := range 3 {
		if changes := f.fail(t, "x"); len(changes) != i/2 {
			t.Errorf("failure %d: %+v", i+1, changes)
		}
	}
	f.fail(t, "y")
	s, err = f.Read()
	must(t, err)
	if s.Hook("x").State != Open || s.Hook("y").State != Closed || s.Stats.HooksDisabled != 1 || !s.Stats.LastUpdated.Equal(noon) {
		t.Errorf("after failures: %+v", s)
	}
	_, err = f.Update(lockWait, func(s *Hooks) { s.Delete("x") })
	must(t, err)
	s, err = f.Read()
	must(t, err)
	if fmt.Sprint(s.Names()) != "[y]" || s.Stats.HooksDisabled != 0 {
		t.Errorf("after the reset of one: %+v", s)
	}
	f = newFile(t, `{"hooks": {}, "global_stats": {"total_executions": 5, "note": "keep"}}`)
	_, err = f.Update(lockWait, func(s *Hooks) { s.Clear() })
	must(t, err)
	s, err = f.Read()
	must(t, err)
	if s.Stats.TotalExecutions != 0 || len(s.Stats.Others) != 1 {
		t.Errorf("after the reset of all: %+v", s)
	}
}

// The document's own example, and what Python's json.dumps makes of datetime.isoformat().
const others = `{"$schema": "x", "hooks": {
  "uv run $CLAUDE_PROJECT_DIR/.claude/hooks/validators/validate_file_contains.py": {
    "state": "open", "failure_count": 5, "consecutive_failures": 5, "consecutive_successes": 0, "first_failure": "2026-02-10T23:32:15Z",
    "last_failure": "2026-02-10T23:35:42Z", "last_success": null, "last_error": "Failed to spawn: No such file or directory",
    "disabled_at": "2026-02-10T23:35:42Z", "retry_after": "2026-02-10T23:40:42Z"},
  "h": {"state": "closed", "failure_count": 1, "consecutive_failures": 1, "last_failure": "2026-02-10T23:35:42.123456+01:00",
    "last_success": "2026-02-10T23:35:42.5", "last_error": null, "owner": {"name":  "Zo\u00eb \ud83d\ude00", "n": 1.0e0}},
  "strange": {"state": 5}, "null": null},
 "global_stats": {"total_executions": 1523, "total_failures": 12, "hooks_disabled": 1, "last_updated": null, "note": "keep"},
 "z": [{"deep": [[]]}]}`

func TestANTILOOP_StateManager_WhatOthersWrote(t *testing.T) {
	f := newFile(t, others)
	f.fail(t, "h")
	s, err := f.Read()
	must(t, err)
	h := s.Hook("h")
	if h.ConsecutiveFailures != 2 || h.LastSuccess.Format(time.RFC3339) != "2026-02-10T23:35:42Z" {
		t.Errorf("%+v", h)
	}
	uv := s.Hook("uv run $CLAUDE_PROJECT_DIR/.claude/hooks/validators/validate_file_contains.py")
	if uv.State != Open || uv.FailureCount != 5 || uv.RetryAfter == nil {
		t.Errorf("%+v", uv)
	}
	if strange := s.Hook("strange"); strange.State != Closed {
		t.Errorf("what is no hook begins anew: %+v", strange)
	}
	text, err := os.ReadFile(f.Path)
	must(t, err)
	for _, part := range []string{
		`"$schema": "x"`, `"Zo\u00eb \ud83d\ude00"`, `1.0e0`, `"note": "keep"`, `"deep"`, `"null": null`, `"total_executions": 1523`,
	} {
		if !strings.Contains(string(text), part) {
			t.Errorf("%s is lost:\n%s", part, text)
		}
	}
}

func TestANTILOOP_Chaos_CorruptFile(t *testing.T) {
	for name, text := range map[string]string{
		"cut off": `{"hooks": {"h": {"state": "op`, "no JSON": "hello", "an array": `[]`, "two values": `{} {}`,
		"hooks are a list": `{"hooks": []}`, "zero bytes": "\x00\x00", "counts are a list": `{"global_stats": [1]}`,
	} {
		f := newFile(t, text)
		if s, err := f.Read(); !errors.Is(err, errDamaged) || len(s.Names()) != 0 {
			t.Errorf("%s: %v", name, err)
		}
		note, err := f.Update(lockWait, func(*Hooks) {})
		must(t, err)
		if s, err := f.Read(); err != nil || len(s.Names()) > 0 {
			t.Errorf("%s: set aside, and still there: %v", name, err)
		}
		_, err = f.Update(lockWait, func(s *Hooks) { s.Edit("h", "", func(h *Hook) { h.call(0, policy, Call{}, fails) }) })
		must(t, err)
		aside := f.Path + ".corrupt-20260210T120000Z"
		kept, err := os.ReadFile(aside)
		if err != nil || string(kept) != text || !strings.Contains(note, aside) {
			t.Errorf("%s: %q, %v, kept %q", name, note, err, kept)
		}
		if s, err := f.Read(); err != nil || s.Hook("h").FailureCount != 1 {
			t.Errorf("%s: begun anew: %v", name, err)
		}
	}
}

func TestALockThatIsHeldIsNotWaitedForWithoutEnd(t *testing.T) {
	f := newFile(t, "{}")
	lock, err := statedir.TryAcquire(f.Path + ".lock")
	must(t, err)
	_, err = f.Update(time.Millisecond, func(*Hooks) { t.Error("the lock is somebody else's") })
	if !errors.Is(err, statedir.ErrLocked) {
		t.Errorf("error %v", err)
	}
	must(t, lock.Release())
}

// Hooks that were not seen for 30 days are forgotten when a new one comes, but not that a person has disabled one.
func TestHooksThatAreNotSeenAnyMoreAreForgotten(t *testing.T) {
	f := newFile(t, `{"hooks": {
		"old": {"state": "open", "last_success": "2026-01-10T12:00:00Z", "last_failure": "2026-01-01T12:00:00Z"},
		"disabled": {"disabled_by_hand": "2026-01-01T12:00:00Z"},
		"recent": {"last_success": "2026-01-12T12:00:00Z"},
		"unknown": {}}}`)
	f.fail(t, "recent")
	s, err := f.Read()
	must(t, err)
	if len(s.Names()) != 4 {
		t.Errorf("with nothing new: %q", s.Names())
	}
	f.fail(t, "new")
	s, err = f.Read()
	must(t, err)
	if got := fmt.Sprint(s.Names()); got != "[disabled new recent unknown]" || s.Stats.HooksDisabled != 1 {
		t.Errorf("%s, %d disabled", got, s.Stats.HooksDisabled)
	}
}

func FuzzState(f *testing.F) {
	f.Add([]byte(others))
	f.Add([]byte(`{"hooks": {"h": {"sessions": {"s": {"loop": {"state": "open"}}, "n": null}}}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		file := newFile(t, string(text)+" ")
		_, err := file.Update(lockWait, func(s *Hooks) {
			for _, name := range s.Names() {
				s.Edit(name, "s", func(h *Hook) { h.call(0, policy, Call{Event: "Stop", Session: "s"}, fails) })
			}
			s.Edit("new", "", func(h *Hook) { h.call(0, policy, Call{}, fails) })
		})
		must(t, err)
		written, err := os.ReadFile(file.Path)
		must(t, err)
		if !jsontext.Value(written).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) {
			t.Fatalf("%q became %q", text, written)
		}
		s, err := file.Read()
		if err != nil || s.Hook("new").FailureCount == 0 {
			t.Fatalf("%q became %q: %v", text, written, err)
		}
	})
}
