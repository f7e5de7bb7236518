package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/claudeops/claudeops/hooks"
	"github.com/claudeops/claudeops/hooks/settings"
	"github.com/claudeops/claudeops/internal/text"
)

// findHook returns the hook that a person means, among those that have run.
func (a *app) findHook(ctx context.Context, c circuits, name string) (hooks.HookHealth, error) {
	health, _, err := c.report(ctx)
	if err != nil {
		return hooks.HookHealth{}, err
	}
	command, err := hooks.Resolve(commandsOf(health), name)
	switch {
	case errors.Is(err, hooks.ErrUnknownHook):
		return hooks.HookHealth{}, a.unknownHook(err, name, commandsOf(health))
	case err != nil:
		return hooks.HookHealth{}, err
	}
	return hookOf(health, command), nil
}

// unknownHook returns an error for an unknown name, with suggestions and where to find names.
func (a *app) unknownHook(err error, name string, commands []string) error {
	var names []string
	for _, short := range hooks.ShortNames(commands) {
		names = append(names, short)
	}
	if near := text.Nearest(name, names, nil); near != "" {
		return fmt.Errorf("%w; did you mean %s? `%s` names those that have run", err, near, a.hooks("list"))
	}
	return fmt.Errorf("%w; a hook is known once it has run: `%s` names those", err, a.hooks("list"))
}

func commandsOf(health hooks.Health) []string {
	commands := make([]string, len(health.Hooks))
	for i, h := range health.Hooks {
		commands[i] = h.Command
	}
	return commands
}

// hookOf returns the hook with a command, which must exist.
func hookOf(health hooks.Health, command string) hooks.HookHealth {
	return health.Hooks[slices.Index(commandsOf(health), command)]
}

// findAnyHook is findHook including hooks that have not run: those wrapped by install, and any named by its whole command.
func (a *app) findAnyHook(ctx context.Context, c circuits, name string) (h hooks.HookHealth, known bool, err error) {
	health, report, err := c.report(ctx)
	if err != nil {
		return hooks.HookHealth{}, false, err
	}
	command, err := hooks.Resolve(commandsOf(health), name)
	wrapped := settings.WrappedAnywhere()
	if slices.Contains(wrapped, name) {
		command, err = name, nil
	} else if errors.Is(err, hooks.ErrUnknownHook) {
		command, err = hooks.Resolve(wrapped, name)
	}
	if errors.Is(err, hooks.ErrUnknownHook) {
		if !strings.ContainsAny(name, " /\t\n") {
			return hooks.HookHealth{}, false, a.notBehind(err, name, append(commandsOf(health), wrapped...))
		}
		command, err = name, nil
	}
	if err != nil {
		return hooks.HookHealth{}, false, err
	}
	if _, known = report.Hooks[command]; !known {
		report.Hooks[command] = hooks.Hook{}
		health = c.config.Examine(report)
	}
	return hookOf(health, command), known, nil
}

// notBehind is unknownHook including unwrapped hooks of the settings.
func (a *app) notBehind(err error, name string, commands []string) error {
	for _, s := range settings.Usual() {
		if command, e := hooks.Resolve(s.Plain(), name); e == nil {
			return fmt.Errorf("%w behind the circuit breaker: it is in %s and not wrapped; %s", err, s.Path, a.wrapping(s, command))
		}
	}
	return fmt.Errorf("%w; one that has not run yet and is not wrapped is named by its whole command, as it is in the settings",
		a.unknownHook(err, name, commands))
}

// wrapping says how to wrap a hook of the settings.
func (a *app) wrapping(s settings.Found, command string) string {
	line := "install"
	if user, err := settings.UserPath(); err != nil || user != s.Path {
		line += " --settings " + text.ShellWord(s.Path)
	}
	return "`" + a.hooks(line+" --include "+text.ShellWord(hooks.PatternFor(command, s.Plain()))) + "` wraps it"
}

// noteNowhere warns of a hook named by its whole command that is not wrapped in any settings found here.
func (a *app) noteNowhere(h hooks.HookHealth) {
	if slices.Contains(settings.WrappedAnywhere(), h.Command) {
		return
	}
	var looked []string
	for _, s := range settings.Usual() {
		for _, e := range s.Hooks {
			switch {
			case e.Why == settings.NotWrapped && e.Command == h.Command:
				a.note(h.Name + " is in " + s.Path + " and not wrapped, so that it runs all the same; " + a.wrapping(s, h.Command))
				return
			case strings.Contains(e.Command, h.Command): // the wrapper may have been added by hand
				return
			}
		}
		looked = append(looked, s.Path)
	}
	where := "no settings file is there that"
	if len(looked) > 0 {
		where = "no hook of " + strings.Join(looked, ", ")
	}
	a.note("warning: " + where + " has the command " + text.ShellWord(hooks.OneLine(h.Command)) + ": see that it is written exactly as where it is called")
}

// notRunYet returns the note for a named hook that is missing in the state file.
func notRunYet(h hooks.HookHealth) string {
	return "no hook with this command has run behind the circuit breaker yet: " + hooks.OneLine(h.Command) + "\n"
}

// wrappedOnly names the wrapped hooks if none has run yet; empty if none is wrapped.
func wrappedOnly() string {
	var text strings.Builder
	for _, s := range settings.Usual() {
		switch n := len(s.Wrapped()); n {
		case 0:
		case 1:
			fmt.Fprintf(&text, "1 hook is wrapped in %s; it has not run yet\n", s.Path)
		default:
			fmt.Fprintf(&text, "%d hooks are wrapped in %s; none has run yet\n", n, s.Path)
		}
	}
	return text.String()
}
