package dashboard

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/store"
)

// openWait bounds how long opening a database may take: longer than SQLite waits for one that is locked.
const openWait = 8 * time.Second

// handle opens an instance's records when they are first needed, and keeps them open while the files behind them are the same.
// Somebody may restore, migrate or remove the database at any time.
type handle struct {
	path   string // of the database
	beside string // another file that the records were made from: the inventory; empty for none
	open   func(context.Context) (*records.Records, error)

	mu      sync.Mutex
	current *opened  // nil where nothing is open
	opening *opening // nil where nobody is opening
}

// opened are the records in use.
type opened struct {
	records *records.Records
	watch   *store.Watch
	files   files

	mu      sync.Mutex
	users   int
	retired bool // others have taken its place: the last user closes it
}

// opening is an attempt to open the records, which those wait for who need them meanwhile.
type opening struct {
	done chan struct{}
	err  error // once done
}

// openError is why the records could not be opened.
type openError struct{ err error }

func (e *openError) Error() string { return e.err.Error() }
func (e *openError) Unwrap() error { return e.err }

// errReplaced says that the database was exchanged while it was read.
var errReplaced = errors.New("the database was replaced while it was read")

// use hands f the records as they are open now.
func (r *handle) use(ctx context.Context, f func(*opened) error) (err error) {
	o, err := r.acquire(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, o.release()) }()
	err = f(o)
	if !o.files.stillThere(r.path) { // whatever f found, it may be of two databases
		return errReplaced
	}
	return err
}

// mostOpenings is how often one reader waits for the database to be opened: one that is replaced each time in between is not there to be
// read.
const mostOpenings = 5

func (r *handle) acquire(ctx context.Context) (*opened, error) {
	for range mostOpenings {
		o, attempt, err := r.take(ctx)
		if o != nil || err != nil {
			return o, err
		}
		select {
		case <-attempt.done:
			if attempt.err != nil {
				return nil, attempt.err
			}
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return nil, errReplaced
}

// take returns what is open, or else the attempt to open it, which it makes where nobody does.
func (r *handle) take(ctx context.Context) (*opened, *opening, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if o := r.current; o != nil {
		if o.files == filesOf(r.path, r.beside) {
			o.mu.Lock()
			o.users++
			o.mu.Unlock()
			return o, nil, nil
		}
		r.current = nil
		if err := o.retire(); err != nil {
			return nil, nil, err
		}
	}
	if r.opening == nil {
		r.opening = &opening{done: make(chan struct{})}
		// It goes on when the one who began it gives up: the others wait for it, too.
		go r.finish(context.WithoutCancel(ctx), r.opening)
	}
	return nil, r.opening, nil
}

func (r *handle) finish(ctx context.Context, attempt *opening) {
	ctx, cancel := context.WithTimeout(ctx, openWait)
	defer cancel()
	o, err := r.openNow(ctx)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.current, r.opening = o, nil
	if err != nil {
		attempt.err = &openError{err}
	}
	close(attempt.done)
}

func (r *handle) openNow(ctx context.Context) (*opened, error) {
	before := filesOf(r.path, r.beside)
	b, err := r.open(ctx)
	if err != nil {
		return nil, err
	}
	o := &opened{records: b, watch: b.Store.Watch()}
	if _, err = o.watch.Version(ctx); err != nil {
		return nil, errors.Join(err, o.close())
	}
	o.files = filesOf(r.path, r.beside) // once it is in use: only then its log and the index of that are there
	if !before.stillThere(r.path) {
		return nil, errors.Join(errReplaced, o.close())
	}
	return o, nil
}

// close closes what is open; what is in use, once it no longer is.
func (r *handle) close() error {
	r.mu.Lock()
	attempt := r.opening
	r.mu.Unlock()
	if attempt != nil {
		<-attempt.done
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	o := r.current
	r.current = nil
	if o == nil {
		return nil
	}
	return o.retire()
}

func (o *opened) release() error {
	o.mu.Lock()
	o.users--
	last := o.retired && o.users == 0
	o.mu.Unlock()
	if last {
		return o.close()
	}
	return nil
}

func (o *opened) retire() error {
	o.mu.Lock()
	o.retired = true
	unused := o.users == 0
	o.mu.Unlock()
	if unused {
		return o.close()
	}
	return nil
}

func (o *opened) close() error { return errors.Join(o.watch.Close(), o.records.Close()) }

// read hands f records of its own, whose store is within one transaction.
func (o *opened) read(ctx context.Context, f func(*records.Records) error) error {
	b := *o.records
	b.Forget()
	return b.Together(ctx, func() error {
		if err := errors.Join(b.Store.Current(ctx), b.Store.ReadClock(ctx)); err != nil {
			return err
		}
		return f(&b)
	})
}
