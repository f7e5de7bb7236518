package hooks

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/rogpeppe/go-internal/diff"

	"github.com/claudeops/claudeops/internal/statedir"
)

// maxSettings limits a settings file, in bytes.
const maxSettings = 16 << 20

// Settings is a settings file, and what install or uninstall makes of it.
type Settings struct {
	File  string  `json:"file"`
	Diff  string  `json:"diff,omitzero"` // empty if nothing changes
	Hooks []Entry `json:"hooks"`

	target  string // the file itself, where File is a link
	content []byte // the new one
}

// settingsFiles returns the settings of the user, of the current project, and the local ones of that, as far as they exist.
func settingsFiles(home string) (files []string, err error) {
	user := os.Getenv("CLAUDE_CONFIG_DIR") // the agent program's own
	if user == "" {
		user = filepath.Join(home, ".claude")
	}
	project, err := filepath.Abs(".claude")
	if err != nil {
		return nil, err
	}
	for _, file := range []string{
		filepath.Join(user, "settings.json"), filepath.Join(project, "settings.json"), filepath.Join(project, "settings.local.json"),
	} {
		if _, err := os.Stat(file); err == nil && !slices.Contains(files, file) {
			files = append(files, file)
		}
	}
	return files, nil
}

// decideAll applies change to each of the settings files, and writes none of them.
func decideAll(files []string, change func(doc []byte) ([]byte, []Entry, error)) (all []*Settings, err error) {
	for _, file := range files {
		s := &Settings{File: file}
		if s.target, err = filepath.EvalSymlinks(file); err != nil {
			return nil, err
		}
		before, err := statedir.ReadFile(s.target, maxSettings)
		if err != nil {
			return nil, err
		}
		if s.content, s.Hooks, err = change(before); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if !bytes.Equal(before, s.content) {
			s.Diff = string(diff.Diff(file, before, file, s.content))
		}
		all = append(all, s)
	}
	return all, nil
}

// write replaces a file that changes; mode and owner stay.
func (s *Settings) write() error {
	if s.Diff == "" {
		return nil
	}
	return statedir.Replace(s.target, s.content)
}

// pluginHooks returns the hooks of the user's plugins, which are in no settings file and are left alone.
func pluginHooks(home string) *Settings {
	list := filepath.Join(home, ".claude", "plugins", "installed_plugins.json")
	s := &Settings{File: list}
	text, err := statedir.ReadFile(list, maxSettings)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var installed struct {
		Plugins map[string][]struct {
			Path string `json:"installPath"`
		} `json:"plugins"`
	}
	if err != nil || json.Unmarshal(text, &installed, reading) != nil {
		return nil
	}
	for _, places := range installed.Plugins {
		for _, p := range places {
			doc, err := statedir.ReadFile(filepath.Join(p.Path, "hooks", "hooks.json"), maxSettings)
			if err != nil {
				continue // it has none
			}
			_, entries, err := change(doc, func(*hookEntry) (action, why string) { return Left, "it is a plugin's" })
			if err == nil {
				s.Hooks = append(s.Hooks, entries...)
			}
		}
	}
	return s
}

// ownProgram returns what wrapped hooks call: claude-hooks where that is this program, otherwise its path.
func ownProgram() (string, error) {
	own, err := os.Executable()
	if err != nil {
		return "", err
	}
	is, err := os.Stat(own)
	if err != nil {
		return "", err
	}
	found, err := exec.LookPath(argsName)
	if err != nil {
		return own, nil
	}
	other, err := os.Stat(found)
	if err == nil && os.SameFile(is, other) {
		return argsName, nil
	}
	return own, nil
}
