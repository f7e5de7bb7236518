package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/claudeops/claudeops/hooks"
	"github.com/claudeops/claudeops/hooks/wrapper"
	"github.com/claudeops/claudeops/internal/flags"
)

func (a *app) hooksRunCommand() *cobra.Command { return a.hooksRun(&runFlags{}) }

func (a *app) hooksRun(f *runFlags) *cobra.Command {
	c := &cobra.Command{
		Use:   "run [flags] (-c LINE | -- COMMAND…)",
		Short: "Run a hook behind its circuit breaker, as its command in the settings",
		Long: `run runs a hook and passes everything on untouched: standard input, standard output, standard error and the exit code. What
follows -- is a program and its arguments; the LINE of -c is given to /bin/sh. Where the hook's circuit is open, it is not run: the
exit code is 0, and once a session the user sees a note.

Exit codes: the hook's; 124 it ran into its timeout; 126, 127 it could not be started; 128 and the signal's number where a signal
ended it; 1 for a fault in this command line, because 2 would be a verdict for the agent.`,
		Args: func(_ *cobra.Command, words []string) error {
			switch f.words = words; {
			case f.line != nil && len(words) > 0:
				return &exitError{exitFault, fmt.Errorf("-c takes one LINE, and %q is another word: quote the whole line", words[0])}
			case f.line == nil && len(words) == 0:
				return &exitError{exitFault, errors.New("no hook given: -c LINE or -- COMMAND")}
			}
			return nil
		},
		RunE: func(c *cobra.Command, _ []string) error { return a.runHook(c.Context(), *f) },
	}
	c.SetFlagErrorFunc(func(c *cobra.Command, err error) error { return &exitError{exitFault, usageError(c, flagError(err))} })
	c.Flags().SetInterspersed(false) // everything after the hook's first word is literal
	f.add(c.Flags())
	return c
}

// runFlags are the flags of hooks run, and the hook.
type runFlags struct {
	timeout time.Duration
	quiet   bool
	plugin  bool
	always  []string
	line    *string // of -c; nil if not given
	words   []string
}

func (f *runFlags) add(set *pflag.FlagSet) {
	flags.VarP(set, &f.line, "command", "c", "", "the hook is this `LINE` of shell", func(line string) (*string, error) {
		if f.line != nil {
			return nil, errors.New("it was given before")
		}
		return &line, nil
	})
	flags.Var(set, &f.timeout, "timeout", "", "end the hook after this `TIME`, like 57s; by default that of the settings", flags.Time)
	set.BoolVar(&f.quiet, "quiet", false, "say nothing where the hook is skipped: for asynchronous hooks, whose output the model reads")
	set.BoolVar(&f.plugin, "plugin", false, "the hook may be a plugin's, or no hook: a call that names no event is only passed on")
	set.StringSliceVar(&f.always, "always", nil, "count the calls of these `EVENTS`, but never skip one")
}

// args returns the command to run.
func (f *runFlags) args() []string {
	if f.line != nil {
		return []string{"/bin/sh", "-c", *f.line}
	}
	return f.words
}

// key returns the hook's identity for the breaker: the line itself, or the words quoted for a shell.
func (f *runFlags) key(pluginRoot string) string {
	if f.line != nil {
		if f.plugin && pluginRoot != "" { // two plugins may have the same line
			return strings.NewReplacer("${CLAUDE_PLUGIN_ROOT}", pluginRoot, "$CLAUDE_PLUGIN_ROOT", pluginRoot).Replace(*f.line)
		}
		return *f.line
	}
	return hooks.CommandOf(f.words)
}

// runHook runs the hook. If the breaker fails before that, even with a panic, the hook runs without it.
func (a *app) runHook(ctx context.Context, flags runFlags) (err error) {
	defer contain(func(fault any) { err = fmt.Errorf("the circuit breaker failed: %v", fault) })
	stdin, ok := a.In.(*os.File)
	if !ok {
		return errors.New("standard input is no file")
	}
	command := wrapper.Command{Args: flags.args()}
	c := circuits{config: &hooks.Config{}} // switched off
	a.prepare(flags, &command, &c)
	run := wrapper.Runner{
		File: c.file, Config: c.config, Log: c.log,
		Stdin: stdin, Stdout: a.Out, Stderr: a.Err, Environ: os.Environ(), Now: a.Now,
	}
	code, changes := run.Run(ctx, command, wrapper.Options{
		Timeout: flags.timeout, Quiet: flags.quiet, Plugin: flags.plugin, Always: flags.always,
	})
	a.afterHook(context.WithoutCancel(ctx), c, changes)
	return foreignExit(code)
}

// contain, when deferred, reports a panic instead of ending the process.
func contain(report func(fault any)) {
	if fault := recover(); fault != nil {
		report(fault)
	}
}

// prepare finds the parts of the breaker and the hook's key. If it fails, they keep their values.
func (a *app) prepare(flags runFlags, command *wrapper.Command, c *circuits) {
	defer contain(func(any) {}) // there is no log yet
	key := flags.key(os.Getenv("CLAUDE_PLUGIN_ROOT"))
	*c = a.circuits(a.hookFlags)
	command.Key = key
}

// afterHook updates metrics and notifies people after the hook's own result was passed on.
func (a *app) afterHook(ctx context.Context, c circuits, changes []hooks.Change) {
	talk := a.Err
	a.Err = io.Discard // now the hook's own
	defer func() { a.Err = talk }()
	defer contain(func(any) {}) // the hook's result is not affected
	c.updateMetrics(ctx, a.Now(), len(changes) > 0)
	c.notify(ctx, changes)
}
