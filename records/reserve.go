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

// LimitError says that a remediation is not granted because a limit is reached. Its text is for the agent that wanted it.
type LimitError struct {
	Service    string
	Permission Permission // where the limits stand, without what was refused
	Wanted     string     // the command that was refused
	Tried      []string   // what was done within the window
	HumanAsked bool       // by this refusal or an earlier one of the day
}

func (e *LimitError) Error() string {
	text := e.reason()
	if e.HumanAsked {
		text += ". A human has been asked"
	}
	return text + ". Do not look for another way to the same effect: say in your handoff or last message what was tried and with what result"
}

// reason is what was refused and why.
func (e *LimitError) reason() string {
	text := fmt.Sprintf("a %s of %s%s%s", e.Permission.Action, e.Service, RefusedWords, e.Permission.used())
	if left := e.Permission.Left(); left > 0 {
		text += fmt.Sprintf(", and the command asks for more than the %d left", left)
	}
	if e.Wanted != "" {
		text += " (wanted: " + e.Wanted + ")"
	}
	if len(e.Tried) > 0 {
		text += ". Tried: " + strings.Join(e.Tried, "; ")
	}
	return text
}

// attempts are what was done to a service within the window, for a person.
func (l Limits) attempts(w Wanted) (list []string) {
	for _, r := range l.within(w.Service, w.Action) {
		what := string(w.Action)
		if r.ActionDetail != "" {
			what = r.ActionDetail
		}
		outcome := "succeeded"
		if !r.Success {
			outcome = strings.TrimSuffix("failed: "+r.Error, ": ")
		}
		list = append(list, fmt.Sprintf("%s at %s %s", what, r.Timestamp.UTC().Format(time.RFC3339), outcome))
	}
	return list[max(0, len(list)-maxTried):]
}

// within are the records of a service that count now.
func (l Limits) within(service string, action statefile.Action) (records []statefile.Record) {
	for _, r := range l.records(service, action) {
		if r.Timestamp.After(l.now.Add(-action.Window())) {
			records = append(records, r)
		}
	}
	return records
}

// maxTried bounds what a refusal lists.
const maxTried = 5

// Reserve records all of wanted as acts in progress of this session, before they run, or none of them (RULE "Reservation"). Each
// repetition counts, against the windows (SPEC-0007 REQ-4, REQ-5) and the day's ceiling.
//
// Where a limit does not permit all, the error is a *LimitError for the first that goes beyond it, and a human is asked, once. Where
// a service is held back (Hold), it is a *HeldError.
// Any other error means that nothing may run either; after one that comes between file and database, the file counts it all the same.
func (b *Records) Reserve(ctx context.Context, toolUseID string, wanted []Wanted) error {
	if len(wanted) == 0 {
		return nil
	}
	r, err := b.reservation(toolUseID, wanted)
	if err != nil {
		return err
	}
	if err := b.refuseHeld(ctx, r.Wanted); err != nil {
		return err
	}
	err = b.Ledger.Reserve(ctx, r, func(counting *statefile.State, tx *store.Tx) error {
		limits := Limits{State: counting, days: tx, ceiling: b.Config.MaxRemediationsPerDay, now: b.Trusted()}
		if err := limits.carry(ctx, tx); err != nil {
			return err
		}
		return limits.permit(ctx, r.Wanted)
	})
	var refused *LimitError
	if !errors.As(err, &refused) {
		return err
	}
	if err := b.refused(ctx, refused); err != nil {
		return errors.Join(refused, err)
	}
	refused.HumanAsked = true
	return refused
}

// reservation is what wanted comes to for this session.
func (b *Records) reservation(toolUseID string, wanted []Wanted) (Reservation, error) {
	agent := b.Config.Agent
	r := Reservation{SessionID: agent.SessionID, Tier: agent.Tier, ToolUseID: toolUseID}
	if !b.InSession() || toolUseID == "" {
		return r, errors.New("a remediation is granted to a tool use of a session only: CLAUDEOPS_SESSION_ID or the tool use's id is missing")
	}
	for _, w := range wanted {
		if fault := check.ServiceNameFault(w.Service); fault != "" {
			return r, fmt.Errorf("the name of the service: %s", fault)
		}
		if _, err := statefile.ParseAction(string(w.Action)); err != nil {
			return r, err
		}
		w.Service, w.Detail = b.Inventory.NameOf(w.Service), b.line(w.Detail)
		r.Wanted = append(r.Wanted, w)
	}
	return r, nil
}

// permit is nil where the limits let all of wanted through, one after the other.
func (l Limits) permit(ctx context.Context, wanted []Wanted) error {
	type kind struct {
		service string
		action  statefile.Action
	}
	before, ofDay := map[kind]int{}, map[string]int{} // what of wanted came already
	for _, w := range wanted {
		p, err := l.Of(ctx, w.Service, w.Action)
		if err != nil {
			return err
		}
		k := kind{w.Service, w.Action}
		if p.CountLost || p.Used+before[k] >= p.Limit || p.Ceiling > 0 && p.Today+ofDay[w.Service] >= p.Ceiling {
			return &LimitError{Service: w.Service, Permission: p, Wanted: w.Detail, Tried: l.attempts(w)}
		}
		before[k]++
		ofDay[w.Service]++
	}
	return nil
}

// Outcome completes the reservations of a tool use. No reservation is no error. What was recorded of them meanwhile stands where
// it is a failure; success and a second call change nothing then.
func (b *Records) Outcome(ctx context.Context, toolUseID string, success bool, fault string, took time.Duration) error {
	if !b.InSession() || toolUseID == "" {
		return nil
	}
	o := Outcome{Success: success, Took: took}
	if !success {
		o.Error = b.line(fault)
	}
	return b.Ledger.Complete(ctx, b.Config.Agent.SessionID, toolUseID, o)
}

// maxLine bounds what a record says of a command and of its failure, in runes.
const maxLine = 400

// line is a text as a record has it: one line without secrets.
func (b *Records) line(text string) string { return notify.Masked(text, b.Redactor.String, maxLine) }
