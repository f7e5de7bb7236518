package broker

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/claudeops/claudeops/sandbox"
	"github.com/claudeops/claudeops/sandbox/shim"
)

// limits are those of one brokered program. It is granted by name, so they only keep a program that has gone wrong from taking the
// machine along; what it may write, its rule has named, and holds what an operator keeps there.
var limits = sandbox.Limits{Processes: 1024, Memory: 4 << 30, Files: 8192, FileSize: 1 << 40, Scratch: shim.NoLimit}

// Runner runs granted programs, each in a domain of its own: it reaches the network, reads all but what an agent may have written, and
// writes what its rule names. Its own system privileges are those of the cycle, less the capabilities.
type Runner struct {
	Shim    string   // the file of claudeops-shim; without one nothing is confined
	Closed  []string // folders that no program reads. Whatever an agent may write lies below one, and is none
	Environ []string // all of a program's environment, but for HOME, USER and LOGNAME of another user
}

// Run is a Settings.Run.
func (r Runner) Run(ctx context.Context, p Program) (exit int, err error) {
	if p.SetID || r.Shim == "" {
		return r.unconfined(ctx, p)
	}
	who, env, err := r.as(p.User)
	if err != nil {
		return shim.ExitRefused, err
	}
	closed, err := realPaths(r.Closed)
	if err != nil {
		return shim.ExitRefused, err
	}
	for _, folder := range closed {
		if within(folder, p.Dir) { // a link may lead elsewhere by now, and nothing there can be read anyway
			p.Dir = folder
		}
	}
	read, err := except("/", closed)
	if err != nil {
		return shim.ExitRefused, err
	}
	writes, env, remove, err := ownFolder(p.Writes, env, who)
	if err != nil {
		return shim.ExitRefused, err
	}
	defer remove()
	domain, err := sandbox.New(r.Shim, sandbox.Access{Read: read, Write: writes, Network: true})
	if err != nil {
		return shim.ExitRefused, err
	}
	defer func() { _ = domain.Close() }()
	result, err := domain.Run(ctx, sandbox.Command{
		Path: p.File, Argv: p.Argv, Env: with(env, p.Env), Dir: p.Dir, Stdin: p.Stdin, Stdout: p.Stdout, Stderr: p.Stderr, Limits: limits, User: who,
	})
	if err != nil {
		return shim.ExitRefused, err
	}
	if result.Limit != "" {
		return result.Exit, fmt.Errorf("%s was ended at its limit of %s", p.Argv[0], result.Limit)
	}
	return result.Exit, nil
}

// ownFolder puts a new folder in the place of variables among what a program writes, and into its environment. Its path is short, for sockets.
func ownFolder(writes, env []string, who *sandbox.User) (folders, environ []string, remove func(), err error) {
	var names []string
	for _, folder := range writes {
		if name, variable := strings.CutPrefix(folder, "$"); variable {
			names = append(names, name)
		} else {
			folders = append(folders, folder)
		}
	}
	if len(names) == 0 {
		return folders, env, func() {}, nil
	}
	dir, err := os.MkdirTemp("", "claudeops-")
	if err != nil {
		return nil, nil, nil, fmt.Errorf("make a folder for a program: %w", err)
	}
	remove = func() { _ = os.RemoveAll(dir) } // what is left is in a folder for such things
	if who != nil {
		if err := os.Chown(dir, who.UID, who.GID); err != nil {
			remove()
			return nil, nil, nil, err
		}
	}
	for _, name := range names {
		env = with(env, []string{name + "=" + dir})
	}
	return append(folders, dir), env, remove, nil
}

// as is a user other than our own, and the environment for it.
func (r Runner) as(name string) (*sandbox.User, []string, error) {
	if name == "" {
		return nil, r.Environ, nil
	}
	is, err := user.Lookup(name)
	if err != nil {
		return nil, nil, fmt.Errorf("run as %s: %w", name, err)
	}
	if os.Geteuid() != 0 {
		return nil, nil, fmt.Errorf("run as %s: only root runs programs as other users; call it without sudo", name)
	}
	who, err := numbers(is)
	if err != nil {
		return nil, nil, fmt.Errorf("run as %s: %w", name, err)
	}
	env := slices.DeleteFunc(slices.Clone(r.Environ), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return slices.Contains([]string{"HOME", "USER", "LOGNAME"}, name)
	})
	return who, append(env, "HOME="+is.HomeDir, "USER="+is.Username, "LOGNAME="+is.Username), nil
}

func numbers(is *user.User) (*sandbox.User, error) {
	texts, err := is.GroupIds()
	if err != nil {
		return nil, err
	}
	var ids []int
	for _, text := range append([]string{is.Uid, is.Gid}, texts...) {
		id, err := strconv.Atoi(text)
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return &sandbox.User{UID: ids[0], GID: ids[1], Groups: ids[2:]}, nil
}

// realPaths are folders as the kernel names them, without those that do not exist.
func realPaths(folders []string) ([]string, error) {
	var list []string
	for _, folder := range folders {
		path, err := filepath.EvalSymlinks(folder)
		if err == nil {
			path, err = filepath.Abs(path)
		}
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("close %s to brokered programs: %w", folder, err)
		}
		list = append(list, path)
	}
	return list, nil
}

// except lists what lies in dir, so that together it is all below dir but the folders that are closed. Landlock can only add: what comes
// to lie beside a closed folder later is on the next call's list.
func except(dir string, closed []string) (open []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("list what brokered programs may read: %w", err)
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		switch {
		case e.Type()&os.ModeSymlink != 0, slices.Contains(closed, path): // where a link leads is listed by its own name
		case slices.ContainsFunc(closed, func(c string) bool { return within(path, c) }):
			within, err := except(path, closed)
			if err != nil {
				return nil, err
			}
			open = append(open, within...)
		default:
			open = append(open, path)
		}
	}
	return open, nil
}
