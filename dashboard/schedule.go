package dashboard

import (
	"context"
	"slices"
	"time"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/schedule"
	"github.com/claudeops/claudeops/store"
)

const (
	// statusLasts is how long a service's last status counts at least, and how long a cycle counts if the next run is unknown: a day,
	// plus the time by which a cycle of a daily schedule may be longer than the one before.
	statusLasts = 26 * time.Hour
	// lateness is how late a run must be at least to count as missed.
	lateness = 2 * time.Hour
	// longestAgo is how far back a run is searched: as far as schedules look ahead.
	longestAgo = 5 * 365 * 24 * time.Hour
	// lastRuns is the number of runs that must have followed the default schedule for it to count, among the newest chainsBack chains.
	lastRuns, chainsBack = 5, 20
	// manual is the trigger of a cycle started by a person.
	manual = "manual"
)

// foundLasts returns how long a status counts: until a run was missed, and at least statusLasts.
func (i *Instance) foundLasts(now time.Time) time.Duration {
	if len(i.options.Config.Schedule) == 0 {
		return statusLasts
	}
	until := now.Add(-lateness)
	newest := []time.Time{until.Add(-longestAgo)}
	for _, expression := range i.options.Config.Schedule {
		if every := expression.Every(); every > 0 {
			newest = append(newest, until.Add(-every)) // the start of its interval is unknown
		} else {
			newest = append(newest, newestRun(expression, until.In(now.Location())))
		}
	}
	return max(statusLasts, now.Sub(slices.MaxFunc(newest, time.Time.Compare)))
}

// newestRun returns when the last run up to a moment was due; zero if there was none within longestAgo.
func newestRun(e schedule.Expression, until time.Time) (last time.Time) {
	for back := time.Hour; last.IsZero() && back < 2*longestAgo; back *= 2 {
		for next := e.Next(until.Add(-back)); !next.IsZero() && !next.After(until); next = e.Next(next) {
			last = next
		}
	}
	return last
}

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
	last := o.LastCycle
	if last.Woken() { // it does not show that the schedule's cycles run
		unwoken, err := b.Store.LastUnwoken(ctx)
		if err != nil {
			return err
		}
		if unwoken != nil {
			last = unwoken
		}
	}
	ended := last.EndedAt().UTC()
	stale := !ended.After(o.At.Add(-i.foundLasts(o.At)))
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

// due returns when the first run after a moment should have begun (nil if unknown), and whether it was missed: by lateness or, if within
// statusLasts, by the time of the following run, before which jitter must have let it begin.
func (i *Instance) due(after, now time.Time) (due *time.Time, missed bool) {
	if due = i.nextRun(after); due == nil {
		return nil, false
	}
	patience := lateness
	if next := i.nextRun(*due); next != nil {
		apart := next.Sub(*due)
		patience = max(patience, min(apart, statusLasts-max(apart, due.Sub(after))))
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
		if link.Depth > 0 || link.Trigger == manual || (store.CycleRow{Trigger: link.Trigger}).Woken() {
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
