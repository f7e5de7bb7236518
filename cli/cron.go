package cli

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/crontab"
	"github.com/claudeops/claudeops/internal/flags"
	"github.com/claudeops/claudeops/internal/statedir"
)

// cronFlags are the flags of cron.
type cronFlags struct {
	runOnStart      bool
	jitter, maxLate time.Duration
	dashboard       bool
	dashboardHosts  []string
}

func init() { addCommand((*app).cronCommand) }

func (a *app) cronCommand() *cobra.Command {
	f := &cronFlags{}
	c := &cobra.Command{
		Use:   "cron",
		Short: "Stay running, and run a cycle whenever the schedule says so",
		Long: `cron runs "claudeops run-once --trigger cron" at each time of CLAUDEOPS_SCHEDULE, until a signal ends it. Use it where no cron,
systemd or Kubernetes runs the cycles. Its log says how each cycle ended and when the next one begins.

The schedule is one or more cron expressions with semicolons between: five fields, @hourly, @daily and so on, or @every 15m, each
optionally after CRON_TZ=Europe/Berlin. Where several expressions name the same time, it is one run.

A run that is due while a cycle is still running is skipped. Of runs that were missed, because the machine slept or cron was stopped,
the last is made up for, unless that is later than --max-late. A change of the clock neither skips nor doubles a daily run.

An alert, an approval and "Check now" on a page start a cycle within ten seconds, or after the running one. The schedule goes on as it is.

SIGTERM and SIGINT are passed on to the running cycle; cron waits for it, and exits with 128+n. SIGHUP reads the environment file and
the files of secrets again; if they are invalid, the log says so and nothing changes. Changes of these files have no effect before that.
As process 1 of a container, cron also reaps what other processes leave behind.

With --dashboard, cron also serves the pages of "claudeops dashboard" on CLAUDEOPS_DASHBOARD_ADDR. If they cannot be served at the start,
cron ends with an error; if they fail later, the log says so and cycles go on. SIGHUP applies to them, too.`,
		Args: func(*cobra.Command, []string) error {
			if len(f.dashboardHosts) > 0 && !f.dashboard {
				return errors.New("--host is for --dashboard")
			}
			return nil
		},
	}
	c.Flags().BoolVar(&f.runOnStart, "run-on-start", false, "run a cycle at once, too")
	flags.Var(c.Flags(), &f.jitter, "jitter", "", "begin each run later by a random `TIME` up to this, such as 30s, and before the next is due", flags.Time)
	flags.Var(c.Flags(), &f.maxLate, "max-late", "1h", "make up for a missed run that is at most this `TIME` late", flags.Time)
	c.Flags().BoolVar(&f.dashboard, "dashboard", false, "serve the dashboard, too")
	hostFlag(c, &f.dashboardHosts, "with --dashboard: answer requests for this `NAME` too; may be repeated")
	c.RunE = func(c *cobra.Command, _ []string) error { return a.cron(c.Context(), f) }
	c.AddCommand(a.cronHealthCommand())
	return c
}

// cron runs cycles until a signal ends it.
func (a *app) cron(ctx context.Context, f *cronFlags) error {
	debug.SetGCPercent(100) // Start set it for short commands
	hangup, ends := claimSignals(ctx)
	errOut := a.Err
	lines := crontab.NewLog(errOut)
	a.Err, a.last = lines, func() { lines.Flush(lastWords) }
	l, err := a.load()
	if err != nil {
		return a.notStarted(ctx, l, err)
	}
	program, err := ownPath()
	if err != nil {
		return err
	}
	if f.dashboard {
		end, err := a.besideCron(ctx, l, &dashboardFlags{hosts: f.dashboardHosts})
		if err != nil {
			return a.notStarted(ctx, l, err)
		}
		defer end()
	}
	var orphans chan os.Signal
	if os.Getpid() == 1 {
		orphans = make(chan os.Signal, 1)
		signal.Notify(orphans, syscall.SIGCHLD)
	}
	cycle := crontab.Program{Path: program, Env: cycleEnviron(l), Out: a.Out, Err: errOut}
	runner := crontab.Runner{
		Now: a.Now, Hangup: hangup, Ends: ends, Orphans: orphans,
		Start: func(trigger string) (crontab.Process, error) {
			if n := lines.Lost(); n > 0 {
				l.log.Warn("lines of this log were lost, because its reader did not take them", "lines", n)
			}
			cycle.Args = a.cycleArgs(trigger)
			return cycle.Start()
		},
		Woken: func() string { return woken(l) },
		Reload: func() (crontab.Plan, error) {
			renewed, err := a.reload()
			if err != nil {
				return crontab.Plan{}, err
			}
			l = renewed
			cycle.Env = cycleEnviron(l)
			return planOf(l), nil
		},
		Random: func(below time.Duration) time.Duration { return rand.N(below) }, //nolint:gosec // an attacker gains nothing from knowing the moment
		Jitter: f.jitter, MaxLate: f.maxLate, RunOnStart: f.runOnStart,
	}
	if ctx.Err() == nil {
		err = runner.Run(planOf(l))
		<-ctx.Done() // the signal that ended the runner ends ctx too, perhaps slightly later
	}
	return errors.Join(err, context.Cause(ctx))
}

// lastWords is how long cron waits for its log to be written at the end.
const lastWords = 2 * time.Second

// woken takes the request for a cycle. One that cannot be read is tried again at the next look, and the next cycle takes it in any case.
func woken(l *loaded) string {
	trigger, err := statedir.TakeWake(l.config.StateDir)
	if err != nil {
		l.log.Error("a request for a cycle cannot be taken", "reason", err.Error())
	}
	return trigger
}

// cycleArgs returns the arguments of a cycle. A cycle reads no environment file; it gets the variables that cron has read as its
// environment.
func (a *app) cycleArgs(trigger string) []string {
	args := []string{"run-once", "--trigger", trigger, "--env-file", os.DevNull}
	if a.json {
		args = append(args, "--json")
	}
	return args
}

// cycleEnviron returns the environment of each cycle: what cron has read, even if the files changed since. It also names those files,
// which no agent may read.
func cycleEnviron(l *loaded) []string {
	files := strings.Join(l.environment.SecretFiles(), "\n")
	return append(l.environment.Environ(), "CLAUDEOPS_SECRET_FILES="+files)
}

// planOf returns the plan of the runs according to the configuration.
func planOf(l *loaded) crontab.Plan {
	return crontab.Plan{Schedule: l.config.Schedule, Longest: crontab.LongestWithAllTiers(l.config), Log: l.log}
}

// reload reads the configuration again. The process's own variables cannot have changed, but the environment file and the files of
// secrets can. If they are invalid, the earlier configuration stays.
func (a *app) reload() (*loaded, error) {
	l, err := a.read()
	if err != nil {
		return nil, errors.New(l.redactor.String(err.Error()))
	}
	a.redactor = l.redactor
	return l, nil
}
