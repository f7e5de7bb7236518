package hooks

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/claudeops/claudeops/internal/statedir"
)

// ErrNoPath means that no state file is configured.
var ErrNoPath = errors.New("no state file: HOME is not set, or not a whole path; name one with --state-file or GUARDRAILS_STATE_FILE")

// File is the state file, shared by all hooks of a user and all processes that run them. Each method holds its lock while it reads,
// changes and writes the file. If it returns an error, nothing was changed.
//
// Unknown members of the file are preserved. A file that is not JSON, or holds no state, is renamed and replaced by a new one. A hook
// with invalid values is reset, without affecting the others.
type File struct {
	Path    string
	Now     func() time.Time
	Random  func() float64             // in [0, 1)
	Policy  func(hook string) Policy   // returns the policy of a hook
	Parents func(hook string) []string // returns patterns (see Matches) of the hooks that a hook depends on; nil without any
}

// Begun is a call with the decision on it.
type Begun struct {
	ID       string
	Decision Decision
	Changes  []Change
	Notes    []string // what an operator should know: a corrupt file, runs that never ended

	own *own
}

// Begin decides on a call. If the call executes, it is recorded as running, and Finish must record its end. Runs of the hook whose
// wrappers are gone are first counted as failures. Begin sets the ID and the Parent of call.
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

// Finish counts the outcome of a call that Begin let execute. It counts nothing if the call was skipped or the hook was reset meanwhile.
// If the file cannot be written, the next run of the hook counts the outcome.
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

// State returns what the file holds about a hook; found is false if that is nothing.
func (f *File) State(ctx context.Context, hook string) (h Hook, found bool, err error) {
	_, err = f.update(ctx, func(w *work) error {
		e := w.entry(hook)
		h, found = e.Hook, e.known()
		return nil
	})
	return h, found, err
}

// ResetHook forgets a hook, except that an operator has disabled it. found is false if the file does not hold the hook.
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

// ResetAll forgets all hooks and the total counts, except which hooks an operator has disabled. n is the number of hooks.
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

// Enable undoes Disable, and closes the hook's circuits, including those of sessions.
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

// lockWait limits how long an operation waits for others that use the state file.
const lockWait = 5 * time.Second

// update performs one read-modify-write. If do changes nothing, nothing is written.
func (f *File) update(ctx context.Context, do func(*work) error) (w *work, err error) {
	if !filepath.IsAbs(f.Path) { // never write to a hook's working directory
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
