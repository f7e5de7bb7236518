package hooks

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"
)

const (
	// maxHooks is how many hooks the state file holds at most: a command may have something of the day in it.
	maxHooks = 10_000
	// roomMade is how many go where there are too many: otherwise each new one would have all of them read.
	roomMade = maxHooks / 100
)

// errNoRoom says that no hook could go to make room for another one.
var errNoRoom = errors.New("none of them is idle")

// makeRoom takes hooks out where too many came: the ones idle longest. One whose circuit is open or half open goes only where no
// closed one is left, one that is running or disabled by hand never does.
func (w *work) makeRoom() error {
	n := len(w.state.Hooks)
	added := 0
	for _, e := range w.entries {
		if !e.stored && e.changed && !e.gone {
			added++
		}
	}
	if added == 0 || n+added <= maxHooks {
		return nil
	}
	var err error
	if w.noted, err = w.runs().all(); err != nil { // others may have begun since they were read
		return err
	}
	var idle []*entry
	for _, e := range w.all() {
		if !e.changed && !e.gone && len(w.noted[e.name]) == 0 && e.DisabledByHand == nil {
			idle = append(idle, e)
		}
	}
	if len(idle) < n+added-maxHooks {
		return fmt.Errorf("%s holds %d hooks: %w", w.path, n, errNoRoom)
	}
	slices.SortStableFunc(idle, func(a, b *entry) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), a.lastSeen().Compare(b.lastSeen()))
	})
	closed := slices.IndexFunc(idle, func(e *entry) bool { return e.rank() > 0 })
	if closed < 0 {
		closed = len(idle)
	}
	for _, e := range idle[:max(n+added-maxHooks, min(closed, roomMade))] {
		e.gone = true
	}
	w.recount = true
	return nil
}

// rank is 0 for a hook that would be as good as new.
func (e *entry) rank() int {
	if e.State == Closed {
		return 0
	}
	return 1
}

func (h *Hook) lastSeen() (last time.Time) {
	for _, t := range []*time.Time{h.LastCall, h.LastSuccess, h.LastFailure, h.DisabledAt} {
		if t != nil && t.After(last) {
			last = *t
		}
	}
	return last
}
