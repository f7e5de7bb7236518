package handoff

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/claudeops/claudeops/internal/statedir"
)

// Read reads the handoff file that the tier from wrote. If there is none, the error is fs.ErrNotExist. A link, a directory, a file that
// is too large and an invalid handoff are a *strict.InvalidError. Any other error is about reading, and says nothing about the handoff. raw is
// the content of the file, whenever it could be read, for the session's record.
func Read(path string, from int) (h Handoff, raw []byte, err error) {
	raw, err = statedir.ReadFile(path, MaxBytes)
	switch {
	case errors.Is(err, statedir.ErrNotRegular):
		return Handoff{}, nil, invalid(filepath.Base(path) + " must be a regular file, not a link, a directory or a pipe")
	case errors.Is(err, statedir.ErrTooLarge):
		return Handoff{}, nil, invalid(tooLarge)
	case err != nil:
		return Handoff{}, nil, fmt.Errorf("read handoff: %w", err)
	}
	h, err = Parse(raw, from)
	return h, raw, err
}

var tooLarge = fmt.Sprintf("%s has more than %d bytes", FileName, MaxBytes)

// Write replaces the handoff file by h, a handoff of the tier from. If h is invalid, the error is a *strict.InvalidError and the file is
// unchanged.
func Write(path string, h Handoff, from int) error {
	data, err := h.Valid(from)
	if err != nil {
		return err
	}
	return statedir.Replace(path, data)
}
