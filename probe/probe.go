// Package probe makes checks without a model. Each check type has one file, which reads its options from the services file, describes its
// needs, and makes one attempt. The package decides which check runs when, for how long and how often, and writes the text that people
// read.
//
// A check has its result within the timeouts of its attempts and in bounded memory, whatever the server does. The number of concurrent
// checks per host is limited, and a slow host does not delay the others.
package probe

import (
	"context"
	"maps"
	"sync"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/internal/mask"
)

// Service is a service with its checks.
type Service struct {
	Name   string
	Checks []Check
}

// Try makes one attempt of a check. It must return soon after ctx ends. Its result has no service and type yet, and no status where the
// attempt could not be made, but another might; where none can be, it is unknown. Its error is for people, on one line. Checks that
// cannot be made for one reason have the same error.
type Try func(ctx context.Context) check.Result

// milliseconds returns a time until an answer as a result has it.
func milliseconds(took time.Duration) *int64 {
	return new(int64((took + time.Millisecond - 1) / time.Millisecond))
}

// down is the result of an attempt that found the service not to answer, or not as it should.
func down(text string) check.Result { return check.Result{Status: check.Down, Error: text} }

// asks is the result of an attempt whose answer is that the service is not ready yet.
func asks(text string) check.Result {
	return check.Result{Status: check.Degraded, Error: check.AsksForTime + text}
}

// unmade is the result of an attempt that could not be made, but might be when repeated.
func unmade(text string) check.Result { return check.Result{Error: text} }

// impossible is the result of a check that cannot be made, for a fault of the check's own: a password, a permission or a file is missing
// on this side, or the server refuses the check's account, statement or certificate. That says nothing of the service.
func impossible(text string) check.Result { return check.Result{Status: check.Unknown, Error: text} }

// always returns the attempt of a check that cannot be made as configured.
func always(text string) Try { return func(context.Context) check.Result { return impossible(text) } }

// Settings are the inputs of all checks.
type Settings struct {
	Environ []string  // the operator's: with passwords, headers, DOCKER_HOST and proxies
	Since   time.Time // of the checks before: a container that has restarted since then is not well; zero if unknown
	Secret  []string  // further variables with secrets: no plugin gets them, and no result contains them
	Now     func() time.Time
	// RunToken is the session's CLAUDEOPS_RUN_TOKEN. Plugins carry it, so that they are found after the cycle was killed. Empty for none.
	RunToken string

	fleet func() *mask.Redactor // redacts their values; nil outside Run
}

// Client is what checks share during a run: connections to engines. It is safe for concurrent use.
type Client struct {
	settings   Settings
	resolvConf string                  // file with the system's DNS servers
	systemPort string                  // port of these servers
	engines    shared[string, *engine] // of container checks, by URL
}

func newClient(s Settings) *Client {
	if s.Now == nil {
		s.Now = time.Now
	}
	return &Client{settings: s, resolvConf: "/etc/resolv.conf", systemPort: dnsPort}
}

// close closes the connections that outlive an attempt.
func (c *Client) close() {
	for _, e := range c.engines.all() {
		e.transport.base.CloseIdleConnections()
	}
}

// shared holds values of a run that are created on first use, one per key.
type shared[K comparable, V any] struct {
	mu   sync.Mutex
	made map[K]V
}

func (s *shared[K, V]) get(key K, produce func() (V, error)) (V, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if value, found := s.made[key]; found {
		return value, nil
	}
	value, err := produce()
	if err == nil {
		s.put(key, value)
	}
	return value, err
}

func (s *shared[K, V]) put(key K, value V) {
	if s.made == nil {
		s.made = map[K]V{}
	}
	s.made[key] = value
}

// all returns the values created so far.
func (s *shared[K, V]) all() map[K]V {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.made)
}

// Bounds limit concurrency. A zero field means its default.
type Bounds struct {
	AtOnce  int // checks; default 256
	PerHost int // checks per host or engine, or plugins on this machine; default 16
}
