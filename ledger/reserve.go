package ledger

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// Reserve records an act as this session's, in progress, before it runs (RULE "Reservation"). Of wanted it takes
// service, action and detail. The act counts against the day's ceiling and, unless its action is Other, against its
// window (SPEC-0007 REQ-4, REQ-5).
//
// may answers whether the act may be done, for cooldown.json as it is given and the database as b.Store then is, under
// the lock of the file and in a write transaction: a pause or another act is seen, or comes later. Its error is
// returned as it is. After any error nothing may run; if the database failed after the file was written, the record is
// in the file and counts.
func (b *Records) Reserve(ctx context.Context, toolUseID string, wanted store.Act, may func(*statefile.State) error) error {
	if fault := check.ServiceNameFault(wanted.Service); fault != "" {
		return fmt.Errorf("the name of the service: %s", fault)
	}
	agent := b.Config.Agent
	reserved := store.Act{
		ID: newID(), SessionID: &agent.SessionID, Service: b.Inventory.NameOf(wanted.Service), Action: wanted.Action,
		Error: store.InProgress, Tier: agent.Tier, Source: store.SourceReserved, ToolUseID: toolUseID,
		Detail: b.line(wanted.Detail), CreatedAt: statefile.At(b.Now()),
	}
	return b.UpdateState(ctx, func(st *statefile.State) error {
		if ctx.Err() != nil { // nobody waits for it any more
			return context.Cause(ctx)
		}
		if err := may(st); err != nil {
			return err
		}
		if reserved.Action != statefile.Other {
			st.Add(reserved.Service, reserved.Action, reserved.Record())
		}
		return b.Store.PutAct(ctx, reserved)
	})
}

// Complete sets the outcome of what a tool use of this session reserved: a success if there is no fault. If nothing was
// reserved, it does nothing and waits for no lock.
func (b *Records) Complete(ctx context.Context, toolUseID, fault string, took time.Duration) error {
	acts, err := b.Store.SessionActs(ctx, b.Config.Agent.SessionID)
	if err != nil {
		return err
	}
	for _, a := range acts {
		if a.ToolUseID != toolUseID {
			continue
		}
		if err := b.finish(ctx, &a, func(r *statefile.Record) {
			r.Success, r.Error, r.DurationMS = fault == "", b.line(fault), took.Milliseconds()
		}); err != nil {
			return err
		}
	}
	return nil
}

// EndActs ends the acts that a session left in progress: an outcome that only the file has (the process was killed before it updated the
// store) is taken over, any other act has failed, and that is an event.
func (b *Records) EndActs(ctx context.Context, session int64) error {
	acts, err := b.Store.SessionActs(ctx, session)
	if err != nil {
		return err
	}
	for _, a := range acts {
		if !a.Pending() {
			continue
		}
		if err := b.finish(ctx, &a, endUnreported); err != nil {
			return err
		}
		if a.Error == Unreported {
			at := a.CreatedAt.UTC().Format(time.RFC3339)
			message := fmt.Sprintf("%s of %s at %s: %s; it counts as failed", a.Action, a.Service, at, Unreported)
			err = errors.Join(err, b.note(ctx, store.Warning, &session, a.Service, message))
		}
	}
	return err
}

// finish sets the outcome of an act, in the file and in the database, by what end makes of its record.
func (b *Records) finish(ctx context.Context, a *store.Act, end func(*statefile.Record)) error {
	return b.UpdateState(ctx, func(st *statefile.State) error {
		r := new(a.Record()) // the file has none of an action that the operator named
		records := st.Service(a.Service).Records(a.Action)
		for i := range records {
			if records[i].ID == a.ID {
				r = &records[i]
			}
		}
		end(r)
		a.Success, a.Error = r.Success, r.Error
		return b.Store.FinishAct(ctx, a.ID, a.Success, a.Error)
	})
}

// endUnreported ends a record that is still in progress.
func endUnreported(r *statefile.Record) {
	if store.OutcomeOf(r.Success, r.Error) == store.InProgress {
		r.Error = Unreported
	}
}

// Record records an act that an operator or a script has done (SPEC-0007 REQ-7). Inside a session it records nothing, because the broker
// has: the error says so if the session has no such act. Of done it takes service, action and outcome.
func (b *Records) Record(ctx context.Context, done store.Act) error {
	if err := b.Inventory.Foreign([]string{done.Service}, "record it there"); err != nil {
		return err
	}
	if b.InSession() {
		acts, err := b.Store.SessionActs(ctx, b.Config.Agent.SessionID)
		for _, a := range acts {
			if a.Service == done.Service && a.Action == done.Action && !a.OnlyClaimed() {
				return nil
			}
		}
		if err != nil {
			return err
		}
		tool := map[statefile.Action]string{statefile.Restart: "restart", statefile.Redeployment: "redeploy"}[done.Action]
		return fmt.Errorf("not recorded: claudeops ran no %s of %s in this session; the tool `%s` does it and records it",
			done.Action, done.Service, tool)
	}
	done.ID, done.Source, done.CreatedAt, done.Error = newID(), store.SourceRecord, statefile.At(b.Now()), b.line(done.Error)
	if done.Success {
		done.Error = ""
	}
	return b.UpdateState(ctx, func(st *statefile.State) error {
		st.Add(done.Service, done.Action, done.Record())
		return b.Store.PutAct(ctx, done)
	})
}

// maxLine limits the command and the error in a record, in runes.
const maxLine = 400

// line returns a text as it is recorded: one line without secrets.
func (b *Records) line(text string) string { return notify.Masked(text, b.Redactor.String, maxLine) }
