package broker_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/broker"
	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/sandbox/shim"
	"github.com/claudeops/claudeops/testkit/need"
)

// session is a broker with its surroundings. Its programs run without a domain.
type session struct {
	t testing.TB
	broker.Settings
	records *records

	once   sync.Once
	broker *broker.Broker
}

// newSession returns a session in which every call observes and runs the machine's programs.
func newSession(t testing.TB) *session {
	s := &session{t: t, records: &records{}}
	s.Settings = broker.Settings{
		Tier:    2,
		Judge:   granted,
		Records: s.records,
		Audit:   guard.Audit{Path: filepath.Join(t.TempDir(), "session-1.commands.ndjson")},
		Log:     slog.New(slog.NewTextHandler(t.Output(), nil)),
		Now:     time.Now,
		Mask:    func(w io.Writer) io.WriteCloser { return hiding{w} },
		Find: func(name string) (string, bool) {
			path, err := exec.LookPath(name)
			return path, err == nil
		},
		Run: bare, ActEnviron: os.Environ(),
		Ask: func(context.Context, string, string, broker.Order) *broker.RefusalError { return nil },
	}
	s.Do = func(ctx context.Context, id string, v guard.Verb, _ string, out, faults io.Writer) (int, error) {
		return s.broker.Act(ctx, id, order("echo", string(v.Action), v.Name, "sesame"), out, faults)
	}
	return s
}

func granted(argv []string, _ string) guard.Verdict {
	return guard.Verdict{Allow: true, Argv: argv, Rule: "test"}
}

// hiding masks one secret, also across writes.
type hiding struct{ io.Writer }

func (h hiding) Write(p []byte) (int, error) {
	if _, err := h.Writer.Write(bytes.ReplaceAll(p, []byte("sesame"), []byte("[hidden]"))); err != nil {
		return 0, err
	}
	return len(p), nil
}

func (hiding) Close() error { return nil }

// bare runs a program without any confinement.
func bare(ctx context.Context, p broker.Program) (int, error) {
	cmd := exec.CommandContext(ctx, p.File, p.Argv[1:]...)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = p.Dir, p.Stdin, p.Stdout, p.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	err := cmd.Run()
	if cmd.ProcessState == nil {
		return shim.ExitRefused, err
	}
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal()), nil
	}
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return exit.ExitCode(), nil
	}
	return 0, err
}

// records permits up to limit acts.
type records struct {
	mu       sync.Mutex
	limit    int
	reserved []string
	outcomes map[string]string // by call; "" means success
}

func (r *records) Reserve(_ context.Context, id string, o broker.Order) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.reserved) >= r.limit {
		return &broker.RefusalError{Rule: broker.RuleHeld, Reason: fmt.Sprintf("a restart of %s is refused", o.Service)}
	}
	r.reserved = append(r.reserved, id)
	return nil
}

func (r *records) Complete(_ context.Context, id string, success bool, fault string, _ time.Duration) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.outcomes == nil {
		r.outcomes = map[string]string{}
	}
	if success != (fault == "") {
		return fmt.Errorf("success %t with the fault %q", success, fault)
	}
	r.outcomes[id] = fault
	return nil
}

// connect returns a connection to the broker.
func (s *session) connect(ctx context.Context) (caller *net.UnixConn, served chan struct{}) {
	s.once.Do(func() { s.broker = broker.New(s.Settings) })
	ends := [2]*net.UnixConn{}
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		s.t.Error(err)
	}
	for i, fd := range pair {
		f := os.NewFile(uintptr(fd), "socket")
		conn, err := net.FileConn(f)
		if err != nil {
			s.t.Error(err)
		}
		f.Close()
		ends[i] = conn.(*net.UnixConn)
	}
	served = make(chan struct{})
	go func() {
		defer close(served)
		s.broker.Serve(ctx, ends[1], "toolu_1")
	}()
	return ends[0], served
}

// ask sends a request with descriptors.
func ask(t testing.TB, caller *net.UnixConn, r shim.Request, files ...*os.File) {
	frame, err := r.Frame()
	if err != nil {
		t.Error(err)
		return
	}
	var rights []byte
	if len(files) > 0 {
		fds := make([]int, len(files))
		for i, f := range files {
			fds[i] = int(f.Fd())
		}
		rights = unix.UnixRights(fds...)
	}
	if _, _, err := caller.WriteMsgUnix(frame, rights, nil); err != nil {
		t.Error(err)
	}
}

// call runs a program, and returns its two outputs and the reply.
func (s *session) call(stdin string, argv ...string) (stdout, stderr string, reply shim.Reply) {
	s.t.Helper()
	in, out, err := s.file(stdin), s.file(""), s.file("")
	reply = s.callWith(shim.Request{Argv: argv, Dir: "/"}, in, out, err)
	return content(out), content(err), reply
}

func (s *session) callWith(r shim.Request, files ...*os.File) shim.Reply {
	s.t.Helper()
	caller, served := s.connect(s.t.Context())
	defer caller.Close()
	ask(s.t, caller, r, files...)
	reply, err := shim.ReadReply(caller)
	if err != nil {
		s.t.Errorf("%q: no reply: %v", r.Argv, err)
	}
	<-served
	return reply
}

func (s *session) file(text string) *os.File {
	f, err := os.CreateTemp(s.t.TempDir(), "")
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { f.Close() })
	f.WriteString(text)
	f.Seek(0, io.SeekStart)
	return f
}

func (s *session) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

func content(f *os.File) string {
	text, _ := os.ReadFile(f.Name())
	return string(text)
}

func (s *session) pipe() (r, w *os.File) {
	r, w, err := os.Pipe()
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { r.Close(); w.Close() })
	return r, w
}

func TestServeRunsAProgramAsItsCallerWould(t *testing.T) {
	s := newSession(t)
	for _, c := range []struct {
		argv   []string
		out    string
		err    string
		status int
	}{
		{[]string{"echo", "a b", "", "c\nd"}, "a b  c\nd\n", "", 0},
		{[]string{"printf", `\377\000x`}, "\xff\x00x", "", 0},
		{[]string{"sh", "-c", "echo out; echo err >&2; exit 3"}, "out\n", "err\n", 3},
		{[]string{"sh", "-c", "kill -TERM $$"}, "", "", 128 + 15},
		{[]string{"sh", "-c", "echo open sesame; echo sesame >&2"}, "open [hidden]\n", "[hidden]\n", 0},
		{[]string{"pwd"}, "/\n", "", 0},
		{[]string{"cat"}, "", "", 0}, // its standard input is empty
	} {
		out, err, reply := s.call("unread input", c.argv...)
		if out != c.out || err != c.err || reply != (shim.Reply{Exit: c.status}) {
			t.Errorf("%q: %q, %q, %v; want %q, %q, %d", c.argv, out, err, reply, c.out, c.err, c.status)
		}
	}
}

func TestServeRunsNothingOnceItsRecordIsFull(t *testing.T) {
	s := newSession(t)
	s.must(os.WriteFile(s.Audit.Path, []byte("{}\n"), 0o600))
	s.must(os.Truncate(s.Audit.Path, 32<<20+1))
	if out, _, reply := s.call("", "echo", "hidden"); out != "" || reply.Exit != shim.ExitRefused || !strings.Contains(reply.Message, "is full") {
		t.Errorf("printed %q, replied %+v; want a refusal", out, reply)
	}
	cell := broker.Cell{Broker: broker.New(s.Settings)}
	if _, err := cell.Run(t.Context(), "1", "true", io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), "is full") {
		t.Errorf("a command: %v; want a refusal", err)
	}
	if _, err := s.Audit.Read(); err != nil {
		t.Errorf("what is full can no longer be read: %v", err)
	}
}

// A descriptor left open in the cycle could be the command's own output, which then would never end.
func TestServeKeepsNoDescriptor(t *testing.T) {
	for _, many := range []int{1, 2, 3, 4, 5, 100} {
		s := newSession(t)
		r, w := s.pipe()
		s.callWith(shim.Request{Argv: []string{"true"}, Dir: "/"}, slices.Repeat([]*os.File{w}, many)...)
		s.must(errors.Join(w.Close(), r.SetReadDeadline(time.Now().Add(time.Minute))))
		if _, err := io.ReadAll(r); err != nil {
			t.Errorf("with %d descriptors the pipe stays open: %v", many, err)
		}
	}
}

func TestServeKeepsTheOrderOfOneOutput(t *testing.T) {
	s := newSession(t)
	out := s.file("")
	s.callWith(shim.Request{Argv: []string{"sh", "-c", "for i in 1 2 3 4 5 6 7 8 9; do echo o$i; echo e$i >&2; done"}, Dir: "/"}, out, out, out)
	want := ""
	for i := 1; i < 10; i++ {
		want += fmt.Sprintf("o%d\ne%d\n", i, i)
	}
	if got := content(out); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestServeRefusesInOneLine(t *testing.T) {
	s := newSession(t)
	s.Judge = func(argv []string, dir string) guard.Verdict {
		switch argv[0] {
		case "echo", "missing-program":
			return granted(argv, dir)
		case "panic":
			panic("at the judge's")
		}
		return guard.Verdict{Reason: "not granted:\n  no", Rule: "r"}
	}
	null, err := os.Open(os.DevNull)
	s.must(err)
	defer null.Close()
	folder, err := os.Open("/")
	s.must(err)
	defer folder.Close()
	place, err := unix.Open(s.file("").Name(), unix.O_PATH|unix.O_CLOEXEC, 0)
	s.must(err)
	only := os.NewFile(uintptr(place), "place")
	defer only.Close()
	tty, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	s.must(err)
	defer tty.Close()
	out := s.file("")
	for name, c := range map[string]struct {
		r     shim.Request
		files []*os.File
		exit  int
		says  string
	}{
		"not granted":           {shim.Request{Argv: []string{"rm", "-r"}, Dir: "/"}, []*os.File{out, out, out}, 126, "claudeops: not granted: no"},
		"a judge that fails":    {shim.Request{Argv: []string{"panic"}, Dir: "/"}, []*os.File{out, out, out}, 126, "at the judge's"},
		"not installed":         {shim.Request{Argv: []string{"missing-program"}, Dir: "/"}, []*os.File{out, out, out}, 127, "not installed"},
		"no such folder":        {shim.Request{Argv: []string{"echo"}, Dir: "/nowhere"}, []*os.File{out, out, out}, 126, "working folder"},
		"a folder by halves":    {shim.Request{Argv: []string{"echo"}, Dir: "tmp"}, []*os.File{out, out, out}, 126, "working folder"},
		"no descriptors":        {shim.Request{Argv: []string{"echo"}, Dir: "/"}, nil, 126, "descriptors 0, 1 and 2"},
		"four descriptors":      {shim.Request{Argv: []string{"echo"}, Dir: "/"}, []*os.File{out, out, out, out}, 126, "descriptors 0, 1 and 2"},
		"a folder to write to":  {shim.Request{Argv: []string{"echo"}, Dir: "/"}, []*os.File{out, folder, out}, 126, "descriptor 1"},
		"not open for writing":  {shim.Request{Argv: []string{"echo"}, Dir: "/"}, []*os.File{out, out, null}, 126, "descriptor 2"},
		"the place of a file":   {shim.Request{Argv: []string{"echo"}, Dir: "/"}, []*os.File{out, only, out}, 126, "descriptor 1"},
		"a device":              {shim.Request{Argv: []string{"echo"}, Dir: "/"}, []*os.File{out, tty, out}, 126, "it is a device"},
		"a name that is a path": {shim.Request{Argv: []string{"../.."}, Dir: "/"}, []*os.File{out, out, out}, 126, "not granted"},
	} {
		reply := s.callWith(c.r, c.files...)
		if reply.Exit != c.exit || !strings.Contains(reply.Message, c.says) || strings.Contains(reply.Message, "\n") {
			t.Errorf("%s: %v; want %d with %q on one line", name, reply, c.exit, c.says)
		}
	}
	if text := content(out); text != "" {
		t.Errorf("%q was printed", text)
	}
	for _, e := range s.audit() {
		if e.Decision != guard.Denied {
			t.Errorf("the audit says %v", e)
		}
	}
}

func TestServeTakesGarbage(t *testing.T) {
	s := newSession(t)
	out := s.file("")
	rights := unix.UnixRights(int(out.Fd()), int(out.Fd()), int(out.Fd()))
	for _, text := range []string{"\xff\xff\xff\xff", "\x00\x00\x00\x00", "\x00\x00\x00\x03a\x00b", "\x00\x00\x00\x02a\x00", strings.Repeat("\x00", 1<<16), "GET / HTTP/1.1\r\n\r\n"} {
		caller, served := s.connect(t.Context())
		caller.WriteMsgUnix([]byte(text), rights, nil)
		caller.CloseWrite()
		reply, err := shim.ReadReply(caller)
		if err != nil || reply.Exit != shim.ExitRefused || reply.Message == "" {
			t.Errorf("%.20q: %v, %v", text, reply, err)
		}
		caller.Close()
		<-served
	}
}

// audit returns the session's audit log.
func (s *session) audit() []guard.Entry {
	entries, err := s.Audit.Read()
	if err != nil {
		s.t.Error(err)
	}
	return entries
}

func TestServeWritesDownEachCall(t *testing.T) {
	s := newSession(t)
	s.call("", "sh", "-c", "exit 3")
	entries := s.audit()
	if len(entries) != 1 {
		t.Fatalf("%d entries, want 1", len(entries))
	}
	e := entries[0]
	if e.Command != "sh -c 'exit 3'" || e.Decision != guard.Allowed || e.Exit == nil || *e.Exit != 3 || e.Rule != "test" || e.Tier != 2 ||
		e.Began.IsZero() || e.Time.Before(e.Began) || !slices.Equal(e.Actions, []guard.Action{guard.Observe}) {
		t.Errorf("the entry is %+v", e)
	}
}

func TestServeRunsClaudeopsItself(t *testing.T) {
	s := newSession(t)
	s.Own = func(_ context.Context, dir string, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
		text, _ := io.ReadAll(stdin)
		fmt.Fprintf(stdout, "%q in %s with %s", args, dir, text)
		fmt.Fprint(stderr, "sesame")
		return 1
	}
	out, errs, reply := s.call("[]", "claudeops", "report")
	if out != `["report"] in / with []` || errs != "[hidden]" || reply != (shim.Reply{Exit: 1}) {
		t.Errorf("%q, %q, %v", out, errs, reply)
	}
}

// A program whose reader is gone gets a SIGPIPE, as in a pipeline.
func TestServeKeepsSIGPIPE(t *testing.T) {
	s := newSession(t)
	r, w := s.pipe()
	caller, served := s.connect(t.Context())
	ask(t, caller, shim.Request{Argv: []string{"yes"}, Dir: "/"}, r, w, s.file(""))
	w.Close()
	line := make([]byte, 2)
	if _, err := io.ReadFull(r, line); err != nil || string(line) != "y\n" {
		t.Errorf("%q, %v", line, err)
	}
	r.Close()
	if reply, err := shim.ReadReply(caller); err != nil || reply != (shim.Reply{Exit: 128 + int(unix.SIGPIPE)}) {
		t.Errorf("%v, %v", reply, err)
	}
	<-served
}

// A program that follows a log ends at the first line that is not read, not at the one after.
func TestServeEndsAnObservationThatNobodyReads(t *testing.T) {
	s := newSession(t)
	r, w := s.pipe()
	next, lines := s.pipe()
	s.Judge = granted
	s.Run = func(ctx context.Context, p broker.Program) (int, error) {
		p.Stdin = next
		return bare(ctx, p)
	}
	caller, served := s.connect(t.Context())
	ask(t, caller, shim.Request{Argv: []string{"cat"}, Dir: "/"}, r, w, s.file(""))
	w.Close()
	lines.WriteString("first\n")
	text := make([]byte, 6)
	io.ReadFull(r, text)
	r.Close()
	lines.WriteString("second\n")
	if reply, err := shim.ReadReply(caller); err != nil || reply.Exit != 128+int(unix.SIGPIPE) {
		t.Errorf("%v, %v", reply, err)
	}
	<-served
}

func TestServeSaysWhatCannotBePrinted(t *testing.T) {
	s := newSession(t)
	s.MaxFile = 1 << 20
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	s.must(err)
	defer full.Close()
	for says, out := range map[string]*os.File{"no space left": full, "file too large": s.file("")} {
		reply := s.callWith(shim.Request{Argv: []string{"yes"}, Dir: "/"}, out, out, s.file(""))
		if !strings.Contains(reply.Message, says) {
			t.Errorf("%v, want %q", reply, says)
		}
		if is, err := out.Stat(); err != nil || is.Size() > s.MaxFile {
			t.Errorf("a file of %d bytes, want at most %d", is.Size(), s.MaxFile)
		}
	}
}

// Output may go to a socket: a child of Node.js has one.
func TestServePrintsToASocket(t *testing.T) {
	s := newSession(t)
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	s.must(err)
	near, far := os.NewFile(uintptr(pair[0]), "near"), os.NewFile(uintptr(pair[1]), "far")
	defer near.Close()
	s.callWith(shim.Request{Argv: []string{"echo", "x"}, Dir: "/"}, far, far, far)
	far.Close()
	if text, err := io.ReadAll(near); err != nil || string(text) != "x\n" {
		t.Errorf("%q, %v", text, err)
	}
}

func TestCallForATool(t *testing.T) {
	s := newSession(t)
	b := broker.New(s.Settings)
	var out bytes.Buffer
	exit, err := b.Call(t.Context(), "toolu_1", "/", []string{"sh", "-c", "echo open sesame; echo error >&2; exit 3"}, &out)
	if exit != 3 || err != nil || out.String() != "open [hidden]\nerror\n" {
		t.Errorf("%d, %v, %q", exit, err, out.String())
	}
	out.Reset()
	exit, err = b.Call(t.Context(), "toolu_1", "nowhere", []string{"true"}, &out)
	if exit != shim.ExitRefused || err != nil || !strings.HasPrefix(out.String(), "claudeops: the working folder") {
		t.Errorf("%d, %v, %q", exit, err, out.String())
	}
	if exit, err := b.Call(t.Context(), "toolu_1", "/", []string{"yes"}, failing{}); exit != 128+int(unix.SIGPIPE) || !errors.Is(err, errFull) {
		t.Errorf("%d, %v", exit, err)
	}
}

var errFull = errors.New("it is full")

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errFull }

// A daemon that a program leaves behind does not hold its call, whose output is all there however slowly it is read.
func TestServeDoesNotWaitForADaemon(t *testing.T) {
	need.Full(t, "setsid")
	s := newSession(t)
	const daemon = "setsid --fork sleep 60"
	began := time.Now()
	for script, size := range map[string]int{daemon + "; echo up": 3, daemon + "; head -c 250000 /dev/zero": 250000} {
		out := slow{}
		exit, err := broker.New(s.Settings).Call(t.Context(), "toolu_1", "/", []string{"sh", "-c", script}, &out)
		if err != nil || exit != 0 || out.size != size {
			t.Errorf("exit status %d, %d bytes of %d, %v", exit, out.size, size, err)
		}
	}
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("it took %s", took)
	}
}

// slow takes its time for what is printed.
type slow struct{ size int }

func (w *slow) Write(p []byte) (int, error) {
	time.Sleep(time.Second * time.Duration(len(p)) / 50_000)
	w.size += len(p)
	return len(p), nil
}

func TestServeThousandCallsAtOnce(t *testing.T) {
	s := newSession(t)
	var calls sync.WaitGroup
	for i := range 1000 {
		calls.Go(func() {
			want := fmt.Sprintf("%d\n", i)
			if out, _, reply := s.call("", "echo", fmt.Sprint(i)); out != want || reply != (shim.Reply{}) {
				t.Errorf("%q, %v; want %q", out, reply, want)
			}
		})
	}
	calls.Wait()
	if n := len(s.audit()); n != 1000 {
		t.Errorf("%d calls on record, want 1000", n)
	}
}

// Callers that send nothing do not block others.
func TestServeBesideIdleCallers(t *testing.T) {
	s := newSession(t)
	var idle []*net.UnixConn
	var served []chan struct{}
	for range 300 {
		caller, done := s.connect(t.Context())
		idle, served = append(idle, caller), append(served, done)
	}
	if out, _, reply := s.call("", "echo", "x"); out != "x\n" || reply != (shim.Reply{}) {
		t.Errorf("%q, %v", out, reply)
	}
	for i, caller := range idle {
		caller.Close()
		<-served[i]
	}
}

// A caller that does not read holds a call no longer than its command lasts.
func TestServeEndsACallThatNobodyReads(t *testing.T) {
	s := newSession(t)
	r, w := s.pipe()
	ctx, cancel := context.WithCancel(t.Context())
	caller, served := s.connect(ctx)
	defer caller.Close()
	ask(t, caller, shim.Request{Argv: []string{"yes"}, Dir: "/"}, s.file(""), w, w)
	io.ReadFull(r, make([]byte, 1))
	cancel()
	<-served
}

func TestServeEndsAProgramWithItsCaller(t *testing.T) {
	s := newSession(t)
	begun, ended := make(chan struct{}), make(chan struct{})
	s.Run = func(ctx context.Context, p broker.Program) (int, error) {
		close(begun)
		defer close(ended)
		return bare(ctx, p)
	}
	caller, served := s.connect(t.Context())
	ask(t, caller, shim.Request{Argv: []string{"sleep", "1000"}, Dir: "/"}, s.file(""), s.file(""), s.file(""))
	<-begun
	caller.Close()
	<-ended
	<-served
}
