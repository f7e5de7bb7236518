// Package child runs other programs briefly and leaves no processes behind. It finds programs, limits their time and output (Run), and
// kills them with their children, without ever signalling another process that has reused their id.
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

// Find returns the path of a program, searched by name in path, which need not be this process's PATH. Entries that are not absolute are
// ignored, because anybody may have written to the working directory.
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

// Group is a program with its children, except those that started a session of their own.
type Group struct {
	id   int
	mu   sync.Mutex
	gone bool // the id may be reused
}

// Start starts a program in a process group of its own. The kernel kills the program when the thread that called Start ends, so the
// caller must keep the thread (runtime.LockOSThread) until Wait has returned.
func Start(cmd *exec.Cmd) (*Group, error) { return StartUntil(cmd, syscall.SIGKILL) }

// StartUntil is Start with another signal from the kernel.
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

// ID returns the id of the group, which is the process id of its program.
func (g *Group) ID() int { return g.id }

// Kill kills the program and its children, unless Wait has seen it end.
func (g *Group) Kill() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.gone {
		_ = syscall.Kill(-g.id, syscall.SIGKILL) // it may have ended
	}
}

// Wait waits for the program and kills the children that it left behind, before its id can be reused. ended, which may be nil, is called
// when the program has ended; its output may follow.
func (g *Group) Wait(cmd *exec.Cmd, ended func()) error {
	var waited error = unix.EINTR
	for errors.Is(waited, unix.EINTR) {
		waited = unix.Waitid(unix.P_PID, g.id, nil, unix.WEXITED|unix.WNOWAIT, nil)
	}
	g.Kill()
	if ended != nil {
		ended()
	}
	g.mu.Lock()
	g.gone = true // only cmd.Wait frees the id
	g.mu.Unlock()
	if err := cmd.Wait(); err != nil {
		return err
	}
	return waited
}
