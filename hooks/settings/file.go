package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/claudeops/claudeops/internal/statedir"
)

// maxSize limits a settings file, in bytes.
const maxSize = 16 << 20

// ErrChanged means that a file has changed since it was read.
var ErrChanged = errors.New("it was changed at the same time; nothing was written, try again")

// File is a settings file as it was read.
type File struct {
	Path    string // as given
	Content []byte
	Missing bool
	target  string // the target of Path, with symbolic links resolved
}

// Open reads a settings file. A file that does not exist is empty and Missing; a dangling link is an error.
func Open(path string) (*File, error) {
	target, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		if _, lerr := os.Lstat(path); lerr == nil {
			return nil, fmt.Errorf("%s is a symbolic link that leads nowhere", path)
		}
		return &File{Path: path, Missing: true, target: path}, nil
	}
	if err != nil {
		return nil, err
	}
	content, err := statedir.ReadFile(target, maxSize)
	if err != nil {
		return nil, err
	}
	return &File{Path: path, Content: content, target: target}, nil
}

// Same reports whether two paths lead to the same file.
func (f *File) Same(other *File) bool { return f.target == other.target }

// Write replaces the content and keeps mode and owner; a symbolic link stays, and its target is replaced. The old content is first
// written to a new file beside it, whose path is returned; a missing file has no backup. If the file has changed since it was read,
// nothing is written and the error is ErrChanged.
func (f *File) Write(content []byte, now time.Time) (backup string, err error) {
	if f.Missing {
		if err := os.MkdirAll(filepath.Dir(f.target), 0o700); err != nil {
			return "", err
		}
		created, err := statedir.Create(f.target, content)
		if err == nil && !created {
			err = fmt.Errorf("%s: %w", f.Path, ErrChanged)
		}
		return "", err
	}
	is, err := os.Stat(f.target)
	if err != nil {
		return "", err
	}
	if backup, err = f.backup(is, now); err != nil {
		return "", fmt.Errorf("back up %s: %w", f.Path, err)
	}
	if there, err := statedir.ReadFile(f.target, maxSize); err != nil || !bytes.Equal(there, f.Content) {
		return "", errors.Join(fmt.Errorf("%s: %w", f.Path, ErrChanged), err, os.Remove(backup))
	}
	return backup, statedir.Replace(f.target, content)
}

// backup writes the content beside the file, with its mode and owner.
func (f *File) backup(is fs.FileInfo, now time.Time) (path string, err error) {
	base := f.Path + ".backup-" + now.UTC().Format("20060102T150405Z")
	path = base
	created, err := statedir.Create(path, f.Content)
	for n := 2; err == nil && !created; n++ {
		path = fmt.Sprintf("%s-%d", base, n)
		created, err = statedir.Create(path, f.Content)
	}
	if err != nil {
		return "", err
	}
	err = os.Chmod(path, is.Mode().Perm())
	if owner, ok := is.Sys().(*syscall.Stat_t); ok && os.Geteuid() == 0 {
		err = errors.Join(err, os.Chown(path, int(owner.Uid), int(owner.Gid)))
	}
	if err != nil {
		return "", errors.Join(err, os.Remove(path))
	}
	return path, nil
}

// WriteScript writes the script of SetPrefix as an executable. It replaces only a file that IsPrefixScript recognises.
func WriteScript(path string, text []byte) error {
	if err := knownScript(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	if err := statedir.Replace(path, text); err != nil {
		return err
	}
	return os.Chmod(path, 0o755)
}

// RemoveScript removes a script that WriteScript has written. It does nothing if there is none.
func RemoveScript(path string) error {
	err := knownScript(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return os.Remove(path)
}

func knownScript(path string) error {
	text, err := statedir.ReadFile(path, maxSize)
	if err != nil {
		return err
	}
	if !IsPrefixScript(text) {
		return fmt.Errorf("%s is a file that install has not written; it is left as it is", path)
	}
	return nil
}
