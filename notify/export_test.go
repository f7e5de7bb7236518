package notify

import "time"

// SetPatience sets after how long a program gives its place to another.
func SetPatience(c Courier, d time.Duration) { c.(*program).patience = d }
