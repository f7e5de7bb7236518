package ledger

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// maxCopied limits the records that are taken over from one session's copy: no agent acts more often.
const maxCopied = 100

// place identifies the records of a service and action.
type place struct {
	service string
	action  statefile.Action
}

// Added counts the records that an agent has added to its copy of cooldown.json so far.
type Added map[place]int

// entry is a record with its service and action.
type entry struct {
	place
	statefile.Record
}

// AddFromCopy takes over what a session's agent changed in its copy of cooldown.json, which was issued and is now
// left. Of the records that it added, as many are taken over as exceed those of the broker in this session. What it
// removed or altered changes nothing, and people are told. before is of the calls so far, and is updated. Tier 1 may
// not remediate, so none of its records count; it counts healthy cycles, and may empty a service's records at the
// second one (SPEC-0007 REQ-6), which are kept until the end of the cycle.
func (b *Records) AddFromCopy(ctx context.Context, s store.Session, issued, left *statefile.State, before Added) error {
	return b.UpdateState(ctx, func(st *statefile.State) error {
		left.MergeNames(b.Inventory.NameOf)
		added, removed := changes(issued, left)
		if s.Tier == 1 {
			removed = countStreaks(st, issued, left, removed)
		}
		if len(removed) > 0 {
			what := fmt.Sprintf("an agent removed or altered %s in its copy of %s, which changes nothing",
				listed(removed), statefile.FileName)
			err := b.note(ctx, store.Critical, &s.ID, removed[0].service, what)
			if err = errors.Join(err, b.Queue(ctx, notify.RecordsErased(s.ID, what))); err != nil {
				return err
			}
		}
		if s.Tier == 1 && len(added) > 0 {
			what := fmt.Sprintf("an agent recorded %s in its copy of %s. Not counted: Tier 1 may not remediate",
				listed(added), statefile.FileName)
			return b.note(ctx, store.Warning, &s.ID, added[0].service, what)
		}
		acts, err := b.Store.SessionActs(ctx, s.ID)
		if err != nil {
			return err
		}
		known := Added{}
		for _, a := range acts {
			known[place{a.Service, a.Action}]++
		}
		for _, e := range added {
			before[e.place]++
			if before[e.place] <= known[e.place] || len(acts) >= maxCopied || check.ServiceNameFault(e.service) != "" {
				continue
			}
			known[e.place]++
			act := b.claimed(s, e)
			st.Add(act.Service, act.Action, act.Record())
			if err := b.Store.PutAct(ctx, act); err != nil {
				return err
			}
			acts = append(acts, act)
		}
		return nil
	})
}

// claimed returns the act of a record that a session's agent added. Its time stands if it lies within the session.
func (b *Records) claimed(s store.Session, e entry) store.Act {
	if e.Timestamp.Before(statefile.At(s.StartedAt)) || e.Timestamp.After(b.Now()) {
		e.Timestamp = b.Now()
	}
	return store.Act{
		ID: newID(), SessionID: &s.ID, Service: e.service, Action: e.action, Success: e.Success, Error: b.line(e.Error), Tier: s.Tier,
		Source: store.SourceFile, Detail: b.line(e.ActionDetail), CreatedAt: statefile.At(e.Timestamp),
	}
}

// changes compares a copy of the state, as it was handed out and as it is now. It returns as many records as the copy has more, the last
// ones, and those that were removed or altered. A record is known by its id, time and outcome.
func changes(was, is *statefile.State) (added, removed []entry) {
	all := maps.Clone(was.Services)
	maps.Copy(all, is.Services)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		for _, action := range statefile.Actions() {
			old, now := was.Service(name).Records(action), is.Service(name).Records(action)
			for _, r := range now[min(len(old), len(now)):] {
				added = append(added, entry{place{name, action}, r})
			}
			for _, r := range old {
				if !slices.ContainsFunc(now, func(n statefile.Record) bool {
					return n.ID == r.ID && n.Success == r.Success && n.Timestamp.Equal(r.Timestamp)
				}) {
					removed = append(removed, entry{place{name, action}, r})
				}
			}
		}
	}
	return added, removed
}

// countStreaks applies Tier 1's counts of healthy cycles, and returns the removed records without those that the recovery rule removes.
func countStreaks(st, issued, left *statefile.State, removed []entry) []entry {
	for name, is := range left.Services {
		was := issued.Service(name)
		recovers := was.ConsecutiveHealthy >= statefile.HealthyToReset-1 && is.ConsecutiveHealthy == 0
		if recovers && len(is.Restarts)+len(is.Redeployments) == 0 && len(was.Restarts)+len(was.Redeployments) > 0 {
			st.Ensure(name).ConsecutiveHealthy = statefile.HealthyToReset
			removed = slices.DeleteFunc(removed, func(e entry) bool { return e.service == name })
		} else if is.ConsecutiveHealthy != was.ConsecutiveHealthy {
			st.Ensure(name).ConsecutiveHealthy = is.ConsecutiveHealthy
		}
	}
	return removed
}

// listed names records for an event.
func listed(entries []entry) string {
	var names []string
	for _, e := range entries {
		names = append(names, fmt.Sprintf("the %s of %s at %s", e.action, e.service, e.Timestamp.Format(time.RFC3339)))
	}
	return text.Few(names, 5)
}
