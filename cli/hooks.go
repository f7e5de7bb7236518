package cli

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/claudeops/claudeops/hooks"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/store"
)

// The program's names. Called as claude-hooks, a link to it, it has only the hooks commands.
const (
	ownName   = "claudeops"
	hooksName = "claude-hooks"
)

// hooksFlags are the flags of all hooks commands.
type hooksFlags struct {
	config string
	state  string
}

func (f *hooksFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.config, "config", "", "read settings from this `FILE` instead of ~/.claude/guardrails.yaml")
	flags.StringVar(&f.state, "state-file", "", "keep the state of hooks in this `FILE` instead of ~/.claude/hook_state.json")
}

func init() { addCommand((*app).hooksCommand) }

// hooksCommand returns the hooks command, or the whole program if that is its name.
func (a *app) hooksCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "hooks",
		Short: "A circuit breaker for the hooks of Claude Code",
		Long: `A hook that fails, is shown to the agent, is answered and fails again costs money until somebody looks. Behind the circuit
breaker it is switched off for a while after some failures in a row, and tried again when that has passed.

"` + a.hooks("install") + `" puts the hooks of a settings file behind it, "` + a.hooks("health") + `" shows
what is switched off and why. A hook is addressed by a short name, by a part of its command that is in no other, or by all of it.`,
	}
	if a.program == hooksName {
		c.Use = hooksName
	}
	a.hookFlags.add(c.PersistentFlags())
	c.AddCommand(
		a.hooksRunCommand(),
		a.hooksHealthCommand(),
		a.hooksListCommand(),
		a.hooksLogCommand(),
		a.hooksConfigCommand(),
		a.hooksResetCommand(),
		a.hooksEnableCommand(),
		a.hooksDisableCommand(),
		a.hooksInstallCommand(),
		a.hooksUninstallCommand(),
		a.hooksMetricsCommand(),
	)
	if a.program == hooksName {
		c.AddCommand(a.versionCommand())
	}
	return c
}

// hooks returns the command line of a hooks command for the name of this program.
func (a *app) hooks(words string) string {
	line := a.program + " hooks " + words
	if a.program == hooksName {
		line = hooksName + " " + words
	}
	if a.hookFlags.config != "" {
		line += " --config " + text.ShellWord(a.hookFlags.config)
	}
	if a.hookFlags.state != "" {
		line += " --state-file " + text.ShellWord(a.hookFlags.state)
	}
	return line
}

// circuits is the circuit breaker. It needs neither the configuration nor the database of claudeops.
type circuits struct {
	config *hooks.Config
	file   *hooks.File
	log    *hooks.Log
	alert  func(context.Context, []hooks.Change) error // notifies people of changes
}

func (a *app) circuits(flags hooksFlags) circuits {
	home, err := os.UserHomeDir()
	if err != nil {
		home = "" // the settings report the consequence
	}
	config := hooks.LoadConfig(flags.config, os.Environ(), home)
	if flags.state != "" {
		if config.StateFile, err = filepath.Abs(flags.state); err != nil {
			config.StateFile = "" // the directory that it is relative to is gone
		}
	}
	return circuits{
		config: config,
		file:   &hooks.File{Path: config.StateFile, Now: a.Now, Random: rand.Float64, Policy: config.Policy, Parents: config.Parents},
		log:    config.OpenLog(a.Now),
		alert:  a.hookAlert,
	}
}

// noHook stands for the hook in log lines about none or all hooks.
const noHook = "-"

// report returns the state of all hooks and its evaluation.
func (c circuits) report(ctx context.Context) (hooks.Health, hooks.Report, error) {
	report, err := c.file.HealthReport(ctx)
	if err != nil {
		return hooks.Health{}, hooks.Report{}, err
	}
	for _, note := range report.Notes {
		c.log.Warning(noHook, note)
	}
	c.changed(ctx, report.Changes)
	return c.config.Examine(report), report, nil
}

// changed reports changed circuits to the log and to people.
func (c circuits) changed(ctx context.Context, changes []hooks.Change) {
	for _, change := range changes {
		c.log.Info(change.Hook, change.String())
	}
	c.notify(ctx, changes)
}

// updateMetrics updates the metrics file, if there is one. Errors are only logged.
func (c circuits) updateMetrics(ctx context.Context, now time.Time, changed bool) {
	if c.config.MetricsFile == "" {
		return
	}
	if err := c.file.ExportMetrics(ctx, c.config.MetricsFile, now, changed); err != nil {
		c.log.Error(noHook, "metrics file: "+err.Error())
	}
}

// alertTime limits how long notifying people of circuits may delay a command or a hook.
const alertTime = 5 * time.Second

// notify notifies people of opened or closed circuits if the settings ask for it. Errors are logged.
func (c circuits) notify(ctx context.Context, changes []hooks.Change) {
	news := slices.DeleteFunc(slices.Clone(changes), func(change hooks.Change) bool { return change.To != hooks.Open && change.To != hooks.Closed })
	if !c.config.Alert || len(news) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, alertTime)
	defer cancel()
	if err := c.alert(ctx, news); err != nil {
		c.log.Error(news[0].Hook, "the circuit changed, and no message could be queued: "+err.Error())
	}
}

// switched reports an operator's change of a hook: in the log, in the metrics, and as the answer.
func (a *app) switched(ctx context.Context, c circuits, command, done, said string) error {
	c.log.Info(command, done)
	c.updateMetrics(ctx, a.Now(), true)
	if a.json {
		return a.printHook(ctx, c, command)
	}
	return a.print(said)
}

// printHook prints a hook as JSON.
func (a *app) printHook(ctx context.Context, c circuits, command string) error {
	h, err := a.findHook(ctx, c, command)
	if err != nil {
		return err
	}
	return a.printJSON(h)
}

// hookAlert notifies people of opened circuits through the records of claudeops: as an event and a notification in the outbox, which the
// next cycle delivers.
func (a *app) hookAlert(ctx context.Context, changes []hooks.Change) error {
	l, err := a.load()
	if err != nil {
		return err
	}
	if err := stateDirectory(l.config.StateDir); err != nil {
		return err
	}
	b, err := records.Open(ctx, l.config, l.redactor, a.Now, store.ReadWrite)
	if err != nil {
		return err
	}
	return errors.Join(b.CircuitsChanged(ctx, changes), b.Close())
}
