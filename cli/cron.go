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

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/crontab"
	"github.com/claudeops/claudeops/internal/mask"
)

// madeUpFor is how late a missed run is made up for where --max-late does not say it.
const madeUpFor = time.Hour

// cronFlags are the flags of cron.
type cronFlags struct {
	runOnStart      bool
	jitter, maxLate span
	dashboard       bool
	dashboardHosts  hostNames
}

func init() { addCommand((*app).cronCommand) }

func (a *app) cronCommand() *cobra.Command {
	f := &cronFlags{maxLate: span(madeUpFor)}
	c := &cobra.Command{
		Use:   "cron",
		Short: "Stay running, and run a cycle whenever the schedule says so",
		Long: `cron is for where nothing else decides when a cycle runs: it stays, and at each time of CLAUDEOPS_SCHEDULE it runs
"claudeops run-once --trigger cron" as a process of its own. Its log says how each cycle ended and when the next one begins.

The schedule is one or more cron expressions, separated by semicolons: five fields, @hourly and its kin, or @every 15m, each
perhaps behind CRON_TZ=Europe/Berlin. A time that comes in several of them is one run.

A run that is due while a cycle still runs is skipped. One that was missed, because the machine slept or this process was
stopped, is made up for once, if it is not older than --max-late. A change of the clock neither skips nor doubles a daily run.

SIGTERM and SIGINT are passed on to the cycle that runs; cron waits for it, and exits with 128+n. SIGHUP reads the environment
file again, and the files of secrets: what is invalid is an error in the log, and changes nothing. Until then each cycle has the
variables as they were read, whatever was written into those files since. As process 1 of a container it reaps.

With --dashboard the pages of "claudeops dashboard" are served beside the schedule, on CLAUDEOPS_DASHBOARD_ADDR, until cron ends. Where that
cannot be, no cycle is run; should it fail later, the log says so and cycles go on. SIGHUP serves it anew, by what was read, if it can be.`,
		Args: cobra.MatchAll(takes(), f.check),
	}
	c.Flags().BoolVar(&f.runOnStart, "run-on-start", false, "run a cycle at once, too")
	c.Flags().Var(&f.jitter, "jitter", "begin each run later by a random `TIME` up to this, such as 30s, and before the next is due")
	c.Flags().Var(&f.maxLate, "max-late", "make up for a missed run that is at most this `TIME` late")
	c.Flags().BoolVar(&f.dashboard, "dashboard", false, "serve the dashboard, too")
	c.Flags().Var(&f.dashboardHosts, "host", "with --dashboard: answer requests for this `NAME` too; may be repeated")
	c.RunE = func(c *cobra.Command, _ []string) error { return a.cron(c.Context(), f) }
	c.AddCommand(a.cronHealthCommand())
	return c
}

// check refuses flags that say nothing together.
func (f *cronFlags) check(*cobra.Command, []string) error {
	if len(f.dashboardHosts) > 0 && !f.dashboard {
		return errors.New("--host is for --dashboard")
	}
	return nil
}

// cron runs cycles until a signal ends it.
func (a *app) cron(ctx context.Context, f *cronFlags) error {
	debug.SetGCPercent(100) // Start has set it for commands that are over soon
	signals := claimSignals(ctx)
	errOut := a.Err
	lines := crontab.NewLog(errOut)
	a.Err, a.last = lines, func() { lines.Flush(lastWords) }
	l, err := a.load()
	if err != nil {
		return err
	}
	program, err := ownPath()
	if err != nil {
		return err
	}
	clock, err := crontab.NewWallClock()
	if err != nil {
		return err
	}
	reload := a.reload
	if f.dashboard {
		side, err := a.besideCron(ctx, l, &dashboardFlags{hosts: f.dashboardHosts})
		if err != nil {
			return errors.Join(err, clock.Close())
		}
		defer side.end()
		reload = func() (*loaded, error) {
			l, err := a.reload()
			if err == nil {
				side.renew(ctx, l)
			}
			return l, err
		}
	}
	var orphans chan os.Signal
	if os.Getpid() == 1 {
		orphans = make(chan os.Signal, 1)
		signal.Notify(orphans, syscall.SIGCHLD)
		defer signal.Stop(orphans)
	}
	cycle := crontab.Program{Path: program, Args: a.cycleArgs(), Env: cycleEnviron(l), Out: a.Out, Err: errOut}
	start := func() (crontab.Process, error) {
		if n := lines.Lost(); n > 0 {
			l.log.Warn("lines of this log were lost, because its reader did not take them", "lines", n)
		}
		return cycle.Start()
	}
	planAgain := func() (crontab.Plan, error) {
		l, err := reload()
		if err != nil {
			return crontab.Plan{}, err
		}
		cycle.Env = cycleEnviron(l)
		return planOf(l), nil
	}
	runner := crontab.Runner{
		Clock: clock, Start: start, Reload: planAgain, Hangup: signals.hangup, Ends: signals.ends, Orphans: orphans,
		Random: func(below time.Duration) time.Duration { return rand.N(below) }, //nolint:gosec // an attacker gains nothing from knowing the moment
		Jitter: time.Duration(f.jitter), MaxLate: time.Duration(f.maxLate), RunOnStart: f.runOnStart,
	}
	if ctx.Err() == nil {
		err = runner.Run(planOf(l))
	}
	return errors.Join(err, context.Cause(ctx), clock.Close())
}

// lastWords is how long cron waits for its log to be taken, when it has ended.
const lastWords = 2 * time.Second

// cycleArgs are the arguments of each cycle. It reads no environment file: the variables of the one that cron has read are its environment.
func (a *app) cycleArgs() []string {
	args := []string{"run-once", "--trigger", "cron", "--env-file", os.DevNull}
	if a.json {
		args = append(args, "--json")
	}
	return args
}

// cycleEnviron is the environment of each cycle: what cron has read, whatever has become of the files since. That no agent may read those is
// said with it.
func cycleEnviron(l *loaded) []string {
	files := strings.Join(l.environment.SecretFiles(), "\n")
	return append(l.environment.Environ(), "CLAUDEOPS_SECRET_FILES="+files)
}

// planOf is what the configuration says of the runs.
func planOf(l *loaded) crontab.Plan {
	return crontab.Plan{Schedule: l.config.Schedule, Longest: crontab.LongestWithAllTiers(l.config), Log: l.log}
}

// reload reads the configuration again. The process's own variables cannot have changed; the environment file's, and the files of
// secrets, can.
func (a *app) reload() (*loaded, error) {
	c, environment, err := config.Load(a.envFile)
	if err != nil {
		return nil, errors.New(mask.New(environment.Secrets()).String(err.Error()))
	}
	a.redactor = mask.New(environment.Secrets())
	l := &loaded{c, environment, a.redactor, newLogger(a.Err, c.LogFormat, c.LogLevel, a.redactor)}
	for _, warning := range environment.Warnings {
		l.log.Warn(warning)
	}
	return l, nil
}
