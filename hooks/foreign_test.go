package hooks_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/claudeops/claudeops/hooks"
)

// others is a file to which others have added members on every level.
const others = `{"$schema": "x",
  "hooks" : {
	"other\u0020hook":{"state":"open","mine":[1,  2]  } ,
    "h": {
      "state": "closed", "failure_count": 1, "consecutive_failures": 1, "consecutive_successes": null, "first_failure": null,
      "last_failure": "2026-02-10T23:35:42.123456+01:00", "last_success": "2026-02-10T23:35:42", "last_error": null,
      "disabled_at": null, "retry_after": null,
      "owner": {"name":  "Zoë \ud83d\ude00", "n": 1.0e0},
      "executions": 7.0,
      "sessions": {"gone": null, "s": {
        "seen_at": "2026-02-10T23:35:00", "tag": {"a":   1}, "loop": {"state": "closed", "consecutive_failures": 3, "why":  [ ]}}
      }
    }
  },
  "global_stats": {"total_executions": 1523, "total_failures": 12, "hooks_disabled": 0, "note":  "keep", "last_updated": null},
  "z":  [ {"deep": [[[ ]]]} ]
}

`

func TestWhatOthersAddedIsKept(t *testing.T) {
	d := newFixture(t)
	d.put(others)
	b := d.begin("h", hooks.Call{Event: "Stop", Session: "s"})
	d.finish("h", b, hooks.Outcome{Block: true})
	text := d.text()
	for pointer, want := range map[jsontext.Pointer]string{
		"/$schema": `"x"`, "/z": `[{"deep":[[[]]]}]`,
		"/hooks/other hook":              `{"state":"open","mine":[1,2]}`,
		"/hooks/h/owner":                 `{"name":"Zoë \ud83d\ude00","n":1.0e0}`,
		"/hooks/h/sessions/s/tag":        `{"a":1}`,
		"/hooks/h/sessions/s/loop/why":   `[]`,
		"/global_stats/note":             `"keep"`,
		"/hooks/h/last_failure":          `"2026-02-10T22:35:42Z"`,
		"/hooks/h/executions":            `8`,
		"/global_stats/total_executions": `1524`,
		"/global_stats/total_failures":   `12`,
	} {
		if got := d.at(pointer); got != want {
			t.Errorf("%s is %s, want %s; the file:\n%s", pointer, got, want, text)
		}
	}
	if h := d.state("h"); h.State != hooks.Closed || h.FailureCount != 1 || len(h.Sessions) != 1 {
		t.Errorf("%+v", h)
	}
	d.fails("h", 3)
	if h := d.state("h"); h.State != hooks.Open || !strings.Contains(d.text(), `"hooks_disabled": 2,`) {
		t.Errorf("%+v; both are off, which is counted anew when a circuit changes:\n%s", h, d.text())
	}
}

// at returns the value at a pointer in the file, without white space; empty if there is none.
func (d *fixture) at(place jsontext.Pointer) string {
	d.Helper()
	dec := jsontext.NewDecoder(strings.NewReader(d.text()))
	for {
		if _, err := dec.ReadToken(); err != nil {
			return ""
		}
		if dec.StackPointer() != place {
			continue
		}
		v, err := dec.ReadValue()
		d.ok(err)
		d.ok(v.Compact(jsontext.PreserveRawStrings(true)))
		return string(v)
	}
}

func TestAnotherHookStaysAsItIs(t *testing.T) {
	d := newFixture(t)
	d.put(others)
	was := d.at("/hooks/h")
	d.run("a new one", hooks.Outcome{})
	if is := d.at("/hooks/h"); is != was {
		t.Errorf("the hook h changed (-want +got):\n%s", cmp.Diff(was, is))
	}
}

func TestSeveralShapesOfAFileWithoutHooks(t *testing.T) {
	for name, text := range map[string]string{
		"empty object":       `{}`,
		"null members":       `{"hooks": null, "global_stats": null}`,
		"a null hook":        `{"hooks": {"h": null}}`,
		"compact":            `{"hooks":{},"global_stats":{}}`,
		"stats first":        `{"global_stats": {"total_executions": 0}, "hooks": {}}`,
		"a byte order mark":  "\ufeff{}",
		"strange stats":      `{"global_stats": {"total_executions": "many", "mine": 1}}`,
		"stats of some kind": `{"global_stats": [1]}`,
		"names twice":        `{"hooks": {"h": {"state": "open"}}, "hooks": {"h": {"state": "open"}, "h": {}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			d.put(text)
			d.fails("h", 2)
			if r := d.report(); len(r.Hooks) != 1 || r.Hooks["h"].FailureCount != 2 || r.Stats.TotalExecutions != 2 || r.Stats.TotalFailures != 2 {
				t.Errorf("%+v\n%s", r, d.text())
			}
			if !jsontext.Value(d.text()).IsValid(jsontext.AllowDuplicateNames(true)) {
				t.Errorf("not valid any more:\n%s", d.text())
			}
			if found, err := d.ResetHook(t.Context(), "h"); !found || err != nil {
				t.Errorf("reset: %v, %v", found, err)
			}
			if r := d.report(); len(r.Hooks) != 0 {
				t.Errorf("after the reset: %+v\n%s", r, d.text())
			}
		})
	}
}

func TestStrangeValuesCostOneHookItsState(t *testing.T) {
	for _, strange := range []string{
		`5`, `"open"`, `[]`, `true`,
		`{"state": "ajar"}`, `{"state": 1}`, `{"failure_count": -1}`, `{"failure_count": "3"}`,
		`{"failure_count": 1.5}`, `{"failure_count": 1e300}`,
		`{"last_failure": "yesterday"}`, `{"retry_after": 1770766542}`, `{"last_error": {}}`, `{"trials_passed": -1}`,
		`{"counted": 5}`, `{"counted": [1]}`, `{"sessions": {"x": {"loop": 1}}}`, `{"sessions": {"x": {"loop": {"state": "no"}}}}`,
	} {
		t.Run(strange, func(t *testing.T) {
			if strings.HasPrefix(strange, "{") {
				strange = `{"disabled_by_hand": null, "consecutive_failures": 2, "mine": "kept", ` + strange[1:]
			}
			d := newFixture(t)
			d.put(`{"hooks": {"bad": ` + strange + `, "good": {"state": "closed", "consecutive_failures": 2}}}`)
			if b := d.begin("good", hooks.Call{}); len(b.Notes) > 0 {
				t.Errorf("somebody else's notes: %q", b.Notes)
			}
			b := d.begin("bad", hooks.Call{})
			if len(b.Notes) != 1 || !strings.Contains(b.Notes[0], `"bad" starts afresh`) {
				t.Errorf("notes %q", b.Notes)
			}
			if h := d.state("bad"); h.ConsecutiveFailures != 0 || len(h.Running) != 1 {
				t.Errorf("%+v", h)
			}
			if d.state("good").ConsecutiveFailures != 2 || strings.HasPrefix(strange, "{") != strings.Contains(d.text(), `"mine": "kept"`) {
				t.Errorf("the file:\n%s", d.text())
			}
		})
	}
	t.Run("what an operator wants stays", func(t *testing.T) {
		d := newFixture(t)
		d.put(`{"hooks": {"bad": {"state": "ajar", "disabled_by_hand": "2026-02-10T23:00:00Z"}}}`)
		if b := d.begin("bad", hooks.Call{}); b.Decision.Skip != hooks.DisabledByHand {
			t.Errorf("%+v", b)
		}
	})
}

func TestANTILOOP_Chaos_CorruptFile(t *testing.T) {
	for name, text := range map[string]string{
		"cut off":          `{"hooks": {"h": {"state": "op`,
		"no JSON":          "hello",
		"an array":         `[]`,
		"null":             `null`,
		"two values":       `{} {}`,
		"hooks are a list": `{"hooks": []}`,
		"zero bytes":       "\x00\x00\x00",
	} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			aside := d.Path + ".corrupt-20260210T233542Z"
			d.ok(os.WriteFile(aside, []byte("an earlier one"), 0o600))
			d.put(text)
			b := d.begin(hook, hooks.Call{})
			if !b.Decision.Execute || len(b.Notes) != 1 || !strings.Contains(b.Notes[0], filepath.Base(aside)+"-2") {
				t.Errorf("%+v", b)
			}
			if kept, err := os.ReadFile(aside + "-2"); err != nil || string(kept) != text {
				t.Errorf("set aside: %q, %v", kept, err)
			}
			if d.finish(hook, b, failed); d.state(hook).FailureCount != 1 {
				t.Errorf("the new file:\n%s", d.text())
			}
		})
	}
	t.Run("too large", func(t *testing.T) {
		d := newFixture(t)
		d.put("{}")
		d.ok(os.Truncate(d.Path, 64<<20+1))
		if b := d.begin(hook, hooks.Call{}); !b.Decision.Execute || len(b.Notes) != 1 {
			t.Errorf("%+v", b)
		}
	})
	t.Run("empty", func(t *testing.T) {
		d := newFixture(t)
		d.put("\n")
		b := d.begin(hook, hooks.Call{})
		if left, _ := filepath.Glob(d.Path + ".corrupt*"); len(left) > 0 || len(b.Notes) != 1 {
			t.Errorf("set aside: %v, notes %q", left, b.Notes)
		}
	})
}

// full returns a file with n hooks; the first have been idle longest.
func full(n int, special map[int]string) string {
	var b strings.Builder
	b.WriteString(`{"hooks":{`)
	for i := range n {
		if i > 0 {
			b.WriteString(",\n")
		}
		entry := special[i]
		if entry == "" {
			entry = fmt.Sprintf(`{"state":"closed","last_call":"%s"}`, start.Add(time.Duration(i-n)*time.Minute).Format(time.RFC3339))
		}
		fmt.Fprintf(&b, `"hook-%05d":%s`, i, entry)
	}
	b.WriteString(`},"mine":1}`)
	return b.String()
}

func TestTenThousandHooksAtMost(t *testing.T) {
	d := newFixture(t)
	b := d.begin("hook-00004", hooks.Call{})
	d.put(full(10_000, map[int]string{
		0: `{"state":"open","disabled_at":"2020-01-01T00:00:00Z"}`,
		1: `{"state":"half_open"}`,
		2: `{"disabled_by_hand":"2020-01-01T00:00:00Z"}`,
		9: `{"last_call":"2026-02-10T23:35:42Z"}`,
	}))
	d.run("hook-00020", hooks.Outcome{}) // a hook that exists makes no room
	if n := len(d.report().Hooks); n != 10_000 {
		t.Fatalf("%d hooks before a new one, want 10000", n)
	}
	d.run("new", hooks.Outcome{})
	r := d.report()
	if len(r.Hooks) != 9_901 || r.Stats.HooksDisabled != 3 {
		t.Errorf("%d hooks, %d disabled; want 9901 and 3", len(r.Hooks), r.Stats.HooksDisabled)
	}
	for name, want := range map[string]bool{
		"hook-00000": true, "hook-00001": true, "hook-00002": true, "hook-00003": false, "hook-00004": true,
		"hook-00005": false, "hook-00009": true,
		"hook-00020": true, "hook-00105": false, "hook-00106": true, "hook-09999": true, "new": true,
	} {
		if _, kept := r.Hooks[name]; kept != want {
			t.Errorf("%s is kept: %v, want %v", name, kept, want)
		}
	}
	if !strings.HasSuffix(strings.TrimSpace(d.text()), "}") || d.at("/mine") != "1" {
		t.Error("the rest of the file changed")
	}
	d.finish("hook-00004", b, hooks.Outcome{})
}

func TestRoomAmongOpenCircuitsOnly(t *testing.T) {
	special := map[int]string{}
	for i := range 10_000 {
		special[i] = fmt.Sprintf(`{"state":"open","disabled_at":"%s"}`, start.Add(time.Duration(i-20_000)*time.Minute).Format(time.RFC3339))
	}
	d := newFixture(t)
	d.put(full(10_000, special))
	d.run("new", hooks.Outcome{})
	r := d.report()
	_, first := r.Hooks["hook-00000"]
	_, second := r.Hooks["hook-00001"]
	if len(r.Hooks) != 10_000 || first || !second {
		t.Errorf("%d hooks; the first is there: %v, the second: %v; want only the first to go", len(r.Hooks), first, second)
	}
	for i := range special {
		special[i] = `{"disabled_by_hand":"2020-01-01T00:00:00Z"}`
	}
	d.put(full(10_000, special))
	d.run("new", hooks.Outcome{})
	if n := len(d.report().Hooks); n != 10_001 {
		t.Errorf("%d hooks where all are disabled by hand, want all of them and the new one", n)
	}
	if len(d.running()) != 0 {
		t.Errorf("left behind: %v", d.running())
	}
}
