package broker_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
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
		Now:     time.Now,
		Mask:    func(w io.Writer) io.WriteCloser { return hiding{w} },
		Find: func(name string) (string, bool) {
			path, err := exec.LookPath(name)
			return path, err == nil
		},
		Run: bare, ActEnviron: os.Environ(),
	}
	s.Do = func(ctx context.Context, id string, v guard.Verb, _ string, out, faults io.Writer) (int, error) {
		return s.broker.Act(ctx, id, order("echo", string(v.Action), v.Name, "sesame"), nil, out, faults)
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
	cmd.Dir, cmd.Stdout, cmd.Stderr = p.Dir, p.Stdout, p.Stderr
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

// records permits up to limit acts; none with a refusal.
type records struct {
	refusal  error
	mu       sync.Mutex
	limit    int
	reserved []string
	outcomes map[string]string // by call; "" means success
}

func (r *records) Reserve(_ context.Context, id, _ string, o guard.Order) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.refusal != nil {
		return r.refusal
	}
	if len(r.reserved) >= r.limit {
		return &guard.RefusalError{Rule: guard.RuleHeld, Reason: fmt.Sprintf("a restart of %s is refused", o.Service)}
	}
	r.reserved = append(r.reserved, id)
	return nil
}

func (r *records) Complete(_ context.Context, id, fault string, _ time.Duration) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.outcomes == nil {
		r.outcomes = map[string]string{}
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

// ask sends a request.
func ask(t testing.TB, caller *net.UnixConn, r shim.Request) {
	text, err := r.Encode()
	if err != nil {
		t.Error(err)
		return
	}
	if _, err := caller.Write(text); err != nil {
		t.Error(err)
	}
}

// call runs a program, and returns its two outputs and exit status.
func (s *session) call(argv ...string) (stdout, stderr string, exit int) {
	s.t.Helper()
	return s.callWith(shim.Request{Argv: argv, Dir: "/"})
}

func (s *session) callWith(r shim.Request) (stdout, stderr string, exit int) {
	s.t.Helper()
	caller, served := s.connect(s.t.Context())
	defer caller.Close()
	ask(s.t, caller, r)
	stdout, stderr, exit = s.answer(caller)
	<-served
	return stdout, stderr, exit
}

// answer reads the answer to a request.
func (s *session) answer(caller *net.UnixConn) (stdout, stderr string, exit int) {
	s.t.Helper()
	var out, errs strings.Builder
	reply, err := shim.ReadReply(caller, &out, &errs)
	if err != nil {
		s.t.Errorf("no reply: %v", err)
	}
	return out.String(), errs.String(), reply.Exit
}

func (s *session) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
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
		out, err, exit := s.callWith(shim.Request{Argv: c.argv, Dir: "/", Input: []byte("unread input")})
		if out != c.out || err != c.err || exit != c.status {
			t.Errorf("%q: %q, %q, %d; want %q, %q, %d", c.argv, out, err, exit, c.out, c.err, c.status)
		}
	}
}

func TestServeRunsNothingOnceItsRecordIsFull(t *testing.T) {
	s := newSession(t)
	s.must(os.WriteFile(s.Audit.Path, []byte("{}\n"), 0o600))
	s.must(os.Truncate(s.Audit.Path, 32<<20+1))
	if out, errs, exit := s.call("echo", "hidden"); out != "" || exit != shim.ExitRefused || !strings.Contains(errs, "is full") {
		t.Errorf("printed %q and %q, exit status %d; want a refusal", out, errs, exit)
	}
	cell := broker.Cell{Broker: broker.New(s.Settings)}
	if _, err := cell.Run(t.Context(), "1", "true", io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), "is full") {
		t.Errorf("a command: %v; want a refusal", err)
	}
	if _, err := s.Audit.Read(); err != nil {
		t.Errorf("what is full can no longer be read: %v", err)
	}
}

func TestServeKeepsTheOrderOfOneOutput(t *testing.T) {
	s := newSession(t)
	script := "for i in 1 2 3 4 5 6 7 8 9; do echo o$i; echo e$i >&2; done"
	got, _, _ := s.callWith(shim.Request{Argv: []string{"sh", "-c", script}, Dir: "/", Both: true})
	want := ""
	for i := 1; i < 10; i++ {
		want += fmt.Sprintf("o%d\ne%d\n", i, i)
	}
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestServeRefusesWithTheReason(t *testing.T) {
	s := newSession(t)
	s.Judge = func(argv []string, dir string) guard.Verdict {
		switch argv[0] {
		case "echo", "missing-program":
			return granted(argv, dir)
		case "panic":
			panic("at the judge's")
		}
		return guard.Verdict{Reason: "not granted: no", Rule: "r"}
	}
	for name, c := range map[string]struct {
		r    shim.Request
		exit int
		says string
	}{
		"not granted":           {shim.Request{Argv: []string{"rm", "-r"}, Dir: "/"}, 126, "claudeops: not granted: no\n"},
		"a judge that fails":    {shim.Request{Argv: []string{"panic"}, Dir: "/"}, 126, "at the judge's"},
		"not installed":         {shim.Request{Argv: []string{"missing-program"}, Dir: "/"}, 127, "not installed"},
		"no such folder":        {shim.Request{Argv: []string{"echo"}, Dir: "/nowhere"}, 126, "working folder"},
		"a folder by halves":    {shim.Request{Argv: []string{"echo"}, Dir: "tmp"}, 126, "working folder"},
		"a name that is a path": {shim.Request{Argv: []string{"../.."}, Dir: "/"}, 126, "not granted"},
	} {
		if out, errs, exit := s.callWith(c.r); exit != c.exit || !strings.Contains(errs, c.says) || out != "" {
			t.Errorf("%s: %d, %q, %q; want %d with %q", name, exit, out, errs, c.exit, c.says)
		}
	}
	for _, e := range s.audit() {
		if e.Decision != guard.Denied {
			t.Errorf("the audit says %v", e)
		}
	}
}

func TestServeTakesGarbage(t *testing.T) {
	s := newSession(t)
	for _, text := range []string{"\xff\xff\xff\xff", "\x00\x00\x00\x03a\x00b", strings.Repeat("\x00", 1<<16), "GET / HTTP/1.1\r\n\r\n", "{}", "[1]"} {
		caller, served := s.connect(t.Context())
		caller.Write([]byte(text))
		caller.CloseWrite()
		if _, errs, exit := s.answer(caller); exit != shim.ExitRefused || errs == "" {
			t.Errorf("%.20q: %d, %q", text, exit, errs)
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
	s.call("sh", "-c", "exit 3")
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
	s.Own = func(_ context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
		text, _ := io.ReadAll(stdin)
		fmt.Fprintf(stdout, "%q with %s", args, text)
		fmt.Fprint(stderr, "sesame")
		return 1
	}
	out, errs, exit := s.callWith(shim.Request{Argv: []string{"claudeops", "report"}, Dir: "/", Input: []byte("[]")})
	if out != `["report"] with []` || errs != "[hidden]" || exit != 1 {
		t.Errorf("%q, %q, %d", out, errs, exit)
	}
}

func TestCallForATool(t *testing.T) {
	s := newSession(t)
	b := broker.New(s.Settings)
	var out bytes.Buffer
	exit, err := b.Call(t.Context(), "toolu_1", "/", []string{"sh", "-c", "echo open sesame; echo error >&2; exit 3"}, nil, &out)
	if exit != 3 || err != nil || out.String() != "open [hidden]\nerror\n" {
		t.Errorf("%d, %v, %q", exit, err, out.String())
	}
	out.Reset()
	exit, err = b.Call(t.Context(), "toolu_1", "nowhere", []string{"true"}, nil, &out)
	if exit != shim.ExitRefused || err == nil || !strings.HasPrefix(err.Error(), "the working folder") {
		t.Errorf("%d, %v, %q", exit, err, out.String())
	}
}

func TestServeThousandCallsAtOnce(t *testing.T) {
	s := newSession(t)
	var calls sync.WaitGroup
	for i := range 1000 {
		calls.Go(func() {
			want := fmt.Sprintf("%d\n", i)
			if out, _, exit := s.call("echo", fmt.Sprint(i)); out != want || exit != 0 {
				t.Errorf("%q, %d; want %q", out, exit, want)
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
	if out, _, exit := s.call("echo", "x"); out != "x\n" || exit != 0 {
		t.Errorf("%q, %d", out, exit)
	}
	for i, caller := range idle {
		caller.Close()
		<-served[i]
	}
}

// A caller that does not read holds a call no longer than its command lasts.
func TestServeEndsACallThatNobodyReads(t *testing.T) {
	s := newSession(t)
	ctx, cancel := context.WithCancel(t.Context())
	caller, served := s.connect(ctx)
	defer caller.Close()
	ask(t, caller, shim.Request{Argv: []string{"yes"}, Dir: "/"})
	io.ReadFull(caller, make([]byte, 1))
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
	ask(t, caller, shim.Request{Argv: []string{"sleep", "1000"}, Dir: "/"})
	<-begun
	caller.Close()
	<-ended
	<-served
}
