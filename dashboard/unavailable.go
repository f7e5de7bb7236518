package dashboard

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/claudeops/claudeops/store"
)

// UnavailableError means that the records cannot be shown now, with a remedy.
type UnavailableError struct {
	Title  string // a few words: "No cycle has run yet"
	Advice string // the remedy, one or two sentences
	Err    error
}

func (e *UnavailableError) Error() string { return e.Title + ": " + e.Err.Error() }
func (e *UnavailableError) Unwrap() error { return e.Err }

// unavailable converts an error of the records to an *UnavailableError, and returns others unchanged. A missing or unreadable file
// concerns the records only if opening them failed, since pages also read other files.
func (i *Instance) unavailable(err error, opening bool) error {
	var unusable *store.UnusableError
	var title, advice string
	missing := opening && errors.Is(err, fs.ErrNotExist)
	switch {
	case err == nil:
		return nil
	case opening && !isDirectory(filepath.Dir(i.path)):
		return i.explainDirectory()
	case errors.Is(err, store.ErrOlder):
		title = "The records are of an earlier version of claudeops"
		advice = "The next cycle brings them up to date and keeps a backup: wait for it, or run `claudeops run-once`. " +
			"If cycles run with an earlier claudeops, update that."
	case errors.Is(err, store.ErrNewer):
		title, advice = "The records are of a later version of claudeops", "Update the claudeops that serves this dashboard, and start it again."
	case errors.As(err, &unusable):
		title = "The database cannot be used"
		advice = fmt.Sprintf("The next cycle sets %s aside and begins a new one: wait for it, or run `claudeops run-once`.", i.path)
	case errors.Is(err, store.ErrForeign):
		title = "The database is none of claudeops"
		advice = fmt.Sprintf("Look at %s: put a backup (*.bak) in its place and remove the files with -wal and -shm, or move it away "+
			"for the next cycle to begin a new one.", i.path)
	case errors.Is(err, store.ErrLocked):
		title = "The database is locked"
		advice = "Another program has had it locked for too long: close what has a transaction open in it, a database browser for example, " +
			"and load the page again."
	case errors.Is(err, store.ErrDenied), opening && errors.Is(err, fs.ErrPermission):
		title = "The records may not be read"
		advice = fmt.Sprintf("Serve the dashboard as the user who runs the cycles, or let this user read and write %s and the files beside it.", i.path)
	case missing:
		title, advice = "No cycle has run yet", "The first one makes the records: wait for the schedule, or run `claudeops run-once`."
	case errors.Is(err, store.ErrUnreadable):
		title, advice = "The database cannot be read", "Look at the disk that "+i.path+" is on."
	default:
		return err
	}
	return &UnavailableError{title, advice, err}
}

func isDirectory(path string) bool {
	is, err := os.Stat(path)
	return err == nil && is.IsDir()
}

// explainDirectory describes what is wrong with the state directory.
func (i *Instance) explainDirectory() error {
	dir := filepath.Dir(i.path)
	const named = "name another one in CLAUDEOPS_STATE_DIR and start the dashboard again"
	_, err := os.Stat(dir)
	title, advice := "The state directory cannot be read", fmt.Sprintf("Look at the disk that %s is on, or %s.", dir, named)
	switch {
	case err == nil:
		err = errors.New("it is no directory")
		title, advice = "The state directory is no directory", fmt.Sprintf("%s is something else: %s.", dir, named)
	case errors.Is(err, fs.ErrNotExist):
		title, advice = "The state directory does not exist", fmt.Sprintf("The first cycle makes %s: run `claudeops run-once`, or %s.", dir, named)
	case errors.Is(err, fs.ErrPermission):
		title = "The state directory may not be read"
		advice = fmt.Sprintf("Serve the dashboard as the user who runs the cycles, or let this user into %s.", dir)
	}
	return &UnavailableError{title, advice, fmt.Errorf("the state directory: %w", err)}
}
