package probe

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"syscall"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/internal/text"
)

// maxAnswered limits what a database may send in one attempt, including its handshake, in bytes.
const maxAnswered = 4 << 20

var (
	errFlooded = errors.New("too much was sent")
	errCut     = errors.New("the attempt has ended")
)

// wire is the network side of an attempt at a database. The driver makes its connections through it. They end with the attempt, whatever
// the driver does, and receive at most maxAnswered bytes. wire also records what the driver's errors may omit.
type wire struct {
	mu        sync.Mutex
	conns     []net.Conn
	left      int
	connected bool
	flooded   bool
	loggedIn  bool
	cut       bool
	failed    error // the error of dialling, or of the last read
}

// dial connects, unless the attempt has ended.
func (w *wire) dial(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil {
		w.failed = err
		return nil, err
	}
	if w.cut {
		_ = conn.Close()
		return nil, errCut
	}
	w.connected, w.failed = true, nil
	w.conns = append(w.conns, conn)
	return &wireConn{Conn: conn, wire: w}, nil
}

// close closes all connections, and prevents new ones.
func (w *wire) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cut = true
	for _, conn := range w.conns {
		_ = conn.Close()
	}
	w.conns = nil
}

// login records that the server has accepted the login.
func (w *wire) login() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.loggedIn = true
}

// read counts received bytes.
func (w *wire) read(n int, err error) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.left -= n; w.left < 0 {
		w.flooded = true
		return errFlooded
	}
	if err != nil && !w.cut && !errors.Is(err, net.ErrClosed) {
		w.failed = err
	}
	return err
}

// wireConn is a connection of a wire.
type wireConn struct {
	net.Conn
	wire *wire
}

func (c *wireConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if err := c.wire.read(n, err); errors.Is(err, errFlooded) {
		return 0, err
	}
	return n, err
}

// Write ignores that the peer has closed the connection: what the peer sent before must still be read, and says why.
func (c *wireConn) Write(b []byte) (int, error) {
	n, err := c.Conn.Write(b)
	if errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ECONNRESET) {
		return len(b), nil
	}
	return n, err
}

// fault returns the result for an attempt that failed, if the server did not say why; the zero one if its connection worked.
func (w *wire) fault(ctx context.Context, err error, d *database) check.Result {
	w.mu.Lock()
	defer w.mu.Unlock()
	ended := ctx.Err() != nil || errors.Is(w.failed, os.ErrDeadlineExceeded) // drivers set it for the context, and it may come first
	switch {
	case w.flooded:
		return down(fmt.Sprintf("%s sent more than %s, which is no answer", d.place, text.Size(maxAnswered)))
	case ended && !w.connected:
		return failed(w.failed, lateFault("no connection to "+d.place, d.connecting))
	case ended && !w.loggedIn:
		return down(lateFault("connected to "+d.place+", but no answer", d.connecting))
	case ended:
		return down(lateFault("logged in to "+d.place+", but no answer", d.timeout))
	case !w.connected && errors.Is(w.failed, syscall.ENOENT):
		return down("there is no socket " + d.place)
	case !w.connected && w.failed != nil:
		return failed(w.failed, networkFault(w.failed, d.place))
	}
	if text := tlsFault(err, d.host, d.now()); text != "" {
		return failed(err, text)
	}
	if w.failed != nil {
		return failed(w.failed, networkFault(w.failed, d.place))
	}
	return check.Result{}
}

// innermost returns the cause of an error, without its wrappers.
func innermost(err error) error {
	for {
		switch outer := err.(type) { //nolint:errorlint // each layer is looked at
		case interface{ Unwrap() error }:
			if inner := outer.Unwrap(); inner != nil {
				err = inner
				continue
			}
		case interface{ Unwrap() []error }:
			if all := outer.Unwrap(); len(all) > 0 {
				err = all[len(all)-1]
				continue
			}
		}
		return err
	}
}
