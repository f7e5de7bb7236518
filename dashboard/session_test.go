package dashboard

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/store"
)

// audited adds lines to the audit of a session, and stores the path of its log.
func (h *house) audited(session int64, entries ...guard.Entry) {
	h.t.Helper()
	path := filepath.Join(h.results(), fmt.Sprintf("session-%d.ndjson", session))
	fine(h.t, h.store.SetSessionLog(h.t.Context(), session, path))
	for _, e := range entries {
		fine(h.t, guard.Audit{Path: guard.AuditBeside(path)}.Append(e))
	}
}

func TestASessionIsShownWithAllThatItDid(t *testing.T) {
	h := newHouse(t)
	ctx := t.Context()
	id := h.session(store.Session{Tier: 2, Response: "# Report", NumTurns: 3})
	fine(t, h.store.AddChecks(ctx, store.Reported, id, h.time(), []check.Result{{Service: "shop", Type: check.HTTP, Status: check.Down, Error: "HTTP 502"}}))
	fine(t, h.store.AddEvent(ctx, store.Event{SessionID: &id, Level: store.Warning, Service: "shop", Message: "m"}))
	fine(t, h.store.PutAct(ctx, store.Act{ID: "a", SessionID: &id, Service: "shop", Action: "restart", Source: "guard"}))
	incident := h.incident("shop", check.Down, h.time().Add(-1e9))
	fine(t, h.store.LinkSession(ctx, incident, id, "found", "tried"))
	h.audited(id,
		guard.Entry{ToolUseID: "t1", Tool: "Bash", Command: "docker ps", Actions: []guard.Action{guard.Observe}, Decision: guard.Allowed},
		guard.Entry{ToolUseID: "t2", Tool: "Bash", Command: "docker restart shop", Decision: guard.Allowed})
	d := got(h.Session(ctx, id))(t)
	if d.Session.Response != "# Report" || len(d.Checks) != 1 || len(d.Events) != 1 || len(d.Acts) != 1 || d.Handoff != nil || d.Gone {
		t.Errorf("it is %+v", d)
	}
	if len(d.Incidents) != 1 || d.Incidents[0].ID != incident || d.Incidents[0].Sessions != 1 {
		t.Errorf("its incidents are %+v", d.Incidents)
	}
	if len(d.Calls) != 2 || d.Calls[1].Decision != guard.Allowed || d.CallsNote != "" || d.MoreCalls+d.MoreChecks+d.MoreEvents != 0 {
		t.Errorf("its calls are %+v: %q", d.Calls, d.CallsNote)
	}
}

func TestTheListsOfASessionAreBounded(t *testing.T) {
	h := newHouse(t)
	id := h.session(store.Session{})
	results := make([]check.Result, 600)
	for n := range results {
		results[n] = check.Result{Service: fmt.Sprint("s", n), Type: check.HTTP, Status: check.Healthy}
	}
	fine(t, h.store.AddChecks(t.Context(), store.Reported, id, h.time(), results))
	for range 203 {
		fine(t, h.store.AddEvent(t.Context(), store.Event{SessionID: &id, Level: store.Info, Message: "m"}))
	}
	h.audited(id, slices.Repeat([]guard.Entry{{Tool: "Bash", Decision: guard.Denied}}, 507)...)
	d := got(h.Session(t.Context(), id))(t)
	if len(d.Checks) != 500 || d.MoreChecks != 100 || len(d.Events) != 200 || d.MoreEvents != 3 || len(d.Calls) != 500 || d.MoreCalls != 7 {
		t.Errorf("%d checks and %d, %d events and %d, %d calls and %d",
			len(d.Checks), d.MoreChecks, len(d.Events), d.MoreEvents, len(d.Calls), d.MoreCalls)
	}
}

func TestAnAuditIsReadInBounds(t *testing.T) {
	h := newHouse(t)
	id := h.session(store.Session{NumTurns: 1})
	h.audited(id, guard.Entry{Tool: "Bash", Command: "first", Decision: guard.Allowed})
	path := guard.AuditPath(h.results(), id)
	for name, c := range map[string]struct {
		make  func()
		calls int
		note  string
	}{
		"as it is":  {func() {}, 1, ""},
		"cut short": {func() { h.appendTo(path, `{"tool":"Ba`) }, 1, ""},
		"too long":  {func() { h.appendTo(path, "\n"+strings.Repeat("x", mostAudit)) }, 1, "longer than the 4 MiB"},
		"a link": {func() {
			fine(t, os.Remove(path))
			fine(t, os.Symlink("/etc/passwd", path))
		}, 0, "symbolic link"},
		"gone": {func() { fine(t, os.Remove(path)) }, 0, "the record was pruned"},
	} {
		t.Run(name, func(t *testing.T) {
			fine(t, os.RemoveAll(path))
			h.audited(id, guard.Entry{Tool: "Bash", Command: "first", Decision: guard.Allowed})
			c.make()
			d := got(h.Session(t.Context(), id))(t)
			if len(d.Calls) != c.calls || !strings.Contains(d.CallsNote, c.note) || (c.note == "") != (d.CallsNote == "") {
				t.Errorf("%d calls, %q", len(d.Calls), d.CallsNote)
			}
		})
	}
}

func (h *house) appendTo(path, text string) {
	h.t.Helper()
	f := got(os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0))(h.t)
	_, err := f.WriteString(text)
	fine(h.t, errors.Join(err, f.Close()))
}

// Logs are read from the results directory, whatever the database says.
func TestNoPathIsTakenFromTheDatabase(t *testing.T) {
	h := newHouse(t)
	id := h.session(store.Session{})
	h.audited(id, guard.Entry{Tool: "Bash", Command: "ours", Decision: guard.Allowed})
	fine(t, os.WriteFile(filepath.Join(h.results(), fmt.Sprintf("session-%d.ndjson", id)), []byte("ours\n"), 0o600))
	fine(t, h.store.SetSessionLog(t.Context(), id, "/etc/passwd"))
	if d := got(h.Session(t.Context(), id))(t); len(d.Calls) != 1 || d.Calls[0].Command != "ours" {
		t.Errorf("the calls are %+v: %s", d.Calls, d.CallsNote)
	}
	if page := got(h.LogPage(t.Context(), id))(t); !slices.Equal(texts(page.Lines), []string{"ours"}) {
		t.Errorf("the log is %+v", page)
	}
}

func TestAHandoffIsReadForPeople(t *testing.T) {
	valid := `{"schema_version":1,"recommended_tier":3,"services_affected":["shop"],"check_results":[{"service":"shop","check_type":"http","status":"down","error":"x"}],` +
		`"investigation_findings":"disk full","remediation_attempted":"restart","cooldown_state":{}}`
	for name, c := range map[string]struct {
		text  string
		tier  int
		fault string
		raw   string
	}{
		"valid":              {valid, 2, "", "\n  \"recommended_tier\": 3,\n"},
		"of the wrong tier":  {valid, 1, "recommended_tier", "\n  \"schema_version\": 1"},
		"no JSON":            {"{nothing", 2, "handoff is not valid", "{nothing"},
		"nested without end": {strings.Repeat("[", 9000) + strings.Repeat("]", 9000), 1, "handoff is not valid", "[[[[[["},
	} {
		t.Run(name, func(t *testing.T) {
			h := handoffOf(store.Session{Tier: c.tier, HandoffJSON: c.text})
			if !strings.Contains(h.Fault, c.fault) || (c.fault == "") != (h.Fault == "") || !strings.Contains(h.Raw, c.raw) {
				t.Errorf("%q: %.200s", h.Fault, h.Raw)
			}
			if len(h.Raw) > 2*len(c.text)+1000 {
				t.Errorf("%d bytes of %d", len(h.Raw), len(c.text))
			}
			if c.fault == "" && (h.Findings != "unverified (no evidence): disk full" || h.Attempted != "restart" || h.RecommendedTier != 3 || !slices.Equal(h.Services, []string{"shop"})) {
				t.Errorf("it is %+v", h)
			}
		})
	}
	if handoffOf(store.Session{Tier: 1}) != nil {
		t.Error("a session that left none has a handoff")
	}
}

func TestAnUnknownSessionIsNotFound(t *testing.T) {
	h := newHouse(t)
	for _, id := range []int64{0, -1, 7, 1 << 62} {
		if _, err := h.Session(t.Context(), id); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%d: %v", id, err)
		}
		if _, err := h.Incident(t.Context(), id); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("incident %d: %v", id, err)
		}
	}
}
