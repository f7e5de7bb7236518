package broker_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/broker"
	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/internal/child"
	"github.com/claudeops/claudeops/sandbox"
	"github.com/claudeops/claudeops/sandbox/shim"
	"github.com/claudeops/claudeops/testkit/need"
)

// shimProgram builds claudeops-shim as a release does, once, for the tests that need it.
var shimProgram = sync.OnceValues(func() (string, error) {
	var err error
	if shimFolder, err = os.MkdirTemp("", "claudeops-broker-"); err != nil {
		return "", err
	}
	path := filepath.Join(shimFolder, shim.Name)
	build := exec.Command("go", "build", "-ldflags", "-s -w", "-o", path, "../cmd/claudeops-shim")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the shim: %w\n%s", err, out)
	}
	return path, os.Chmod(shimFolder, 0o755)
})

var shimFolder string

func TestMain(m *testing.M) {
	code := m.Run()
	if shimFolder != "" {
		os.RemoveAll(shimFolder)
	}
	os.Exit(code)
}

// agent is a session whose commands run in the sandbox, and whose broker runs programs in their own domains.
type agent struct {
	*session
	domain  *sandbox.Domain
	folder  string // of the session
	scratch string
	env     []string
}

func newAgent(t testing.TB, brokered ...string) *agent {
	t.Helper()
	program := got(shimProgram())(t)
	a := &agent{session: newSession(t), folder: t.TempDir()}
	a.scratch = filepath.Join(a.folder, "scratch")
	closed := filepath.Join(t.TempDir(), "link") // an operator may name it by a link
	a.must(os.Symlink(a.folder, closed))
	links := filepath.Join(a.folder, "bin")
	for _, dir := range []string{a.scratch, links} {
		must(t, os.Mkdir(dir, 0o700))
	}
	for _, name := range brokered {
		must(t, os.Symlink(program, filepath.Join(links, name)))
	}
	a.domain = got(sandbox.New(program, sandbox.Access{
		Read:  []string{"/usr", "/lib", "/lib64", "/bin", "/sbin", "/etc", "/proc", "/sys", links},
		Write: []string{a.scratch},
	}))(t)
	t.Cleanup(func() { a.domain.Close() })
	operator := []string{"PATH=" + os.Getenv("PATH"), "HOME=/root", "LC_ALL=C.UTF-8", "SECRET=x", "DOCKER_HOST=tcp://db:2375", "PGOPTIONS=-c statement_timeout=5s"}
	environ := broker.Environ(operator, []string{"DOCKER_HOST", "PGOPTIONS"})
	path := strings.TrimPrefix(environ[0], "PATH=")
	a.Find = func(name string) (string, bool) { return child.Find(name, path) }
	a.Run = broker.Runner{Shim: program, Closed: []string{closed}, Environ: environ}.Run
	a.env = []string{"PATH=" + links + ":/usr/bin:/bin:/usr/sbin:/sbin", "TMPDIR=" + a.scratch, "LC_ALL=C.UTF-8", "LD_PRELOAD_X=evil"}
	return a
}

// bash runs a command as an agent would, and returns its output and exit status.
func (a *agent) bash(ctx context.Context, command string) (string, int) {
	a.t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		a.t.Fatal(err)
	}
	defer r.Close()
	printed := make(chan string)
	go func() {
		text, _ := io.ReadAll(r)
		printed <- string(text)
	}()
	b := broker.New(a.Settings)
	result, err := a.domain.Run(ctx, sandbox.Command{
		Argv: []string{"/bin/bash", "-c", command}, Env: a.env, Dir: a.scratch, Stdout: w, Stderr: w,
		Connect: func(conn *net.UnixConn) { b.Serve(ctx, conn, "toolu_1") },
	})
	if err != nil {
		a.t.Error(err)
	}
	w.Close()
	return <-printed, result.Exit
}

func TestBrokeredProgramsBehaveAsOutside(t *testing.T) {
	need.Full(t, "python3")
	a := newAgent(t, "sh", "sleep", "yes", "pwd", "env", "missing")
	a.Judge = func(argv []string, dir string) guard.Verdict {
		v := granted(argv, dir)
		if argv[0] == "env" {
			v.Env = []string{"PGOPTIONS=added"}
		}
		return v
	}
	for _, c := range []struct{ command, want string }{
		{"env | grep ^PGOPTIONS", "PGOPTIONS=added\n"},
		{"sh -c env | grep ^PGOPTIONS", "PGOPTIONS=-c statement_timeout=5s\n"},
		{"sh -c 'echo out; echo err >&2; exit 3'; echo $?", "out\nerr\n3\n"},
		{"yes | head -1; echo ${PIPESTATUS[0]}", "y\n141\n"},
		{"echo x | sh -c 'cat'; echo $?", "0\n"},
		{"cd /usr && pwd", "/usr\n"},
		{"(ulimit -f 1; sh -c 'head -c 100000 /dev/zero' > full; echo $?) 2>&1 | grep -o 'file too large\\|^1$'", "file too large\n1\n"},
		{"while read line; do sh -c 'echo x'; done < /etc/hostname", "x\n"}, // no call reads the input of its caller
		{"timeout -s TERM 0.2 sleep 1000; echo $?", "124\n"},
		{"sh -c 'echo a' > f; sh -c 'echo b' >> f; /bin/cat f", "a\nb\n"},
		{"x=$(sh -c 'echo sesame'); echo \"$x\"", "[hidden]\n"},
		{"missing; echo $?", "claudeops: missing is not installed on this machine\n127\n"},
		{"python3 -c 'import subprocess; print(subprocess.run([\"sh\", \"-c\", \"echo p; exit 5\"], capture_output=True))'", "CompletedProcess(args=['sh', '-c', 'echo p; exit 5'], returncode=5, stdout=b'p\\n', stderr=b'')\n"},
		{"sh -c 'echo $SECRET $DOCKER_HOST $HOME $LC_ALL $LD_PRELOAD_X; exit'", "tcp://db:2375 /root C.UTF-8\n"},
	} {
		out, _ := a.bash(t.Context(), c.command)
		if out != c.want {
			t.Errorf("%s: %q, want %q", c.command, out, c.want)
		}
	}
}

// until returns a context that ends when a line has been written to the pipe fifo in the scratch directory.
func (a *agent) until(line string) context.Context {
	ctx, cancel := context.WithCancel(a.t.Context())
	path := filepath.Join(a.scratch, "fifo")
	a.must(unix.Mkfifo(path, 0o600))
	go func() {
		defer cancel()
		f, err := os.Open(path)
		if err != nil {
			a.t.Error(err)
			return
		}
		defer f.Close()
		text := make([]byte, len(line))
		if _, err := io.ReadFull(f, text); err != nil || string(text) != line {
			a.t.Errorf("%q, %v, want %q", text, err, line)
		}
	}()
	return ctx
}

// Programs outside cannot read what an agent wrote, and cannot write.
func TestBrokeredProgramsReadNothingOfTheAgents(t *testing.T) {
	a := newAgent(t, "sh")
	outside := filepath.Join(t.TempDir(), "outside")
	must(t, os.WriteFile(outside, []byte("readable\n"), 0o600))
	for command, want := range map[string]string{
		"echo planted > f; sh -c 'cat " + a.scratch + "/f'; echo $?": "cat: " + a.scratch + "/f: Permission denied\n1\n",
		"echo planted > f; sh -c 'cat f scratch/f'; echo $?":         "cat: f: No such file or directory\ncat: scratch/f: Permission denied\n1\n",
		"cp /bin/true x; sh -c scratch/x; echo $?":                   "sh: 1: scratch/x: Permission denied\n126\n",
		"sh -c 'cat " + outside + "'":                                "readable\n",
		"sh -c 'echo more >> " + outside + "'; cat " + outside:       "sh: 1: cannot create " + outside + ": Permission denied\ncat: " + outside + ": Permission denied\n",
		"exec 0</dev/null; echo 'echo ran' > s; sh < s; echo $?":     "0\n",
	} {
		if out, _ := a.bash(t.Context(), command); out != want {
			t.Errorf("%s: %q, want %q", command, out, want)
		}
	}
}

// A program of its own privileges has those of its file.
func TestBrokeredProgramsOfTheirOwn(t *testing.T) {
	a := newAgent(t, "sh")
	a.Judge = func(argv []string, dir string) guard.Verdict {
		v := granted(argv, dir)
		v.Own = true
		return v
	}
	if out, exit := a.bash(t.Context(), "sh -c 'grep NoNewPrivs /proc/self/status; pwd; exit 3'"); out != "NoNewPrivs:\t0\n/\n" || exit != 3 {
		t.Errorf("%q, %d", out, exit)
	}
	if out, exit := a.bash(t.Context(), "sh -c 'kill -9 $$'"); out != "" || exit != 137 {
		t.Errorf("%q, %d", out, exit)
	}
	a.bash(a.until("begun"), "sh -c 'echo begun; sleep 1000; true' > fifo")
}

func TestBrokeredProgramsEndWithTheirCall(t *testing.T) {
	a := newAgent(t, "sh")
	mark := "1000." + fmt.Sprint(os.Getpid())
	a.bash(a.until("begun"), "sh -c 'trap \"\" TERM INT HUP; setsid sleep "+mark+" & echo begun; sleep "+mark+"' > fifo")
	if out, err := exec.Command("pgrep", "-f", "sleep "+mark).Output(); err == nil {
		t.Errorf("left alive: %s", out)
	}
}
