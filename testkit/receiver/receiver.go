// Package receiver is where notifications go in tests: an HTTP server on loopback that is an Apprise API, what Apprise's json:// URLs post
// to, and a heartbeat monitor. It judges each request strictly, so that what is wrong in one fails the test that sent it, and answers as
// the real servers do, or as a test says: late, never, without end.
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

// T is what a receiver needs of a test; testing.TB has it.
type T interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	Cleanup(func())
}

// Message is a notification that came, as it was meant.
type Message struct {
	Title  string
	Body   string
	Type   string      // info, success, warning, failure
	Format string      // of an Apprise API: text, markdown or html; empty for json://, which is not told
	Path   string      // of the request: "/notify/", "/notify/KEY", or that of the json:// URL
	Key    string      // of an Apprise API's stored configuration; empty for a stateless request
	Tag    string      // of what is stored under Key
	URLs   []string    // of a stateless request
	Header http.Header // of the request
	Status int         // how it was answered; 0 where it was not
}

// Ping is a heartbeat that came.
type Ping struct {
	Beat   string // "start", "" or "fail"
	Run    string // the query's rid
	Text   string
	Header http.Header
	Status int // how it was answered; 0 where it was not
}

// Answer is how a request is answered. The zero Answer is the real server's own.
type Answer struct {
	Status   int // 0 is 200 where any other field is set
	Header   http.Header
	Body     string
	Redirect string // to this URL, with Status or 302
	Hang     bool   // no answer until the client goes
	Endless  bool   // a body without end, after Body
	Close    bool   // the connection is closed without an answer
	// Raw answers by writing to the connection itself, which is closed afterwards.
	Raw func(net.Conn)
}

// Receiver is the server. Its methods may be called by several at once.
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

// New starts a receiver that ends with the test. A fault that was not taken by Faults fails the test then.
func New(t T) *Receiver {
	t.Helper()
	address := port.Keep(t) // also while it is down: whoever got it then would get the next test's messages
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

// Messages are those that came so far, in order, whatever the answer was. What was refused for a fault is none.
func (r *Receiver) Messages() []Message {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.messages)
}

// Delivered are the messages that were answered with success.
func (r *Receiver) Delivered() []Message {
	return slices.DeleteFunc(r.Messages(), func(m Message) bool { return m.Status != http.StatusOK })
}

// Pings are the heartbeats that came so far, in order.
func (r *Receiver) Pings() []Ping {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.pings)
}

// Faults are what was wrong in the requests so far; they are forgotten with that.
func (r *Receiver) Faults() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	faults := r.faults
	r.faults = nil
	return faults
}

// Answer sets how messages are answered from now on: n is which it is, the first that ever came being 1. Nil is the real server's way.
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

// Store keeps a configuration of an Apprise API under a key, with a URL for each of the tags. No other key is known to the server.
func (r *Receiver) Store(key string, tags ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.keys == nil {
		r.keys = map[string][]string{}
	}
	r.keys[key] = tags
}

// Down ends the server: connections are closed, and new ones refused.
func (r *Receiver) Down() {
	r.mu.Lock()
	server, served := r.server, r.served
	r.server = nil
	r.mu.Unlock()
	if server != nil {
		_ = server.Close() // its listener's error says nothing that matters here
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
