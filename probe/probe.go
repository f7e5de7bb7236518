// Package probe makes checks without a model. It has one file for each check type, which reads its options from the services file, says what
// it needs and makes one attempt; and it decides which check is made when, for how long and how often, and what a person reads of it.
//
// It promises that a check has its result within its attempts' timeouts and in bounded memory, whatever it asks does, that no host is asked
// more than so many things at once, and that a slow one keeps none of the others waiting.
package probe

import (
	"context"
	"maps"
	"net/http"
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

// Try is one attempt of a check. It ends soon after ctx does.
type Try func(ctx context.Context) Finding

// Finding is what one attempt found.
type Finding struct {
	Status check.Status
	Error  string        // for a person, on one line; empty where the status is healthy. Of an unknown status it is the cause, in the same words for each check that has it
	Took   time.Duration // until the answer; 0 where there was none to measure
	Final  bool          // what another attempt would find too, like an exit code
}

// down is the finding of an attempt that another may mend.
func down(text string) Finding { return Finding{Status: check.Down, Error: text} }

// staysDown is the finding of an attempt that another would not mend.
func staysDown(text string) Finding { return Finding{Status: check.Down, Error: text, Final: true} }

// unmade is the finding of an attempt that could not be made, which another may.
func unmade(text string) Finding { return Finding{Status: check.Unknown, Error: text} }

// impossible is the finding of an attempt that cannot be made: for want of a password, a permission or a file on this side.
func impossible(text string) Finding { return Finding{Status: check.Unknown, Error: text, Final: true} }

// always is an attempt of a check that cannot be made as it is written, and why.
func always(text string) Try { return func(context.Context) Finding { return impossible(text) } }

// Settings are what checks need to know.
type Settings struct {
	Environ  []string       // the operator's, where passwords, headers, DOCKER_HOST and proxies are
	Restarts map[string]int // how often each container had restarted when it was last looked at, by its id; nil is unknown
	Secret   []string       // names of variables with secrets, beside those of the services that are checked: no plugin and no result has them
	Now      func() time.Time

	fleet func() *mask.Redactor // of what they hold; nil outside of Run
}

// Client is what checks share while a run lasts: connections to engines and TLS configurations. It may be used by many at once.
type Client struct {
	settings   Settings
	transports shared[trust, *http.Transport] // of http checks
	resolvConf string                         // file that names the system's DNS servers
	systemPort string                         // where these listen
	engines    shared[string, *engine]        // of container checks, by URL
	restarts   shared[string, int]            // of containers, by id
}

func newClient(s Settings) *Client {
	if s.Now == nil {
		s.Now = time.Now
	}
	return &Client{settings: s, resolvConf: "/etc/resolv.conf", systemPort: dnsPort}
}

// close ends the connections that outlive an attempt.
func (c *Client) close() {
	for _, t := range c.transports.all() {
		t.CloseIdleConnections()
	}
	for _, e := range c.engines.all() {
		e.transport.base.CloseIdleConnections()
	}
}

// shared are values of a run that are made when they are needed first: one for each key.
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

func (s *shared[K, V]) set(key K, value V) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.put(key, value)
}

func (s *shared[K, V]) put(key K, value V) {
	if s.made == nil {
		s.made = map[K]V{}
	}
	s.made[key] = value
}

// all are the values that were made.
func (s *shared[K, V]) all() map[K]V {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.made)
}

// Bounds are how much is asked at once. A zero field is its default.
type Bounds struct {
	AtOnce  int // checks; 256
	PerHost int // checks of one host, or of one engine, or plugins of this machine; 16
}

// Report is what a run found.
type Report struct {
	Results   []check.Result // in the order of the inventory; of a service that is in Unchecked too, only what is not healthy
	Unchecked []string       // "SERVICE TYPE" of each check that ctx's end kept from being made, in that order
	Restarts  map[string]int // of each container that was looked at, by its id
}
