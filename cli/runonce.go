package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/cycle"
	"github.com/claudeops/claudeops/internal/statedir"
	"github.com/claudeops/claudeops/prompts"
)

// Exit codes of run-once alone.
const (
	exitAttention = 3  // with --strict
	exitLocked    = 75 // EX_TEMPFAIL: another cycle runs
)

func (a *app) runOnceCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "run-once",
		Short: "Run one monitoring cycle and exit",
		Long: `run-once runs one monitoring cycle: Tier 1 observes; where it hands off, Tier 2 investigates and Tier 3 remediates. It ends
with a summary on standard output.

Exit codes: 0 the cycle ran, whatever the services' health; 1 a tier failed; 2 configuration; 75 another cycle is running;
128+n ended by signal n. With --strict, 3 means that a service needs a human.`,
		Args: cobra.NoArgs,
	}
	trigger := c.Flags().String("trigger", "manual", "what started it: `manual`, cron, systemd or kubernetes")
	strict := c.Flags().Bool("strict", false, "exit 3 where a service needs a human")
	c.RunE = func(c *cobra.Command, _ []string) error {
		switch *trigger {
		case "manual", "cron", "systemd", "kubernetes":
		default:
			return &exitError{exitUsage, fmt.Errorf("--trigger %q: none of manual, cron, systemd, kubernetes", *trigger)}
		}
		return a.runOnce(c.Context(), *trigger, *strict)
	}
	return c
}

func (a *app) runOnce(ctx context.Context, trigger string, strict bool) error {
	l, err := a.load()
	if err != nil {
		return err
	}
	set, err := a.readyToRun(l)
	if err != nil {
		return &exitError{exitUsage, err}
	}
	show := newProgress(a.Err, a.Now)
	run := cycle.Cycle{
		Books:   cycle.Books{Config: l.config, Redactor: l.redactor, Now: a.Now},
		Environ: l.environment.Environ(), Credential: l.environment.Credential(), Prompts: set, Trigger: trigger,
		Log: newLogger(show, l.config.LogFormat, l.config.LogLevel, l.redactor), Progress: show.update,
	}
	summary, err := run.Run(ctx)
	show.end()
	if errors.Is(err, statedir.ErrLocked) {
		return &exitError{exitLocked, fmt.Errorf("another cycle is running on %s; nothing was started", l.config.StateDir)}
	}
	if err := errors.Join(err, a.writeSummary(summary)); err != nil {
		return err
	}
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case summary.Failed():
		return &exitError{code: exitFault}
	case strict && len(summary.Attention) > 0:
		return &exitError{code: exitAttention}
	}
	return nil
}

// readyToRun checks, before anything is touched, that there is something to run with and somewhere to keep what it does.
func (a *app) readyToRun(l *loaded) (*prompts.Set, error) {
	if err := agentFault(l.config, l.environment.Credential()); err != nil {
		return nil, err
	}
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

// usable makes a directory where there is none, and tries whether files can be made in it.
func usable(dir string) error {
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".claudeops-*")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// agentFault says why no cycle can run with what is configured, and how to mend it.
func agentFault(c config.Config, credential config.Credential) error {
	const remedy = "\ninstall it with `npm install -g @anthropic-ai/claude-code`, or name it in CLAUDEOPS_CLAUDE_BIN;" +
		"\ngive it a credential: ANTHROPIC_API_KEY, ANTHROPIC_API_KEY_FILE, CLAUDE_CODE_OAUTH_TOKEN, or log in with `claude`;" +
		"\n`claudeops doctor` shows what is found"
	if c.Tier1Agent == config.Probe {
		return errors.New("CLAUDEOPS_TIER1_AGENT=probe: this version has no probes yet, so there is nothing to observe with; set it to claude" + remedy)
	}
	_, err := exec.LookPath(c.ClaudeBin)
	switch {
	case err != nil:
		return fmt.Errorf("no agent to run with: CLAUDEOPS_CLAUDE_BIN=%q: %w%s", c.ClaudeBin, err, remedy)
	case c.Tier1Agent == config.Auto && credential.Kind == config.None:
		return errors.New("no credential for the agent program: nothing could be observed" + remedy)
	}
	return nil
}

func (a *app) writeSummary(s cycle.Summary) error {
	if a.json {
		return writeJSON(a.Out, s)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "cycle of %s: %s, %s\n", a.local(s.StartedAt), took(s.DurationMS), usd(s.CostUSD))
	for _, t := range s.Tiers {
		fmt.Fprintf(&b, "  Tier %d  session %-5d %-11s  %8s  %3d turns  %s  %s\n", t.Tier, t.Session, t.Status, took(t.DurationMS), t.NumTurns, usd(t.CostUSD), t.Model)
		if t.Reason != "" {
			fmt.Fprintf(&b, "          %s\n", printable(t.Reason))
		}
	}
	b.WriteString(servicesLine(s))
	if len(s.Attention) > 0 {
		b.WriteString("needs a human:\n")
		for _, n := range s.Attention {
			fmt.Fprintf(&b, "  %s: %s\n", orWatch(n.Service), printable(n.Reason))
		}
	}
	_, err := fmt.Fprint(a.Out, a.redacted(b.String()))
	return err
}

func orWatch(service string) string {
	if service == "" {
		return "claudeops itself"
	}
	return service
}

func (a *app) redacted(s string) string { return a.loaded.redactor.String(s) }

// servicesLine counts the services by status and names those that are not healthy.
func servicesLine(s cycle.Summary) string {
	if len(s.Services) == 0 {
		return "services: none was reported\n"
	}
	healthy, others := 0, []string{}
	for _, svc := range s.Services {
		if svc.Status == "healthy" {
			healthy++
		} else {
			others = append(others, svc.Service+" "+string(svc.Status))
		}
	}
	line := fmt.Sprintf("services: %d healthy", healthy)
	if len(others) > 0 {
		line += "; " + strings.Join(others, ", ")
	}
	return line + "\n"
}
