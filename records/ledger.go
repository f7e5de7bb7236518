package records

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// Ledger is cooldown.json and its mirror, the store's cooldown_actions. The file is what operators and agents read and edit;
// the store remembers what was in it. Every write goes to the file first, then to the store, so that a crash in between leaves
// the file ahead, which Adopt takes over.
//
// The file wins, because operators edit it; agents have a copy of their own, and only what they add to it is taken over (Take).
type Ledger struct {
	file  statefile.File
	store *store.Store
	now   func() time.Time
	// NameOf is the name of the service that a name means, so that what stands under another one is counted as the service's; nil where
	// each name means itself.
	NameOf func(string) string
}

// Notice is something the ledger had to mend, to be recorded as an event. Erased marks the work of an agent.
type Notice struct {
	Level   store.Level
	Service string
	Message string
	Erased  bool
}

// Told is one act as a source tells of it.
type Told struct {
	Service string
	Action  statefile.Action
	Success bool
	Message string // why it failed, or what was done
}

// NewLedger joins the state file in stateDir and s, which may be nil where there is no database yet and none is to be made.
func NewLedger(stateDir string, s *store.Store, now func() time.Time) *Ledger {
	l := &Ledger{store: s, now: now}
	l.file = statefile.File{Path: filepath.Join(stateDir, statefile.FileName), Now: now, Refill: l.refill}
	return l
}

// Seize is for the holder of the cycle lock: whatever an agent put in the place of the state file is set aside.
func (l *Ledger) Seize() { l.file.Seize = true }

// trusted is the time by which windows are judged, and doubted that nothing is to be dropped for its age.
func (l *Ledger) trusted() time.Time {
	if l.store == nil {
		return l.now()
	}
	return l.store.Trusted(l.now())
}

func (l *Ledger) doubted() bool { return l.store != nil && l.store.ClockDoubted(l.now()) }

// Init makes the state file where there is none (SPEC-0007 REQ-2).
func (l *Ledger) Init(ctx context.Context) error { return l.file.Init(ctx) }

// refill is what the store still knows when the file is corrupt.
func (l *Ledger) refill(ctx context.Context) (*statefile.State, error) {
	if l.store == nil {
		return statefile.New(), nil
	}
	return recordedState(ctx, l.store, l.trusted())
}

// recordedState is the state of what the store knows at now, as a corrupt cooldown.json is made anew with.
func recordedState(ctx context.Context, s *store.Store, now time.Time) (*statefile.State, error) {
	acts, err := s.ActsSince(ctx, now.Add(-statefile.PruneAfter))
	if err != nil {
		return nil, err
	}
	st := statefile.New()
	for _, a := range acts {
		st.Add(a.Service, a.Action, a.Record())
	}
	return st, nil
}

// acts are the store's that may still be in a window.
func (l *Ledger) acts(ctx context.Context) ([]store.Act, error) {
	return l.store.ActsSince(ctx, l.trusted().Add(-statefile.PruneAfter))
}

// State is cooldown.json as it stands. A corrupt file is mended by those that write; one who only looks is told.
func (l *Ledger) State(ctx context.Context) (*statefile.State, error) {
	if !l.file.Seize {
		st, err := l.file.Look()
		if err == nil {
			l.mergeNames(st)
		}
		return st, err
	}
	st, report, err := l.file.Read(ctx)
	if err != nil {
		return nil, err
	}
	l.mergeNames(st)
	return st, l.tell(ctx, notices(report))
}

// Update changes the state file alone; acts are changed by the other methods.
func (l *Ledger) Update(ctx context.Context, change func(*statefile.State) error) error {
	return l.update(ctx, func(st *statefile.State) ([]store.Act, error) { return nil, change(st) })
}

// mergeNames gives each service of the file one entry and returns a line for each other that there was.
func (l *Ledger) mergeNames(st *statefile.State) (lines []string) {
	if l.NameOf == nil {
		return nil
	}
	return st.MergeNames(l.NameOf)
}

// write is File.UpdateThen of a file in which each service has one name.
func (l *Ledger) write(ctx context.Context, change func(*statefile.State) error, then func() error) (statefile.Report, error) {
	var merged []string
	file := l.file
	file.KeepOld = file.KeepOld || l.doubted()
	report, err := file.UpdateThen(ctx, func(s *statefile.State) error {
		merged = l.mergeNames(s)
		err := change(s)
		if len(merged) > 0 && errors.Is(err, statefile.ErrUnchanged) {
			return nil
		}
		return err
	}, then)
	report.Straightened = append(report.Straightened, merged...)
	return report, err
}

// update changes the file and then the acts that change returns, both before anybody else may.
func (l *Ledger) update(ctx context.Context, change func(*statefile.State) ([]store.Act, error)) error {
	var changed []store.Act
	report, err := l.write(ctx, func(st *statefile.State) (err error) {
		changed, err = change(st)
		return err
	}, func() error { return l.put(ctx, changed, nil, nil) })
	if err != nil {
		return err
	}
	return l.tell(ctx, notices(report))
}

// tell records what was mended while a command read or wrote the file.
func (l *Ledger) tell(ctx context.Context, found []Notice) error {
	if l.store == nil {
		return nil
	}
	for _, n := range found {
		if err := l.store.AddEvent(ctx, store.Event{Level: n.Level, Service: n.Service, Message: n.Message, CreatedAt: l.now()}); err != nil {
			return err
		}
	}
	return nil
}

func notices(r statefile.Report) []Notice {
	var found []Notice
	if r.CorruptCopy != "" {
		found = append(found, Notice{Level: store.Warning, Message: "cooldown.json could not be read: it was moved to " + r.CorruptCopy +
			" and made anew with the records of the database that still count"})
	}
	return append(found, straightened(r.Straightened)...)
}

func straightened(lines []string) []Notice {
	found := make([]Notice, 0, len(lines))
	for _, line := range lines {
		found = append(found, Notice{Level: store.Warning, Message: "cooldown.json: " + line})
	}
	return found
}

// Record adds an act that has just happened (SPEC-0007 REQ-7), or completes the one of the same session that another source told
// of. session 0 is none. It returns the state that it wrote.
func (l *Ledger) Record(ctx context.Context, session int64, tier int, told Told) (*statefile.State, error) {
	var after *statefile.State
	err := l.update(ctx, func(st *statefile.State) ([]store.Act, error) {
		after = st
		m := l.merger(st, session, tier)
		if session != 0 {
			if err := m.know(ctx, l.store); err != nil {
				return nil, err
			}
		}
		m.tell(store.SourceRecord, told)
		return m.changed(), nil
	})
	return after, err
}

// put mirrors a change of the file: acts that are new or changed, and acts that count no longer, because an operator removed them or,
// of the services in recovered, by a recovery.
func (l *Ledger) put(ctx context.Context, changed, cleared []store.Act, recovered []string) error {
	if len(changed)+len(cleared) == 0 {
		return nil
	}
	return l.store.Update(ctx, func(tx *store.Tx) error {
		for _, a := range changed {
			if err := tx.PutAct(ctx, a); err != nil {
				return err
			}
		}
		for _, a := range cleared {
			if err := tx.ClearAct(ctx, a.ID, l.now()); err != nil {
				return err
			}
			if slices.Contains(recovered, a.Service) {
				continue
			}
			if err := tx.CountFrom(ctx, a.Service, l.now()); err != nil {
				return err
			}
		}
		return nil
	})
}

// Clear changes the state file, and has the acts of the services that change returns, whose counters it emptied, count no longer. Until
// the store has that too, those services stand in the file with no records and the count of a recovery, by which Adopt tells what a kill
// left half done from what an operator removed.
func (l *Ledger) Clear(ctx context.Context, change func(*statefile.State) (emptied []string)) error {
	var emptied []string
	report, err := l.write(ctx, func(st *statefile.State) error {
		emptied = change(st)
		for _, service := range emptied {
			st.Ensure(service).ConsecutiveHealthy = statefile.HealthyToReset
		}
		return nil
	}, func() error {
		return l.store.Update(ctx, func(tx *store.Tx) error {
			for _, service := range emptied {
				if err := tx.ClearActs(ctx, service, l.now()); err != nil {
					return err
				}
			}
			return nil
		})
	})
	if err != nil {
		return err
	}
	if err := l.tell(ctx, notices(report)); err != nil || len(emptied) == 0 {
		return err
	}
	_, err = l.endRecoveries(ctx, emptied)
	return err
}

// endRecoveries sets back the counts of services that have recovered, and returns the state that it wrote.
func (l *Ledger) endRecoveries(ctx context.Context, recovered []string) (after *statefile.State, err error) {
	err = l.Update(ctx, func(st *statefile.State) error {
		after = st
		for _, service := range recovered {
			st.Ensure(service).ConsecutiveHealthy = 0
		}
		return nil
	})
	return after, err
}

// Reset empties a service's counters for an operator: its incident, too, begins anew, and is not flapping.
func (l *Ledger) Reset(ctx context.Context, service string) error {
	if err := l.Clear(ctx, func(st *statefile.State) []string {
		svc := st.Ensure(service)
		svc.Restarts, svc.Redeployments, svc.ConsecutiveHealthy = nil, nil, 0
		return []string{service}
	}); err != nil {
		return err
	}
	return l.store.Update(ctx, func(tx *store.Tx) error {
		return errors.Join(tx.CountFrom(ctx, service, l.now()), tx.ForgetReturns(ctx, service))
	})
}

// Adopted is the state file at the start of a cycle.
type Adopted struct {
	State   *statefile.State
	Notices []Notice
}

// Adopt makes the file and the store agree at the start of a cycle. The file wins, because operators edit it. Records of others
// get an id, by which they are known from then on. Sessions that a killed cycle left are to be settled first.
func (l *Ledger) Adopt(ctx context.Context) (Adopted, error) {
	if err := l.file.Init(ctx); err != nil {
		return Adopted{}, err
	}
	var a Adopted
	var changed, cleared []store.Act
	var recovered []string
	report, err := l.write(ctx, func(st *statefile.State) error {
		acts, err := l.acts(ctx)
		if err != nil {
			return err
		}
		a.State, a.Notices = st, straightened(st.Straighten(l.now()))
		mended, all := nameRecords(st), countRecords(st)
		mended = closeRecords(st) || mended
		if !l.doubted() {
			st.Prune(l.now())
		}
		changed, cleared = adoptRecords(st, acts)
		recovered = recoveries(st)
		if !mended && len(a.Notices) == 0 && countRecords(st) == all {
			return statefile.ErrUnchanged
		}
		return nil
	}, func() error { return l.put(ctx, changed, cleared, recovered) })
	a.Notices = append(notices(report), a.Notices...)
	if err == nil && len(recovered) > 0 {
		a.State, err = l.endRecoveries(ctx, recovered)
	}
	return a, err
}

// MergeNames gives the records of each service its name by NameOf: those that were written under another name of it, before the inventory
// said so. It is for the holder of the cycle lock; cooldown.json is merged whenever it is read.
func (l *Ledger) MergeNames(ctx context.Context) (found []Notice, err error) {
	names, err := l.store.AllNames(ctx)
	if err != nil {
		return nil, err
	}
	for _, other := range names {
		name := l.NameOf(other)
		if name == other {
			continue
		}
		if err := l.store.Update(ctx, func(tx *store.Tx) error { return tx.MergeName(ctx, other, name) }); err != nil {
			return nil, err
		}
		found = append(found, Notice{Level: store.Info, Service: name, Message: fmt.Sprintf("%s is another name of %s: what was on record under it is %s's now", other, name, name)})
	}
	return found, nil
}

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

// Settlement is what is known of a session when its agent has ended.
type Settlement struct {
	SessionID int64
	Tier      int
	Markers   []Told // without secrets
	// Healthy is how many cycles each service had been healthy before the session, where that is none of the agent's business (only
	// Tier 1 counts); nil leaves what the file has.
	Healthy map[string]int
	// Tell tells people what is about to be mended: before it is, since afterwards nobody would find anything to tell. Where the process
	// dies in between, the same is told again. Nil tells nobody.
	Tell func([]Notice) error
}

// Settle ends what a session has in the file and the store: its markers are merged with what is known, each act counting once, but for
// those of Tier 1, which remediates nothing; a reservation whose outcome nobody told is a failure from now on. What was removed from the file
// meanwhile an operator removed, which Adopt takes over. It returns what s.Tell was not given.
func (l *Ledger) Settle(ctx context.Context, s Settlement) ([]Notice, error) {
	var found []Notice
	var changed []store.Act
	report, err := l.write(ctx, func(st *statefile.State) error {
		m := l.merger(st, s.SessionID, s.Tier)
		if err := m.know(ctx, l.store); err != nil {
			return err
		}
		same := true
		for name, svc := range st.Services {
			if s.Healthy != nil && svc.ConsecutiveHealthy != s.Healthy[name] {
				svc.ConsecutiveHealthy, same = s.Healthy[name], false
			}
		}
		if s.Tier == 1 {
			var told []statefile.Entry
			for _, marker := range s.Markers {
				told = append(told, statefile.Entry{Service: marker.Service, Action: marker.Action})
			}
			found = notCounted(told)
		} else {
			m.tellMarkers(s.Markers)
		}
		found = append(found, m.closeUnreported()...)
		if changed = m.changed(); same && len(changed) == 0 {
			return statefile.ErrUnchanged
		}
		if s.Tell == nil || len(found) == 0 {
			return nil
		}
		told := found
		found = nil
		return s.Tell(told)
	}, func() error { return l.put(ctx, changed, nil, nil) })
	return append(notices(report), found...), err
}
