package broker

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// maxRequest limits one request, in bytes: about five times a report of a thousand services.
	maxRequest = 1 << 20
	// maxUnanswered limits the requests that wait for their answers. A client that sends more is disconnected.
	maxUnanswered = 100
)

var errUnanswered = fmt.Errorf("more than %d requests at once", maxUnanswered)

// Door is the MCP server of one session. Its tools are all that the agent can use. Its exported fields except Confined are required.
type Door struct {
	Tier     int
	Confined bool // whether the kernel confines commands: bash is offered, or in its place look and read
	Handler  Handler
	Scratch  string // directory for output that is too long for an answer

	repeats repeats
	end     context.CancelCauseFunc // ends Serve
}

// Listen creates the socket at path. Other users must have no access to the directory. The path may be longer than a
// socket address.
func Listen(path string) (l *net.UnixListener, err error) {
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		return nil, fmt.Errorf("make the agent's socket: %w", err)
	}
	defer func() { err = errors.Join(err, folder.Close()) }()
	address := fmt.Sprintf("/proc/self/fd/%d/%s", folder.Fd(), filepath.Base(path))
	if l, err = net.ListenUnix("unix", &net.UnixAddr{Name: address, Net: "unix"}); err != nil {
		return nil, fmt.Errorf("make the agent's socket %s: %w", path, err)
	}
	l.SetUnlinkOnClose(false) // the directory is removed with the session
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errors.Join(fmt.Errorf("make the agent's socket: %w", err), l.Close())
	}
	return l, nil
}

// Serve answers the agent program until ctx ends, which is not an error, and closes l. It serves one connection at a time: the next one ends
// the last. When a connection ends, its calls are cancelled. Serve waits for them before it returns or serves the next connection. An agent
// that repeats itself ends it with a RepeatError.
func (d *Door) Serve(ctx context.Context, l *net.UnixListener) error {
	ctx, cancel := context.WithCancelCause(ctx)
	ctx = Living(ctx)
	d.repeats, d.end = repeats{}, cancel
	last, ended := func() {}, make(chan struct{}) // the end of the last connection, and whether its calls have ended
	close(ended)
	defer func() {
		cancel(nil)
		<-ended
	}()
	closed := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() { closed <- l.Close() })
	for {
		conn, err := l.AcceptUnix()
		var repeated RepeatError
		switch {
		case errors.Is(err, net.ErrClosed) && !stop():
			if err = <-closed; err == nil && errors.As(context.Cause(ctx), &repeated) {
				return repeated
			}
			return err
		case err != nil:
			return errors.Join(fmt.Errorf("accept a connection: %w", err), l.Close())
		}
		last()
		<-ended
		last, ended = func() { _ = conn.Close() }, make(chan struct{})
		go func(ended chan<- struct{}) {
			defer close(ended)
			d.serve(ctx, conn)
		}(ended)
	}
}

// serve answers one connection until either side ends it and all its calls have returned.
func (d *Door) serve(ctx context.Context, conn net.Conn) {
	ctx, gone := context.WithCancel(ctx)
	defer gone()
	// Closing the connection cancels its calls, so the end of ctx closes it.
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	session, err := d.server(ctx).Connect(ctx, transport{conn, gone}, nil)
	if err != nil {
		return
	}
	// Ignore the reason: the client hung up, or sent an invalid request.
	_ = session.Wait()
}

// transport exchanges lines of JSON of limited length over a connection. It calls gone when reading fails.
type transport struct {
	conn net.Conn
	gone func()
}

func (t transport) Connect(ctx context.Context) (mcp.Connection, error) {
	lines, err := (&mcp.IOTransport{Reader: t.conn, Writer: t.conn, MaxLineLength: maxRequest}).Connect(ctx)
	return &bounded{Connection: lines, gone: t.gone}, err
}

// bounded ends a connection on which too many requests wait for an answer.
type bounded struct {
	mcp.Connection
	gone       func()
	unanswered atomic.Int64
}

func (b *bounded) Read(ctx context.Context) (jsonrpc.Message, error) {
	message, err := b.Connection.Read(ctx)
	if request, ok := message.(*jsonrpc.Request); ok && err == nil && request.IsCall() && b.unanswered.Add(1) > maxUnanswered {
		err = errUnanswered
	}
	if err != nil {
		b.gone()
		return nil, err
	}
	return message, nil
}

func (b *bounded) Write(ctx context.Context, message jsonrpc.Message) error {
	if _, ok := message.(*jsonrpc.Response); ok {
		defer b.unanswered.Add(-1)
	}
	return b.Connection.Write(ctx, message)
}
