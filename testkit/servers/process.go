// Package servers starts real servers for tests: nginx, PostgreSQL, MariaDB, Redis, dnsmasq and Alertmanager from Debian packages. PostgreSQL
// 18 is a package of npm.
//
// Each server is a separate process, with its data in a temporary directory and on a free port of 127.0.0.1. It ends with the test that
// started it, or with the test's process, even if that is killed. A missing program fails the test with the name of its package. The
// machine's own services are neither used nor disturbed.
package servers

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/testkit/need"
)

const (
	readyWithin = 3 * time.Minute // enough for a slow machine that runs many tests at once
	endWithin   = time.Minute     // then it is killed
)

// T is the part of testing.TB that servers need. A Suite provides one, too, for servers that several tests share.
type T interface {
	Helper()
	Skipf(format string, args ...any)
	Logf(format string, args ...any)
	Fatalf(format string, args ...any)
	Failed() bool
	Cleanup(f func())
}

// program is what start starts.
type program struct {
	path   string   // as find returns it
	args   []string //
	nobody bool     // as user nobody if the test runs as root
	// stop is the signal for a fast and orderly shutdown; 0 is SIGTERM.
	stop syscall.Signal
	// ready returns nil once the server is ready, and is called until then; a nil func means that it is ready immediately.
	ready func(ctx context.Context) error
}

// Process is a running server. Its methods must not be called concurrently.
type Process struct {
	t      T
	prog   program
	log    string // path of its output
	pid    int
	paused bool
	ended  chan struct{} // closed when it has ended
	logged bool          // the log is already in the test's failure
}

// start starts a program and waits until it is ready. The program ends with the test.
func start(t T, p program) *Process {
	t.Helper()
	proc := &Process{t: t, prog: p, log: filepath.Join(folder(t, false), "log")}
	t.Cleanup(func() {
		proc.Stop()
		if t.Failed() && !proc.logged {
			t.Logf("%s wrote:\n%s", filepath.Base(p.path), proc.Log())
		}
	})
	proc.Start()
	return proc
}

// Start starts the server again after Stop or Kill, with the same data and port, and waits until it is ready.
func (p *Process) Start() {
	p.t.Helper()
	if p.running() {
		return
	}
	if err := p.launch(); err != nil {
		p.t.Fatalf("start %s: %v", p.prog.path, err)
	}
	if err := p.await(); err != nil {
		p.logged = true
		p.t.Fatalf("%s %s: %v; it wrote:\n%s", p.prog.path, strings.Join(p.prog.args, " "), err, p.Log())
	}
}

// launch starts the process. Its thread must live as long as the process, because the kernel kills the process when the thread ends.
func (p *Process) launch() error {
	log, err := os.OpenFile(p.log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	cmd := exec.Command(p.prog.path, p.prog.args...)
	cmd.Dir = "/"
	cmd.Env = []string{"PATH=" + os.Getenv("PATH") + ":/usr/sbin:/sbin", "LC_ALL=C"}
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if p.prog.nobody {
		cmd.SysProcAttr.Credential = nobody()
	}
	started, ended := make(chan error), make(chan struct{})
	go func() {
		defer close(ended)
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			_ = cmd.Wait()
		}
	}()
	if err := <-started; err != nil {
		return err
	}
	p.pid, p.paused, p.ended = cmd.Process.Pid, false, ended
	return nil
}

// await polls the server until it is ready.
func (p *Process) await() error {
	if p.prog.ready == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), readyWithin)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		once, cancel := context.WithTimeout(ctx, 20*time.Second)
		err := p.prog.ready(once)
		cancel()
		if err == nil {
			return nil
		}
		select {
		case <-p.ended:
			return errors.New("it has ended")
		case <-ctx.Done():
			return fmt.Errorf("not ready within %s: %w", readyWithin, err)
		case <-tick.C:
		}
	}
}

// Stop shuts the server down in an orderly way, and kills it if that takes too long.
func (p *Process) Stop() {
	p.Resume()
	p.end(p.prog.stop)
}

// Kill kills the server, like a crash.
func (p *Process) Kill() { p.end(syscall.SIGKILL) }

func (p *Process) end(signal syscall.Signal) {
	if !p.running() {
		return
	}
	if signal == 0 {
		signal = syscall.SIGTERM
	}
	if signal != syscall.SIGKILL {
		_ = syscall.Kill(-p.pid, signal)
		select {
		case <-p.ended:
		case <-time.After(endWithin):
		}
	}
	p.kill()
}

// kill kills the server, its process group, and its children in other groups, such as those of PostgreSQL: a new server with the same
// data cannot start until all of them have ended.
func (p *Process) kill() {
	var left []int // file descriptors, because process ids may be reused
	if p.running() {
		_ = syscall.Kill(p.pid, syscall.SIGSTOP) // so that it starts no more children
		again(func() error { return unix.Waitid(unix.P_PID, p.pid, nil, unix.WSTOPPED|unix.WEXITED|unix.WNOWAIT, nil) })
		left = children(p.pid)
	}
	_ = syscall.Kill(-p.pid, syscall.SIGKILL)
	for _, child := range left {
		_ = unix.PidfdSendSignal(child, unix.SIGKILL, nil, 0)
	}
	for _, child := range left {
		again(func() error {
			_, err := unix.Poll([]unix.PollFd{{Fd: int32(child), Events: unix.POLLIN}}, -1)
			return err
		})
		_ = unix.Close(child)
	}
	<-p.ended
}

// again repeats a call as long as it is interrupted by a signal.
func again(call func() error) {
	for errors.Is(call(), unix.EINTR) {
	}
}

// children returns the children of a process that it has not yet waited for.
func children(pid int) (pidfds []int) {
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, list := range lists {
		text, _ := os.ReadFile(list)
		for _, field := range strings.Fields(string(text)) {
			if child, err := strconv.Atoi(field); err == nil {
				if fd, err := unix.PidfdOpen(child, 0); err == nil {
					pidfds = append(pidfds, fd)
				}
			}
		}
	}
	return pidfds
}

// Pause suspends the server: the kernel still accepts connections for it, but they get no answer.
func (p *Process) Pause() { p.pause(true) }

// Resume undoes Pause.
func (p *Process) Resume() { p.pause(false) }

func (p *Process) pause(paused bool) {
	if paused == p.paused || !p.running() {
		return
	}
	signal := syscall.SIGCONT
	if paused {
		signal = syscall.SIGSTOP
	}
	if err := syscall.Kill(-p.pid, signal); err != nil {
		p.t.Fatalf("%s: %v: %v", p.prog.path, signal, err)
	}
	p.paused = paused
}

func (p *Process) running() bool {
	if p.ended == nil {
		return false
	}
	select {
	case <-p.ended:
		return false
	default:
		return true
	}
}

// Log returns the end of the server's standard output and error.
func (p *Process) Log() string {
	const most = 8 << 10
	b, err := os.ReadFile(p.log)
	if err != nil {
		return err.Error()
	}
	return string(bytes.TrimSpace(b[max(0, len(b)-most):]))
}

// run runs a program that prepares a server's data, and waits for its end.
func run(t T, p program) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), readyWithin)
	defer cancel()
	cmd := exec.CommandContext(ctx, p.path, p.args...)
	cmd.Dir = "/"
	cmd.Env = []string{"PATH=" + os.Getenv("PATH") + ":/usr/sbin:/sbin", "LC_ALL=C"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Minute
	if p.nobody {
		cmd.SysProcAttr.Credential = nobody()
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", p.path, strings.Join(p.args, " "), err, out)
	}
}

// find returns the path of a program in PATH, in the directories of daemons, or at one of the patterns. If patterns have several matches,
// the last is used, which is the newest version. If the program is missing, the test fails with the Debian package to install.
func find(t T, name, debian string, patterns ...string) string {
	t.Helper()
	need.Full(t, name)
	var found []string
	for _, pattern := range patterns {
		matches, _ := filepath.Glob(filepath.Join(pattern, name))
		found = append(found, matches...)
	}
	if len(found) > 0 {
		return found[len(found)-1]
	}
	for _, at := range []string{name, "/usr/sbin/" + name, "/sbin/" + name} {
		if path, err := exec.LookPath(at); err == nil {
			return path
		}
	}
	t.Fatalf("%s is missing: install the Debian package %s", name, debian)
	return ""
}

// folder creates a directory that is removed with the test. Unlike t.TempDir, it can be accessed by all users, including a server that
// runs as nobody. If ofNobody is set and the test runs as root, the directory belongs to nobody.
func folder(t T, ofNobody bool) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "claudeops-server-")
	must(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	mode := os.FileMode(0o755)
	if ofNobody {
		mode = 0o700
		err = give(dir)
	}
	must(t, errors.Join(err, os.Chmod(dir, mode)))
	return dir
}

// give changes the owner of a file to nobody if the test runs as root.
func give(path string) error {
	if to := nobody(); to != nil {
		return os.Chown(path, int(to.Uid), int(to.Gid))
	}
	return nil
}

// nobody returns the user for servers that refuse to run as root, with the ids of Linux distributions; nil if the test does not run as
// root.
func nobody() *syscall.Credential {
	if os.Getuid() != 0 {
		return nil
	}
	return &syscall.Credential{Uid: 65534, Gid: 65534}
}

// freePort returns a port of 127.0.0.1 that is free for TCP and UDP. It is below the kernel's range for outgoing connections, and random,
// so that tests that run concurrently do not choose the same.
func freePort(t T) int {
	t.Helper()
	for range 100 {
		port := 10_000 + rand.IntN(20_000) //nolint:gosec // not a secret
		tcp, err := net.Listen("tcp", Address(port))
		if err != nil {
			continue
		}
		udp, err := net.ListenPacket("udp", Address(port))
		_ = tcp.Close()
		if err == nil {
			_ = udp.Close()
			return port
		}
	}
	t.Fatalf("no free port on 127.0.0.1")
	return 0
}

// Address returns a port of 127.0.0.1 as host:port.
func Address(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }

// write writes a file that a server reads as nobody.
func write(t T, path, text string) {
	t.Helper()
	must(t, errors.Join(os.WriteFile(path, []byte(text), 0o600), give(path)))
}

func must(t T, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%v", err)
	}
}
