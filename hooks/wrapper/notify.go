package wrapper

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/claudeops/claudeops/hooks"
	"github.com/claudeops/claudeops/internal/text"

	"github.com/go-json-experiment/json"
)

// What is printed in place of a skipped hook (ANTI-LOOP "Graceful Degradation").
const (
	skippedResult  = "continue"
	skippedMessage = "Hook disabled due to repeated failures"
)

// shownError limits how much of a hook's error is shown to a person, in characters.
const shownError = 200

// shownToPerson are the events for which the agent program shows a systemMessage to the person and not to the model. For other events
// nothing may be printed, because it would go to the model or be lost.
var shownToPerson = []string{
	"PreToolUse", "PostToolUse", "PostToolUseFailure", "UserPromptSubmit", "SessionStart", "Stop", "SubagentStop",
}

// notify prints that a hook is skipped, once per session, if a person sees this and the model does not.
func (r *Runner) notify(ctx context.Context, file *hooks.File, key string, call hooks.Call, d hooks.Decision, o Options) {
	if !d.Notify || o.Quiet || call.Event != "" && !slices.Contains(shownToPerson, call.Event) {
		return
	}
	notice := skipped{Result: skippedResult, Message: skippedMessage}
	if call.Event != "" {
		hook, _, err := file.State(ctx, key)
		if err != nil {
			r.Log.Error(key, fmt.Sprintf("why the hook is skipped cannot be read: %v", err))
		}
		notice.System = fmt.Sprintf("claude-hooks: %s %s; claude-hooks health shows more", hooks.ShortName(key), why(&hook, call, d, r.Now()))
	}
	line, err := json.Marshal(notice)
	if err != nil {
		r.Log.Error(key, fmt.Sprintf("that the hook is skipped cannot be reported: %v", err))
		return
	}
	_, _ = r.Stdout.Write(append(line, '\n')) // standard output may be closed
}

// skipped is what is printed for a skipped hook: the members that ANTI-LOOP names, and the one that the agent program shows.
type skipped struct {
	Result  string `json:"result"`
	Message string `json:"message"`
	System  string `json:"systemMessage,omitzero"`
}

// why describes the state of a skipped hook, the reason, and until when.
func why(h *hooks.Hook, call hooks.Call, d hooks.Decision, now time.Time) string {
	until := "until it works again"
	if d.Until != nil {
		until = "until " + clock(*d.Until, now)
	}
	because := ""
	if h.LastError != "" {
		because = ": " + text.Shorten(h.LastError, shownError)
	}
	switch d.Skip {
	case hooks.TrialRunning:
		return fmt.Sprintf("is switched off while a trial of it runs (it failed before%s)", because)
	case hooks.LoopOpen:
		failures := int64(0)
		if s := h.Sessions[call.Session]; s != nil && s.Loop != nil {
			failures = s.Loop.ConsecutiveFailures
		}
		return fmt.Sprintf("is switched off in this session %s (it kept the agent from ending %s in a row)", until, times(failures))
	case hooks.DisabledByHand:
		return "is switched off by hand"
	case hooks.ParentOpen:
		return fmt.Sprintf("is skipped while %s, which it depends on, is switched off", hooks.ShortName(call.Parent))
	case hooks.AskedFor:
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

// clock formats a time for a person; with the date if it is not today.
func clock(t, now time.Time) string {
	t, now = t.Local(), now.Local()
	if t.YearDay() == now.YearDay() && t.Year() == now.Year() {
		return t.Format(time.TimeOnly)
	}
	return t.Format(time.DateTime)
}

// logBegin logs the notes and the decision before a hook runs.
func (r *Runner) logBegin(key string, begun *hooks.Begun) {
	for _, note := range begun.Notes {
		r.Log.Warning(key, note)
	}
	r.logChanges(begun.Changes)
	d := begun.Decision
	if d.Skip == "" {
		return
	}
	message := fmt.Sprintf("Hook skipped (%s)", d.Skip)
	if d.Execute {
		message = fmt.Sprintf("Hook would be skipped (%s), but runs", d.Skip)
	}
	if d.Until != nil {
		message += ", until " + d.Until.UTC().Format(time.RFC3339)
	}
	r.Log.Info(key, message)
}

// logChanges logs the changes of circuits.
func (r *Runner) logChanges(changes []hooks.Change) {
	for _, c := range changes {
		r.Log.Info(c.Hook, c.String())
	}
}
