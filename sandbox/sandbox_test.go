package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/claudeops/claudeops/sandbox/shim"
	"github.com/claudeops/claudeops/testkit/need"
)

var shimProgram string

func TestMain(m *testing.M) { os.Exit(withShim(m)) }

// withShim runs the tests with a shim built as for a release.
func withShim(m *testing.M) int {
	if programs := os.Getenv(envPrograms); programs != "" { // TestEscape started this process
		shimProgram = filepath.Join(programs, shim.Name)
		return m.Run()
	}
	dir, err := os.MkdirTemp("", "claudeops-sandbox-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	shimProgram = filepath.Join(dir, shim.Name)
	build := exec.Command("go", "build", "-ldflags", "-s -w", "-o", shimProgram, "../cmd/claudeops-shim")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build the shim: %v\n%s", err, out)
		return 1
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// system are the directories without which no command runs.
var system = []string{"/usr", "/lib", "/lib64", "/bin", "/sbin", "/etc", "/proc", "/sys"}

func newTestDomain(t testing.TB, access Access) *Domain {
	t.Helper()
	access.Read = append(access.Read, system...)
	d := got(New(shimProgram, access))(t)
	t.Cleanup(func() { d.Close() })
	return d
}

// run runs a command and returns its output.
func run(ctx context.Context, t testing.TB, d *Domain, c Command) (string, Result, error) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	c.Stdout, c.Stderr = w, w
	if c.Env == nil {
		c.Env = []string{"PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL=C.UTF-8"}
	}
	text := make(chan string)
	go func() {
		all, _ := io.ReadAll(r)
		text <- string(all)
	}()
	result, err := d.Run(ctx, c)
	w.Close()
	out := <-text
	r.Close()
	return out, result, err
}

func bash(text string) []string { return []string{"/bin/bash", "-c", text} }

func TestCheck(t *testing.T) {
	must(t, Check(t.Context(), shimProgram))
	if err := Check(t.Context(), filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) || errors.Is(err, ErrMissing) {
		t.Errorf("without a shim: %v", err)
	}
}

// A directory that became a link after it was listed grants nothing. A directory to write may be named through a link.
func TestLinksOnTheWay(t *testing.T) {
	real, link := t.TempDir(), filepath.Join(t.TempDir(), "link")
	check(t, os.WriteFile(filepath.Join(real, "file"), []byte("text\n"), 0o644))
	check(t, os.Mkdir(filepath.Join(real, "scratch"), 0o755))
	check(t, os.Symlink(real, link))
	d := newTestDomain(t, Access{Read: []string{filepath.Join(link, "file")}, Write: []string{filepath.Join(link, "scratch")}})
	out, result, err := run(t.Context(), t, d, Command{Argv: bash(`echo written >scratch/new && cat scratch/new file`), Dir: real})
	if want := "written\ncat: file: Permission denied\n"; err != nil || result.Exit != 1 || out != want {
		t.Errorf("%+v, %v, printed %q, want %q", result, err, out, want)
	}
}

func TestRun(t *testing.T) {
	need.Full(t, "python3")
	open, closed, scratch := t.TempDir(), t.TempDir(), t.TempDir()
	for _, dir := range []string{open, closed} {
		must(t, os.WriteFile(filepath.Join(dir, "file"), []byte("text of a file\n"), 0o644))
	}
	d := newTestDomain(t, Access{Read: []string{open}, Write: []string{scratch}})
	for name, test := range map[string]struct {
		text, out string
		exit      int
	}{
		"a signal to a thread": {`python3 -c '
import ctypes, os, signal, threading
signal.signal(signal.SIGUSR1, lambda *_: print("signalled"))
call = [{"x86_64": 200, "aarch64": 130}[os.uname().machine], threading.get_native_id(), signal.SIGUSR1]
other = threading.Thread(target=lambda: ctypes.CDLL(None).syscall(*call))
other.start()
other.join()'`, "signalled\n", 0},
		"a file that is listed":     {"cat " + open + "/file", "text of a file\n", 0},
		"a file that is not listed": {"cat " + closed + "/file", "cat: " + closed + "/file: Permission denied\n", 1},
		"writes its scratch":        {"echo x > " + scratch + "/file; cat " + scratch + "/file", "x\n", 0},
		"writes nothing else":       {"echo x > " + open + "/new; ls " + open, "/bin/bash: line 1: " + open + "/new: Permission denied\nfile\n", 0},
		"an exit status":            {"exit 7", "", 7},
		"a signal":                  {"kill -TERM $$", "", 143},
	} {
		out, result, err := run(t.Context(), t, d, Command{Argv: bash(test.text)})
		if err != nil || out != test.out || result != (Result{Exit: test.exit}) {
			t.Errorf("%s: printed %q, %+v, error %v; want %q, exit %d", name, out, result, err, test.out, test.exit)
		}
	}
}

func TestRunStartsNothing(t *testing.T) {
	d := newTestDomain(t, Access{})
	ctx, cancel := context.WithCancel(t.Context())
	for name, argv := range map[string][]string{"no such program": {"/nowhere/program"}, "a closed program": {"/root/program"}, "a NUL": {"/bin/echo", "a\x00b"}} {
		if _, _, err := run(ctx, t, d, Command{Argv: argv}); err == nil || errors.Is(err, ErrMissing) {
			t.Errorf("%s: error %v, want one of the command", name, err)
		}
	}
	cancel()
	if _, _, err := run(ctx, t, d, Command{Argv: bash("exit 0")}); !errors.Is(err, context.Canceled) {
		t.Errorf("after its context: %v", err)
	}
}

// The broker gets a request through a socket that only works in the sandbox.
func TestConnect(t *testing.T) {
	links := t.TempDir()
	must(t, os.Symlink(shimProgram, filepath.Join(links, "docker")))
	d := newTestDomain(t, Access{Read: []string{links}})
	out, result, err := run(t.Context(), t, d, Command{
		Argv: bash("docker ps -a"), Env: []string{"PATH=" + links + ":/usr/bin:/bin"}, Dir: "/usr/share",
		Connect: func(conn *net.UnixConn) {
			defer conn.Close()
			request, err := shim.ReadRequest(conn)
			shim.WriteFrame(conn, shim.FrameStderr, fmt.Appendf(nil, "%q in %s, %v\n", request.Argv, request.Dir, err))
			shim.WriteReply(conn, shim.Reply{Exit: 3})
		},
	})
	if want := `["docker" "ps" "-a"] in /usr/share, <nil>` + "\n"; err != nil || out != want || result.Exit != 3 {
		t.Errorf("printed %q, %+v, error %v, want %q and exit 3", out, result, err, want)
	}
	out, result, err = run(t.Context(), t, d, Command{Argv: bash("docker ps"), Env: []string{"PATH=" + links}})
	if err != nil || result.Exit != shim.ExitRefused || !strings.Contains(out, "connection refused") {
		t.Errorf("without a broker: printed %q, %+v, error %v", out, result, err)
	}
}

// A directory that does not exist grants nothing, and does not affect the others.
func TestAbsentFolders(t *testing.T) {
	scratch := t.TempDir()
	d := newTestDomain(t, Access{Read: []string{scratch + "/none"}, Write: []string{scratch + "/none", scratch}})
	if out, result, err := run(t.Context(), t, d, Command{Argv: bash("echo x > " + scratch + "/file && chmod 600 " + scratch + "/file")}); err != nil || result != (Result{}) {
		t.Errorf("printed %q, %+v, %v", out, result, err)
	}
}

// Connections to the broker beyond the limit are closed at once, and the others are served.
func TestManyConnections(t *testing.T) {
	need.Full(t, "python3")
	var served atomic.Int32
	out, result, err := run(t.Context(), t, newTestDomain(t, Access{}), Command{
		Argv: []string{"/usr/bin/python3", "-c", fmt.Sprintf(`
import socket
all = [socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, %d) for _ in range(%d)]
print("closed", len([s for s in all[%d:] if s.recv(1) == b""]))
all[0].sendall(b"x")
print("served", all[0].recv(1))`, shim.BrokerProtocol, maxConnections+100, maxConnections)},
		Connect: func(conn *net.UnixConn) {
			defer conn.Close()
			served.Add(1)
			io.Copy(conn, conn) // until the client disconnects
		},
	})
	if want := "closed 100\nserved b'x'\n"; err != nil || result != (Result{}) || out != want || served.Load() != maxConnections {
		t.Errorf("printed %q, %+v, %v, %d served; want %q and %d", out, result, err, served.Load(), want, maxConnections)
	}
}

// No command gives files away, even one that runs as root.
func TestOwner(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root gives files to others")
	}
	scratch := t.TempDir()
	must(t, os.WriteFile(filepath.Join(scratch, "file"), nil, 0o644))
	d := newTestDomain(t, Access{Write: []string{scratch}})
	give := "chown 0:0 " + scratch + "/file && echo kept; chown 12:34 " + scratch + "/file 2>/dev/null; stat -c %u:%g " + scratch + "/file"
	if out, result, err := run(t.Context(), t, d, Command{Argv: bash(give)}); err != nil || result != (Result{}) || out != "kept\n0:0\n" {
		t.Errorf("printed %q, %+v, %v", out, result, err)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// got returns the value of a call that must not fail.
func got[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		must(t, err)
		return value
	}
}
