package hooks

import (
	"fmt"
	"testing"
	"time"
)

var policy = Policy{Rules: defaults, StopBlockThreshold: 8}

// call makes one call of a hook from start to end.
func (h *Hook) call(now time.Time, p Policy, c Call, o Outcome) Decision {
	c.ID = "run"
	d := h.Begin(now, p, c)
	if d.Execute {
		h.Finish(now, p, c.ID, o, 0)
	}
	return d
}

var failure = Outcome{Failed: true, Error: "broken"}

// opened returns a hook whose circuit opened at noon.
func opened() *Hook {
	h := &Hook{}
	for range 3 {
		h.call(noon, policy, Call{}, failure)
	}
	return h
}

func TestDecisions(t *testing.T) {
	excluded, observed, noLoops := policy, policy, policy
	excluded.Excluded, observed.Observe, noLoops.StopBlockThreshold = true, true, 0
	blocking := func() *Hook {
		h := &Hook{}
		for range 8 {
			h.call(noon, policy, Call{Event: "Stop", Session: "a"}, Outcome{Block: true})
		}
		return h
	}
	trial := func() *Hook {
		h := opened()
		h.Begin(noon.Add(5*time.Minute), policy, Call{ID: "trial"})
		return h
	}
	byHand := &Hook{DisabledByHand: &noon}
	for name, tt := range map[string]struct {
		hook    *Hook
		policy  Policy
		call    Call
		execute bool
		skip    Reason
	}{
		"closed":                                {&Hook{}, policy, Call{}, true, ""},
		"open":                                  {opened(), policy, Call{}, false, CircuitOpen},
		"a trial is running":                    {trial(), policy, Call{}, false, TrialRunning},
		"disabled by hand":                      {byHand, policy, Call{}, false, DisabledByHand},
		"asked for":                             {&Hook{}, policy, Call{SkipIt: true}, false, AskedFor},
		"a parent is open":                      {&Hook{}, policy, Call{Parent: "p"}, false, ParentOpen},
		"excluded, though open":                 {opened(), excluded, Call{}, true, ""},
		"excluded, though asked for":            {&Hook{}, excluded, Call{SkipIt: true}, true, ""},
		"excluded, though a parent is":          {&Hook{}, excluded, Call{Parent: "p"}, true, ""},
		"observed":                              {opened(), observed, Call{}, true, CircuitOpen},
		"WorktreeCreate":                        {opened(), policy, Call{Event: "WorktreeCreate"}, true, CircuitOpen},
		"eight blocks: this session":            {blocking(), policy, Call{Event: "Stop", Session: "a"}, false, LoopOpen},
		"eight blocks: another session":         {blocking(), policy, Call{Event: "Stop", Session: "b"}, true, ""},
		"eight blocks: another event":           {blocking(), policy, Call{Event: "PreToolUse", Session: "a"}, true, ""},
		"eight blocks: excluded":                {blocking(), excluded, Call{Event: "Stop", Session: "a"}, true, ""},
		"eight blocks: loops are not looked at": {blocking(), noLoops, Call{Event: "Stop", Session: "a"}, true, ""},
	} {
		t.Run(name, func(t *testing.T) {
			tt.call.ID = "this"
			d := tt.hook.Begin(noon.Add(time.Minute), tt.policy, tt.call)
			if d.Execute != tt.execute || d.Skip != tt.skip {
				t.Errorf("%+v, want to execute: %v, skipped for %q", d, tt.execute, tt.skip)
			}
			if _, running := tt.hook.Running["this"]; running != tt.execute {
				t.Errorf("noted as running: %v", running)
			}
		})
	}
}

func TestExclusionsAreCounted(t *testing.T) {
	p := policy
	p.Excluded = true
	h := &Hook{}
	for range 9 {
		if d := h.call(noon, p, Call{}, failure); !d.Execute {
			t.Fatal("it was skipped")
		}
	}
	if h.FailureCount != 9 || h.Executions != 9 || h.ConsecutiveFailures != 9 || h.DisabledAt != nil {
		t.Errorf("%+v", h)
	}
}

func TestObserveDecidesAndSkipsNothing(t *testing.T) {
	p := policy
	p.Observe = true
	h, now := &Hook{}, noon
	for range 3 {
		h.call(now, p, Call{}, failure)
	}
	if h.State != Open {
		t.Fatalf("after three failures: %s", h.State)
	}
	h.call(now.Add(time.Minute), p, Call{}, Outcome{})
	if h.State != Open {
		t.Errorf("a call that would have been skipped changed it to %s", h.State)
	}
	for range 2 {
		h.call(now.Add(time.Hour), p, Call{}, Outcome{})
	}
	if h.State != Closed || h.Executions != 6 || h.Skips != 0 {
		t.Errorf("after two trials: %+v", h)
	}
}

func TestASkipIsToldOnceASession(t *testing.T) {
	h := opened()
	notifies := func(session string) bool { return h.call(noon, policy, Call{Session: session}, failure).Notify }
	if !notifies("a") || notifies("a") || !notifies("b") || notifies("b") {
		t.Error("not each session was notified once")
	}
	for range 2 {
		if !notifies("") {
			t.Error("a call of no session was not notified")
		}
	}
	for range 2 {
		h.call(noon.Add(time.Hour), policy, Call{Session: "a"}, Outcome{})
	}
	for range 3 {
		h.call(noon.Add(time.Hour), policy, Call{Session: "a"}, failure)
	}
	if !notifies("a") {
		t.Error("a session was not notified that it opened again after it had closed")
	}
}

func TestBlocksInARowAreTheLoop(t *testing.T) {
	stop := Call{Event: "Stop", Session: "a"}
	block := Outcome{Block: true}
	h := &Hook{}
	for range 7 {
		h.call(noon, policy, stop, block)
	}
	h.call(noon, policy, stop, Outcome{}) // an end that is not blocked
	for i := range 8 {
		if d := h.call(noon, policy, stop, block); !d.Execute {
			t.Fatalf("skipped after %d blocks in a row", i)
		}
	}
	if d := h.call(noon, policy, stop, block); d.Execute || d.Skip != LoopOpen || !d.Notify || !d.Until.Equal(noon.Add(5*time.Minute)) {
		t.Errorf("after eight: %+v", d)
	}
	if h.State == Open || h.ConsecutiveFailures != 0 {
		t.Errorf("blocks were counted as failures: %+v", h.Circuit)
	}
	later := noon.Add(5 * time.Minute)
	if d := h.call(later, policy, stop, block); !d.Execute {
		t.Errorf("no trial after the cooldown: %+v", d)
	}
	if d := h.call(later, policy, stop, block); d.Execute {
		t.Error("a trial that blocked did not open it again")
	}
	later = later.Add(5 * time.Minute)
	h.call(later, policy, stop, Outcome{})
	if s := h.Sessions["a"]; s != nil && s.Loop != nil {
		t.Errorf("the end passed, and there is still %+v", s.Loop)
	}
}

func TestOtherEventsBlockAsTheyLike(t *testing.T) {
	h := &Hook{}
	for range 30 {
		if d := h.call(noon, policy, Call{Event: "PreToolUse", Session: "a"}, Outcome{Block: true}); !d.Execute {
			t.Fatal("verdicts of a PreToolUse hook opened a circuit")
		}
	}
}

func TestSessionsAreForgotten(t *testing.T) {
	h := opened()
	for i := range 3 * maxSessions {
		h.call(noon.Add(time.Duration(i)*time.Second), policy, Call{Session: fmt.Sprint(i)}, Outcome{})
	}
	if len(h.Sessions) > maxSessions+1 || h.Sessions[fmt.Sprint(3*maxSessions-1)] == nil {
		t.Errorf("%d sessions are kept", len(h.Sessions))
	}
	h.call(noon.Add(25*time.Hour), policy, Call{}, Outcome{})
	if len(h.Sessions) != 0 {
		t.Errorf("a day later: %d", len(h.Sessions))
	}
}
