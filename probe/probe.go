// Package probe makes checks without a model. It has one file for each check type, which reads its options from the services file, says what
// it needs and makes one attempt; and it decides which check is made when, for how long and how often, and what a person reads of it.
//
// It promises that a check has its result within its attempts' timeouts and in bounded memory, whatever it asks does, that no host is asked
// more than so many things at once, and that a slow one keeps none of the others waiting.
package probe

import (
	"context"
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

// unmade is the finding of an attempt that could not be made, which another may.
func unmade(text string) Finding { return Finding{Status: check.Unknown, Error: text} }

// always is an attempt that finds the same each time: that the check cannot be made as it is written, and why.
func always(text string) Try {
	return func(context.Context) Finding { return Finding{Status: check.Unknown, Error: text, Final: true} }
}

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
	transports transports // of http checks
	resolvConf string     // file that names the system's DNS servers
	systemPort string     // where these listen
	engines    engines    // of container checks
}

func newClient(s Settings) *Client {
	if s.Now == nil {
		s.Now = time.Now
	}
	return &Client{settings: s, resolvConf: "/etc/resolv.conf", systemPort: dnsPort}
}

// close ends the connections that outlive an attempt.
func (c *Client) close() {
	c.transports.close()
	c.engines.close()
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
