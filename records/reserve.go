package records

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// LimitError means that an act is refused because a limit is reached. Its text is for the agent.
type LimitError struct {
	Service    string
	Permission Permission // the use of the limits, without the refused act
	Wanted     string     // the refused command
	Tried      []string   // what was done within the window
	HumanAsked bool       // by this refusal or by an earlier one on the same day
}

func (e *LimitError) Error() string {
	text := e.reason()
	if e.HumanAsked {
		text += ". A human has been asked"
	}
	return text + ". Do not look for another way to the same effect: say in your handoff or last message what was tried and with what result"
}

// reason returns what was refused and why.
func (e *LimitError) reason() string {
	text := fmt.Sprintf("a %s of %s was refused: %s", e.Permission.Action, e.Service, e.Permission.used())
	if e.Wanted != "" {
		text += " (wanted: " + e.Wanted + ")"
	}
	if len(e.Tried) > 0 {
		text += ". Tried: " + strings.Join(e.Tried, "; ")
	}
	return text
}

// Wanted is one act to reserve.
type Wanted struct {
	Service string
	Action  statefile.Action // Restart, Redeployment or Other
	Detail  string           // the command, or the name of the operator's action
}

// Reserve records wanted as this session's act in progress, before it runs (RULE "Reservation"). It counts against the day's ceiling and,
// unless it is Other, against its window (SPEC-0007 REQ-4, REQ-5). Whether the service may be touched is asked under the lock of
// cooldown.json and in a write transaction, so a pause or another act either is seen or comes later.
//
// If a limit does not permit it, the error is a *LimitError and a human is asked, once. If the service is held back, it is a *HeldError.
// After any other error nothing may run either; if the file was written before the database failed, as the error then says, the record is
// in the file and counts.
func (b *Records) Reserve(ctx context.Context, toolUseID string, wanted Wanted) error {
	wanted, err := b.reservable(toolUseID, wanted)
	if err != nil {
		return err
	}
	agent := b.Config.Agent
	reserved := store.Act{
		ID: newID(), SessionID: &agent.SessionID, Service: wanted.Service, Action: wanted.Action, Error: store.InProgress,
		Tier: agent.Tier, Source: store.SourceReserved, ToolUseID: toolUseID, Detail: wanted.Detail,
		CreatedAt: statefile.At(b.Now()),
	}
	found, err := b.write(ctx, func(st *statefile.State) error {
		if err := b.Together(ctx, func() error { return b.permit(ctx, st, wanted) }); err != nil {
			return err
		}
		if wanted.Action != statefile.Other {
			st.Add(wanted.Service, wanted.Action, record(reserved))
		}
		return nil
	}, func() error {
		if err := b.Store.PutAct(ctx, reserved); err != nil {
			return fmt.Errorf("what was to be reserved may be in cooldown.json and count, but it is not in the database and was not granted: %w", err)
		}
		return nil
	})
	return errors.Join(b.refused(ctx, wanted, err), b.addNotices(ctx, found))
}

// Permit returns the error that Reserve would return now, and asks a human as Reserve does. It reserves nothing.
func (b *Records) Permit(ctx context.Context, toolUseID string, wanted Wanted) error {
	wanted, err := b.reservable(toolUseID, wanted)
	if err != nil {
		return err
	}
	st, err := b.State(ctx)
	if err != nil {
		return err
	}
	return b.refused(ctx, wanted, b.permit(ctx, st, wanted))
}

// reservable returns wanted with the inventory's name and without secrets, or an error if it cannot be reserved.
func (b *Records) reservable(toolUseID string, wanted Wanted) (Wanted, error) {
	if !b.InSession() || toolUseID == "" {
		return wanted, errors.New("an act is granted to a tool use of a session only: CLAUDEOPS_SESSION_ID or the tool use's id is missing")
	}
	if fault := check.ServiceNameFault(wanted.Service); fault != "" {
		return wanted, fmt.Errorf("the name of the service: %s", fault)
	}
	wanted.Service, wanted.Detail = b.Inventory.NameOf(wanted.Service), b.line(wanted.Detail)
	return wanted, nil
}

// permit returns why the act may not be done now: a *HeldError or a *LimitError; nil if it may.
func (b *Records) permit(ctx context.Context, st *statefile.State, w Wanted) error {
	session, err := b.Store.Session(ctx, b.Config.Agent.SessionID)
	if err != nil {
		return err
	}
	s, known := b.Inventory.Get(w.Service)
	if known && s.MaxTier > 0 && session.Tier > s.MaxTier && !byPerson(session) {
		return &HeldError{Service: w.Service, Hold: Hold{Reason: fmt.Sprintf("its max_tier is %d, and this is Tier %d", s.MaxTier, session.Tier)}}
	}
	b.Forget()
	hold, err := b.Hold(ctx, w.Service)
	if err != nil {
		return err
	}
	if hold.Reason != "" {
		return &HeldError{Service: w.Service, Hold: hold}
	}
	why, err := b.NotNow(ctx, w.Service)
	if err != nil {
		return err
	}
	if why != "" {
		return &HeldError{Service: w.Service, Hold: Hold{Reason: why}, ask: true}
	}
	limits, err := b.limits(ctx, st, w.Service)
	if err != nil {
		return err
	}
	p, err := limits.Of(ctx, w.Service, w.Action)
	if err != nil || p.Permitted() {
		return err
	}
	return &LimitError{Service: w.Service, Permission: p, Wanted: w.Detail, Tried: limits.attempts(w)}
}

// refused returns err. If it is a refusal, it is recorded as an event first, and a human is asked where one is needed.
func (b *Records) refused(ctx context.Context, w Wanted, err error) error {
	var limit *LimitError
	if errors.As(err, &limit) {
		if asking := b.LimitReached(ctx, limit); asking != nil {
			return errors.Join(err, asking)
		}
		limit.HumanAsked = true
		return err
	}
	var held *HeldError
	if !errors.As(err, &held) {
		return err
	}
	limits, unread := b.Limits(ctx, w.Service)
	if unread != nil {
		return errors.Join(err, unread)
	}
	unwritten := b.Together(ctx, func() error {
		session := b.Config.Agent.SessionID
		why := fmt.Sprintf("a %s of %s was refused: %s", w.Action, w.Service, held.Reason)
		event := store.Event{SessionID: &session, Level: store.Warning, Service: w.Service, CreatedAt: b.Now(), Message: why}
		if err := b.Store.AddEvent(ctx, event); err != nil || !held.ask {
			return err
		}
		ask := Ask{Cause: NotNow, Why: fmt.Sprintf("A %s was wanted and refused: %s", w.Action, held.Reason)}
		return b.requestOnce(ctx, limits, w.Service, ask)
	})
	return errors.Join(err, unwritten)
}

// Complete sets the outcome of what a tool use of this session reserved. If nothing was reserved, it does nothing and waits for no lock.
func (b *Records) Complete(ctx context.Context, toolUseID string, success bool, fault string, took time.Duration) error {
	session := b.Config.Agent.SessionID
	if session == 0 || toolUseID == "" {
		return nil
	}
	acts, err := b.Store.SessionActs(ctx, session)
	if err != nil {
		return err
	}
	for _, a := range acts {
		if a.ToolUseID != toolUseID {
			continue
		}
		a.Success, a.Error = success, ""
		if !success {
			a.Error = outcomeText(b.line(fault))
		}
		if err := b.finish(ctx, a, took); err != nil {
			return err
		}
	}
	return nil
}

// finish writes the outcome of an act, first to the file, then to the store.
func (b *Records) finish(ctx context.Context, a store.Act, took time.Duration) error {
	found, err := b.write(ctx, func(st *statefile.State) error {
		if r := recordOf(st, a); r != nil {
			r.Success, r.Error, r.DurationMS = a.Success, a.Error, took.Milliseconds()
		}
		return nil
	}, func() error { return b.Store.FinishAct(ctx, a.ID, a.Success, a.Error) })
	return errors.Join(err, b.addNotices(ctx, found))
}

// recordOf returns the record of an act; nil if the file has none.
func recordOf(st *statefile.State, a store.Act) *statefile.Record {
	records := st.Service(a.Service).Records(a.Action)
	for i := range records {
		if records[i].ID == a.ID {
			return &records[i]
		}
	}
	return nil
}

// outcomeText returns the message of a failure; it must not read like that of an act in progress.
func outcomeText(fault string) string {
	if fault == store.InProgress {
		return "failed: " + fault
	}
	return fault
}

// EndActs ends the acts that a session left in progress: an outcome that only the file has (the process was killed before it updated the
// store) is taken over, any other act has failed. It returns a notice for each of these.
func (b *Records) EndActs(ctx context.Context, session int64) (found []Notice, err error) {
	acts, err := b.Store.SessionActs(ctx, session)
	if err != nil {
		return nil, err
	}
	for _, a := range acts {
		if !a.Pending() {
			continue
		}
		st, err := b.State(ctx)
		if err != nil {
			return found, err
		}
		a.Error = Unreported
		var took time.Duration
		if r := recordOf(st, a); r != nil && store.OutcomeOf(r.Success, r.Error) != store.InProgress {
			a.Success, a.Error, took = r.Success, r.Error, time.Duration(r.DurationMS)*time.Millisecond
		} else {
			found = append(found, Notice{Level: store.Warning, Service: a.Service, Message: fmt.Sprintf("%s of %s at %s: %s; it counts as failed",
				a.Action, a.Service, a.CreatedAt.UTC().Format(time.RFC3339), Unreported)})
		}
		if err := b.finish(ctx, a, took); err != nil {
			return found, err
		}
	}
	return found, nil
}

// Done is an act that was done without the broker.
type Done struct {
	Service string
	Action  statefile.Action
	Success bool
	Error   string // why it failed
}

// Record records an act that an operator or a script has done (SPEC-0007 REQ-7), and returns the limit as it is afterwards. Inside a
// session it records nothing, because the broker has: the error says so if the session has no such act.
func (b *Records) Record(ctx context.Context, d Done) (Permission, error) {
	if err := b.refuseElsewhere([]string{d.Service}, "record it there"); err != nil {
		return Permission{}, err
	}
	err := b.recorded(ctx, d)
	if !b.InSession() {
		act := store.Act{
			ID: newID(), Service: d.Service, Action: d.Action, Success: d.Success, Source: store.SourceRecord,
			CreatedAt: statefile.At(b.Now()),
		}
		if !d.Success {
			act.Error = outcomeText(b.line(d.Error))
		}
		err = b.update(ctx, func(st *statefile.State) ([]store.Act, error) {
			st.Add(act.Service, act.Action, record(act))
			return []store.Act{act}, nil
		})
	}
	if err != nil {
		return Permission{}, err
	}
	limits, err := b.Limits(ctx, d.Service)
	if err != nil {
		return Permission{}, err
	}
	return limits.Of(ctx, d.Service, d.Action)
}

// recorded returns an error if the broker ran no such act in this session.
func (b *Records) recorded(ctx context.Context, d Done) error {
	if !b.InSession() {
		return nil
	}
	acts, err := b.Store.SessionActs(ctx, b.Config.Agent.SessionID)
	if err != nil {
		return err
	}
	for _, a := range acts {
		if a.Service == d.Service && a.Action == d.Action && !a.OnlyClaimed() {
			return nil
		}
	}
	tool := map[statefile.Action]string{statefile.Restart: "restart", statefile.Redeployment: "redeploy"}[d.Action]
	return fmt.Errorf("not recorded: claudeops ran no %s of %s in this session; the tool `%s` does it and records it", d.Action, d.Service, tool)
}

// maxLine limits the command and the error in a record, in runes.
const maxLine = 400

// line returns a text as it is recorded: one line without secrets.
func (b *Records) line(text string) string { return notify.Masked(text, b.Redactor.String, maxLine) }
