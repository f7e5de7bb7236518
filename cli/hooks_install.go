package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
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
	var at settingsFlags
	var o settings.Options
	var plugins bool
	c := &cobra.Command{
		Use:   "install",
		Short: "Put the circuit breaker in front of the hooks of Claude Code's settings",
		Long: `install wraps the hooks of a Claude Code settings file, by default the user's, so that they run behind the circuit breaker. Nothing
else in the file changes, a backup is written beside it, and "uninstall" restores it byte for byte. The file can still be shared: a
wrapped hook also runs where claude-hooks is not installed.

Installing again adds hooks that are new and follows timeouts that have changed.

Hooks of PreToolUse are left alone unless --include names them: they may be guards, and a guard that is skipped lets everything
through. A PATTERN is a part of the hook's command, in which *, ? and [a-z] match as in a shell, or the name of an event.
What --include has wrapped stays so; --exclude is not remembered, and has to be repeated each time.

With --plugins the hooks of plugins, which no settings file lists, go through the breaker too: Claude Code is set to run its
commands through a script beside the settings file, which hands on what is no hook as it is. Plugins' hooks of PreToolUse, and of
events that --exclude names, are counted and never skipped.`,
	}
	at.add(c)
	c.Flags().StringArrayVar(&o.Include, "include", nil, "wrap hooks of PreToolUse that match this `PATTERN` too; may be repeated")
	c.Flags().StringArrayVar(&o.Exclude, "exclude", nil, "leave hooks that match this `PATTERN` alone, and unwrap them; may be repeated")
	c.Flags().BoolVar(&plugins, "plugins", false, "reach the hooks of plugins too")
	c.RunE = func(c *cobra.Command, _ []string) error {
		var err error
		if o.Program, err = a.hooksProgram(c.Context()); err != nil {
			return err
		}
		changes, err := settings.Install(at.Scope, o, plugins, at.dryRun, a.Now())
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

func (a *app) hooksUninstallCommand() *cobra.Command {
	var at settingsFlags
	c := &cobra.Command{
		Use:   "uninstall",
		Short: "Take the circuit breaker away from the hooks of Claude Code's settings",
		Long: `uninstall takes the circuit breaker away from the hooks of a Claude Code settings file, by default the user's, with what
"install --plugins" has put there. What install has changed becomes what it was, byte for byte; what was changed since stays. A
backup is written beside the file.`,
	}
	at.add(c)
	c.RunE = func(*cobra.Command, []string) error {
		changes, err := settings.Uninstall(at.Scope, at.dryRun, a.Now())
		if err != nil {
			return err
		}
		if err := a.printSettings(changes, at, "uninstall"); err != nil || a.json || at.dryRun {
			return err
		}
		return a.print(a.afterUninstall(changes))
	}
	return c
}

// afterUninstall names the files that remain after hooks were unwrapped.
func (a *app) afterUninstall(changes []*settings.Change) string {
	if !slices.ContainsFunc(changes, func(s *settings.Change) bool { return s.Changed || s.Script != "" }) {
		return ""
	}
	var stay []string
	for _, s := range changes {
		entries, err := os.ReadDir(filepath.Dir(s.File))
		if err == nil && slices.ContainsFunc(entries, func(e os.DirEntry) bool {
			return strings.HasPrefix(e.Name(), filepath.Base(s.File)+".backup-")
		}) {
			stay = append(stay, s.File+".backup-*")
		}
	}
	config := a.circuits(a.hookFlags).config
	for _, path := range []string{config.StateFile, config.LogFile} {
		if _, err := os.Stat(path); err == nil {
			stay = append(stay, path)
		}
	}
	if len(stay) == 0 {
		return ""
	}
	return "\nthese files stay, and may be deleted:\n  " + strings.Join(stay, "\n  ") + "\n"
}

// settingsFlags select the settings files, and whether to change them at all.
type settingsFlags struct {
	settings.Scope
	dryRun bool
}

func (s *settingsFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&s.File, "settings", "", "change this `FILE` instead of the user's settings")
	c.Flags().BoolVar(&s.All, "all-scopes", false, "change the user's settings and, of this directory, the project's and the local ones")
	c.Flags().BoolVar(&s.dryRun, "dry-run", false, "show what would change, and change nothing")
	c.Args = func(c *cobra.Command, _ []string) error {
		switch {
		case s.File == "" && c.Flags().Changed("settings"): // an unset shell variable has this effect
			return errors.New("--settings names no file")
		case s.File != "" && s.All:
			return errors.New("--settings and --all-scopes exclude each other")
		}
		return nil
	}
}

// line returns a command with flags for the same files.
func (s *settingsFlags) line(command string) string {
	switch {
	case s.File != "":
		return command + " --settings " + text.ShellWord(s.File)
	case s.All:
		return command + " --all-scopes"
	}
	return command
}

// afterInstall returns the next steps.
func (a *app) afterInstall(changes []*settings.Change, at settingsFlags, plugins bool) string {
	changed := slices.ContainsFunc(changes, func(s *settings.Change) bool { return s.Changed || s.Script != "" })
	hooks := slices.ContainsFunc(changes, func(s *settings.Change) bool { return len(s.Hooks) > 0 })
	switch {
	case !changed && !hooks && !plugins:
		return "there is no hook to wrap: install again when Claude Code's settings have some, or name another file with --settings FILE\n"
	case !changed || at.dryRun:
		return ""
	}
	return "\nsessions that start from now on use this; `" + a.hooks("health") + "` shows what is switched off, and why\n`" +
		a.hooks(at.line("uninstall")) + "` takes it back\n"
}

// noteUnmatched warns of patterns that match no hook. Hooks of plugins are unknown here, so for them it only warns of patterns that
// resemble an event.
func (a *app) noteUnmatched(changes []*settings.Change, flag string, patterns []string, plugins bool) {
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
		if slices.Contains(hooks.Events(), pattern) || slices.ContainsFunc(commands, means) || slices.ContainsFunc(changes, func(s *settings.Change) bool {
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
		text := "no hook of " + strings.Join(files, ", ") + " matches " + flag + " " + text.ShellWord(pattern)
		if near != "" {
			text += "; did you mean " + near + "?"
		}
		a.note(text)
	}
}

// hooksProgram returns what wrapped hooks call: claude-hooks if it is found, otherwise this program's path. If claude-hooks is found but
// not executable, that is an error, because the shell of a wrapped hook would find it and never run the hook.
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

// answers reports whether a program is claudeops and can be executed here.
func answers(ctx context.Context, path string) bool {
	const longest = 10 * time.Second
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	said, err := exec.CommandContext(ctx, path, "version").Output()
	return err == nil && (bytes.HasPrefix(said, []byte(hooksName+" ")) || bytes.HasPrefix(said, []byte(ownName+" "))) // an earlier name
}

// ownPath returns the path by which this program was called, without resolving links: a new version may be at another path.
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

// printSettings prints the result of install or uninstall.
func (a *app) printSettings(changes []*settings.Change, at settingsFlags, command string) error {
	if a.json {
		return a.printJSON(changes)
	}
	var err error
	if at.dryRun {
		err = a.print("nothing is changed (--dry-run); this is what would be:\n")
	}
	for i, s := range changes {
		if i > 0 {
			err = errors.Join(err, a.print("\n"))
		}
		if command == "uninstall" && !s.Missing && !s.Changed && s.Script == "" {
			err = errors.Join(err, a.print(s.File+": nothing is wrapped in it\n"+a.notes(s, at)))
			continue
		}
		err = errors.Join(err, a.print(settingsSummary(s, at.dryRun)))
		if len(s.Hooks) > 0 {
			err = errors.Join(err, a.print(table(a, []string{"ACTION", "EVENT", "MATCHER", "COMMAND"}, s.Hooks, func(h settings.Entry) []string {
				return []string{word(h.Action, at.dryRun), h.Event, dash(h.Matcher), dash(text.Shorten(text.Line(h.Command), 72))}
			})+a.notes(s, at)))
		}
		if s.Diff != "" {
			err = errors.Join(err, a.print("\n"+s.Diff))
		}
	}
	return err
}

// word describes what was or would be done with a hook.
func word(action settings.Action, dryRun bool) string {
	done := map[settings.Action]string{settings.Left: "left alone", settings.Already: "already wrapped"}
	if dryRun {
		done[settings.Wrapped], done[settings.Updated], done[settings.Unwrapped] = "to wrap", "to update", "to unwrap"
	}
	return cmp.Or(done[action], string(action))
}

// notes explain why hooks were left alone, and how to wrap one that was left because of what it may be.
func (a *app) notes(s *settings.Change, at settingsFlags) string {
	var commands []string
	for _, h := range s.Hooks {
		commands = append(commands, h.Command)
	}
	short := hooks.ShortNames(commands)
	var lines strings.Builder
	for _, h := range s.Hooks {
		name := "a hook of " + h.Event
		if h.Command != "" {
			name = short[h.Command] + " (" + h.Event + ")"
		}
		switch h.Why {
		case "", settings.NotWrapped:
		case settings.MayRefuse:
			fmt.Fprintf(&lines, "%s is left alone: it can refuse tool calls, and would refuse none while it is switched off.\n  `%s` wraps it all the same\n",
				name, a.hooks(at.line("install")+" --include "+text.ShellWord(hooks.PatternFor(h.Command, commands))))
		default:
			if h.Command != "" {
				const wide = 40
				name = text.Shorten(text.Line(h.Command), wide) + " (" + h.Event + ")"
			}
			fmt.Fprintf(&lines, "%s is left alone: %s\n", name, h.Why)
		}
	}
	return block(lines.String())
}

// settingsSummary describes the changes of the file in a few lines.
func settingsSummary(s *settings.Change, dryRun bool) string {
	counts := map[settings.Action]int{}
	for _, h := range s.Hooks {
		counts[h.Action]++
	}
	var parts []string
	for _, action := range []settings.Action{settings.Wrapped, settings.Updated, settings.Unwrapped, settings.Already, settings.Left} {
		if n := counts[action]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, word(action, dryRun)))
		}
	}
	state := "no hooks"
	if s.Missing {
		state = "does not exist"
	}
	if len(parts) > 0 {
		state = "hooks: " + strings.Join(parts, ", ")
	}
	text := s.File + ": " + state + "\n"
	if s.Backup != "" {
		text += "backup: " + s.Backup + "\n"
	}
	if s.Script == "" {
		return text
	}
	through, gone := "through "+s.Script, s.Script+" taken away"
	if dryRun {
		through, gone = "would go "+through, s.Script+" would be taken away"
	}
	if s.Removes() {
		through = gone
	}
	return text + "plugins: " + through + "\n"
}
