package hooks

import (
	"maps"
	"slices"
	"strings"
	"time"
)

// Health interprets a report under a configuration: which hooks are switched off, and why.
type Health struct {
	Total    int          `json:"total"`
	Active   int          `json:"active"`
	Disabled int          `json:"disabled"`
	Hooks    []HookHealth `json:"hooks"` // by name
	Stats    Stats        `json:"global_stats"`
	Enabled  bool         `json:"enabled"`
	Observe  bool         `json:"observe"`
	Faults   []string     `json:"faults"` // of the configuration
	Now      time.Time    `json:"now"`
}

// HookHealth is the health of one hook.
type HookHealth struct {
	Name     string `json:"name"`
	Command  string `json:"command"`
	Disabled bool   `json:"disabled"`
	// Reason is why calls are skipped, or would be if Spared were empty. A half open circuit without a running trial has no reason.
	Reason Reason `json:"reason,omitzero"`
	Parent string `json:"parent,omitzero"` // the name of the hook that it waits for
	// Spared is why calls are not skipped although the circuit is not closed or an operator has disabled the hook.
	Spared   Sparing  `json:"spared,omitzero"`
	Excluded bool     `json:"excluded"`
	Failing  bool     `json:"failing"`                    // it is excluded; otherwise its circuit would have opened
	Estimate *float64 `json:"recovery_estimate,omitzero"` // probability that the next trial passes; set if the delay adapts to it
	Loops    []Loop   `json:"loops,omitzero"`

	FailureThreshold int64 `json:"failure_threshold"`
	SuccessThreshold int64 `json:"success_threshold"`

	Hook `json:",embed"`
}

// Loop is a circuit that is open for one session only.
type Loop struct {
	Session string `json:"session"`
	Circuit `json:",embed"`
}

// Sparing is a reason why a hook runs although its calls would be skipped.
type Sparing string

// The reasons.
const (
	SparedByObserving Sparing = "observe"          // observe mode
	SparedByBeingOff  Sparing = "breaker_disabled" // the whole breaker is disabled
	SparedByItsEvent  Sparing = "event"            // hooks of its event are never skipped
)

// Examine returns the health of a report.
func (c *Config) Examine(r Report) Health {
	commands := slices.Sorted(maps.Keys(r.Hooks))
	names := ShortNames(commands)
	health := Health{
		Total: len(commands), Stats: r.Stats, Enabled: c.Enabled, Observe: c.Observe, Now: r.Now,
		Hooks: make([]HookHealth, 0, len(commands)), Faults: append([]string{}, c.Faults...),
	}
	for _, command := range commands {
		h := c.examine(command, commands, r)
		h.Name, h.Parent = names[command], names[h.Parent]
		if h.Disabled {
			health.Disabled++
		}
		health.Hooks = append(health.Hooks, h)
	}
	health.Stats.Others = nil
	health.Active = health.Total - health.Disabled
	slices.SortFunc(health.Hooks, func(a, b HookHealth) int { return strings.Compare(a.Name, b.Name) })
	return health
}

func (c *Config) examine(command string, commands []string, r Report) HookHealth {
	p := c.Policy(command)
	h := HookHealth{Command: command, Hook: r.Hooks[command], Excluded: p.Excluded}
	h.Others = nil // their names could collide with members here
	h.FailureThreshold, h.SuccessThreshold = max(1, p.FailureThreshold), max(1, p.SuccessThreshold)
	h.State = h.State.known()
	if p.Backoff.Adaptive && !p.Excluded {
		chance := h.Chance()
		h.Estimate = &chance
	}
	if p.Excluded {
		h.Failing = h.ConsecutiveFailures >= h.FailureThreshold
		return h
	}
	h.Reason, h.Parent = c.reason(command, commands, r)
	h.Loops = openLoops(h.Hook, r.Now)
	if h.Reason == "" && h.State == Closed && len(h.Loops) == 0 {
		return h
	}
	switch {
	case !c.Enabled:
		h.Spared = SparedByBeingOff
	case p.Observe:
		h.Spared = SparedByObserving
	case !skippable(h.Event):
		h.Spared = SparedByItsEvent
	default:
		h.Disabled = h.Reason != "" || h.State != Closed
	}
	return h
}

// reason returns why the next call of a hook would be skipped; parent is the hook that it waits for.
func (c *Config) reason(command string, commands []string, r Report) (reason Reason, parent string) {
	h := r.Hooks[command]
	if h.DisabledByHand != nil {
		return DisabledByHand, ""
	}
	parent = openParent(command, commands, c.Parents, func(parent string) bool {
		h := r.Hooks[parent]
		return h.keepsOthers(c.Policy(parent), r.Now)
	})
	if parent != "" {
		return ParentOpen, parent
	}
	switch {
	case h.State == Open:
		return CircuitOpen, ""
	case h.State == HalfOpen && h.trialRunning():
		return TrialRunning, ""
	}
	return "", ""
}

// openLoops returns the sessions for which only their own circuit is open at now, the latest first.
func openLoops(h Hook, now time.Time) []Loop {
	var loops []Loop
	for id, s := range h.Sessions {
		if s == nil || s.Loop == nil || s.Loop.State != Open || s.Loop.RetryAfter == nil || !now.Before(*s.Loop.RetryAfter) {
			continue
		}
		loop := Loop{id, *s.Loop}
		loop.Others = nil
		loops = append(loops, loop)
	}
	slices.SortFunc(loops, func(a, b Loop) int {
		if d := b.RetryAfter.Compare(*a.RetryAfter); d != 0 {
			return d
		}
		return strings.Compare(a.Session, b.Session)
	})
	return loops
}
