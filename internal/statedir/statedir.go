// Package statedir creates and replaces the files below the state and results directories. It decides their owner and mode, makes sure
// that a reader sees either the old or the new content, and has locks for writers.
//
// Three rules always hold. A name that is a symbolic link is refused when a file is opened. What root creates belongs to the owner of the
// directory, so that a command run once with sudo does not lock out the service's user. What was complete stays complete: a full disk, or
// being killed at any moment, leaves the earlier content in place.
package statedir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"
)

var (
	// ErrLocked means that another process, or another holder in this one, has the lock.
	ErrLocked = errors.New("held by another process")
	// ErrTooLarge means that a file is larger than its reader accepts.
	ErrTooLarge = errors.New("file is too large")
	// ErrNotRegular means that there is a link, a directory, a pipe, a socket or a device in place of a file.
	ErrNotRegular = errors.New("not a regular file")
)

const (
	// newFileMode is the mode of a new file. Other users cannot open it, and therefore cannot lock it.
	newFileMode fs.FileMode = 0o600
	// newDirMode is the mode of a new directory until its final mode and owner are set.
	newDirMode fs.FileMode = 0o700
	// publicMode is the mode of a file that others may read.
	publicMode fs.FileMode = 0o644
)

// OpenFile is os.OpenFile for regular files: for a link, directory, pipe, socket or device at path the error wraps ErrNotRegular, and
// OpenFile never blocks on one. A file that it creates gets mode less the umask and, as root, the owner of its directory.
func OpenFile(path string, flag int, mode fs.FileMode) (*os.File, error) {
	flag |= unix.O_NOFOLLOW
	if flag&os.O_CREATE == 0 {
		return open(path, flag, 0)
	}
	for {
		f, err := open(path, flag|os.O_EXCL, mode)
		if err == nil {
			if err := adopt(f, filepath.Dir(path)); err != nil {
				return nil, errors.Join(err, f.Close(), os.Remove(path))
			}
			return f, nil
		}
		if flag&os.O_EXCL != 0 || !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
		f, err = open(path, flag&^os.O_CREATE, 0)
		if !errors.Is(err, fs.ErrNotExist) {
			return f, err
		}
		if _, lerr := os.Lstat(path); lerr == nil {
			return nil, err // it exists and does not exist; trying again would not help
		}
	}
}

// open only opens regular files, and never blocks: whoever may write to a state directory may create a pipe there.
func open(path string, flag int, mode fs.FileMode) (*os.File, error) {
	f, err := os.OpenFile(path, flag|unix.O_NONBLOCK, mode)
	switch {
	case errors.Is(err, unix.ENXIO):
		return nil, fmt.Errorf("open %s: %w: it is a pipe, a socket or a device", path, ErrNotRegular)
	case errors.Is(err, unix.EISDIR):
		return nil, fmt.Errorf("open %s: %w: it is a directory", path, ErrNotRegular)
	case errors.Is(err, unix.ELOOP):
		if link, lerr := os.Lstat(path); lerr == nil && link.Mode()&fs.ModeSymlink != 0 {
			return nil, fmt.Errorf("open %s: %w: it is a symbolic link", path, ErrNotRegular)
		}
		return nil, err
	case err != nil:
		return nil, err
	}
	is, err := f.Stat()
	if err == nil && !is.Mode().IsRegular() {
		err = fmt.Errorf("open %s: %w: its type is %s", path, ErrNotRegular, is.Mode().Type())
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Access is the mode, regardless of the umask, and the owner of a file or a directory. An id below 0 leaves the owner unchanged.
type Access struct {
	Mode     fs.FileMode
	UID, GID int
}

// AccessOf returns the access of an existing file.
func AccessOf(is fs.FileInfo) Access {
	as := Access{Mode: is.Mode().Perm(), UID: -1, GID: -1}
	if stat, ok := is.Sys().(*syscall.Stat_t); ok {
		as.UID, as.GID = int(stat.Uid), int(stat.Gid)
	}
	return as
}

func (as Access) give(f *os.File) error {
	if err := giveTo(f, as.UID, as.GID); err != nil {
		return err
	}
	return f.Chmod(as.Mode)
}

// Mkdir makes one directory, with mode less the umask and, as root, the owner of the directory above it. An existing directory is
// left as it is and is no error; a link to one is.
func Mkdir(path string, mode fs.FileMode) error {
	_, err := mkdir(path, mode, func(dir *os.File) error { return adopt(dir, filepath.Dir(path)) })
	return err
}

// MkdirAs is Mkdir with the given mode and owner, and reports whether it created the directory.
func MkdirAs(path string, as Access) (made bool, err error) {
	return mkdir(path, newDirMode, as.give)
}

// mkdir creates a directory and changes its owner through a descriptor, because by then the name may refer to something else.
func mkdir(path string, mode fs.FileMode, give func(*os.File) error) (made bool, err error) {
	err = os.Mkdir(path, mode)
	if errors.Is(err, fs.ErrExist) {
		if there, serr := os.Lstat(path); serr == nil && there.IsDir() {
			return false, nil
		}
	}
	if err != nil {
		return false, err
	}
	dir, err := os.OpenFile(path, os.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW, 0)
	if err == nil {
		err = errors.Join(give(dir), dir.Close())
	}
	if err != nil {
		return false, errors.Join(err, os.Remove(path))
	}
	return true, nil
}

// adopt gives a new file the owner of dir. Only root can do so; for others it does nothing.
func adopt(f *os.File, dir string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	uid, gid, err := ownerOf(dir)
	if err != nil {
		return err
	}
	return giveTo(f, uid, gid)
}

// giveTo changes the owner if it differs. Some file systems have no owners, and refuse even a change to the same one.
func giveTo(f *os.File, uid, gid int) error {
	made, err := f.Stat()
	if err != nil {
		return err
	}
	if is, ok := made.Sys().(*syscall.Stat_t); ok && (uid < 0 || int(is.Uid) == uid) && (gid < 0 || int(is.Gid) == gid) {
		return nil
	}
	return f.Chown(uid, gid)
}

func ownerOf(path string) (uid, gid int, err error) {
	var st unix.Stat_t
	if err := unix.Stat(path, &st); err != nil {
		return 0, 0, &fs.PathError{Op: "stat", Path: path, Err: err}
	}
	return int(st.Uid), int(st.Gid), nil
}
