package records

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// maxCopied limits the records that are taken over from one session's copy: no agent acts more often.
const maxCopied = 100

// Added counts the records that an agent has added to its copy of cooldown.json so far.
type Added map[place]int

// AddFromCopy takes over what a session's agent changed in its copy of cooldown.json, which was issued and is now left (RULE "What an
// agent writes"). Of the records that it added, as many are taken over as exceed those of the broker in this session. What it removed or
// altered changes nothing. before is of the calls so far; at the first one it is nil. Tier 1 may not remediate, so none of its records count; it counts healthy cycles, and may empty a service's
// records at the second one (SPEC-0007 REQ-6), which are kept until the end of the cycle.
func (b *Records) AddFromCopy(ctx context.Context, s store.Session, issued, left *statefile.State, before *Added) (found []Notice, err error) {
	err = b.update(ctx, func(st *statefile.State) ([]store.Act, error) {
		mergeNames(issued, b.Inventory.NameOf)
		mergeNames(left, b.Inventory.NameOf)
		added, removed := changes(issued, left)
		added = slices.DeleteFunc(added, func(e entry) bool { return has(st, e) && !has(issued, e) }) // handed out, as a kill came
		if s.Tier == 1 {
			removed = countStreaks(st, issued, left, removed)
			if len(added) > 0 {
				found = append(found, notCounted(added, "Tier 1 may not remediate"))
			}
			added = nil
		}
		if len(removed) > 0 {
			found = append(found, tampered(removed))
		}
		acts, err := b.Store.SessionActs(ctx, s.ID)
		if err != nil {
			return nil, err
		}
		if *before == nil { // after a kill: what was taken over before this copy was handed out
			*before = Added{}
			for _, a := range acts {
				if a.OnlyClaimed() && has(issued, entry{a.Service, a.Action, statefile.Record{ID: a.ID}}) {
					(*before)[place{a.Service, a.Action}]++
				}
			}
		}
		taken, dropped := b.exceeding(s, acts, added, *before)
		if len(dropped) > 0 {
			found = append(found, notCounted(dropped, fmt.Sprintf("more than %d, or no name of a service", maxCopied)))
		}
		for _, a := range taken {
			st.Add(a.Service, a.Action, a.Record())
		}
		return taken, nil
	})
	return found, err
}

// entry is a record with its service and action.
type entry struct {
	Service string
	Action  statefile.Action
	Record  statefile.Record
}

// changes compares a copy of the state, as it was handed out and as it is now. It returns the records that were removed or altered, and of
// the others as many as the copy has more, the last ones. A record is known by its id, time and outcome.
func changes(was, is *statefile.State) (added, removed []entry) {
	all := maps.Clone(was.Services)
	maps.Copy(all, is.Services)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		for _, action := range statefile.Actions() {
			gone, now := slices.Clone(was.Service(name).Records(action)), is.Service(name).Records(action)
			more := max(len(now)-len(gone), 0)
			var fresh []entry
			for _, r := range now {
				i := slices.IndexFunc(gone, func(old statefile.Record) bool {
					return old.ID == r.ID && old.Success == r.Success && old.Timestamp.Equal(r.Timestamp)
				})
				if i < 0 {
					fresh = append(fresh, entry{name, action, r})
				} else {
					gone = slices.Delete(gone, i, i+1)
				}
			}
			added = append(added, fresh[max(len(fresh)-more, 0):]...)
			for _, r := range gone {
				removed = append(removed, entry{name, action, r})
			}
		}
	}
	return added, removed
}

// has reports whether the file has a record with the entry's id, which is not empty.
func has(st *statefile.State, e entry) bool {
	same := func(r statefile.Record) bool { return e.Record.ID != "" && r.ID == e.Record.ID }
	return slices.ContainsFunc(st.Service(e.Service).Records(e.Action), same)
}

// countStreaks applies Tier 1's counts of healthy cycles, and returns the removed records without those that the recovery rule removes.
func countStreaks(st, issued, left *statefile.State, removed []entry) []entry {
	for name, is := range left.Services {
		was := issued.Service(name)
		recovers := was.ConsecutiveHealthy >= statefile.HealthyToReset-1 && is.ConsecutiveHealthy == 0
		if recovers && len(is.Restarts)+len(is.Redeployments) == 0 && len(was.Restarts)+len(was.Redeployments) > 0 {
			st.Ensure(name).ConsecutiveHealthy = statefile.HealthyToReset
			removed = slices.DeleteFunc(removed, func(e entry) bool { return e.Service == name })
		} else if is.ConsecutiveHealthy != was.ConsecutiveHealthy {
			st.Ensure(name).ConsecutiveHealthy = is.ConsecutiveHealthy
		}
	}
	return removed
}

// exceeding returns the added records that exceed the session's acts, as acts, and those that are dropped. before counts all added ones.
func (b *Records) exceeding(s store.Session, acts []store.Act, added []entry, before Added) (taken []store.Act, dropped []entry) {
	known := Added{}
	for _, a := range acts {
		known[place{a.Service, a.Action}]++
	}
	for _, e := range added {
		at := place{e.Service, e.Action}
		if before[at]++; before[at] <= known[at] {
			continue
		}
		known[at]++
		if check.ServiceNameFault(e.Service) != "" || len(acts)+len(taken) >= maxCopied {
			dropped = append(dropped, e)
			continue
		}
		dated := e.Record.Timestamp
		if dated.IsZero() || dated.Before(statefile.At(s.StartedAt)) || dated.After(b.Now()) {
			dated = statefile.At(b.Now())
		}
		taken = append(taken, store.Act{
			ID: newID(), SessionID: &s.ID, Service: e.Service, Action: e.Action, Success: e.Record.Success,
			Error: b.line(e.Record.Error), Tier: s.Tier, Source: store.SourceFile, Detail: b.line(e.Record.ActionDetail),
			CreatedAt: statefile.At(dated),
		})
	}
	return taken, dropped
}

// tampered returns the notice of records that an agent removed from its copy or altered in it.
func tampered(removed []entry) Notice {
	return Notice{Level: store.Critical, Erased: true, Service: removed[0].Service,
		Message: fmt.Sprintf("an agent removed or altered %s in its copy of %s, which changes nothing", listed(removed), statefile.FileName)}
}

// notCounted returns the notice of records that an agent added and that do not count.
func notCounted(added []entry, why string) Notice {
	return Notice{Level: store.Warning, Service: added[0].Service,
		Message: fmt.Sprintf("an agent recorded %s in its copy of %s. Not counted: %s", listed(added), statefile.FileName, why)}
}

// listed names records for an event.
func listed(entries []entry) string {
	var names []string
	for _, e := range entries {
		names = append(names, fmt.Sprintf("the %s of %s at %s", e.Action, e.Service, e.Record.Timestamp.Format(time.RFC3339)))
	}
	return strings.TrimSpace(text.Few(names, 5))
}
