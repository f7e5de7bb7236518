package records

import (
	"context"
	"maps"
	"slices"

	"github.com/google/uuid"

	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// place identifies the records of a service and action.
type place struct {
	service string
	action  statefile.Action
}

// Unreported is the error of an act that was still in progress when its session ended.
const Unreported = "the outcome was never reported: the session ended while it was in progress"

// Adopt makes the file and the store agree at the start of a cycle, and returns the file's state. The file takes precedence, because
// operators edit it. Records that others added get an id. Sessions that a killed cycle left must be settled first.
//
// What is no longer in the file was removed by an operator, and then does not count for its incident either. If the last cycle was cut off,
// a recovery whose transaction was lost may have done it, and it still does (RULE "Incident").
func (b *Records) Adopt(ctx context.Context, cutOff bool) (adopted *statefile.State, err error) {
	err = b.change(ctx, func(st *statefile.State) error {
		acts, err := b.recentActs(ctx)
		if err != nil {
			return err
		}
		st.Tidy(b.Now())
		changed, removed := adoptRecords(st, acts)
		for _, a := range changed {
			if err := b.Store.PutAct(ctx, a); err != nil {
				return err
			}
		}
		for _, a := range removed {
			err := b.Store.ClearAct(ctx, a.ID, b.Now())
			if err == nil && !cutOff {
				err = b.Store.CountFrom(ctx, a.Service, b.Now())
			}
			if err != nil {
				return err
			}
		}
		adopted = st
		return nil
	})
	return adopted, err
}

// adoptRecords gives every record of the file a unique id, and ends those that are in progress although their session is gone. It returns
// in changed the file's version of what the store does not have, and in removed the acts that are no longer anywhere in the file.
func adoptRecords(st *statefile.State, acts []store.Act) (changed, removed []store.Act) {
	known := map[string]store.Act{}
	for _, a := range acts {
		known[a.ID] = a
	}
	seen := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(st.Services)) {
		for _, action := range statefile.Actions() {
			records := st.Services[name].Records(action)
			for i := range records {
				r := &records[i]
				if r.ID == "" || seen[r.ID] { // a copy made in an editor is a separate act
					r.ID = newID()
				}
				seen[r.ID] = true
				endUnreported(r)
				a, ok := known[r.ID]
				delete(known, r.ID)
				same := r.Timestamp.Equal(statefile.At(a.CreatedAt)) && r.Success == a.Success && r.Error == a.Error
				if ok && a.Service == name && a.Action == action && same {
					continue
				}
				if !ok {
					a = store.Act{ID: r.ID, Source: store.SourceFile, Detail: r.ActionDetail}
					if 1 <= r.Tier && r.Tier <= 3 {
						a.Tier = r.Tier
					}
				}
				a.Service, a.Action, a.CreatedAt, a.Success, a.Error = name, action, r.Timestamp, r.Success, r.Error
				changed = append(changed, a)
			}
		}
	}
	return changed, slices.Collect(maps.Values(known))
}

// newID returns a new record id. Ids sort by creation time, even within a second.
func newID() string { return uuid.Must(uuid.NewV7()).String() }
