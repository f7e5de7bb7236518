package records

import (
	"context"
	"errors"
	"fmt"

	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// Operators and agents read and edit cooldown.json; the store's cooldown_actions keep its history. Every write goes to the file first,
// then to the store: after a crash in between, the file is ahead, and Adopt takes its content over. The file takes precedence because
// operators edit it. Agents have their own copy; only additions to it are taken over (AddFromCopy).

// Notice describes a repair of the file, to be recorded as an event. Erased means that an agent caused the damage.
type Notice struct {
	Level   store.Level
	Service string
	Message string
	Erased  bool
}

func (b *Records) file() statefile.File {
	return statefile.File{Path: statefile.Path(b.Config.StateDir), Now: b.Now, Refill: b.Recorded}
}

// Recorded returns what cooldown.json would be made of if it were corrupt or missing: the acts of the store that still count.
func (b *Records) Recorded(ctx context.Context) (*statefile.State, error) {
	st := statefile.New()
	acts, err := b.recentActs(ctx)
	for _, a := range acts {
		st.Add(a.Service, a.Action, a.Record())
	}
	return st, err
}

// recentActs returns the store's acts that may still be in a window.
func (b *Records) recentActs(ctx context.Context) ([]store.Act, error) {
	if b.Store == nil {
		return nil, nil
	}
	return b.Store.ActsSince(ctx, b.Now().Add(-statefile.PruneAfter))
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

// write changes the file, keeping one name per service, and then runs then, the related change of the database. Both happen before
// another process may change the file. It returns the repairs made on the way, even with an error.
func (b *Records) write(
	ctx context.Context, file statefile.File, change func(*statefile.State) error, then func() error,
) (found []Notice, err error) {
	var others []string
	report, err := file.Update(ctx, func(st *statefile.State) error {
		others = st.MergeNames(b.Inventory.NameOf)
		return change(st)
	}, then)
	if err == nil {
		for _, other := range others {
			found = append(found, b.merged(other))
		}
	}
	remade, untold := b.remade(ctx, report)
	return append(found, remade...), errors.Join(err, untold)
}

// change is write, and records the repairs as events.
func (b *Records) change(ctx context.Context, file statefile.File, change func(*statefile.State) error, then func() error) error {
	found, err := b.write(ctx, file, change, then)
	if b.Store == nil {
		return err
	}
	for _, n := range found {
		event := store.Event{Level: n.Level, Service: n.Service, Message: n.Message, CreatedAt: b.Now()}
		err = errors.Join(err, b.Store.AddEvent(ctx, event))
	}
	return err
}

// update changes the file, then stores the acts that change returns.
func (b *Records) update(ctx context.Context, change func(*statefile.State) ([]store.Act, error)) error {
	var changed []store.Act
	return b.change(ctx, b.file(), func(st *statefile.State) (err error) {
		changed, err = change(st)
		return err
	}, func() error {
		if len(changed) == 0 {
			return nil
		}
		return b.Together(ctx, func() error { return b.put(ctx, changed) })
	})
}

// put stores new or changed acts in the database.
func (b *Records) put(ctx context.Context, changed []store.Act) error {
	for _, a := range changed {
		if err := b.Store.PutAct(ctx, a); err != nil {
			return err
		}
	}
	return nil
}

// UpdateState changes the fields that only the file has: last_run and last_daily_digest. Other methods change remediations.
func (b *Records) UpdateState(ctx context.Context, change func(*statefile.State) error) error {
	return b.update(ctx, func(st *statefile.State) ([]store.Act, error) { return nil, change(st) })
}

// remade returns the notice of a file that was made anew, and tells people.
func (b *Records) remade(ctx context.Context, r statefile.Report) ([]Notice, error) {
	var message string
	switch {
	case r.CorruptCopy != "":
		message = "cooldown.json could not be read: it was moved to " + r.CorruptCopy + " and made anew with the records of the database that still count"
	case r.Missing:
		message = "cooldown.json was missing: it was made anew with the records of the database that still count; " +
			"`claudeops cooldown reset SERVICE` is the way to forget them"
	default:
		return nil, nil
	}
	found := []Notice{{Level: store.Warning, Message: message}}
	if b.Store == nil {
		return found, nil
	}
	return found, b.Queue(ctx, notify.CooldownRemade(message))
}

// Round runs f with cooldown.json locked and in one transaction, which is committed once the file is written. f returns the services whose
// counters it emptied; their acts no longer count. Until the transaction is committed too, those services are in the file without records
// but with the count of a recovery. By that, Adopt distinguishes an interrupted recovery from an operator's removal.
func (b *Records) Round(ctx context.Context, f func(*statefile.State) (emptied []string, err error)) error {
	var emptied []string
	file := b.file()
	file.Within = func(update func() error) error { return b.Together(ctx, update) }
	if err := b.change(ctx, file, func(st *statefile.State) (err error) {
		emptied, err = f(st)
		for _, service := range emptied {
			st.Ensure(service).ConsecutiveHealthy = statefile.HealthyToReset
		}
		return err
	}, func() error {
		for _, service := range emptied {
			if err := b.Store.ClearActs(ctx, service, b.Now()); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return err
	}
	return b.endRecoveries(ctx, emptied)
}

// endRecoveries resets the healthy counts of services that have recovered.
func (b *Records) endRecoveries(ctx context.Context, recovered []string) error {
	if len(recovered) == 0 {
		return nil
	}
	return b.UpdateState(ctx, func(st *statefile.State) error {
		for _, service := range recovered {
			st.Ensure(service).ConsecutiveHealthy = 0
		}
		return nil
	})
}

// Reset empties a service's counters for an operator. Its incident also starts anew and is no longer flapping.
func (b *Records) Reset(ctx context.Context, service string) error {
	if err := b.Round(ctx, func(st *statefile.State) ([]string, error) {
		svc := st.Ensure(service)
		svc.Restarts, svc.Redeployments, svc.ConsecutiveHealthy = nil, nil, 0
		return []string{service}, nil
	}); err != nil {
		return err
	}
	return b.Together(ctx, func() error {
		return errors.Join(b.Store.CountFrom(ctx, service, b.Now()), b.Store.ForgetReturns(ctx, service))
	})
}

// MergeNames moves records under another name of a service, written before the inventory listed it, to the service. It requires the cycle
// lock; cooldown.json is merged whenever it is read.
func (b *Records) MergeNames(ctx context.Context) (found []Notice, err error) {
	names, err := b.Store.ServiceNames(ctx)
	if err != nil {
		return nil, err
	}
	for _, other := range names {
		name := b.Inventory.NameOf(other)
		if name == other {
			continue
		}
		if err := b.Store.MergeName(ctx, other, name); err != nil {
			return nil, err
		}
		found = append(found, b.merged(other))
	}
	return found, nil
}

// merged is the notice of what was on record under another name of a service.
func (b *Records) merged(other string) Notice {
	name := b.Inventory.NameOf(other)
	return Notice{Level: store.Info, Service: name, Message: fmt.Sprintf("%s is another name of %s: what was on record under it is %s's now", other, name, name)}
}
