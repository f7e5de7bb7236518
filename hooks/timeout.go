package hooks

import "time"

// Inside is how long a hook may run whose caller ends it after limit: a little less, so that it is the breaker that ends it, with
// everything that it started, and that counts it. Ending takes some 600 ms where the hook takes its time.
func Inside(limit time.Duration) time.Duration {
	margin := min(max(limit/20, 800*time.Millisecond), 5*time.Second)
	return max(limit-margin, limit/2)
}
