package tiers

import "cmp"

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

// hooks are those of the agent's settings: the operator's, behind the circuit breaker.
func (s Spec) hooks() Hooks {
	return s.Hooks.throughDoor().behindBreaker(cmp.Or(s.HookProgram, s.Workspace.self))
}
