// Package servers starts real servers for tests: nginx, PostgreSQL, MariaDB, Redis and dnsmasq, as Debian packages them.
//
// Each is a process of its own, with its data in a temporary folder and on a free port of 127.0.0.1, and ends with the test that
// asked for it, or with the test's process however that ends. A program that is missing fails the test with the name of its package.
// The machine's own services of the same kind are neither used nor disturbed.
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
	readyWithin = 3 * time.Minute // a machine that runs many tests at once is slow
	endWithin   = time.Minute     // then it is killed
)

// T is what of testing.TB a server needs. A Suite gives one too, for servers that several tests share.
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
	// stop is the signal that makes it end soon and in order; 0 is SIGTERM.
	stop syscall.Signal
	// ready asks it whether it serves, and is called until it returns nil; nil asks nothing.
	ready func(ctx context.Context) error
}

// Process is a server that runs. Its methods are for one goroutine at a time.
type Process struct {
	t      T
	prog   program
	log    string // the file with what it has written
	pid    int
	paused bool
	ended  chan struct{} // closed once it has ended
	logged bool          // what it wrote is in the test's failure already
}

// start starts a program and waits until it is ready. It ends with the test.
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

// Start starts the server again after Stop or Kill, with its data and on its port, and waits until it is ready.
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

// launch starts the process. The thread that starts it lives as long as it does, since the kernel kills it with that thread.
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

// await asks the server until it is ready.
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

// Stop ends the server in order, and kills it where that takes too long.
func (p *Process) Stop() {
	p.Resume()
	p.end(p.prog.stop)
}

// Kill ends the server at once, as a crash does.
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

// kill ends the server with its group, and what it has started in groups of their own, as PostgreSQL does: while one of those is left, no
// other server starts with their data.
func (p *Process) kill() {
	var left []int // as file descriptors, of which none can be another's
	if p.running() {
		_ = syscall.Kill(p.pid, syscall.SIGSTOP) // so that it starts no more of them
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

// again calls until no signal to ourselves comes in between.
func again(call func() error) {
	for errors.Is(call(), unix.EINTR) {
	}
}

// children are the processes that one has started and not waited for.
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

// Pause suspends the server: the kernel goes on accepting connections for it, and nothing answers them.
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

// Log is the last of what the server has written to its standard output and error.
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

// find returns the path of a program, which is in PATH, where a system keeps its daemons, or where one of the patterns matches: of
// several the last, which is the newest version. Where it is missing the test fails with the Debian package to install.
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

// folder makes a folder that is removed with the test. Unlike the test's own it can be reached by everybody, so that a server that
// runs as nobody can; ofNobody gives it to nobody if the test runs as root.
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

// give gives a file to nobody if the test runs as root.
func give(path string) error {
	if to := nobody(); to != nil {
		return os.Chown(path, int(to.Uid), int(to.Gid))
	}
	return nil
}

// nobody is the user that a server runs as which refuses root, as Linux distributions number it; nil if the test does not run as root.
func nobody() *syscall.Credential {
	if os.Getuid() != 0 {
		return nil
	}
	return &syscall.Credential{Uid: 65534, Gid: 65534}
}

// freePort returns a port of 127.0.0.1 on which nothing listens, by TCP or UDP. It is below those that the kernel gives to outgoing
// connections, and drawn at random, so that tests which run at the same time do not take it from each other.
func freePort(t T) int {
	t.Helper()
	for range 100 {
		port := 10_000 + rand.IntN(20_000) //nolint:gosec // no secret
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

// Address is a port of 127.0.0.1 as host:port.
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
