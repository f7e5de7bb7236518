package cli

import (
	"context"
	"log/slog"
	"net"
	"time"
)

// door is where a dashboard is served. It stays open while one that was served there is followed by another: who comes between the two waits.
type door struct {
	addr     string
	listener *net.TCPListener // nil where it is closed
}

func (d *door) open(ctx context.Context, addr string) error {
	var listening net.ListenConfig
	listener, err := listening.Listen(ctx, "tcp", addr)
	if err != nil {
		return err
	}
	d.addr, d.listener = addr, listener.(*net.TCPListener) //nolint:forcetypeassert // which is what tcp gives
	return nil
}

// close closes it, once.
func (d *door) close(log *slog.Logger) {
	if d.listener == nil {
		return
	}
	if err := d.listener.Close(); err != nil {
		log.Warn("the dashboard's address is not let go of", "reason", err.Error())
	}
	*d = door{}
}

// lend is a listener for who serves next; closing it leaves the door open. The one before must have ended.
func (d *door) lend() net.Listener {
	_ = d.listener.SetDeadline(time.Time{}) // what is wrong with it, taking a connection says
	return lent{d.listener}
}

type lent struct{ *net.TCPListener }

// Close ends who waits for a connection.
func (l lent) Close() error { return l.SetDeadline(time.Unix(1, 0)) }

// samePort reports whether two addresses have the same port.
func samePort(x, y string) bool {
	_, px, errX := net.SplitHostPort(x)
	_, py, errY := net.SplitHostPort(y)
	return errX == nil && errY == nil && px == py
}
