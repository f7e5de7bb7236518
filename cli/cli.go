// Package cli is the command line. Each command is one file that reads the configuration, builds the parts and calls them. Other packages
// make the decisions; this one adds words, columns and exit codes.
//
// Standard output is the answer, standard error is everything else.
package cli

import (
	"context"
	"io"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/dashboard"
	"github.com/claudeops/claudeops/internal/mask"
	"github.com/claudeops/claudeops/notify"
)

// Streams is the program's access to its surroundings.
type Streams struct {
	In  io.Reader
	Out io.Writer
	Err io.Writer
	Now func() time.Time

	// Replacements for what is configured, for tests.
	Dashboard func(context.Context, dashboard.Options) error
	Courier   notify.Courier
	Beat      func(context.Context, notify.Beat, string) error
}

// Main runs claudeops with the command line args, starting with the program's own name, and returns its exit code. Only Main prints
// errors. A context cancelled by a signal has a SignalError as its cause.
func Main(ctx context.Context, args []string, s Streams) int {
	a := &app{Streams: s}
	return a.execute(ctx, args[1:])
}

// execute runs the command named by args, and returns the exit code.
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

// app is one run of the program, shared by its commands.
type app struct {
	Streams
	envFile string // --env-file
	json    bool   // --json
	started bool   // a command has begun: an error is no longer a usage error
	misused error  // a misuse that cobra would answer with help and exit 0
	loaded  *loaded
	last    func() // runs after all output; may be nil
	// redactor removes the secrets of the environment in force. It is set by load; nothing is read before that.
	redactor *mask.Redactor
}

// loaded is the configuration, once a command has loaded it.
type loaded struct {
	config      config.Config
	environment *config.Environment
	redactor    *mask.Redactor
	log         *slog.Logger
}

// Command returns the complete command line, for manual pages and completions. It must not be run.
func Command() *cobra.Command { return (&app{}).rootCommand() }

// ownName is the name of the program.
const ownName = "claudeops"

// commands are the commands of claudeops. Each is added by its own file.
var commands []func(*app) *cobra.Command

func addCommand(make func(*app) *cobra.Command) { commands = append(commands, make) }

func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
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
	root.Version = a.versionLine()
	root.SetVersionTemplate("{{.Version}}\n")
	root.SilenceUsage, root.SilenceErrors = true, true
	root.SetIn(a.In)
	root.SetOut(a.Out)
	root.SetErr(a.Err)
	root.PersistentFlags().StringVar(&a.envFile, "env-file", "", "read variables from this `FILE` instead of "+config.EnvFile)
	root.PersistentFlags().BoolVar(&a.json, "json", false, "print JSON")
	a.guardUsage(root)
	return root
}

// load reads the configuration once. Its error, a *config.InvalidError, means exit 2, and the result then has no config.
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
