package web

import (
	"container/list"
	"context"
	"net"
	"net/http"
	"sync"
)

// connections keeps clients that have not sent a request from locking others out. When the limit of open connections is reached, the one
// whose request is overdue longest is closed: it is half-open or idle. A connection whose request is being answered is never closed.
type connections struct {
	most int

	mu      sync.Mutex
	open    map[net.Conn]*list.Element // elements of waiting; nil while a request is answered
	waiting list.List                  // of net.Conn, the longest wait first
}

func newConnections(most int) *connections {
	return &connections{most: most, open: map[net.Conn]*list.Element{}}
}

// stateChanged is the server's ConnState. A request that has begun (http.StateActive) still counts as waiting, because its rest may never
// come.
func (c *connections) stateChanged(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch state {
	case http.StateNew: // the new connection is the last to be closed
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

// closeLongest closes the connection that has waited longest. Its place is free at once.
func (c *connections) closeLongest() {
	if first := c.waiting.Front(); first != nil {
		conn := first.Value.(net.Conn) //nolint:forcetypeassert // nothing else is put there
		c.answers(conn)
		_ = conn.Close() // no answer is due on it
	}
}

// answers marks a connection as no longer waiting.
func (c *connections) answers(conn net.Conn) {
	if waits := c.open[conn]; waits != nil {
		c.waiting.Remove(waits)
		c.open[conn] = nil
	}
}

// connectionKey is the context key of a request's connection.
type connectionKey struct{}

func withConnection(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, connectionKey{}, conn)
}

// answered wraps next, which runs after limitBody has read the form: the whole request has arrived, so the connection is no longer
// waiting.
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
