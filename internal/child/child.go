// Package child runs other programs for a moment, and leaves nothing of them behind: it finds their file, bounds their time and output (Run),
// and kills them with their children, without ever signalling another process that got the same id since.
package child

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// Find is the path of a program by its name, in a PATH that need not be that of this process. Entries of path that
// are not absolute do not count: nobody chose what lies in the current folder.
func Find(name, path string) (file string, found bool) {
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) {
			continue
		}
		file := filepath.Join(dir, name)
		if stat, err := os.Stat(file); err == nil && stat.Mode().IsRegular() && stat.Mode()&0o111 != 0 {
			return file, true
		}
	}
	return "", false
}

// Group is a program with its children, but for those that made a session of their own.
type Group struct {
	id   int
	mu   sync.Mutex
	gone bool // another may have the id by now
}

// Start starts a program in a group of its own. Where the thread that calls it ends, the kernel ends the program: the caller keeps it
// (runtime.LockOSThread) until Wait has returned.
func Start(cmd *exec.Cmd) (*Group, error) { return StartUntil(cmd, syscall.SIGKILL) }

// StartUntil is Start of a program that the kernel sends another signal.
func StartUntil(cmd *exec.Cmd, signal syscall.Signal) (*Group, error) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setpgid, cmd.SysProcAttr.Pdeathsig = true, signal
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &Group{id: cmd.Process.Pid}, nil
}

// ID is the group's, and the process id of its program.
func (g *Group) ID() int { return g.id }

// Kill ends the program and its children, unless Wait has found it ended.
func (g *Group) Kill() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.gone {
		_ = syscall.Kill(-g.id, syscall.SIGKILL) // it may have ended
	}
}

// Wait waits for the program and ends the children that it left behind, before the system may give its id to another. sweep, which may be
// nil, is called in between for what is of the program and no longer of its group.
func (g *Group) Wait(cmd *exec.Cmd, sweep func()) error {
	var ended error = unix.EINTR
	for errors.Is(ended, unix.EINTR) {
		ended = unix.Waitid(unix.P_PID, g.id, nil, unix.WEXITED|unix.WNOWAIT, nil)
	}
	g.Kill()
	if sweep != nil {
		sweep()
	}
	g.mu.Lock()
	g.gone = true // only cmd.Wait frees the id
	g.mu.Unlock()
	if err := cmd.Wait(); err != nil {
		return err
	}
	return ended
}
