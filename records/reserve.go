package records

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// Wanted is one act to reserve.
type Wanted struct {
	Service string
	Action  statefile.Action // Restart, Redeployment or Other
	Detail  string           // the command, or the name of the operator's action
}

// Reserve records wanted as this session's act in progress, before it runs (RULE "Reservation"). It counts against the day's ceiling and,
// unless it is Other, against its window (SPEC-0007 REQ-4, REQ-5).
//
// may answers whether the act may be done now, for cooldown.json as it is given, and the database as b.Store then is. It is asked under the
// lock of cooldown.json and in a write transaction, so that a pause or another act either is seen or comes later. Its error is returned as
// it is. After any error nothing may run; if the file was written before the database failed, as the error then says, the record is in the
// file and counts.
func (b *Records) Reserve(ctx context.Context, toolUseID string, wanted Wanted, may func(*statefile.State) error) error {
	if !b.InSession() || toolUseID == "" {
		return errors.New("an act is granted to a tool use of a session only: CLAUDEOPS_SESSION_ID or the tool use's id is missing")
	}
	if fault := check.ServiceNameFault(wanted.Service); fault != "" {
		return fmt.Errorf("the name of the service: %s", fault)
	}
	wanted.Service, wanted.Detail = b.Inventory.NameOf(wanted.Service), b.line(wanted.Detail)
	agent := b.Config.Agent
	reserved := store.Act{
		ID: newID(), SessionID: &agent.SessionID, Service: wanted.Service, Action: wanted.Action, Error: store.InProgress,
		Tier: agent.Tier, Source: store.SourceReserved, ToolUseID: toolUseID, Detail: wanted.Detail,
		CreatedAt: statefile.At(b.Now()),
	}
	return b.change(ctx, b.file(), func(st *statefile.State) error {
		if err := cmp.Or(ctx.Err(), b.Together(ctx, func() error { return may(st) })); err != nil {
			return err
		}
		if wanted.Action != statefile.Other {
			st.Add(wanted.Service, wanted.Action, reserved.Record())
		}
		return nil
	}, func() error {
		if err := b.Store.PutAct(ctx, reserved); err != nil {
			return fmt.Errorf("what was to be reserved may be in cooldown.json and count, but it is not in the database and was not granted: %w", err)
		}
		return nil
	})
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
	return b.change(ctx, b.file(), func(st *statefile.State) error {
		if r := recordOf(st, place{a.Service, a.Action}, a.ID); r != nil {
			r.Success, r.Error, r.DurationMS = a.Success, a.Error, took.Milliseconds()
		}
		return nil
	}, func() error { return b.Store.FinishAct(ctx, a.ID, a.Success, a.Error) })
}

// recordOf returns the record with an id; nil if the file has none.
func recordOf(st *statefile.State, at place, id string) *statefile.Record {
	records := st.Service(at.service).Records(at.action)
	i := slices.IndexFunc(records, func(r statefile.Record) bool { return id != "" && r.ID == id })
	if i < 0 {
		return nil
	}
	return &records[i]
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
		if r := recordOf(st, place{a.Service, a.Action}, a.ID); r != nil && store.OutcomeOf(r.Success, r.Error) != store.InProgress {
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

// Record records an act that an operator or a script has done (SPEC-0007 REQ-7). Inside a session it records nothing, because the broker
// has: the error says so if the session has no such act.
func (b *Records) Record(ctx context.Context, d Done) error {
	if err := b.Inventory.Foreign([]string{d.Service}, "record it there"); err != nil {
		return err
	}
	if b.InSession() {
		acts, err := b.Store.SessionActs(ctx, b.Config.Agent.SessionID)
		for _, a := range acts {
			if a.Service == d.Service && a.Action == d.Action && !a.OnlyClaimed() {
				return nil
			}
		}
		if err != nil {
			return err
		}
		tool := map[statefile.Action]string{statefile.Restart: "restart", statefile.Redeployment: "redeploy"}[d.Action]
		return fmt.Errorf("not recorded: claudeops ran no %s of %s in this session; the tool `%s` does it and records it", d.Action, d.Service, tool)
	}
	act := store.Act{
		ID: newID(), Service: d.Service, Action: d.Action, Success: d.Success, Source: store.SourceRecord, CreatedAt: statefile.At(b.Now()),
	}
	if !d.Success {
		act.Error = outcomeText(b.line(d.Error))
	}
	return b.update(ctx, func(st *statefile.State) ([]store.Act, error) {
		st.Add(act.Service, act.Action, act.Record())
		return []store.Act{act}, nil
	})
}

// maxLine limits the command and the error in a record, in runes.
const maxLine = 400

// line returns a text as it is recorded: one line without secrets.
func (b *Records) line(text string) string { return notify.Masked(text, b.Redactor.String, maxLine) }
