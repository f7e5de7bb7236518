package sandbox

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/internal/procfs"
)

// stranger is a user id without an account.
const stranger = 64123

// What TestEscape passes to TestAttempts, which it runs in new namespaces: an attempt that is not refused does no harm there.
const (
	envABI      = "SANDBOX_TEST_ABI"      // the Landlock version to assume; 0 means no sandbox
	envPrograms = "SANDBOX_TEST_PROGRAMS" // directory of the programs
)

// Every way out that escape.c tries is refused and leaves no trace, with each version of Landlock, as root and as another user.
func TestEscape(t *testing.T) {
	programs := buildEscape(t)
	abi := got(abiVersion())(t)
	versions := []int{1, 2, 3} // later versions do not change the filter
	versions = append(slices.DeleteFunc(versions, func(v int) bool { return v >= abi }), abi)
	for _, version := range versions {
		for _, who := range []string{"root", "user"} {
			t.Run(fmt.Sprintf("%s/Landlock %d", who, version), func(t *testing.T) {
				attempt(t, programs, who, "^TestAttempts$", version)
			})
		}
	}
	for _, who := range []string{"root", "user"} {
		t.Run(who+"/scripts", func(t *testing.T) { attempt(t, programs, who, "^TestScriptedAttempts$", abi) })
	}
	t.Run("root/no sandbox", func(t *testing.T) { attempt(t, programs, "root", "^TestAttempts$", 0) })
}

// attempt runs a test of this package in new namespaces.
func attempt(t *testing.T, programs, who, test string, version int) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can make namespaces and change the user")
	}
	args := []string{"--mount", "--pid", "--net", "--ipc", "--uts", "--fork", "--mount-proc", "--kill-child", "sh", "-c", `ip link set lo up; exec "$@"`, "sh"}
	if who == "user" {
		id := strconv.Itoa(stranger)
		args = append(args, "setpriv", "--reuid", id, "--regid", id, "--clear-groups", "--")
	}
	dir := got(os.MkdirTemp("", "claudeops-escape-"))(t)
	defer os.RemoveAll(dir)
	must(t, os.Chmod(dir, 0o1777))
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute) // an emulated machine is slow
	defer cancel()
	cmd := exec.CommandContext(ctx, "unshare", append(args, filepath.Join(programs, "test"), "-test.run", test, "-test.v", "-test.timeout", "5m")...)
	cmd.Env = append(os.Environ(), "TMPDIR="+dir, envABI+"="+strconv.Itoa(version), envPrograms+"="+programs)
	cmd.SysProcAttr, cmd.WaitDelay = &syscall.SysProcAttr{Setpgid: true}, time.Second
	out, err := cmd.CombinedOutput()
	t.Logf("%s", out)
	if err != nil || !strings.Contains(string(out), "--- PASS: Test") {
		t.Error(err)
	}
}

// buildEscape returns a directory with this test, the shim, escape.c as a program, and set-id copies of it.
func buildEscape(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(filepath.Dir(shimProgram), t.Name())
	check(t, os.Mkdir(dir, 0o755))
	t.Cleanup(func() { check(t, os.RemoveAll(dir)) })
	escape := filepath.Join(dir, "escape")
	if out, err := exec.Command("cc", "-w", "-o", escape, "testdata/escape.c", "-lrt").CombinedOutput(); err != nil {
		t.Fatalf("cc: %v\n%s", err, out)
	}
	self, err := os.Executable()
	check(t, err)
	for to, from := range map[string]string{"test": self, filepath.Base(shimProgram): shimProgram, "setuid-0": escape, "setuid-" + strconv.Itoa(stranger): escape} {
		text, err := os.ReadFile(from)
		check(t, err)
		check(t, os.WriteFile(filepath.Join(dir, to), text, 0o755))
		if id, found := strings.CutPrefix(to, "setuid-"); found && os.Geteuid() == 0 {
			owner, _ := strconv.Atoi(id)
			check(t, os.Chown(filepath.Join(dir, to), owner, owner))
			check(t, os.Chmod(filepath.Join(dir, to), 0o6755))
		}
	}
	return dir
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// target is everything that a sandboxed command must not reach, and what it may.
type target struct {
	closed, readable, scratch string
	victim                    *exec.Cmd
	signals                   *bytes.Buffer // the victim's output
	reported                  chan struct{} // closed when no more can come
	abi                       int
	programs                  string
	heard                     chan string // what servers received
}

func newTarget(t *testing.T) *target {
	t.Helper()
	version, err := strconv.Atoi(os.Getenv(envABI))
	if err != nil {
		t.Skip("TestEscape runs it, in namespaces of its own")
	}
	g := &target{abi: version, programs: os.Getenv(envPrograms), signals: &bytes.Buffer{}, heard: make(chan string, 100)}
	owner := os.Geteuid()
	parent, err := os.MkdirTemp("", "target")
	check(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(parent) }) // without a sandbox, escapes may still write there
	dir := filepath.Join(parent, "target")
	check(t, os.Mkdir(dir, 0o755))
	check(t, os.Chmod(filepath.Dir(dir), 0o755))
	check(t, os.Chmod(dir, 0o755))
	g.closed, g.readable, g.scratch = filepath.Join(dir, "closed"), filepath.Join(dir, "readable"), filepath.Join(dir, "scratch")
	for _, d := range []string{g.closed, g.readable, g.scratch, g.readable + "/folder"} {
		check(t, os.Mkdir(d, 0o755))
	}
	for _, file := range []string{"closed/secret", "closed/victim", "readable/file"} {
		check(t, os.WriteFile(filepath.Join(dir, file), []byte("the text of a file\n"), 0o644))
	}
	check(t, unix.Setxattr(g.readable+"/file", "user.mine", []byte("mine"), 0))
	check(t, unix.Mkfifo(g.closed+"/fifo", 0o644))
	check(t, unix.Mkfifo(g.readable+"/fifo", 0o644))
	check(t, os.Symlink(g.closed+"/secret", g.readable+"/link"))
	program, err := os.ReadFile(g.programs + "/escape")
	check(t, err)
	check(t, os.WriteFile(g.closed+"/program", program, 0o755))
	other := 0
	if owner == 0 {
		other = stranger
	}
	check(t, os.Symlink(fmt.Sprintf("%s/setuid-%d", g.programs, other), g.readable+"/setuid"))
	check(t, filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		return os.Lchown(path, owner, owner)
	}))
	g.listen(t)
	g.start(t, owner)
	return g
}

// listen starts servers that a command must not reach.
func (g *target) listen(t *testing.T) {
	stream, err := net.Listen("unix", g.closed+"/socket")
	check(t, err)
	datagram, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: g.closed + "/datagram", Net: "unixgram"})
	check(t, err)
	check(t, os.Chmod(g.closed+"/socket", 0o777))
	check(t, os.Chmod(g.closed+"/datagram", 0o777))
	t.Cleanup(func() { stream.Close(); datagram.Close() })
	go func() {
		for {
			if _, err := stream.Accept(); err != nil {
				return
			}
			g.heard <- "a connection"
		}
	}()
	go func() {
		for {
			if _, _, err := datagram.ReadFrom(make([]byte, 64)); err != nil {
				return
			}
			g.heard <- "a datagram"
		}
	}()
}

// start starts a process of the same user, which holds a closed file and reports signals.
func (g *target) start(t *testing.T, owner int) {
	secret, err := os.Open(g.closed + "/secret")
	check(t, err)
	defer secret.Close()
	g.victim = exec.Command(g.programs+"/escape", "victim")
	g.victim.Stdin, g.victim.Dir, g.victim.Env = secret, g.closed, []string{"SECRET=in the environment"}
	g.victim.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if owner != os.Geteuid() {
		g.victim.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(owner), Gid: uint32(owner)}
	}
	out, err := g.victim.StdoutPipe()
	check(t, err)
	check(t, g.victim.Start())
	lines := bufio.NewReader(out)
	if line, err := lines.ReadString('\n'); err != nil || line != "ready\n" {
		t.Fatalf("the victim says %q, %v", line, err)
	}
	g.reported = make(chan struct{})
	go func() { io.Copy(g.signals, lines); close(g.reported) }()
	t.Cleanup(func() { g.victim.Process.Kill(); g.victim.Wait() })
}

// environ returns the environment that the attempts need, including numbers of objects in the namespace.
func (g *target) environ(t *testing.T) []string {
	env := []string{"PATH=/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL=C.UTF-8", "CLOSED=" + g.closed, "READABLE=" + g.readable, "SCRATCH=" + g.scratch, "TMPDIR=" + g.scratch,
		fmt.Sprintf("VICTIM=%d", g.victim.Process.Pid)}
	for name, call := range map[string][4]uintptr{
		"MESSAGES": {unix.SYS_MSGGET, 4711, 0o1666}, "MEMORY": {unix.SYS_SHMGET, 4711, 4096, 0o1666}, "SEMAPHORE": {unix.SYS_SEMGET, 4711, 1, 0o1666},
	} {
		id, _, errno := unix.Syscall(call[0], call[1], call[2], call[3])
		if errno != 0 {
			t.Fatalf("make %s: %v", name, errno)
		}
		env = append(env, fmt.Sprintf("%s=%d", name, id))
	}
	return env
}

// state returns everything that a command might have changed.
func (g *target) state(t *testing.T) string {
	var b strings.Builder
	for _, dir := range []string{g.closed, g.readable} {
		check(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
			check(t, err)
			var stat unix.Stat_t
			check(t, unix.Lstat(path, &stat))
			list := make([]byte, 256)
			n, _ := unix.Llistxattr(path, list)
			fmt.Fprintf(&b, "%s %o %d:%d %d links %v %q", path, stat.Mode, stat.Uid, stat.Gid, stat.Nlink, stat.Mtim, list[:max(n, 0)])
			if entry.Type().IsRegular() {
				text, err := os.ReadFile(path)
				check(t, err)
				file, err := os.Open(path)
				check(t, err)
				flags, _ := unix.IoctlGetInt(int(file.Fd()), unix.FS_IOC_GETFLAGS)
				file.Close()
				fmt.Fprintf(&b, " %d bytes %x flags %x", len(text), text[:min(len(text), 30)], flags)
			}
			b.WriteByte('\n')
			return nil
		}))
	}
	pid := g.victim.Process.Pid
	for _, file := range []string{"limits", "oom_score_adj", "comm", "loginuid"} {
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/%s", pid, file))
		fmt.Fprintf(&b, "victim's %s: %s\n", file, text)
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	check(t, err)
	for line := range strings.Lines(string(status)) {
		if strings.HasPrefix(line, "Cpus_allowed") || strings.HasPrefix(line, "TracerPid") || strings.HasPrefix(line, "Seccomp") {
			b.WriteString("victim's " + line)
		}
	}
	priority, err := unix.Getpriority(unix.PRIO_PROCESS, pid)
	check(t, err)
	attributes, err := unix.SchedGetAttr(pid, 0)
	check(t, err)
	attributes.Size = 0
	inputOutput, _, _ := unix.Syscall(unix.SYS_IOPRIO_GET, 1, uintptr(pid), 0)
	fmt.Fprintf(&b, "victim's priorities %d %+v %d\n", priority, *attributes, inputOutput)
	for _, file := range []string{"/proc/self/mountinfo", "/proc/sysvipc/msg", "/proc/sysvipc/shm", "/proc/sysvipc/sem", "/proc/sys/kernel/hostname", "/proc/sys/kernel/domainname"} {
		text, err := os.ReadFile(file)
		check(t, err)
		fmt.Fprintf(&b, "%s:\n%s\n", file, ofContainers.ReplaceAll(text, nil))
	}
	interfaces, err := net.Interfaces()
	check(t, err)
	for _, i := range interfaces {
		addresses, _ := i.Addrs()
		fmt.Fprintln(&b, i, addresses)
	}
	shm, _ := os.ReadDir("/dev/shm")
	fmt.Fprintln(&b, "/dev/shm", shm)
	return b.String()
}

func (g *target) domain(t *testing.T) *Domain {
	d, err := newDomain(g.programs+"/"+filepath.Base(shimProgram), Access{Read: append(slices.Clone(system), g.programs, g.readable), Write: []string{g.scratch}}, g.abi)
	check(t, err)
	t.Cleanup(func() { d.Close() })
	return d
}

// unmounted reports whether a line is a mount whose directory was removed outside, which ends the mount in every namespace.
func unmounted(line string) bool {
	fields := strings.Fields(line)
	if len(fields) < 10 || !slices.Contains(fields, "-") {
		return false
	}
	_, err := os.Lstat(fields[4])
	return errors.Is(err, fs.ErrNotExist)
}

// unharmed compares the state with the one before, and ends the victim.
func (g *target) unharmed(t *testing.T, before string) {
	t.Helper()
	if after := g.state(t); after != before {
		old := strings.Split(before, "\n")
		for line := range strings.SplitSeq(after, "\n") {
			if !slices.Contains(old, line) {
				t.Errorf("new: %s", line)
			}
		}
		now := strings.Split(after, "\n")
		for _, line := range old {
			if !slices.Contains(now, line) && !unmounted(line) {
				t.Errorf("gone: %s", line)
			}
		}
	}
	p, err := procfs.Read(g.victim.Process.Pid)
	if err != nil || p.Dead() || p.Stopped() {
		t.Errorf("the victim: %+v, %v", p, err)
	}
	// Signals arrive in order, so this is the last one.
	check(t, g.victim.Process.Signal(syscall.SIGUSR2))
	check(t, g.victim.Process.Signal(syscall.SIGKILL))
	<-g.reported
	g.victim.Wait()
	if strings.Contains(g.signals.String(), "signal 10\n") || strings.Contains(g.signals.String(), "signal 15\n") {
		t.Errorf("the victim got %q", g.signals)
	}
	select {
	case what := <-g.heard:
		t.Errorf("a server got %s", what)
	default:
	}
}

// ofContainers matches the mounts of containers, which come and go with other tests.
var ofContainers = regexp.MustCompile(`(?m)^.*(/overlay2/|/containers/|/netns/).*\n`)

// minEscapes is how many attempts must succeed without a sandbox. With fewer, the test would prove nothing.
const minEscapes = 150

func TestAttempts(t *testing.T) {
	g := newTarget(t)
	env := g.environ(t)
	if g.abi == 0 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // some attempts stop others
		defer cancel()
		cmd := exec.CommandContext(ctx, g.programs+"/escape")
		cmd.Env, cmd.WaitDelay = append(env, "OUTSIDE=1"), time.Second // for what it leaves running
		out, _ := cmd.CombinedOutput()
		n := strings.Count(string(out), " ESCAPED ")
		t.Logf("%d attempts succeed", n)
		if n < minEscapes {
			t.Errorf("want %d:\n%s", minEscapes, out)
		}
		return
	}
	before := g.state(t)
	g.refused(t, env, minEscapes, g.programs+"/escape")
	g.unharmed(t, before)
}

// The same attempts in Python and in a shell.
func TestScriptedAttempts(t *testing.T) {
	g := newTarget(t)
	env := g.environ(t)
	before := g.state(t)
	for program, script := range map[string]string{"/usr/bin/python3": "escape.py", "/bin/bash": "escape.bash"} {
		text, err := os.ReadFile(filepath.Join("testdata", script))
		check(t, err)
		g.refused(t, env, 40, program, "-c", string(text))
	}
	g.unharmed(t, before)
}

// refused runs attempts, all of which must be refused.
func (g *target) refused(t *testing.T, env []string, atLeast int, argv ...string) {
	t.Helper()
	out, result, err := run(t.Context(), t, g.domain(t), Command{Argv: argv, Env: env})
	if err != nil || result != (Result{}) {
		t.Errorf("%+v, %v", result, err)
	}
	n := 0
	for line := range strings.Lines(out) {
		n++
		if fields := strings.Fields(line); len(fields) < 2 || fields[1] != "refused" {
			t.Errorf("%s", line)
		}
	}
	t.Logf("%d attempts", n)
	if n < atLeast {
		t.Errorf("want %d:\n%s", atLeast, out)
	}
}
