// Package receiver receives notifications in tests: it is an HTTP server on loopback for requests to an Apprise API, for the posts of
// Apprise's json:// URLs, and for heartbeats. It validates each request strictly, and an invalid request fails the test that sent it. It
// answers like the real servers, or as a test defines: late, never, without end.
package receiver

import (
	"context"
	"errors"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/claudeops/claudeops/testkit/port"
)

// T is the part of testing.TB that is needed.
type T interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	Cleanup(func())
}

// Message is a notification that was received.
type Message struct {
	Title  string
	Body   string
	Type   string      // info, success, warning, failure
	Format string      // of an Apprise API: text, markdown or html; empty for json://, which does not send it
	Path   string      // of the request: "/notify/", "/notify/KEY", or that of the json:// URL
	Key    string      // of an Apprise API's stored configuration; empty for a stateless request
	Tag    string      // selects the URLs that are stored under Key
	URLs   []string    // of a stateless request
	Header http.Header // of the request
	Status int         // of the answer; 0 if there was none
}

// Ping is a heartbeat that was received.
type Ping struct {
	Beat   string // "start", "" or "fail"
	Run    string // the query's rid
	Text   string
	Header http.Header
	Status int // of the answer; 0 if there was none
}

// Answer is the answer to a request. The zero Answer is that of the real server.
type Answer struct {
	Status   int // 0 is 200 if any other field is set
	Header   http.Header
	Body     string
	Redirect string // to this URL, with Status or 302
	Hang     bool   // no answer until the client disconnects
	Endless  bool   // an endless body, after Body
	Close    bool   // closes the connection without an answer
	// Raw answers by writing to the connection itself, which is closed afterwards.
	Raw func(net.Conn)
}

// Receiver is the server. Its methods may be called concurrently.
type Receiver struct {
	URL string // "http://127.0.0.1:PORT"

	t       T
	address string

	mu       sync.Mutex
	server   *http.Server // nil while it is down
	served   chan struct{}
	messages []Message
	pings    []Ping
	faults   []string
	answer   func(n int, m Message) Answer
	pong     func(n int, p Ping) Answer
	keys     map[string][]string
}

// New starts a receiver that ends with the test. Faults that were not retrieved with Faults then fail the test.
func New(t T) *Receiver {
	t.Helper()
	address := port.Keep(t) // also while it is down; otherwise another process could get the port and this test's messages
	r := &Receiver{t: t, address: address, URL: "http://" + address}
	r.Up()
	t.Cleanup(func() {
		r.Down()
		for _, fault := range r.Faults() {
			t.Errorf("the receiver: %s", fault)
		}
	})
	return r
}

// JSONURL is the Apprise URL that posts to a path of this receiver, such as "/phone".
func (r *Receiver) JSONURL(path string) string { return "json://" + r.address + path }

// PingURL is the URL of a heartbeat monitor.
func (r *Receiver) PingURL() string { return r.URL + pingPath }

// Messages returns the messages received so far, in order, whatever the answer was. It does not include invalid requests.
func (r *Receiver) Messages() []Message {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.messages)
}

// Delivered returns the messages that were answered with success.
func (r *Receiver) Delivered() []Message {
	return slices.DeleteFunc(r.Messages(), func(m Message) bool { return m.Status != http.StatusOK })
}

// Pings returns the heartbeats received so far, in order.
func (r *Receiver) Pings() []Ping {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.pings)
}

// Faults returns the faults of the requests so far, and clears them.
func (r *Receiver) Faults() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	faults := r.faults
	r.faults = nil
	return faults
}

// Answer sets how messages are answered from now on: n is the number of the message, counted from 1. Nil restores the answers of the real
// server.
func (r *Receiver) Answer(by func(n int, m Message) Answer) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answer = by
}

// AnswerPing sets how heartbeats are answered from now on.
func (r *Receiver) AnswerPing(by func(n int, p Ping) Answer) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pong = by
}

// Store stores a configuration of an Apprise API under a key, with one URL for each tag. The server rejects all other keys.
func (r *Receiver) Store(key string, tags ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.keys == nil {
		r.keys = map[string][]string{}
	}
	r.keys[key] = tags
}

// Down stops the server: connections are closed, and new ones refused.
func (r *Receiver) Down() {
	r.mu.Lock()
	server, served := r.server, r.served
	r.server = nil
	r.mu.Unlock()
	if server != nil {
		_ = server.Close() // the error of closing the listener does not matter
		<-served
	}
}

// Up starts the server again, at the same address.
func (r *Receiver) Up() {
	r.t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.server != nil {
		return
	}
	listener, err := (&net.ListenConfig{Control: port.Share}).Listen(context.Background(), "tcp", r.address)
	if err != nil {
		r.t.Fatalf("the receiver cannot listen: %v", err)
		return
	}
	server, served := &http.Server{Handler: http.HandlerFunc(r.serve), ReadHeaderTimeout: time.Minute}, make(chan struct{})
	r.server, r.served = server, served
	go func() {
		defer close(served)
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			r.fault("it ended: " + err.Error())
		}
	}()
}

func (r *Receiver) fault(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.faults = append(r.faults, text)
}
