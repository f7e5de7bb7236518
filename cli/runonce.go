package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/cycle"
	"github.com/claudeops/claudeops/internal/flags"
	"github.com/claudeops/claudeops/internal/statedir"
	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/metrics"
	"github.com/claudeops/claudeops/prompts"
	"github.com/claudeops/claudeops/sandbox"
	"github.com/claudeops/claudeops/store"
)

// exitAttention is the exit code of run-once --strict if a service needs a human.
const exitAttention = 3

func init() { addCommand((*app).runOnceCommand) }

func (a *app) runOnceCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "run-once",
		Short: "Run one monitoring cycle and exit",
		Long: `run-once runs one monitoring cycle: Tier 1 observes; where it hands off, Tier 2 investigates and Tier 3 remediates. It ends
with a summary on standard output. Tier 1 is a model or, by CLAUDEOPS_TIER1_AGENT, the checks of the inventory themselves.

With --service it is about these services and what they depend on, whatever their state: what they find is recorded as in any cycle,
and others, the heartbeat and the schedule are left as they are. --prompt asks a model of Tier 1, or of --tier, a question of
yours.

Exit codes: 0 the cycle ran, whatever the services' health; 1 a tier failed; 2 configuration; 75 another cycle is running;
128+n ended by signal n. With --strict, 3 means that a service needs a human.`,
		Example: "  claudeops run-once\n  claudeops run-once --service shop --prompt 'why is it slow since noon?'\n  claudeops run-once --service shop --tier 2",
	}
	var trigger string
	flags.Var(c.Flags(), &trigger, "trigger", "manual", "what started it, by `NAME`: manual, cron, systemd, kubernetes, alert or approval",
		flags.OneOf(store.Triggers()...))
	strict := c.Flags().Bool("strict", false, "exit 3 where a service needs a human")
	var question asked
	question.addTo(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		want, err := a.wanted(question, c.Flags())
		if err != nil {
			return &exitError{exitUsage, err}
		}
		summary, err := a.runOnce(c.Context(), trigger, want)
		if err := errors.Join(err, a.writeSummary(summary, err)); err != nil {
			return err
		}
		if *strict && len(summary.Attention) > 0 && !summary.Failed() {
			return &exitError{code: exitAttention}
		}
		return failUnless(!summary.Failed())
	}
	return c
}

// runOnce runs the cycle. Its error is whatever kept the cycle from completing, including a signal; a tier's failure is in the summary. A
// heartbeat monitor is told everything except a wrong command line, and except that another cycle runs, unless that one hangs.
func (a *app) runOnce(ctx context.Context, trigger string, want cycle.Asked) (summary cycle.Summary, err error) {
	l, err := a.load()
	beat := a.heartbeat(l)
	alive := beat.alive
	if want.Services != nil {
		beat = nil // such a cycle does not show that the schedule's run; while it works, all are watched
	}
	if err == nil {
		summary, err = a.runWith(ctx, l, beat, alive, trigger, want)
	}
	if errors.Is(err, cycle.ErrRunning) {
		by, _ := statedir.CycleHolder(l.config.StateDir)
		if why := a.hangs(l.config, by); why != "" {
			beat.end(ctx, false, why)
			a.notifyHanging(ctx, l, by, why)
		}
		return summary, &exitError{exitLocked, fmt.Errorf("%w; nothing was started", err)}
	}
	beat.end(ctx, err == nil && !summary.Failed(), a.beatText(summary, err))
	var chosen *exitError
	if invalid := (*config.InvalidError)(nil); want.Services == nil && (errors.As(err, &invalid) || errors.As(err, &chosen) && chosen.code == exitUsage) {
		return summary, a.notStarted(ctx, l, err)
	}
	if err == nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return summary, err
}

func (a *app) runWith(ctx context.Context, l *loaded, beat *heartbeat, alive func(context.Context), trigger string, want cycle.Asked) (cycle.Summary, error) {
	set, err := readyToRun(l)
	if err != nil {
		return cycle.Summary{}, &exitError{exitUsage, err}
	}
	inv, err := readInventory(l.config)
	if err != nil {
		return cycle.Summary{}, &exitError{exitUsage, err}
	}
	a.hide(l, inv)
	if want.Services != nil {
		if inv, err = narrow(l, inv, &want); err != nil {
			return cycle.Summary{}, &exitError{exitUsage, err}
		}
	}
	watch, err := observe(l.config, l.environment.Credential(), inv)
	if err != nil {
		return cycle.Summary{}, &exitError{exitUsage, err}
	}
	if text := watch.loudly(l.config); text != "" {
		l.log.Warn(text)
	}
	if watch.is == config.Probe && !inv.HasChecks() {
		l.log.Warn("no service has checks: only alerts tell how they are")
	}
	known, err := l.table()
	if err != nil {
		return cycle.Summary{}, err
	}
	shim, _ := sandbox.FindShim() // without it no model starts, which was reported already
	doing := &tierProgress{now: a.Now}
	defer a.showProgress(l, doing.text)()
	run := cycle.Cycle{
		Records:  ledger.Records{Config: l.config, Redactor: l.redactor, Now: a.Now, Inventory: inv},
		Observer: watch.is, Asked: want, NoModel: watch.noModel, Table: known, Shim: shim, Own: a.forAgent,
		Courier: a.courier(l), Exporter: metrics.Exporter{Version: VersionName()}, Started: func() { beat.begin(ctx) }, Alive: alive,
		Environ: l.environment.Environ(), SecretFiles: l.environment.SecretFiles(), Credential: l.environment.Credential(), Prompts: set, Trigger: trigger,
		Log: l.log, Progress: doing.update,
	}
	return run.Run(ctx)
}

// readyToRun checks, before any change, that there is something to run and somewhere to store the results.
func readyToRun(l *loaded) (*prompts.Set, error) {
	set, err := prompts.Open(l.config.PromptsDir)
	if err != nil {
		return nil, fmt.Errorf("CLAUDEOPS_PROMPTS_DIR: %w", err)
	}
	for _, dir := range []struct{ name, path string }{{"STATE_DIR", l.config.StateDir}, {"RESULTS_DIR", l.config.ResultsDir}} {
		if err := usable(dir.path); err != nil {
			return nil, fmt.Errorf("CLAUDEOPS_%s=%q: not a directory that can be written: %w", dir.name, dir.path, err)
		}
	}
	return set, nil
}

// usable creates a directory if it is missing, and tests whether files can be created in it.
func usable(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".claudeops-*")
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		return path.Err // the name of the test file is meaningless to a reader
	}
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}
