package hooks

import "time"

// Inside returns how long a hook may run if its caller ends it after limit. It is a little less, so that the breaker ends the hook with
// everything it started, and counts it. Ending takes up to about 600 ms.
func Inside(limit time.Duration) time.Duration {
	margin := min(max(limit/20, 800*time.Millisecond), 5*time.Second)
	return max(limit-margin, limit/2)
}
