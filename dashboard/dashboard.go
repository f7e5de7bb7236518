// Package dashboard is what the dashboard shows: the records that cycles wrote, read and put together page by page.
//
// It hides where that comes from (the database, cooldown.json, raw logs, audits of the guard, the state of hooks), that the database may be
// missing, locked, of another version or replaced meanwhile, and what is kept open and in memory so that a page costs little. It writes
// nothing and serves nothing: package web does that. Most of what it returns was written by models, containers and services, and must be
// treated as foreign text.
package dashboard

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/hooks"
	"github.com/claudeops/claudeops/internal/mask"
	"github.com/claudeops/claudeops/inventory"
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
	Variables []config.Variable           // the settings in force, secrets masked
	Inventory func() *inventory.Inventory // as it is now; nil is that of an operator who has none
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

// Close waits for what is still being read, once no requests are served any more, and closes the databases.
func (f *Fleet) Close() {
	for _, i := range f.instances {
		i.swap(nil)
		i.background.Wait()
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

	mu         sync.Mutex
	open       *openDatabase // nil where it was not opened yet
	last       *making       // the newest snapshot, which may still be in the making; nil where there is none
	shown      *making       // the newest that was finished
	past       pastDays      // the zero value where they were not read yet
	background sync.WaitGroup
}

// Own is what may be done of the instance; nil where it was named by its database alone.
func (i *Instance) Own() *Own { return i.own }

// openDatabase is a database that is kept open for as long as its files are the same: opening it costs more than most answers.
type openDatabase struct {
	store     *store.Store
	file, log os.FileInfo
	users     sync.WaitGroup // added to under Instance.mu, and only while it is Instance.open
}

// current reports whether the files of a database are those that were opened, which a restored backup's are not.
func (d *openDatabase) current(path string) bool {
	file, log := lstat(path), lstat(path+"-wal")
	return os.SameFile(file, d.file) && file.Size() == d.file.Size() && file.ModTime().Equal(d.file.ModTime()) && os.SameFile(log, d.log)
}

// lstat is nil where there is no such file: reading it says why.
func lstat(path string) os.FileInfo {
	is, err := os.Lstat(path)
	if err != nil {
		return nil
	}
	return is
}

// swap puts a database, or nil, in the place of the one that is open, which is closed once its last reader is done.
func (i *Instance) swap(d *openDatabase) {
	i.mu.Lock()
	was := i.open
	i.open = d
	if was != nil && d != nil && !os.SameFile(was.file, d.file) {
		i.past = pastDays{}
	}
	i.mu.Unlock()
	if was == nil {
		return
	}
	i.background.Go(func() {
		was.users.Wait()
		_ = was.store.Close() // it was only read
	})
}

// database is the open database, opened where that is not done yet or its files have changed. Call Done of its users.
func (i *Instance) database(ctx context.Context) (*openDatabase, error) {
	i.mu.Lock()
	d := i.open
	if d != nil && d.current(i.path) {
		d.users.Add(1)
		i.mu.Unlock()
		return d, nil
	}
	i.mu.Unlock()
	d = &openDatabase{file: lstat(i.path)}
	s, err := store.Open(ctx, i.path, store.ReadOnly)
	if err != nil {
		return nil, err
	}
	s.Now = i.now
	d.store, d.log = s, lstat(i.path+"-wal")
	d.users.Add(1)
	i.swap(d)
	return d, nil
}

// read hands the records to f within one transaction, so that all that f reads is of one moment.
func (i *Instance) read(ctx context.Context, f func(*records.Records) error) error {
	d, err := i.database(ctx)
	if err != nil {
		return i.unavailable(err, true)
	}
	defer d.users.Done()
	err = d.store.Update(ctx, func(s *store.Store) error {
		if err := errors.Join(s.Recheck(ctx), s.ReadClock(ctx)); err != nil {
			return err
		}
		c, inv := config.Config{StateDir: filepath.Dir(i.path)}, (*inventory.Inventory)(nil)
		if i.own != nil {
			c, inv = i.own.Config, i.own.Inventory()
		}
		return f(&records.Records{Config: c, Redactor: i.redactor, Now: i.now, Inventory: inv, Store: s})
	})
	return i.unavailable(err, false)
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
