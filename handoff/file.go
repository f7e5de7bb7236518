package handoff

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/claudeops/claudeops/internal/statedir"
)

// Read reads the handoff file that the tier from wrote. Where there is none the
// error is fs.ErrNotExist. A link, a directory, a file that is too large and one
// that is not a valid handoff are an *InvalidError; any other error is one of
// reading, and says nothing of the handoff.
// raw is the file as it was, wherever it could be read, for the session's record.
func Read(path string, from int) (h Handoff, raw []byte, err error) {
	raw, err = statedir.ReadFile(path, MaxBytes)
	switch {
	case errors.Is(err, statedir.ErrNotRegular), errors.Is(err, statedir.ErrTooLarge):
		return Handoff{}, nil, &InvalidError{Faults: []string{unreadable(path)}}
	case err != nil:
		return Handoff{}, nil, fmt.Errorf("read handoff: %w", err)
	}
	h, err = Parse(raw, from)
	return h, raw, err
}

// unreadable says what is at path instead of a handoff file.
func unreadable(path string) string {
	what := "not a regular file"
	if info, err := os.Lstat(path); err == nil {
		switch mode := info.Mode(); {
		case mode.IsRegular():
			return tooLarge(info.Size())
		case mode.IsDir():
			what = "a directory"
		case mode&fs.ModeSymlink != 0:
			what = "a symbolic link"
		case mode&fs.ModeNamedPipe != 0:
			what = "a named pipe"
		}
	}
	return fmt.Sprintf("%s is %s; must be a regular file", filepath.Base(path), what)
}

func tooLarge(size int64) string {
	return fmt.Sprintf("%d bytes; a handoff has at most %d", size, MaxBytes)
}

// Write replaces the handoff file by h, a handoff of the tier from. What is not
// valid is an *InvalidError, and the file is as it was.
func Write(path string, h Handoff, from int) error {
	data, err := h.validMarshal(from)
	if err != nil {
		return err
	}
	if err := statedir.Replace(path, data); err != nil {
		return fmt.Errorf("write handoff: %w", err)
	}
	return nil
}

// Remove removes whatever is at path; that nothing is there is no error.
// A link is removed, not what it points to. A directory is removed with all
// that is in it: by this name in the state directory it can only be garbage.
// Therefore it must be this name.
func Remove(path string) error {
	if filepath.Base(path) != FileName {
		return fmt.Errorf("remove handoff: %s is not named %s", path, FileName)
	}
	if err := os.RemoveAll(path); err != nil {
		return fmt.Errorf("remove handoff: %w", err)
	}
	return nil
}
