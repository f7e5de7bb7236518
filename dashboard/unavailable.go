package dashboard

import (
	"errors"
	"io/fs"
	"strings"

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
	for _, c := range []struct {
		is            bool
		title, advice string // PATH is the database's
	}{
		{
			errors.Is(err, store.ErrOlder), "The records are of an earlier version of claudeops",
			"The next cycle brings them up to date and keeps a backup: wait for it, or run `claudeops run-once`. " +
				"If cycles run with an earlier claudeops, update that.",
		},
		{
			errors.Is(err, store.ErrNewer), "The records are of a later version of claudeops",
			"Update the claudeops that serves this dashboard, and start it again.",
		},
		{
			errors.As(err, new(*store.UnusableError)), "The database cannot be used",
			"The next cycle sets PATH aside and begins a new one: wait for it, or run `claudeops run-once`.",
		},
		{
			errors.Is(err, store.ErrForeign), "The database is none of claudeops",
			"Look at PATH: put a backup (*.bak) in its place and remove the files with -wal and -shm, or move it " +
				"away for the next cycle to begin a new one.",
		},
		{
			errors.Is(err, store.ErrLocked), "The database is locked",
			"Another program has had it locked for too long: close what has a transaction open in it, a database browser " +
				"for example, and load the page again.",
		},
		{
			errors.Is(err, store.ErrDenied) || opening && errors.Is(err, fs.ErrPermission),
			"The records may not be read",
			"Serve the dashboard as the user who runs the cycles, or let this user read and write PATH and the files " +
				"beside it.",
		},
		{
			opening && errors.Is(err, fs.ErrNotExist), "No cycle has run yet",
			"The first one makes PATH: wait for the schedule, or run `claudeops run-once`. " +
				"If cycles have another CLAUDEOPS_STATE_DIR, start the dashboard with that.",
		},
		{errors.Is(err, store.ErrUnreadable), "The database cannot be read", "Look at the disk that PATH is on."},
	} {
		if c.is {
			return &UnavailableError{c.title, strings.ReplaceAll(c.advice, "PATH", i.path), err}
		}
	}
	return err
}
