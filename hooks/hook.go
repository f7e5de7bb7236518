package hooks

import (
	"fmt"
	"slices"
	"time"
)

// Hook is the state of one hook: its circuit, the runs that have not ended, and its sessions.
type Hook struct {
	Circuit `json:",embed"`

	DisabledByHand *time.Time          `json:"disabled_by_hand,omitzero"` // when an operator disabled it; nil if enabled
	Executions     int64               `json:"executions,omitzero"`
	Skips          int64               `json:"skips,omitzero"`
	LastCall       *time.Time          `json:"last_call,omitzero"`
	Event          string              `json:"event,omitzero"`   // of the last call
	Running        map[string]Run      `json:"running,omitzero"` // stored in files of its own: see runs
	Sessions       map[string]*Session `json:"sessions,omitempty"`
	Counted        []string            `json:"counted,omitempty"` // ids of runs that are counted already although their files may still exist
}

// Run is a call whose hook was started and has not ended.
type Run struct {
	StartedAt  time.Time `json:"started_at"`
	Generation int64     `json:"generation,omitzero"`
	Trial      bool      `json:"trial,omitzero"`
	Event      string    `json:"event,omitzero"`
	Session    string    `json:"session,omitzero"`
	// For the session's own circuit.
	LoopGeneration int64 `json:"loop_generation,omitzero"`
	LoopTrial      bool  `json:"loop_trial,omitzero"`
}

// Session is what a hook did in one session of the agent program.
type Session struct {
	SeenAt   time.Time `json:"seen_at"`
	Notified bool      `json:"told,omitzero"` // the session was notified that the hook is skipped
	// Loop is a circuit whose failures are the blocks of a Stop hook. It opens for this session only.
	Loop   *Circuit `json:"loop,omitzero"`
	Others Others   `json:",embed"`
}

// Limits of the sessions that a hook keeps: how many, and for how long since they were last seen.
const (
	maxSessions = 50
	sessionKept = 24 * time.Hour
)

// Policy configures the decisions on a hook.
type Policy struct {
	Rules
	StopBlockThreshold int64 // consecutive blocks that open the session's circuit; 0 disables it
	Observe            bool  // decide and count, but let every call run
}

// Call is one call of a hook by the agent program.
type Call struct {
	ID      string // made for this call
	Event   string // hook_event_name; empty if the input does not contain it
	Session string // session_id; empty if the input does not contain it
	SkipIt  bool   // the user's environment asks to skip the hook
	Parent  string // a hook that it depends on and whose circuit is open; empty for none
}

// Reason is a reason to skip a call.
type Reason string

// The reasons.
const (
	CircuitOpen    Reason = "circuit_open"
	TrialRunning   Reason = "trial_running"
	LoopOpen       Reason = "loop_open" // the session's own circuit is open
	DisabledByHand Reason = "disabled_by_hand"
	ParentOpen     Reason = "parent_open"
	AskedFor       Reason = "asked_for" // CLAUDE_HOOKS_SKIP
)

// Decision is the decision on a call.
type Decision struct {
	Execute bool
	Trial   bool
	Skip    Reason     // why it is skipped, or would be without Policy.Observe and its event; empty if it is not
	Until   *time.Time // when skipping ends; nil if unknown
	Notify  bool       // the session has not yet been notified that the hook is skipped
}

// Begin decides on a call at now. If the call executes, it is recorded as running, and counted when it ends.
func (h *Hook) Begin(now time.Time, p Policy, call Call) Decision {
	d, run := h.decide(now, p, call)
	d.Execute = d.Skip == "" || p.Observe || !skippable(call.Event)
	if !d.Execute {
		h.Skips++
		h.called(run)
		h.forgetSessions(now)
		d.Notify = h.notify(run.StartedAt, call.Session)
		return d
	}
	d.Trial = run.Trial
	if h.Running == nil {
		h.Running = map[string]Run{}
	}
	h.Running[call.ID] = run
	return d
}

// decide makes the decision of Begin without recording it. Of several reasons to skip a call, it returns the one that lasts longest.
func (h *Hook) decide(now time.Time, p Policy, call Call) (Decision, Run) {
	run := Run{StartedAt: stamp(now), Event: call.Event, Session: call.Session}
	d := Decision{}
	switch {
	case p.Excluded:
	case h.DisabledByHand != nil:
		d.Skip = DisabledByHand
	case call.SkipIt:
		d.Skip = AskedFor
	case call.Parent != "":
		d.Skip = ParentOpen
	}
	if d.Skip == "" {
		d = h.loop(now, p, call, &run)
	}
	if d.Skip == "" {
		switch h.Admit(now, p.Rules, h.trialRunning()) {
		case Skip:
			d.Skip, d.Until = CircuitOpen, h.RetryAfter
			if h.State == HalfOpen {
				d.Skip = TrialRunning
			}
		case Trial:
			run.Trial = true
		case Execute:
		}
	}
	run.Generation = h.Generation
	return d, run
}

// loop asks the session's own circuit, if there is one.
func (h *Hook) loop(now time.Time, p Policy, call Call, run *Run) Decision {
	s := h.Sessions[call.Session]
	if s == nil || s.Loop == nil || !Stops(call.Event) {
		return Decision{}
	}
	admission := s.Loop.Admit(now, p.loopRules(), h.loopTrialRunning(call.Session))
	run.LoopGeneration, run.LoopTrial = s.Loop.Generation, admission == Trial
	if admission == Skip {
		return Decision{Skip: LoopOpen, Until: s.Loop.RetryAfter}
	}
	return Decision{}
}

// loopRules returns the rules of a session's own circuit: a single end that is not blocked ends the loop.
func (p Policy) loopRules() Rules {
	r := p.Rules
	r.FailureThreshold, r.SuccessThreshold = p.StopBlockThreshold, 1
	r.Excluded = r.Excluded || p.StopBlockThreshold == 0
	return r
}

func (h *Hook) trialRunning() bool {
	for _, run := range h.Running {
		if run.Trial && run.Generation == h.Generation {
			return true
		}
	}
	return false
}

func (h *Hook) loopTrialRunning(session string) bool {
	for _, run := range h.Running {
		if run.LoopTrial && run.Session == session && run.LoopGeneration == h.Sessions[session].Loop.Generation {
			return true
		}
	}
	return false
}

// Outcome is the result of a hook's run.
type Outcome struct {
	Failed bool
	Error  string // of a failure
	Block  bool   // it kept the agent from ending: exit code 2, or "decision": "block"
}

// Finish counts the outcome of the call that Begin recorded under id. If the call is not recorded, because the hook was reset meanwhile,
// nothing changes.
func (h *Hook) Finish(now time.Time, p Policy, id string, o Outcome, random float64) {
	run, noted := h.Running[id]
	if !noted {
		return
	}
	delete(h.Running, id)
	h.Executions++
	h.called(run)
	h.forgetSessions(now)
	was := h.State
	h.Record(now, p.Rules, Result{o.Failed, o.Error, run.Generation, run.Trial, random})
	if was != Closed && h.State == Closed {
		h.forgetNotices()
	}
	if Stops(run.Event) {
		h.finishLoop(now, p, run, o, random)
	}
}

func (h *Hook) called(run Run) {
	if h.LastCall == nil || run.StartedAt.After(*h.LastCall) {
		h.LastCall = &run.StartedAt
	}
	h.Event = run.Event
}

func (h *Hook) finishLoop(now time.Time, p Policy, run Run, o Outcome, random float64) {
	s := h.Sessions[run.Session]
	if run.Session == "" || !o.Block && (s == nil || s.Loop == nil) {
		return
	}
	s = h.session(stamp(now), run.Session)
	if s.Loop == nil {
		s.Loop = &Circuit{State: Closed}
	}
	s.Loop.Record(now, p.loopRules(), Result{o.Block, fmt.Sprintf("blocked the agent's end %d times in a row", s.Loop.ConsecutiveFailures+1), run.LoopGeneration, run.LoopTrial, random})
	if !o.Block && s.Loop.State == Closed {
		s.Loop = nil
		s.Notified = s.Notified && h.State != Closed
	}
}

// neverEnded is the outcome of a run whose wrapper is gone without recording another.
var neverEnded = Outcome{Failed: true, Error: "Started and never finished: the wrapper was killed"}

// notify reports whether the session must still be notified that the hook is skipped, and records that it was. A call without a session
// is always notified.
func (h *Hook) notify(at time.Time, id string) bool {
	if id == "" {
		return true
	}
	s := h.session(at, id)
	notified := s.Notified
	s.Notified = true
	return !notified
}

func (h *Hook) forgetNotices() {
	for _, s := range h.Sessions {
		s.Notified = false
	}
}

func (h *Hook) session(at time.Time, id string) *Session {
	if h.Sessions == nil {
		h.Sessions = map[string]*Session{}
	}
	s := h.Sessions[id]
	if s == nil {
		s = &Session{}
		h.Sessions[id] = s
	}
	s.SeenAt = at
	return s
}

// forgetSessions drops sessions that have not been seen for sessionKept, and the oldest of more than maxSessions.
func (h *Hook) forgetSessions(now time.Time) {
	ids := make([]string, 0, len(h.Sessions))
	for id, s := range h.Sessions {
		if s == nil || now.Sub(s.SeenAt) > sessionKept {
			delete(h.Sessions, id)
			continue
		}
		ids = append(ids, id)
	}
	if len(ids) <= maxSessions {
		return
	}
	slices.SortFunc(ids, func(a, b string) int { return h.Sessions[a].SeenAt.Compare(h.Sessions[b].SeenAt) })
	for _, id := range ids[:len(ids)-maxSessions] {
		delete(h.Sessions, id)
	}
}
