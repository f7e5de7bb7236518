package web

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/netutil"

	"golang.org/x/sys/unix"
)

// A client that sends half a request holds a connection until the server's patience ends. Here that takes an hour, and as many as there may be
// hold one: health answers nevertheless, they all stay but for the places that are needed, and so does who is being answered.
func TestHalfOpenConnectionsKeepNobodyOut(t *testing.T) {
	for name, sent := range map[string]string{
		"nothing":    "",
		"a header":   "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n",
		"a GET body": "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n",
		"a form":     "POST /login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 9\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			s := newTestServer(t)
			h := s.server.httpServer()
			h.ReadHeaderTimeout, h.ReadTimeout = time.Hour, time.Hour
			asked, answer := make(chan struct{}), make(chan struct{})
			h.Handler = s.server.limitBody(s.server.open.answered(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/slow" {
					close(asked)
					<-answer
				}
				writeBody(w, http.StatusOK, "text/plain", []byte("ok\n"))
			})))
			listener := must(net.Listen("tcp", "127.0.0.1:0"))(t)
			ended := make(chan error, 1)
			go func() { ended <- h.Serve(netutil.LimitListener(listener, maxConnections)) }()
			t.Cleanup(func() {
				if err := errors.Join(h.Close(), <-ended); !errors.Is(err, http.ErrServerClosed) {
					t.Error(err)
				}
			})
			at := "http://" + listener.Addr().String()

			slow := make(chan error, 1)
			go func() { slow <- getOK(t.Context(), at+"/slow") }()
			<-asked
			var half []*net.TCPConn
			for range maxConnections {
				conn := must(net.Dial("tcp", listener.Addr().String()))(t)
				defer conn.Close()
				if _, err := conn.Write([]byte(sent)); err != nil {
					t.Fatal(err)
				}
				half = append(half, conn.(*net.TCPConn))
			}
			for range 3 {
				if err := getOK(t.Context(), at+"/healthz"); err != nil {
					t.Error(err)
				}
			}
			if open := countOpen(t, half); open < maxConnections-6 {
				t.Errorf("%d of %d half-open connections are open still", open, len(half))
			}
			close(answer)
			if err := <-slow; err != nil {
				t.Errorf("who was being answered: %v", err)
			}
		})
	}
}

// getOK sends a request on a new connection.
func getOK(ctx context.Context, url string) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	r.Close = true
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", url, response.Status)
	}
	return nil
}

// countOpen counts the connections that the other side has not closed.
func countOpen(t *testing.T, all []*net.TCPConn) (open int) {
	t.Helper()
	for _, conn := range all {
		raw := must(conn.SyscallConn())(t)
		if err := raw.Control(func(fd uintptr) {
			n, _, err := unix.Recvfrom(int(fd), make([]byte, 1), unix.MSG_PEEK|unix.MSG_DONTWAIT)
			if n > 0 || errors.Is(err, unix.EAGAIN) {
				open++
			}
		}); err != nil {
			t.Fatal(err)
		}
	}
	return open
}

// namedConn is a connection that records when it is closed.
type namedConn struct {
	net.Conn
	name   string
	closed *[]string
}

func (c namedConn) Close() error {
	*c.closed = append(*c.closed, c.name)
	return nil
}

// With a limit of three: the state of each connection, (n)ew, (a)nswered, (i)dle or (c)losed.
func TestWhoseConnectionIsClosed(t *testing.T) {
	for _, row := range []struct{ name, happens, closed string }{
		{"there is room", "n1 n2", ""},
		{"the first half-open one for the last place", "n1 n2 n3", "1"},
		{"and the next for the next", "n1 n2 n3 n4", "1 2"},
		{"not who is answered", "n1 a1 n2 n3", "2"},
		{"a new one is never closed for itself", "n1 a1 n2 a2 n3", ""},
		{"idle ones wait behind those before", "n1 a1 n2 i1 n3", "2"},
		{"an idle one where all others are answered", "n1 a1 n2 a2 n3 a3 i3", "3"},
		{"idle without an answer", "n1 i1 i1 n2 n3 n4", "1 2"},
		{"gone before", "n1 n2 c1 n3", ""},
	} {
		var closed []string
		conns := map[byte]net.Conn{}
		c := newConnections(3)
		for step := range strings.FieldsSeq(row.happens) {
			if conns[step[1]] == nil {
				conns[step[1]] = &namedConn{name: step[1:], closed: &closed}
			}
			conn := conns[step[1]]
			switch step[0] {
			case 'n':
				c.stateChanged(conn, http.StateNew)
				c.stateChanged(conn, http.StateActive)
			case 'a':
				r := (&http.Request{Method: http.MethodGet}).WithContext(withConnection(t.Context(), conn))
				c.answered(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})).ServeHTTP(nil, r)
			case 'i':
				c.stateChanged(conn, http.StateIdle)
			case 'c':
				c.stateChanged(conn, http.StateClosed)
			}
			for _, name := range closed { // as the server reports those that were closed
				c.stateChanged(conns[name[0]], http.StateClosed)
			}
		}
		if want := strings.Fields(row.closed); !slices.Equal(closed, want) {
			t.Errorf("%s: %s: closed %q, not %q", row.name, row.happens, closed, want)
		}
	}
}
