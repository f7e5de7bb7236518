package dashboard

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/store"
)

const (
	// lastRuns is the number of runs that must have followed the default schedule for it to count.
	lastRuns = 5
	// manual is the trigger of a cycle started by a person.
	manual = "manual"
)

// nextRun returns when the first cycle after a moment begins; nil if unknown.
func (i *Instance) nextRun(after time.Time) *time.Time {
	var first *time.Time
	for _, expression := range i.options.Config.Schedule {
		if next := expression.Next(after.In(i.now().Location())).UTC(); !next.IsZero() && (first == nil || next.Before(*first)) {
			first = &next
		}
	}
	return first
}

// watch determines whether cycles run as expected: by the schedule if they follow it, else daily. After a cycle started by a person, no
// further one is expected.
func (i *Instance) watch(ctx context.Context, b *ledger.Records, o *Overview) error {
	o.NextRun = i.nextRun(o.At)
	if o.LastCycle == nil || o.AtWork() != nil {
		return nil
	}
	last, err := b.Store.LastUnwoken(ctx) // another one does not show that the schedule's cycles run
	if err != nil {
		return err
	}
	last = cmp.Or(last, o.LastCycle)
	ended := last.EndedAt().UTC()
	stale := !ended.After(o.At.Add(-state.StatusLasts(i.options.Config.Schedule, i.now())))
	if last.Trigger != manual {
		due, missed := i.due(ended, o.At)
		switch {
		case missed:
			o.NextRun = nil // a schedule that is not followed predicts nothing
			followed, err := i.followed(ctx, b, last.Trigger)
			if err != nil {
				return err
			}
			if followed {
				stale, o.DueSince = true, due
			}
		case due != nil:
			stale = false
		}
	}
	if stale {
		o.StaleSince, o.NextRun = &ended, nil
	}
	return nil
}

// due returns when the first run after a moment should have begun (nil if unknown), and whether it was missed.
func (i *Instance) due(after, now time.Time) (due *time.Time, missed bool) {
	due = i.nextRun(after)
	return due, due != nil && !now.Before(due.Add(state.Lateness))
}

// followed reports whether cycles follow the schedule. One that the operator has set always counts. With the default, a
// crontab or a timer may have other times, so the last runs of the same trigger decide.
func (i *Instance) followed(ctx context.Context, b *ledger.Records, trigger string) (bool, error) {
	unset := func(v config.Variable) bool { return v.Name == "CLAUDEOPS_SCHEDULE" && v.Source == config.FromDefault }
	if !slices.ContainsFunc(i.options.Variables, unset) {
		return true, nil
	}
	roots, _, err := b.Store.ChainRoots(ctx, store.SessionFilter{Tier: 1, Trigger: trigger, Limit: lastRuns})
	if err != nil {
		return false, err
	}
	links, err := b.Store.Links(ctx, roots, store.SessionFilter{})
	if err != nil {
		return false, err
	}
	later := time.Time{}         // when the run after a link began
	for _, link := range links { // the newest root first
		if link.ParentID != nil {
			continue
		}
		if _, missed := i.due(link.StartedAt, later); missed {
			return false, nil
		}
		later = link.StartedAt
	}
	return len(roots) == lastRuns, nil // fewer do not decide
}
