package broker

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"time"

	"golang.org/x/sys/unix"
)

// descriptor is a caller's standard input, output or error. A deadline interrupts its readers and writers.
type descriptor interface {
	io.ReadWriteCloser
	SetDeadline(time.Time) error
}

// openDescriptor takes ownership of fd, which a caller sent, for reading or writing. It must be something that cannot block a reader or
// writer forever: a pipe, a socket, a regular file, /dev/null, /dev/zero or /dev/full. A regular file may grow to limit bytes; 0 means no
// limit.
func openDescriptor(fd int, write bool, limit int64) (descriptor, error) {
	f := os.NewFile(uintptr(fd), "a caller's descriptor")
	var is unix.Stat_t
	if err := errors.Join(unix.Fstat(fd, &is), usable(fd, write)); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	kind := is.Mode & unix.S_IFMT
	if kind == unix.S_IFREG || kind == unix.S_IFCHR && slices.Contains(memoryDevices, is.Rdev) {
		return file{f, limit}, nil
	}
	defer func() { _ = f.Close() }() // the others are reopened or duplicated
	switch kind {
	case unix.S_IFIFO:
		return reopenPipe(fd, write)
	case unix.S_IFSOCK:
		return net.FileConn(f)
	case unix.S_IFCHR:
		return nil, errors.New("it is a device")
	case unix.S_IFDIR:
		return nil, errors.New("it is a folder")
	}
	return nil, errors.New("it is neither a pipe nor a file")
}

// memoryDevices are /dev/null, /dev/zero and /dev/full.
var memoryDevices = []uint64{unix.Mkdev(1, 3), unix.Mkdev(1, 5), unix.Mkdev(1, 7)}

// usable returns nil if the caller itself could read or write fd. Reopening it, or writing as root, must not give it more access.
func usable(fd int, write bool) error {
	flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFL, 0)
	if err != nil {
		return err
	}
	mode := flags & unix.O_ACCMODE
	switch {
	case flags&unix.O_PATH != 0:
		return errors.New("it is only the place of a file")
	case write && mode == unix.O_RDONLY:
		return errors.New("it is not open for writing")
	case !write && mode == unix.O_WRONLY:
		return errors.New("it is not open for reading")
	}
	return nil
}

// reopenPipe opens a pipe again, in non-blocking mode. Setting that mode on the caller's descriptor would affect every program that
// writes to it.
func reopenPipe(fd int, write bool) (descriptor, error) {
	mode := unix.O_RDONLY
	if write {
		mode = unix.O_WRONLY
	}
	again, err := unix.Open(fmt.Sprintf("/proc/self/fd/%d", fd), mode|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if errors.Is(err, unix.ENXIO) {
		return unread{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("open a pipe once more: %w", err)
	}
	return os.NewFile(uintptr(again), "a caller's pipe"), nil
}

// unread is a pipe without a reader.
type unread struct{}

func (unread) Read([]byte) (int, error)    { return 0, io.EOF }
func (unread) Write([]byte) (int, error)   { return 0, unix.EPIPE }
func (unread) Close() error                { return nil }
func (unread) SetDeadline(time.Time) error { return nil }

// file is a regular file, or a device that never blocks.
type file struct {
	*os.File
	limit int64
}

func (f file) Write(text []byte) (int, error) {
	if f.limit > 0 {
		if is, err := f.Stat(); err != nil || is.Size()+int64(len(text)) > f.limit {
			return 0, errors.Join(err, unix.EFBIG)
		}
	}
	return f.File.Write(text)
}
