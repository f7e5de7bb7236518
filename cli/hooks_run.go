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
)

func (a *app) hooksRunCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "run [flags] (-c LINE | -- COMMAND…)",
		Short: "Run a hook behind its circuit breaker, as its command in the settings",
		Long: `run runs a hook and passes everything on untouched: standard input, standard output, standard error and the exit code. What
follows -- is a program and its arguments; the LINE of -c is given to /bin/sh. Where the hook's circuit is open, it is not run: the
exit code is 0, and once a session the person is told.

Exit codes: the hook's; 124 it ran into its timeout; 126, 127 it could not be started; 128 and the signal's number where a signal
ended it; 1 for a fault in this command line, because 2 would be a verdict for the agent.`,
		DisableFlagParsing: true, // what belongs to the hook is taken literally
	}
	new(runFlags).add(c.Flags()) // for help
	c.RunE = func(c *cobra.Command, args []string) error {
		flags, err := parseRun(args)
		if errors.Is(err, pflag.ErrHelp) {
			return c.Help()
		}
		if err != nil {
			return usageError(c, err)
		}
		return a.runHook(c.Context(), flags)
	}
	return c
}

// runFlags are those of hooks run, and the hook.
type runFlags struct {
	hooksFlags
	envFile  string
	timeout  span
	quiet    bool
	denyOnly bool
	plugin   bool
	always   []string
	line     onceString
	words    []string
}

// onceString is a flag that may be given once, as it stands.
type onceString struct {
	text  string
	given bool
}

func (s *onceString) String() string { return s.text }
func (s *onceString) Type() string   { return "LINE" }
func (s *onceString) Set(text string) error {
	if s.given {
		return errors.New("it was given before")
	}
	s.text, s.given = text, true
	return nil
}

func (f *runFlags) add(flags *pflag.FlagSet) {
	flags.VarP(&f.line, "command", "c", "the hook is this `LINE` of shell")
	flags.Var(&f.timeout, "timeout", "end the hook after this `TIME`, like 57s; by default that of the settings")
	flags.BoolVar(&f.quiet, "quiet", false, "say nothing where the hook is skipped: for asynchronous hooks, whose output the model reads")
	flags.BoolVar(&f.denyOnly, "deny-only", false, "drop what the hook would permit from its output")
	flags.BoolVar(&f.plugin, "plugin", false, "the hook may be a plugin's, or no hook: a call that names no event is only passed on")
	flags.StringSliceVar(&f.always, "always", nil, "count the calls of these `EVENTS`, but never skip one")
}

func parseRun(args []string) (runFlags, error) {
	var f runFlags
	flags := pflag.NewFlagSet("run", pflag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.Usage = func() {}
	flags.SetInterspersed(false) // from the first word of the hook's on nothing is ours
	f.hooksFlags.add(flags)
	f.add(flags)
	flags.StringVar(&f.envFile, "env-file", "", "") // like --json of all commands
	flags.Bool("json", false, "")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, pflag.ErrHelp) {
			return f, err
		}
		return f, flagError(err)
	}
	f.words = flags.Args()
	switch {
	case f.line.given && len(f.words) > 0:
		return f, fmt.Errorf("-c takes one LINE, and %q is another word: quote the whole line", f.words[0])
	case !f.line.given && len(f.words) == 0:
		return f, errors.New("no hook given: -c LINE or -- COMMAND")
	}
	return f, nil
}

// args is what is run.
func (f *runFlags) args() []string {
	if f.line.given {
		return []string{"/bin/sh", "-c", f.line.text}
	}
	return f.words
}

// key is the hook's command as the breaker knows it: the line itself, or the words as a shell would read them.
func (f *runFlags) key(pluginRoot string) string {
	if f.line.given {
		if f.plugin && pluginRoot != "" { // two plugins may have the same line
			return strings.NewReplacer("${CLAUDE_PLUGIN_ROOT}", pluginRoot, "$CLAUDE_PLUGIN_ROOT", pluginRoot).Replace(f.line.text)
		}
		return f.line.text
	}
	return hooks.CommandOf(f.words)
}

// runHook runs the hook: as if there were no breaker where that fails before it begins, be it by a panic.
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
		Timeout: time.Duration(flags.timeout), Quiet: flags.quiet, DenyOnly: flags.denyOnly, Plugin: flags.plugin, Always: flags.always,
	})
	a.afterHook(context.WithoutCancel(ctx), c, changes)
	return foreignExit(code)
}

// contain, deferred, tells of a panic instead of ending the process.
func contain(tell func(fault any)) {
	if fault := recover(); fault != nil {
		tell(fault)
	}
}

// prepare finds the breaker's parts and what the hook is called there. They stay as they are where that fails.
func (a *app) prepare(flags runFlags, command *wrapper.Command, c *circuits) {
	defer contain(func(any) {}) // there is no log yet
	key := flags.key(os.Getenv("CLAUDE_PLUGIN_ROOT"))
	if flags.envFile != "" {
		a.envFile = flags.envFile
	}
	*c = a.circuits(flags.hooksFlags)
	command.Key = key
}

// afterHook tells others of what became of a hook, whose own result has been passed on.
func (a *app) afterHook(ctx context.Context, c circuits, changes []hooks.Change) {
	talk := a.Err
	a.Err = io.Discard // it is the hook's now
	defer func() { a.Err = talk }()
	defer contain(func(any) {}) // whatever it was, the hook has ended well or not
	c.updateMetrics(ctx, a.Now(), len(changes) > 0)
	c.tell(ctx, changes)
}
