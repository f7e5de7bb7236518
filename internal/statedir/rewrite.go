package statedir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// rewriteSuffix is what Rewrite adds to a name for the file that it fills. It is always the same one: whoever is killed leaves it to
// the next, and never more than one.
const rewriteSuffix = ".new"

// Rewrite makes parts, one after the other, the whole content of path, for the holder of a lock that all writers of path take. As
// with Replace a reader sees the old or the new content; owner, group and mode are those of the file replaced, and mode is that of a
// new one. Only where durable is set is it synced: without, a power cut may take the content back, or on some file systems empty it.
//
// On an error path has its earlier content, but for the one exception that Replace names too.
func Rewrite(path string, mode fs.FileMode, durable bool, parts ...[]byte) error {
	if err := rewrite(path, mode, durable, parts); err != nil {
		return fmt.Errorf("rewrite %s: %w", path, err)
	}
	return nil
}

func rewrite(path string, mode fs.FileMode, durable bool, parts [][]byte) error {
	f, err := openNew(path + rewriteSuffix)
	if err != nil {
		return err
	}
	err = fillParts(f, path, mode, parts)
	if err == nil && durable {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	if !durable {
		return nil
	}
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	return errors.Join(syncDir(dir), dir.Close())
}

// openNew makes the file anew: whatever a killed predecessor, or somebody else, left under its name may be open elsewhere.
func openNew(path string) (*os.File, error) {
	f, err := OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if !errors.Is(err, fs.ErrExist) {
		return f, err
	}
	if err := os.Remove(path); err != nil {
		return nil, err
	}
	return OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
}

func fillParts(f *os.File, path string, mode fs.FileMode, parts [][]byte) error {
	if err := inherit(f, path); err != nil {
		return err
	}
	if old, err := os.Lstat(path); err == nil && old.Mode().IsRegular() {
		mode = old.Mode().Perm()
	}
	if mode != 0o600 {
		if err := f.Chmod(mode); err != nil {
			return err
		}
	}
	for _, part := range parts {
		if _, err := f.Write(part); err != nil {
			return err
		}
	}
	return nil
}
