package hooks

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/claudeops/claudeops/internal/statedir"
)

// ErrNoPath says that no state file is named.
var ErrNoPath = errors.New("no state file: HOME is not set, or not a whole path; name one with --state-file or GUARDRAILS_STATE_FILE")

// File is the state file, shared by all hooks of a user and every process that runs one. Each method takes its lock across the whole
// of reading, changing and writing, and returns an error where that was impossible; then nothing was changed.
//
// What others added to the file stays as it is. A file that is not JSON, or holds no state, is set aside under another name and begun
// anew; a hook with strange values starts afresh, and alone.
type File struct {
	Path    string
	Now     func() time.Time
	Random  func() float64             // in [0, 1)
	Policy  func(hook string) Policy   // what a hook is judged by
	Parents func(hook string) []string // patterns (see Matches) of the hooks that it depends on; nil where none depends on another
}

// Begun is a call that was decided on.
type Begun struct {
	ID       string
	Decision Decision
	Changes  []Change
	Notes    []string // what somebody who looks after the breaker should know: a corrupt file, runs that never ended

	own *own
}

// Begin decides on a call, and notes it as running where it executes; then it is for Finish to say how it ended. Runs of the hook
// whose wrappers are gone are counted as failures first. The ID and the Parent of call are filled in.
func (f *File) Begin(ctx context.Context, hook string, call Call) (*Begun, error) {
	b := &Begun{}
	w, err := f.update(ctx, func(w *work) error {
		e := w.entry(hook)
		p := f.Policy(e.name)
		w.reap(e, p)
		call.ID, call.Parent = newID(), w.openParent(e.name)
		changes := len(w.changes)
		w.watch(e, func() { b.Decision = e.Begin(w.now, p, call) })
		if e.changed = e.changed || !b.Decision.Execute || len(w.changes) > changes || len(w.notes) > 0; !b.Decision.Execute {
			return nil
		}
		var err error
		b.own, err = w.runs().begin(call.ID, e.name, e.Running[call.ID])
		return err
	})
	if err != nil {
		if b.own != nil {
			err = errors.Join(err, b.own.remove())
		}
		return nil, err
	}
	b.ID, b.Changes, b.Notes = call.ID, w.changes, w.notes
	return b, nil
}

// Finish counts how the call that Begin let execute ended. Where it was skipped, or the hook was reset meanwhile, nothing is counted.
// Where that cannot be written, it is left for whoever next begins a run of the hook.
func (f *File) Finish(ctx context.Context, hook string, b *Begun, o Outcome) ([]Change, error) {
	if b.own == nil {
		return nil, nil
	}
	mine := b.own
	b.own = nil
	noteErr := mine.note(o)
	w, err := f.update(ctx, func(w *work) error {
		e := w.entry(hook)
		if _, noted := e.Running[b.ID]; noted && mine.there() {
			w.finish(e, f.Policy(e.name), b.ID, o)
		}
		w.spent = append(w.spent, b.ID)
		return nil
	})
	if err != nil {
		return nil, errors.Join(err, noteErr, mine.drop())
	}
	return w.changes, mine.drop()
}

// State is what the file holds of a hook; false says that it holds nothing.
func (f *File) State(ctx context.Context, hook string) (h Hook, found bool, err error) {
	_, err = f.update(ctx, func(w *work) error {
		e := w.entry(hook)
		h, found = e.Hook, e.known()
		return nil
	})
	return h, found, err
}

// ResetHook forgets a hook, but not that an operator wants it off. found is false for one that the file does not hold.
func (f *File) ResetHook(ctx context.Context, hook string) (found bool, err error) {
	_, err = f.update(ctx, func(w *work) error {
		e := w.entry(hook)
		found = e.known()
		if found {
			w.reset(e)
		}
		return nil
	})
	return found, err
}

// ResetAll forgets all n hooks, but not which of them an operator wants off, and the counts of all together.
func (f *File) ResetAll(ctx context.Context) (n int, err error) {
	_, err = f.update(ctx, func(w *work) error {
		for _, e := range w.all() {
			w.reset(e)
			n++
		}
		w.stats, w.recount = Stats{}, true
		return nil
	})
	return n, err
}

// Disable keeps a hook from running until Enable.
func (f *File) Disable(ctx context.Context, hook string) error {
	_, err := f.update(ctx, func(w *work) error {
		e := w.entry(hook)
		if e.DisabledByHand == nil {
			at := stamp(w.now)
			e.DisabledByHand = &at
			w.recount = true
			e.changed = true
		}
		return nil
	})
	return err
}

// Enable lets a hook run again: it undoes Disable and closes the hook's circuits, those of single sessions too.
func (f *File) Enable(ctx context.Context, hook string) ([]Change, error) {
	w, err := f.update(ctx, func(w *work) error {
		e := w.entry(hook)
		if !e.stored {
			return nil
		}
		w.watch(e, func() {
			if e.State != Closed {
				e.close()
			}
			for _, s := range e.Sessions {
				s.Loop = nil
			}
			e.forgetNotices()
		})
		w.recount = w.recount || e.DisabledByHand != nil
		e.DisabledByHand = nil
		e.changed = true
		return nil
	})
	if err != nil {
		return nil, err
	}
	return w.changes, nil
}

// lockWait is how long anybody is held up at most by others that use the state file.
const lockWait = 5 * time.Second

// update is one read-modify-write. Where do changes nothing, nothing is written.
func (f *File) update(ctx context.Context, do func(*work) error) (w *work, err error) {
	if !filepath.IsAbs(f.Path) { // nothing is ever written into whatever folder a hook happens to run in
		return nil, fmt.Errorf("hook state: %w", ErrNoPath)
	}
	ctx, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	held, err := inDirectory(f.Path, func() (*statedir.Lock, error) { return statedir.Acquire(ctx, f.Path+".lock") })
	if err != nil {
		return nil, fmt.Errorf("hook state: %w", err)
	}
	defer func() {
		if rerr := held.Release(); rerr != nil {
			err = errors.Join(err, fmt.Errorf("hook state: %w", rerr))
		}
	}()
	w = &work{file: f, path: f.Path, now: f.Now()}
	if err := w.run(ctx, do); err != nil {
		return nil, fmt.Errorf("hook state: %w", err)
	}
	return w, nil
}
