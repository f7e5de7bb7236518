package hooks

import (
	"fmt"
	"testing"
	"time"
)

var policy = Rules{FailureThreshold: 3, SuccessThreshold: 2, StopBlockThreshold: 3, Cooldown: 5 * time.Minute}

// call makes a call at a time after noon, which ends with an outcome, and returns the decision on it.
func (h *Hook) call(after time.Duration, r Rules, c Call, o Outcome) Decision {
	d := h.Begin(noon.Add(after), r, c)
	if d.Skip == "" {
		h.Finish(noon.Add(after), r, c, d, o)
	}
	return d
}

var (
	fails  = Outcome{Failed: true, Error: "Exit code 1"}
	blocks = Outcome{Block: true}
)

func TestWhyACallIsSkipped(t *testing.T) {
	retry := noon.Add(time.Minute)
	open := Circuit{State: Open, RetryAfter: &retry}
	trial := Circuit{State: HalfOpen, RetryAfter: &retry}
	byHand := noon
	excluded := policy
	excluded.Excluded = true
	for name, tt := range map[string]struct {
		hook   Hook
		policy Rules
		call   Call
		want   Reason
	}{
		"nothing known":            {Hook{}, policy, Call{}, ""},
		"open":                     {Hook{Circuit: open}, policy, Call{}, CircuitOpen},
		"a trial runs":             {Hook{Circuit: trial}, policy, Call{}, TrialRunning},
		"by hand":                  {Hook{DisabledByHand: &byHand}, policy, Call{}, DisabledByHand},
		"by hand, and open":        {Hook{Circuit: open, DisabledByHand: &byHand}, policy, Call{Asked: true}, DisabledByHand},
		"asked for":                {Hook{}, policy, Call{Asked: true, Parent: "x"}, AskedFor},
		"another one is off":       {Hook{}, policy, Call{Parent: "x"}, ParentOpen},
		"excluded":                 {Hook{Circuit: open, DisabledByHand: &byHand}, excluded, Call{Asked: true, Parent: "x"}, ""},
		"its output is the result": {Hook{Circuit: open}, policy, Call{Event: "WorktreeCreate"}, ""},
	} {
		if got := tt.hook.Begin(noon, tt.policy, tt.call).Skip; got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

func TestThePersonIsToldOnceASession(t *testing.T) {
	h := &Hook{}
	for range 3 {
		h.call(0, policy, Call{Session: "a"}, fails)
	}
	var told []bool
	for _, session := range []string{"a", "a", "b", ""} {
		told = append(told, h.call(time.Second, policy, Call{Session: session}, fails).Tell)
	}
	if got := fmt.Sprint(told); got != "[true false true false]" || h.Skips != 4 {
		t.Errorf("told %s, %d skips", got, h.Skips)
	}
	for range 2 { // it works again, and then it does not
		h.call(6*time.Minute, policy, Call{Session: "a"}, Outcome{})
	}
	for range 3 {
		h.call(7*time.Minute, policy, Call{Session: "a"}, fails)
	}
	if !h.call(7*time.Minute, policy, Call{Session: "a"}, fails).Tell {
		t.Error("it is off once more, and that is not told")
	}
}

// Blocks in a row of the agent's end, in one session, open the circuit of that session alone.
func TestALoopIsOfOneSession(t *testing.T) {
	h := &Hook{}
	stop := func(session string) Call { return Call{Event: "Stop", Session: session} }
	for range 2 {
		h.call(0, policy, stop("a"), blocks)
	}
	h.call(0, policy, stop("a"), Outcome{}) // an end that is not blocked
	for range 3 {
		if d := h.call(0, policy, stop("a"), blocks); d.Skip != "" {
			t.Fatalf("skipped: %v", d)
		}
	}
	if d := h.call(time.Second, policy, stop("a"), blocks); d.Skip != LoopOpen {
		t.Errorf("after three blocks in a row: %+v", d)
	}
	for name, c := range map[string]Call{"another session": stop("b"), "another event": {Event: "PostToolUse", Session: "a"}} {
		if d := h.call(time.Second, policy, c, Outcome{}); d.Skip != "" {
			t.Errorf("%s: %+v", name, d)
		}
	}
	if d := h.call(6*time.Minute, policy, stop("a"), Outcome{}); d.Skip != "" {
		t.Errorf("after the cooldown: %+v", d)
	}
	if d := h.call(6*time.Minute, policy, stop("a"), blocks); d.Skip != "" || h.loop("a").State != Closed {
		t.Errorf("after an end that was not blocked: %+v", d)
	}
	if h.State == Open || h.FailureCount != 0 {
		t.Errorf("blocks are no failures: %+v", h.Circuit)
	}
	never := policy
	never.StopBlockThreshold = 0
	h = &Hook{}
	for i := range 20 {
		if d := h.call(0, never, stop("a"), blocks); d.Skip != "" {
			t.Fatalf("stop_block_threshold is 0, and block %d is a loop: %+v", i, d)
		}
	}
}

func TestSessionsAreForgotten(t *testing.T) {
	h := &Hook{DisabledByHand: &noon}
	for i := range maxSessions + 5 {
		h.call(time.Duration(i)*time.Second, policy, Call{Session: fmt.Sprint(i)}, Outcome{})
	}
	if h.Sessions["4"] != nil || h.Sessions["5"] == nil || len(h.Sessions) != maxSessions {
		t.Errorf("%d sessions", len(h.Sessions))
	}
	h.call(25*time.Hour, policy, Call{Session: "late"}, Outcome{})
	if len(h.Sessions) != 1 {
		t.Errorf("a day later: %d sessions", len(h.Sessions))
	}
}

func TestEnableClosesEveryCircuit(t *testing.T) {
	h := &Hook{DisabledByHand: &noon, Sessions: map[string]*Session{"a": {Loop: &Circuit{State: Open}}}}
	for range 3 {
		h.Record(noon, defaults, Result{Failed: true})
	}
	h.Enable()
	if h.Off() || h.loop("a").State != Closed || h.FailureCount != 0 {
		t.Errorf("%+v", h)
	}
}

// A call that the hook's own circuit skips is no trial of the session's.
func TestASkippedCallIsNoTrialOfItsSession(t *testing.T) {
	retry := noon.Add(time.Minute)
	h := &Hook{Circuit: Circuit{State: Open, RetryAfter: &retry}, Sessions: map[string]*Session{"a": {Loop: &Circuit{State: Open}}}}
	d := h.Begin(noon, policy, Call{Event: "Stop", Session: "a"})
	if d.Skip != CircuitOpen || h.loop("a").State != Open {
		t.Errorf("%+v, loop %+v", d, h.loop("a"))
	}
}
