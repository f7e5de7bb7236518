package statedir

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// ReadFile reads a file of at most max bytes, opened as by OpenFile. If it is larger, the error wraps ErrTooLarge; if it is missing, it
// is fs.ErrNotExist.
func ReadFile(path string, max int64) (content []byte, err error) {
	f, err := OpenFile(path, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	is, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if is.Size() > max {
		return nil, fmt.Errorf("read %s: %w: %d bytes, at most %d are read", path, ErrTooLarge, is.Size(), max)
	}
	return readAtMost(f, is.Size(), max)
}

// readAtMost reads to the end. size is the expected size, but the file may grow meanwhile.
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
