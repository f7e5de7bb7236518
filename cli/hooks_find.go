package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/claudeops/claudeops/breaker"
	"github.com/claudeops/claudeops/breaker/settings"
)

// find is the hook that a person means, of those that have run.
func (c circuits) find(ctx context.Context, name string) (breaker.HookHealth, error) {
	health, err := c.health(ctx)
	if err != nil {
		return breaker.HookHealth{}, err
	}
	command, err := breaker.Resolve(commandsOf(health), name)
	switch {
	case errors.Is(err, breaker.ErrUnknownHook):
		return breaker.HookHealth{}, fmt.Errorf("%w; a hook is known once it has run", err)
	case err != nil:
		return breaker.HookHealth{}, err
	}
	return hookOf(health, command), nil
}

func commandsOf(health breaker.Health) []string {
	commands := make([]string, len(health.Hooks))
	for i, h := range health.Hooks {
		commands[i] = h.Command
	}
	return commands
}

// hookOf is the hook with a command that is there.
func hookOf(health breaker.Health, command string) breaker.HookHealth {
	return health.Hooks[slices.Index(commandsOf(health), command)]
}

// findAny is find that knows hooks too that have not run yet: those that install has wrapped, and any by its whole command.
func (c circuits) findAny(ctx context.Context, name string) (h breaker.HookHealth, known bool, err error) {
	health, report, err := c.report(ctx)
	if err != nil {
		return breaker.HookHealth{}, false, err
	}
	command, err := breaker.Resolve(commandsOf(health), name)
	if wrapped := wrappedHooks(); slices.Contains(wrapped, name) {
		command, err = name, nil
	} else if errors.Is(err, breaker.ErrUnknownHook) {
		command, err = breaker.Resolve(wrapped, name)
	}
	if errors.Is(err, breaker.ErrUnknownHook) {
		if !strings.ContainsAny(name, " /\t\n") {
			return breaker.HookHealth{}, false, fmt.Errorf("%w: none that has run, and none that install has wrapped; "+
				"one that has not run yet is named by its whole command, as it stands in the settings", err)
		}
		command, err = name, nil
	}
	if err != nil {
		return breaker.HookHealth{}, false, err
	}
	if _, known = report.Hooks[command]; !known {
		report.Hooks[command] = breaker.Hook{}
		health = c.config.Examine(report)
	}
	return hookOf(health, command), known, nil
}

// notRunYet is said of a hook that somebody named and that the state file does not hold.
func notRunYet(h breaker.HookHealth) string {
	return "no hook with this command has run behind the circuit breaker yet: " + oneLine(h.Command) + "\n"
}

// wrappedHooks are those of the user's settings and of this directory's that install has wrapped, as the breaker knows them. Settings
// that cannot be read hold none: here they only help to find a name.
func wrappedHooks() []string {
	paths, err := (&settingsFiles{allScopes: true}).paths()
	if err != nil {
		return nil
	}
	var commands []string
	for _, path := range paths {
		file, err := settings.Open(path)
		if err != nil {
			continue
		}
		hooks, err := settings.WrappedHooks(file.Content)
		if err != nil {
			continue
		}
		for _, h := range hooks {
			if h.Words != nil {
				h.Line = (&runFlags{words: h.Words}).key("")
			}
			commands = append(commands, h.Line)
		}
	}
	slices.Sort(commands)
	return slices.Compact(commands)
}
