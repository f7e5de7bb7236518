package dashboard

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/internal/mask"
	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/store"
)

// ErrBusy says that nothing can be changed now, because a cycle is running.
var ErrBusy = errors.New("a cycle is running; try again when it has ended")

// Fleet is the instances of a dashboard.
type Fleet struct{ instances []*Instance }

// NewFleet prepares the instances; nothing is opened yet. Close it.
func NewFleet(o Options) *Fleet {
	f := &Fleet{instances: make([]*Instance, 0, len(o.Databases))}
	for _, d := range o.Databases {
		i := &Instance{Name: d.Name, path: d.Path, own: o.Own, redactor: o.Redactor, now: o.Now}
		i.records.open, i.records.path = i.openRecords, d.Path
		if o.Own != nil {
			i.records.beside = o.Own.Config.Inventory
		}
		i.kept.make = i.snapshotNow
		i.kept.now = o.Now
		f.instances = append(f.instances, i)
	}
	return f
}

// Instances are all, in the order in which they were given.
func (f *Fleet) Instances() []*Instance { return f.instances }

// Close closes what is open, once nobody uses it any more.
func (f *Fleet) Close() error {
	errs := make([]error, 0, len(f.instances))
	for _, i := range f.instances {
		i.kept.wait()
		errs = append(errs, i.records.close())
	}
	return errors.Join(errs...)
}

// Instance is one state directory's records. Its methods may be called from several goroutines. Where the records cannot be read their
// error is an *UnavailableError; where there is no row of an id or no service of a name, it wraps store.ErrNotFound. What they return may be
// shared with others: nobody changes it.
type Instance struct {
	Name     string
	path     string // of the database
	own      *Own
	redactor *mask.Redactor
	now      func() time.Time

	records handle
	kept    kept
}

// Own is what may be done of the instance; nil where it was named by its database alone.
func (i *Instance) Own() *Own { return i.own }

// Changed says that something was written just now, so that what is kept in memory is read anew.
func (i *Instance) Changed() { i.kept.changed() }

// read hands f the store within a transaction, so that all that f reads is of one moment and of the schema that this program knows.
func (i *Instance) read(ctx context.Context, f func(*store.Store) error) error {
	return i.readRecords(ctx, func(b *records.Records) error { return f(b.Store) })
}

// readRecords hands f the records, which are its own for as long as it runs, and whose store is within one transaction.
func (i *Instance) readRecords(ctx context.Context, f func(*records.Records) error) error {
	return i.unavailable(i.records.use(ctx, func(o *opened) error { return o.read(ctx, f) }))
}

// openRecords opens the records of the instance. That there is no database is an error that wraps fs.ErrNotExist.
func (i *Instance) openRecords(ctx context.Context) (*records.Records, error) {
	dir := filepath.Dir(i.path)
	if err := isDirectory(dir); err != nil {
		return nil, err
	}
	if i.own != nil {
		b, err := i.own.Records(ctx)
		if err == nil && b.Store == nil { // there is none yet; made meanwhile, the next try finds it
			return nil, errNoDatabase
		}
		return b, err
	}
	s, err := store.Open(ctx, i.path, store.ReadOnly)
	if err != nil {
		return nil, err
	}
	s.Now = i.now
	return &records.Records{
		Config: config.Config{StateDir: dir}, Redactor: i.redactor, Now: i.now, Store: s, Ledger: store.NewLedger(dir, s, i.now),
	}, nil
}

// Figures are what metrics are made of.
func (i *Instance) Figures(ctx context.Context) (f records.Figures, err error) {
	err = i.readRecords(ctx, func(b *records.Records) error {
		if f, err = b.Figures(ctx); err != nil {
			return fmt.Errorf("count: %w", err)
		}
		f.PendingNotifications, f.FailingTargets, err = i.undelivered(ctx, b)
		return err
	})
	return f, err
}
