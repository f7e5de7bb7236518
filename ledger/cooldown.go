package ledger

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/google/uuid"

	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// Operators read and edit cooldown.json; the store's cooldown_actions keep its history. Every write goes to the file
// first, then to the store: after a crash in between, the file is ahead, and Adopt takes its content over.

func (b *Records) file() statefile.File {
	return statefile.File{Path: statefile.Path(b.Config.StateDir), Now: b.Now, Refill: b.Recorded, Within: b.Together}
}

// Recorded returns what cooldown.json would be made of if it were corrupt or missing: the acts of the store that still count.
func (b *Records) Recorded(ctx context.Context) (*statefile.State, error) {
	st := statefile.New()
	if b.Store == nil {
		return st, nil
	}
	acts, err := b.Store.ActsSince(ctx, b.Now().Add(-statefile.PruneAfter))
	for _, a := range acts {
		st.Add(a.Service, a.Action, a.Record())
	}
	return st, err
}

// State returns the current cooldown.json. A corrupt file is an error: the next write replaces it.
func (b *Records) State(ctx context.Context) (*statefile.State, error) {
	st, err := b.file().Read(ctx)
	if err != nil {
		return nil, err
	}
	st.MergeNames(b.Inventory.NameOf)
	return st, nil
}

// UpdateState changes the file and the database in one transaction, which begins before the file is read and is
// committed once the file is written, all before another process may change the file. A service has one name in it. If
// it was made anew first, that is recorded and told, even with an error.
func (b *Records) UpdateState(ctx context.Context, change func(*statefile.State) error) error {
	remade, err := b.file().Update(ctx, func(st *statefile.State) error {
		st.MergeNames(b.Inventory.NameOf)
		return change(st)
	})
	if remade == "" {
		return err
	}
	message := fmt.Sprintf("%s %s: it was made anew with the records of the database that still count; "+
		"`claudeops cooldown reset SERVICE` is the way to forget them", statefile.FileName, remade)
	return errors.Join(err, b.note(ctx, store.Warning, nil, "", message), b.Queue(ctx, notify.CooldownRemade(message)))
}

// note records an event; session is nil if it concerns none.
func (b *Records) note(ctx context.Context, level store.Level, session *int64, service, message string) error {
	return b.Store.AddEvent(ctx, store.Event{
		SessionID: session, Level: level, Service: service, Message: b.Redactor.String(message), CreatedAt: b.Now(),
	})
}

// Round runs f with cooldown.json locked and in one transaction, which is committed once the file is written. f returns
// the services that have recovered: their counters are emptied, and their acts no longer count.
func (b *Records) Round(ctx context.Context, f func(*statefile.State) (recovered []string, err error)) error {
	return b.UpdateState(ctx, func(st *statefile.State) error {
		recovered, err := f(st)
		for _, service := range recovered {
			is := st.Ensure(service)
			is.Restarts, is.Redeployments, is.ConsecutiveHealthy = nil, nil, 0
			err = errors.Join(err, b.Store.ClearActs(ctx, service, b.Now()))
		}
		return err
	})
}

// Reset empties a service's counters for an operator. Its incident also starts anew and is no longer flapping.
func (b *Records) Reset(ctx context.Context, service string) error {
	return b.Round(ctx, func(*statefile.State) ([]string, error) {
		return []string{service}, errors.Join(b.Store.CountFrom(ctx, service, b.Now()), b.Store.ForgetReturns(ctx, service))
	})
}

// MergeNames moves what is in the database under another name of a service, written before the inventory listed it, to
// the service. It requires the cycle lock; cooldown.json is merged whenever it is read.
func (b *Records) MergeNames(ctx context.Context) error {
	names, err := b.Store.ServiceNames(ctx)
	for _, other := range names {
		if name := b.Inventory.NameOf(other); name != other && err == nil {
			message := fmt.Sprintf("%s is another name of %s: what was on record under it is %s's now", other, name, name)
			err = errors.Join(b.Store.MergeName(ctx, other, name), b.note(ctx, store.Info, nil, name, message))
		}
	}
	return err
}

// Unreported is the error of an act that was still in progress when its session ended.
const Unreported = "the outcome was never reported: the session ended while it was in progress"

// Adopt makes the file and the store agree at the start of a cycle, and returns the file's state, which takes
// precedence. Records that others added get an id. Sessions that a killed cycle left must be settled first.
//
// What is no longer in the file was removed by an operator, and then does not count for its incident either. If the
// last cycle was cut off, a recovery whose transaction was lost may have done it, and it still does (RULE "Incident").
func (b *Records) Adopt(ctx context.Context, cutOff bool) (adopted *statefile.State, err error) {
	err = b.UpdateState(ctx, func(st *statefile.State) error {
		acts, err := b.Store.ActsSince(ctx, b.Now().Add(-statefile.PruneAfter))
		if err != nil {
			return err
		}
		st.Tidy(b.Now())
		changed, removed := adoptRecords(st, acts)
		for _, a := range changed {
			err = errors.Join(err, b.Store.PutAct(ctx, a))
		}
		for _, a := range removed {
			err = errors.Join(err, b.Store.ClearAct(ctx, a.ID, b.Now()))
			if !cutOff {
				err = errors.Join(err, b.Store.CountFrom(ctx, a.Service, b.Now()))
			}
		}
		adopted = st
		return err
	})
	return adopted, err
}

// adoptRecords gives every record of the file a unique id, and ends those that are in progress although their session
// is gone. It returns in changed the file's version of what the store does not have, and in removed the acts that are
// no longer anywhere in the file.
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
