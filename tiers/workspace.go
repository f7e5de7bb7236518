package tiers

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/internal/statedir"
)

// Workspace is the directory of one session: a new home for the agent, its scratch directory, and files for the agent program alone. It is
// removed with the session. Everything in it has mode 0700 or 0600, and its name is unpredictable, so that an agent cannot prepare the
// home of its successor. The documents that agents may read are beside it, shared by all sessions, and are rewritten before each tier.
type Workspace struct{ dir string }

// WorkspacesDir returns the directory of the workspaces below the state directory.
func WorkspacesDir(stateDir string) string { return filepath.Join(stateDir, "run") }

const sessionPrefix = "session-"

// NewWorkspace creates the directory of a session.
func NewWorkspace(stateDir string, session int64) (w *Workspace, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("make the session's folder: %w", err)
		}
	}()
	parent := WorkspacesDir(stateDir)
	if is, err := os.Lstat(parent); err == nil && !is.IsDir() {
		if err := os.Remove(parent); err != nil {
			return nil, err
		}
	}
	if err := statedir.Mkdir(parent, 0o700); err != nil {
		return nil, err
	}
	w = &Workspace{}
	if w.dir, err = os.MkdirTemp(parent, sessionPrefix+strconv.FormatInt(session, 10)+"-"); err != nil {
		return nil, err
	}
	for _, dir := range []string{w.Home(), w.Scratch(), w.State(), w.Programs()} {
		err = errors.Join(err, os.Mkdir(dir, 0o700))
	}
	if err != nil {
		return nil, errors.Join(err, w.Remove())
	}
	return w, nil
}

// LayDocs replaces the content of Docs with these texts, by path.
func (w *Workspace) LayDocs(docs map[string]string) error {
	err := removeAll(w.Docs())
	for name, text := range docs {
		path := filepath.Join(w.Docs(), filepath.FromSlash(name))
		if err == nil {
			err = os.MkdirAll(filepath.Dir(path), 0o700)
		}
		if err == nil {
			err = os.WriteFile(path, []byte(text), 0o600)
		}
	}
	if err != nil {
		return fmt.Errorf("write the agent's documents: %w", err)
	}
	return nil
}

// Home is the agent's HOME. It is empty at first, so that no rc file runs before its commands.
func (w *Workspace) Home() string { return filepath.Join(w.dir, "home") }

// Scratch is the agent's TMPDIR.
func (w *Workspace) Scratch() string { return filepath.Join(w.dir, "tmp") }

// Socket is where the cycle serves the agent's tools.
func (w *Workspace) Socket() string { return filepath.Join(w.dir, "door.sock") }

// State is the agent's CLAUDEOPS_STATE_DIR: its copy of cooldown.json, and the handoff.json that it writes.
func (w *Workspace) State() string { return filepath.Join(w.dir, "state") }

// Readable are the directories that the agent's commands may read, besides those that they write.
func (w *Workspace) Readable() []string { return []string{w.Home(), w.Docs(), w.Programs()} }

// Programs holds links to the shim under the names of the programs that the agent's commands reach through the broker.
func (w *Workspace) Programs() string { return filepath.Join(w.dir, "programs") }

// LinkPrograms creates those links, to the shim at path.
func (w *Workspace) LinkPrograms(path string, names []string) error {
	for _, name := range names {
		if err := os.Symlink(path, filepath.Join(w.Programs(), name)); err != nil {
			return fmt.Errorf("make a link for %s: %w", name, err)
		}
	}
	return nil
}

// Docs holds the skills, checks and playbooks that the prompts refer to.
func (w *Workspace) Docs() string { return filepath.Join(filepath.Dir(w.dir), "docs") }

// Settings writes the settings file of the agent program, and returns its path. An API key is written to a file that only the program
// fetches: in the environment, every command of the agent would see it.
func (w *Workspace) Settings(credential config.Credential) (string, error) {
	settings := map[string]string{}
	if credential.Kind == config.APIKey || credential.Kind == config.AuthToken {
		key := filepath.Join(w.dir, "key")
		if err := os.WriteFile(key, []byte(credential.Value), 0o600); err != nil {
			return "", fmt.Errorf("lay out the agent's key: %w", err)
		}
		cat, err := exec.LookPath("cat") // an absolute path, because the agent's PATH might find another program
		if err != nil {
			return "", fmt.Errorf("lay out the agent's key: %w", err)
		}
		settings["apiKeyHelper"] = quote(cat) + " " + quote(key)
	}
	text, err := json.Marshal(settings, json.Deterministic(true))
	if err != nil {
		return "", fmt.Errorf("encode the agent's settings: %w", err)
	}
	return w.file("settings.json", string(text))
}

// file writes a text that is too long for an argument.
func (w *Workspace) file(name, text string) (string, error) {
	path := filepath.Join(w.dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return "", fmt.Errorf("write %s for the agent: %w", name, err)
	}
	return path, nil
}

// Remove deletes the workspace with everything that the agent left in it.
func (w *Workspace) Remove() error { return removeAll(w.dir) }

// RemoveWorkspaces deletes the workspaces that killed cycles left. The caller holds the cycle lock.
func RemoveWorkspaces(stateDir string) error {
	there, err := os.Lstat(WorkspacesDir(stateDir))
	if errors.Is(err, fs.ErrNotExist) || err == nil && !there.IsDir() {
		return nil // the next workspace replaces it
	}
	if err != nil {
		return fmt.Errorf("look for the workspaces of killed cycles: %w", err)
	}
	left, err := filepath.Glob(filepath.Join(config.Literal(WorkspacesDir(stateDir)), sessionPrefix+"*"))
	for _, dir := range left {
		err = errors.Join(err, removeAll(dir))
	}
	return err
}

// removeAll removes a directory with everything that an agent left in it, including unreadable directories, and chains deeper than the
// path length or the number of open files allows. It follows no link out of dir.
func removeAll(dir string) error {
	flattenErr := flatten(dir)
	if err := os.RemoveAll(dir); err != nil {
		return errors.Join(fmt.Errorf("remove the session's folder: %w", err), flattenErr)
	}
	return nil
}

// flatten empties a directory: each nested directory is moved up beside its parent, until none is nested.
func flatten(dir string) (err error) {
	if there, err := os.Lstat(dir); err != nil || !there.IsDir() {
		return err
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	moved := 0
	return emptied(root, ".", func(path string, isFolder bool) error {
		if !isFolder {
			return root.Remove(path)
		}
		if err := emptied(root, path, func(path string, isFolder bool) error {
			if !isFolder {
				return root.Remove(path)
			}
			for {
				moved++
				to := "moved-" + strconv.Itoa(moved)
				if _, err := root.Lstat(to); errors.Is(err, fs.ErrNotExist) {
					return root.Rename(path, to)
				}
			}
		}); err != nil {
			return err
		}
		return root.Remove(path)
	})
}

// emptied makes take remove each file and directory from a directory, in batches of a thousand, because an agent may have made millions.
// It makes directories accessible to their owner first.
func emptied(root *os.Root, folder string, take func(path string, isFolder bool) error) error {
	for {
		f, err := root.Open(folder)
		if err != nil {
			return err
		}
		entries, err := f.ReadDir(1000)
		if err = errors.Join(err, f.Close()); errors.Is(err, io.EOF) {
			return nil
		}
		for _, e := range entries {
			path := filepath.Join(folder, e.Name())
			if err == nil && e.IsDir() {
				err = root.Chmod(path, 0o700)
			}
			if err == nil {
				err = take(path, e.IsDir())
			}
		}
		if err != nil {
			return err
		}
	}
}

// quote quotes s as one shell word.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
