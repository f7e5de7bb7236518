package records

import (
	"context"
	"fmt"

	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// Wanted is one remediation that is to be reserved.
type Wanted struct {
	Service string
	Action  statefile.Action
	Detail  string // the command that does it
}

// Reservation is all that one tool use of a session wants to do.
type Reservation struct {
	SessionID int64
	Tier      int
	ToolUseID string
	Wanted    []Wanted
}

// Reserve records acts in progress before they are done: all that are wanted or, where permit returns an error, none. permit is
// asked with the state as it counts in the session for the services wanted, and until its answer is recorded nobody else can
// record an act. It may ask the store through tx alone.
//
// After any other error nothing is reserved either, with one exception that the error names: where the file was written and the
// database then fails, the records stand in the file and count, although nobody was granted anything.
func (l *Ledger) Reserve(ctx context.Context, r Reservation, permit func(counting *statefile.State, tx *store.Tx) error) error {
	var reserved []store.Act
	report, err := l.write(ctx, func(st *statefile.State) (err error) {
		reserved, err = l.reserve(ctx, st, r, permit)
		return err
	}, func() error {
		if err := l.put(ctx, reserved, nil, nil); err != nil {
			return fmt.Errorf("what was to be reserved is in cooldown.json and counts, but it is not in the database and was not granted: %w", err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return l.tell(ctx, notices(report))
}

// reserve adds the acts to the file's state. It asks the store in a writing transaction, so that a database that is locked or may
// not be written is found out before the file is.
func (l *Ledger) reserve(ctx context.Context, st *statefile.State, r Reservation, permit func(*statefile.State, *store.Tx) error) (acts []store.Act, err error) {
	err = l.store.Update(ctx, func(tx *store.Tx) error {
		if _, err := tx.Session(ctx, r.SessionID); err != nil {
			return err
		}
		m := l.merger(st, r.SessionID, r.Tier)
		if err := m.know(ctx, tx); err != nil {
			return err
		}
		if err := permit(st, tx); err != nil {
			return err
		}
		for _, w := range r.Wanted {
			m.reserve(r.ToolUseID, w)
		}
		acts = m.changed()
		return nil
	})
	return acts, err
}

func (m *merger) reserve(toolUseID string, w Wanted) {
	a := m.newAct(store.SourceGuard, w.Service, w.Action, m.now)
	a.Error, a.ToolUseID = store.InProgress, toolUseID
	r := a.Record()
	r.ActionDetail = w.Detail
	m.add(a, r)
}
