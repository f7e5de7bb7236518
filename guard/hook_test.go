package guard

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/internal/mask"
)

// desk is one session's hook, with a judge that knows a few words, and records that only remember what was asked of them.
type desk struct {
	Hook
	told    []string // of the records, in order
	refusal string
	broken  error // of the records
	results []check.Result
}

func newDesk(t *testing.T, tier int) *desk {
	t.Helper()
	dir := t.TempDir()
	d := &desk{}
	d.Hook = Hook{
		Tier: tier, Audit: Audit{Path: filepath.Join(dir, "audit"), Redactor: mask.New([]string{"hunter2hunter2"})},
		Now:     func() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) },
		Judge:   judged,
		Records: func(context.Context) (Reservations, error) { return d, d.broken },
		Handoff: filepath.Join(dir, "handoff.json"),
		Checks:  func(context.Context) ([]check.Result, error) { return d.results, nil },
	}
	return d
}

// judged is a judge for whom the command says what it is.
func judged(in Input) (Verdict, error) {
	var input struct{ Command string }
	if err := json.Unmarshal(in.ToolInput, &input, json.MatchCaseInsensitiveNames(true)); err != nil {
		return Verdict{}, err
	}
	act := Act{Action: Action(strings.Fields(input.Command + " ?")[0]), Services: strings.Fields(input.Command + " ?")[1:], Command: input.Command}
	switch act.Action {
	case Observe:
		return Verdict{Allow: true, Rule: "look", Acts: []Act{{Action: Observe}}}, nil
	case Restart:
		act.Services = slices.DeleteFunc(act.Services, func(name string) bool { return name == "?" })
		return Verdict{Allow: true, Rule: "again", Acts: []Act{act}}, nil
	case "fault":
		return Verdict{}, errors.New("the policy cannot be read")
	}
	return Verdict{Reason: "not granted: do something else", Rule: "none", Acts: []Act{{Action: Unknown}}}, nil
}

func (d *desk) Reserve(_ context.Context, id string, wanted []Remediation) (string, error) {
	for _, w := range wanted {
		d.told = append(d.told, "reserve "+id+" "+string(w.Action)+" "+w.Service)
	}
	return d.refusal, nil
}

func (d *desk) Outcome(_ context.Context, id string, success bool, fault string, took time.Duration) error {
	word := "failure"
	if success {
		word = "success"
	}
	d.told = append(d.told, strings.TrimSpace(word+" "+id+" "+took.String()+" "+fault))
	return nil
}

// before is the input of a call of Bash.
func before(id, command string) []byte {
	text, err := json.Marshal(map[string]any{
		"hook_event_name": "PreToolUse", "cwd": "/repos", "tool_name": "Bash", "tool_use_id": id, "tool_input": map[string]string{"command": command},
	})
	if err != nil {
		panic(err) // of a test's own making
	}
	return text
}

func after(event, id, more string) []byte {
	return []byte(`{"hook_event_name":"` + event + `","cwd":"/","tool_name":"Bash","tool_use_id":"` + id + `","tool_input":{}` + more + `}`)
}

func (d *desk) wantTold(t *testing.T, want ...string) {
	t.Helper()
	if !slices.Equal(d.told, want) {
		t.Errorf("the records were asked %q, want %q", d.told, want)
	}
}

// wantAudit compares "decision rule actions services reason" of each line.
func (d *desk) wantAudit(t *testing.T, want ...string) {
	t.Helper()
	entries, err := d.Audit.Read()
	must(t, err)
	var got []string
	for _, e := range entries {
		words := []string{string(e.Decision), e.Rule}
		for _, a := range e.Actions {
			words = append(words, string(a))
		}
		got = append(got, strings.Join(append(append(words, e.Services...), e.Reason), " "))
	}
	if !slices.Equal(got, want) {
		t.Errorf("the audit is %q, want %q", got, want)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestGrantAndRefusal(t *testing.T) {
	const head = `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":`
	for name, test := range map[string]struct{ command, refusal, answer, audit string }{
		"observing":       {"observe", "", `"allow","permissionDecisionReason":"look"}}`, "allow look observe "},
		"refused":         {"rm -rf /", "", `"deny","permissionDecisionReason":"not granted: do something else"}}`, "deny none unknown not granted: do something else"},
		"a remediation":   {"restart web", "", `"allow","permissionDecisionReason":"again"}}`, "allow again restart web "},
		"beyond a limit":  {"restart web", "2 of 2", `"deny","permissionDecisionReason":"2 of 2"}}`, "deny limits restart web 2 of 2"},
		"several of them": {"restart web api", "", `"allow","permissionDecisionReason":"again"}}`, "allow again restart web api "},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, 2)
			d.refusal = test.refusal
			out, err := d.Answer(t.Context(), before("t1", test.command))
			if err != nil || string(out) != head+test.answer+"\n" {
				t.Errorf("%s, %v; want %s", out, err, head+test.answer)
			}
			entries, err := d.Audit.Read()
			must(t, err)
			last := entries[len(entries)-1]
			if last.Command != test.command || last.ToolUseID != "t1" || last.Tier != 2 || last.Tool != "Bash" || !last.Time.Equal(d.Now()) {
				t.Errorf("the last line is %+v", last)
			}
			want := []string{test.audit}
			if strings.HasPrefix(test.command, "restart") {
				want = []string{"reserve again " + test.command + " ", test.audit}
			}
			d.wantAudit(t, want...)
			if got := Decisions(entries); len(got) != 1 || got[0].Decision == Reserving {
				t.Errorf("the decisions are %+v, want the last line alone", got)
			}
		})
	}
}

func TestSPEC0007_REQ7_OutcomeOfWhatWasReserved(t *testing.T) {
	for name, test := range map[string]struct{ event, more, told string }{
		"success":       {"PostToolUse", `,"duration_ms":41`, "success t1 41ms"},
		"interrupted":   {"PostToolUse", `,"tool_response":{"interrupted":true}`, "failure t1 0s interrupted"},
		"failure":       {"PostToolUseFailure", `,"duration_ms":8,"error":"Exit code 1\nNo such\tcontainer: web"`, "failure t1 8ms Exit code 1 No such container: web"},
		"quiet failure": {"PostToolUseFailure", "", "failure t1 0s the command failed and said nothing"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, 2)
			for _, line := range [][]byte{before("t0", "observe"), before("t1", "restart web")} {
				_, err := d.Answer(t.Context(), line)
				must(t, err)
			}
			for _, id := range []string{"t0", "t1", "t2"} { // t2 never came before
				out, err := d.Answer(t.Context(), after(test.event, id, test.more))
				if len(out) > 0 || err != nil {
					t.Errorf("%s: %q, %v", id, out, err)
				}
			}
			d.wantTold(t, "reserve t1 restart web", test.told)
		})
	}
}

func TestALongFailureIsCut(t *testing.T) {
	d := newDesk(t, 2)
	_, err := d.Answer(t.Context(), before("t1", "restart web"))
	must(t, err)
	_, err = d.Answer(t.Context(), after("PostToolUseFailure", "t1", `,"error":"`+strings.Repeat("ä", 10_000)+`"`))
	must(t, err)
	if got := d.told[1]; len(got) > maxFault+len("failure t1 0s ") || !strings.HasSuffix(got, " bytes more)") {
		t.Errorf("%d bytes: %s", len(got), got)
	}
}

func TestWithoutAnAuditOnlyRemediationsAreRefused(t *testing.T) {
	d := newDesk(t, 2)
	must(t, os.Mkdir(d.Audit.Path, 0o700))
	out, err := d.Answer(t.Context(), before("t1", "observe"))
	if err != nil || !strings.Contains(string(out), `"permissionDecision":"allow"`) || !strings.Contains(string(out), `"systemMessage":"claudeops guard: open the audit`) {
		t.Errorf("observing: %s, %v", out, err)
	}
	out, err = d.Answer(t.Context(), before("t2", "restart web"))
	if len(out) > 0 || !strings.Contains(fault(err), "no remediation is granted that is not written down") {
		t.Errorf("a restart: %s, %v", out, err)
	}
	d.wantTold(t)
	// What had been reserved is not forgotten where nobody can look it up.
	_, err = d.Answer(t.Context(), after("PostToolUse", "t1", ""))
	must(t, err)
	d.wantTold(t, "success t1 0s")
}

func TestTroubleIsNoGrant(t *testing.T) {
	for name, test := range map[string]struct {
		line   []byte
		broken error
		fault  string
		audit  []string
	}{
		"no decision":         {before("t1", "fault"), nil, "the policy cannot be read", []string{"deny fault the policy cannot be read"}},
		"an unknown tool":     {bytes.Replace(before("t1", "observe"), []byte("Bash"), []byte("Teleport"), 1), nil, `does not know the tool "Teleport"`, nil},
		"records unavailable": {before("t1", "restart web"), errors.New("database is locked"), "reserve the remediation: database is locked", []string{"reserve again restart web ", "deny fault restart web reserve the remediation: database is locked"}},
		"input unreadable":    {[]byte("{"), nil, "not the JSON", nil},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, 2)
			d.broken = test.broken
			out, err := d.Answer(t.Context(), test.line)
			if len(out) > 0 || !strings.Contains(fault(err), test.fault) || err == nil {
				t.Errorf("%s, %v; want an error with %q", out, err, test.fault)
			}
			if test.audit == nil {
				test.audit = []string{"deny fault " + fault(err)}
			}
			d.wantAudit(t, test.audit...)
		})
	}
}

// A judgement that takes too long is none, also where it looks at no clock, and one that crashes is none either.
func TestTheDeadlineHoldsForJudging(t *testing.T) {
	d := newDesk(t, 2)
	var end atomic.Bool
	defer end.Store(true)
	ctx, cancel := context.WithCancelCause(t.Context())
	d.Judge = func(Input) (Verdict, error) {
		cancel(errors.New("it was not decided in time"))
		for !end.Load() { // one long step of the processor
		}
		return Verdict{Allow: true}, nil
	}
	if out, err := d.Answer(ctx, before("t1", "restart web")); len(out) > 0 || err == nil { // while the step goes on
		t.Errorf("%s, %v; want an error", out, err)
	}
	d.wantAudit(t, "deny fault it was not decided in time")
	d.wantTold(t)
	d = newDesk(t, 2)
	d.Judge = func(Input) (Verdict, error) { panic("x") }
	if out, err := d.Answer(t.Context(), before("t1", "observe")); len(out) > 0 || err == nil {
		t.Errorf("%s, %v; want an error", out, err)
	}
}

// Whatever comes in, nothing is granted that the judge did not grant, and nothing is reserved.
func FuzzAnswer(f *testing.F) {
	for _, seed := range []string{preToolUse, preToolUse + "\n", `{"hook_event_name":"Stop"}`, string(before("t", "observe")), string(after("PostToolUse", "t", "")), "{", ""} {
		f.Add([]byte(seed))
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, line []byte) {
		asked := false
		h := Hook{
			Tier: 3, Now: time.Now, Audit: Audit{Path: filepath.Join(dir, "audit")}, Handoff: filepath.Join(dir, "handoff.json"),
			Judge:   func(Input) (Verdict, error) { asked = true; return Verdict{Reason: "no"}, nil },
			Records: func(context.Context) (Reservations, error) { return nil, errors.New("none") },
			Checks:  func(context.Context) ([]check.Result, error) { return nil, nil },
		}
		out, err := h.Answer(t.Context(), line)
		if err != nil && len(out) > 0 {
			t.Errorf("an answer beside an error: %s", out)
		}
		if strings.Contains(string(out), `"permissionDecision":"allow"`) {
			t.Errorf("granted: %s", out)
		}
		if asked && !strings.Contains(string(out), `"permissionDecision":"deny"`) {
			t.Errorf("not refused: %s", out)
		}
		_ = os.Remove(filepath.Join(dir, "audit")) // so that it does not grow without end
	})
}
