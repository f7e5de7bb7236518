package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/crontab"
	"github.com/claudeops/claudeops/internal/mask"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/probe/discover"
	"github.com/claudeops/claudeops/setup"
)

func init() { addCommand((*app).initCommand) }

// initFlags are those of init.
type initFlags struct {
	where  setup.Where
	wish   setup.Wish
	yes    bool
	remove bool
}

func (a *app) initCommand() *cobra.Command {
	var f initFlags
	c := &cobra.Command{
		Use:   "init",
		Short: "Make this machine a watched one: services, settings, messages and schedule at once",
		Long: `init finds what runs here (containers, compose files, systemd units, listening ports, services of Kubernetes), and writes a services file
of it, the variables in ` + config.EnvFile + `, and what has systemd or cron run a cycle every minute. It sends a test message, and ends with
what doctor says as the user that the cycles run as. On a terminal it asks; before anything is changed it shows all that would be.

What is there already stays: a services file gets what it has not, by name or alias, and a variable that is set keeps its value unless a
flag says another. So init may be run again, to add a target, another schedule, or what has come since.

The checks alone are made, no agent is started and nothing is restarted: CLAUDEOPS_TIER1_AGENT=probe, CLAUDEOPS_MAX_TIER=1. --remediate lets
agents investigate and remediate (CLAUDEOPS_MAX_TIER=3).

Without root it sets up a watch of your own: files below ~/.config/claudeops and ~/.local/state/claudeops, and your crontab or your systemd.

Exit codes: 0; 1 where a step failed, which says what was done; 2 where nothing was done: it was not allowed to ask, or to be.`,
		Example: `  sudo claudeops init
  sudo claudeops init --yes --notify ntfy://ntfy.sh/your-long-random-topic
  claudeops init --yes --prefix /tmp/try
  sudo claudeops init --remove`,
		RunE: func(c *cobra.Command, _ []string) error {
			if os.Getenv("CLAUDEOPS_RUN_TOKEN") != "" {
				return errors.New("init is for operators: what is watched, by whom, and who is told of it, is not an agent's to say")
			}
			f.where.EnvFile = a.envFile
			if f.remove {
				return a.unmake(c.Context(), f)
			}
			return a.make(c.Context(), f)
		},
	}
	c.Flags().BoolVarP(&f.yes, "yes", "y", false, "do it without asking")
	c.Flags().StringArrayVar(&f.wish.Notify, "notify", nil, "tell people of trouble by this Apprise `URL`; may be repeated")
	c.Flags().StringVar(&f.wish.Schedule, "schedule", "", "run a cycle by this cron `EXPRESSION`; every minute by default")
	c.Flags().StringVar(&f.where.User, "user", "", "run the cycles as the user of this `NAME`, claudeops by default, which is made where it is not there")
	c.Flags().StringVar(&f.where.Prefix, "prefix", "", "write below this `FOLDER` instead of /, and start nothing")
	c.Flags().BoolVar(&f.wish.Remediate, "remediate", false, "let agents investigate and remediate")
	c.Flags().BoolVar(&f.remove, "remove", false, "take away what init made, and keep the records")
	return c
}

// make is init.
func (a *app) make(ctx context.Context, f initFlags) error {
	m, found, err := a.lookAround(ctx, f)
	if err != nil {
		return &exitError{exitUsage, err}
	}
	if !f.yes && !a.json && a.converses() {
		if err := a.askWish(ctx, &f.wish, m, found); err != nil {
			return err
		}
	}
	p, err := setup.Decide(m, f.wish, found, a.Now())
	if err != nil {
		return &exitError{exitUsage, err}
	}
	scheduled, err := a.planSchedule(ctx, p, f)
	if err != nil {
		return &exitError{exitUsage, fmt.Errorf("%w\nnothing was done", err)}
	}
	if !a.json || !f.yes {
		if err := a.showPlan(p, scheduled, f); err != nil {
			return err
		}
	}
	if err := a.agreed(ctx, f.yes); err != nil {
		return err
	}
	return a.carryOut(ctx, p, scheduled)
}

// agreed asks whether to do what was shown, unless --yes has said so.
func (a *app) agreed(ctx context.Context, yes bool) error {
	switch {
	case yes:
		return nil
	case a.json || !a.converses():
		return &exitError{exitUsage, errors.New("nothing was done: there is no terminal to ask on; --yes does what is shown")}
	}
	return a.askLeave(ctx, "Do this?")
}

// lookAround sees what is there and what runs.
func (a *app) lookAround(ctx context.Context, f initFlags) (*setup.Machine, discover.Found, error) {
	m, err := setup.Look(f.where, os.Environ())
	if err != nil {
		return nil, discover.Found{}, err
	}
	l, err := a.inForce(config.LoadText(m.EnvFile, m.Env))
	if err != nil {
		return nil, discover.Found{}, err
	}
	found, err := discover.Run(ctx, discover.Options{Environ: l.environment.Environ(), ReposDir: l.config.ReposDir})
	return m, found, err
}

// inForce makes a configuration the one in force for what this command calls.
func (a *app) inForce(c config.Config, environment *config.Environment, err error) (*loaded, error) {
	redactor := mask.New(environment.Secrets())
	a.redactor = redactor
	l := &loaded{c, environment, redactor, newLogger(a.Err, c.LogFormat, c.LogLevel, redactor)}
	if err == nil {
		a.loaded = l
	}
	return l, err
}

// schedulePlan is how the cycles of a plan are started.
type schedulePlan struct {
	target  crontab.Local // nil where nothing is to be started
	job     crontab.Job
	options crontab.Options
	kept    string // why an earlier install stays as it is; empty where it does not
}

// planSchedule tries the install of the schedule, with the variables as they will be.
func (a *app) planSchedule(ctx context.Context, p *setup.Plan, f initFlags) (s schedulePlan, err error) {
	l, err := a.inForce(config.LoadText(p.EnvFile, p.EnvText))
	if err != nil {
		return s, err
	}
	for _, t := range crontab.Targets() {
		if local, is := t.(crontab.Local); is && t.Name() == p.Target {
			s.target = local
		}
	}
	if s.target == nil {
		return s, nil
	}
	if s.job, s.options.Flags, err = a.initJob(p, l); err != nil {
		return s, err
	}
	s.job.TooOften = a.tooOften(ctx, l, s.job.Schedule)
	trial := s.job
	if p.Makes {
		trial.User = "root" // whose rights do for a trial: the user is not there yet
	}
	s.options.Warn = func(string) {}
	_, err = crontab.Install(ctx, s.target, trial, crontab.Options{DryRun: true, Flags: s.options.Flags, Warn: s.options.Warn})
	if lost := (*crontab.LostFlagsError)(nil); errors.As(err, &lost) && f.wish.Schedule == "" && f.where.User == "" {
		s.kept = "as `claudeops crontab install` left it, with " + strings.Join(lost.Flags, " ")
		return s, nil
	}
	return s, cmp.Or(err, p.Schedules())
}

// initJob is what is scheduled, with the flags by which a later install knows it.
func (a *app) initJob(p *setup.Plan, l *loaded) (j crontab.Job, flags []string, err error) {
	c := l.config
	j = crontab.Job{
		Schedule: c.Schedule, Longest: crontab.LongestWithAllTiers(c), System: p.System, StateDir: c.StateDir, ResultsDir: c.ResultsDir, ReposDir: c.ReposDir,
		Config: c, Environment: l.environment, Now: a.Now(),
	}
	if j.Program, err = ownPath(); err != nil {
		return j, nil, fmt.Errorf("the path of this program: %w", err)
	}
	if p.EnvFile != config.EnvFile {
		j.EnvFile = p.EnvFile
		flags = append(flags, "--env-file "+text.ShellWord(p.EnvFile))
	}
	if p.System {
		if j.User = p.User; j.User != crontab.DefaultUser {
			flags = append(flags, "--user "+text.ShellWord(j.User))
		}
	}
	return j, flags, j.Complete()
}

// step is one of what init does, or would.
type step struct {
	What   string   `json:"what"`
	Detail string   `json:"detail"`
	Lines  []string `json:"lines,omitempty"`
}

// planSteps are what a plan does, for people.
func (a *app) planSteps(p *setup.Plan, s schedulePlan) (steps []step) {
	watch := step{What: "watch", Detail: text.Count(p.Watched, "service") + " of " + p.Services}
	switch {
	case p.Watched == 0:
		watch.Detail = "nothing: nothing was found here; write into " + p.Services + " what is to be watched"
	case len(p.Added) > 0:
		watch.Detail += ", of which these are new:"
	}
	watch.Lines = firstLines(p.Added, func(s discover.Service) string { return s.Name + ": " + checksOf(s) })
	steps = append(steps, watch)
	if len(p.LeftOut) > 0 {
		steps = append(steps, step{"not watched", "what was not seen, or left out:", firstLines(p.LeftOut, func(why string) string { return why })})
	}
	if len(p.Settings) > 0 {
		reader := p.User
		if p.System && p.Target == "systemd" {
			reader = "root"
		}
		settings := step{What: "settings", Detail: p.EnvFile + ", which " + reader + " alone reads:"}
		for _, one := range p.Settings {
			settings.Lines = append(settings.Lines, one.Name+"="+one.Value)
		}
		steps = append(steps, settings)
	}
	for _, command := range p.UserCommands() {
		detail := "`" + strings.Join(command, " ") + "`"
		if p.EngineGroup != "" && slices.Contains(command, p.EngineGroup) {
			detail += ", to see containers: whoever is in the group " + p.EngineGroup + " can have root's rights"
		}
		steps = append(steps, step{What: "user", Detail: detail})
	}
	return append(steps, a.scheduleStep(p, s), a.messageStep())
}

func (a *app) scheduleStep(p *setup.Plan, s schedulePlan) step {
	schedule := step{What: "schedule", Detail: fmt.Sprintf("%q, by %s, as %s", a.loaded.config.Schedule.String(), p.Target, p.User)}
	switch {
	case p.Prefix != "":
		schedule.Detail = "none: with --prefix nothing is started"
	case s.target == nil:
		schedule.Detail = "none: neither systemd nor cron is here; `claudeops cron` runs cycles in the foreground"
	case s.kept != "":
		schedule.Detail = s.kept
	}
	return schedule
}

func (a *app) messageStep() step {
	courier := a.courier(a.loaded)
	if courier == nil {
		return step{What: "messages", Detail: "none: nobody is named; --notify names whom to tell"}
	}
	var names []string
	for _, t := range courier.Targets() {
		names = append(names, t.Name)
	}
	return step{What: "messages", Detail: "to " + text.List(names)}
}

// checksOf says in short how a service is looked at.
func checksOf(s discover.Service) string {
	var words []string
	for _, k := range s.Checks {
		words = append(words, cmp.Or(k.URL, k.Address, k.Unit, "container "+k.Container))
	}
	return text.Few(words, 3)
}

func (a *app) showPlan(p *setup.Plan, s schedulePlan, f initFlags) error {
	steps := a.planSteps(p, s)
	if a.json {
		return a.printJSON(map[string]any{"done": false, "steps": steps})
	}
	heading := "This is what is to be done:\n\n"
	if f.yes {
		heading = "This is what is done:\n\n"
	}
	return a.print(heading + a.stepLines(steps))
}

func (a *app) stepLines(steps []step) string {
	var out strings.Builder
	for _, s := range steps {
		fmt.Fprintf(&out, "  %-12s %s\n", s.What, a.line(s.Detail))
		for _, line := range s.Lines {
			fmt.Fprintf(&out, "  %-12s   %s\n", "", a.line(line))
		}
	}
	return out.String()
}

// initResult is what `init --json` says of what was done.
type initResult struct {
	Done    bool      `json:"done"`
	Steps   []step    `json:"steps"`
	Written []string  `json:"written"`
	Faults  []string  `json:"faults"`
	Doctor  []finding `json:"doctor"`
	Next    []string  `json:"next"`
	sent    []notify.Direct
	next    time.Time // when the schedule comes next; zero where it was not installed
}

// carryOut does what a plan says. The files come first, all of them or none; what fails after that leaves them, and says how to go on.
func (a *app) carryOut(ctx context.Context, p *setup.Plan, s schedulePlan) error {
	r := initResult{Done: true, Steps: a.planSteps(p, s)}
	var err error
	if r.Written, err = p.Apply(ctx); err != nil {
		return fmt.Errorf("%w\n%s", err, doneBefore(r.Written))
	}
	l, err := a.inForce(config.Load(p.EnvFile))
	if err != nil {
		return err
	}
	fault := func(format string, values ...any) { r.Faults = append(r.Faults, fmt.Sprintf(format, values...)) }
	if courier := a.courier(l); courier != nil && slices.ContainsFunc(p.Settings, func(s config.Setting) bool { return s.Name == "CLAUDEOPS_APPRISE_URLS" }) {
		r.sent = a.direct(ctx, l, courier, testMessage)
		for _, sent := range r.sent {
			if sent.Err != nil {
				fault("the test message did not reach %s: %v; mend CLAUDEOPS_APPRISE_URLS in %s, and try it with `%s notify --test`", sent.Target, sent.Err, p.EnvFile, a.typedFor(p))
			}
		}
	}
	if s.target != nil && s.kept == "" {
		var warned []string
		s.options.Warn = func(warning string) { warned = append(warned, warning) }
		s.job.TooOften = a.tooOften(ctx, l, s.job.Schedule) // now that its services can be read
		installed, err := crontab.Install(ctx, s.target, s.job, s.options)
		if err != nil {
			installed.Next = time.Time{}
			fault("the schedule: %v; then type `%s` again", err, a.typedInit(p))
		}
		for _, warning := range append(warned, strings.TrimSpace(installed.Said)) {
			if warning != "" {
				a.note(warning)
			}
		}
		r.next = installed.Next
		for _, change := range installed.Changes {
			if change.Changed {
				r.Written = append(r.Written, change.Path)
			}
		}
	}
	r.Doctor, err = a.doctorAs(ctx, l, p.User)
	if err != nil {
		fault("doctor could not be run as %s: %v", p.User, err)
	}
	r.Next = a.nextSteps(p, l)
	return a.showResult(ctx, l, p, r)
}

// doneBefore says what was done before something failed.
func doneBefore(done []string) string {
	if len(done) == 0 {
		return "nothing was written"
	}
	return "done before that: " + text.List(done) + "; when this is mended, init goes on from there"
}

// showResult says what was done, what doctor finds, how things are and what is next. Exit 1 is that something failed.
func (a *app) showResult(ctx context.Context, l *loaded, p *setup.Plan, r initResult) error {
	bad := slices.ContainsFunc(r.Doctor, func(f finding) bool { return f.Result == "fail" })
	if a.json {
		return cmp.Or(a.printJSON(r), failUnless(!bad && len(r.Faults) == 0))
	}
	var out strings.Builder
	for _, what := range r.Written {
		out.WriteString("done: " + what + "\n")
	}
	if len(r.Written) == 0 {
		out.WriteString("nothing to change\n")
	}
	if !r.next.IsZero() {
		out.WriteString("next run: " + a.local(r.next) + "\n")
	}
	for _, sent := range r.sent {
		if sent.Err == nil {
			out.WriteString("test message sent: " + sent.Target + "\n")
		}
	}
	out.WriteString("\n" + a.doctorInShort(p, r.Doctor) + "\n")
	if err := a.print(out.String()); err != nil {
		return err
	}
	status, err := a.status(ctx, l)
	if err == nil {
		err = a.showStatus(status)
	}
	if err != nil {
		r.Faults = append(r.Faults, "status: "+err.Error())
	}
	next := "\nnext:\n"
	for i, line := range r.Next {
		next += fmt.Sprintf("  %d. %s\n", i+1, line)
	}
	if err := a.print(next); err != nil {
		return err
	}
	if len(r.Faults) > 0 {
		return errors.New(strings.Join(r.Faults, "\n"))
	}
	return failUnless(!bad)
}

// doctorInShort has what doctor does not find well.
func (a *app) doctorInShort(p *setup.Plan, found []finding) string {
	bad := slices.DeleteFunc(slices.Clone(found), func(f finding) bool { return f.Result == "ok" })
	head := fmt.Sprintf("doctor, as %s: %d of %s are well; `%s doctor` says more\n", p.User, len(found)-len(bad), text.Count(len(found), "check"), a.typedFor(p))
	if len(bad) == 0 {
		return head
	}
	return head + table(a, []string{"", "CHECK", "FOUND"}, bad, finding.cells)
}

// typedFor is how commands are typed that read the file of variables of a plan.
func (a *app) typedFor(p *setup.Plan) string {
	if p.EnvFile == config.EnvFile {
		return ownName
	}
	return ownName + " --env-file " + text.ShellWord(p.EnvFile)
}

// typedInit is how init is typed for the same place.
func (a *app) typedInit(p *setup.Plan) string {
	if p.Prefix != "" {
		return ownName + " init --prefix " + text.ShellWord(p.Prefix)
	}
	if a.envFile != "" {
		return ownName + " --env-file " + text.ShellWord(p.EnvFile) + " init"
	}
	return ownName + " init"
}

// nextSteps are three things that are worth doing now.
func (a *app) nextSteps(p *setup.Plan, l *loaded) []string {
	typed := a.typedFor(p)
	steps := []string{fmt.Sprintf("Read %s: take out what needs no message, add health URLs. `%s probe` makes its checks.", p.Services, typed)}
	if p.Target == "" {
		steps = append(steps, fmt.Sprintf("Have cycles run: `%s cron` does, for as long as it runs.", typed))
	}
	if !l.config.Notifies() {
		steps = append(steps, fmt.Sprintf("Say who is told: `%s --notify ntfy://ntfy.sh/your-long-random-topic`.", a.typedInit(p)))
	} else if l.config.HeartbeatURL == "" {
		steps = append(steps, "Have a monitor elsewhere notice when this machine is down: CLAUDEOPS_HEARTBEAT_URL in "+p.EnvFile+".")
	}
	if l.config.MaxTier == 1 {
		steps = append(steps, fmt.Sprintf("When you trust what you see: `%s --remediate` lets agents mend what fails. They need the claude program, and a key in %s.", a.typedInit(p), p.EnvFile))
	} else {
		steps = append(steps, fmt.Sprintf("See what agents may do: `%s doctor`, docs/guard.md. Units of systemd are restarted only as `claudeops crontab install --allow-unit` says.", typed))
	}
	return append(steps, fmt.Sprintf("See how things are: `%s status`.", typed))[:3]
}
