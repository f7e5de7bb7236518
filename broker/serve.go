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
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/query"
	"github.com/claudeops/claudeops/sandbox/shim"
)

const (
	// maxRunning limits the programs of a session that run at once; others wait.
	maxRunning = 32
	// requestTime limits how long a caller may take to send its request.
	requestTime = 10 * time.Second
	// gracePeriod limits how long a caller that is gone, or does not read, may delay the end of a call.
	gracePeriod = time.Second
)

// Settings configure a Broker. All fields except MaxFile and OnCall are required.
type Settings struct {
	Tier    int
	Judge   func(argv []string, dir string) guard.Verdict
	Records Reservations
	Audit   guard.Audit
	OnCall  func(guard.Entry) // gets each call when it begins, without a Decision, and again with its outcome; nil for none
	Log     *slog.Logger
	Now     func() time.Time
	// Mask redacts secrets from what is written through it. It is closed at the end, and buffers no more than it must.
	Mask func(io.Writer) io.WriteCloser
	// Find returns the path of a program by its plain name, searching the PATH of Environ as child.Find does.
	Find func(name string) (path string, found bool)
	// Run runs a granted program until it and its descendants have ended, or ctx has ended them.
	Run func(ctx context.Context, p Program) (exit int, err error)
	// Own runs claudeops itself in this process, as if called in dir, and returns its exit status.
	Own func(ctx context.Context, dir string, args []string, stdin io.Reader, stdout, stderr io.Writer) int
	// Do does a verb that was called in a folder. What is said goes to out, and a refusal to faults, masked.
	Do func(ctx context.Context, toolUse string, v guard.Verb, dir string, out, faults io.Writer) (exit int, err error)
	// Ask returns why an order does not run now; nil if it may. With RuleApproval it waits for a person. program is the file that would run.
	Ask func(ctx context.Context, id, program string, o Order) *RefusalError
	// Inventory is the services file's; Environ has the engine, Asker asks databases. MayGet returns why no agent may ask for a URL, nil if it
	// may, and Open a file that it may read.
	Inventory *inventory.Inventory
	Environ   []string
	Asker     *query.Asker
	MayGet    func(url string) error
	Open      func(ctx context.Context, path string) (*os.File, error)
	// ActEnviron is the whole environment of acts, which run as the operator would run them: neither confined nor in a changed folder.
	ActEnviron []string
	// MaxFile limits the size, in bytes, of a file that receives a program's output; 0 means no limit.
	MaxFile int64
}

// RefusalError refuses remediations. For a limit, Reason says which one, what was attempted, how often, and when it is free again.
type RefusalError struct{ Rule, Reason string }

func (e *RefusalError) Error() string { return e.Reason }

// Broker runs programs outside the sandbox of one session: those that look, each judged by its exact argument list, and acts, each an order
// that is counted before it runs. What they print is masked, and every call is audited.
type Broker struct {
	Settings
	ids     atomic.Int64 // the number of calls so far
	running chan struct{}
}

// New returns the Broker of one session.
func New(s Settings) *Broker {
	if s.OnCall == nil {
		s.OnCall = func(guard.Entry) {}
	}
	return &Broker{Settings: s, running: make(chan struct{}, maxRunning)}
}

// Serve answers one call that arrives on conn, and closes conn. toolUse is the agent program's id of the command that made the call. If
// the caller disconnects, or ctx ends, the program is ended.
func (b *Broker) Serve(ctx context.Context, conn *net.UnixConn, toolUse string) {
	defer func() { _ = conn.Close() }()
	reply, err := b.answer(ctx, conn, toolUse)
	if err != nil {
		return // the caller is gone
	}
	frame, err := reply.Frame()
	if err != nil { // the message holds a NUL, or is too long
		frame, _ = shim.Reply{Exit: reply.Exit}.Frame()
	}
	_ = conn.SetWriteDeadline(time.Now().Add(gracePeriod))
	_, _ = conn.Write(frame) // the caller may be gone
}

// Call runs a program for a tool of the agent, in dir and without input. Output, or the reason of a refusal, goes to out; the error is
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

// answer returns the reply to the call on conn; an error if the caller disconnected before it sent a request.
func (b *Broker) answer(ctx context.Context, conn *net.UnixConn, toolUse string) (shim.Reply, error) {
	if err := conn.SetReadDeadline(time.Now().Add(requestTime)); err != nil {
		return shim.Reply{}, err
	}
	r, err := receive(conn)
	if errors.Is(err, io.EOF) {
		return shim.Reply{}, err
	}
	if err != nil {
		return refusedReply("the call cannot be read: %v", err), nil
	}
	defer r.close()
	ctx, stop := whileConnected(ctx, conn)
	defer stop()
	return b.perform(ctx, toolUse, r), nil
}

func refusedReply(format string, args ...any) shim.Reply {
	return shim.Reply{Exit: shim.ExitRefused, Message: ownMessage(fmt.Sprintf(format, args...))}
}

// ownMessage formats a message of claudeops among the output of programs: one line that names its author.
func ownMessage(text string) string { return "claudeops: " + strings.Join(strings.Fields(text), " ") }

var errHungUp = errors.New("the caller has gone")

// whileConnected returns a context that also ends when the caller disconnects. The caller must call stop.
func whileConnected(ctx context.Context, conn *net.UnixConn) (_ context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	_ = conn.SetReadDeadline(time.Time{})
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		_, _ = conn.Read(make([]byte, 1)) // the caller sends nothing more
		cancel(errHungUp)
	}()
	return ctx, func() {
		_ = conn.SetReadDeadline(time.Now())
		<-gone
	}
}
