package hooks

import (
	"fmt"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// Hook is the state of one hook: its circuit, and the sessions in which it was skipped or kept the agent from ending.
type Hook struct {
	Circuit `json:",embed"`

	DisabledByHand *time.Time                `json:"disabled_by_hand,omitzero"` // when a person disabled it; nil if enabled
	Skips          int64                     `json:"skips,omitzero"`
	LastCall       *time.Time                `json:"last_call,omitzero"`
	Event          string                    `json:"event,omitzero"` // of the last call
	Sessions       map[string]*Session       `json:"sessions,omitempty"`
	Others         map[string]jsontext.Value `json:",embed"` // members that other programs have added
}

// Session is what a hook did in one session of the agent program.
type Session struct {
	SeenAt time.Time `json:"seen_at"`
	Told   bool      `json:"told,omitzero"` // the person was told that the hook is skipped
	// Loop is a circuit whose failures are blocks of the agent's end. It opens for this session only.
	Loop *Circuit `json:"loop,omitzero"`
}

// How many sessions a hook keeps, and for how long since they were last seen.
const (
	maxSessions = 50
	sessionKept = 24 * time.Hour
)

// Call is one call of a hook by the agent program.
type Call struct {
	Event   string `json:"hook_event_name"` // empty if the input does not contain it
	Session string `json:"session_id"`      // empty if the input does not contain it
	Asked   bool   `json:"-"`               // CLAUDE_HOOKS_SKIP names the hook
	Parent  string `json:"-"`               // a hook that it depends on and that is switched off; empty for none
}

// Reason is why a call is skipped.
type Reason string

// The reasons. The zero value means that it is not.
const (
	CircuitOpen    Reason = "circuit_open"
	TrialRunning   Reason = "trial_running"
	LoopOpen       Reason = "loop_open" // the session's own circuit is open
	DisabledByHand Reason = "disabled_by_hand"
	ParentOpen     Reason = "parent_open"
	AskedFor       Reason = "asked_for"
)

// Decision is the decision on a call.
type Decision struct {
	Skip Reason // why it is skipped; empty if it runs
	Tell bool   // the person has not been told of it in this session

	// The circuits that its result is for.
	generation, loopGeneration int64
	trial, loopTrial           bool
}

// Stops reports whether a block at an event makes the agent continue. Blocks in a row at such an event are a loop.
func Stops(event string) bool {
	return slices.Contains([]string{"Stop", "SubagentStop", "TeammateIdle", "TaskCompleted"}, event)
}

// skippable reports whether a hook of an event may be skipped. The agent program reads the worktree's path from the last line that a
// WorktreeCreate hook prints.
func skippable(event string) bool { return event != "WorktreeCreate" }

// RunsAsIs reports whether a call runs without a change of the state, so that the file need not be written first.
func (h *Hook) RunsAsIs(c Call) bool {
	s := h.Sessions[c.Session]
	return h.known() == Closed && h.DisabledByHand == nil && !c.Asked && c.Parent == "" && (s == nil || s.Loop == nil)
}

// Begin decides on a call at now.
func (h *Hook) Begin(now time.Time, r Rules, c Call) Decision {
	d := h.decide(now, r, c)
	if d.Skip == "" || !skippable(c.Event) {
		d.Skip = ""
		return d
	}
	h.Skips++
	h.called(now, c)
	if c.Session != "" {
		s := h.session(now, c.Session)
		d.Tell, s.Told = !s.Told, true
	}
	return d
}

func (h *Hook) decide(now time.Time, r Rules, c Call) (d Decision) {
	if !r.Excluded {
		switch {
		case h.DisabledByHand != nil:
			d.Skip = DisabledByHand
		case c.Asked:
			d.Skip = AskedFor
		case c.Parent != "":
			d.Skip = ParentOpen
		}
	}
	if d.Skip == "" {
		admission := h.Admit(now, r)
		d.generation, d.trial = h.Generation, admission == Trial
		switch {
		case admission == Skip && h.State == HalfOpen:
			d.Skip = TrialRunning
		case admission == Skip:
			d.Skip = CircuitOpen
		}
	}
	if s := h.Sessions[c.Session]; d.Skip == "" && Stops(c.Event) && s != nil && s.Loop != nil {
		admission := s.Loop.Admit(now, r.loop())
		d.loopGeneration, d.loopTrial = s.Loop.Generation, admission == Trial
		if admission == Skip {
			d.Skip = LoopOpen
		}
	}
	return d
}

// loop returns the rules of a session's own circuit: a single end that is not blocked ends the loop.
func (r Rules) loop() Rules {
	r.FailureThreshold, r.SuccessThreshold = r.StopBlockThreshold, 1
	r.Excluded = r.Excluded || r.StopBlockThreshold == 0
	return r
}

// Outcome is the result of a hook's run.
type Outcome struct {
	Failed bool
	Error  string // of a failure
	Block  bool   // it kept the agent from ending
}

// Finish counts the outcome of a call that ended at now, and for which Begin has decided d.
func (h *Hook) Finish(now time.Time, r Rules, c Call, d Decision, o Outcome) {
	h.called(now, c)
	was := h.known()
	h.Record(now, r, Result{o.Failed, o.Error, d.generation, d.trial})
	if was != Closed && h.State == Closed {
		for _, s := range h.Sessions {
			s.Told = false // it is news if the hook is switched off again
		}
	}
	s := h.Sessions[c.Session]
	if !Stops(c.Event) || c.Session == "" || !o.Block && (s == nil || s.Loop == nil) {
		return
	}
	s = h.session(now, c.Session)
	if s.Loop == nil {
		s.Loop = &Circuit{State: Closed}
	}
	blocks := fmt.Sprintf("kept the agent from ending %d times in a row", s.Loop.ConsecutiveFailures+1)
	s.Loop.Record(now, r.loop(), Result{o.Block, blocks, d.loopGeneration, d.loopTrial})
}

func (h *Hook) called(now time.Time, c Call) {
	h.LastCall = stamp(now)
	h.Event = c.Event
}

// session returns a session as seen at now, and forgets those that are over.
func (h *Hook) session(now time.Time, id string) *Session {
	if h.Sessions == nil {
		h.Sessions = map[string]*Session{}
	}
	s := h.Sessions[id]
	if s == nil {
		s = &Session{}
		h.Sessions[id] = s
	}
	s.SeenAt = *stamp(now)
	oldest := id
	for other, o := range h.Sessions {
		if now.Sub(o.SeenAt) > sessionKept {
			delete(h.Sessions, other)
		} else if o.SeenAt.Before(h.Sessions[oldest].SeenAt) {
			oldest = other
		}
	}
	if len(h.Sessions) > maxSessions {
		delete(h.Sessions, oldest)
	}
	return s
}

// Enable closes the circuits of a hook, and undoes what a person has disabled.
func (h *Hook) Enable() {
	h.DisabledByHand = nil
	h.Sessions = nil
	h.close()
}

// Off reports whether calls of a hook are skipped, or would be while a trial runs.
func (h *Hook) Off() bool { return h.DisabledByHand != nil || h.known() != Closed }

// lastSeen returns when anything happened last; zero if nothing is known.
func (h *Hook) lastSeen() (last time.Time) {
	for _, t := range []*time.Time{h.LastCall, h.LastSuccess, h.LastFailure, h.DisabledAt, h.DisabledByHand} {
		if t != nil && t.After(last) {
			last = *t
		}
	}
	return last
}
