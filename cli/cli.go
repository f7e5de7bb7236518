// Package cli is the command line: one file a command, which reads the configuration, builds the parts and calls them. What a
// command decides is decided elsewhere; here it gets words, columns and an exit code.
//
// Standard output is the answer, standard error is the talk.
package cli

import (
	"context"
	"io"
	"log/slog"
	"path/filepath"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/dashboard"
	"github.com/claudeops/claudeops/internal/mask"
	"github.com/claudeops/claudeops/notify"
)

// Streams is what a program has of the world around it.
type Streams struct {
	In  io.Reader
	Out io.Writer
	Err io.Writer
	Now func() time.Time

	// In the place of what is configured, for tests.
	Dashboard func(context.Context, dashboard.Options) error
	Courier   notify.Courier
	Beat      func(context.Context, notify.Beat, string) error
}

// Main runs claudeops with the command line args, of which the first is the program's own name, and returns its exit code. Errors
// are printed here and nowhere else. A context that was cancelled by a signal carries a SignalError as its cause.
func Main(ctx context.Context, args []string, s Streams) int {
	a := &app{Streams: s, program: calledAs(args[0])}
	if a.program == hooksName || len(args) > 1 && args[1] == "hooks" {
		debug.SetTraceback("crash") // a fatal error of Go's own ends by SIGABRT then: its exit code, 2, would be a hook's verdict for the agent
	}
	return a.execute(ctx, args[1:])
}

func calledAs(path string) string {
	if filepath.Base(path) == hooksName {
		return hooksName
	}
	return ownName
}

// execute runs the command that args name, and returns the exit code.
func (a *app) execute(ctx context.Context, args []string) int {
	root := a.rootCommand()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err == nil {
		err = a.misused
	}
	code := a.exitCode(ctx, err)
	if a.last != nil {
		a.last()
	}
	return code
}

// app is one run of the program: what its commands share.
type app struct {
	Streams
	program   string     // the name that it was called by: claudeops or claude-hooks
	hookFlags hooksFlags // of the hooks commands
	envFile   string     // --env-file
	json      bool       // --json
	started   bool       // a command has begun: its error is no longer one of usage
	misused   error      // what cobra would answer with help and exit 0
	loaded    *loaded
	last      func() // what is to be done when all is printed; nil where there is nothing
	// redactor takes out the secrets of the environment in force, once load was called; nothing was read before that.
	redactor *mask.Redactor
}

// loaded is the configuration, once a command has asked for it.
type loaded struct {
	config      config.Config
	environment *config.Environment
	redactor    *mask.Redactor
	log         *slog.Logger
}

// commands are those of claudeops. Each is added by the file that it has to itself.
var commands []func(*app) *cobra.Command

func addCommand(make func(*app) *cobra.Command) { commands = append(commands, make) }

func (a *app) rootCommand() *cobra.Command {
	var root *cobra.Command
	if a.program == hooksName {
		root = a.hooksCommand()
	} else {
		root = &cobra.Command{
			Use:   ownName,
			Short: "Watches infrastructure with an AI agent, one cycle at a time",
			Long: `claudeops watches infrastructure with an AI agent, one monitoring cycle at a time.

Cron, a systemd timer or a Kubernetes CronJob runs "claudeops run-once": the first tier observes; where something is
wrong, the second investigates and the third remediates, within limits that no agent can lift. Nothing stays resident.

To begin, "claudeops init" sets up a watch of what runs on this machine, and shows first what it would do. "claudeops status" says
how things are, "claudeops doctor" what is missing.`,
		}
		for _, command := range commands {
			root.AddCommand(command(a))
		}
	}
	root.Version = a.versionLine()
	root.SetVersionTemplate("{{.Version}}\n")
	root.SilenceUsage, root.SilenceErrors = true, true
	root.SetIn(a.In)
	root.SetOut(a.Out)
	root.SetErr(a.Err)
	root.PersistentFlags().StringVar(&a.envFile, "env-file", "", "read variables from this `FILE` instead of "+config.EnvFile)
	root.PersistentFlags().BoolVar(&a.json, "json", false, "print JSON")
	if a.program == hooksName {
		root.PersistentFlags().Lookup("env-file").Hidden = true // it is for telling people through claudeops alone
	}
	a.guardUsage(root)
	return root
}

// load reads the configuration, once. Its error, a *config.InvalidError, is exit 2, and what comes with it has no config.
func (a *app) load() (*loaded, error) {
	if a.loaded != nil {
		return a.loaded, nil
	}
	l, err := a.read()
	a.redactor = l.redactor
	if err == nil {
		a.loaded = l
	}
	return l, err
}

// read reads the configuration, and logs its warnings.
func (a *app) read() (*loaded, error) {
	c, environment, err := config.Load(a.envFile)
	redactor := mask.New(environment.Secrets())
	l := &loaded{c, environment, redactor, newLogger(a.Err, c.LogFormat, c.LogLevel, redactor)}
	for _, warning := range environment.Warnings {
		l.log.Warn(warning)
	}
	return l, err
}
