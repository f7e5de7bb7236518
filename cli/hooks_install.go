package cli

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/hooks"
	"github.com/claudeops/claudeops/hooks/settings"
	"github.com/claudeops/claudeops/internal/text"
)

func (a *app) hooksInstallCommand() *cobra.Command {
	var at settingsFiles
	var o settings.Options
	var plugins bool
	c := &cobra.Command{
		Use:   "install",
		Short: "Put the circuit breaker in front of the hooks of Claude Code's settings",
		Long: `install puts the circuit breaker in front of the hooks of a Claude Code settings file, by default the user's. A wrapped hook
does what it did before, also where claude-hooks is not installed: a settings file can be shared. Nothing else in the file
changes, and "uninstall" restores it byte for byte. A backup is written beside it.

Installing again adds hooks that are new and follows timeouts that have changed.

Hooks of PreToolUse are left alone unless --include names them: they may be guards, and a guard that is skipped lets everything
through. A PATTERN is a part of the hook's command, in which *, ? and [a-z] match as in a shell, or the name of an event.
What --include has wrapped stays so; --exclude is not remembered, and has to be repeated each time.

With --plugins the hooks of plugins, which no settings file lists, go through the breaker too: Claude Code is told to run its
commands through a script beside the settings file, which hands on what is no hook as it is. Plugins' hooks of PreToolUse, and of
events that --exclude names, are counted and never skipped.`,
		Args: takes(),
	}
	at.flags(c)
	c.Flags().StringArrayVar(&o.Include, "include", nil, "wrap hooks of PreToolUse that match this `PATTERN` too; may be repeated")
	c.Flags().StringArrayVar(&o.Exclude, "exclude", nil, "leave hooks that match this `PATTERN` alone, and unwrap them; may be repeated")
	c.Flags().BoolVar(&plugins, "plugins", false, "reach the hooks of plugins too")
	c.RunE = func(c *cobra.Command, _ []string) error {
		var err error
		if o.Program, err = a.hooksProgram(c.Context()); err != nil {
			return err
		}
		changes, err := a.changeSettings(at, func(s *settingsChange) error {
			if s.content, s.Hooks, err = settings.Wrap(s.content, o); err != nil {
				return err
			}
			if plugins && (s.kind == userSettings || s.kind == namedSettings) {
				return s.setPrefix(o)
			}
			return nil
		})
		if err != nil {
			return err
		}
		a.noteUnmatched(changes, "--include", o.Include, plugins)
		a.noteUnmatched(changes, "--exclude", o.Exclude, plugins)
		if err := a.printSettings(changes, at, "install"); err != nil || a.json {
			return err
		}
		return a.print(a.afterInstall(changes, at, plugins))
	}
	return c
}

// afterInstall is what comes next.
func (a *app) afterInstall(changes []*settingsChange, at settingsFiles, plugins bool) string {
	changed := slices.ContainsFunc(changes, func(s *settingsChange) bool { return s.Changed || s.Script != "" })
	hooks := slices.ContainsFunc(changes, func(s *settingsChange) bool { return len(s.Hooks) > 0 })
	switch {
	case !changed && !hooks && !plugins:
		return "there is no hook to wrap: install again when Claude Code's settings have some, or name another file with --settings FILE\n"
	case !changed || at.dryRun:
		return ""
	}
	return "\nsessions that start from now on use this; `" + a.hooks("health") + "` shows what is switched off, and why\n`" +
		a.hooks(at.line("uninstall")) + "` takes it back\n"
}

// noteUnmatched warns of patterns that no hook fits. Those of plugins' hooks cannot be known, only that one is nearly an event.
func (a *app) noteUnmatched(changes []*settingsChange, flag string, patterns []string, plugins bool) {
	var files, commands []string
	for _, s := range changes {
		if s.Missing {
			continue
		}
		files = append(files, s.File)
		for _, h := range s.Hooks {
			commands = append(commands, h.Command)
		}
	}
	for _, pattern := range patterns {
		means := func(command string) bool { return hooks.Matches(pattern, command) }
		if slices.Contains(hooks.Events(), pattern) || slices.ContainsFunc(commands, means) || slices.ContainsFunc(changes, func(s *settingsChange) bool {
			return slices.ContainsFunc(s.Hooks, func(h settings.Entry) bool { return h.Event == pattern })
		}) {
			continue
		}
		names := hooks.Events()
		for _, short := range hooks.ShortNames(commands) {
			names = append(names, short)
		}
		near := text.Nearest(pattern, names, nil)
		if len(files) == 0 || plugins && near == "" {
			continue
		}
		text := "no hook of " + strings.Join(files, ", ") + " matches " + flag + " " + shellWord(pattern)
		if near != "" {
			text += "; did you mean " + near + "?"
		}
		a.note(text)
	}
}

// setPrefix has the agent program run its commands through a script beside the settings.
func (s *settingsChange) setPrefix(o settings.Options) error {
	if s.isProjects() {
		return fmt.Errorf("--plugins is for settings of one user: these are shared with others, who have no %s", settings.PrefixName)
	}
	script := filepath.Join(filepath.Dir(s.File), settings.PrefixName)
	content, err := settings.SetPrefix(s.content, script)
	if err != nil {
		return err
	}
	s.content = content
	text := settings.PrefixScript(o)
	if there, err := os.ReadFile(script); err == nil && bytes.Equal(there, text) {
		return nil
	}
	s.Script, s.scriptText = script, text
	return nil
}

// hooksProgram is what wrapped hooks call: claude-hooks where it is found, otherwise this program by its path. One that is found and
// cannot be executed is refused, because the shell of a wrapped hook that finds it does not come to the hook any more.
func (a *app) hooksProgram(ctx context.Context) ([]string, error) {
	if found, err := exec.LookPath(hooksName); err == nil {
		if !answers(ctx, found) {
			return nil, fmt.Errorf("%s is in PATH and does not work, so that no hook that calls it would run: replace it or take it away", found)
		}
		return []string{hooksName}, nil
	}
	path, err := ownPath()
	if err != nil {
		return nil, err
	}
	program := []string{path}
	if filepath.Base(path) != hooksName {
		program = append(program, "hooks")
	}
	_, err = fmt.Fprintf(a.Err, "%s is not found in PATH: hooks will call %s, by a path that only this machine may have\n", hooksName, path)
	return program, err
}

// answers reports whether a program is ours, and can be executed here.
func answers(ctx context.Context, path string) bool {
	const longest = 10 * time.Second
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	said, err := exec.CommandContext(ctx, path, "version").Output()
	return err == nil && (bytes.HasPrefix(said, []byte(hooksName+" ")) || bytes.HasPrefix(said, []byte(ownName+" "))) // as it was once
}

// ownPath is the path by which this program was called, rather than the one that leads to: a new version may stand at another.
func ownPath() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	is, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if called, err := exec.LookPath(os.Args[0]); err == nil {
		if by, err := os.Stat(called); err == nil && os.SameFile(is, by) {
			return filepath.Abs(called)
		}
	}
	return path, nil
}
