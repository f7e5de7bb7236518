package sandbox

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/internal/procfs"
	"github.com/claudeops/claudeops/testkit/need"
)

// deadline is longer than any of these commands takes; only a hang reaches it.
const deadline = time.Minute

// alive returns the processes whose command line contains a word that only one test uses.
func alive(t testing.TB, word string) (found []string) {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	check(t, err)
	for _, file := range files {
		text, _ := os.ReadFile(file)
		if strings.Contains(string(text), word) {
			found = append(found, file+" "+strings.ReplaceAll(string(text), "\x00", " "))
		}
	}
	return found
}

// word returns a unique word for alive.
func word() string { return fmt.Sprintf("word-%d-%d", os.Getpid(), time.Now().UnixNano()) }

const (
	// leaderless uses memory in a process whose first thread has ended.
	leaderless = `import ctypes, os, threading, time
def fill():
    x = bytearray(b"x") * (100 << 20)
    time.sleep(60)
for _ in range(2):
    if os.fork() == 0:
        threading.Thread(target=fill).start()
        ctypes.CDLL(None).syscall({"x86_64": 60, "aarch64": 93}[os.uname().machine], 0)
time.sleep(60)`
	// pageTables maps the zero page again and again.
	pageTables = `import mmap, time
m = mmap.mmap(-1, 1 << 38, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, mmap.PROT_READ)
for i in range(0, 1 << 38, 2 << 20): m[i]
time.sleep(60)`
	// deepFolders writes below a path that is too long to open.
	deepFolders = `import os, time
os.chdir(os.environ["TMPDIR"])
for _ in range(30):
    os.mkdir("d" * 250)
    os.chdir("d" * 250)
open("f", "wb").write(b"x" * (30 << 20))
time.sleep(60)`
)

func TestLimits(t *testing.T) {
	need.Full(t, "python3")
	for name, test := range map[string]struct {
		text   string
		limits Limits
		want   Result
		out    string // a part of the output
	}{
		"fork bomb":          {`f() { f | f & }; f; sleep 60`, Limits{Processes: 64}, Result{137, "processes"}, ""},
		"bomb of daemons":    {`f() { setsid bash -c "$1" bomb "$1" & setsid bash -c "$1" bomb "$1"; }; f 'setsid bash -c "$1" bomb "$1" & exec setsid bash -c "$1" bomb "$1"'; sleep 60`, Limits{Processes: 64}, Result{137, "processes"}, ""},
		"bomb of threads":    {`python3 -c 'import threading, time; [threading.Thread(target=time.sleep, args=(60,)).start() for _ in range(500)]'`, Limits{Processes: 64}, Result{137, "processes"}, ""},
		"many, one by one":   {`for i in $(seq 300); do /bin/true; done; echo done`, Limits{Processes: 16}, Result{}, "done\n"},
		"memory of one":      {`python3 -c 'x = bytearray(1 << 30)'`, Limits{Memory: 128 << 20}, Result{Exit: 1}, "MemoryError"},
		"memory of several":  {`for i in 1 2 3 4; do python3 -c 'import time; x = bytearray(b"x") * (60 << 20); time.sleep(60)' & done; wait`, Limits{Memory: 128 << 20}, Result{137, "memory"}, ""},
		"without its thread": {`python3 -c '` + leaderless + `'`, Limits{Memory: 128 << 20}, Result{137, "memory"}, ""},
		"page tables":        {`python3 -c '` + pageTables + `'`, Limits{Memory: 128 << 20}, Result{137, "memory"}, ""},
		"folders too deep":   {`python3 -c '` + deepFolders + `'`, Limits{Scratch: 20 << 20}, Result{137, "scratch"}, ""},
		"a file":             {`dd if=/dev/zero of=$TMPDIR/x bs=1M count=10; ls -s --block-size=1 $TMPDIR/x`, Limits{FileSize: 1 << 20}, Result{}, "1048576 "},
		"many files":         {`i=0; while :; do mkdir $TMPDIR/$i && (cd $TMPDIR/$i && touch {1..1000} 2>/dev/null; : > a; for n in {1..2000}; do : > f$n; done); i=$((i+1)); done`, Limits{Scratch: 20 << 20}, Result{137, "scratch"}, ""},
		"open files":         {`python3 -c 'f = [open("/dev/null") for _ in range(100)]'`, Limits{Files: 50}, Result{Exit: 1}, "Too many open files"},
		"a core dump":        {`ulimit -c 0 && ulimit -c unlimited && grep "core file" /proc/self/limits`, Limits{}, Result{}, "Max core file size        1                    1  "},
		"raised again":       {`ulimit -n 5000`, Limits{Files: 50}, Result{Exit: 1}, "cannot modify limit"},
		"not over any limit": {`seq 1000 | xargs -P 8 -n 50 echo | wc -w`, Limits{}, Result{}, "1000\n"},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), deadline)
			defer cancel()
			scratch, own := t.TempDir(), word()
			d := newTestDomain(t, Access{Write: []string{scratch}})
			out, result, err := run(ctx, t, d, Command{Argv: append(bash(test.text), own), Limits: test.limits,
				Env: []string{"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C.UTF-8", "TMPDIR=" + scratch}})
			if err != nil || ctx.Err() != nil || result != test.want || !strings.Contains(out, test.out) {
				t.Errorf("%+v, %v, %v, printed %.300q; want %+v and %q", result, err, ctx.Err(), out, test.want, test.out)
			}
			if left := alive(t, own); left != nil {
				t.Errorf("alive: %q", left)
			}
		})
	}
}

// If the scratch directory exceeds its limit when a call begins, the call can remove files but write nothing.
func TestNothingIsWrittenBeyondTheLimit(t *testing.T) {
	scratch := t.TempDir()
	check(t, os.WriteFile(filepath.Join(scratch, "file"), make([]byte, 2<<20), 0o600))
	d := newTestDomain(t, Access{Write: []string{scratch}})
	out, result, err := run(t.Context(), t, d, Command{Argv: bash(`(echo x >new) 2>/dev/null; stat -c %s new; rm file && ls`), Dir: scratch, Limits: Limits{Scratch: 1 << 20}})
	if err != nil || result != (Result{}) || !strings.HasSuffix(out, "\n0\nnew\n") {
		t.Errorf("%+v, %v, printed %q", result, err, out)
	}
}

// Processes that leave their session, group and environment, or ignore every signal, are ended too.
func TestNothingIsLeft(t *testing.T) {
	for name, text := range map[string]string{
		"in the background":     `sleep 1000 $0 & exit 0`,
		"a daemon":              `(setsid setsid env -i /bin/bash -c 'trap "" HUP INT TERM QUIT USR1; while :; do /bin/sleep 1; done' "$0" </dev/null >/dev/null 2>&1 &) ; sleep 0.1; exit 0`,
		"deep":                  `f() { if [ $1 -gt 0 ]; then (f $(($1 - 1)) "$2" & wait) & else exec -a "$2" sleep 1000; fi; }; f 20 "$0"; sleep 0.2; exit 0`,
		"stopped":               `bash -c 'kill -STOP $$' "$0" & sleep 0.1; exit 0`,
		"a grandchild forks on": `setsid bash -c 'while :; do setsid /bin/true; done' "$0" & sleep 0.1; exit 0`,
	} {
		t.Run(name, func(t *testing.T) {
			own := word()
			_, result, err := run(t.Context(), t, newTestDomain(t, Access{}), Command{Argv: append(bash(text), own)})
			if err != nil || result != (Result{}) {
				t.Errorf("%+v, %v", result, err)
			}
			if left := alive(t, own); left != nil {
				t.Errorf("alive: %q", left)
			}
		})
	}
}

// begin runs a command until its first line of output, and returns the rest of the call.
func begin(ctx context.Context, t *testing.T, c Command) (rest func() (Result, error)) {
	t.Helper()
	d := newTestDomain(t, Access{})
	r, w, err := os.Pipe()
	check(t, err)
	t.Cleanup(func() { r.Close() })
	c.Stdout, c.Env = w, []string{"PATH=/usr/bin:/bin"}
	var result Result
	ended := make(chan struct{})
	go func() {
		result, err = d.Run(ctx, c)
		close(ended)
	}()
	if line, err := bufio.NewReader(r).ReadString('\n'); err != nil {
		t.Fatalf("the command printed %q, %v", line, err)
	}
	w.Close()
	return func() (Result, error) { <-ended; return result, err }
}

const unwilling = `trap "" HUP INT TERM QUIT; (setsid bash -c 'while :; do sleep 1; done' "$0" &); echo ready; while :; do sleep 1; done`

func TestContextEndsTheCall(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	own := word()
	rest := begin(ctx, t, Command{Argv: append(bash(unwilling), own)})
	cancel()
	if result, err := rest(); err != nil || result != (Result{Exit: 137}) {
		t.Errorf("%+v, %v", result, err)
	}
	if left := alive(t, own); left != nil {
		t.Errorf("alive: %q", left)
	}
}

// shimOf returns the process id of the shim with a descendant of that word.
func shimOf(t *testing.T, own string) int {
	t.Helper()
	for _, found := range alive(t, own) {
		pid, err := strconv.Atoi(strings.Split(found, "/")[2])
		check(t, err)
		for pid > 1 {
			p, err := procfs.Read(pid)
			check(t, err)
			if p.Parent == os.Getpid() {
				return pid
			}
			pid = p.Parent
		}
	}
	t.Fatal("no shim")
	return 0
}

// A shim that is killed, or stopped while its call should end, leaves nothing running either.
func TestShimIsKilled(t *testing.T) {
	for name, signal := range map[string]syscall.Signal{"killed": syscall.SIGKILL, "stopped": syscall.SIGSTOP} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			own := word()
			// The remaining processes start nothing, and hold the output pipe.
			rest := begin(ctx, t, Command{Argv: append(bash(`(setsid bash -c 'exec -a "$0" sleep 1000' "$0" &); `+unwilling), own), Stderr: &strings.Builder{}})
			check(t, unix.Kill(shimOf(t, own), signal))
			if signal == syscall.SIGSTOP {
				cancel()
			}
			if result, err := rest(); err == nil {
				t.Errorf("%+v and no error", result)
			}
			if left := alive(t, own); left != nil {
				t.Errorf("alive: %q", left)
			}
		})
	}
}

// A command blocks if its output is not read, and is freed when the call ends.
func TestOutputIsHeldBack(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, w, err := os.Pipe()
	check(t, err)
	defer r.Close()
	ended := make(chan error, 1)
	d := newTestDomain(t, Access{})
	go func() {
		_, err := d.Run(ctx, Command{Argv: []string{"/usr/bin/head", "-c", "10G", "/dev/zero"}, Stdout: w})
		w.Close()
		ended <- err
	}()
	if n, err := io.CopyN(io.Discard, r, 100<<20); err != nil {
		t.Errorf("read %d bytes: %v", n, err)
	}
	cancel()
	must(t, <-ended)
	if rest, err := io.Copy(io.Discard, r); err != nil || rest > 1<<20 {
		t.Errorf("%d bytes more behind the end of the call, %v; want what a pipe holds", rest, err)
	}
}

// Many calls, some of them concurrent, leave no descriptor and no process.
func TestManyCalls(t *testing.T) {
	d := newTestDomain(t, Access{})
	count := func() int {
		entries, err := os.ReadDir("/proc/self/fd")
		check(t, err)
		return len(entries)
	}
	call := func() {
		if result, err := d.Run(t.Context(), Command{Argv: []string{"/bin/true"}}); err != nil || result != (Result{}) {
			t.Errorf("%+v, %v", result, err)
		}
	}
	call()
	before := count()
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range callsEach(t) {
				call()
			}
		})
	}
	group.Wait()
	if after := count(); after != before {
		t.Errorf("%d descriptors, %d before", after, before)
	}
	for _, file := range alive(t, "confine") {
		if pid, err := strconv.Atoi(strings.Split(file, "/")[2]); err == nil {
			if p, err := procfs.Read(pid); err == nil && p.Parent == os.Getpid() {
				t.Errorf("alive: %s", file)
			}
		}
	}
}

// callsEach returns how many calls one goroutine of TestManyCalls makes: SANDBOX_TEST_CALLS, or 25.
func callsEach(t *testing.T) int {
	n, err := strconv.Atoi(os.Getenv("SANDBOX_TEST_CALLS"))
	if os.Getenv("SANDBOX_TEST_CALLS") == "" {
		return 25
	}
	check(t, err)
	return n
}
