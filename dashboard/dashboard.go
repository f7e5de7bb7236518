// Package dashboard is what the dashboard shows: the records that cycles wrote, read and put together page by page.
//
// It hides where that comes from (the database, cooldown.json, raw logs, audits of the guard, the state of hooks), that the database may be
// missing, locked, of another version or replaced meanwhile, and what is kept in memory so that a page costs little. It writes nothing and
// serves nothing: package web does that. What it returns is foreign text for the most part, as models, containers and services wrote it:
// whoever shows it must take it for that.
package dashboard

import (
	"context"
	"net"
	"time"

	"github.com/claudeops/claudeops/breaker"
	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/internal/mask"
	"github.com/claudeops/claudeops/records"
)

// Options are what a dashboard is made of.
type Options struct {
	Addr string // where it listens: host:port
	// Listener takes the connections, and is closed at the end; nil has it listen on Addr itself.
	Listener net.Listener
	Token    string   // demanded wherever it is set; empty is possible on loopback alone
	Hosts    []string // names, beside loopback's, that a request may ask for

	Databases []Database // at least one
	Own       *Own       // the instance of this process's own configuration; nil where databases were named
	Redactor  *mask.Redactor
	Now       func() time.Time
	Exporter  records.Exporter // makes metrics of figures
	Version   string

	// Listening is told the address once connections are taken.
	Listening func(addr string)
}

// Database is one instance's database.
type Database struct {
	Name string // what people call the instance; unique, and fit for a URL's path
	Path string
}

// Own is what is known, and may be done, of the instance whose state directory this process's configuration names.
type Own struct {
	Config    config.Config
	Variables []config.Variable // the settings in force, secrets masked
	// Records opens the records as other commands do, for reading; close them with Leave or Close.
	Records func(ctx context.Context) (*records.Records, error)
	// Hooks is the health of the circuits of hooks. It changes nothing.
	Hooks func(ctx context.Context) (breaker.Health, error)
	// ResetCounters empties a service's counters, ResetHook forgets what is known of a hook (its whole command); from is the address of who
	// asks for it. Their errors are for people: ErrBusy is that a cycle is running, store.ErrNotFound that nothing is known of it.
	ResetCounters func(ctx context.Context, service, from string) error
	ResetHook     func(ctx context.Context, command, from string) error
}
