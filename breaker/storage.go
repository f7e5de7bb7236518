package breaker

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
	maxStateBytes = 64 << 20
	// An editor that writes into the file empties it first. What cannot be read is looked at again after so long, before it is taken
	// for corrupt.
	secondLook  = 20 * time.Millisecond
	corruptForm = "20060102T150405Z"
)

// makeDirectory makes a directory and those above it, for their owner alone.
func makeDirectory(path string) error {
	err := statedir.Mkdir(path, 0o700)
	if !errors.Is(err, fs.ErrNotExist) || filepath.Dir(path) == path {
		return err
	}
	if err := makeDirectory(filepath.Dir(path)); err != nil {
		return err
	}
	return statedir.Mkdir(path, 0o700)
}

// lockState takes the lock of the state file at path, whose directory it makes where there is none.
func lockState(ctx context.Context, path string) (*statedir.Lock, error) {
	l, err := statedir.Acquire(ctx, path+".lock")
	if !errors.Is(err, fs.ErrNotExist) {
		return l, err
	}
	if err := makeDirectory(filepath.Dir(path)); err != nil {
		return nil, err
	}
	return statedir.Acquire(ctx, path+".lock")
}

// loadState reads the state file. A missing or an empty one is a state without hooks; a corrupt one is set aside first, and note says so.
func loadState(ctx context.Context, path string, now time.Time) (d *document, note string, err error) {
	text, err := readStateFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return emptyDocument(), "", nil
	}
	if err != nil && !errors.Is(err, statedir.ErrTooLarge) {
		return nil, "", err
	}
	if err == nil {
		if d, err = parseDocument(text); err == nil {
			return d, "", nil
		}
		select {
		case <-ctx.Done():
		case <-time.After(secondLook):
		}
		again, rerr := readStateFile(path)
		if rerr == nil && !bytes.Equal(again, text) {
			if d, derr := parseDocument(again); derr == nil {
				return d, "", nil
			}
		}
	}
	if len(bytes.TrimSpace(text)) == 0 && !errors.Is(err, statedir.ErrTooLarge) {
		return emptyDocument(), fmt.Sprintf("%s was empty: what it held of the hooks' failures is lost", path), nil
	}
	aside, serr := setAside(path, now)
	if serr != nil {
		return nil, "", fmt.Errorf("read %s: %w; and it could not be set aside: %w", path, err, serr)
	}
	return emptyDocument(), fmt.Sprintf("%s was corrupt and is now %s: %v", path, filepath.Base(aside), err), nil
}

func readStateFile(path string) ([]byte, error) { return statedir.ReadFile(path, maxStateBytes) }

// setAside gives a file a name that nothing has.
func setAside(path string, now time.Time) (string, error) {
	base := path + ".corrupt-" + now.UTC().Format(corruptForm)
	name := base
	for n := 2; ; n++ {
		if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			return name, os.Rename(path, name)
		} else if err != nil {
			return "", err
		}
		name = fmt.Sprintf("%s-%d", base, n)
	}
}

// saveState puts the document in the place of the state file. durable is for what must survive a power cut.
func saveState(path string, d *document, durable bool) error {
	parts := d.parts()
	size := 0
	for _, p := range parts {
		size += len(p)
	}
	if size > maxStateBytes {
		return fmt.Errorf("write %s: %w: it would have %d bytes, at most %d are read again", path, statedir.ErrTooLarge, size, maxStateBytes)
	}
	return statedir.Rewrite(path, 0o600, durable, parts...)
}
