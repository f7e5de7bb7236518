// Package dashboard is what the dashboard shows: the records that cycles wrote, read and put together page by page.
//
// It hides where that comes from (the database, cooldown.json, raw logs, audits of the guard, the state of hooks), that the database may be
// missing, locked, of another version or replaced meanwhile, and what is kept in memory so that a page costs little. It writes nothing and
// serves nothing: package web does that. Most of what it returns was written by models, containers and services: whoever shows it must treat it
// as foreign text.
package dashboard

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"sync"
	"time"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/hooks"
	"github.com/claudeops/claudeops/internal/mask"
	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/store"
)

// ErrBusy says that nothing can be changed now, because a cycle is running.
var ErrBusy = errors.New("a cycle is running; try again when it has ended")

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
	Version   string

	// Listening is called with the address once connections are taken.
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
	// Records opens them as other commands do, for reading; the caller closes them.
	Records func(ctx context.Context) (*records.Records, error)
	// Hooks is the health of the circuits of hooks. It changes nothing.
	Hooks func(ctx context.Context) (hooks.Health, error)
	// ResetCounters empties a service's counters, ResetHook forgets what is known of a hook (its whole command); from is the address of who
	// asks for it. Their errors are for people: ErrBusy is that a cycle is running, store.ErrNotFound that nothing is known of it.
	ResetCounters func(ctx context.Context, service, from string) error
	ResetHook     func(ctx context.Context, command, from string) error
}

// Fleet is the instances of a dashboard.
type Fleet struct{ instances []*Instance }

// NewFleet prepares the instances; nothing is opened yet. Close it.
func NewFleet(o Options) *Fleet {
	f := &Fleet{}
	for _, d := range o.Databases {
		f.instances = append(f.instances, &Instance{Name: d.Name, path: d.Path, own: o.Own, redactor: o.Redactor, now: o.Now})
	}
	return f
}

// Instances are all, in the order in which they were given.
func (f *Fleet) Instances() []*Instance { return f.instances }

// Close waits for what is still being read, once no requests are served any more.
func (f *Fleet) Close() {
	for _, i := range f.instances {
		i.reading.Wait()
	}
}

// Instance is one state directory's records. Its methods may be called from several goroutines. Where the records cannot be read their
// error is an *UnavailableError; where there is no row of an id or no service of a name, it wraps store.ErrNotFound. What they return may be
// shared between callers, who must not change it.
type Instance struct {
	Name     string
	path     string // of the database
	own      *Own
	redactor *mask.Redactor
	now      func() time.Time

	mu      sync.Mutex
	last    *making        // the newest snapshot, which may still be in the making; nil where there is none
	past    *past          // nil until it was read
	reading sync.WaitGroup // snapshots in the making
}

// Own is what may be done of the instance; nil where it was named by its database alone.
func (i *Instance) Own() *Own { return i.own }

// read opens the records and hands them to f within one transaction, so that all that f reads is of one moment. Opening takes about 2 ms and
// finds whatever was restored, migrated or removed since.
func (i *Instance) read(ctx context.Context, f func(*records.Records) error) (err error) {
	b, err := i.open(ctx)
	if err != nil {
		return i.unavailable(err, true)
	}
	err = b.Together(ctx, func() error { return f(b) })
	return i.unavailable(errors.Join(err, b.Close()), false)
}

// open opens the records of the instance. That there is no database is an error that wraps fs.ErrNotExist.
func (i *Instance) open(ctx context.Context) (*records.Records, error) {
	if i.own != nil {
		b, err := i.own.Records(ctx)
		if err == nil && b.Store == nil {
			return nil, errNoDatabase
		}
		return b, err
	}
	s, err := store.Open(ctx, i.path, store.ReadOnly)
	if err != nil {
		return nil, err
	}
	s.Now = i.now
	if err := s.ReadClock(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	dir := filepath.Dir(i.path)
	return &records.Records{
		Config: config.Config{StateDir: dir}, Redactor: i.redactor, Now: i.now, Store: s, Ledger: records.NewLedger(dir, s, i.now),
	}, nil
}

// Figures are what metrics are made of.
func (i *Instance) Figures(ctx context.Context) (f records.Figures, err error) {
	err = i.read(ctx, func(b *records.Records) error {
		if f, err = b.Figures(ctx); err != nil {
			return fmt.Errorf("count: %w", err)
		}
		f.PendingNotifications, f.FailingTargets, err = i.undelivered(ctx, b)
		return err
	})
	return f, err
}
