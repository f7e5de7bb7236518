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

// findHook is the hook that a person means, of those that have run.
func (a *app) findHook(ctx context.Context, c circuits, name string) (hooks.HookHealth, error) {
	health, err := c.health(ctx)
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

// unknownHook says of a name that is no hook's what else could be meant, and where names are found.
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

// hookOf is the hook with a command that is there.
func hookOf(health hooks.Health, command string) hooks.HookHealth {
	return health.Hooks[slices.Index(commandsOf(health), command)]
}

// findAnyHook is findHook that knows hooks too that have not run yet: those that install has wrapped, and any by its whole command.
func (a *app) findAnyHook(ctx context.Context, c circuits, name string) (h hooks.HookHealth, known bool, err error) {
	health, report, err := c.report(ctx)
	if err != nil {
		return hooks.HookHealth{}, false, err
	}
	command, err := hooks.Resolve(commandsOf(health), name)
	wrapped := wrappedHooks()
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

// notBehind is unknownHook that knows, too, the hooks of the settings that are not wrapped.
func (a *app) notBehind(err error, name string, commands []string) error {
	for _, s := range usualSettings() {
		if command, e := hooks.Resolve(s.plainHooks(), name); e == nil {
			return fmt.Errorf("%w behind the circuit breaker: it is in %s and not wrapped; %s", err, s.path, a.wrapping(s, command))
		}
	}
	return fmt.Errorf("%w; one that has not run yet and is not wrapped is named by its whole command, as it stands in the settings",
		a.unknownHook(err, name, commands))
}

// wrapping is how to have a hook of the settings wrapped.
func (a *app) wrapping(s usual, command string) string {
	line := "install"
	if user, err := userSettingsPath(); err != nil || user != s.path {
		line += " --settings " + shellWord(s.path)
	}
	return "`" + a.hooks(line+" --include "+shellWord(patternFor(command, s.plainHooks()))) + "` wraps it"
}

// patternFor is the shortest pattern at hand that means this command and none of the others.
func patternFor(command string, all []string) string {
	for _, pattern := range []string{hooks.ShortName(command), hooks.ShortNames(all)[command]} {
		others := slices.ContainsFunc(all, func(other string) bool { return other != command && hooks.Matches(pattern, other) })
		if hooks.Matches(pattern, command) && !others {
			return pattern
		}
	}
	return command
}

// noteNowhere warns of a hook that was named by its whole command and that no settings at hand hold wrapped.
func (a *app) noteNowhere(h hooks.HookHealth) {
	if slices.Contains(wrappedHooks(), h.Command) {
		return
	}
	var looked []string
	for _, s := range usualSettings() {
		for _, e := range s.hooks {
			switch {
			case e.Why == settings.NotWrapped && e.Command == h.Command:
				a.note(h.Name + " is in " + s.path + " and not wrapped, so that it runs all the same; " + a.wrapping(s, h.Command))
				return
			case strings.Contains(e.Command, h.Command): // somebody may have put the wrapper there
				return
			}
		}
		looked = append(looked, s.path)
	}
	where := "no settings file is there that"
	if len(looked) > 0 {
		where = "no hook of " + strings.Join(looked, ", ")
	}
	a.note("warning: " + where + " has the command " + shellWord(text.Line(h.Command)) + ": see that it is written as it stands where it is called")
}

// notRunYet is said of a hook that somebody named and that the state file does not hold.
func notRunYet(h hooks.HookHealth) string {
	return "no hook with this command has run behind the circuit breaker yet: " + text.Line(h.Command) + "\n"
}

// usual is a settings file that is there, with its hooks.
type usual struct {
	path    string
	wrapped []settings.Command
	hooks   []settings.Entry // all, as uninstall would have them
}

// usualSettings are the user's settings and this directory's. Settings that cannot be read hold nothing: here they only help.
func usualSettings() (all []usual) {
	paths, err := (&settingsFiles{allScopes: true}).paths()
	if err != nil {
		return nil
	}
	var files []*settings.File
	for _, kind := range []settingsKind{userSettings, projectSettings, localSettings} {
		file, err := settings.Open(paths[kind])
		if err != nil || file.Missing || slices.ContainsFunc(files, file.Same) {
			continue
		}
		files = append(files, file)
		wrapped, err := settings.WrappedHooks(file.Content)
		if err != nil {
			continue
		}
		_, hooks, err := settings.Unwrap(file.Content)
		if err != nil {
			continue
		}
		all = append(all, usual{path: paths[kind], wrapped: wrapped, hooks: hooks})
	}
	return all
}

// plainHooks are the commands of the hooks that are not wrapped, be it by hand.
func (s usual) plainHooks() (commands []string) {
	for _, e := range s.hooks {
		if e.Why == settings.NotWrapped && e.Command != "" {
			commands = append(commands, e.Command)
		}
	}
	return commands
}

// wrappedHooks are those of the usual settings that install has wrapped, as the breaker knows them.
func wrappedHooks() []string {
	var commands []string
	for _, s := range usualSettings() {
		for _, h := range s.wrapped {
			if h.Words != nil {
				h.Line = (&runFlags{words: h.Words}).key("")
			}
			commands = append(commands, h.Line)
		}
	}
	slices.Sort(commands)
	return slices.Compact(commands)
}

// wrappedOnly says which hooks are wrapped, where none has run yet; empty where none is.
func wrappedOnly() string {
	var text strings.Builder
	for _, s := range usualSettings() {
		switch n := len(s.wrapped); n {
		case 0:
		case 1:
			fmt.Fprintf(&text, "1 hook is wrapped in %s; it has not run yet\n", s.path)
		default:
			fmt.Fprintf(&text, "%d hooks are wrapped in %s; none has run yet\n", n, s.path)
		}
	}
	return text.String()
}
