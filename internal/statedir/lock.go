package statedir

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/gofrs/flock"
	"golang.org/x/sys/unix"
)

// Lock is an exclusive lock on a file, held until Release or the end of the process, however that ends. The file stays: it has no content
// and is never removed.
type Lock struct{ held *flock.Flock }

// Acquire waits for the lock until ctx ends; then the error names path and wraps ErrLocked and ctx's error. Waiters are in the kernel's
// queue, so that none starves.
func Acquire(ctx context.Context, path string) (*Lock, error) {
	for {
		l, err := TryAcquire(path)
		if !errors.Is(err, ErrLocked) {
			return l, err
		}
		if ctx.Err() != nil {
			return nil, fmt.Errorf("%w: %w", err, ctx.Err())
		}
		if l, err = queue(ctx, path); !errors.Is(err, ErrLocked) || ctx.Err() != nil {
			return l, err
		}
	}
}

// queue waits for the lock on the file that exists now. A wait in the kernel cannot be cancelled: if ctx ends first, the lock is released
// as soon as it is obtained, or with the process.
func queue(ctx context.Context, path string) (*Lock, error) {
	type result struct {
		lock *Lock
		err  error
	}
	got := make(chan result)
	gone := make(chan struct{})
	go func() {
		l, err := await(path)
		select {
		case got <- result{l, err}:
		case <-gone:
			if err == nil {
				_ = l.Release() // no longer wanted
			}
		}
	}()
	select {
	case r := <-got:
		return r.lock, r.err
	case <-ctx.Done():
		close(gone)
		return nil, fmt.Errorf("lock %s: %w: %w", path, ErrLocked, ctx.Err())
	}
}

func await(path string) (*Lock, error) {
	l := unlocked(path)
	if err := l.Lock(); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = ErrLocked // removed meanwhile by another process
		}
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	return stillThere(l)
}

// TryAcquire takes the lock if it is free, and otherwise returns at once with an error that wraps ErrLocked.
func TryAcquire(path string) (*Lock, error) {
	if err := makeLockFile(path); err != nil {
		return nil, fmt.Errorf("lock: %w", err)
	}
	l := unlocked(path)
	locked, err := l.TryLock()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("lock %s: %w", path, ErrLocked) // removed meanwhile, by another process
	}
	if err != nil {
		return nil, fmt.Errorf("lock: %w", err)
	}
	if !locked {
		return nil, fmt.Errorf("lock %s: %w", path, ErrLocked)
	}
	return stillThere(l)
}

func unlocked(path string) *flock.Flock {
	return flock.New(path, flock.SetFlag(os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK), flock.SetPermissions(newFileMode))
}

// makeLockFile creates the file with this package's mode and owner, before flock would create it differently.
func makeLockFile(path string) error {
	f, err := OpenFile(path, os.O_RDONLY|os.O_CREATE, newFileMode)
	if err != nil {
		return err
	}
	return f.Close()
}

// stillThere refuses a lock on a file that was removed or replaced meanwhile, because the next process would lock another file.
func stillThere(l *flock.Flock) (*Lock, error) {
	locked, err := l.Stat()
	if err != nil {
		return nil, errors.Join(err, l.Unlock())
	}
	if there, err := os.Lstat(l.Path()); err != nil || !os.SameFile(locked, there) {
		return nil, errors.Join(fmt.Errorf("lock %s: %w", l.Path(), ErrLocked), l.Unlock())
	}
	return &Lock{held: l}, nil
}

// Release releases the lock. A second call does nothing.
func (l *Lock) Release() error {
	if err := l.held.Unlock(); err != nil {
		return fmt.Errorf("release lock %s: %w", l.held.Path(), err)
	}
	return nil
}
