package cycle

import (
	"context"
	"fmt"

	"github.com/claudeops/claudeops/internal/clock"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/store"
)

// lookAtClock finds out whether the machine's clock has jumped since the last cycle, and says so when that changes.
func (c *Cycle) lookAtClock(keep context.Context) error {
	before, after, err := c.Store.LookAtClock(keep, c.Now())
	if err != nil {
		return err
	}
	doubted := after.Doubted != clock.Moment{}
	switch {
	case doubted && after.Doubted != before.Doubted:
		return c.say(keep, store.Warning, 0, "", "the clock has jumped ahead: "+records.ClockDoubt(c.Now(), c.Trusted()))
	case !doubted && before.Doubted != clock.Moment{}:
		return c.say(keep, store.Info, 0, "", fmt.Sprintf("the clock is trusted again: it says %s", text.Moment(c.Now())))
	}
	return nil
}
