package dashboard

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// files tell whether a database is still the one that was opened. A backup may be moved into its place, which makes it another file, or
// copied over it and its log removed, which makes the log another one.
type files struct {
	database, log, index file
	beside               stamp
}

// file is what tells one file from another; its zero value is one that is not there, or not for us to see.
type file struct{ device, inode uint64 }

// stamp is what tells whether a file has changed.
type stamp struct {
	file
	size    int64
	changed unix.Timespec
}

func filesOf(path, beside string) files {
	f := files{database: stampOf(path).file, log: stampOf(path + "-wal").file, index: stampOf(path + "-shm").file}
	if beside != "" {
		f.beside = stampOf(beside)
	}
	return f
}

func stampOf(path string) stamp {
	var is unix.Stat_t
	if unix.Stat(path, &is) != nil { // whoever opens it is told why
		return stamp{}
	}
	return stamp{file{is.Dev, is.Ino}, is.Size, is.Ctim}
}

// stillThere reports whether what was there is there yet; a log may have come.
func (f files) stillThere(path string) bool {
	now := filesOf(path, "")
	return f.database == now.database && (f.log == file{} || f.log == now.log) && (f.index == file{} || f.index == now.index)
}

var errNoDirectory = errors.New("it is no directory")

func isDirectory(dir string) error {
	is, err := os.Stat(dir)
	if err == nil && !is.IsDir() {
		err = errNoDirectory
	}
	if err != nil {
		return &directoryError{err}
	}
	return nil
}

// directoryError is what is wrong with the directory of a database.
type directoryError struct{ err error }

func (e *directoryError) Error() string { return "the state directory: " + e.err.Error() }
func (e *directoryError) Unwrap() error { return e.err }
