package web

import (
	"container/list"
	"context"
	"net"
	"net/http"
	"sync"
)

// connections keeps clients that owe the server a request from keeping others out. Once as many connections are open as there may be, the
// one whose request has been waited for longest is closed: it is half-open, or idle. One whose request is being answered is left alone.
type connections struct {
	most int

	mu      sync.Mutex
	open    map[net.Conn]*list.Element // in waiting; nil while a request is answered
	waiting list.List                  // of net.Conn, the longest wait first
}

func newConnections(most int) *connections {
	return &connections{most: most, open: map[net.Conn]*list.Element{}}
}

// stateChanged is the server's ConnState. That a request has begun (http.StateActive) ends no wait: the rest of it may never come.
func (c *connections) stateChanged(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch state {
	case http.StateNew: // which gives up its own place last
		if len(c.open) >= c.most-1 {
			c.closeLongest()
		}
		c.open[conn] = c.waiting.PushBack(conn)
	case http.StateIdle:
		c.answers(conn)
		c.open[conn] = c.waiting.PushBack(conn)
		if len(c.open) >= c.most {
			c.closeLongest()
		}
	case http.StateClosed, http.StateHijacked:
		c.answers(conn)
		delete(c.open, conn)
	case http.StateActive:
	}
}

// closeLongest closes the connection that waits longest. Its place is free at once.
func (c *connections) closeLongest() {
	if first := c.waiting.Front(); first != nil {
		conn := first.Value.(net.Conn) //nolint:forcetypeassert // nothing else is put there
		c.answers(conn)
		_ = conn.Close() // no answer is due on it
	}
}

// answers ends a connection's wait.
func (c *connections) answers(conn net.Conn) {
	if waits := c.open[conn]; waits != nil {
		c.waiting.Remove(waits)
		c.open[conn] = nil
	}
}

// connectionKey is where the context of a request has its connection.
type connectionKey struct{}

func withConnection(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, connectionKey{}, conn)
}

// answered is next, which limitBody has read the form for: of a connection that has sent its whole request nothing is waited for.
func (c *connections) answered(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		whole := r.ContentLength == 0 || r.Method == http.MethodPost
		if conn, ok := r.Context().Value(connectionKey{}).(net.Conn); ok && whole {
			c.mu.Lock()
			c.answers(conn)
			c.mu.Unlock()
		}
		next.ServeHTTP(w, r)
	})
}
