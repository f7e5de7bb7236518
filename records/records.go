// Package records is what commands and cycles write together in a state directory: cooldown.json and the database, each operation on
// both as one. It promises that no remediation is granted beyond a limit, however many processes ask at the same time.
//
// How a restart is counted, from the broker's call to the page:
//
//  1. Reserve (reserve.go) is called before the restart runs. Under the lock of cooldown.json, and within a transaction of the database,
//     it counts what was done to the service (Limits) and grants or refuses. What it grants it adds as a failure "in progress": to the
//     file first, then to the database (write, put). A refusal is a *LimitError, and a human is asked (attention.go).
//  2. Complete (reserve.go) gives the record its outcome by the exit status of the program.
//  3. Claims of the same restart, by `cooldown record`, by an agent's copy of cooldown.json or by a marker in its last message, complete
//     the same record (Record, TakeCopy, Settle; merge.go says which one). Settle ends what has no reported outcome.
//  4. Clear empties the counters of a service that has recovered, Reset those that an operator names; Adopt begins a cycle with what
//     operators have edited.
//  5. The pages and `cooldown show` read the same Limits, and the rows of store.Act.
package records

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/internal/mask"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/store"
)

// Records are the records of one state directory, as one command or cycle has them open.
type Records struct {
	Config   config.Config
	Redactor *mask.Redactor
	Now      func() time.Time
	// Inventory knows the names of services and what holds them back; nil is that of an operator who has none.
	Inventory *inventory.Inventory
	Store     *store.Store // nil after Open with store.ReadOnly where there is no database yet
	// Seize is for the holder of the cycle lock: whatever an agent has put in the place of cooldown.json is set aside.
	Seize  bool
	Healed string // what the message says of the damage that Open found with store.Migrate; empty where there was none

	statuses map[string]check.Status  // of services, as they were asked for
	roots    map[unwellService]string // names of services, as they were asked for
	silences map[string]store.Silence // the active ones by service, "" being a pause; nil until one was asked for
}

// Open opens the records for a command. With store.ReadOnly a database that does not exist yet is no error; with store.Migrate, which is a
// cycle's, a damaged one is made anew.
func Open(ctx context.Context, c config.Config, r *mask.Redactor, now func() time.Time, mode store.Mode) (*Records, error) {
	b := &Records{Config: c, Redactor: r, Now: now}
	var err error
	b.Store, err = store.Open(ctx, b.database(), mode)
	var damage *store.DamageError
	if mode == store.Migrate && errors.As(err, &damage) {
		if b.Healed, err = Heal(ctx, c, r, now, damage); err != nil {
			return nil, err
		}
		b.Store, err = store.Open(ctx, b.database(), mode)
	}
	if mode == store.ReadOnly && errors.Is(err, fs.ErrNotExist) {
		return b, nil
	}
	if err != nil {
		return nil, err
	}
	b.Store.Now = now
	if err := b.Store.ReadClock(ctx); err != nil {
		return nil, errors.Join(err, b.Store.Close())
	}
	return b, nil
}

// Close closes the database.
func (b *Records) Close() error {
	if b.Store == nil {
		return nil
	}
	return b.Store.Close()
}

// Together makes one transaction of all that f does with these records: a fact and the message about it are written both or not at all.
// f leaves cooldown.json alone, which no transaction can undo.
func (b *Records) Together(ctx context.Context, f func() error) error {
	outside := b.Store
	defer func() { b.Store = outside }()
	return outside.Update(ctx, func(tx *store.Store) error {
		b.Store = tx
		return f()
	})
}

// Trusted is Now as windows and waits are judged by it: what has passed for certain, while the clock is doubted.
func (b *Records) Trusted() time.Time {
	if b.Store == nil {
		return b.Now()
	}
	return b.Store.Trusted(b.Now())
}

// ClockDoubt says of a clock that is doubted what that means.
func ClockDoubt(now, trusted time.Time) string {
	return fmt.Sprintf("it says %s, but by the kernel's boot clock it cannot be later than %s. Until it is trusted again nothing is pruned and no limit is freed. "+
		"That takes two cycles more than an hour apart that agree; after a reboot, an hour, or that it is synchronised. Check the machine's time service",
		text.Moment(now), text.Moment(trusted))
}

// InSession reports whether an agent called the command.
func (b *Records) InSession() bool { return b.Config.Agent.SessionID != 0 }
