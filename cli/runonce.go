package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strings"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/books"
	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/cycle"
	"github.com/claudeops/claudeops/prompts"
	"github.com/claudeops/claudeops/tiers"
)

// exitAttention is what run-once --strict exits with where a service needs a human.
const exitAttention = 3

func (a *app) runOnceCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "run-once",
		Short: "Run one monitoring cycle and exit",
		Long: `run-once runs one monitoring cycle: Tier 1 observes; where it hands off, Tier 2 investigates and Tier 3 remediates. It ends
with a summary on standard output.

Exit codes: 0 the cycle ran, whatever the services' health; 1 a tier failed; 2 configuration; 75 another cycle is running;
128+n ended by signal n. With --strict, 3 means that a service needs a human.`,
		Args: takes(),
	}
	trigger := words("manual", "cron", "systemd", "kubernetes")
	trigger.word = "manual"
	c.Flags().Var(trigger, "trigger", "what started it, by `NAME`: manual, cron, systemd or kubernetes")
	strict := c.Flags().Bool("strict", false, "exit 3 where a service needs a human")
	c.RunE = func(c *cobra.Command, _ []string) error {
		summary, err := a.runOnce(c.Context(), trigger.word)
		if err := errors.Join(err, a.writeSummary(summary, err)); err != nil {
			return err
		}
		switch {
		case summary.Failed():
			return &exitError{code: exitFault}
		case *strict && len(summary.Attention) > 0:
			return &exitError{code: exitAttention}
		}
		return nil
	}
	return c
}

// runOnce runs the cycle. Its error is whatever kept the cycle from its end, a signal too; that a tier failed is in the summary.
func (a *app) runOnce(ctx context.Context, trigger string) (cycle.Summary, error) {
	l, err := a.load()
	if err != nil {
		return cycle.Summary{}, err
	}
	set, err := readyToRun(l)
	if err != nil {
		return cycle.Summary{}, &exitError{exitUsage, err}
	}
	hooks, err := ownHooks(l.config)
	if err != nil {
		return cycle.Summary{}, &exitError{exitUsage, err}
	}
	show := newProgress(a.Err, a.Now)
	run := cycle.Cycle{
		Books:   books.Books{Config: l.config, Redactor: l.redactor, Now: a.Now},
		Environ: l.environment.Environ(), Credential: l.environment.Credential(), Prompts: set, Hooks: hooks, Trigger: trigger,
		Log: newLogger(show, l.config.LogFormat, l.config.LogLevel, l.redactor), Progress: show.update,
	}
	summary, err := run.Run(ctx)
	show.end()
	switch {
	case errors.Is(err, cycle.ErrRunning):
		return summary, &exitError{exitLocked, fmt.Errorf("%w; nothing was started", err)}
	case err == nil && ctx.Err() != nil:
		return summary, context.Cause(ctx)
	}
	return summary, err
}

// readyToRun checks, before anything is touched, that there is something to run with and somewhere to keep what it does.
func readyToRun(l *loaded) (*prompts.Set, error) {
	if err := agentFault(l.config, l.environment.Credential()); err != nil {
		return nil, err
	}
	set, err := prompts.Open(l.config.PromptsDir)
	if err != nil {
		return nil, fmt.Errorf("CLAUDEOPS_PROMPTS_DIR: %w", err)
	}
	if err := guardFault(l.config); err != nil {
		return nil, err
	}
	for _, dir := range []struct{ name, path string }{{"STATE_DIR", l.config.StateDir}, {"RESULTS_DIR", l.config.ResultsDir}} {
		if err := usable(dir.path); err != nil {
			return nil, fmt.Errorf("CLAUDEOPS_%s=%q: not a directory that can be written: %w", dir.name, dir.path, err)
		}
	}
	return set, nil
}

// ownHooks are the operator's hooks for every tier.
func ownHooks(c config.Config) (tiers.Hooks, error) {
	own, err := tiers.ReadHooks(c.Hooks)
	if err != nil {
		return nil, fmt.Errorf("CLAUDEOPS_HOOKS: %w", err)
	}
	return own, nil
}

// usable makes a directory where there is none, and tries whether files can be made in it.
func usable(dir string) error {
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".claudeops-*")
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		return path.Err // its name tells nobody anything
	}
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// What to do about an agent that cannot run.
const (
	installAgent   = "install it with `npm install -g @anthropic-ai/claude-code`, or name it in CLAUDEOPS_CLAUDE_BIN"
	giveCredential = "give it a credential: ANTHROPIC_API_KEY, ANTHROPIC_API_KEY_FILE, CLAUDE_CODE_OAUTH_TOKEN, or log in with `claude`"
)

// agentFault says why no cycle can run with what is configured, and how to mend what is missing.
func agentFault(c config.Config, credential config.Credential) error {
	if c.Tier1Agent == config.Probe {
		return errors.New("CLAUDEOPS_TIER1_AGENT=probe: this version has no probes yet, so there is nothing to observe with; set it to claude")
	}
	_, err := exec.LookPath(c.ClaudeBin)
	anonymous := c.Tier1Agent == config.Auto && credential.Kind == config.None
	var remedies []string
	switch {
	case err != nil:
		err = fmt.Errorf("no agent to run with: CLAUDEOPS_CLAUDE_BIN=%q: %w", c.ClaudeBin, err)
		remedies = append(remedies, installAgent)
	case anonymous:
		err = errors.New("no credential for the agent program: nothing could be observed")
	default:
		return nil
	}
	if anonymous {
		remedies = append(remedies, giveCredential)
	}
	remedies = append(remedies, "`claudeops doctor` shows what is found")
	return fmt.Errorf("%w\n%s", err, strings.Join(remedies, ";\n"))
}
