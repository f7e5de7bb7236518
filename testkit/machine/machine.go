// Package machine boots a Debian with systemd and cron for tests. `make machine` builds the system; changes go to memory and are lost
// with the test. The booted machine shares the network of this one, so that it can reach the test's servers on loopback. It ends when a
// pipe that the test holds is closed, so that nothing remains if the test is killed. Root is needed, or `sudo -n`.
package machine

import (
	"bytes"
	"context"
	"crypto/rand"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/testkit/need"
)

// Deadlines, which only a hang exceeds.
const (
	bootDeadline = 5 * time.Minute
	runDeadline  = 15 * time.Minute
)

//go:embed boot.sh
var bootScript string

// Machine is a booted system.
type Machine struct {
	t      testing.TB
	leader int // its process 1, as a process id of this machine
}

// Boot boots a machine, which runs until the test ends. bind maps files and directories of this machine (links are followed) to their
// read-only paths in the booted one.
func Boot(t testing.TB, bind map[string]string) *Machine {
	t.Helper()
	return boot(t, "systemd", bind)
}

// Homelab is like Boot, for a machine that runs nginx, PostgreSQL, MariaDB, Redis and rsyslog, and has common administration programs.
func Homelab(t testing.TB, bind map[string]string) *Machine {
	t.Helper()
	return boot(t, "homelab", bind)
}

// Apart is like Homelab, for a machine that tests may damage: it has its own network, with loopback only.
func Apart(t testing.TB, bind map[string]string) *Machine {
	t.Helper()
	return boot(t, "homelab", bind, "--private-network")
}

func boot(t testing.TB, system string, bind map[string]string, more ...string) *Machine {
	t.Helper()
	name := "claudeops-machine-" + strings.ToLower(rand.Text()[:12])
	// The machine must not inherit files that the test's caller left open.
	if err := unix.CloseRange(3, math.MaxInt32, unix.CLOSE_RANGE_CLOEXEC); err != nil {
		t.Fatalf("keep what is open from the machine: %v", err)
	}
	options, err := binds(bind)
	if err != nil {
		t.Fatal(err)
	}
	args := append([]string{"env", "NOTIFY_SOCKET=@" + name, "sh", "-c", bootScript, "boot.sh", Root(t, system), name}, options...)
	m := &Machine{t: t}
	p := launch(t, "@"+name, append(args, more...)...)
	if m.leader, err = initOf(p.cmd.Process.Pid); err != nil {
		t.Fatalf("process 1 of %s: %v\n%s", name, err, p.log)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the machine's journal ends with\n%s", m.journal())
		}
	})
	if state, _ := m.Try("systemctl is-system-running --wait"); state != "running\n" && state != "degraded\n" {
		t.Fatalf("the machine is %q, want running or degraded\n%s", state, p.log)
	}
	return m
}

// running is a command that launch started.
type running struct {
	cmd *exec.Cmd
	log *tail
}

// launch starts a command as root and waits until it reports at a socket that it is ready, by the protocol of sd_notify. The command ends
// with the test, because it reads a pipe that the test's process holds.
func launch(t testing.TB, socket string, args ...string) running {
	t.Helper()
	ready, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: socket, Net: "unixgram"})
	if err != nil {
		t.Fatalf("listen for readiness: %v", err)
	}
	defer func() { _ = ready.Close() }()
	p, ended := running{asRoot(context.Background(), args...), &tail{max: 32 << 10}}, make(chan struct{})
	p.cmd.Stdout, p.cmd.Stderr = p.log, p.log
	hold, err := p.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(ready.SetReadDeadline(time.Now().Add(bootDeadline)), p.cmd.Start()); err != nil {
		t.Fatalf("start %s: %v", args[0], err)
	}
	go func() {
		_ = p.cmd.Wait()
		close(ended)
		_ = ready.SetReadDeadline(time.Now()) // ends the reader
	}()
	t.Cleanup(func() {
		_ = hold.Close()
		select {
		case <-ended:
		case <-time.After(bootDeadline):
			t.Errorf("%s has not ended within %v", args[0], bootDeadline)
		}
	})
	if err := readReady(ready); err != nil {
		t.Fatalf("not ready within %v, or ended before: %v\n%s", bootDeadline, err, p.log)
	}
	return p
}

// binds returns the options for the files of this machine that are bound into the booted one.
func binds(bind map[string]string) (options []string, err error) {
	for from, to := range bind {
		real, err := filepath.EvalSymlinks(from)
		if err != nil {
			return nil, fmt.Errorf("bind %s: %w", from, err)
		}
		escape := strings.NewReplacer(`\`, `\\`, ":", `\:`).Replace
		options = append(options, "--bind-ro="+escape(real)+":"+escape(to))
	}
	slices.Sort(options)
	return options, nil
}

// Root returns the directory of a system that can be booted: systemd or homelab.
func Root(t testing.TB, system string) string {
	t.Helper()
	need.Full(t, "the root of a Debian")
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if dir == "/" {
			t.Fatal("the tests run outside of the project: no go.mod above")
		}
	}
	root := filepath.Join(dir, ".bin", "debian-13", system)
	if _, err := os.Stat(filepath.Join(root, "usr", "lib", "systemd", "systemd")); err != nil {
		t.Fatalf("no machine to boot (%v): run `make machine`", err)
	}
	if _, err := exec.LookPath("systemd-nspawn"); err != nil {
		t.Fatalf("a machine cannot be booted: %v; install systemd-container", err)
	}
	return root
}

// asRoot returns a command that runs as root.
func asRoot(ctx context.Context, args ...string) *exec.Cmd {
	if os.Geteuid() != 0 {
		args = append([]string{"sudo", "-n"}, args...)
	}
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.WaitDelay = time.Minute
	return cmd
}

// readReady reads messages of systemd (sd_notify) until it is ready.
func readReady(conn *net.UnixConn) error {
	buffer := make([]byte, 4096)
	for {
		n, err := conn.Read(buffer)
		if err != nil {
			return err
		}
		if slices.Contains(strings.Split(string(buffer[:n]), "\n"), "READY=1") {
			return nil
		}
	}
}

// initOf returns process 1 of the innermost process namespace below a process.
func initOf(ancestor int) (int, error) {
	paths, err := filepath.Glob("/proc/[0-9]*/status")
	if err != nil {
		return 0, err
	}
	parents, found, depth := map[int]int{}, 0, 2 // process 1 of boot.sh's own namespace has two ids
	var candidates []process
	for _, path := range paths {
		p, err := readProcess(path)
		if err != nil {
			continue // it has ended
		}
		parents[p.id] = p.parent
		candidates = append(candidates, p)
	}
	for _, p := range candidates {
		if p.inner == 1 && p.depth > depth && descends(p.id, ancestor, parents) {
			found, depth = p.id, p.depth
		}
	}
	if found == 0 {
		return 0, errors.New("not found among the processes")
	}
	return found, nil
}

// process is a process: its id in this machine's and in its own namespace, and the depth of its namespace, which is 1 for this machine's.
type process struct{ id, parent, inner, depth int }

func readProcess(status string) (p process, err error) {
	text, err := os.ReadFile(status)
	if err != nil {
		return process{}, err
	}
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(line, ":")
		fields := strings.Fields(value)
		if len(fields) == 0 {
			continue
		}
		last := fields[len(fields)-1]
		switch name {
		case "Pid":
			p.id, err = strconv.Atoi(last)
		case "PPid":
			p.parent, err = strconv.Atoi(last)
		case "NSpid":
			p.inner, err = strconv.Atoi(last)
			p.depth = len(fields)
		}
		if err != nil {
			return process{}, err
		}
	}
	return p, nil
}

func descends(id, ancestor int, parents map[int]int) bool {
	for range len(parents) {
		if id == ancestor {
			return true
		}
		id = parents[id]
	}
	return false
}

// Run runs a script in the machine, as root, with `sh -ec`, and returns its output. An exit code other than 0 fails the test.
func (m *Machine) Run(script string) string {
	m.t.Helper()
	out, errs, code := m.enter(nil, "sh", "-ec", script)
	if code != 0 {
		m.t.Fatalf("%s\nexited with %d: %s%s", script, code, out, errs)
	}
	return out
}

// Try is like Run, but returns the exit code; out is standard output and standard error.
func (m *Machine) Try(script string) (out string, code int) {
	m.t.Helper()
	out, errs, code := m.enter(nil, "sh", "-ec", "exec 2>&1\n"+script)
	return out + errs, code
}

// Copy copies a file into the machine, and creates missing parent directories.
func (m *Machine) Copy(from, to string, mode fs.FileMode) {
	m.t.Helper()
	f, err := os.Open(from)
	if err != nil {
		m.t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	m.write(f, to, mode)
}

// Write writes a file in the machine, and creates missing parent directories.
func (m *Machine) Write(to, text string, mode fs.FileMode) {
	m.t.Helper()
	m.write(strings.NewReader(text), to, mode)
}

func (m *Machine) write(from io.Reader, to string, mode fs.FileMode) {
	m.t.Helper()
	const script = `mkdir -p "$(dirname "$1")"; cat >"$1.new"; chmod "$2" "$1.new"; mv -T "$1.new" "$1"`
	if _, errs, code := m.enter(from, "sh", "-ec", script, "sh", to, fmt.Sprintf("%o", mode.Perm())); code != 0 {
		m.t.Fatalf("write %s in the machine: %s", to, errs)
	}
}

// enter runs a command in the machine. A command that exceeds the deadline fails the test.
func (m *Machine) enter(stdin io.Reader, args ...string) (out, errs string, code int) {
	m.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), runDeadline) // not the test's, which is cancelled before its cleanups run
	defer cancel()
	// timeout runs as root, too: an ordinary user cannot kill a process of sudo.
	cmd := asRoot(ctx, append([]string{"timeout", "--kill-after=5", strconv.Itoa(int(runDeadline.Seconds()) - 10), "nsenter", "--target", strconv.Itoa(m.leader), "--all", "--wdns=/root", "env", "-i",
		"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "USER=root", "LANG=C.UTF-8", "TERM=dumb", "SYSTEMD_PAGER=cat"}, args...)...)
	stdout, stderr := &tail{max: 8 << 20}, &tail{max: 1 << 20}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, stdout, stderr
	err := cmd.Run()
	if ctx.Err() != nil || err != nil && cmd.ProcessState.ExitCode() == 124 {
		m.t.Fatalf("%q has not ended in the machine within %v\n%s%s", args, runDeadline, stdout, stderr)
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		m.t.Fatalf("%q in the machine: %v", args, err)
	}
	return stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()
}

// journal returns the end of the machine's journal, for the messages of failed tests. It never fails the test itself.
func (m *Machine) journal() string {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	out, err := asRoot(ctx, "nsenter", "--target", strconv.Itoa(m.leader), "--all", "journalctl", "--no-pager", "--lines=40").CombinedOutput()
	if err != nil {
		return fmt.Sprintf("%s(the journal cannot be read: %v)", out, err)
	}
	return string(out)
}

// tail keeps the last max bytes written to it.
type tail struct {
	max  int
	mu   sync.Mutex
	text bytes.Buffer
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text.Write(p)
	if over := t.text.Len() - t.max; over > 0 {
		t.text.Next(over)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.text.String()
}
