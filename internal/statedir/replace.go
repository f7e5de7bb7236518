package statedir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"

	"github.com/google/renameio/v2"
	"golang.org/x/sys/unix"
)

// Replace replaces the whole content of path. It writes and syncs a new file, renames it to path, and syncs the directory, so that the
// content survives a power failure. The mode of a regular file that is replaced is kept, and its owner and group as far as this user may
// set them. A new file gets mode 0600 and, as root, the owner of the directory. A link at path is replaced, not followed.
//
// On an error, path has its earlier content and nothing is left beside it. In the one exception, the message says that the content is in
// place but may not survive a power failure.
func Replace(path string, data []byte) error {
	return replaceWith(path, data, newFileMode, nil)
}

// Publish is Replace for a file that others may read: a new one gets mode 0644.
func Publish(path string, data []byte) error {
	return replaceWith(path, data, publicMode, nil)
}

// ReplaceAs is Replace with that mode and owner, whatever they were before. The file has them before it has its name.
func ReplaceAs(path string, data []byte, as Access) error {
	return replaceWith(path, data, newFileMode, &as)
}

// Rewrite is Replace without syncing: a power failure may restore the earlier content or, on some file systems, empty the file.
func Rewrite(path string, data []byte) error {
	err := replace(path, data, newFileMode, nil, func(f *renameio.PendingFile) error {
		return errors.Join(f.Close(), os.Rename(f.Name(), path))
	})
	if err != nil {
		return fmt.Errorf("rewrite %s: %w", path, err)
	}
	return nil
}

func replaceWith(path string, data []byte, mode fs.FileMode, as *Access) error {
	err := replace(path, data, mode, as, (*renameio.PendingFile).CloseAtomicallyReplace)
	if err == nil {
		err = syncDir(path)
	}
	if err != nil {
		return fmt.Errorf("replace %s: %w", path, err)
	}
	return nil
}

// Create is Replace that never overwrites: if anything has the name, even a dangling link, it changes nothing and created is false. The
// name appears with the complete content or not at all.
func Create(path string, data []byte) (created bool, err error) {
	created = true
	err = replace(path, data, newFileMode, nil, func(f *renameio.PendingFile) error {
		if err := f.Sync(); err != nil {
			return err
		}
		err := os.Link(f.Name(), path)
		if errors.Is(err, fs.ErrExist) {
			created, err = false, nil
		}
		return errors.Join(err, f.Cleanup())
	})
	if err == nil {
		err = syncDir(path)
	}
	if err != nil {
		return false, fmt.Errorf("create %s: %w", path, err)
	}
	return created, nil
}

// replace writes data to a new file beside path and lets place put it there. If as is nil, the file keeps the mode and owner of the one
// before, and a new file gets mode.
func replace(path string, data []byte, mode fs.FileMode, as *Access, place func(*renameio.PendingFile) error) error {
	options := []renameio.Option{renameio.WithTempDir(filepath.Dir(path)), renameio.WithStaticPermissions(mode)}
	if as == nil {
		options = append(options, renameio.WithExistingPermissions())
	}
	f, err := renameio.NewPendingFile(path, options...)
	if err != nil {
		return err
	}
	if as == nil {
		err = inherit(f.File, path)
	} else {
		err = as.give(f.File)
	}
	if err == nil {
		_, err = f.Write(data)
	}
	if err == nil {
		err = place(f)
	}
	if err != nil {
		return errors.Join(err, f.Cleanup())
	}
	return nil
}

// syncDir makes a new name in a directory survive a power failure.
func syncDir(path string) error {
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	if err = dir.Sync(); errors.Is(err, unix.EINVAL) { // this file system cannot sync a directory
		err = nil
	}
	if err != nil {
		err = fmt.Errorf("it is in place, but may not survive a power cut: %w", err)
	}
	return errors.Join(err, dir.Close())
}

// inherit gives a new file the owner of the one it will replace, or of the directory if there is none.
func inherit(f *os.File, path string) error {
	old, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !old.Mode().IsRegular() {
		return adopt(f, filepath.Dir(path))
	}
	if err != nil {
		return err
	}
	was, ok := old.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	if os.Geteuid() == 0 {
		return giveTo(f, int(was.Uid), int(was.Gid))
	}
	if err := giveTo(f, os.Geteuid(), int(was.Gid)); err != nil && !errors.Is(err, fs.ErrPermission) {
		return err // a group that this user is not in cannot be kept, but that must not prevent writing
	}
	return nil
}

// temporaryAge is how long a temporary file of Replace or Create may be in use; normally it only exists during one write.
const temporaryAge = 10 * time.Minute

// RemoveTemporaries removes what killed writes left in dir: regular files named `.NAME` and digits, for a NAME that starts with begin, if
// they are older than ten minutes at now.
func RemoveTemporaries(dir, begin string, now time.Time) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !e.Type().IsRegular() || !temporary.MatchString(e.Name()) || !strings.HasPrefix(e.Name(), "."+begin) {
			continue
		}
		made, err := e.Info()
		if err == nil && now.Sub(made.ModTime()) >= temporaryAge {
			err = os.Remove(filepath.Join(dir, e.Name()))
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// temporary matches the names of renameio: a dot, the name, and a random number of up to 19 digits. At least sixteen are required, so
// that hidden files with a date in the name do not match (one in ten thousand random numbers is shorter).
var temporary = regexp.MustCompile(`^\..*[^0-9][0-9]{16,}$`)

const asideForm = "20060102T150405Z"

// SetAside gives the file at path an additional new name, "PATH.WHY-TIME", and returns it. Replacing path then loses nothing, and the
// file exists at every moment. A directory cannot have two names, so it is renamed.
func SetAside(path, why string, now time.Time) (string, error) {
	base := fmt.Sprintf("%s.%s-%s", path, why, now.UTC().Format(asideForm))
	for n := 1; ; n++ {
		name := base
		if n > 1 {
			name = fmt.Sprintf("%s-%d", base, n)
		}
		err := os.Link(path, name)
		if errors.Is(err, fs.ErrPermission) {
			if _, there := os.Lstat(name); errors.Is(there, fs.ErrNotExist) {
				err = os.Rename(path, name)
			}
		}
		if err == nil {
			return name, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return "", fmt.Errorf("set %s aside: %w", path, err)
		}
	}
}

// Rename renames from, which is beside path, to path and replaces what was there. The file must have been synced; like Replace, Rename
// makes the name survive a power failure.
func Rename(from, path string) error {
	if err := os.Rename(from, path); err != nil {
		return err
	}
	return syncDir(path)
}
