package cycle

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/claudeops/claudeops/broker"
	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/statefile"
)

// reservations gives a session's broker access to its records, one call at a time. The steps of one remediation (stop and start, pull and
// up) arrive as separate calls: the last step belongs to the act that the first one reserved. `part` in the policy defines the steps;
// guard.joinSteps joins those within one call.
type reservations struct {
	mu      sync.Mutex
	records *records.Records
	begun   map[remediated]string // ID of the call that took the first step
	joined  map[string][]string   // from the call of the last steps to the calls of their first steps
}

// remediated identifies a remediation by service and action.
type remediated struct {
	service string
	action  statefile.Action
}

func newReservations(b *records.Records) *reservations {
	return &reservations{records: b, begun: map[remediated]string{}, joined: map[string][]string{}}
}

// Reserve joins last steps to the reservation of their first step, and reserves the rest. If that is refused, nothing is joined.
func (r *reservations) Reserve(ctx context.Context, id string, wanted []guard.Remediation) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	var acts []records.Wanted
	var begins []remediated
	ends := map[remediated]string{}
	for _, w := range wanted {
		what := remediated{w.Service, w.Action}
		first, begun := r.begun[what]
		if _, again := ends[what]; begun && !again && w.Part == "last" {
			ends[what] = first
			continue
		}
		if w.Part == "first" {
			begins = append(begins, what)
		}
		acts = append(acts, wantedBy(w))
	}
	for _, act := range acts {
		if err := r.records.Reserve(ctx, id, act); err != nil {
			return errors.Join(asRefusal(err), r.records.Complete(ctx, id, false, "not run: another act of the same call was refused", 0))
		}
	}
	for what, first := range ends {
		r.joined[id] = append(r.joined[id], first)
		delete(r.begun, what)
	}
	for _, what := range begins {
		r.begun[what] = id
	}
	return nil
}

func wantedBy(r guard.Remediation) records.Wanted {
	return records.Wanted{Service: r.Service, Action: r.Action, Detail: r.Detail}
}

// permit returns why Reserve would refuse remediations now; nil if it would not.
func (r *reservations) permit(ctx context.Context, id string, wanted []guard.Remediation) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, w := range wanted {
		if err := r.records.Permit(ctx, id, wantedBy(w)); err != nil {
			return asRefusal(err)
		}
	}
	return nil
}

// asRefusal converts an error of the records for the broker, adding any reason why a human could not be asked.
func asRefusal(err error) error {
	var limit *records.LimitError
	var held *records.HeldError
	switch {
	case errors.As(err, &limit):
		return &broker.RefusalError{Rule: broker.RuleLimits, Reason: err.Error()}
	case errors.As(err, &held):
		return &broker.RefusalError{Rule: broker.RuleHeld, Reason: err.Error()}
	}
	return err
}

// Complete sets the outcome of the acts that the call reserved, and of those that it was joined to.
func (r *reservations) Complete(ctx context.Context, id string, success bool, fault string, took time.Duration) (err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, call := range append(r.joined[id], id) {
		err = errors.Join(err, r.records.Complete(ctx, call, success, fault, took))
	}
	return err
}
