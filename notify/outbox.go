package notify

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/claudeops/claudeops/internal/statedir"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/store"
)

// LockName is the file in the state directory that is locked during delivery.
const LockName = "notify.lock"

// Delivery sends pending notifications to the targets.
type Delivery struct {
	Store   *store.Store
	Courier Courier
	Rules   []inventory.Rule    // who gets what; without rules every target gets everything
	Redact  func(string) string // redacts secrets that may have been unknown when a notification was queued
	Now     func() time.Time
	Dir     string // the state directory, for the lock
	Host    string // the name of this host in messages
	// Dashboard is its public URL, for links; empty if there is none.
	Dashboard string
	// Links signs links to proposals; nil if messages have none.
	Links *Links
}

// Report is the result of a delivery.
type Report struct {
	Sent     int           // messages that reached their last target
	Waiting  int           // messages not yet delivered to some target, including those held by a silence or a pause
	Busy     bool          // another process was delivering until the time was over; nothing was done
	Failures []Undelivered // one per target, in the order of the configuration
}

// Undelivered is the reason why a target has not received all of its messages.
type Undelivered struct {
	Target  string    // its name
	Reason  string    // on one line
	RetryAt time.Time // not tried again before
}

// Run delivers pending notifications, and ends soon after ctx does. Failures of targets are in the report; an error is about the database
// or the lock. If nothing is pending, it only costs one query. Nothing is sent without a target or during a pause. Run waits for another
// process that delivers, since more may have been queued after that one began.
func (d Delivery) Run(ctx context.Context) (Report, error) {
	keep := context.WithoutCancel(ctx) // outcomes are recorded even after the time is over
	rest, err := d.Store.AtRest(keep)
	if rest || err != nil {
		return Report{}, err
	}
	targets := d.Courier.Targets()
	if len(targets) == 0 {
		return Report{}, d.Store.Retarget(keep, nil)
	}
	lock, err := statedir.Acquire(ctx, filepath.Join(d.Dir, LockName))
	if errors.Is(err, statedir.ErrLocked) {
		waiting, err := d.Store.Waiting(keep)
		return Report{Waiting: waiting, Busy: true}, err
	}
	if err != nil {
		return Report{}, err
	}
	report, err := d.round(ctx, keep, targets)
	return report, errors.Join(err, lock.Release())
}

// round runs one delivery while holding the lock.
func (d Delivery) round(ctx, keep context.Context, targets []Target) (report Report, err error) {
	queues := make([]queue, len(targets))
	var paused bool
	err = d.Store.Update(keep, func(tx *store.Store) (err error) {
		now, routing := d.Now(), Routing{targets, d.Rules}
		if err = settle(keep, tx, routing, now); err != nil {
			return err
		}
		if paused, err = tx.Paused(keep, now); err != nil {
			return err
		}
		failing, err := tx.FailingTargets(keep)
		if err != nil {
			return err
		}
		for i, target := range targets { // for all targets before anything is sent, as messages that one refuses wait for a while
			q := &queues[i]
			*q = queue{Delivery: d, target: target}
			messages, err := tx.Undelivered(keep, target.Hash, now)
			if err != nil {
				return err
			}
			q.messages = routing.gets(target, messages, now)
			for _, f := range failing {
				if f.Hash == target.Hash {
					q.failing = f
				}
			}
		}
		return nil
	})
	if err != nil {
		return report, err
	}
	if !paused {
		var group errgroup.Group // no limit: hanging targets would block the others
		for i := range queues {
			group.Go(func() error { return queues[i].deliver(ctx, keep) })
		}
		err = group.Wait()
	}
	for _, q := range queues {
		report.Sent += q.completed
		if q.failure.Target != "" {
			report.Failures = append(report.Failures, q.failure)
		}
	}
	waiting, counting := d.Store.Waiting(keep)
	report.Waiting = waiting
	return report, errors.Join(err, counting)
}

// settle forms messages from pending notifications, and adapts the outbox to the current targets and rules.
func settle(keep context.Context, tx *store.Store, routing Routing, now time.Time) error {
	if err := tx.Retarget(keep, hashesOf(routing.everyone())); err != nil {
		return err
	}
	if err := tx.Group(keep, now, routing.way(now)); err != nil {
		return err
	}
	undone, err := tx.Undone(keep)
	if err != nil {
		return err
	}
	type group struct {
		to       []string
		messages []int64
	}
	groups := map[string]group{} // messages by their targets
	for _, m := range undone {
		to := hashesOf(routing.Recipients(m.Kind, m.Type, m.Service, now))
		key := fmt.Sprint(to)
		groups[key] = group{to, append(groups[key].messages, m.Message)}
	}
	for _, g := range groups {
		if _, err := tx.Complete(keep, g.messages, g.to, now); err != nil {
			return err
		}
	}
	return nil
}

// queue holds the pending messages of one target in one delivery.
type queue struct {
	Delivery
	target   Target
	messages []due               // in order
	failing  store.FailingTarget // earlier failures; no hash if there were none

	completed int         // messages for which this was the last target
	failure   Undelivered // no target if all were delivered
}

// deliver sends the target its messages, in order, until it cannot be reached or the time is over. A message that it refuses waits by
// itself: what a target cannot accept must not block all later ones.
func (q *queue) deliver(ctx, keep context.Context) error {
	if len(q.messages) == 0 {
		return nil
	}
	if q.failing.Hash != "" && !isDue(q.failing.RetryAt, q.Now()) {
		q.failure = Undelivered{q.target.Name, q.failing.LastError, q.failing.RetryAt}
		return nil
	}
	took := false
	for len(q.messages) > 0 && ctx.Err() == nil {
		next := q.messages[0]
		q.messages = q.messages[1:]
		message, attempts, err := q.compose(keep, next.Message)
		if err != nil {
			return err
		}
		if message == nil { // deleted meanwhile
			continue
		}
		fault := q.Courier.Send(ctx, q.target, *message)
		if fault == nil {
			if err := q.accepted(keep, next); err != nil {
				return err
			}
			took = true
			continue
		}
		if errors.Is(ctx.Err(), context.Canceled) || ctx.Err() != nil && took {
			return nil // not the target's fault: delivery is ending, or other messages used up the time
		}
		var why *SendError
		if !errors.As(fault, &why) {
			why = &SendError{}
		}
		reason := Clip(q.Redact(fault.Error()), maxLine)
		if !why.Refused {
			return q.failed(keep, next.Message, reason, why.RetryAfter)
		}
		q.failure = Undelivered{Target: q.target.Name, Reason: reason, RetryAt: q.Now().Add(backOff(attempts+1, why.RetryAfter))}
		if err := q.Store.MessageRefused(keep, next.Message, q.target.Name+": "+reason, q.failure.RetryAt); err != nil {
			return err
		}
	}
	return nil
}

// accepted records that the target took a message.
func (q *queue) accepted(keep context.Context, message due) error {
	complete, err := q.Store.Delivered(keep, message.Message, q.target.Hash, message.to, q.Now())
	if complete {
		q.completed++
	}
	return err
}

// compose returns a message for the target, and the number of earlier attempts; nil if it was deleted. Its notifications are redacted with
// the secrets known now, before they are combined, since half a secret is not recognized.
func (q *queue) compose(keep context.Context, id int64) (m *Message, attempts int, err error) {
	group, err := q.Store.Message(keep, id)
	if err != nil || len(group) == 0 {
		return nil, 0, err
	}
	for i := range group {
		group[i].Title, group[i].Body = q.Redact(group[i].Title), q.Redact(group[i].Body)
	}
	if err := q.signLinks(keep, group); err != nil {
		return nil, 0, err
	}
	composed := Compose(group, q.Host, q.Dashboard)
	return &composed, group[0].Attempts, nil
}

// signLinks puts this target's own links into the place of the links to proposals.
func (q *queue) signLinks(keep context.Context, group []store.Notification) error {
	for i := range group {
		n := &group[i]
		if n.ProposalID == nil || q.Links == nil || q.Dashboard == "" {
			continue
		}
		p, err := q.Store.Proposal(keep, *n.ProposalID)
		if errors.Is(err, store.ErrNotFound) { // pruned
			continue
		}
		if err != nil {
			return err
		}
		link := q.Links.Link(q.Dashboard, p, q.target.Hash)
		plain := Link(q.Dashboard, ProposalPage(p.ID))
		if at := strings.LastIndex(n.Body, plain); at >= 0 {
			n.Body = n.Body[:at] + link + n.Body[at+len(plain):]
		} else {
			n.Body += "\n\nYes or no: " + link
		}
	}
	return nil
}

// failed records that a message did not reach the target, which then is left alone for a while.
func (q *queue) failed(keep context.Context, message int64, reason string, asked time.Duration) error {
	now, f := q.Now(), q.failing
	if f.Hash == "" {
		f.FailingSince = now
	}
	f.Hash, f.Name, f.LastError = q.target.Hash, q.target.Name, reason
	f.Attempts++
	f.RetryAt = now.Add(backOff(f.Attempts, asked))
	q.failure = Undelivered{f.Name, f.LastError, f.RetryAt}
	return q.Store.TargetFailed(keep, f, message)
}

// backOff returns the wait after a number of failed attempts: 1, 2, 4, 8 and then 15 minutes, or as long as the target asked for.
func backOff(attempts int, asked time.Duration) time.Duration {
	wait := 15 * time.Minute
	if attempts <= 4 {
		wait = time.Minute << max(attempts-1, 0)
	}
	return min(max(wait, asked), store.MaxRetry)
}

// isDue reports whether the time of an attempt has come, or is implausibly far ahead because the clock was wrong.
func isDue(at, now time.Time) bool { return !at.After(now) || at.After(now.Add(store.MaxRetry)) }

// Direct is the result of sending a message to a target without the outbox.
type Direct struct {
	Target string // its name
	Err    error
}

// SendDirectly sends a message to each target without the database. A failed message is not sent again.
func (d Delivery) SendDirectly(ctx context.Context, m Message) []Direct {
	targets := d.Courier.Targets()
	results := make([]Direct, len(targets))
	m.Body = strings.TrimSpace(m.Body + "\n\n" + from(d.Host))
	var group errgroup.Group
	for i, target := range targets {
		group.Go(func() error {
			results[i] = Direct{target.Name, d.Courier.Send(ctx, target, m)}
			return nil
		})
	}
	_ = group.Wait() // failures are in the results
	return results
}
