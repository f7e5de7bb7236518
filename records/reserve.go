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

// LimitError means that a remediation is refused because a limit is reached. Its text is for the agent.
type LimitError struct {
	Service    string
	Permission Permission // the use of the limits, without the refused remediation
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

// Wanted is one remediation to reserve.
type Wanted struct {
	Service string
	Action  statefile.Action
	Detail  string // the command
}

// Reserve records all of wanted as this session's acts in progress before they run, or none of them (RULE "Reservation"). Each repetition
// counts against the windows (SPEC-0007 REQ-4, REQ-5) and the day's ceiling. Meanwhile no other process can record an act.
//
// If a limit does not permit all of them, the error is a *LimitError for the first one beyond it, and a human is asked, once. If a
// service is held back (Hold), it is a *HeldError. After any other error nothing may run either; if the file was written before the
// database failed, as the error then says, the records are in the file and count.
func (b *Records) Reserve(ctx context.Context, toolUseID string, wanted []Wanted) error {
	if len(wanted) == 0 {
		return nil
	}
	wanted, err := b.reservable(toolUseID, wanted)
	if err != nil {
		return err
	}
	if err := b.refuseHeld(ctx, wanted); err != nil {
		return err
	}
	var reserved []store.Act
	found, err := b.write(ctx, func(st *statefile.State) error {
		return b.Together(ctx, func() (err error) { // a write transaction: a locked database is noticed before the file changes
			reserved, err = b.reserve(ctx, st, toolUseID, wanted)
			return err
		})
	}, func() error {
		if err := b.put(ctx, reserved); err != nil {
			return fmt.Errorf("what was to be reserved is in cooldown.json and counts, but it is not in the database and was not granted: %w", err)
		}
		return nil
	})
	return b.askAtLimit(ctx, errors.Join(err, b.addNotices(ctx, found)))
}

// askAtLimit returns err. If it is a *LimitError, a human is asked first, and it says so.
func (b *Records) askAtLimit(ctx context.Context, err error) error {
	var limit *LimitError
	if !errors.As(err, &limit) {
		return err
	}
	if asking := b.LimitReached(ctx, limit); asking != nil {
		return errors.Join(err, asking)
	}
	limit.HumanAsked = true
	return err
}

// Permit returns the error that Reserve would return now for a hold or a limit, and asks a human as Reserve does. It reserves nothing.
func (b *Records) Permit(ctx context.Context, toolUseID string, wanted []Wanted) error {
	wanted, err := b.reservable(toolUseID, wanted)
	if err != nil {
		return err
	}
	if err := b.refuseHeld(ctx, wanted); err != nil {
		return err
	}
	limits, err := b.Limits(ctx)
	if err != nil {
		return err
	}
	return b.askAtLimit(ctx, limits.permit(ctx, wanted))
}

// reservable returns wanted with inventory names and without secrets, or an error if no limit applies to it.
func (b *Records) reservable(toolUseID string, wanted []Wanted) (all []Wanted, err error) {
	if !b.InSession() || toolUseID == "" {
		return nil, errors.New("a remediation is granted to a tool use of a session only: CLAUDEOPS_SESSION_ID or the tool use's id is missing")
	}
	for _, w := range wanted {
		if fault := check.ServiceNameFault(w.Service); fault != "" {
			return nil, fmt.Errorf("the name of the service: %s", fault)
		}
		if _, err := statefile.ParseAction(string(w.Action)); err != nil {
			return nil, err
		}
		w.Service, w.Detail = b.Inventory.NameOf(w.Service), b.line(w.Detail)
		all = append(all, w)
	}
	return all, nil
}

// reserve adds what the limits permit to the file's state, and returns it for the database.
func (b *Records) reserve(ctx context.Context, st *statefile.State, toolUseID string, wanted []Wanted) ([]store.Act, error) {
	agent := b.Config.Agent
	if _, err := b.Store.Session(ctx, agent.SessionID); err != nil {
		return nil, err
	}
	m, err := b.merger(ctx, st, agent.SessionID, agent.Tier)
	if err != nil {
		return nil, err
	}
	limits, err := b.limits(ctx, st)
	if err != nil {
		return nil, err
	}
	if err := limits.permit(ctx, wanted); err != nil {
		return nil, err
	}
	for _, w := range wanted {
		m.reserve(toolUseID, w)
	}
	return m.changed(), nil
}

// permit returns nil if the limits permit all of wanted, one after the other.
func (l Limits) permit(ctx context.Context, wanted []Wanted) error {
	before, ofDay := map[place]int{}, map[string]int{} // counts of the earlier entries of wanted
	for _, w := range wanted {
		p, err := l.Of(ctx, w.Service, w.Action)
		if err != nil {
			return err
		}
		k := place{w.Service, w.Action}
		if p.CountLost || p.Used+before[k] >= p.Limit || p.Ceiling > 0 && p.Today+ofDay[w.Service] >= p.Ceiling {
			return &LimitError{Service: w.Service, Permission: p, Wanted: w.Detail, Tried: l.attempts(w)}
		}
		before[k]++
		ofDay[w.Service]++
	}
	return nil
}

// Complete sets the outcome of what a tool use of this session reserved. A failure that another source has claimed meanwhile stays a
// failure. If nothing was reserved, it does nothing and waits for no lock.
func (b *Records) Complete(ctx context.Context, toolUseID string, success bool, fault string, took time.Duration) error {
	session := b.Config.Agent.SessionID
	if session == 0 || toolUseID == "" {
		return nil
	}
	reserved, err := b.Store.ToolUseActs(ctx, session, toolUseID)
	if err != nil || len(reserved) == 0 {
		return err
	}
	if !success {
		fault = outcomeText(false, b.line(fault))
	}
	return b.update(ctx, func(st *statefile.State) ([]store.Act, error) {
		m, err := b.merger(ctx, st, session, 0)
		if err != nil {
			return nil, err
		}
		for _, a := range m.acts {
			if a.ToolUseID != toolUseID {
				continue
			}
			m.finish(a, success, fault)
			if r := m.record(a); r != nil && took > 0 {
				r.DurationMS = took.Milliseconds()
			}
		}
		return m.changed(), nil
	})
}

// maxLine limits the command and the error in a record, in runes.
const maxLine = 400

// line returns a text as it is recorded: one line without secrets.
func (b *Records) line(text string) string { return notify.Masked(text, b.Redactor.String, maxLine) }
