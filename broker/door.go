package broker

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/config"
)

const (
	// maxRequest bounds one request, in bytes: a report of a thousand services has a fifth of it.
	maxRequest = 1 << 20
	// maxUnanswered is how many requests may wait for their answers. A client that sends more ends its connection.
	maxUnanswered = 100
)

var errUnanswered = fmt.Errorf("more than %d requests at once", maxUnanswered)

// Door is the MCP server of one session: all that its agent can do. Its exported fields are required.
type Door struct {
	Tier    int
	Sandbox config.Sandbox // what the Handler can do: with Kernel a shell, with Plain programs and files
	Handler Handler
	Scratch string // folder that keeps output which is too long for an answer

	kept int64 // bytes of such output; one call is served at a time
}

// Listen makes the socket at path, replacing one that a killed cycle left. Other users must have no access to the folder; the path may be
// longer than the address of a socket.
func Listen(path string) (l *net.UnixListener, err error) {
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		return nil, fmt.Errorf("make the agent's socket: %w", err)
	}
	defer func() { err = errors.Join(err, folder.Close()) }()
	if left, err := os.Lstat(path); err == nil && left.Mode().Type() == fs.ModeSocket {
		if err := os.Remove(path); err != nil {
			return nil, fmt.Errorf("replace the socket of a killed cycle: %w", err)
		}
	}
	address := fmt.Sprintf("/proc/self/fd/%d/%s", folder.Fd(), filepath.Base(path))
	if l, err = net.ListenUnix("unix", &net.UnixAddr{Name: address, Net: "unix"}); err != nil {
		return nil, fmt.Errorf("make the agent's socket %s: %w", path, err)
	}
	l.SetUnlinkOnClose(false) // the folder goes with the session
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errors.Join(fmt.Errorf("make the agent's socket: %w", err), l.Close())
	}
	return l, nil
}

// Serve answers the agent program until ctx ends, which is no error, and closes l. There is one connection at a time: another is closed
// at once, unless the other side of the first is gone. When a connection ends its calls are cancelled, and Serve returns, or takes the
// next connection, once they have returned.
func (d *Door) Serve(ctx context.Context, l *net.UnixListener) error {
	ctx, cancel := context.WithCancel(ctx)
	var conn *net.UnixConn
	ended := make(chan struct{}) // of conn
	close(ended)
	defer func() {
		cancel()
		<-ended
	}()
	return eachConnection(ctx, l, func(next *net.UnixConn) {
		select {
		case <-ended:
		default:
			if !hungUp(conn) {
				_ = next.Close() // nothing was said on it
				return
			}
			<-ended
		}
		conn, ended = next, make(chan struct{})
		go func(conn net.Conn, ended chan<- struct{}) {
			defer close(ended)
			d.serve(ctx, conn)
		}(conn, ended)
	})
}

// eachConnection calls take with each connection that arrives at l until ctx ends, which is no error, and closes l.
func eachConnection(ctx context.Context, l *net.UnixListener, take func(*net.UnixConn)) error {
	closed := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() { closed <- l.Close() })
	for {
		conn, err := l.AcceptUnix()
		switch {
		case errors.Is(err, net.ErrClosed) && !stop():
			return <-closed
		case err != nil:
			return errors.Join(fmt.Errorf("accept a connection: %w", err), l.Close())
		}
		take(conn)
	}
}

// serve answers one connection until either side ends it and all its calls have returned.
func (d *Door) serve(ctx context.Context, conn net.Conn) {
	ctx, gone := context.WithCancel(ctx)
	defer gone()
	// The end of the connection is what cancels calls, so the end of ctx is one too.
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	session, err := d.server(ctx).Connect(ctx, transport{conn, gone}, nil)
	if err != nil {
		return
	}
	// How it ended is the client's doing: it hung up, or sent what is no request.
	_ = session.Wait()
}

// hungUp reports whether the other side of a connection is gone, read or not what it had sent.
func hungUp(conn *net.UnixConn) bool {
	raw, err := conn.SyscallConn()
	if err != nil {
		return true
	}
	gone := false
	err = raw.Control(func(fd uintptr) {
		poll := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLRDHUP}}
		n, err := unix.Poll(poll, 0)
		gone = err == nil && n > 0
	})
	return gone || err != nil
}

// transport is lines of JSON over a connection, in bounds. gone is called when nothing more can be read.
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
