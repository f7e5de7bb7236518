package handoff

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/claudeops/claudeops/internal/statedir"
)

// Read reads the handoff file that the tier from wrote. Where there is none the error is fs.ErrNotExist. A link, a directory, a file that is
// too large and one that is not a valid handoff are an *InvalidError; any other error is one of reading, and says nothing of the handoff.
// raw is the file as it was, wherever it could be read, for the session's record.
func Read(path string, from int) (h Handoff, raw []byte, err error) {
	raw, err = statedir.ReadFile(path, MaxBytes)
	switch {
	case errors.Is(err, statedir.ErrNotRegular):
		return Handoff{}, nil, &InvalidError{Faults: []string{filepath.Base(path) + " must be a regular file, not a link, a directory or a pipe"}}
	case errors.Is(err, statedir.ErrTooLarge):
		return Handoff{}, nil, &InvalidError{Faults: []string{tooLarge}}
	case err != nil:
		return Handoff{}, nil, fmt.Errorf("read handoff: %w", err)
	}
	h, err = Parse(raw, from)
	return h, raw, err
}

var tooLarge = fmt.Sprintf("%s has more than %d bytes", FileName, MaxBytes)

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
