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
	// statusLasts is how long a service counts as it was last found, at least, and how long a cycle counts where it is not known when the next
	// is due: a day, and as long as a cycle of a daily schedule may take longer than the one before.
	statusLasts = 26 * time.Hour
	// lateness is how late a run may be at least before it counts as missed.
	lateness = 2 * time.Hour
	// longestAgo is how far back a run is looked for: as far as schedules look ahead.
	longestAgo = 5 * 365 * 24 * time.Hour
	// lastRuns is how many runs must have come by the default schedule until it counts, of the newest chainsBack chains.
	lastRuns, chainsBack = 5, 20
	// manual is the trigger of a cycle that a person started.
	manual = "manual"
)

// foundLasts is how long what was found counts: until a run was missed, and statusLasts at least.
func (i *Instance) foundLasts(now time.Time) time.Duration {
	if i.own == nil || len(i.own.Config.Schedule) == 0 {
		return statusLasts
	}
	until := now.Add(-lateness)
	newest := []time.Time{until.Add(-longestAgo)}
	for _, expression := range i.own.Config.Schedule {
		if every := expression.Every(); every > 0 {
			newest = append(newest, until.Add(-every)) // from when on it is counted is not known
		} else {
			newest = append(newest, newestRun(expression, until.In(now.Location())))
		}
	}
	return max(statusLasts, now.Sub(slices.MaxFunc(newest, time.Time.Compare)))
}

// newestRun is when the last run until a moment was due; zero where none was for longestAgo.
func newestRun(e schedule.Expression, until time.Time) (last time.Time) {
	for back := time.Hour; last.IsZero() && back < 2*longestAgo; back *= 2 {
		for next := e.Next(until.Add(-back)); !next.IsZero() && !next.After(until); next = e.Next(next) {
			last = next
		}
	}
	return last
}

// nextRun is when the first cycle after a moment is to begin; nil where it is not known.
func (i *Instance) nextRun(after time.Time) *time.Time {
	if i.own == nil {
		return nil
	}
	var first *time.Time
	for _, expression := range i.own.Config.Schedule {
		if next := expression.Next(after.In(i.now().Location())).UTC(); !next.IsZero() && (first == nil || next.Before(*first)) {
			first = &next
		}
	}
	return first
}

// watch says whether cycles come as they should: as the schedule says, where they follow it, and else every day. After a cycle that a person
// started no other need come.
func (i *Instance) watch(ctx context.Context, b *records.Records, _ *snapshot, o *Overview) error {
	o.NextRun = i.nextRun(o.At)
	if o.LastCycle == nil || o.runs() {
		return nil
	}
	ended := o.LastCycle.EndedAt().UTC()
	stale := !ended.After(o.At.Add(-i.foundLasts(o.At)))
	if o.LastCycle.Trigger != manual {
		due, missed := i.due(ended, o.At)
		switch {
		case missed:
			o.NextRun = nil // a schedule that did not come true promises nothing
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

// due is when the first run after a moment was to begin, nil where it is not known, and whether it was missed: by lateness, or until the one
// behind it is due, before which jitter has it begin, where that is within statusLasts.
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

// followed reports whether cycles go by the schedule. One that the operator has set they do; the default they may not, where a crontab or a
// timer has times of its own: the last runs decide.
func (i *Instance) followed(ctx context.Context, b *records.Records) (bool, error) {
	if !slices.ContainsFunc(i.own.Variables, func(v config.Variable) bool { return v.Name == "CLAUDEOPS_SCHEDULE" && v.Source == config.FromDefault }) {
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
		if link.Depth > 0 || link.Trigger == manual {
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
