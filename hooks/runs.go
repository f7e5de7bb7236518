package hooks

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/go-json-experiment/json"
	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/internal/statedir"
)

// A run that has not ended is a file in a directory beside the state file. Its name is the id of the run, and its content says which hook
// runs and, once it has ended, how. The wrapper holds a lock on the file while it waits for its hook, and the kernel releases the lock
// however the wrapper ends. So the lock shows whether the wrapper is alive; process ids would not, across containers or after a reboot.
//
// This way the state file, which holds all hooks, is written once per run and not twice. The run's file is removed when the run has been
// counted; between the two steps, Hook.Counted lists the run. All of this happens under the state file's lock.

// runs is that directory.
type runs string

// record is the content of a run's file: the first line says what runs, the second how it ended.
type record struct {
	Hook string `json:"hook"`
	Run  Run    `json:"run"`

	id    string
	lives bool     // its wrapper is alive
	ended *Outcome // nil: not known
}

// maxRecord limits what is read of a run's file, in bytes: a command may be long.
const maxRecord = 1 << 20

// newID returns a new id for a run.
func newID() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails: crypto/rand ends the program first
	return hex.EncodeToString(b[:])
}

func isID(id string) bool {
	b, err := hex.DecodeString(id)
	return err == nil && len(b) == 8
}

// own is the file of a run that this process waits for.
type own struct{ file *os.File }

// begin creates the file of a run, and locks it.
func (dir runs) begin(id, hook string, run Run) (*own, error) {
	text, err := json.Marshal(record{Hook: hook, Run: run})
	if err != nil {
		return nil, fmt.Errorf("note a run: %w", err)
	}
	if err := statedir.Mkdir(string(dir), 0o700); err != nil {
		return nil, err
	}
	path := filepath.Join(string(dir), id)
	f, err := statedir.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	o := &own{f}
	if err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err == nil {
		_, err = f.Write(append(text, '\n'))
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("note a run: %w", err), o.remove())
	}
	return o, nil
}

// note writes how the run ended. If the run cannot be counted now, the next reader counts it.
func (o *own) note(outcome Outcome) error {
	text, err := json.Marshal(outcome)
	if err == nil {
		_, err = o.file.Write(append(text, '\n'))
	}
	return err
}

// there reports whether the file is still the run's; a reset of the hook removes it.
func (o *own) there() bool {
	is, err := os.Lstat(o.file.Name())
	mine, merr := o.file.Stat()
	return err == nil && merr == nil && os.SameFile(is, mine)
}

// remove removes the file, because the run is counted or did not begin.
func (o *own) remove() error {
	var err error
	if o.there() {
		err = os.Remove(o.file.Name())
	}
	return errors.Join(err, o.file.Close())
}

// drop closes the file without removing it.
func (o *own) drop() error { return o.file.Close() }

// all reads every run that has not been counted. Files of other kinds, and incomplete ones, are removed unless a wrapper holds them.
func (dir runs) all() (map[string][]record, error) { return dir.each(dir.remove) }

// each is all with another action on those leftovers.
func (dir runs) each(left func(id string) error) (map[string][]record, error) {
	if is, err := os.Lstat(string(dir)); err == nil && !is.IsDir() {
		return nil, nil
	}
	entries, err := os.ReadDir(string(dir))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ENOTDIR) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	found := map[string][]record{}
	for _, e := range entries {
		if !isID(e.Name()) {
			continue
		}
		r, err := dir.read(e.Name())
		if err != nil {
			return nil, err
		}
		switch {
		case r.Hook != "":
			found[r.Hook] = append(found[r.Hook], r)
		case !r.lives:
			if err := left(r.id); err != nil {
				return nil, err
			}
		}
	}
	return found, nil
}

func (dir runs) read(id string) (r record, err error) {
	r.id = id
	f, err := statedir.OpenFile(filepath.Join(string(dir), id), os.O_RDONLY, 0)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, statedir.ErrNotRegular) {
		return r, nil
	}
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if r.lives = errors.Is(err, unix.EWOULDBLOCK); !r.lives && err != nil {
		return r, err
	}
	text := make([]byte, maxRecord)
	n, err := f.ReadAt(text, 0)
	if n == 0 && err != nil {
		return r, nil // empty or unreadable
	}
	what, rest, whole := bytes.Cut(text[:n], []byte("\n"))
	if !whole || json.Unmarshal(what, &r) != nil {
		return record{id: id, lives: r.lives}, nil
	}
	outcome, _, whole := bytes.Cut(rest, []byte("\n"))
	var o Outcome
	if whole && json.Unmarshal(outcome, &o) == nil {
		r.ended = &o
	}
	return r, nil
}

// remove removes the file of a run.
func (dir runs) remove(id string) error {
	err := os.RemoveAll(filepath.Join(string(dir), id)) // it may be something other than a file
	if err != nil {
		return fmt.Errorf("remove the file of a run: %w", err)
	}
	return nil
}

// left returns the runs of a list whose files still exist.
func (dir runs) left(counted []string) []string {
	return slices.DeleteFunc(slices.Clone(counted), func(id string) bool {
		if !isID(id) {
			return true
		}
		_, err := os.Lstat(filepath.Join(string(dir), id))
		return err != nil
	})
}
