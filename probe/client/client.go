// Package client makes the checks that need a client library: http, dns, container and database. It is apart from package probe so
// that a program which makes none of these checks does not link the libraries.
//
// It promises that an attempt ends soon after its context does, that it takes bounded memory whatever the other side sends, and that
// the error of a finding is for a person. What is shared by checks (connections to engines, TLS configurations) lasts until Close.
package client

import (
	"context"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/probe"
)

// client is the probe.Client that New makes.
type client struct {
	settings   probe.Settings
	transports transports // of http checks
	resolvConf string     // file that names the system's DNS servers
	systemPort string     // where these listen
	engines    engines    // of container checks
}

// New makes a client. It connects to nothing yet; Close ends what it has connected to. It is a probe.Opener.
func New(s probe.Settings) probe.Client {
	if s.Now == nil {
		s.Now = time.Now
	}
	return &client{settings: s, resolvConf: "/etc/resolv.conf", systemPort: dnsPort}
}

// Try makes the attempt of a check of type http, dns, container or database. One of another type is not for this client, which its
// attempt says.
func (c *client) Try(service *inventory.Service, k *inventory.Check) probe.Try {
	switch {
	case k.HTTP != nil:
		return c.http(k)
	case k.DNS != nil:
		return c.dns(k)
	case k.Container != nil:
		return c.container(service, k)
	case k.Database != nil:
		return c.database(k)
	}
	return always("a check of type " + string(k.Type) + " is not made by a client")
}

// Restarts is how often each container that was looked at has restarted, by its id.
func (c *client) Restarts() map[string]int { return c.engines.restarts() }

// Close ends the connections that outlive an attempt.
func (c *client) Close() error {
	c.transports.close()
	return c.engines.close()
}

// down is the finding of an attempt that another may mend.
func down(text string) probe.Finding { return probe.Finding{Status: check.Down, Error: text} }

// unmade is the finding of an attempt that could not be made, which another may.
func unmade(text string) probe.Finding { return probe.Finding{Status: check.Unknown, Error: text} }

// always is an attempt that finds the same each time: that the check cannot be made as it is written, and why.
func always(text string) probe.Try {
	return func(context.Context) probe.Finding {
		return probe.Finding{Status: check.Unknown, Error: text, Final: true}
	}
}
