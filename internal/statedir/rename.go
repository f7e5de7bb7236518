package statedir

import (
	"errors"
	"os"
	"path/filepath"
)

// Rename gives the file at from, beside path, the name path: what had it is replaced. It is for files that were synced, and makes the
// name survive a power cut as Replace does.
func Rename(from, path string) error {
	if err := os.Rename(from, path); err != nil {
		return err
	}
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	return errors.Join(syncDir(dir), dir.Close())
}
