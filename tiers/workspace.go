package tiers

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/internal/statedir"
)

// Workspace is the folder of one session, gone with it: a fresh home for the agent, its scratch, the documents it may read,
// and what only the agent program itself reads. Everything in it is of mode 0700 or 0600.
type Workspace struct{ dir string }

// WorkspacesDir is where workspaces stand below the state directory. What a killed cycle left there may be removed under the
// cycle lock.
func WorkspacesDir(stateDir string) string { return filepath.Join(stateDir, "run") }

// NewWorkspace makes the folder of a session; name is unique while it exists.
func NewWorkspace(stateDir, name string) (*Workspace, error) {
	parent := WorkspacesDir(stateDir)
	w := &Workspace{dir: filepath.Join(parent, name)}
	if err := w.make(parent); err != nil {
		return nil, errors.Join(fmt.Errorf("make the session's folder %s: %w", w.dir, err), w.Remove())
	}
	return w, nil
}

func (w *Workspace) make(parent string) error {
	for _, dir := range []string{parent, w.dir, w.Home(), w.Scratch(), w.Docs(), w.bin()} {
		if err := statedir.Mkdir(dir, 0o700); err != nil {
			return err
		}
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	return os.Symlink(self, filepath.Join(w.bin(), "claudeops"))
}

// AddDocs lays texts into Docs, path by path.
func (w *Workspace) AddDocs(docs map[string]string) error {
	for name, text := range docs {
		path := filepath.Join(w.Docs(), filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return fmt.Errorf("lay out the agent's documents: %w", err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			return fmt.Errorf("lay out the agent's documents: %w", err)
		}
	}
	return nil
}

// Home is the agent's HOME: empty at first, so that no rc file of anybody runs before its commands.
func (w *Workspace) Home() string { return filepath.Join(w.dir, "home") }

// Scratch is the agent's TMPDIR.
func (w *Workspace) Scratch() string { return filepath.Join(w.dir, "tmp") }

// Docs holds the skills, checks and playbooks that the prompts point to.
func (w *Workspace) Docs() string { return filepath.Join(w.dir, "docs") }

func (w *Workspace) bin() string { return filepath.Join(w.dir, "bin") }

// Path is PATH with this very program in front, under the name that the prompts use.
func (w *Workspace) Path(path string) string {
	if path == "" {
		path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
	}
	return w.bin() + ":" + path
}

// Settings writes the settings file of the agent program and returns its path. An API key is laid beside it, for the program
// to fetch: in the environment every command of the agent would see it.
func (w *Workspace) Settings(credential config.Credential) (string, error) {
	settings := map[string]any{}
	if credential.Kind == config.APIKey || credential.Kind == config.AuthToken {
		key := filepath.Join(w.dir, "key")
		if err := os.WriteFile(key, []byte(credential.Value), 0o600); err != nil {
			return "", fmt.Errorf("lay out the agent's key: %w", err)
		}
		settings["apiKeyHelper"] = "cat " + quote(key)
	}
	text, err := json.Marshal(settings, json.Deterministic(true))
	if err != nil {
		return "", fmt.Errorf("encode the agent's settings: %w", err)
	}
	return w.file("settings.json", string(text))
}

// file lays out a text that is too long for an argument.
func (w *Workspace) file(name, text string) (string, error) {
	path := filepath.Join(w.dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return "", fmt.Errorf("write %s for the agent: %w", name, err)
	}
	return path, nil
}

// open lays out a text and opens it for reading.
func (w *Workspace) open(name, text string) (*os.File, error) {
	path, err := w.file(name, text)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open %s for the agent: %w", name, err)
	}
	return f, nil
}

// Remove deletes the workspace with all that the agent left in it.
func (w *Workspace) Remove() error { return removeAll(w.dir) }

// RemoveWorkspaces deletes what killed cycles left.
func RemoveWorkspaces(stateDir string) error { return removeAll(WorkspacesDir(stateDir)) }

// removeAll also removes folders that the agent made unwritable.
func removeAll(dir string) error {
	err := os.RemoveAll(dir)
	if err == nil {
		return nil
	}
	walkErr := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			return os.Chmod(path, 0o700)
		}
		return nil
	})
	if err := os.RemoveAll(dir); err != nil {
		return errors.Join(fmt.Errorf("remove the session's folder: %w", err), walkErr)
	}
	return nil
}

// quote makes s one word of a shell.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
