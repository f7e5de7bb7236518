package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/crontab"
	"github.com/claudeops/claudeops/internal/flags"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/schedule"
)

func init() { addCommand((*app).crontabCommand) }

func (a *app) crontabCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "crontab",
		Short: "Have cron, systemd or another scheduler run a cycle again and again",
		Long: `crontab has a scheduler run the cycles of CLAUDEOPS_SCHEDULE: "print" shows what that needs, and for which schedulers, "install" puts it
in place on this machine, "remove" takes it away again.

An expression means the same on every target, with two exceptions, which cause a warning: the days on which clocks change, and
Kubernetes, where an expression without CRON_TZ= is in UTC. What a target cannot express is refused, with the reason. Where you have
none of them, "claudeops cron" runs the cycles itself.`,
	}
	c.AddCommand(a.crontabPrintCommand(), a.crontabInstallCommand(), a.crontabRemoveCommand())
	return c
}

func (a *app) crontabPrintCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "print --target NAME",
		Short: "Print what runs cycles by CLAUDEOPS_SCHEDULE",
		Long:  `print shows what "install" would write, and writes nothing. A target of several files shows each below a comment with its path.`,
		Example: `  claudeops crontab print --target cron --schedule '*/15 * * * *'
  claudeops crontab print --target kubernetes --shards 4 --image registry.example.org/claudeops:1.0.0 | kubectl apply --server-side -f -`,
	}
	f := newCrontabFlags(c)
	f.addJob(func(crontab.Target) bool { return true })
	c.RunE = a.configured(func(_ context.Context, l *loaded, _ []string) error {
		j, err := a.job(f, l)
		if err != nil {
			return err
		}
		if why := a.tooOften(l, j.Schedule); why != "" {
			a.note(why + ": " + crontab.WatchEachMinute)
		}
		files, err := crontab.Files(f.target(), j, f.recorded(a.envFile))
		if err != nil {
			return f.usage(err)
		}
		for _, warning := range crontab.Doubts(f.target(), j) {
			a.note(warning)
		}
		return a.printFiles(files)
	})
	return c
}

func (a *app) crontabInstallCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "install --target NAME",
		Short: "Have a scheduler of this machine run cycles by CLAUDEOPS_SCHEDULE",
		Long: `install writes what "print" shows, between two marks. Lines outside of the marks are yours and stay byte for byte; installing again
replaces the lines between them. A copy of each file that changes is kept, in /var/backups/claudeops for the system's scope and in
~/.local/state/claudeops/backups otherwise.

A schedule that starts a model as Tier 1 more often than every 15 minutes is refused without --force: the checks of the inventory can be
made each minute for nothing, and a model looks only where one fails.

The flags of an install are recorded in comments. An install without a flag that the last one had is refused, and names the whole
command line; --reset drops such flags.

Where a file cannot be written, all files stay as they were. Where systemctl fails, the units are written, and the commands that are
left to type are printed.

A job sees nothing of this shell: its variables come from /etc/claudeops/env, or the file that --env-file names.`,
		Example: `  claudeops crontab install --target cron --dry-run
  sudo claudeops crontab install --target systemd --allow-unit nginx.service`,
	}
	f := newCrontabFlags(c)
	f.addJob(func(t crontab.Target) bool { _, local := t.(crontab.Local); return local })
	var o crontab.Options
	c.Flags().BoolVar(&o.DryRun, "dry-run", false, "show what would change, and change nothing")
	c.Flags().BoolVar(&o.Force, "force", false, "install a schedule that starts a model as Tier 1 more often than every 15 minutes")
	c.Flags().BoolVar(&o.Reset, "reset", false, "drop flags that the last install had and this one does not")
	c.RunE = a.configured(func(ctx context.Context, l *loaded, _ []string) error {
		if err := a.refuseAgents(); err != nil {
			return err
		}
		j, err := a.job(f, l)
		if err != nil {
			return err
		}
		j.NoObserver, j.NoModel = missingObserver(l)
		j.TooOften = a.tooOften(l, j.Schedule)
		o.Flags, o.Warn = f.recorded(a.envFile), a.note
		r, err := crontab.Install(ctx, f.local(), j, o)
		if err != nil {
			return f.usage(err)
		}
		next := "the next run would be at " + r.Next.Format("2006-01-02 15:04:05 MST") + "\n"
		if !o.DryRun {
			next = fmt.Sprintf("next run: %s\n\n`claudeops sessions list` shows what ran; `%s` takes it back\n",
				r.Next.Format("2006-01-02 15:04:05 MST"), crontab.CommandLine(f.local(), j, "remove"))
		}
		return a.printChanges(r.Changes, o.DryRun, r.Said+next)
	})
	return c
}

func (a *app) crontabRemoveCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "remove --target NAME",
		Short: "Take away what install has put in place",
		Long: `remove deletes the lines between the marks of "install", and a file that holds nothing else. Your own lines stay byte for byte. A copy
is kept as for install. What cycles have recorded stays.

With --target systemd the timer is stopped first; a cycle that runs goes on to its end.`,
	}
	f := newCrontabFlags(c)
	var o crontab.Options
	c.Flags().BoolVar(&o.DryRun, "dry-run", false, "show what would change, and change nothing")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if err := a.refuseAgents(); err != nil {
			return err
		}
		r, err := crontab.Remove(c.Context(), f.local(), crontab.Job{User: f.user, System: f.system(), Now: a.Now()}, o)
		switch {
		case err != nil:
			return f.usage(err)
		case len(r.Changes) == 0 && !a.json:
			return a.print("nothing to remove: no line of claudeops is there\n")
		}
		return a.printChanges(r.Changes, o.DryRun, r.Said)
	}
	return c
}

// crontabFlags are the flags of the crontab commands.
type crontabFlags struct {
	command       *cobra.Command
	name, scope   string
	user, program string
	schedules     []string
	targets       []crontab.Target
	of            map[string][]string // target names by flag; flags of all targets are missing here
}

// newCrontabFlags adds the flags that say where a job is installed.
func newCrontabFlags(c *cobra.Command) *crontabFlags {
	f := &crontabFlags{command: c, targets: crontab.Targets(), of: map[string][]string{}}
	var all, local, program []string
	for _, t := range f.targets {
		all = append(all, t.Name())
		if _, is := t.(crontab.Local); is {
			local = append(local, t.Name())
		}
		if crontab.RunsProgram(t) {
			program = append(program, t.Name())
		}
	}
	offered := all
	if c.Name() != "print" {
		offered = local // check rejects the others
	}
	flags.Var(c.Flags(), &f.name, "target", "", "what runs the cycles, by `NAME`: "+text.Or(offered), flags.OneOf(all...))
	flags.Var(c.Flags(), &f.scope, "scope", "", "whose it is, a `WORD`: user, a user's own (the default for cron), or system, the machine's (the default for systemd)",
		flags.OneOf("user", "system"))
	c.Flags().StringVar(&f.user, "user", "", "with --scope system, run it as the user of this `NAME`, claudeops by default; with --target cron --scope user, change this user's crontab")
	f.of["scope"], f.of["user"], f.of["program"] = local, local, program
	c.Args = func(*cobra.Command, []string) error { return f.check() }
	return f
}

// addJob adds the flags that describe the job. The help lists those that only some targets have.
func (f *crontabFlags) addJob(of func(crontab.Target) bool) {
	set := f.command.Flags()
	set.StringVar(&f.program, "program", "", "the claudeops to run, an absolute `PATH`; this one by default")
	set.StringArrayVar(&f.schedules, "schedule", nil, "run it by this cron `EXPRESSION` instead of CLAUDEOPS_SCHEDULE; may be repeated")
	f.command.Long += "\n"
	for _, t := range f.targets {
		own := pflag.NewFlagSet(t.Name(), pflag.ContinueOnError)
		t.Flags(own)
		own.VisitAll(func(flag *pflag.Flag) { f.of[flag.Name] = append(f.of[flag.Name], t.Name()) })
		if of(t) {
			set.AddFlagSet(own)
			f.command.Long += "\n--target " + t.Name() + ": " + t.Doc() + "."
		}
	}
}

// check rejects contradictory flags.
func (f *crontabFlags) check() (err error) {
	if f.name == "" {
		return nil // takes names the missing flag
	}
	f.command.Flags().Visit(func(flag *pflag.Flag) {
		if targets := f.of[flag.Name]; targets != nil && !slices.Contains(targets, f.name) {
			err = cmp.Or(err, fmt.Errorf("--%s is for --target %s", flag.Name, text.Or(targets)))
		}
	})
	printed, is := f.target().(crontab.PrintOnly)
	switch {
	case err != nil:
		return err
	case is && f.command.Name() != "print":
		return errors.New(printed.Instead(f.command.Name()))
	case f.command.Flags().Changed("user") && f.user == "":
		return errors.New("--user is empty")
	}
	return nil
}

func (f *crontabFlags) target() crontab.Target {
	return f.targets[slices.IndexFunc(f.targets, func(t crontab.Target) bool { return t.Name() == f.name })]
}

// local returns the target of install and remove; check has rejected all others.
func (f *crontabFlags) local() crontab.Local { return f.target().(crontab.Local) }

// system reports whether the scope is the system.
func (f *crontabFlags) system() bool {
	local, is := f.target().(crontab.Local)
	return f.scope == "system" || f.scope == "" && is && local.System()
}

// usage converts an error in a target's flags to a usage error.
func (f *crontabFlags) usage(err error) error {
	if wrong := (*crontab.FlagError)(nil); errors.As(err, &wrong) {
		return &exitError{exitUsage, usageError(f.command, err)}
	}
	return err
}

// recorded returns the flags that describe the job, as typed.
func (f *crontabFlags) recorded(envFile string) (typed []string) {
	if path, err := filepath.Abs(envFile); err == nil && envFile != "" {
		typed = append(typed, "--env-file "+text.ShellWord(path))
	}
	f.command.Flags().Visit(func(flag *pflag.Flag) {
		_, ofSome := f.of[flag.Name]
		whose := flag.Name == "scope" || flag.Name == "user" && !f.system()
		if whose || !ofSome && flag.Name != "schedule" {
			return
		}
		values := []string{flag.Value.String()}
		if list, is := flag.Value.(pflag.SliceValue); is {
			values = list.GetSlice()
		}
		for _, value := range slices.DeleteFunc(values, func(value string) bool { return value == "" }) {
			typed = append(typed, "--"+flag.Name+" "+text.ShellWord(value))
		}
	})
	return typed
}

// job returns the job that the flags and the configuration describe.
func (a *app) job(f *crontabFlags, l *loaded) (j crontab.Job, err error) {
	j = crontab.Job{
		Program: f.program, EnvFile: a.envFile, Schedule: l.config.Schedule, Longest: crontab.LongestWithAllTiers(l.config), User: f.user, System: f.system(),
		StateDir: l.config.StateDir, ResultsDir: l.config.ResultsDir, ReposDir: l.config.ReposDir,
		Config: l.config, Environment: l.environment, Now: a.Now(),
	}
	if len(f.schedules) > 0 {
		j.Schedule = nil
	}
	for _, given := range f.schedules {
		for expression := range strings.SplitSeq(given, ";") { // as in CLAUDEOPS_SCHEDULE
			e, err := schedule.Parse(strings.TrimSpace(expression))
			if err != nil {
				return j, &exitError{exitUsage, fmt.Errorf("--schedule %q: %w", given, err)}
			}
			j.Schedule = append(j.Schedule, e)
		}
	}
	if j.Program == "" {
		if j.Program, err = ownPath(); err != nil {
			return j, fmt.Errorf("the path of this program: %w; name it with --program", err)
		}
	}
	if !filepath.IsAbs(j.Program) {
		return j, &exitError{exitUsage, fmt.Errorf("--program %q: no absolute path; write it from / on", j.Program)}
	}
	return j, j.Complete()
}

// missingObserver returns why the job has nothing to observe with, and whether each cycle will warn that no model observes.
func missingObserver(l *loaded) (reason string, noModel bool) {
	found := observes(l.config, l.environment.Credential())
	if found.Result == "fail" {
		return found.Detail, false
	}
	return "", found.Result == "warn" && l.config.Tier1Agent != config.Probe
}

// tooOften returns why a schedule starts a model too often if a model is Tier 1.
func (a *app) tooOften(l *loaded, all []schedule.Expression) string {
	why := crontab.TooOften(all, a.Now())
	if why == "" {
		return ""
	}
	inv, err := readInventory(l.config)
	if err != nil {
		return "" // reported elsewhere, like a missing observer
	}
	watch, err := observe(l.config, l.environment.Credential(), inv)
	if err != nil || watch.is != config.Claude {
		return ""
	}
	return why
}

// refuseAgents keeps agents from changing when they run.
func (a *app) refuseAgents() error {
	if a.ofSession() {
		return errors.New("crontab is for operators: when claudeops runs, and as whom, is not an agent's to say")
	}
	return nil
}

// printFiles prints files as they would be written.
func (a *app) printFiles(files []crontab.File) error {
	type file struct {
		Path string `json:"path"`
		Mode string `json:"mode"`
		Text string `json:"text"`
	}
	list, texts := make([]file, len(files)), make([]string, len(files))
	for i, f := range files {
		list[i] = file{f.Path, fmt.Sprintf("%04o", f.Mode), f.Whole()}
		texts[i] = f.Whole()
		if len(files) > 1 {
			texts[i] = string(f.Marks) + " " + f.Path + "\n" + texts[i]
		}
	}
	return a.answer(list, strings.Join(texts, "\n"))
}

// printChanges prints what was or would be done, followed by rest.
func (a *app) printChanges(changes []crontab.Change, dryRun bool, rest string) error {
	if a.json {
		return a.printJSON(append([]crontab.Change{}, changes...))
	}
	var out strings.Builder
	if dryRun {
		out.WriteString("nothing is changed (--dry-run); this is what would be:\n")
	}
	for _, c := range changes {
		done := "written"
		switch {
		case c.Removed:
			done = "removed"
		case c.Existed:
			done = "changed"
		}
		if dryRun {
			done = "would be " + done
		}
		if !c.Changed {
			done = "nothing to change"
		}
		out.WriteString(c.Path + ": " + done + "\n")
		if c.Backup != "" {
			out.WriteString("backup: " + c.Backup + "\n")
		}
		if c.Diff != "" {
			out.WriteString("\n" + c.Diff)
		}
	}
	return a.print(out.String() + rest)
}
