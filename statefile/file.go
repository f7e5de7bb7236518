package statefile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/claudeops/claudeops/internal/statedir"
)

const (
	// LockName is the file beside the state file that its writers lock.
	LockName = "cooldown.lock"
	// MaxBytes is the size beyond which a state file is neither read nor written.
	MaxBytes = 64 << 20

	lockWait = 10 * time.Second
	// A shell that redirects into the file empties it first and writes then. What cannot be read is looked at again after pause,
	// and until it stops changing, before it is taken for corrupt.
	pause     = 50 * time.Millisecond
	maxPauses = 20
)

// File is where a state is kept. All writers that go through it take turns; those that do not (jq, an editor) should move a
// whole file into place.
type File struct {
	Path string
	Now  func() time.Time
	// Refill gives the state that a corrupt file is replaced by: what is known from elsewhere to count still. Nil is New. Where it
	// fails, the corrupt file stays as it is.
	Refill func(context.Context) (*State, error)
	// Seize is for the one program that must go on: it replaces a corrupt file when it reads it, and takes whatever has the file's name and
	// cannot be read as one (a link, a directory, a pipe, a file too large or closed to us) for a corrupt one. To any other it is an error.
	Seize bool
	// KeepOld leaves old records in the file at a write, for a caller that does not know whether their dates are true.
	KeepOld bool
}

// Report is what a person should know of reading or updating the file.
type Report struct {
	// CorruptCopy is the path that a corrupt file was moved to; empty where it was whole.
	CorruptCopy string
	// Straightened has a line for each time that had to be corrected, as of State.Straighten.
	Straightened []string
}

// Path is where the state file is in a state directory.
func Path(stateDir string) string { return filepath.Join(stateDir, FileName) }

// Init makes the file with an empty state if nothing has its name, and its lock (SPEC-0007 REQ-2). An existing file is not even
// looked into.
func (f File) Init(ctx context.Context) error {
	return f.locked(ctx, func() error {
		empty, err := New().Marshal()
		if err != nil {
			return err
		}
		_, err = statedir.Create(f.Path, empty)
		return err
	})
}

// Read is the state as the file has it now. A missing file is an empty state, and none is made. A corrupt one is set aside and replaced
// for one who may (Seize), and the Report says where to; to anybody else it is ErrCorrupt. Everything else (a directory that is missing or
// may not be read, a link or a directory under the file's name, more than MaxBytes) is an error and changes nothing.
func (f File) Read(ctx context.Context) (s *State, report Report, err error) {
	s, _, err = f.load()
	switch {
	case !errors.Is(err, ErrCorrupt):
		return s, report, err
	case !f.Seize:
		return s, report, fmt.Errorf("%w; the next cycle sets it aside and starts from what the database knows", err)
	}
	err = f.locked(ctx, func() (err error) {
		s, _, report, err = f.mended(ctx)
		return err
	})
	return s, report, err
}

// ErrUnchanged is what a change returns that turned out to be none: the file stays as it is, in its own style, and that is no error.
var ErrUnchanged = errors.New("unchanged")

// Update reads the state, has change work on it, and writes it back, as one step that no other File interrupts. On the way,
// times are straightened and old records dropped. Where the content comes out the same the file is not touched. An error of
// change is returned as it is, and nothing that change did is written; nor is it where writing fails. A corrupt file is set aside and
// replaced before change is called.
//
// Before the next one may begin, then does what belongs to the change and is kept elsewhere; nil is nothing. It is called once the file is
// written; its error is returned, and the file stays as it was written. Both may hold the lock for as long as they run: others wait ten
// seconds for it.
func (f File) Update(ctx context.Context, change func(*State) error, then func() error) (report Report, err error) {
	err = f.locked(ctx, func() error {
		s, was, mended, err := f.mended(ctx)
		report = mended
		if err != nil {
			return err
		}
		err = change(s)
		if err != nil && !errors.Is(err, ErrUnchanged) {
			return err
		}
		if err == nil {
			straightened := s.Straighten(f.Now())
			if !f.KeepOld {
				s.Prune(f.Now())
			}
			if err := f.write(s, was); err != nil {
				return err
			}
			report.Straightened = straightened
		}
		if then == nil {
			return nil
		}
		return then()
	})
	return report, err
}

// write puts a state into the file unless that is what it has.
func (f File) write(s *State, was []byte) error {
	is, err := s.Marshal()
	if err != nil {
		return err
	}
	if bytes.Equal(is, was) {
		return nil
	}
	if len(is) > MaxBytes {
		return fmt.Errorf("write %s: %w: it would have %d bytes, at most %d are read again", f.Path, statedir.ErrTooLarge, len(is), MaxBytes)
	}
	return statedir.Replace(f.Path, is)
}

// load reads the file as it is. A missing one is New and no content.
func (f File) load() (*State, []byte, error) {
	content, err := statedir.ReadFile(f.Path, MaxBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return New(), nil, f.directory()
	}
	if f.Seize && (errors.Is(err, statedir.ErrNotRegular) || errors.Is(err, statedir.ErrTooLarge) || errors.Is(err, fs.ErrPermission)) {
		return nil, nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	if errors.Is(err, statedir.ErrNotRegular) || errors.Is(err, statedir.ErrTooLarge) {
		return nil, nil, fmt.Errorf("%w; move it away, and the next cycle makes a new one", err)
	}
	if err != nil {
		return nil, nil, err
	}
	s, err := Parse(content)
	if err != nil {
		return nil, content, fmt.Errorf("read %s: %w", f.Path, err)
	}
	return s, content, nil
}

// directory says what is wrong with the state directory, if there is none.
func (f File) directory() error {
	dir := filepath.Dir(f.Path)
	_, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the state directory %s does not exist; create it, or name another in CLAUDEOPS_STATE_DIR: %w", dir, fs.ErrNotExist)
	}
	return err
}

// mended is load for the holder of the lock, who may replace a corrupt file.
func (f File) mended(ctx context.Context) (*State, []byte, Report, error) {
	s, content, err := f.load()
	for range maxPauses {
		if !errors.Is(err, ErrCorrupt) {
			return s, content, Report{}, err
		}
		select {
		case <-ctx.Done():
			return nil, nil, Report{}, errors.Join(err, ctx.Err())
		case <-time.After(pause):
		}
		before := content
		if s, content, err = f.load(); bytes.Equal(content, before) {
			break
		}
	}
	if !errors.Is(err, ErrCorrupt) {
		return s, content, Report{}, err
	}
	return f.startAgain(ctx)
}

// startAgain puts a new state in the place of a corrupt one, which keeps another name. At every moment there is a file.
func (f File) startAgain(ctx context.Context) (s *State, content []byte, report Report, err error) {
	s = New()
	if f.Refill != nil {
		if s, err = f.Refill(ctx); err != nil {
			return nil, nil, report, fmt.Errorf("%s is corrupt, and what should count still could not be found out: %w", f.Path, err)
		}
	}
	if content, err = s.Marshal(); err != nil {
		return nil, nil, report, err
	}
	aside, err := statedir.SetAside(f.Path, "corrupt", f.Now())
	if err != nil {
		return nil, nil, report, err
	}
	if err := statedir.Replace(f.Path, content); err != nil {
		return nil, nil, report, errors.Join(err, os.Remove(aside))
	}
	return s, content, Report{CorruptCopy: aside}, nil
}

// locked runs do under the lock of the file's writers.
func (f File) locked(ctx context.Context, do func() error) (err error) {
	waiting, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	lock, err := statedir.Acquire(waiting, filepath.Join(filepath.Dir(f.Path), LockName))
	if errors.Is(err, fs.ErrNotExist) {
		return errors.Join(f.directory(), err)
	}
	if err != nil {
		return fmt.Errorf("update %s: %w", f.Path, err)
	}
	defer func() {
		if rerr := lock.Release(); rerr != nil {
			err = errors.Join(err, rerr)
		}
	}()
	return do()
}
