// Package records is the records in a state directory: what a cycle writes, and what the commands write that its agents call.
//
// It hides that there are two of them, cooldown.json and the database, and puts them into words: how often something may still be
// done to a service, what is reserved before it is done, what a report makes of a handoff, and when a human is asked. What it
// promises: no remediation is granted beyond a limit, whoever asks at the same time.
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
	// Inventory is for what holds a service back; nil is that of an operator who has none.
	Inventory *inventory.Inventory
	Store     *store.Store // nil after Open with store.ReadOnly where there is no database yet
	Ledger    *Ledger
	Healed    string // what people were told of the damage that Open found with store.Migrate; empty where there was none

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
		err = nil
	}
	if err != nil {
		return nil, err
	}
	if b.Store != nil {
		b.Store.Now = now
		if err := b.Store.ReadClock(ctx); err != nil {
			return nil, errors.Join(err, b.Store.Close())
		}
	}
	b.Ledger = NewLedger(c.StateDir, b.Store, now)
	b.Ledger.NameOf = func(name string) string { return b.Inventory.NameOf(name) } // it is given to the records later
	return b, nil
}

// Close closes the database.
func (b *Records) Close() error {
	if b.Store == nil {
		return nil
	}
	return b.Store.Close()
}

// Together makes one transaction of all that f does with these records but for the Ledger, which f must leave alone: it has a transaction of
// its own. A fact and the message about it are so written both or not at all.
func (b *Records) Together(ctx context.Context, f func() error) error {
	outside := b.Store
	defer func() { b.Store = outside }()
	return outside.Together(ctx, func(tx *store.Store) error {
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

// refuseTier1 is an error where Tier 1 wants to record an act: it remediates nothing, so none of its records count. That it wanted to is
// an event.
func (b *Records) refuseTier1(ctx context.Context, told Told) error {
	session, err := b.Store.Session(ctx, b.Config.Agent.SessionID)
	if err != nil || session.Tier != 1 {
		return err
	}
	if err := b.Store.AddEvent(ctx, store.Event{
		SessionID: &session.ID, Level: store.Warning, Service: told.Service, CreatedAt: b.Now(), Message: NotCounted(1, told.Service, told.Action),
	}); err != nil {
		return err
	}
	return errors.New("not recorded: Tier 1 remediates nothing; say what you found with `claudeops report`")
}

// Record records an act of the agent that called, or of an operator, and returns where its limit stands then.
func (b *Records) Record(ctx context.Context, told Told) (Permission, error) {
	if err := b.refuseElsewhere([]string{told.Service}, "record it there"); err != nil {
		return Permission{}, err
	}
	told.Message = b.Redactor.String(told.Message)
	agent := b.Config.Agent
	if b.InSession() {
		if err := b.refuseTier1(ctx, told); err != nil {
			return Permission{}, err
		}
	}
	st, err := b.Ledger.Record(ctx, agent.SessionID, agent.Tier, told)
	if err != nil {
		return Permission{}, err
	}
	limits, err := b.limits(ctx, st, told.Service)
	if err != nil {
		return Permission{}, err
	}
	return limits.Of(ctx, told.Service, told.Action)
}
