package statedir

import (
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// ReadFile reads a regular file of at most max bytes. A link, directory, pipe, socket or device at path is an error that wraps
// ErrNotRegular, and none of them is waited for; more than max bytes is one that wraps ErrTooLarge. A missing file is
// fs.ErrNotExist.
func ReadFile(path string, max int64) (content []byte, err error) {
	f, err := OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if errors.Is(err, unix.ENXIO) {
		return nil, fmt.Errorf("read %s: %w: it is a socket or a device", path, ErrNotRegular)
	}
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	is, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !is.Mode().IsRegular() {
		return nil, fmt.Errorf("read %s: %w: its type is %s", path, ErrNotRegular, is.Mode().Type())
	}
	if is.Size() > max {
		return nil, fmt.Errorf("read %s: %w: %d bytes, at most %d are read", path, ErrTooLarge, is.Size(), max)
	}
	return readAtMost(f, is.Size(), max)
}

// readAtMost reads to the end; size is what to expect, but the file may grow meanwhile.
func readAtMost(f *os.File, size, max int64) ([]byte, error) {
	b := make([]byte, 0, size+1)
	for {
		n, err := f.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		switch {
		case errors.Is(err, io.EOF):
			return b, nil
		case err != nil:
			return nil, err
		case int64(len(b)) > max:
			return nil, fmt.Errorf("read %s: %w: it grew past %d bytes", f.Name(), ErrTooLarge, max)
		case len(b) == cap(b):
			b = append(b, 0)[:len(b)]
		}
	}
}
