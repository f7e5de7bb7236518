package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"

	tea "charm.land/bubbletea/v2"
	"charm.land/huh/v2"
	"golang.org/x/term"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/discover"
	"github.com/claudeops/claudeops/setup"
)

// converses reports whether a person at a terminal can be asked.
func (a *app) converses() bool {
	in, ok := a.In.(*os.File)
	return ok && term.IsTerminal(int(in.Fd())) && a.terminal() && os.Getenv("TERM") != "dumb"
}

// ask asks one question. If it is left unanswered, the command ends.
func (a *app) ask(ctx context.Context, field huh.Field) error {
	form := huh.NewForm(huh.NewGroup(field)).
		WithProgramOptions(tea.WithoutSignalHandler()).WithInput(a.In).WithOutput(a.Out).WithTheme(huh.ThemeFunc(huh.ThemeBase16))
	err := form.RunWithContext(ctx)
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("nothing was done: %w", context.Cause(ctx))
	case errors.Is(err, huh.ErrUserAborted):
		return &exitError{exitSignal + int(syscall.SIGINT), errors.New("nothing was done: you left it")}
	}
	return err
}

// askLeave asks whether to continue; no ends the command.
func (a *app) askLeave(ctx context.Context, question string) error {
	agreed := true
	if err := a.ask(ctx, huh.NewConfirm().Title(question).Affirmative("Yes").Negative("No").Value(&agreed)); err != nil {
		return err
	}
	if !agreed {
		return &exitError{exitUsage, errors.New("nothing was done: you said no")}
	}
	return nil
}

// askWish asks for everything that neither a flag nor the environment file sets.
func (a *app) askWish(ctx context.Context, w *setup.Wish, m *setup.Machine, found discover.Found) error {
	if len(w.Notify) == 0 && !m.Has("CLAUDEOPS_APPRISE_URLS") && !m.Has("CLAUDEOPS_APPRISE_KEY") {
		urls := ""
		err := a.ask(ctx, huh.NewInput().Title("Who is to be told when something is down?").
			Description("An Apprise URL, such as ntfy://ntfy.sh/your-long-random-topic; several with commas between them. Empty: nobody for now.").
			Value(&urls).Validate(func(text string) error { var u config.URLs; return u.Decode(text) }))
		if err != nil {
			return err
		}
		if urls = strings.TrimSpace(urls); urls != "" {
			w.Notify = []string{urls}
		}
	}
	if w.Schedule == "" && !m.Scheduled() {
		w.Schedule = setup.DefaultSchedule
		err := a.ask(ctx, huh.NewSelect[string]().Title("How often are the services to be checked?").
			Options(huh.NewOption("every minute", setup.DefaultSchedule), huh.NewOption("every 5 minutes", "*/5 * * * *"),
				huh.NewOption("every 15 minutes", "*/15 * * * *"), huh.NewOption("every hour", "0 * * * *")).
			Description("Checks alone cost nothing.").Value(&w.Schedule))
		if err != nil {
			return err
		}
	}
	if err := a.askServices(ctx, w, m, found); err != nil {
		return err
	}
	if !w.Remediate && !m.Has("CLAUDEOPS_MAX_TIER") && !m.Armed() {
		return a.ask(ctx, huh.NewConfirm().Title("May agents restart and redeploy services that fail, within the limits?").
			Description("They need the claude program and a key. You can allow it later: claudeops init --remediate").
			Affirmative("Yes").Negative("Not yet").Value(&w.Remediate))
	}
	return nil
}

// askServices asks which of the new services are to be watched.
func (a *app) askServices(ctx context.Context, w *setup.Wish, m *setup.Machine, found discover.Found) error {
	had, err := m.ServicesThere()
	if err != nil {
		return err
	}
	var chosen []string
	var options []huh.Option[string]
	added := found.NotIn(had)
	for _, s := range added {
		options = append(options, huh.NewOption(a.line(s.Name+"  "+setup.ChecksOf(s)), s.Name).Selected(!slices.Contains(m.Made.Offered, s.Name)))
	}
	if len(options) == 0 {
		return nil
	}
	const most = 15 // lines on the screen
	if err := a.ask(ctx, huh.NewMultiSelect[string]().Title("Which of these are to be watched?").Description("x or space takes one out, enter goes on").
		Options(options...).Height(min(len(options), most)+3).Value(&chosen)); err != nil {
		return err
	}
	w.Leave = []string{}
	for _, s := range added {
		if !slices.Contains(chosen, s.Name) {
			w.Leave = append(w.Leave, s.Name)
		}
	}
	return nil
}
