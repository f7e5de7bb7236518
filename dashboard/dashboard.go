// Package dashboard provides the content of the dashboard: the records of cycles, combined page by page.
//
// It hides the sources (the database, cooldown.json, raw logs, audits of the guard, the state of hooks), that the database may be
// missing, locked, of another version or replaced meanwhile, and the caches that keep pages cheap. It writes nothing and serves nothing;
// package web does. Most of what it returns was written by models, containers and services, and must be treated as foreign text.
package dashboard

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/internal/mask"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/metrics"
	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/store"
)

// ErrBusy means that nothing can be changed now, because a cycle is running.
var ErrBusy = errors.New("a cycle is running; try again when it has ended")

// Options configures a dashboard.
type Options struct {
	Addr  string   // listening address: host:port
	Token string   // required from clients if set; may be empty only on loopback
	Hosts []string // host names that requests may use besides those of loopback

	Redactor *mask.Redactor
	Now      func() time.Time
	Version  string
	// Proxies are the reverse proxies whose UserHeader says who sent a request.
	Proxies    []netip.Prefix
	UserHeader string

	// Listening is called with the address once connections are accepted.
	Listening func(addr string)

	Actions
	Config    config.Config
	Variables []config.Variable           // the settings in force, secrets masked
	Inventory func() *inventory.Inventory // the current inventory; nil if the operator has none
	Home      string                      // of the user whose hooks are shown; empty: none are
	// LinkTarget returns the name of the target for which the link to a proposal was signed, given its parameter; empty if it was not.
	LinkTarget func(p store.Proposal, to string) string
	// KeepAlerts keeps what another program sends. The error wraps fault, which kept the body from being read, a *strict.InvalidError if
	// it says something else than alerts, or a records.ErrAlertsLost if not all could be kept.
	KeepAlerts func(ctx context.Context, body []byte, fault error) (records.Kept, error)
}

// Actions is what people can do on the pages. Each does what a command does, and by says who wants it, in words: "page, from 192.0.2.7".
// Errors are for people: ErrBusy if it cannot be done while a cycle runs, store.ErrNotFound if nothing is on record.
type Actions interface {
	// ResetCounters empties a service's counters.
	ResetCounters(ctx context.Context, service, by string) error
	// Silence keeps hands off a service, or off everything if service is empty; EndSilence ends that.
	Silence(ctx context.Context, service string, lasts time.Duration, reason, by string) error
	EndSilence(ctx context.Context, service, by string) error
	// CloseIncident and Acknowledge also return a *records.ClosedError.
	CloseIncident(ctx context.Context, id int64, by string) error
	Acknowledge(ctx context.Context, id int64, by string) error
	// Approve and Reject decide a proposal; one that does not wait is a *records.DecidedError.
	Approve(ctx context.Context, id int64, by string) error
	Reject(ctx context.Context, id int64, by, reason string) error
	// CheckNow asks for a cycle. taken reports whether a running cron took the request; if not, the next cycle comes as it would have.
	CheckNow(ctx context.Context, by string) (taken bool, err error)
}

// Instance gives access to one state directory's records. Its methods may be called concurrently. If the records cannot be read, the
// error is an *UnavailableError; if there is no row with an id or no service with a name, it wraps store.ErrNotFound. Results may be
// shared, and must not be changed.
type Instance struct {
	options Options
	path    string // of the database
	now     func() time.Time

	mu         sync.Mutex
	open       *openDatabase // nil until opened
	last       *refresh      // the newest snapshot, possibly unfinished; nil if there is none
	shown      *refresh      // the newest finished one
	past       pastDays      // zero until read
	background sync.WaitGroup
}

// New prepares the instance of the options without opening anything. The caller must close it.
func New(o Options) *Instance {
	return &Instance{options: o, path: filepath.Join(o.Config.StateDir, store.FileName), now: o.Now}
}

// Close waits for remaining reads, after requests are no longer served, and closes the database.
func (i *Instance) Close() {
	i.swap(nil)
	i.background.Wait()
}

// openDatabase is a database that stays open while its files are unchanged: opening it costs more than most answers.
type openDatabase struct {
	store     *store.Store
	file, log os.FileInfo
	users     sync.WaitGroup // added to under Instance.mu, and only while it is Instance.open
}

// current reports whether the database's files are still those that were opened. After restoring a backup they are not.
func (d *openDatabase) current(path string) bool {
	file, log := lstat(path), lstat(path+"-wal")
	return os.SameFile(file, d.file) && file.Size() == d.file.Size() && file.ModTime().Equal(d.file.ModTime()) && os.SameFile(log, d.log)
}

// lstat returns nil if the file does not exist; reading it then gives the reason.
func lstat(path string) os.FileInfo {
	is, err := os.Lstat(path)
	if err != nil {
		return nil
	}
	return is
}

// swap replaces the open database with d, which may be nil. The old one is closed after its last reader.
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

// database returns the open database, opening it if necessary or if its files have changed. The caller must call Done of its users.
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

// read runs f in one transaction, so that all its reads are consistent.
func (i *Instance) read(ctx context.Context, f func(*records.Records) error) error {
	d, err := i.database(ctx)
	if err != nil {
		return i.unavailable(err, true)
	}
	defer d.users.Done()
	err = d.store.Update(ctx, func(s *store.Store) error {
		if err := s.Recheck(ctx); err != nil {
			return err
		}
		o := i.options
		return f(&records.Records{Config: o.Config, Redactor: o.Redactor, Now: o.Now, Inventory: o.Inventory(), Store: s})
	})
	return i.unavailable(err, false)
}

// Figures returns the input of the metrics.
func (i *Instance) Figures(ctx context.Context) (f metrics.Figures, err error) {
	err = i.read(ctx, func(b *records.Records) error {
		if f, err = metrics.Read(ctx, b); err != nil {
			return fmt.Errorf("count: %w", err)
		}
		return nil
	})
	return f, err
}
