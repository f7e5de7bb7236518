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
	"github.com/claudeops/claudeops/store"
)

// LockName is the file in the state directory that is locked by whoever delivers.
const LockName = "notify.lock"

// recordTime is how long writing down what was sent may take although the time for sending is over.
const recordTime = 10 * time.Second

// Delivery brings what waits to the targets.
type Delivery struct {
	Store   *store.Store
	Courier Courier
	Redact  func(string) string // takes out secrets that may not have been known when a notification was queued
	Now     func() time.Time
	Dir     string // the state directory, for the lock
	Host    string // where this runs, for people
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
	keep, cancel := recording(ctx)
	defer cancel()
	rest, err := d.Store.AtRest(keep)
	if rest || err != nil {
		return Report{}, err
	}
	targets := d.Courier.Targets()
	if len(targets) == 0 {
		return Report{}, d.Store.Retarget(keep, nil, d.Now())
	}
	stopped, err := d.unseat()
	if err != nil {
		return Report{}, err
	}
	lock, err := statedir.Acquire(ctx, filepath.Join(d.Dir, LockName))
	if errors.Is(err, statedir.ErrLocked) {
		keep, cancel := recording(ctx) // the wait was longer than the other one lasts
		defer cancel()
		waiting, err := d.Store.Waiting(keep)
		return Report{Waiting: waiting, Busy: true, Stopped: stopped}, err
	}
	if err != nil {
		return Report{}, err
	}
	r := round{Delivery: d, targets: targets, failing: map[string]store.FailingTarget{}, todo: map[string][]store.Due{}}
	report, err := r.run(ctx)
	report.Stopped = stopped
	return report, errors.Join(err, lock.Release())
}

// unseat takes the lock from a process that is stopped and holds it past its time: nobody would be told anything until somebody looks. It
// keeps the lock of a file that is no longer there; should it go on, its time is over, and it sends nothing more.
func (d Delivery) unseat() (stopped statedir.Holder, err error) {
	by, stops := Stopped(d.Dir, d.Longest, d.Now())
	if d.Longest == 0 || !stops {
		return statedir.Holder{}, nil
	}
	if err := os.Remove(filepath.Join(d.Dir, LockName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return statedir.Holder{}, fmt.Errorf("take the lock of %s: %w", by, err)
	}
	return by, nil
}

// Stopped is the process that delivers from a state directory, where it is stopped and runs for longer than a delivery lasts.
func Stopped(dir string, longest time.Duration, now time.Time) (by statedir.Holder, stopped bool) {
	by, held := statedir.HolderOf(filepath.Join(dir, LockName))
	return by, held && by.Stopped && by.Age(now) > longest
}

// recording is a context for writing down what happened, which the end of ctx does not stop.
func recording(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), recordTime)
}

// round is one delivery, under the lock.
type round struct {
	Delivery
	targets []Target
	failing map[string]store.FailingTarget // by hash, as they were before
	todo    map[string][]store.Due         // by hash: the messages that a target has yet to get, in order
}

func (r *round) run(ctx context.Context) (Report, error) {
	paused, err := r.prepare(ctx)
	if err != nil {
		return Report{}, err
	}
	results := make([]result, len(r.targets))
	if !paused {
		var group errgroup.Group // without a limit: those that hang would keep the others from their turn
		for i, target := range r.targets {
			group.Go(func() (err error) {
				results[i], err = r.serve(ctx, target)
				return err
			})
		}
		err = group.Wait()
	}
	keep, cancel := recording(ctx)
	defer cancel()
	waiting, counting := r.Store.Waiting(keep)
	report := Report{Waiting: waiting}
	for _, result := range results {
		report.Sent += result.completed
		if result.failure.Target != "" {
			report.Failures = append(report.Failures, result.failure)
		}
	}
	return report, errors.Join(err, counting)
}

// prepare makes messages of what waits, and learns which targets are to be left alone.
func (r *round) prepare(ctx context.Context) (paused bool, err error) {
	keep, cancel := recording(ctx)
	defer cancel()
	for _, t := range r.targets {
		r.todo[t.Hash] = nil
	}
	var failing []store.FailingTarget
	err = r.Store.Update(keep, func(tx *store.Tx) (err error) {
		now := r.Now()
		if err = tx.Retarget(keep, r.hashes(), now); err != nil {
			return err
		}
		if err = tx.Group(keep, now); err != nil {
			return err
		}
		if paused, err = tx.Paused(keep, now); err != nil {
			return err
		}
		for hash := range r.todo { // for all before anything is sent: what one refuses waits for a while
			if r.todo[hash], err = tx.Undelivered(keep, hash, now); err != nil {
				return err
			}
		}
		failing, err = tx.FailingTargets(keep)
		return err
	})
	for _, t := range failing {
		r.failing[t.Hash] = t
	}
	return paused, err
}

func (r *round) hashes() (all []string) {
	for _, t := range r.targets {
		all = append(all, t.Hash)
	}
	return all
}

// result is what serving one target came to. A Failure without a target is none.
type result struct {
	took      bool // one message at least
	completed int  // messages that this target was the last to get
	failure   Undelivered
	stuck     []trial // what it failed to take again, while the next messages show whose fault that is
}

// trial is a message that a target has not taken.
type trial struct {
	message int64
	before  int // how often it was tried before
	fault   error
}

// serve sends a target what it has yet to get, in order, until it fails or the time is over.
func (r *round) serve(ctx context.Context, target Target) (done result, err error) {
	messages := r.todo[target.Hash]
	if len(messages) == 0 {
		return result{}, nil
	}
	if last, fails := r.failing[target.Hash]; fails && !isDue(last.RetryAt, r.Now()) {
		return result{failure: Undelivered{target.Name, last.LastError, last.RetryAt}}, nil
	}
	for goOn, wasStuck := true, false; goOn && err == nil && len(messages) > 0 && ctx.Err() == nil; {
		goOn, err = r.send(ctx, messages[0].Message, target, &done)
		messages = messages[1:]
		if stuck := len(done.stuck) > 0; stuck != wasStuck {
			wasStuck = stuck
			slices.SortFunc(messages, next(stuck))
		}
	}
	switch {
	case err != nil || len(done.stuck) == 0:
	case done.took:
		err = r.passed(ctx, target, &done)
	default:
		done.failure, err = r.failed(ctx, done.stuck, target)
	}
	return done, err
}

// next is the order in which messages follow: their own or, at a target that is stuck, those first that failed least, as those will have
// that it can take.
func next(stuck bool) func(a, b store.Due) int {
	return func(a, b store.Due) int {
		if stuck && a.Attempts != b.Attempts {
			return cmp.Compare(a.Attempts, b.Attempts)
		}
		return cmp.Compare(a.Message, b.Message)
	}
}

// send sends a target a message, and records what came of it. goOn is that the next one may follow: also after one that it refused, or
// that it answered with a failure once more: what a target cannot take must not keep from people all that comes after it. Where
// it takes the next one, it has refused this one.
func (r *round) send(ctx context.Context, message int64, target Target, done *result) (goOn bool, err error) {
	group, err := r.message(ctx, message)
	if err != nil || len(group) == 0 { // deleted meanwhile
		return true, err
	}
	fault := r.Courier.Send(ctx, target, Compose(group, r.Host))
	this := trial{message, group[0].Attempts, fault}
	var why *SendError
	switch {
	case fault == nil:
		return true, r.taken(ctx, message, target, done)
	case errors.Is(ctx.Err(), context.Canceled), ctx.Err() != nil && done.took:
		return false, nil // the target is not to blame: everything is to end, or the time is over, in which it took others
	case errors.As(fault, &why) && why.Refused:
		done.failure, err = r.refused(ctx, this, target)
		return true, err
	}
	done.stuck = append(done.stuck, this)
	answered := why != nil && why.Answered && why.RetryAfter == 0
	return answered && done.stuck[0].before >= stuckAfter && len(done.stuck) <= maxStuck, nil
}

// stuckAfter is how often a message has failed at a target that answers until the next ones are tried in its place, at most maxStuck in a run.
const (
	stuckAfter = 1
	maxStuck   = 5
)

// taken records that a target took a message, and so refused those before at which it was stuck.
func (r *round) taken(ctx context.Context, message int64, target Target, done *result) (err error) {
	done.took = true
	if err := r.passed(ctx, target, done); err != nil {
		return err
	}
	complete, err := r.delivered(ctx, message, target)
	if complete {
		done.completed++
	}
	return err
}

// passed records that a target that takes others has refused what it was stuck at.
func (r *round) passed(ctx context.Context, target Target, done *result) (err error) {
	for _, t := range done.stuck {
		if done.failure, err = r.refused(ctx, t, target); err != nil {
			return err
		}
	}
	done.stuck = nil
	return nil
}

// message returns the notifications of a message without what is known to be secret by now. They are redacted before they are put
// together, since half a secret is not recognised.
func (r *round) message(ctx context.Context, id int64) ([]store.Notification, error) {
	keep, cancel := recording(ctx)
	defer cancel()
	group, err := r.Store.Message(keep, id)
	for i := range group {
		group[i].Title, group[i].Body = r.Redact(group[i].Title), r.Redact(group[i].Body)
	}
	return group, err
}

func (r *round) delivered(ctx context.Context, message int64, target Target) (complete bool, err error) {
	keep, cancel := recording(ctx)
	defer cancel()
	return r.Store.Delivered(keep, message, target.Hash, r.hashes(), r.Now())
}

func (r *round) refused(ctx context.Context, t trial, target Target) (Undelivered, error) {
	keep, cancel := recording(ctx)
	defer cancel()
	f := Undelivered{Target: target.Name, Reason: r.oneLine(t.fault.Error()), RetryAt: r.Now().Add(backOff(t.before+1, t.retryAfter()))}
	return f, r.Store.MessageRefused(keep, t.message, f.Target+": "+f.Reason, f.RetryAt)
}

// failed records that a target fails, at the first of what it did not take; each was an attempt.
func (r *round) failed(ctx context.Context, stuck []trial, target Target) (Undelivered, error) {
	keep, cancel := recording(ctx)
	defer cancel()
	why, messages := stuck[0], make([]int64, len(stuck))
	for i, s := range stuck {
		messages[i] = s.message
	}
	now := r.Now()
	t, again := r.failing[target.Hash]
	if !again {
		t.FailingSince = now
	}
	t.Hash, t.Name, t.LastError = target.Hash, target.Name, r.oneLine(why.fault.Error())
	t.Attempts++
	t.RetryAt = now.Add(backOff(t.Attempts, why.retryAfter()))
	return Undelivered{t.Name, t.LastError, t.RetryAt}, r.Store.TargetFailed(keep, t, messages...)
}

// retryAfter is how long the target asked to be left alone.
func (t trial) retryAfter() time.Duration {
	var why *SendError
	if errors.As(t.fault, &why) {
		return why.RetryAfter
	}
	return 0
}

// maxReason bounds what is kept of an error, in characters.
const maxReason = 500

func (r *round) oneLine(text string) string {
	return Cut(oneLine(r.Redact(text)), maxReason)
}

// backOff is how long to wait after that many attempts in vain: 1, 2, 4, 8 and then 15 minutes, or as long as was asked for.
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
