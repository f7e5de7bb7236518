package hooks

import "slices"

// Events returns the events at which the agent program calls hooks.
func Events() []string {
	return []string{
		"PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch", "Notification", "UserPromptSubmit", "UserPromptExpansion", "SessionStart",
		"SessionEnd", "Stop", "StopFailure", "SubagentStart", "SubagentStop", "PreCompact", "PostCompact", "PermissionRequest", "PermissionDenied",
		"Setup", "TeammateIdle", "TaskCreated", "TaskCompleted", "Elicitation", "ElicitationResult", "ConfigChange", "WorktreeCreate", "WorktreeRemove",
		"InstructionsLoaded", "CwdChanged", "FileChanged", "MessageDisplay",
	}
}

// Stops reports whether a block at an event makes the agent continue. Consecutive blocks at such an event are a loop.
func Stops(event string) bool {
	return slices.Contains([]string{"Stop", "SubagentStop", "TeammateIdle", "TaskCompleted"}, event)
}

// skippable reports whether a hook of an event may be skipped. The agent program reads the worktree's path from the last line that a
// WorktreeCreate hook prints, so that hook must run.
func skippable(event string) bool { return event != "WorktreeCreate" }
