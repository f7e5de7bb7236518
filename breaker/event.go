package breaker

import "slices"

// Stops reports whether an event is one at which a block makes the agent go on: blocks in a row are a loop there.
func Stops(event string) bool {
	return slices.Contains([]string{"Stop", "SubagentStop", "TeammateIdle", "TaskCreated", "TaskCompleted"}, event)
}

// skippable reports whether a hook of an event may be skipped. The last line that a WorktreeCreate hook prints is taken as the
// path: without one there is no worktree.
func skippable(event string) bool { return event != "WorktreeCreate" }
