package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/hooks"
	"github.com/claudeops/claudeops/hooks/settings"
	"github.com/claudeops/claudeops/internal/text"
)

// settingsFiles are the flags that say which settings files are meant, and whether to change them at all.
type settingsFiles struct {
	file      string
	allScopes bool
	dryRun    bool
}

func (s *settingsFiles) flags(c *cobra.Command) {
	c.Flags().StringVar(&s.file, "settings", "", "change this `FILE` instead of the user's settings")
	c.Flags().BoolVar(&s.allScopes, "all-scopes", false, "change the user's settings and, of this directory, the project's and the local ones")
	c.Flags().BoolVar(&s.dryRun, "dry-run", false, "show what would change, and change nothing")
	args := c.Args
	c.Args = func(c *cobra.Command, given []string) error {
		switch {
		case s.file == "" && c.Flags().Changed("settings"): // as an unset variable of a shell leaves it
			return errors.New("--settings names no file")
		case s.file != "" && s.allScopes:
			return errors.New("--settings and --all-scopes exclude each other")
		}
		return args(c, given)
	}
}

// line is a command with the flags that mean the same files.
func (s *settingsFiles) line(command string) string {
	switch {
	case s.file != "":
		return command + " --settings " + shellWord(s.file)
	case s.allScopes:
		return command + " --all-scopes"
	}
	return command
}

// settingsKind is whose settings a file holds.
type settingsKind int

const (
	userSettings settingsKind = iota
	namedSettings
	projectSettings
	localSettings
)

// settingsChange is what becomes of one settings file.
type settingsChange struct {
	File    string           `json:"file"`
	Missing bool             `json:"missing,omitzero"`
	Changed bool             `json:"changed"`
	Backup  string           `json:"backup,omitzero"`
	Script  string           `json:"script,omitzero"` // of the prefix: written, or taken away
	Diff    string           `json:"diff,omitzero"`
	Hooks   []settings.Entry `json:"hooks"`

	kind       settingsKind
	file       *settings.File
	content    []byte // what the file is to hold
	scriptText []byte // nil where Script is to be taken away
}

// changeSettings has change decide on each of the files, and then writes them: on an error of any, none is written.
func (a *app) changeSettings(at settingsFiles, change func(*settingsChange) error) ([]*settingsChange, error) {
	changes, err := at.open()
	if err != nil {
		return nil, err
	}
	for _, s := range changes {
		if err := change(s); err != nil {
			if syntax := (*settings.SyntaxError)(nil); errors.As(err, &syntax) {
				return nil, fmt.Errorf("%s:%w", s.File, err) // FILE:LINE:COLUMN, as editors have it
			}
			return nil, fmt.Errorf("%s: %w", s.File, err)
		}
		s.Changed = string(s.content) != string(s.file.Content)
	}
	for _, s := range changes {
		if at.dryRun {
			s.Diff = string(diff.Diff(s.File, s.file.Content, s.File, s.content))
		} else if err := s.write(a); err != nil {
			return nil, err
		}
	}
	return changes, nil
}

// write writes the script before the settings that name it, and takes it away after them.
func (s *settingsChange) write(a *app) (err error) {
	if s.scriptText != nil {
		if err := settings.WriteScript(s.Script, s.scriptText); err != nil {
			return err
		}
	}
	if s.Changed {
		if s.Backup, err = s.file.Write(s.content, a.Now()); err != nil {
			return err
		}
	}
	if s.Script != "" && s.scriptText == nil {
		return settings.RemoveScript(s.Script)
	}
	return nil
}

// open reads the files that are meant, each once. Of the usual places a missing one is taken for an empty one.
func (s *settingsFiles) open() ([]*settingsChange, error) {
	paths, err := s.paths()
	if err != nil {
		return nil, err
	}
	var changes []*settingsChange
	for _, kind := range []settingsKind{userSettings, namedSettings, projectSettings, localSettings} {
		path, asked := paths[kind]
		if !asked {
			continue
		}
		file, err := settings.Open(path)
		if err != nil {
			return nil, err
		}
		if file.Missing && kind == namedSettings {
			return nil, fmt.Errorf("%s does not exist", path)
		}
		if !slices.ContainsFunc(changes, func(other *settingsChange) bool { return other.file.Same(file) }) {
			changes = append(changes, &settingsChange{File: path, Missing: file.Missing, kind: kind, file: file, content: file.Content})
		}
	}
	return changes, nil
}

func (s *settingsFiles) paths() (map[settingsKind]string, error) {
	if s.file != "" {
		path, err := filepath.Abs(s.file)
		return map[settingsKind]string{namedSettings: path}, err
	}
	user, err := userSettingsPath()
	if err != nil || !s.allScopes {
		return map[settingsKind]string{userSettings: user}, err
	}
	project, err := filepath.Abs(".claude")
	return map[settingsKind]string{
		userSettings:    user,
		projectSettings: filepath.Join(project, "settings.json"),
		localSettings:   filepath.Join(project, "settings.local.json"),
	}, err
}

// userSettingsPath is where the agent program has the settings of its user.
func userSettingsPath() (string, error) {
	dir := os.Getenv("CLAUDE_CONFIG_DIR")
	if dir == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", fmt.Errorf("where the settings are: %w; name them with --settings", err)
		}
		dir = filepath.Join(home, ".claude")
	}
	return filepath.Abs(filepath.Join(dir, "settings.json"))
}

// isProjects reports whether a file is the settings of a project, which its people share.
func (s *settingsChange) isProjects() bool {
	if user, err := userSettingsPath(); err == nil && user == s.File {
		return false
	}
	return s.kind == projectSettings || filepath.Base(s.File) == "settings.json" && filepath.Base(filepath.Dir(s.File)) == ".claude"
}

// printSettings is the answer of install and uninstall, whichever command it is.
func (a *app) printSettings(changes []*settingsChange, at settingsFiles, command string) error {
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
		if command == "uninstall" && s.nothingWrapped() {
			err = errors.Join(err, a.print(s.File+": nothing is wrapped in it\n"+a.notes(s, at)))
			continue
		}
		err = errors.Join(err, a.print(s.summary(at.dryRun)))
		if len(s.Hooks) > 0 {
			err = errors.Join(err, a.printTable([]string{"ACTION", "EVENT", "MATCHER", "COMMAND"}, s.rows(at.dryRun)), a.print(a.notes(s, at)))
		}
		if s.Diff != "" {
			err = errors.Join(err, a.print("\n"+s.Diff))
		}
	}
	return err
}

// nothingWrapped reports whether there was nothing for uninstall to do.
func (s *settingsChange) nothingWrapped() bool {
	return !s.Missing && !s.Changed && s.Script == ""
}

// word is what was done about a hook, or would be.
func word(action settings.Action, dryRun bool) string {
	switch action {
	case settings.Left:
		return "left alone"
	case settings.Already:
		return "already wrapped"
	case settings.Wrapped, settings.Updated, settings.Unwrapped:
		if dryRun {
			return map[settings.Action]string{settings.Wrapped: "to wrap", settings.Updated: "to update", settings.Unwrapped: "to unwrap"}[action]
		}
	}
	return string(action)
}

func (s *settingsChange) rows(dryRun bool) func(row func(...string)) {
	const wide = 72
	return func(row func(...string)) {
		for _, h := range s.Hooks {
			row(word(h.Action, dryRun), h.Event, dash(h.Matcher), dash(text.Shorten(text.Line(h.Command), wide)))
		}
	}
}

// notes say why hooks were left alone, and how to have one wrapped that was left for what it may be.
func (a *app) notes(s *settingsChange, at settingsFiles) string {
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
				name, a.hooks(at.line("install")+" --include "+shellWord(patternFor(h.Command, commands))))
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

// summary says in a line or a few what becomes of the file.
func (s *settingsChange) summary(dryRun bool) string {
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
	switch {
	case s.scriptText == nil && dryRun:
		return text + "plugins: " + s.Script + " would be taken away\n"
	case s.scriptText == nil:
		return text + "plugins: " + s.Script + " taken away\n"
	case dryRun:
		return text + "plugins: would go through " + s.Script + "\n"
	}
	return text + "plugins: through " + s.Script + "\n"
}
