package hooks

import "slices"

// Events are those at which the agent program calls hooks.
func Events() []string {
	return []string{
		"PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch", "Notification", "UserPromptSubmit", "UserPromptExpansion", "SessionStart",
		"SessionEnd", "Stop", "StopFailure", "SubagentStart", "SubagentStop", "PreCompact", "PostCompact", "PermissionRequest", "PermissionDenied",
		"Setup", "TeammateIdle", "TaskCreated", "TaskCompleted", "Elicitation", "ElicitationResult", "ConfigChange", "WorktreeCreate", "WorktreeRemove",
		"InstructionsLoaded", "CwdChanged", "FileChanged", "MessageDisplay",
	}
}

// Stops reports whether an event is one at which a block makes the agent go on: blocks in a row are a loop there.
func Stops(event string) bool {
	return slices.Contains([]string{"Stop", "SubagentStop", "TeammateIdle", "TaskCompleted"}, event)
}

// skippable reports whether a hook of an event may be skipped. The last line that a WorktreeCreate hook prints is taken as the
// path: without one there is no worktree.
func skippable(event string) bool { return event != "WorktreeCreate" }
