package notify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/claudeops/claudeops/internal/statedir"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/store"
)

// LockName is the file in the state directory that is locked by whoever delivers.
const LockName = "notify.lock"

// Delivery brings what waits to the targets.
type Delivery struct {
	Store   *store.Store
	Courier Courier
	Rules   []inventory.Rule    // who gets what; none is everything for everyone
	Redact  func(string) string // takes out secrets that may not have been known when a notification was queued
	Now     func() time.Time
	Dir     string // the state directory, for the lock
	Host    string // where this runs, for people
	// Dashboard is where people reach it, for links; empty where they do not.
	Dashboard string
	// Longest is how long a delivery lasts, for the holder of the cycle lock: a stopped process that runs for longer loses its place to it.
	// Others leave it 0 and only wait.
	Longest time.Duration
}

// Report is what a delivery came to.
type Report struct {
	Sent     int           // messages that reached their last target
	Waiting  int           // messages that some target has yet to get, those with it that a silence or a pause holds back
	Busy     bool          // another process delivered until the time was over; nothing was done
	Failures []Undelivered // one a target, in the order of the configuration
	// Stopped is the process whose place was taken, because it had stopped while it delivered; the zero value is none.
	Stopped statedir.Holder
}

// Undelivered is why a target has not got all that waits for it.
type Undelivered struct {
	Target  string    // its name
	Reason  string    // on one line
	RetryAt time.Time // it is left alone until then
}

// Run delivers what waits, and ends soon after ctx does. That targets fail is in the report; an error is of the database or the lock.
// Where nothing waits it costs one query, and nothing is sent without a target or while everything is paused. Another process that
// delivers is waited for: what it found when it began is not all that there is by now.
func (d Delivery) Run(ctx context.Context) (Report, error) {
	keep := context.WithoutCancel(ctx) // what happened is recorded although the time is over
	rest, err := d.Store.AtRest(keep)
	if rest || err != nil {
		return Report{}, err
	}
	targets := d.Courier.Targets()
	if len(targets) == 0 {
		return Report{}, d.Store.Retarget(keep, nil)
	}
	lockPath := filepath.Join(d.Dir, LockName)
	stopped, hangs := Stopped(d.Dir, d.Longest, d.Now())
	if d.Longest == 0 || !hangs {
		stopped = statedir.Holder{}
	} else if err := os.Remove(lockPath); err != nil && !errors.Is(err, fs.ErrNotExist) {
		// It keeps the lock of a file that is no longer there; should it go on, its time is over, and it sends nothing more.
		return Report{}, fmt.Errorf("take the lock of %s: %w", stopped, err)
	}
	lock, err := statedir.Acquire(ctx, lockPath)
	if errors.Is(err, statedir.ErrLocked) {
		waiting, err := d.Store.Waiting(keep)
		return Report{Waiting: waiting, Busy: true, Stopped: stopped}, err
	}
	if err != nil {
		return Report{}, err
	}
	report, err := d.round(ctx, keep, targets)
	report.Stopped = stopped
	return report, errors.Join(err, lock.Release())
}

// Stopped is the process that delivers from a state directory, if it is stopped and has run for longer than a delivery lasts.
func Stopped(dir string, longest time.Duration, now time.Time) (by statedir.Holder, stopped bool) {
	by, held := statedir.HolderOf(filepath.Join(dir, LockName))
	return by, held && by.Stopped && by.Age(now) > longest
}

// round is one delivery, under the lock.
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
		for i, target := range targets { // for all before anything is sent: what one refuses waits for a while
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
		var group errgroup.Group // without a limit: those that hang would keep the others from their turn
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

// settle makes messages of what waits, and has the outbox fit the targets and rules of now.
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
	groups := map[string]group{} // messages by the targets that are to get them
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

// queue is what one target has yet to get, in one delivery.
type queue struct {
	Delivery
	target   Target
	messages []due               // in order
	failing  store.FailingTarget // how it failed before; of no hash where it did not

	completed int         // messages that this target was the last to get
	failure   Undelivered // of no target where it got all
}

// trial is a message that a target has not taken.
type trial struct {
	message int64
	before  int // how often it was tried before
	reason  string
	asked   time.Duration // how long the target asked to be left alone
}

// A message that has failed stuckAfter times at a target that answers lets the next ones be tried in its place, at most maxStuck in a run.
const (
	stuckAfter = 1
	maxStuck   = 5
)

// deliver sends the target its messages, in order, until it fails or the time is over. After one that it refused, or answered once more
// with a failure, the next follows: what a target cannot take must not keep from people all that comes after it. Where it takes the next
// one, it has refused those before.
func (q *queue) deliver(ctx, keep context.Context) error {
	if len(q.messages) == 0 {
		return nil
	}
	if q.failing.Hash != "" && !isDue(q.failing.RetryAt, q.Now()) {
		q.failure = Undelivered{q.target.Name, q.failing.LastError, q.failing.RetryAt}
		return nil
	}
	took := false
	var stuck []trial
	for len(q.messages) > 0 && ctx.Err() == nil {
		next, to := q.messages[0].Message, q.messages[0].to
		q.messages = q.messages[1:]
		group, err := q.notifications(keep, next)
		if err != nil {
			return err
		}
		if len(group) == 0 { // deleted meanwhile
			continue
		}
		fault := q.Courier.Send(ctx, q.target, Compose(group, q.Host, q.Dashboard))
		if fault == nil {
			took = true
			if err := q.refused(keep, stuck...); err != nil {
				return err
			}
			if len(stuck) > 0 {
				stuck = nil
				slices.SortFunc(q.messages, func(a, b due) int { return cmp.Compare(a.Message, b.Message) })
			}
			complete, err := q.Store.Delivered(keep, next, q.target.Hash, to, q.Now())
			if err != nil {
				return err
			}
			if complete {
				q.completed++
			}
			continue
		}
		if errors.Is(ctx.Err(), context.Canceled) || ctx.Err() != nil && took {
			break // the target is not to blame: everything is to end, or the time is over, in which it took others
		}
		var why *SendError
		if !errors.As(fault, &why) {
			why = &SendError{}
		}
		failed := trial{next, group[0].Attempts, Clip(q.Redact(fault.Error()), maxLine), why.RetryAfter}
		if why.Refused {
			if err := q.refused(keep, failed); err != nil {
				return err
			}
			continue
		}
		if stuck = append(stuck, failed); !why.Answered || why.RetryAfter > 0 || stuck[0].before < stuckAfter || len(stuck) > maxStuck {
			break
		}
		slices.SortFunc(q.messages, func(a, b due) int { // those first that failed least: the target may be able to take them
			return cmp.Or(cmp.Compare(a.Attempts, b.Attempts), cmp.Compare(a.Message, b.Message))
		})
	}
	switch {
	case len(stuck) == 0:
		return nil
	case took:
		return q.refused(keep, stuck...)
	}
	return q.failed(keep, stuck)
}

// notifications are those of a message without what is known to be secret by now. They are redacted before they are put together, since
// half a secret is not recognised.
func (q *queue) notifications(keep context.Context, message int64) ([]store.Notification, error) {
	group, err := q.Store.Message(keep, message)
	for i := range group {
		group[i].Title, group[i].Body = q.Redact(group[i].Title), q.Redact(group[i].Body)
	}
	return group, err
}

// refused records messages that the target will not have, although it takes others.
func (q *queue) refused(keep context.Context, trials ...trial) error {
	for _, t := range trials {
		q.failure = Undelivered{Target: q.target.Name, Reason: t.reason, RetryAt: q.Now().Add(backOff(t.before+1, t.asked))}
		if err := q.Store.MessageRefused(keep, t.message, q.target.Name+": "+t.reason, q.failure.RetryAt); err != nil {
			return err
		}
	}
	return nil
}

// failed records that the target fails, at the first of what it did not take; each was an attempt.
func (q *queue) failed(keep context.Context, stuck []trial) error {
	messages := make([]int64, len(stuck))
	for i, t := range stuck {
		messages[i] = t.message
	}
	now, f := q.Now(), q.failing
	if f.Hash == "" {
		f.FailingSince = now
	}
	f.Hash, f.Name, f.LastError = q.target.Hash, q.target.Name, stuck[0].reason
	f.Attempts++
	f.RetryAt = now.Add(backOff(f.Attempts, stuck[0].asked))
	q.failure = Undelivered{f.Name, f.LastError, f.RetryAt}
	return q.Store.TargetFailed(keep, f, messages...)
}

// backOff is how long to wait after that many failed attempts: 1, 2, 4, 8 and then 15 minutes, or as long as was asked for.
func backOff(attempts int, asked time.Duration) time.Duration {
	wait := 15 * time.Minute
	if attempts <= 4 {
		wait = time.Minute << max(attempts-1, 0)
	}
	return min(max(wait, asked), store.MaxRetry)
}

// isDue is that the time of an attempt has come, or is further ahead than any that was set here: the clock was wrong.
func isDue(at, now time.Time) bool { return !at.After(now) || at.After(now.Add(store.MaxRetry)) }

// Direct is whether a target took a message that was sent without the outbox.
type Direct struct {
	Target string // its name
	Err    error
}

// SendDirectly sends a message to each target, without the database. What a target does not take is not sent again.
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
	_ = group.Wait() // what failed is in the results
	return results
}
