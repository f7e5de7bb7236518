package hooks

import (
	"cmp"
	"slices"
	"time"
)

const (
	// maxHooks limits the hooks in the state file: a command may contain something variable, such as the date.
	maxHooks = 10_000
	// roomMade is how many hooks are removed when there are too many. With fewer, each new hook would require reading all of them.
	roomMade = maxHooks / 100
)

// makeRoom removes the hooks that have been idle longest if there are too many. A hook whose circuit is open or half open is removed only
// if no closed one is left. One that is running or disabled by hand is never removed.
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
	if w.noted, err = w.runs().all(); err != nil { // others may have begun since the runs were read
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
