package setup

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/claudeops/claudeops/crontab"
	"github.com/claudeops/claudeops/internal/child"
	"github.com/claudeops/claudeops/internal/statedir"
	"github.com/claudeops/claudeops/inventory"
)

// commandTime is the time limit for a program that changes users.
const commandTime = 30 * time.Second

// joins returns the group that the user joins; empty for none.
func (p *Plan) joins() string {
	if p.needsEngine() {
		return p.EngineGroup
	}
	return ""
}

// UserCommands returns the commands that create the cycles' user and add it to the group of the container engine's socket.
func (p *Plan) UserCommands() (commands [][]string) {
	group := p.joins()
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

// needsEngine reports whether an added check needs the container engine.
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

// Apply writes the record, creates the user, and writes the directories and files of the plan, or none of them. The record comes first, so that
// what a killed run made can be removed. done lists for people what was done, even after an error.
func (p *Plan) Apply(ctx context.Context) (done []string, err error) {
	record, recorded, err := p.record()
	if err != nil {
		return nil, err
	}
	var undo []func() error
	kept := 0 // of undo, what a failure leaves: the record names the user, who stays
	defer func() {
		if err == nil {
			return
		}
		for _, back := range slices.Backward(undo[kept:]) {
			if backErr := back(); backErr != nil {
				err = fmt.Errorf("%w\nand what was written before could not be taken back: %w", err, backErr)
			}
		}
	}()
	for _, f := range p.Files {
		if now, err := readIfThere(f.Path, inventory.MaxBytes); err != nil || !bytes.Equal(now, f.Had) {
			return nil, cmp.Or(err, fmt.Errorf("%s was changed meanwhile: nothing was done; run init again", f.Path))
		}
	}
	files := p.Files
	if recorded {
		if err := p.put([]File{record}, &undo); err != nil {
			return done, err
		}
		files = append(slices.Clip(files), record)
	}
	for _, command := range p.UserCommands() {
		if err := run(ctx, command); err != nil {
			return done, err
		}
		done, kept = append(done, strings.Join(command, " ")), len(undo)
	}
	if p.Makes {
		who, err := crontab.AccountOf(p.User)
		if err != nil {
			return done, fmt.Errorf("look up the user that was made: %w", err)
		}
		p.uid, p.gid = who.UID, who.GID
	}
	for _, dir := range []string{p.StateDir, p.ResultsDir} { // the owner of an existing one was checked before
		if err := makeFolder(dir, statedir.Access{Mode: 0o700, UID: p.uid, GID: p.gid}, &undo); err != nil {
			return done, err
		}
	}
	if err := p.put(p.Files, &undo); err != nil {
		return done, err
	}
	for _, f := range files {
		done = append(done, f.Path)
	}
	return done, nil
}

// run runs a program that changes users.
func run(ctx context.Context, command []string) error {
	path, found := child.Find(command[0], os.Getenv("PATH"))
	if !found {
		return fmt.Errorf("there is no program %s in PATH", command[0])
	}
	_, err := child.Run(ctx, exec.Command(path, command[1:]...), child.Limits{Within: commandTime})
	return err
}

// put creates the files, and their directories accessible to everyone. It adds to undo how to revert each step.
func (p *Plan) put(files []File, undo *[]func() error) error {
	for _, f := range files {
		if err := makeFolder(filepath.Dir(f.Path), everybodys, undo); err != nil {
			return err
		}
	}
	for _, f := range files {
		before, err := os.Lstat(f.Path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if f.Keep {
			err = statedir.Replace(f.Path, f.Text)
		} else {
			err = statedir.ReplaceAs(f.Path, f.Text, p.access(f, before))
		}
		if err != nil {
			return err
		}
		*undo = append(*undo, func() error {
			switch {
			case before == nil:
				return os.Remove(f.Path)
			case f.Keep:
				return statedir.Replace(f.Path, f.Had)
			}
			return statedir.ReplaceAs(f.Path, f.Had, statedir.AccessOf(before))
		})
	}
	return nil
}

// everybodys is the access of directories that everyone may list.
var everybodys = statedir.Access{Mode: 0o755, UID: -1, GID: -1}

// makeFolder creates a directory and its parents.
func makeFolder(dir string, as statedir.Access, undo *[]func() error) error {
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := makeFolder(filepath.Dir(dir), everybodys, undo); err != nil {
		return err
	}
	made, err := statedir.MkdirAs(dir, as)
	if made {
		*undo = append(*undo, func() error { return os.Remove(dir) })
	}
	return err
}

// access returns the access of a file: the caller's own, unless the cycles' user reads it. That user gets read access through its own
// group, so that it cannot change what root and the next cycle run.
func (p *Plan) access(f File, before fs.FileInfo) statedir.Access {
	switch {
	case f.For == forAll:
		return statedir.Access{Mode: 0o644, UID: -1, GID: -1}
	case f.For == forCaller || !p.readsEnv():
	case !p.System && before != nil && os.Geteuid() == 0:
		as := statedir.AccessOf(before)
		return statedir.Access{Mode: 0o600, UID: as.UID, GID: as.GID}
	case p.System && p.uid != 0:
		return statedir.Access{Mode: 0o640, UID: 0, GID: p.gid}
	}
	return statedir.Access{Mode: 0o600, UID: -1, GID: -1}
}

// ownGroup reports whether the group of the cycles' user is its own, by its name.
func (m *Machine) ownGroup() bool {
	group, err := user.LookupGroupId(strconv.Itoa(m.gid))
	return err == nil && group.Name == m.User
}
