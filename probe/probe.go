// Package probe makes the checks of an inventory without a model: it decides what is asked when, for how long and how often, and
// what a person is told of it.
//
// It promises that a check has its result within its attempts' timeouts, whatever it asks does, that no host is asked more than so
// many things at once, and that a slow one keeps none of the others waiting. The checks that need a client library (http, dns,
// container, database) are made by package probe/client, which a program that makes none need not link.
package probe

import (
	"context"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/internal/mask"
	"github.com/claudeops/claudeops/inventory"
)

// Try is one attempt of a check. It ends soon after ctx does.
type Try func(ctx context.Context) Finding

// Finding is what one attempt found.
type Finding struct {
	Status check.Status
	Error  string        // for a person, on one line; empty where the status is healthy. Of an unknown status it is the cause, in the same words for each check that has it
	Took   time.Duration // until the answer; 0 where there was none to measure
	Final  bool          // what another attempt would find too, like an exit code
}

// Client makes the attempts of the checks that need a client library. Its methods may be called by many at once.
type Client interface {
	// Try is for a check of type http, dns, container or database.
	Try(service *inventory.Service, c *inventory.Check) Try
	// Restarts is how often each container that was looked at has restarted, by its id.
	Restarts() map[string]int
	Close() error
}

// Settings are what a Client needs to know.
type Settings struct {
	Environ  []string       // the operator's, where passwords, headers, DOCKER_HOST and proxies stand
	Restarts map[string]int // how often each container had restarted when it was last looked at, by its id; nil is unknown
	Secret   []string       // names of variables with secrets, beside those of the services that are checked: no plugin and no result has them
	Now      func() time.Time

	fleet func() *mask.Redactor // of what they hold; nil outside of Run
}

// Opener makes a Client. It connects to nothing yet.
type Opener func(Settings) Client

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
