package servers

import (
	"fmt"
	"runtime"
	"sync"

	"github.com/claudeops/claudeops/testkit/need"
)

// Suite is for servers that all tests of a package share. Its zero value is ready; TestMain ends it.
type Suite struct {
	mu   sync.Mutex
	ends []func()
}

// Share returns what gives the tests of a package one server. The first test that asks starts it; where that fails, each fails.
func Share[S any](s *Suite, start func(T) S) func(T) S {
	type outcome struct {
		server S
		fault  string
	}
	once := sync.OnceValue(func() (o outcome) {
		t := &shared{suite: s}
		done := make(chan struct{})
		go func() { // which Fatalf ends
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

// End ends the servers, the last one first.
func (s *Suite) End() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := len(s.ends) - 1; i >= 0; i-- {
		s.ends[i]()
	}
	s.ends = nil
}

// shared is the T of a server that belongs to no test. Once that has started, a failure is a panic of the test that uses it.
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
