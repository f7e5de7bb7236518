// Package cycle runs one monitoring cycle:
//
//	lock → crash recovery → stale handoff removed → Tier 1 → [handoff → Tier 2] → [handoff → Tier 3]
//	     → digest and notifications delivered → last_run written
//
// This file is the order of events. What follows from something is decided by Plan, a pure function of a Round, which has how everything is
// (state.State) and what the cycle found (plan.go; plan_found.go: incidents, whose rules stand with store.Incident; plan_chain.go and
// plan_verdict.go: tiers; plan_aid.go: first aid; plan_approval.go: what people approved; plan_closing.go: the end). A Decision is carried
// out, step by step, in the transaction in which it was made (step.go), and then what it says comes next, until nothing does. tier.go runs a
// tier in a workplace (workplace.go), session.go settles its results, prove.go makes the checks after it, and watch.go keeps checking.
//
// A cycle may be killed at any moment. The next one recovers its state (recover.go) and continues.
package cycle

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"strings"
	"time"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/internal/statedir"
	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/metrics"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/prompts"
	"github.com/claudeops/claudeops/query"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/tiers"
)

// Cycle holds the parts of one monitoring cycle. Run opens the Store of its Records. Progress and fields marked so may be nil or
// empty; everything else is required.
//
// The signal that ends the cycle ends the context of its methods, and so agents, checks and deliveries. What is recorded then still is
// (store.ReadWrite).
type Cycle struct {
	ledger.Records
	Environ     []string // the operator's environment; the agent's is built from it
	SecretFiles []string // files that no agent may read; see config.Environment.SecretFiles
	Credential  config.Credential
	Prompts     *prompts.Set
	Observer    config.Agency  // what runs Tier 1: Claude or Probe
	Asked       Asked          // the person's request; zero for a scheduled cycle
	NoModel     string         // why no model can be started; empty if one can
	Courier     notify.Courier // sends the messages; nil to send none
	Exporter    metrics.Exporter
	Started     func()       // called once the cycle holds the lock; may be nil
	Table       *guard.Table // of what agents may look with
	Shim        string       // path of claudeops-shim; empty if it is not installed: no agent runs
	// Own runs a command of this program for an agent, in this process, and returns its exit status.
	Own func(ctx context.Context, c config.Config, args []string, in io.Reader, out, faults io.Writer) int
	// Alive is called each minute while a tier runs; may be nil. If After is nil, time.After is used.
	Alive    func(ctx context.Context)
	After    func(time.Duration) <-chan time.Time
	Trigger  string // one of store.Triggers
	Log      *slog.Logger
	Progress func(session store.Session, p tiers.Progress)

	findings
}

// findings are what a cycle has found and done so far.
type findings struct {
	before     *statefile.State // cooldown.json as it was when the cycle began
	unfinished []int64          // the sessions of Tier 1 in the killed or interrupted cycles since the last complete one
	looked     time.Time        // when the checks last ran

	databases *query.Asker // knows the accounts of databases
	summary   Summary
	loud      bool // an event of this cycle, outside its sessions, is above level info
}

// ErrRunning means that another cycle runs on the same state directory.
var ErrRunning = errors.New("another cycle is running")

// Run runs the cycle. If another cycle holds the lock, it returns ErrRunning and changes nothing. If ctx ends, the running tier is
// stopped and recorded, and the cycle is closed as usual. An error means that the cycle could not keep its records; the failure of a tier
// is in the Summary.
func (c *Cycle) Run(ctx context.Context) (Summary, error) {
	release, err := Lock(c.Config.StateDir)
	if err != nil {
		return Summary{}, err
	}
	c.begin()
	if c.Started != nil {
		c.Started()
	}
	err = c.locked(ctx)
	var unusable *store.UnusableError
	if errors.As(err, &unusable) { // found after the database was opened
		if failed := c.setAside(ctx, unusable); failed != nil {
			err = errors.Join(err, failed)
		} else {
			err = fmt.Errorf("the database became unusable (%s) while the cycle ran; the next cycle goes on with the new one", unusable.Why)
		}
	}
	c.summary.DurationMS = c.Now().Sub(c.summary.StartedAt).Milliseconds()
	return c.summary, errors.Join(err, release())
}

func (c *Cycle) begin() {
	c.looked = c.Now()
	c.summary = Summary{StartedAt: c.Now(), Trigger: c.Trigger, DryRun: c.Config.DryRun}
}

// Lock takes the cycle lock of a state directory, or returns ErrRunning at once.
func Lock(stateDir string) (release func() error, err error) {
	lock, err := statedir.TryAcquire(filepath.Join(stateDir, statedir.CycleLock))
	if err == nil {
		return lock.Release, nil
	}
	if errors.Is(err, statedir.ErrLocked) {
		err = fmt.Errorf("%w on %s", ErrRunning, stateDir)
		if by, held := statedir.CycleHolder(stateDir); held {
			err = fmt.Errorf("%w: %s", err, by)
			if by.Stopped {
				err = fmt.Errorf("%w (%s)", err, strings.Join(by.Remedies(), ", "))
			}
		}
	}
	return nil, err
}

// locked runs the cycle while it holds the lock: it recovers what a killed cycle left, delivers pending messages, runs Tier 1 and the
// tiers that it asks for, delivers the results, and writes last_run even if a step failed.
func (c *Cycle) locked(ctx context.Context) (err error) {
	if err := c.open(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	if err := c.answerWake(); err != nil {
		return err
	}
	if err := inOrder(ctx, c.Store.LimitSilences, c.recover, c.endProposals); err != nil {
		return err
	}
	// Delivering the last cycle's messages may take a third of NotifyTimeout. If it fails, monitoring continues.
	early := c.Config.NotifyTimeout / 3
	undelivered := c.deliver(ctx, early, true)
	err = c.chain(ctx)
	if c.asked() {
		c.Inventory = c.Asked.Whole // the following steps cover all services
	}
	if err == nil {
		err = inOrder(ctx, c.conclude, c.queueDigest) // digest last
	}
	if unusable := (*store.UnusableError)(nil); errors.As(err, &unusable) {
		return err
	}
	err = errors.Join(undelivered, err, c.deliver(ctx, c.Config.NotifyTimeout-early, false))
	outcome := store.CycleCompleted
	switch {
	case ctx.Err() != nil:
		outcome = store.CycleInterrupted
	case err != nil || c.summary.Failed():
		outcome = store.CycleFailed
	}
	return errors.Join(err, c.summarize(ctx), c.finish(ctx, outcome), c.export(ctx))
}

// answerWake removes the request for a cycle, which this one answers unless it is about certain services: all that caused the request is
// recorded by now.
func (c *Cycle) answerWake() error {
	if c.asked() {
		return nil
	}
	_, err := statedir.TakeWake(c.Config.StateDir)
	return err
}

// inOrder runs steps until one fails.
func inOrder(ctx context.Context, steps ...func(context.Context) error) error {
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// chain runs Tier 1 and the tiers that its handoff leads to.
func (c *Cycle) chain(ctx context.Context) error {
	if err := c.expireAlerts(ctx); err != nil {
		return err
	}
	done, err := c.tier(ctx, newRun(1, c.observer(), nil))
	if err != nil {
		return err
	}
	if err := c.recordEvaluations(ctx, done); err != nil {
		return err
	}
	if c.Asked.Tier > 1 && done.outcome.Ending == tiers.Completed && ctx.Err() == nil {
		if err := c.handOver(ctx, done); err != nil {
			return err
		}
	}
	for {
		tier, err := c.follow(ctx, done)
		if err != nil || tier == 0 {
			return err
		}
		if done, err = c.tier(ctx, newRun(tier, agentClaude, done)); err != nil {
			return err
		}
	}
}

// recordEvaluations records Tier 1's findings in counters and incidents (RULE "Consecutive healthy").
func (c *Cycle) recordEvaluations(ctx context.Context, done *tierRun) error {
	if err := c.Store.SeeAlerts(ctx, done.session.ID); err != nil {
		return err
	}
	_, err := c.plan(ctx, Observed, done, func(r *Round) { r.SaidNothing = c.saidNothing(done) })
	return err
}

// picture reads how everything is now.
func (c *Cycle) picture(ctx context.Context) (*state.State, error) {
	return state.Of(ctx, &c.Records)
}

// mended is picture where cooldown.json may be corrupt.
func (c *Cycle) mended(ctx context.Context) (*state.State, error) {
	now, _, err := state.Mended(ctx, &c.Records)
	return now, err
}

// began returns when the cycle began, as the store keeps times.
func (c *Cycle) began() time.Time { return c.summary.StartedAt.Truncate(time.Millisecond) }

// finish writes last_run (SPEC-0007 REQ-8) and the outcome of the cycle, and prunes old records.
func (c *Cycle) finish(ctx context.Context, outcome string) error {
	now := c.Now()
	err := c.UpdateState(ctx, func(st *statefile.State) error {
		st.LastRun = new(now)
		return nil
	})
	err = errors.Join(err, c.Store.AddCycle(ctx, store.CycleRow{
		Trigger: c.Trigger, Outcome: outcome, StartedAt: c.summary.StartedAt, DurationMS: now.Sub(c.summary.StartedAt).Milliseconds(),
	}))
	quiet, failed := c.beQuiet(ctx)
	err = errors.Join(err, failed, c.prune(ctx, now))
	if !quiet { // it left no log
		err = errors.Join(err, c.limitLogs())
	}
	return err
}

// beQuiet closes the record of a quiet cycle: a scheduled one that only ran the program's own checks, without events. If the cycle before
// it found the same, almost nothing of it is kept.
func (c *Cycle) beQuiet(ctx context.Context) (bool, error) {
	if c.Trigger == "manual" || c.loud || len(c.summary.Tiers) != 1 || len(c.summary.Recovered) > 0 {
		return false, nil
	}
	only := c.summary.Tiers[0]
	if only.Agent != agentProbe || only.Status != store.Completed {
		return false, nil
	}
	return c.Store.QuietSession(ctx, only.Session)
}

// event records a decision as an event and in the log. Session 0 means none.
func (c *Cycle) event(ctx context.Context, level store.Level, session int64, service, message string) error {
	c.loud = c.loud || level != store.Info && session == 0
	return c.note(ctx, level, session, service, message)
}

// note is like event, but does not stop the cycle from being quiet.
func (c *Cycle) note(ctx context.Context, level store.Level, session int64, service, message string) error {
	logger, row := c.Log, store.Event{Level: level, Service: service, Message: c.Redactor.String(message), CreatedAt: c.Now()}
	if session != 0 {
		logger, row.SessionID = logger.With("session", session), &session
	}
	if service != "" {
		logger = logger.With("service", service)
	}
	logLevel := map[store.Level]slog.Level{store.Warning: slog.LevelWarn, store.Critical: slog.LevelError}[level]
	logger.Log(ctx, logLevel, message)
	return c.Store.AddEvent(ctx, row)
}

// follow carries out what follows a tier but for the next tier, and returns that; 0 if none is started.
func (c *Cycle) follow(ctx context.Context, done *tierRun) (tier int, err error) {
	if done.handoff != nil {
		done.services = union(done.services, done.handoff.ServicesAffected)
	}
	if err := c.prove(ctx, done); err != nil {
		return 0, err
	}
	for {
		d, err := c.plan(ctx, Ended, done, nil)
		if err != nil {
			return 0, err
		}
		switch d.next.Do {
		case Again:
		case Run:
			err = c.runProposal(ctx, d.next.Proposal)
		case Start:
			done.services, done.handoff = d.services, d.handoff
			return d.next.Tier, nil
		case Aid:
			err = c.giveFirstAid(ctx, done, d.next.Service)
		default:
			return 0, nil
		}
		if err != nil {
			return 0, err
		}
	}
}
