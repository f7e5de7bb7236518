package notify

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/claudeops/claudeops/config"
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
	// Early sends again what was formed before, and forms no message: a cycle that has yet to make its checks does not
	// tell what they may find over.
	Early bool
}

// NewDelivery returns what delivers an outbox by a configuration and a services file; inv may be nil.
func NewDelivery(
	c config.Config, inv *inventory.Inventory, s *store.Store, courier Courier,
	redact func(string) string, now func() time.Time,
) Delivery {
	host, err := os.Hostname()
	if err != nil {
		host = "an unnamed host"
	}
	d := Delivery{
		Store: s, Courier: courier, Redact: redact, Now: now, Dir: c.StateDir, Host: host, Dashboard: c.DashboardURL,
	}
	if links, err := OpenLinks(c.StateDir); err == nil { // without a key, the plain link leads to the page, too
		d.Links = &links
	}
	if inv != nil {
		d.Rules = inv.Notify
	}
	return d
}

// Report is the result of a delivery.
type Report struct {
	Sent     int           // messages that reached their last target
	Waiting  int           // messages not yet delivered to some target, including those held by a silence or a pause
	Busy     bool          // another process was delivering until the time was over; nothing was done
	Failures []Undelivered // of the targets that were tried, in the order of the configuration
}

// Undelivered is the reason why a target has not received all of its messages.
type Undelivered struct {
	Target  string    // its name
	Reason  string    // on one line
	RetryAt time.Time // not tried again before
}

// Run delivers pending notifications, and ends soon after ctx does. Failures of targets are in the report; an error is
// about the database or the lock. If nothing is pending, it only costs one query. Nothing is sent without a target or
// during a pause. Run waits for another process that delivers, since more may have been queued after that one began.
func (d Delivery) Run(ctx context.Context) (report Report, err error) {
	rest, err := d.Store.AtRest(ctx)
	if rest || err != nil {
		return report, err
	}
	routing := Routing{d.Courier.Targets(), d.Rules}
	var hashes []string
	for _, target := range routing.Targets {
		hashes = append(hashes, target.Hash)
	}
	if err := d.Store.Retarget(ctx, hashes); err != nil || len(hashes) == 0 {
		return report, err
	}
	lock, err := statedir.Acquire(ctx, filepath.Join(d.Dir, LockName))
	if errors.Is(err, statedir.ErrLocked) {
		box, err := routing.Outbox(ctx, d.Store, d.Now())
		return Report{Waiting: box.Waiting(), Busy: true}, err
	}
	if err != nil {
		return report, err
	}
	report, err = d.round(ctx, routing)
	return report, errors.Join(err, lock.Release())
}

// round runs one delivery while holding the lock.
func (d Delivery) round(ctx context.Context, routing Routing) (report Report, err error) {
	box, _, err := d.settle(ctx, routing)
	if err != nil {
		return report, err
	}
	queues := make([]queue, len(routing.Targets))
	var group errgroup.Group // no limit: hanging targets would block the others
	for i, target := range routing.Targets {
		q := &queues[i]
		*q = queue{Delivery: d, target: target, messages: box.queue(target)}
		for _, f := range box.Failing {
			if f.Hash == target.Hash {
				q.failing = f
			}
		}
		group.Go(func() error { return q.deliver(ctx) })
	}
	err = group.Wait()
	for _, q := range queues {
		if q.failure.Target != "" {
			report.Failures = append(report.Failures, q.failure)
		}
	}
	left, sent, failed := d.settle(ctx, routing)
	report.Sent, report.Waiting = sent, left.Waiting()
	return report, errors.Join(err, failed)
}

// settle records what the outbox plans, and which messages have arrived everywhere. It returns the outbox after that,
// and the number of these messages.
func (d Delivery) settle(ctx context.Context, routing Routing) (box Outbox, arrived int, err error) {
	now := d.Now()
	err = d.Store.Update(ctx, func(tx *store.Store) error {
		before, err := routing.Outbox(ctx, tx, now)
		if err != nil {
			return err
		}
		var messages [][]int64
		var unsent map[int64]string
		if !d.Early {
			messages, unsent = before.plan()
		}
		for id, why := range unsent {
			if err := tx.CloseNotification(ctx, id, why, now); err != nil {
				return err
			}
		}
		for _, notifications := range messages {
			if err := tx.FormMessage(ctx, notifications); err != nil {
				return err
			}
		}
		for _, message := range before.complete() {
			arrived++
			if err := tx.CloseMessage(ctx, message, now); err != nil {
				return err
			}
		}
		box, err = routing.Outbox(ctx, tx, now)
		return err
	})
	return box, arrived, err
}

// queue holds the pending messages of one target in one delivery.
type queue struct {
	Delivery
	target   Target
	messages [][]store.Notification // in order
	failing  store.FailingTarget    // earlier failures; no hash if there were none
	failure  Undelivered            // no target if all were delivered
}

// mostFailures is how many messages in a row are tried at a target that takes none.
const mostFailures = 3

// deliver sends the target its messages, in order, until it takes none or the time is over. Where it takes a later one, what it did not take
// before is at fault, and waits by itself: it must not block all later ones. So the last try in vain is the newest. Else the target is at
// fault, unless all were refused before.
func (q *queue) deliver(ctx context.Context) error {
	if q.failing.Hash != "" && !isDue(q.failing.RetryAt, q.Now()) {
		return nil
	}
	var untaken []store.Notification // the first of each message since the last one that was taken
	took := false
	for left := slices.Clone(q.messages); len(left) > 0 && len(untaken) < mostFailures && ctx.Err() == nil; {
		at := 0
		if len(untaken) == mostFailures-1 {
			at = len(left) - 1
		}
		group := left[at]
		left = slices.Delete(left, at, at+1)
		composed, err := q.compose(ctx, group)
		if err != nil {
			return err
		}
		lead, fault := group[0], q.Courier.Send(ctx, q.target, composed)
		switch {
		case fault == nil:
			err := q.Store.Delivered(ctx, lead.ID, q.target.Hash, q.Now())
			if err = errors.Join(err, q.refused(ctx, untaken)); err != nil {
				return err
			}
			took, untaken = true, nil
		case errors.Is(ctx.Err(), context.Canceled) || ctx.Err() != nil && took:
			// Nobody's fault: delivery is ending, or other messages used up the time.
		default:
			lead.LastError = Clip(q.Redact(fault.Error()), maxLine)
			untaken = append(untaken, lead)
			if errors.Is(fault, errUnanswered) {
				left = nil // it says nothing of the message
			}
		}
	}
	fresh := slices.IndexFunc(untaken, func(n store.Notification) bool { return !n.NextAttemptAt.After(n.CreatedAt) })
	if fresh < 0 {
		return q.refused(ctx, untaken)
	}
	return q.failed(ctx, untaken[fresh])
}

// refused records that the target does not take these messages, which wait by themselves.
func (q *queue) refused(ctx context.Context, leads []store.Notification) error {
	for _, n := range leads {
		retry := q.Now().Add(backOff(n.Attempts + 1))
		q.failure = Undelivered{q.target.Name, n.LastError, retry}
		if err := q.Store.MessageRefused(ctx, n.ID, q.target.Name+": "+n.LastError, retry); err != nil {
			return err
		}
	}
	return nil
}

// compose returns a message for the target. Its notifications are redacted with the secrets known now, before they are
// combined, since half a secret is not recognized.
func (q *queue) compose(ctx context.Context, group []store.Notification) (Message, error) {
	group = slices.Clone(group)
	for i := range group {
		group[i].Title, group[i].Body = q.Redact(group[i].Title), q.Redact(group[i].Body)
	}
	err := q.signLinks(ctx, group)
	return Compose(group, q.Host, q.Dashboard), err
}

// signLinks puts this target's own links into the place of the links to proposals.
func (q *queue) signLinks(ctx context.Context, group []store.Notification) error {
	for i := range group {
		n := &group[i]
		if n.ProposalID == nil || q.Links == nil || q.Dashboard == "" {
			continue
		}
		p, err := q.Store.Proposal(ctx, *n.ProposalID)
		if errors.Is(err, store.ErrNotFound) { // pruned
			continue
		}
		if err != nil {
			return err
		}
		link := q.Links.Link(q.Dashboard, p, q.target.Hash)
		n.Body = strings.Replace(n.Body, Link(q.Dashboard, ProposalPage(p.ID)), link, 1)
	}
	return nil
}

// failed records that a message did not reach the target, which then is left alone for a while.
func (q *queue) failed(ctx context.Context, lead store.Notification) error {
	now, f := q.Now(), q.failing
	if f.Hash == "" {
		f.FailingSince = now
	}
	f.Hash, f.Name, f.LastError = q.target.Hash, q.target.Name, lead.LastError
	f.Attempts++
	f.RetryAt = now.Add(backOff(f.Attempts))
	q.failure = Undelivered{f.Name, f.LastError, f.RetryAt}
	return q.Store.TargetFailed(ctx, f, lead.ID)
}

// backOff returns the wait after a number of failed attempts: 1, 2, 4, 8 and then 15 minutes.
func backOff(attempts int) time.Duration { return min(time.Minute<<min(attempts-1, 4), 15*time.Minute) }

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
