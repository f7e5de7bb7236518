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
	"github.com/claudeops/claudeops/discover"
	"github.com/claudeops/claudeops/internal/mask"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/setup"
)

func init() { addCommand((*app).initCommand) }

// initFlags are the flags of init.
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
		Long: `init finds what runs here (containers, systemd units, listening ports, services of Kubernetes), and writes a services file
of it, the variables in ` + config.EnvFile + `, and what has systemd or cron run a cycle every minute. It sends a test message, and ends with
what doctor says as the user that the cycles run as. On a terminal it asks; before anything is changed it shows all that would be.

What is there already stays: a services file gets what it has not, by name or alias, and a variable that is set keeps its value unless a
flag says another. So init may be run again, to add a target, another schedule, or what has come since.

The checks alone are made, no agent is started and nothing is restarted: CLAUDEOPS_TIER1_AGENT=probe, CLAUDEOPS_MAX_TIER=1. --remediate lets
agents investigate and remediate (CLAUDEOPS_MAX_TIER=3), each restart and redeployment after your yes (CLAUDEOPS_APPROVAL=remediation), or
with --unattended without it. First aid of the services file needs no agent, but the same two settings, or approval: none of its service.

Without root it sets up a watch of your own: files below ~/.config/claudeops and ~/.local/state/claudeops, and your crontab or your systemd.

A set-up that starts agents already, by a credential and without these two variables, goes on as it is, and says so.

Exit codes: 0; 1 where a step failed, which says what was done, or doctor finds a fault; 2 where nothing was done: what was asked for cannot
be, there is no terminal to ask on, or you said no; 130 where you left a question by Ctrl-C, with which nothing was done, either.`,
		Example: `  sudo claudeops init
  sudo claudeops init --yes --notify ntfy://ntfy.sh/your-long-random-topic
  claudeops init --yes --prefix /tmp/try
  sudo claudeops init --remove`,
		RunE: func(c *cobra.Command, _ []string) error {
			if a.ofSession() {
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
	c.Flags().BoolVar(&f.wish.Remediate, "remediate", false, "let agents investigate and, after your yes, remediate")
	c.Flags().BoolVar(&f.wish.Unattended, "unattended", false, "with --remediate: without your yes")
	c.Flags().BoolVar(&f.remove, "remove", false, "take away what init made, and keep the records")
	return c
}

// make runs init.
func (a *app) make(ctx context.Context, f initFlags) error {
	p, err := a.planInit(ctx, f)
	if err != nil {
		return err
	}
	steps := p.Steps(a.targetNames())
	switch {
	case !a.json:
		heading := "This is what is to be done:\n\n"
		if f.yes {
			heading = "This is what is done:\n\n"
		}
		err = a.print(heading + a.stepLines(steps))
	case !f.yes:
		err = a.printJSON(initResult{Steps: steps})
	}
	if err == nil {
		err = a.agreed(ctx, f.yes)
	}
	if err != nil {
		return err
	}
	return a.carryOut(ctx, p, initResult{Done: true, Steps: steps})
}

// planInit inspects the machine, asks the questions and decides. Its errors occur before any change.
func (a *app) planInit(ctx context.Context, f initFlags) (*setup.Plan, error) {
	refused := func(err error) error { return &exitError{exitUsage, err} }
	m, err := setup.Look(ctx, f.where, os.Environ())
	if err != nil {
		return nil, refused(err)
	}
	l, err := a.inForce(config.LoadText(m.EnvFile, m.Env))
	if err != nil {
		return nil, refused(err)
	}
	found, err := discover.Run(ctx, discover.Options{Environ: l.environment.Environ()})
	if err != nil {
		return nil, refused(err)
	}
	if !f.yes && !a.json && a.converses() {
		if err := a.askWish(ctx, &f.wish, m, found); err != nil {
			return nil, err
		}
	}
	p, err := setup.Decide(m, f.wish, found, a.Now())
	if err != nil {
		return nil, refused(err)
	}
	if l, err = a.inForce(config.LoadText(p.EnvFile, p.EnvText)); err != nil {
		return nil, refused(fmt.Errorf("%w\nnothing was done", err))
	}
	program, err := ownPath()
	if err != nil {
		return nil, refused(fmt.Errorf("the path of this program: %w", err))
	}
	tried := setup.InForce{Config: l.config, Environment: l.environment, Program: program, TooOften: a.tooOften(l, l.config.Schedule), Now: a.Now()}
	if err := p.Try(ctx, tried); err != nil {
		return nil, refused(fmt.Errorf("%w\nnothing was done", err))
	}
	return p, nil
}

// targetNames returns the names of the notification targets.
func (a *app) targetNames() (names []string) {
	if courier := a.courier(a.loaded); courier != nil {
		for _, t := range courier.Targets() {
			names = append(names, t.Name)
		}
	}
	return names
}

// agreed asks for confirmation of what was shown, unless --yes is given.
func (a *app) agreed(ctx context.Context, yes bool) error {
	switch {
	case yes:
		return nil
	case a.json || !a.converses():
		return &exitError{exitUsage, errors.New("nothing was done: there is no terminal to ask on; --yes does what is shown")}
	}
	agreed, err := a.askYes(ctx, "Do this?", true)
	if err == nil && !agreed {
		return &exitError{exitUsage, errors.New("nothing was done: you said no")}
	}
	return err
}

// inForce puts a configuration in force for what this command calls.
func (a *app) inForce(c config.Config, environment *config.Environment, err error) (*loaded, error) {
	redactor := mask.New(environment.Secrets())
	a.redactor = redactor
	l := &loaded{c, environment, redactor, newLogger(a.Err, c.LogFormat, c.LogLevel, redactor)}
	if err == nil {
		a.loaded = l
	}
	return l, err
}

func (a *app) stepLines(steps []setup.Step) string {
	var out strings.Builder
	for _, s := range steps {
		fmt.Fprintf(&out, "  %-12s %s\n", s.What, a.line(s.Detail))
		for _, line := range firstLines(s.Lines, a.line) {
			fmt.Fprintf(&out, "  %-12s   %s\n", "", line)
		}
	}
	return out.String()
}

// initResult is the output of `init --json`: what was or would be done.
type initResult struct {
	Done    bool         `json:"done"`
	Steps   []setup.Step `json:"steps"`
	Written []string     `json:"written,omitempty"`
	Faults  []string     `json:"faults,omitempty"`
	Doctor  []finding    `json:"doctor,omitempty"`
	Next    []string     `json:"next,omitempty"`
	// Accounts are what the databases of the services lack for agents to ask them.
	Accounts []missingAccount `json:"accounts,omitempty"`
	sent     []tested
	next     time.Time // next run of the schedule; zero if it was not installed
	left     string    // remaining steps for the scheduler
}

// carryOut carries out a plan. The files come first, all or none. A later failure leaves them in place, and the error says how to
// continue.
func (a *app) carryOut(ctx context.Context, p *setup.Plan, r initResult) (err error) {
	if r.Written, err = p.Apply(ctx); err != nil {
		if len(r.Written) == 0 {
			return fmt.Errorf("%w\nnothing was written", err)
		}
		return fmt.Errorf("%w\ndone before that: %s; when this is mended, init goes on from there", err, text.List(r.Written))
	}
	l, err := a.inForce(config.Load(p.EnvFile))
	if err != nil {
		return err
	}
	fault := func(format string, values ...any) { r.Faults = append(r.Faults, fmt.Sprintf(format, values...)) }
	if slices.ContainsFunc(p.Settings, func(s config.Setting) bool { return s.Name == "CLAUDEOPS_APPRISE_URLS" }) {
		if err := a.runAs(ctx, l, p.User, &r.sent, "notify", "--test"); err != nil {
			fault("the test message was not sent as %s: %v", p.User, err)
		}
		for _, sent := range r.sent {
			if !sent.Sent {
				fault("the test message did not reach %s: %s; mend CLAUDEOPS_APPRISE_URLS in %s, and try it with `%s notify --test`", sent.Target, sent.Error, p.EnvFile, p.Command())
			}
		}
	}
	installed, warnings, err := p.Install(ctx, a.tooOften(l, l.config.Schedule))
	if err != nil {
		fault("the schedule: %v; then type `%s` again", err, p.InitCommand())
	} else {
		r.next = installed.Next
	}
	for _, warning := range warnings {
		a.note(warning)
	}
	r.left = installed.Said
	for _, change := range installed.Changes {
		if change.Changed {
			r.Written = append(r.Written, change.Path)
		}
	}
	if err := a.runAs(ctx, l, p.User, &r.Doctor, "doctor"); err != nil {
		fault("doctor could not be run as %s: %v", p.User, err)
	}
	r.Next = p.Next()
	if inv, err := inventory.Read(p.Services); err == nil { // doctor says what is wrong with it
		r.Accounts = missingAccounts(inv.Services)
	}
	return a.showResult(ctx, l, p, r)
}

// showResult prints what was done, doctor's findings, the state and the next steps. Exit 1 means that something failed.
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
		if sent.Sent {
			out.WriteString("test message sent: " + sent.Target + "\n")
		}
	}
	out.WriteString(r.left + "\n" + a.doctorInShort(p, r.Doctor) + "\n")
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
	if err := a.print(next + accountLines(r.Accounts)); err != nil {
		return err
	}
	if len(r.Faults) > 0 {
		return errors.New(strings.Join(r.Faults, "\n"))
	}
	return failUnless(!bad)
}

// doctorInShort returns doctor's warnings and failures.
func (a *app) doctorInShort(p *setup.Plan, found []finding) string {
	bad := slices.DeleteFunc(slices.Clone(found), func(f finding) bool { return f.Result == "ok" })
	head := fmt.Sprintf("doctor, as %s: %d of %s are well; `%s doctor` says more\n", p.User, len(found)-len(bad), text.Count(len(found), "check"), p.Command())
	if len(bad) == 0 {
		return head
	}
	return head + table(a, []string{"", "CHECK", "FOUND"}, bad, finding.cells)
}
