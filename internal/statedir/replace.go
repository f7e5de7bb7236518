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

// Replace makes data the whole content of path: written beside it, synced, renamed over it, and the directory synced, so that
// it survives a power cut. It keeps the mode of a regular file that it replaces, and its owner and group as far as this user may
// give files away; a new file gets mode 0600 and, as root, the owner of the directory. A link at path is replaced, not followed.
//
// On an error path has its earlier content and nothing is left beside it. The one exception is named in its message: the
// content is in place, but whether it survives a power cut is not known.
func Replace(path string, data []byte) error {
	return replaceWith(path, data, newFileMode)
}

// Publish is Replace for a file that others are to read: a new one gets mode 0644.
func Publish(path string, data []byte) error {
	return replaceWith(path, data, publicMode)
}

// Rewrite is Replace without syncing: a power cut may take the content back, or on some file systems empty the file.
func Rewrite(path string, data []byte) error {
	err := replace(path, data, newFileMode, func(f *renameio.PendingFile) error {
		return errors.Join(f.Close(), os.Rename(f.Name(), path))
	})
	if err != nil {
		return fmt.Errorf("rewrite %s: %w", path, err)
	}
	return nil
}

func replaceWith(path string, data []byte, mode fs.FileMode) error {
	err := replace(path, data, mode, (*renameio.PendingFile).CloseAtomicallyReplace)
	if err == nil {
		err = syncDir(path)
	}
	if err != nil {
		return fmt.Errorf("replace %s: %w", path, err)
	}
	return nil
}

// Create is Replace that never overwrites: where anything has the name, a dangling link too, it changes nothing and created is
// false. The name appears with the whole content or not at all.
func Create(path string, data []byte) (created bool, err error) {
	created = true
	err = replace(path, data, newFileMode, func(f *renameio.PendingFile) error {
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

// replace writes data to a new file beside path and has place put it there.
func replace(path string, data []byte, mode fs.FileMode, place func(*renameio.PendingFile) error) error {
	f, err := renameio.NewPendingFile(path, renameio.WithTempDir(filepath.Dir(path)), renameio.WithStaticPermissions(mode),
		renameio.WithExistingPermissions())
	if err != nil {
		return err
	}
	if err = inherit(f.File, path); err == nil {
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

// syncDir makes a name that was put into a directory survive a power cut.
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

// inherit gives a new file the owner of the one it will replace, or of the directory where there is none.
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
		return err // a group that we are not in cannot be kept; that is no reason not to write
	}
	return nil
}

// temporaryAge is how long a temporary file of Replace or Create is taken to be in use: they live for the time of one write.
const temporaryAge = 10 * time.Minute

// RemoveTemporaries removes what a write that was killed left in dir: regular files named `.NAME` and digits, beside a present or former
// NAME that begins as given, that are older than ten minutes at now.
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

// temporary matches the names that renameio gives: a dot, the name, and a random number of up to 19 digits. Sixteen are asked
// for, so that no hidden file with a date in its name is meant (a shorter number comes once in ten thousand times).
var temporary = regexp.MustCompile(`^\..*[^0-9][0-9]{16,}$`)

const asideForm = "20060102T150405Z"

// SetAside gives the file at path a second name that nothing has, "PATH.WHY-TIME", and returns it: whoever replaces path next loses
// nothing, and at every moment there is a file. A directory cannot have two names: it is moved.
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

// Rename gives the file at from, beside path, the name path: what had it is replaced. It is for files that were synced, and makes the
// name survive a power cut as Replace does.
func Rename(from, path string) error {
	if err := os.Rename(from, path); err != nil {
		return err
	}
	return syncDir(path)
}
