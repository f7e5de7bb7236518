package dashboard

import (
	"context"
	"slices"
	"time"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/store"
)

const (
	// lastRuns is the number of runs that must have followed the default schedule for it to count, among the newest chainsBack chains.
	lastRuns, chainsBack = 5, 20
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
func (i *Instance) watch(ctx context.Context, b *records.Records, _ *snapshot, o *Overview) error {
	o.NextRun = i.nextRun(o.At)
	if o.LastCycle == nil || o.runs() {
		return nil
	}
	last, err := b.Store.LastUnwoken(ctx) // one that an alert started does not show that the schedule's run
	if err != nil {
		return err
	}
	if last == nil {
		last = o.LastCycle
	}
	ended := last.EndedAt().UTC()
	stale := !ended.After(o.At.Add(-state.StatusLasts(i.options.Config.Schedule, i.now())))
	if last.Trigger != manual {
		due, missed := i.due(ended, o.At)
		switch {
		case missed:
			o.NextRun = nil // a schedule that is not followed predicts nothing
			followed, err := i.followed(ctx, b)
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

// due returns when the first run after a moment should have begun (nil if unknown), and whether it was missed: by state.Lateness or, if within
// state.DayLasts, by the time of the following run, before which jitter must have let it begin.
func (i *Instance) due(after, now time.Time) (due *time.Time, missed bool) {
	if due = i.nextRun(after); due == nil {
		return nil, false
	}
	patience := state.Lateness
	if next := i.nextRun(*due); next != nil {
		apart := next.Sub(*due)
		patience = max(patience, min(apart, state.DayLasts-max(apart, due.Sub(after))))
	}
	return due, !now.Before(due.Add(patience))
}

// followed reports whether cycles follow the schedule. A schedule set by the operator always counts. With the default, a crontab or a
// timer may have other times, so the last runs decide.
func (i *Instance) followed(ctx context.Context, b *records.Records) (bool, error) {
	if !slices.ContainsFunc(i.options.Variables, func(v config.Variable) bool { return v.Name == "CLAUDEOPS_SCHEDULE" && v.Source == config.FromDefault }) {
		return true, nil
	}
	roots, _, err := b.Store.ChainRoots(ctx, store.ChainFilter{Tier: 1, Limit: chainsBack})
	if err != nil {
		return false, err
	}
	links, err := b.Store.Links(ctx, roots, store.ChainFilter{})
	if err != nil {
		return false, err
	}
	runs, later := 0, time.Time{}
	for _, link := range links { // the newest root first
		if link.ParentID != nil || link.Trigger == manual || (store.CycleRow{Trigger: link.Trigger}).Woken() {
			continue
		}
		if runs++; runs > 1 {
			if _, missed := i.due(link.StartedAt, later); missed {
				return false, nil
			}
		}
		if runs == lastRuns {
			return true, nil
		}
		later = link.StartedAt
	}
	return false, nil // too few to decide
}
