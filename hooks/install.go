package hooks

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
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
	user := agentFolder(home)
	project, err := filepath.Abs(".claude")
	if err != nil {
		return nil, err
	}
	for _, file := range []string{
		filepath.Join(user, "settings.json"),
		filepath.Join(project, "settings.json"),
		filepath.Join(project, "settings.local.json"),
	} {
		if _, err := os.Stat(file); err == nil && !slices.Contains(files, file) {
			files = append(files, file)
		}
	}
	return files, nil
}

// changeAll applies change to each of the settings files, and writes none of them.
func changeAll(files []string, change func(doc []byte) ([]byte, []Entry, error)) (all []*Settings, err error) {
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

// agentFolder returns where the agent program has the user's settings.
func agentFolder(home string) string {
	return cmp.Or(os.Getenv("CLAUDE_CONFIG_DIR"), filepath.Join(home, ".claude"))
}

// pluginHooks returns the hooks of the user's plugins, which are in no settings file and are left alone.
func pluginHooks(home string) (all []*Settings) {
	text, err := statedir.ReadFile(filepath.Join(agentFolder(home), "plugins", "installed_plugins.json"), maxSettings)
	var installed struct {
		Plugins map[string][]struct {
			Path string `json:"installPath"`
		} `json:"plugins"`
	}
	if err != nil || json.Unmarshal(text, &installed, reading) != nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(installed.Plugins)) {
		for _, plugin := range installed.Plugins[name] {
			s := &Settings{File: filepath.Join(plugin.Path, "hooks", "hooks.json")}
			doc, err := statedir.ReadFile(s.File, maxSettings)
			if err != nil {
				continue // it has none
			}
			_, s.Hooks, err = change(doc, func(*hookEntry) (action, why string) { return Left, "it is a plugin's" })
			if err == nil {
				all = append(all, s)
			}
		}
	}
	return all
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
	found, _ := exec.LookPath(argsName) // empty if there is none
	if other, err := os.Stat(found); err == nil && os.SameFile(is, other) {
		return argsName, nil
	}
	return own, nil
}
