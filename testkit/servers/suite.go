package servers

import (
	"fmt"
	"runtime"
	"sync"

	"github.com/claudeops/claudeops/testkit/need"
)

// Suite is for servers that all tests of a package share. The zero value is ready to use; TestMain must call End.
type Suite struct {
	mu   sync.Mutex
	ends []func()
}

// Share returns a function that gives all tests of a package the same server. Its first call starts the server; if that fails, every test
// that calls it fails.
func Share[S any](s *Suite, start func(T) S) func(T) S {
	type outcome struct {
		server S
		fault  string
	}
	once := sync.OnceValue(func() (o outcome) {
		t := &shared{suite: s}
		done := make(chan struct{})
		go func() { // because Fatalf ends the goroutine
			defer close(done)
			o.server = start(t)
		}()
		<-done
		o.fault, t.started = t.fault, true
		return o
	})
	return func(t T) S {
		t.Helper()
		need.Full(t, "a real server")
		o := once()
		if o.fault != "" {
			t.Fatalf("%s", o.fault)
		}
		return o.server
	}
}

// End stops the servers in reverse order.
func (s *Suite) End() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := len(s.ends) - 1; i >= 0; i-- {
		s.ends[i]()
	}
	s.ends = nil
}

// shared is the T of a server that does not belong to a test. After the start, a failure panics in the test that uses the server.
type shared struct {
	suite   *Suite
	fault   string
	started bool
}

func (*shared) Helper()              {}
func (*shared) Skipf(string, ...any) {}
func (*shared) Logf(string, ...any)  {}
func (s *shared) Failed() bool       { return s.fault != "" }
func (s *shared) Fatalf(format string, args ...any) {
	s.fault = fmt.Sprintf(format, args...)
	if s.started {
		panic(s.fault)
	}
	runtime.Goexit()
}
func (s *shared) Cleanup(f func()) {
	s.suite.mu.Lock()
	defer s.suite.mu.Unlock()
	s.suite.ends = append(s.suite.ends, f)
}
