// Package dashboard provides the content of the dashboard: the records of cycles, combined page by page.
//
// It hides the sources (the database, cooldown.json, raw logs, audits of the guard, the state of hooks), that the database may be
// missing, locked, of another version or replaced meanwhile, and the caches that keep pages cheap. It writes nothing and serves nothing;
// package web does. Most of what it returns was written by models, containers and services, and must be treated as foreign text.
package dashboard

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/internal/mask"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/metrics"
	"github.com/claudeops/claudeops/store"
)

// Options configures a dashboard.
type Options struct {
	Addr  string   // listening address: host:port
	Token string   // required from clients if set; may be empty only on loopback
	Hosts []string // host names that requests may use besides those of loopback

	Redactor *mask.Redactor
	Now      func() time.Time
	Version  string

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
	// it says something else than alerts, or a ledger.ErrAlertsLost if not all could be kept.
	KeepAlerts func(ctx context.Context, body []byte, fault error) (ledger.Kept, error)
}

// Actions is what people can do on the pages. Each does what a command does, and by says who wants it, in words: "page, from 192.0.2.7".
// Errors are for people: store.ErrNotFound if nothing is on record.
type Actions interface {
	// ResetCounters empties a service's counters.
	ResetCounters(ctx context.Context, service, by string) error
	// Silence keeps hands off a service, or off everything if service is empty; EndSilence ends that.
	Silence(ctx context.Context, service string, lasts time.Duration, reason, by string) error
	EndSilence(ctx context.Context, service, by string) error
	// CloseIncident and Acknowledge also return a *ledger.ClosedError.
	CloseIncident(ctx context.Context, id int64, by string) error
	Acknowledge(ctx context.Context, id int64, by string) error
	// Approve and Reject decide a proposal; one that does not wait is a *ledger.DecidedError.
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

	making sync.Mutex
	last   *snapshot // nil if there is none
}

// New prepares the instance of the options without opening anything.
func New(o Options) *Instance {
	return &Instance{options: o, path: filepath.Join(o.Config.StateDir, store.FileName), now: o.Now}
}

// read runs f in one transaction, so that all its reads are consistent. The database is opened for it: after a backup was restored, or a
// damaged database set aside, it is another file.
func (i *Instance) read(ctx context.Context, f func(*ledger.Records) error) error {
	s, err := store.Open(ctx, i.path, store.ReadOnly)
	if err != nil {
		return i.unavailable(err, true)
	}
	defer func() { _ = s.Close() }() // it was only read
	s.Now = i.now
	err = s.Update(ctx, func(tx *store.Store) error {
		o := i.options
		b := &ledger.Records{Config: o.Config, Redactor: o.Redactor, Now: o.Now, Inventory: o.Inventory(), Store: tx}
		return f(b)
	})
	return i.unavailable(err, false)
}

// Figures returns the input of the metrics.
func (i *Instance) Figures(ctx context.Context) (f metrics.Figures, err error) {
	err = i.read(ctx, func(b *ledger.Records) error {
		if f, err = metrics.Read(ctx, b); err != nil {
			return fmt.Errorf("count: %w", err)
		}
		return nil
	})
	return f, err
}
