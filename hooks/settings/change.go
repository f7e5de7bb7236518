package settings

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/rogpeppe/go-internal/diff"
)

// Scope selects settings files.
type Scope struct {
	File string // path of one file; empty for the usual ones
	All  bool   // the user's settings, and the project and local settings of the current directory
}

// Change is the change of one settings file.
type Change struct {
	File    string  `json:"file"`
	Missing bool    `json:"missing,omitzero"`
	Changed bool    `json:"changed"`
	Backup  string  `json:"backup,omitzero"`
	Script  string  `json:"script,omitzero"` // path of the prefix script: written or, with Removes, removed
	Diff    string  `json:"diff,omitzero"`   // of a dry run
	Hooks   []Entry `json:"hooks"`

	first      bool // the user's file, or the given one
	file       *File
	content    []byte // the new content of the file
	scriptText []byte // nil if Script is removed
}

// Removes reports whether the prefix script is removed.
func (c *Change) Removes() bool { return c.Script != "" && c.scriptText == nil }

// Install puts the breaker in front of the hooks in the files and, with plugins, in front of plugins' hooks. See Wrap.
func Install(s Scope, o Options, plugins, dryRun bool, now time.Time) ([]*Change, error) {
	return s.change(dryRun, now, func(c *Change) (err error) {
		if c.content, c.Hooks, err = Wrap(c.content, o); err != nil {
			return err
		}
		if plugins && c.first {
			return c.setPrefix(o)
		}
		return nil
	})
}

// Uninstall removes what Install has added.
func Uninstall(s Scope, dryRun bool, now time.Time) ([]*Change, error) {
	return s.change(dryRun, now, func(c *Change) (err error) {
		if c.content, c.Hooks, err = Unwrap(c.content); err != nil {
			return err
		}
		c.content, c.Script, err = UnsetPrefix(c.content)
		return err
	})
}

// change applies decide to each of the files, and then writes them. If decide fails for one, none is written.
func (s Scope) change(dryRun bool, now time.Time, decide func(*Change) error) ([]*Change, error) {
	changes, err := s.open()
	if err != nil {
		return nil, err
	}
	for _, c := range changes {
		if err := decide(c); err != nil {
			if syntax := (*SyntaxError)(nil); errors.As(err, &syntax) {
				return nil, fmt.Errorf("%s:%w", c.File, err) // FILE:LINE:COLUMN, as editors expect
			}
			return nil, fmt.Errorf("%s: %w", c.File, err)
		}
		c.Changed = !bytes.Equal(c.content, c.file.Content)
		c.Hooks = append([]Entry{}, c.Hooks...) // an array in JSON, even if empty
	}
	for _, c := range changes {
		if dryRun {
			c.Diff = string(diff.Diff(c.File, c.file.Content, c.File, c.content))
		} else if err := c.write(now); err != nil {
			return nil, err
		}
	}
	return changes, nil
}

// open reads the selected files, each once. A missing file in a usual place is treated as empty.
func (s Scope) open() ([]*Change, error) {
	paths, err := s.paths()
	if err != nil {
		return nil, err
	}
	var changes []*Change
	for i, path := range paths {
		file, err := Open(path)
		if err != nil {
			return nil, err
		}
		if file.Missing && s.File != "" {
			return nil, fmt.Errorf("%s does not exist", path)
		}
		if !slices.ContainsFunc(changes, func(other *Change) bool { return other.file.Same(file) }) {
			changes = append(changes, &Change{File: path, Missing: file.Missing, first: i == 0, file: file, content: file.Content})
		}
	}
	return changes, nil
}

func (s Scope) paths() ([]string, error) {
	if s.File != "" {
		path, err := filepath.Abs(s.File)
		return []string{path}, err
	}
	user, err := UserPath()
	if err != nil || !s.All {
		return []string{user}, err
	}
	project, err := filepath.Abs(".claude")
	return []string{user, filepath.Join(project, "settings.json"), filepath.Join(project, "settings.local.json")}, err
}

// UserPath returns the path of the user's settings of the agent program.
func UserPath() (string, error) {
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

// setPrefix makes the agent program run its commands through a script beside the settings.
func (c *Change) setPrefix(o Options) error {
	user, err := UserPath()
	users := err == nil && user == c.File
	if !users && filepath.Base(c.File) == "settings.json" && filepath.Base(filepath.Dir(c.File)) == ".claude" {
		return fmt.Errorf("--plugins is for settings of one user: these are shared with others, who have no %s", PrefixName)
	}
	script := filepath.Join(filepath.Dir(c.File), PrefixName)
	if c.content, err = SetPrefix(c.content, script); err != nil {
		return err
	}
	text := PrefixScript(o)
	if there, err := os.ReadFile(script); err == nil && bytes.Equal(there, text) {
		return nil
	}
	c.Script, c.scriptText = script, text
	return nil
}

// write writes the script before the settings that name it, and removes it after them.
func (c *Change) write(now time.Time) (err error) {
	if c.scriptText != nil {
		if err := WriteScript(c.Script, c.scriptText); err != nil {
			return err
		}
	}
	if c.Changed {
		if c.Backup, err = c.file.Write(c.content, now); err != nil {
			return err
		}
	}
	if c.Removes() {
		return RemoveScript(c.Script)
	}
	return nil
}

// Found is an existing settings file, with its hooks as Uninstall would report them.
type Found struct {
	Path  string
	Hooks []Entry
}

// Usual returns the user's settings and those of the current directory, each once. Unreadable settings have no hooks.
func Usual() (all []Found) {
	paths, err := Scope{All: true}.paths()
	if err != nil {
		return nil
	}
	var files []*File
	for _, path := range paths {
		file, err := Open(path)
		if err != nil || file.Missing || slices.ContainsFunc(files, file.Same) {
			continue
		}
		files = append(files, file)
		if _, entries, err := Unwrap(file.Content); err == nil {
			all = append(all, Found{path, entries})
		}
	}
	return all
}

// Wrapped returns the original commands that Install has wrapped.
func (f Found) Wrapped() (commands []string) {
	for _, e := range f.Hooks {
		if e.Action == Unwrapped {
			commands = append(commands, e.Command)
		}
	}
	return commands
}

// Plain returns the commands of the hooks that do not call the breaker.
func (f Found) Plain() (commands []string) {
	for _, e := range f.Hooks {
		if e.Why == NotWrapped && e.Command != "" {
			commands = append(commands, e.Command)
		}
	}
	return commands
}

// WrappedAnywhere returns the commands that are wrapped in the usual settings.
func WrappedAnywhere() []string {
	var commands []string
	for _, f := range Usual() {
		commands = append(commands, f.Wrapped()...)
	}
	slices.Sort(commands)
	return slices.Compact(commands)
}
