package state_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/testkit/recording"
)

// place identifies what a limit counts.
type place struct {
	service string
	action  statefile.Action
}

// granted is one remediation that an agent was permitted.
type granted struct {
	place
	at      time.Time
	toolUse string
}

// watch is a sequence of agents that remediate and report that correctly, wrongly or not at all; and what they were permitted.
type watch struct {
	*fixture
	r      *rapid.T
	done   []granted
	reset  map[string]time.Time // when a service's windows were last emptied
	failed map[string]bool      // tool uses that the hook reported as failed
	uses   int
}

const ceiling = 4

// Whatever is reported by whom and in which order, and whatever an agent does to the file: no more is granted than the limits permit, and
// everything granted counts.
func TestPropertyNoMoreIsGrantedThanTheLimitsPermit(t *testing.T) {
	template := newDatabase(t)
	rapid.Check(t, func(r *rapid.T) {
		w := &watch{fixture: drawnFixture(t, r, template), r: r, reset: map[string]time.Time{}, failed: map[string]bool{}}
		w.Config.MaxRemediationsPerDay = ceiling
		w.beginSession()
		for range rapid.IntRange(1, 25).Draw(r, "steps") {
			w.step()
			w.wantCounted()
		}
		w.end()
		w.wantCounted()
	})
}

func (w *watch) beginSession() {
	w.Session(rapid.IntRange(2, 3).Draw(w.r, "tier"))
}

func (w *watch) place() place {
	return place{rapid.SampledFrom([]string{"a", "b"}).Draw(w.r, "service"), rapid.SampledFrom([]statefile.Action{statefile.Restart, statefile.Restart, statefile.Redeployment}).Draw(w.r, "action")}
}

func (w *watch) step() {
	w.Time = w.Time.Add(time.Second)
	at := w.place()
	success := rapid.Bool().Draw(w.r, "success")
	switch step := rapid.SampledFrom([]string{"reserve", "reserve", "reserve", "outcome", "outcome", "record", "jq", "erase", "wait", "wait", "end"}).Draw(w.r, "step"); step {
	case "reserve":
		w.ask()
	case "outcome":
		w.hook(success)
	case "record":
		w.Did(store.Act{Service: at.service, Action: at.action, Success: success, Error: "so it said"})
	case "jq", "erase":
		w.tamper(step, at, success)
	case "wait":
		w.Time = w.Time.Add(time.Duration(rapid.IntRange(1, 300).Draw(w.r, "minutes")) * time.Minute)
	case "end":
		w.end()
		if rapid.Bool().Draw(w.r, "recovered") {
			ok(w.T, w.Reset(w.T.Context(), at.service))
			w.reset[at.service] = w.Time
		}
		w.beginSession()
	}
}

// ask requests an act. The answer must agree with the limits before it.
func (w *watch) ask() {
	at := w.place()
	p := w.picture().Service(at.service).Permission(at.action)
	permitted := p.Used < p.Limit && p.Today < p.Ceiling
	w.uses++
	toolUse := fmt.Sprintf("toolu_%d", w.uses)
	err := w.reserve(toolUse, store.Act{Service: at.service, Action: at.action})
	if refusal := (*state.Refusal)(nil); err != nil && (!errors.As(err, &refusal) || !refusal.Limited()) {
		w.r.Fatal(err)
	}
	if permitted != (err == nil) {
		w.r.Fatalf("permitted is %t, and the answer is %v", permitted, err)
	}
	if err != nil {
		return
	}
	w.done = append(w.done, granted{at, w.Time, toolUse})
	for _, one := range w.done {
		window := w.Time.Add(-one.action.Window())
		if n := w.count(one.place, later(window, w.reset[one.service])); n > one.action.Limit() {
			w.r.Fatalf("%d %ss of %s were granted in a window", n, one.action, one.service)
		}
		if n := w.count(place{service: one.service}, w.Time.Add(-24*time.Hour)); n > ceiling {
			w.r.Fatalf("%d remediations of %s were granted in a day", n, one.service)
		}
	}
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// count returns how many were granted at a place (without an action: for a service) after since.
func (w *watch) count(at place, since time.Time) (n int) {
	for _, one := range w.done {
		if one.service == at.service && (at.action == "" || one.action == at.action) && one.at.After(since) {
			n++
		}
	}
	return n
}

// hook reports the outcome of some tool use at any time, or of none.
func (w *watch) hook(success bool) {
	toolUse := fmt.Sprintf("toolu_%d", rapid.IntRange(1, w.uses+1).Draw(w.r, "tool use"))
	session := w.Config.Agent.SessionID
	fault := "Exit code 1"
	if success {
		fault = ""
	}
	ok(w.T, w.Complete(w.T.Context(), toolUse, fault, time.Second))
	acts, err := w.Store.SessionActs(w.T.Context(), session)
	ok(w.T, err)
	for _, a := range acts {
		if a.ToolUseID != toolUse {
			continue
		}
		if a.Success && !success || a.Error == store.InProgress {
			w.r.Fatalf("after the outcome %t the act is %+v", success, a)
		}
		w.failed[toolUse] = !success
	}
}

// tamper changes an agent's copy of the file, as with jq.
func (w *watch) tamper(way string, at place, success bool) {
	w.Tampers(func(st *statefile.State) {
		if way == "erase" {
			st.Ensure(at.service).SetRecords(at.action, nil)
			return
		}
		age := time.Duration(rapid.SampledFrom([]int{0, 0, 3, 5, 30, 100}).Draw(w.r, "age")) * time.Hour
		st.Add(at.service, at.action, statefile.Record{Timestamp: statefile.At(w.Time.Add(-age)), Success: success})
	})
}

// end settles the session and begins the next cycle. Then nothing is in progress, and failures are recorded as failures.
func (w *watch) end() {
	w.Time = w.Time.Add(time.Second)
	w.Settle()
	w.WantAgreement()
	_, err := w.Adopt(w.T.Context(), false)
	ok(w.T, err)
	w.WantAgreement()
	acts, err := w.Store.ActsSince(w.T.Context(), w.Time.Add(-statefile.PruneAfter))
	ok(w.T, err)
	for _, a := range acts {
		if a.Error == store.InProgress || a.Success && (a.Error != "" || w.failed[a.ToolUseID]) {
			w.r.Fatalf("after the session the act is %+v", a)
		}
	}
}

// wantCounted fails unless everything that was granted counts, for agents and, after the session, for everyone.
func (w *watch) wantCounted() {
	st := w.picture()
	for _, one := range w.done {
		at := one.place
		p := st.Service(at.service).Permission(at.action)
		if n := w.count(at, later(w.Time.Add(-at.action.Window()), w.reset[at.service])); p.Used < n {
			w.r.Fatalf("%d %ss of %s were granted, %d count", n, at.action, at.service, p.Used)
		}
		if n := w.count(place{service: at.service}, w.Time.Add(-24*time.Hour)); p.Today < n {
			w.r.Fatalf("%d remediations of %s were granted in a day, %d count", n, at.service, p.Today)
		}
	}
}

// drawnFixture returns a fixture on a new state directory for one draw of a property. template is an empty database.
func drawnFixture(t *testing.T, r *rapid.T, template []byte) *fixture {
	dir := must(os.MkdirTemp(t.TempDir(), ""))
	ok(t, os.WriteFile(filepath.Join(dir, store.FileName), template, 0o600))
	d := &fixture{recording.In(t, dir)}
	r.Cleanup(func() { ok(t, d.Close()) })
	return d
}

func newDatabase(t *testing.T) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), store.FileName)
	ok(t, must(store.Open(t.Context(), path, store.ReadWrite)).Close())
	return must(os.ReadFile(path))
}
