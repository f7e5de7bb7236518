package breaker

import "slices"

// stops reports whether an event is one at which a block makes the agent go on: blocks in a row are a loop there.
func stops(event string) bool {
	return slices.Contains([]string{"Stop", "SubagentStop", "TeammateIdle", "TaskCreated", "TaskCompleted"}, event)
}

// skippable reports whether a hook of an event may be skipped. The last line that a WorktreeCreate hook prints is taken as the
// path: without one there is no worktree.
func skippable(event string) bool { return event != "WorktreeCreate" }

// tellsPerson reports whether the agent program shows a systemMessage of this event to the person and to nobody else. Of any
// other event nothing may be printed: it would go to the model, or nowhere.
func tellsPerson(event string) bool {
	return slices.Contains([]string{
		"PreToolUse", "PostToolUse", "PostToolUseFailure", "UserPromptSubmit", "SessionStart", "Stop", "SubagentStop",
	}, event)
}
