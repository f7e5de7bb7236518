package breaker

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
)

// What the document prints for a hook that is skipped (ANTI-LOOP-GUARDRAILS "Graceful Degradation").
const (
	skippedResult  = "continue"
	skippedMessage = "Hook disabled due to repeated failures"
)

// toldError is how much of a hook's error a person is told, in characters.
const toldError = 200

// tell prints that a hook is skipped where that is seen by a person and by nobody else, once a session.
func (r *Runner) tell(ctx context.Context, file *File, key string, call Call, d Decision, o Options) {
	if !d.Tell || o.Quiet || call.Event != "" && !tellsPerson(call.Event) {
		return
	}
	said := skipped{Result: skippedResult, Message: skippedMessage}
	if call.Event != "" {
		hook, _, err := file.State(ctx, key)
		if err != nil {
			r.Log.Error(key, fmt.Sprintf("why the hook is skipped cannot be read: %v", err))
		}
		said.System = fmt.Sprintf("claude-hooks: %s %s; claude-hooks health shows more", ShortName(key), why(&hook, call, d, r.Now()))
	}
	line, err := json.Marshal(said)
	if err != nil {
		r.Log.Error(key, fmt.Sprintf("that the hook is skipped cannot be told: %v", err))
		return
	}
	_, _ = r.Stdout.Write(append(line, '\n')) // Nobody reads it any more.
}

// skipped is what is printed for a hook that is skipped: the document's members, and the one that the agent program shows.
type skipped struct {
	Result  string `json:"result"`
	Message string `json:"message"`
	System  string `json:"systemMessage,omitzero"`
}

// why says in what state a hook is that is skipped, and why, and for how long.
func why(h *Hook, call Call, d Decision, now time.Time) string {
	until := "until it works again"
	if d.Until != nil {
		until = "until " + clock(*d.Until, now)
	}
	because := ""
	if h.LastError != "" {
		because = ": " + shorten(h.LastError, toldError)
	}
	switch d.Skip {
	case TrialRunning:
		return fmt.Sprintf("is switched off while a trial of it runs (it failed before%s)", because)
	case LoopOpen:
		failures := int64(0)
		if s := h.Sessions[call.Session]; s != nil && s.Loop != nil {
			failures = s.Loop.ConsecutiveFailures
		}
		return fmt.Sprintf("is switched off in this session %s (it kept the agent from ending %s in a row)", until, times(failures))
	case DisabledByHand:
		return "is switched off by hand"
	case ParentOpen:
		return fmt.Sprintf("is skipped while %s, which it depends on, is switched off", ShortName(call.Parent))
	case AskedFor:
		return "is skipped because " + SkipVariable + " names it"
	default:
		return fmt.Sprintf("is switched off %s (failed %s in a row%s)", until, times(h.ConsecutiveFailures), because)
	}
}

func times(n int64) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// clock is a time as a person reads it; with its day where that is not today.
func clock(t, now time.Time) string {
	t, now = t.Local(), now.Local()
	if t.YearDay() == now.YearDay() && t.Year() == now.Year() {
		return t.Format(time.TimeOnly)
	}
	return t.Format(time.DateTime)
}

// logBegin logs what was found and decided before a hook ran.
func (r *Runner) logBegin(key string, begun *Begun) {
	for _, note := range begun.Notes {
		r.Log.Warning(key, note)
	}
	r.logChanges(begun.Changes)
	d := begun.Decision
	if d.Skip == "" {
		return
	}
	text := fmt.Sprintf("%s (%s)", skippedMessage, d.Skip)
	if d.Execute {
		text = fmt.Sprintf("Hook would be skipped (%s), but runs", d.Skip)
	}
	if d.Until != nil {
		text += ", until " + d.Until.UTC().Format(time.RFC3339)
	}
	r.Log.Info(key, text)
}

// logEnd logs how a hook ended.
func (r *Runner) logEnd(key string, e *ended, o Outcome) {
	if o.Failed {
		r.Log.Warning(key, fmt.Sprintf("Hook failed, exit code %d: %s", e.exitCode(), o.Error))
		return
	}
	r.Log.Debug(key, fmt.Sprintf("Hook ended, exit code %d", e.exitCode()))
}

// logChanges logs how circuits changed.
func (r *Runner) logChanges(changes []Change) {
	for _, c := range changes {
		r.Log.Info(c.Hook, c.String())
	}
}

// String is a change as the log has it.
func (c Change) String() string {
	var text strings.Builder
	fmt.Fprintf(&text, "Circuit %s -> %s", strings.ToUpper(string(cmp.Or(c.From, Closed))), strings.ToUpper(string(cmp.Or(c.To, Closed))))
	if c.Session != "" {
		fmt.Fprintf(&text, " for session %s", c.Session)
	}
	if c.To == Open {
		fmt.Fprintf(&text, " after %s: %s", failures(c.Failures), c.Error)
	}
	if c.Until != nil {
		fmt.Fprintf(&text, "; next try at %s", c.Until.UTC().Format(time.RFC3339))
	}
	return text.String()
}

func failures(n int64) string {
	if n == 1 {
		return "1 failure"
	}
	return fmt.Sprintf("%d failures", n)
}
