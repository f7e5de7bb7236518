package probe

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"syscall"

	"github.com/claudeops/claudeops/internal/text"
)

// maxAnswered is how much a database may send in one attempt, its handshake included.
const maxAnswered = 4 << 20

var (
	errFlooded = errors.New("too much was sent")
	errCut     = errors.New("the attempt has ended")
)

// wire is the network side of one attempt at a database: its connections are those that the driver makes by it, they end with the
// attempt whatever the driver does, and no more than maxAnswered comes in. It remembers what the driver's own error may leave out.
type wire struct {
	mu        sync.Mutex
	conns     []net.Conn
	left      int
	connected bool
	flooded   bool
	loggedIn  bool
	cut       bool
	failed    error // of the dialling, or of the reading that was the last one
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

// close ends the connections, for good.
func (w *wire) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cut = true
	for _, conn := range w.conns {
		_ = conn.Close()
	}
	w.conns = nil
}

// flood says that more came in, or is about to, than an answer has.
func (w *wire) flood() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.flooded = true
	return errFlooded
}

// login says that the server has taken the login.
func (w *wire) login() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.loggedIn = true
}

// read counts what has come in.
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

// Write passes over that the other side has closed the connection: what it said before that is still to be read, and says why.
func (c *wireConn) Write(b []byte) (int, error) {
	n, err := c.Conn.Write(b)
	if errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ECONNRESET) {
		return len(b), nil
	}
	return n, err
}

// fault says for a person why an attempt failed where the server did not say so itself; "" where its connection was in order.
func (w *wire) fault(ctx context.Context, err error, d *database) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	ended := ctx.Err() != nil || errors.Is(w.failed, os.ErrDeadlineExceeded) // which drivers set for the context, and may come first
	switch {
	case w.flooded:
		return fmt.Sprintf("%s sent more than %s, or was about to, which is no answer", d.place, text.Size(maxAnswered))
	case ended && !w.connected:
		return lateFault("no connection to "+d.place, d.timeout)
	case ended && !w.loggedIn:
		return lateFault("connected to "+d.place+", but no answer", d.timeout)
	case ended:
		return lateFault("logged in to "+d.place+", but no answer", d.timeout)
	case !w.connected && errors.Is(w.failed, syscall.ENOENT):
		return "there is no socket " + d.place
	case !w.connected && w.failed != nil:
		return networkFault(w.failed, d.place)
	}
	if text := tlsFault(err, d.host, d.now()); text != "" {
		return text
	}
	if w.failed != nil {
		return networkFault(w.failed, d.place)
	}
	return ""
}

// innermost is what an error is about, without what was put around it.
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
