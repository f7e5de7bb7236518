package setup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/claudeops/claudeops/crontab"
	"github.com/claudeops/claudeops/internal/child"
	"github.com/claudeops/claudeops/internal/statedir"
)

// commandTime is how long a program that changes users may take.
const commandTime = 30 * time.Second

// UserCommands make the user of the cycles and have it join the group of the engine's socket.
func (p *Plan) UserCommands() (commands [][]string) {
	group := p.EngineGroup
	if group != "" && !p.needsEngine() {
		group = ""
	}
	switch {
	case p.Makes && group != "":
		return [][]string{{"useradd", "--system", "--home-dir", "/var/lib/" + p.User, "--shell", "/usr/sbin/nologin", "--groups", group, p.User}}
	case p.Makes:
		return [][]string{{"useradd", "--system", "--home-dir", "/var/lib/" + p.User, "--shell", "/usr/sbin/nologin", p.User}}
	case group != "":
		return [][]string{{"usermod", "--append", "--groups", group, p.User}}
	}
	return nil
}

// needsEngine reports whether a check that is added needs the engine of containers.
func (p *Plan) needsEngine() bool {
	for _, s := range p.Added {
		for _, k := range s.Checks {
			if k.Container != "" {
				return true
			}
		}
	}
	return false
}

// Apply makes the user, the folders, and all files of the plan or none of them. done says what was done, for people, after an error too.
func (p *Plan) Apply(ctx context.Context) (done []string, err error) {
	for _, command := range p.UserCommands() {
		path, found := child.Find(command[0], os.Getenv("PATH"))
		if !found {
			return done, fmt.Errorf("there is no program %s in PATH", command[0])
		}
		if _, err := child.Run(ctx, exec.Command(path, command[1:]...), child.Limits{Within: commandTime}); err != nil {
			return done, err
		}
		done = append(done, strings.Join(command, " "))
	}
	if p.Makes {
		who, err := crontab.AccountOf(p.User)
		if err != nil {
			return done, fmt.Errorf("look up the user that was made: %w", err)
		}
		p.uid, p.gid = who.UID, who.GID
	}
	if err := p.makeFolders(); err != nil {
		return done, err
	}
	for i, f := range p.Files {
		if err := p.put(f); err != nil {
			return done, errors.Join(err, p.takeBack(p.Files[:i]))
		}
	}
	for _, f := range p.Files {
		done = append(done, f.Path)
	}
	return done, nil
}

// makeFolders makes those of the files, for everybody to look into, and those of state and results, for the user alone.
func (p *Plan) makeFolders() error {
	for _, f := range p.Files {
		if err := os.MkdirAll(filepath.Dir(f.Path), 0o755); err != nil {
			return err
		}
	}
	for _, dir := range []string{p.StateDir, p.ResultsDir} {
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
			continue // whose it is was decided before
		}
		if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
			return err
		}
		if err := os.Mkdir(dir, 0o700); err != nil {
			return err
		}
		if err := os.Chown(dir, p.uid, p.gid); err != nil {
			return err
		}
	}
	return nil
}

// put writes one file. A new one is closed to others until it is whole, and its owner's.
func (p *Plan) put(f File) error {
	if err := statedir.Replace(f.Path, f.Text); err != nil {
		return err
	}
	if f.Had != nil {
		return nil // it keeps mode and owner
	}
	err := os.Chmod(f.Path, f.Mode)
	if f.User {
		err = errors.Join(err, os.Chown(f.Path, p.uid, p.gid))
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Path))
	}
	return nil
}

// takeBack puts files back as they were.
func (p *Plan) takeBack(files []File) (err error) {
	for _, f := range files {
		if f.Had != nil {
			err = errors.Join(err, statedir.Replace(f.Path, f.Had))
		} else {
			err = errors.Join(err, os.Remove(f.Path))
		}
	}
	if err != nil {
		return fmt.Errorf("and what was written before could not be taken back: %w", err)
	}
	return nil
}

// Removal is what of init's work is there.
type Removal struct {
	Files   []string // that init made and nobody has changed: to be removed
	Changed []string // that init made and somebody has changed since
	Kept    []string // that were there before init, with what it added
	User    string   // that init made: stays
}

// Removal says what there is to take away.
func (m *Machine) Removal() (r Removal) {
	for _, f := range []struct {
		path string
		text []byte
	}{{m.EnvFile, m.Env}, {m.Services, m.Inventory}} {
		_, made := m.Made.Files[f.path]
		switch {
		case f.text == nil:
		case m.unchanged(f.path, f.text):
			r.Files = append(r.Files, f.path)
		case made:
			r.Changed = append(r.Changed, f.path)
		default:
			r.Kept = append(r.Kept, f.path)
		}
	}
	r.User = m.Made.User
	return r
}

// Remove removes files, and the record when nothing that init made is left but the user.
func (m *Machine) Remove(paths []string) error {
	for _, path := range paths {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		delete(m.Made.Files, path)
	}
	if len(m.Made.Files) > 0 || m.Made.Files == nil {
		return nil
	}
	if err := os.Remove(m.Record); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	_ = os.Remove(filepath.Dir(m.EnvFile)) // where nothing else is in it
	return nil
}
