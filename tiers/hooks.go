package tiers

import (
	"cmp"
	"strings"
)

// Seconds after which the agent program ends a hook. A PreToolUse hook that is ended has granted nothing, so the call is refused;
// an outcome that was not told in time is a failure when the session is settled.
const (
	decideWithin = 15
	otherWithin  = 30
)

// remediating is the tool whose calls may be a remediation, of which the guard wants to know the outcome.
const remediating = "Bash"

// hookGroup is one entry of a settings file's hooks: whom to call, for which tools. An empty Matcher is for events without one.
type hookGroup struct {
	Matcher string        `json:"matcher,omitempty"`
	Hooks   []hookCommand `json:"hooks"`
	line    int           // of an operator's file, where it begins; 0 is none
}

// hookCommand is one hook: a line of shell or, with Args, a program and its arguments. The fields from If on are an operator's only.
type hookCommand struct {
	Type    string   `json:"type"`
	Command string   `json:"command"`
	Args    []string `json:"args,omitzero"`
	Timeout float64  `json:"timeout,omitzero"` // seconds
	If      string   `json:"if,omitzero"`
	Shell   string   `json:"shell,omitzero"`
	Async   bool     `json:"async,omitzero"`
	Status  string   `json:"statusMessage,omitzero"`
}

// hooks are those of the agent's settings: the guard, where the agent has the program's own tools, then the operator's.
func (s Spec) hooks() Hooks {
	program := cmp.Or(s.HookProgram, s.Workspace.self)
	if s.Door != nil {
		return s.Hooks.throughDoor().behindBreaker(program)
	}
	hooks := guardHooks(program)
	for event, groups := range s.Hooks.behindBreaker(program) {
		hooks[event] = append(hooks[event], groups...)
	}
	return hooks
}

// guardHooks have program decide on every tool call, keep the outcome of what it granted, and look at a handoff before the agent
// goes (DESIGN.md §1 "Permission by grant"). There is no rule of the agent program's own beside them: an ask rule would beat a grant.
func guardHooks(program string) Hooks {
	call := func(matcher string, timeout float64, flags ...string) []hookGroup {
		line := strings.Join(append([]string{quote(program), "guard"}, flags...), " ")
		return []hookGroup{{Matcher: matcher, Hooks: []hookCommand{{Type: "command", Command: line, Timeout: timeout}}}}
	}
	return Hooks{
		"PreToolUse":         call("*", decideWithin),
		"PostToolUse":        call(remediating, otherWithin),
		"PostToolUseFailure": call(remediating, otherWithin),
		"Stop":               call("", otherWithin, "--stop"),
	}
}
