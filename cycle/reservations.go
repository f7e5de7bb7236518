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

// reservations are the records of a session as its broker uses them, one call at a time. The steps of one remediation (stop and start, pull
// and up) arrive as calls of their own: the last one is of the act that the first has reserved. Which steps there are says `part` in the
// policy; those of a single call are joined by guard.joinSteps.
type reservations struct {
	mu      sync.Mutex
	records *records.Records
	begun   map[remediated]string // the call that took the first step
	joined  map[string][]string   // the call of last steps, and those of their first
}

// remediated is what a remediation does to which service.
type remediated struct {
	service string
	action  statefile.Action
}

func newReservations(b *records.Records) *reservations {
	return &reservations{records: b, begun: map[remediated]string{}, joined: map[string][]string{}}
}

// Reserve joins the last steps to what their first has reserved, and reserves the rest. Where that is refused, nothing is joined either.
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
		acts = append(acts, records.Wanted{Service: w.Service, Action: w.Action, Detail: w.Detail})
	}
	r.records.Forget() // what was known of other services may have changed since
	if err := r.records.Reserve(ctx, id, acts); err != nil {
		return refused(err)
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

// refused is an error of the records as the broker knows it, with what kept a human from being asked, where anything did.
func refused(err error) error {
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

// Complete gives the outcome to what the call has reserved, and to what it was joined to.
func (r *reservations) Complete(ctx context.Context, id string, success bool, fault string, took time.Duration) (err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, call := range append(r.joined[id], id) {
		err = errors.Join(err, r.records.Complete(ctx, call, success, fault, took))
	}
	return err
}
