package dashboard

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/claudeops/claudeops/store"
)

// UnavailableError says why an instance's records cannot be shown now, and what to do about it.
type UnavailableError struct {
	Title  string // a few words: "No cycle has run yet"
	Advice string // what to do, one or two sentences
	Err    error
}

func (e *UnavailableError) Error() string { return e.Title + ": " + e.Err.Error() }
func (e *UnavailableError) Unwrap() error { return e.Err }

// errNoDatabase says that the state directory has no database.
var errNoDatabase = fmt.Errorf("there is no database: %w", fs.ErrNotExist)

// unavailable makes an error of the records themselves one that tells people what to do. Others pass as they are.
func (i *Instance) unavailable(err error) error {
	title, advice := i.explain(err)
	if title == "" {
		return err
	}
	return &UnavailableError{title, advice, err}
}

// explain is what is wrong with the records, and what to do; empty where an error is not of the records. That a file is missing, or may
// not be read, says something of them only where they could not be opened: pages are made of other files, too.
func (i *Instance) explain(err error) (title, advice string) {
	var (
		directory *directoryError
		already   *UnavailableError
		opening   *openError
		damage    *store.DamageError
	)
	unopened := errors.As(err, &opening)
	switch {
	case err == nil, errors.As(err, &already):
		return "", ""
	case errors.As(err, &directory):
		return i.explainDirectory(directory)
	case errors.Is(err, errReplaced):
		return "The records were replaced just now", "Load the page again."
	case errors.Is(err, store.ErrOlder):
		return "The records are of an earlier version of claudeops",
			"The next cycle brings them up to date and keeps a backup: wait for it, or run `claudeops run-once`. If cycles run with an earlier claudeops, update that."
	case errors.Is(err, store.ErrNewer):
		return "The records are of a later version of claudeops", "Update the claudeops that serves this dashboard, and start it again."
	case errors.As(err, &damage):
		return "The database is damaged",
			fmt.Sprintf("The next cycle moves %s aside and goes on with what can still be read of it: wait for it, or run `claudeops run-once`.", i.path)
	case errors.Is(err, store.ErrForeign):
		return "The database is none of claudeops, or changed by others",
			fmt.Sprintf("Look at %s: put a backup (*.bak) in its place and remove the files with -wal and -shm, or move it away for the next cycle to begin a new one.", i.path)
	case errors.Is(err, store.ErrLocked):
		return "The database is locked",
			"Another program has kept it to itself for longer than anybody waits: close what has a transaction open in it, a database browser for example, and load the page again."
	case errors.Is(err, store.ErrDenied), unopened && errors.Is(err, fs.ErrPermission):
		return "The records may not be read",
			fmt.Sprintf("Serve the dashboard as the user who runs the cycles, or let this user read and write %s and the files beside it.", i.path)
	case unopened && errors.Is(err, fs.ErrNotExist):
		return i.explainMissing()
	case errors.Is(err, store.ErrUnreadable):
		return "The database cannot be read", "Look at the disk that " + i.path + " is on."
	}
	return "", ""
}

func (i *Instance) explainMissing() (title, advice string) {
	if i.own != nil {
		return "No cycle has run yet", "The first one makes the records: wait for the schedule, or run `claudeops run-once`."
	}
	return "There is no database", fmt.Sprintf("Nothing is at %s: the first cycle makes it. If cycles have run, the path is another one.", i.path)
}

func (i *Instance) explainDirectory(err *directoryError) (title, advice string) {
	dir, named := filepath.Dir(i.path), "start the dashboard with the path of a database that is there"
	if i.own != nil {
		named = "name another one in CLAUDEOPS_STATE_DIR and start the dashboard again"
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "The state directory does not exist", fmt.Sprintf("The first cycle makes %s: run `claudeops run-once`, or %s.", dir, named)
	case errors.Is(err, fs.ErrPermission):
		return "The state directory may not be read", fmt.Sprintf("Serve the dashboard as the user who runs the cycles, or let this user into %s.", dir)
	case errors.Is(err, errNoDirectory):
		return "The state directory is no directory", fmt.Sprintf("%s is something else: %s.", dir, named)
	}
	return "The state directory cannot be read", fmt.Sprintf("Look at the disk that %s is on, or %s.", dir, named)
}
