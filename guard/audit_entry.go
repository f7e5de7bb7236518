package guard

import (
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// entry is the line about a tool call that v decided.
func entry(in Input, tier int, v Verdict) Entry {
	e := Entry{Event: in.Event, ToolUseID: in.ToolUseID, Tier: tier, Tool: in.Tool, Command: commandOf(in), Rule: v.Rule, Decision: Denied, Reason: v.Reason}
	if v.Allow {
		e.Decision = Allowed
	}
	for _, act := range v.Acts {
		if !slices.Contains(e.Actions, act.Action) {
			e.Actions = append(e.Actions, act.Action)
		}
		for _, name := range act.Services {
			if !slices.Contains(e.Services, name) {
				e.Services = append(e.Services, name)
			}
		}
	}
	return e
}

// commandOf is what a person wants to see of a tool's input.
func commandOf(in Input) string {
	var bash struct {
		Command string `json:"command"`
	}
	if in.Tool == "Bash" && json.Unmarshal(in.ToolInput, &bash) == nil {
		return bash.Command
	}
	compact := in.ToolInput.Clone()
	if compact.Compact(jsontext.AllowDuplicateNames(true)) != nil {
		return string(in.ToolInput)
	}
	return string(compact)
}
