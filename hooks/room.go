package hooks

import (
	"cmp"
	"slices"
	"time"
)

const (
	// maxHooks is how many hooks the state file holds at most: a command may have something of the day in it.
	maxHooks = 10_000
	// roomMade is how many go where there are too many: otherwise each new one would have all of them read.
	roomMade = maxHooks / 100
)

// makeRoom takes hooks out where too many came: the ones idle longest. One whose circuit is open or half open goes only where no
// closed one is left, one that is running or disabled by hand never does.
func (w *work) makeRoom() error {
	added := 0
	for _, e := range w.entries {
		if !e.stored && e.changed && !e.gone {
			added++
		}
	}
	over := len(w.state.Hooks) + added - maxHooks
	if added == 0 || over <= 0 {
		return nil
	}
	var err error
	if w.noted, err = w.runs().all(); err != nil { // others may have begun since they were read
		return err
	}
	var idle []*entry
	closed := 0
	for _, e := range w.all() {
		if !e.changed && !e.gone && len(w.noted[e.name]) == 0 && e.DisabledByHand == nil {
			idle = append(idle, e)
			closed += int(one(e.State == Closed))
		}
	}
	slices.SortStableFunc(idle, func(a, b *entry) int {
		return cmp.Or(cmp.Compare(one(a.State != Closed), one(b.State != Closed)), a.lastSeen().Compare(b.lastSeen()))
	})
	for _, e := range idle[:min(len(idle), max(over, min(closed, roomMade)))] {
		e.gone = true
	}
	w.recount = true
	return nil
}

func (h *Hook) lastSeen() (last time.Time) {
	for _, t := range []*time.Time{h.LastCall, h.LastSuccess, h.LastFailure, h.DisabledAt} {
		if t != nil && t.After(last) {
			last = *t
		}
	}
	return last
}
