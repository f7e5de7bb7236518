package statefile

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/claudeops/claudeops/internal/statedir"
)

// What is fixed of the file.
const (
	LockName = "cooldown.lock" // beside the state file
	MaxBytes = 64 << 20        // of a state file that is read

	lockWait = 10 * time.Second
)

// File is the place where a state is stored. Writers that use it take turns; others (jq, an editor) should move a complete file into
// place.
type File struct {
	Path string
	Now  func() time.Time
	// Refill returns the state that replaces a corrupt or missing file: what is known from elsewhere and still counts. Nil means New. If it
	// fails, nothing is replaced.
	Refill func(context.Context) (*State, error)
	// Within, if it is not nil, runs each update, from reading the file to writing it: in a transaction of what is stored
	// elsewhere, which is committed once the file is written.
	Within func(ctx context.Context, update func() error) error
}

// Path returns the path of the state file in a state directory.
func Path(stateDir string) string { return filepath.Join(stateDir, FileName) }

// Read returns the current state. A missing file is what Refill returns, and is not created. The error for a corrupt file is ErrCorrupt:
// an update replaces it. Everything else (a directory that is missing or not readable, a link or a directory with the file's name, more
// than MaxBytes) is another error.
func (f File) Read(ctx context.Context) (*State, error) {
	s, _, err := f.load(ctx)
	if errors.Is(err, ErrCorrupt) {
		err = fmt.Errorf("%w; the next cycle renames it and restores the state from the database", err)
	}
	return s, err
}

// Update reads the state, applies change to it, and writes it back, without another File interfering. It also drops old records and
// corrects times (State.Tidy). If the content does not change, the file is not touched. An error of change is returned as it is, and
// nothing is written. change may take its time: others wait ten seconds for the lock, whatever becomes of their ctx.
//
// A corrupt file is replaced before change is called, and a missing one is created. If records that still count were
// then filled in, or a corrupt file was moved, remade says so after the file's name, whatever the error.
func (f File) Update(ctx context.Context, change func(*State) error) (remade string, err error) {
	waiting, cancel := context.WithTimeout(context.WithoutCancel(ctx), lockWait)
	defer cancel()
	lock, err := statedir.Acquire(waiting, filepath.Join(filepath.Dir(f.Path), LockName))
	if err != nil {
		return "", errors.Join(f.directory(), fmt.Errorf("update %s: %w", f.Path, err))
	}
	update := func() error {
		s, was, mended, err := f.mended(ctx)
		remade = mended
		if err != nil {
			return err
		}
		if err := change(s); err != nil {
			return err
		}
		s.Tidy(f.Now())
		return f.write(s, was)
	}
	if f.Within == nil {
		err = update()
	} else {
		err = f.Within(ctx, update)
	}
	return remade, cmp.Or(err, lock.Release())
}

// write writes a state to the file unless its content is the same.
func (f File) write(s *State, was []byte) error {
	is, err := s.Marshal()
	if err != nil || bytes.Equal(is, was) {
		return err
	}
	return statedir.Replace(f.Path, is)
}

// load reads the file. A missing file returns what Refill returns, and no content.
func (f File) load(ctx context.Context) (*State, []byte, error) {
	content, err := statedir.ReadFile(f.Path, MaxBytes)
	if errors.Is(err, fs.ErrNotExist) {
		if err := f.directory(); err != nil {
			return nil, nil, err
		}
		s, err := f.refill(ctx)
		return s, nil, err
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

// directory returns an error if the state directory does not exist.
func (f File) directory() error {
	dir := filepath.Dir(f.Path)
	_, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the state directory %s does not exist; create it, or name another in CLAUDEOPS_STATE_DIR: %w", dir, fs.ErrNotExist)
	}
	return err
}

// mended is load for the holder of the lock, who replaces a corrupt file, and keeps it under another name. The file exists at every moment.
func (f File) mended(ctx context.Context) (s *State, content []byte, remade string, err error) {
	s, content, err = f.load(ctx)
	if err == nil && content == nil && len(s.Services) > 0 {
		return s, nil, "was missing", nil
	}
	if !errors.Is(err, ErrCorrupt) {
		return s, content, "", err
	}
	if s, err = f.refill(ctx); err != nil {
		return nil, nil, "", err
	}
	aside, err := statedir.SetAside(f.Path, "corrupt", f.Now())
	if err != nil {
		return nil, nil, "", err
	}
	if err := f.write(s, nil); err != nil {
		return nil, nil, "", errors.Join(err, os.Remove(aside))
	}
	return s, nil, "could not be read, and was moved to " + aside, nil
}

// refill returns the state that replaces a corrupt or missing file.
func (f File) refill(ctx context.Context) (*State, error) {
	if f.Refill == nil {
		return New(), nil
	}
	s, err := f.Refill(ctx)
	if err != nil {
		return nil, fmt.Errorf("%s is corrupt or missing, and the records that still count could not be determined: %w", f.Path, err)
	}
	return s, nil
}

// ErrCorrupt means that a state file does not contain a state. The error that wraps it says what it contains.
var ErrCorrupt = errors.New("not a cooldown state")

// Parse parses a state written by this program, by jq or by a person. It fails with ErrCorrupt if data is not a JSON
// object in UTF-8, has a duplicate name, or has something of another type in place of a member; times are as RFC 3339
// writes them. A null or missing member is an empty one.
func Parse(data []byte) (*State, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if !bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte("{")) {
		return nil, fmt.Errorf("%w: it does not begin with {", ErrCorrupt)
	}
	s := New()
	if err := json.Unmarshal(data, s); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	if s.Services == nil {
		s.Services = map[string]*Service{}
	}
	for name := range s.Services {
		is := s.Ensure(name)
		is.ConsecutiveHealthy = max(is.ConsecutiveHealthy, 0)
	}
	return s, nil
}

// Marshal returns the file's content: services sorted by name, two spaces of indentation, a newline at the end. It
// fails if a name or a text is not UTF-8, or if Extra is not an object or contains the name of a field.
func (s *State) Marshal() ([]byte, error) {
	text, err := json.Marshal(s, json.Deterministic(true), jsontext.WithIndent("  "))
	if err != nil {
		return nil, fmt.Errorf("write the cooldown state as JSON: %w", err)
	}
	return append(text, '\n'), nil
}
