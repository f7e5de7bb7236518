// Package cycle runs one monitoring cycle: Tier 1, the tiers that its handoff leads to, and what must hold afterwards.
//
// Everything that decides is in functions without I/O (policy.go, incident.go, evaluate.go); this file is the order of events.
// A cycle may be killed at any moment: the next one finds what it left (recover.go) and goes on from there.
package cycle

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/claudeops/claudeops/books"
	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/handoff"
	"github.com/claudeops/claudeops/internal/statedir"
	"github.com/claudeops/claudeops/prompts"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/tiers"
)

// LockName is the file in the state directory that a running cycle holds by flock.
const LockName = "cycle.lock"

// Cycle holds the parts of one monitoring cycle. Of its Books, Run opens Store and Ledger itself. Progress may be nil;
// everything else is required.
type Cycle struct {
	books.Books
	Environ    []string // the operator's environment, from which the agent's is built
	Credential config.Credential
	Prompts    *prompts.Set
	Hooks      tiers.Hooks // the operator's own, from CLAUDEOPS_HOOKS
	Trigger    string      // manual, cron, systemd or kubernetes
	Log        *slog.Logger
	Progress   func(session store.Session, p tiers.Progress)

	before  *statefile.State // cooldown.json as this cycle found it
	healthy map[string]int   // consecutive healthy cycles by service, as evaluated; empty before that
	found   []evaluation
	summary Summary
}

// ErrRunning says that another cycle runs on the same state directory.
var ErrRunning = errors.New("another cycle is running")

// Run runs the cycle. Where another one holds the lock it returns ErrRunning and has touched nothing; where ctx ends,
// the tier is stopped and recorded, and the cycle is closed as after any other. An error means that the cycle could not keep
// its records; that a tier failed is in the Summary.
func (c *Cycle) Run(ctx context.Context) (Summary, error) {
	release, err := Lock(c.Config.StateDir)
	if err != nil {
		return Summary{}, err
	}
	c.healthy = map[string]int{}
	c.summary = Summary{StartedAt: c.Now(), Trigger: c.Trigger, DryRun: c.Config.DryRun}
	// What must be kept is kept although ctx ended: a signal stops the agent, not the records.
	err = c.locked(ctx, context.WithoutCancel(ctx))
	c.summary.DurationMS = c.Now().Sub(c.summary.StartedAt).Milliseconds()
	return c.summary, errors.Join(err, release())
}

// Lock takes the lock of cycles on a state directory, or returns ErrRunning at once.
func Lock(stateDir string) (release func() error, err error) {
	lock, err := statedir.TryAcquire(filepath.Join(stateDir, LockName))
	if err == nil {
		// An agent could remove that file; the directory it cannot.
		var dir *os.File
		if dir, err = statedir.TryAcquireDir(stateDir); err == nil {
			return func() error { return errors.Join(dir.Close(), lock.Release()) }, nil
		}
		err = errors.Join(err, lock.Release())
	}
	if errors.Is(err, statedir.ErrLocked) {
		err = fmt.Errorf("%w on %s", ErrRunning, stateDir)
	}
	return nil, err
}

func (c *Cycle) locked(ctx, keep context.Context) (err error) {
	opened, err := books.Open(keep, c.Config, c.Redactor, c.Now, store.Migrate)
	if err != nil {
		return err
	}
	c.Books = *opened
	c.Ledger.Seize()
	defer func() { err = errors.Join(err, c.Close()) }()
	if err := c.recover(keep); err != nil {
		return err
	}
	return errors.Join(c.chain(ctx, keep), c.finish(keep))
}

// chain runs Tier 1 and whatever its handoff leads to.
func (c *Cycle) chain(ctx, keep context.Context) error {
	var parent *link
	for tier := 1; tier != 0; {
		done, err := c.tier(ctx, keep, tier, parent)
		if err != nil {
			return err
		}
		if tier == 1 {
			if err := c.evaluate(keep, done); err != nil {
				return err
			}
		}
		if tier, err = c.next(ctx, keep, done); err != nil {
			return err
		}
		parent = done
	}
	return nil
}

// next decides what follows a tier, carries the decision out and returns the tier to start, or 0.
func (c *Cycle) next(ctx, keep context.Context, done *link) (int, error) {
	if done.handoff == nil {
		return 0, c.ended(keep, done)
	}
	if ctx.Err() != nil {
		return 0, c.say(keep, store.Warning, done.session.ID, "", "no further tier: "+context.Cause(ctx).Error())
	}
	done.services = union(done.services, done.handoff.ServicesAffected)
	if err := c.linkAll(keep, done, done.handoff.InvestigationFindings, done.handoff.RemediationAttempted); err != nil {
		return 0, err
	}
	s, err := c.situation(keep, done)
	if err != nil {
		return 0, err
	}
	v := decide(s)
	level := store.Info
	if v.attention != "" {
		level = store.Critical
	}
	if err := c.say(keep, level, done.session.ID, "", v.reason); err != nil {
		return 0, err
	}
	switch {
	case v.next != 0:
		c.summary.escalated()
		return v.next, c.Store.SetSessionStatus(keep, done.session.ID, store.Escalated)
	case v.attention != "":
		return 0, c.askHuman(keep, done, v)
	case v.waits:
		for _, name := range done.handoff.ServicesAffected {
			c.summary.needHuman(name, v.reason) // who was asked before
		}
	}
	return 0, nil
}

// union adds the names that are new.
func union(names, more []string) []string {
	all := slices.Clone(names)
	for _, name := range more {
		if !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}

// link is one tier of the chain, after it has ended.
type link struct {
	session  store.Session
	services []string // what the chain is about: what each handoff so far has named; nil before the first
	outcome  tiers.Outcome
	handoff  *handoff.Handoff // nil where it left none that counts
	invalid  bool             // it left one that could not be read
}

// situation gathers what the decision depends on.
func (c *Cycle) situation(keep context.Context, done *link) (situation, error) {
	s := situation{
		tier: done.session.Tier, handoff: *done.handoff, dryRun: c.Config.DryRun, maxTier: c.Config.MaxTier,
		usedUp: map[string]bool{}, waiting: map[string]time.Time{},
	}
	left, limited, err := c.budgetLeft(keep)
	if err != nil {
		return s, err
	}
	s.overSpent = limited && left <= 0
	open, err := c.Store.OpenIncidents(keep)
	if err != nil {
		return s, err
	}
	limits, err := c.Limits(keep)
	if err != nil {
		return s, err
	}
	for _, name := range s.handoff.ServicesAffected {
		restart, redeployment, err := limits.Both(keep, name)
		if err != nil {
			return s, err
		}
		s.usedUp[name] = !restart.Permitted() && !redeployment.Permitted()
		if at, waits := waitsUntil(open[name], c.Now()); waits {
			s.waiting[name] = at
		}
	}
	return s, nil
}

// budgetLeft is what may still be spent of the day's budget; limited is false where there is none.
func (c *Cycle) budgetLeft(keep context.Context) (left float64, limited bool, err error) {
	if c.Config.DailyBudgetUSD == 0 {
		return 0, false, nil
	}
	spent, err := c.Store.CostSince(keep, c.Now().Add(-24*time.Hour))
	return c.Config.DailyBudgetUSD - spent, true, err
}

// evaluate carries what Tier 1 found into health checks, counters and incidents (DESIGN.md §4 "Consecutive healthy").
func (c *Cycle) evaluate(keep context.Context, done *link) error {
	results, affected, err := c.results(keep, done)
	if err != nil {
		return err
	}
	c.found = evaluate(results, affected)
	c.summary.found(c.found)
	var reset []string
	if err := c.Ledger.Clear(keep, func(st *statefile.State) []string {
		reset = count(st, c.before, c.found)
		for name, svc := range st.Services {
			c.healthy[name] = svc.ConsecutiveHealthy
		}
		return reset
	}); err != nil {
		return err
	}
	if err := c.trackIncidents(keep, done, reset); err != nil {
		return err
	}
	return c.queueDigest(keep)
}

// finish writes last_run (SPEC-0007 REQ-8) and prunes.
func (c *Cycle) finish(keep context.Context) error {
	now := c.Now()
	err := c.Ledger.Update(keep, func(st *statefile.State) error {
		st.LastRun = &statefile.Time{Time: now}
		return nil
	})
	return errors.Join(err, c.prune(keep, now))
}

// say records a decision where people look for it: as an event and in the log. session 0 is none.
func (c *Cycle) say(ctx context.Context, level store.Level, session int64, service, message string) error {
	logLevel := map[store.Level]slog.Level{store.Warning: slog.LevelWarn, store.Critical: slog.LevelError}[level]
	attrs := []slog.Attr{}
	if session != 0 {
		attrs = append(attrs, slog.Int64("session", session))
	}
	if service != "" {
		attrs = append(attrs, slog.String("service", service))
	}
	c.Log.LogAttrs(ctx, logLevel, message, attrs...)
	event := store.Event{Level: level, Service: service, Message: c.Redactor.String(message), CreatedAt: c.Now()}
	if session != 0 {
		event.SessionID = &session
	}
	return c.Store.AddEvent(ctx, event)
}

// tell records what the ledger had to mend.
func (c *Cycle) tell(ctx context.Context, session int64, notices []store.Notice) error {
	var erased bool
	for _, n := range notices {
		if err := c.say(ctx, n.Level, session, n.Service, n.Message); err != nil {
			return err
		}
		erased = erased || n.Erased
	}
	if !erased {
		return nil
	}
	return c.Notify(ctx, store.Notification{
		Kind: store.HumanAttention, Cause: string(books.RecordsErased), Title: "Cooldown records had been erased",
		Body: fmt.Sprintf("An agent removed or altered records in cooldown.json; they were put back. See `claudeops events --session %d`.", session),
	})
}
