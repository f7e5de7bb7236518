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

	"github.com/claudeops/claudeops/breaker/settings"
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
	c.MarkFlagsMutuallyExclusive("settings", "all-scopes")
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
func (a *app) changeSettings(at settingsFiles, change func(*settingsChange) error) error {
	changes, err := at.open()
	if err != nil {
		return err
	}
	for _, s := range changes {
		if err := change(s); err != nil {
			if syntax := (*settings.SyntaxError)(nil); errors.As(err, &syntax) {
				return fmt.Errorf("%s:%w", s.File, err) // FILE:LINE:COLUMN, as editors have it
			}
			return fmt.Errorf("%s: %w", s.File, err)
		}
		s.Changed = string(s.content) != string(s.file.Content)
		s.Hooks = emptyNotNull(s.Hooks)
	}
	for _, s := range changes {
		if at.dryRun {
			s.Diff = string(diff.Diff(s.File, s.file.Content, s.File, s.content))
		} else if err := s.write(a); err != nil {
			return err
		}
	}
	if a.json {
		return a.printJSON(changes)
	}
	return a.printSettings(changes, at.dryRun)
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

func (a *app) printSettings(changes []*settingsChange, dryRun bool) error {
	var err error
	for i, s := range changes {
		if i > 0 {
			err = errors.Join(err, a.print("\n"))
		}
		err = errors.Join(err, a.print(s.summary(dryRun)))
		if len(s.Hooks) > 0 {
			err = errors.Join(err, a.printTable([]string{"HOOKS", "EVENT", "MATCHER", "COMMAND"}, s.rows))
		}
		if s.Diff != "" {
			err = errors.Join(err, a.print("\n"+s.Diff))
		}
	}
	return err
}

// rows are the hooks, each that was left alone with the reason.
func (s *settingsChange) rows(row func(...string)) {
	const wide = 72
	for _, h := range s.Hooks {
		command := []rune(strings.TrimSpace(h.Command))
		if len(command) > wide {
			command = append(command[:wide-1], '…')
		}
		if h.Why != "" {
			command = append(command, []rune(" ("+h.Why+")")...)
		}
		row(string(h.Action), h.Event, h.Matcher, string(command))
	}
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
			parts = append(parts, fmt.Sprintf("%d %s", n, action))
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
	if dryRun {
		text = "nothing is changed yet (--dry-run)\n" + text
	}
	if s.Backup != "" {
		text += "backup: " + s.Backup + "\n"
	}
	switch {
	case s.Script == "":
	case s.scriptText == nil:
		text += "plugins: " + s.Script + " taken away\n"
	default:
		text += "plugins: through " + s.Script + "\n"
	}
	return text
}
