package store

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/claudeops/claudeops/statefile"
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
func (l *Ledger) Reserve(ctx context.Context, r Reservation, permit func(counting *statefile.State, tx *Tx) error) error {
	var reserved []Act
	report, err := l.sparing().write(ctx, func(st *statefile.State) (err error) {
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
func (l *Ledger) reserve(ctx context.Context, st *statefile.State, r Reservation, permit func(*statefile.State, *Tx) error) (acts []Act, err error) {
	err = l.store.Update(ctx, func(tx *Tx) error {
		if _, err := tx.Session(ctx, r.SessionID); err != nil {
			return err
		}
		m := l.merger(st, Settlement{SessionID: r.SessionID, Tier: r.Tier})
		if err := l.catchUp(ctx, tx.queries, m, r.services()...); err != nil {
			return err
		}
		if err := permit(m.counted(), tx); err != nil {
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

// services are what is wanted something of, each once.
func (r Reservation) services() (names []string) {
	for _, w := range r.Wanted {
		if !slices.Contains(names, w.Service) {
			names = append(names, w.Service)
		}
	}
	return names
}

func (m *merger) reserve(toolUseID string, w Wanted) {
	a := m.newAct(SourceGuard, w.Service, w.Action, m.now)
	a.Error, a.ToolUseID = InProgress, toolUseID
	r := a.Record()
	r.ActionDetail = w.Detail
	m.add(a, r)
}

// counted is the state as it counts in the session: each record that is missing, older or altered in the file as it was, and
// records that the agent added only so far as they tell of more acts than are known (the n-th of each source is the same act).
func (m *merger) counted() *statefile.State {
	all := *m.st
	all.Services = maps.Clone(m.st.Services)
	if all.Services == nil {
		all.Services = map[string]*statefile.Service{}
	}
	for at, kept := range byPlace(m.kept) {
		is := *all.Service(at.service)
		is.SetRecords(at.action, statefile.Union(m.withoutTold(at), kept))
		all.Services[at.service] = &is
	}
	return &all
}

// withoutTold are the records at a place less those that the agent added to tell of acts that are known. One that is dated before
// the session may be an operator's, and counts for itself until the session is settled.
func (m *merger) withoutTold(at place) []statefile.Record {
	left := 0
	for _, a := range m.acts {
		if at == (place{a.Service, a.Action}) && !a.toldBy(SourceFile) {
			left++
		}
	}
	return slices.DeleteFunc(slices.Clone(m.st.Service(at.service).Records(at.action)), func(r statefile.Record) bool {
		if m.known[r.ID] != nil || left == 0 || m.before(r) && !r.Timestamp.Unreadable() {
			return false
		}
		left--
		return true
	})
}
