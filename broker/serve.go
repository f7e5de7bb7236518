package broker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/sandbox/shim"
)

const (
	// maxRunning is how many programs of a session may run at once; the others wait.
	maxRunning = 32
	// requestTime is how long a caller may take to say what it wants.
	requestTime = 10 * time.Second
	// lastWords is how long a caller that has given up, or does not read, may keep the end of a call waiting.
	lastWords = time.Second
)

// Settings are what a Broker works with. Every field is required but MaxFile.
type Settings struct {
	Tier    int
	Judge   func(guard.Call) guard.Verdict
	Records Reservations
	Audit   guard.Audit
	Told    func(guard.Entry) // of each call, when it begins, then without a Decision, and of what became of it; nil for nobody
	Log     *slog.Logger
	Now     func() time.Time
	// Mask takes secrets out of what is written through it. It is closed at the end, and holds back no more than it must.
	Mask func(io.Writer) io.WriteCloser
	// Find is where the file of a program is, by its plain name: in the PATH of Environ, as child.Find does.
	Find func(name string) (path string, found bool)
	// Run runs a granted program until nothing of it is left, or until the end of ctx has ended it.
	Run func(ctx context.Context, p Program) (exit int, err error)
	// Own runs claudeops itself as if called in dir, in this process, and returns its exit status.
	Own func(ctx context.Context, dir string, args []string, stdin io.Reader, stdout, stderr io.Writer) int
	// MaxFile is how large, in bytes, a file may become that a command sends a program's output to; 0 is any size.
	MaxFile int64
}

// Reservations keeps the records of remediations.
type Reservations interface {
	// Reserve records all of wanted as acts in progress, before they run, or none. Where one of them is not permitted, the error is a
	// *RefusalError.
	Reserve(ctx context.Context, toolUseID string, wanted []guard.Remediation) error
	// Complete gives an outcome to what was reserved for a tool call; where nothing was, it does nothing. took is 0 where it is not known.
	Complete(ctx context.Context, toolUseID string, success bool, fault string, took time.Duration) error
}

// RefusalError refuses remediations, by which rule and why: for a limit which one, what was tried, how often and when it frees.
type RefusalError struct{ Rule, Reason string }

func (e *RefusalError) Error() string { return e.Reason }

// Broker runs the programs that reach out of the sandbox of one session, each by its exact argument list: judged, counted where it is a
// remediation, masked, and written down.
type Broker struct {
	Settings
	ids     atomic.Int64 // of calls, counted
	running chan struct{}
}

// New makes the Broker of one session.
func New(s Settings) *Broker {
	if s.Told == nil {
		s.Told = func(guard.Entry) {}
	}
	return &Broker{Settings: s, running: make(chan struct{}, maxRunning)}
}

// Serve answers one call that arrives on conn, and closes it. toolUse is the agent program's name for the command that the call belongs
// to. Where the caller goes away, or ctx ends, the program is ended.
func (b *Broker) Serve(ctx context.Context, conn *net.UnixConn, toolUse string) {
	defer func() { _ = conn.Close() }()
	reply, err := b.answer(ctx, conn, toolUse)
	if err != nil {
		return // the caller has gone
	}
	frame, err := reply.Frame()
	if err != nil { // its message holds a NUL, or is too long
		frame, _ = shim.Reply{Exit: reply.Exit}.Frame()
	}
	_ = conn.SetWriteDeadline(time.Now().Add(lastWords))
	_, _ = conn.Write(frame) // the caller may have gone
}

// ServeAll answers the calls that arrive at l until ctx ends, which is no error, closes l, and returns when all have been answered.
func (b *Broker) ServeAll(ctx context.Context, l *net.UnixListener) error {
	var calls sync.WaitGroup
	defer calls.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	return eachConnection(ctx, l, func(conn *net.UnixConn) { calls.Go(func() { b.Serve(ctx, conn, "") }) })
}

// Call runs a program for a tool of the agent, in dir, without an input. What it prints, and why it is refused, goes to out; the error is
// that of out.
func (b *Broker) Call(ctx context.Context, toolUse, dir string, argv []string, out io.Writer) (exit int, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var pipe [2]int
	if err := unix.Pipe2(pipe[:], unix.O_CLOEXEC); err != nil {
		return 0, err
	}
	printed := os.NewFile(uintptr(pipe[0]), "what a program prints")
	copied := copying(out, printed, func(error) { _ = printed.Close() })
	r := &request{shim.Request{Argv: slices.Clone(argv), Dir: dir}, [3]int{-1, pipe[1], -1}}
	reply := b.perform(ctx, toolUse, r)
	r.close()
	if err := <-copied; err != nil {
		return reply.Exit, err
	}
	if reply.Message != "" {
		_, err = fmt.Fprintln(out, reply.Message)
	}
	return reply.Exit, err
}

// answer is the reply to the call on conn; an error where the caller went away before it asked.
func (b *Broker) answer(ctx context.Context, conn *net.UnixConn, toolUse string) (shim.Reply, error) {
	if err := conn.SetReadDeadline(time.Now().Add(requestTime)); err != nil {
		return shim.Reply{}, err
	}
	r, err := receive(conn)
	if errors.Is(err, io.EOF) {
		return shim.Reply{}, err
	}
	if err != nil {
		return refused("the call cannot be read: %v", err), nil
	}
	defer r.close()
	ctx, stop := whileConnected(ctx, conn)
	defer stop()
	return b.perform(ctx, toolUse, r), nil
}

func refused(format string, args ...any) shim.Reply {
	return shim.Reply{Exit: shim.ExitRefused, Message: said(fmt.Sprintf(format, args...))}
}

// said is a message of claudeops among the output of programs: one line that names its author.
func said(text string) string { return "claudeops: " + strings.Join(strings.Fields(text), " ") }

var errHungUp = errors.New("the caller has gone")

// whileConnected is a context that also ends when the caller goes away. The caller calls stop.
func whileConnected(ctx context.Context, conn *net.UnixConn) (_ context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	_ = conn.SetReadDeadline(time.Time{})
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		_, _ = conn.Read(make([]byte, 1)) // it has nothing more to say
		cancel(errHungUp)
	}()
	return ctx, func() {
		_ = conn.SetReadDeadline(time.Now())
		<-gone
	}
}
