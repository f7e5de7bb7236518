package broker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"

	"github.com/claudeops/claudeops/sandbox/shim"
)

const (
	// requestTime limits how long a caller may take to send its request.
	requestTime = 10 * time.Second
	// gracePeriod limits how long a caller that is gone, or does not read, may delay the end of a call.
	gracePeriod = time.Second
)

// Serve answers one call that arrives on conn, and closes conn. toolUse is the agent program's id of the command that made the call. If
// the caller disconnects, or ctx ends, the program is ended.
func (b *Broker) Serve(ctx context.Context, conn *net.UnixConn, toolUse string) {
	defer func() { _ = conn.Close() }()
	_ = conn.SetReadDeadline(time.Now().Add(requestTime))
	r, err := shim.ReadRequest(conn)
	if errors.Is(err, io.EOF) {
		return // the caller is gone
	}
	defer context.AfterFunc(ctx, func() { _ = conn.SetWriteDeadline(time.Now().Add(gracePeriod)) })()
	caller := &caller{conn: conn}
	stdout, stderr := &stream{caller, shim.FrameStdout}, &stream{caller, shim.FrameStderr}
	if r.Both {
		stderr = stdout
	}
	reply := shim.Reply{Exit: shim.ExitRefused}
	if err == nil {
		called, stop := whileConnected(ctx, conn)
		reply, err = b.perform(called, toolUse, r, stdout, stderr)
		stop()
	}
	_ = conn.SetWriteDeadline(time.Now().Add(gracePeriod))
	if err != nil {
		_, _ = fmt.Fprintln(stderr, ownMessage(err.Error()))
	}
	_ = shim.WriteReply(conn, reply) // the caller may be gone
}

// caller is a program in the sandbox.
type caller struct {
	mu   sync.Mutex
	conn *net.UnixConn
}

// stream is one of its outputs.
type stream struct {
	*caller
	kind byte
}

func (s *stream) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := shim.WriteFrame(s.conn, s.kind, p); err != nil {
		return 0, err
	}
	return len(p), nil
}

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
