package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/cycle"
	"github.com/claudeops/claudeops/internal/statedir"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// doctor's checks of the state and results directories. They change nothing there.

const notYet = "not there yet; the first cycle makes it"

// directory reports whether files can be created in a directory, or the directory itself.
func directory(variable, path string) finding {
	fault, remedy, err := unwritable(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		above := nearest(path)
		if fault, _, _ := unwritable(above); fault != "" {
			return fail(path+" cannot be made: "+fault, "make it, or set "+variable)
		}
		return ok(path + " will be made by the first cycle")
	case fault != "":
		return fail(fault, remedy+", or set "+variable)
	}
	return ok(path)
}

// unwritable returns why this user cannot create files in a directory, and the remedy; empty if it can. err is an error of the check
// itself.
func unwritable(dir string) (fault, remedy string, err error) {
	is, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "there is no directory " + dir, "make it", err
	case err != nil:
		return err.Error(), "make it", err
	case !is.IsDir():
		return dir + " is no directory", "move it away", nil
	}
	if denied := unix.Access(dir, unix.W_OK|unix.X_OK); denied != nil {
		fault, remedy = dir+" cannot be written by this user ("+denied.Error()+")", "make it writable"
	}
	return fault, remedy, nil
}

// nearest returns path or its nearest existing parent.
func nearest(path string) string {
	for {
		if _, err := os.Stat(path); err == nil || path == filepath.Dir(path) {
			return path
		}
		path = filepath.Dir(path)
	}
}

// localDisk fails for network file systems, where SQLite's log and locks are unreliable.
func localDisk(path string) finding {
	var st unix.Statfs_t
	if err := unix.Statfs(nearest(path), &st); err != nil {
		return fail(path+": "+err.Error(), "locks and the database need a local file system")
	}
	remote := map[int64]string{unix.NFS_SUPER_MAGIC: "NFS", unix.SMB_SUPER_MAGIC: "SMB", unix.SMB2_SUPER_MAGIC: "SMB", unix.CIFS_SUPER_MAGIC: "SMB"}
	if kind := remote[st.Type]; kind != "" {
		return fail(path+" is on "+kind, "locks and the database need a local file system: move CLAUDEOPS_STATE_DIR")
	}
	return ok("local")
}

func (a *app) cycleLock(c config.Config) finding {
	if _, err := os.Stat(filepath.Join(c.StateDir, statedir.CycleLock)); err != nil {
		return ok("free") // checking would create it
	}
	by, _ := statedir.CycleHolder(c.StateDir)
	if why := a.hangs(c, by); why != "" {
		return fail("held: "+why, strings.Join(by.Remedies(), ", ")+"; the next cycle recovers what it leaves")
	}
	release, err := cycle.Lock(c.StateDir)
	if err == nil {
		err = release()
	}
	switch {
	case errors.Is(err, cycle.ErrRunning):
		return warn("held: a cycle is running, "+by.String(), "a run-once now would exit 75")
	case err != nil:
		return fail(err.Error(), "may this user open it?")
	}
	return ok("free")
}

// deliveryLock reports whether a stopped process blocks delivery.
func deliveryLock(stateDir string) finding {
	if by, held := statedir.HolderOf(filepath.Join(stateDir, notify.LockName)); held && by.Stopped {
		return fail(fmt.Sprintf("held by %s: no message goes out", by), strings.Join(by.Remedies(), ", "))
	}
	return ok("held by no process that is stopped")
}

// database opens the database and reads from each of its larger tables.
func database(ctx context.Context, stateDir string) finding {
	path := filepath.Join(stateDir, store.FileName)
	err := readable(ctx, path)
	var unusable *store.UnusableError
	switch {
	case err == nil:
		return ok(path)
	case errors.As(err, &unusable):
		return warn(path+" cannot be used: "+text.Line(unusable.Why), "the next cycle sets it aside and begins a new one, without the history")
	case errors.Is(err, fs.ErrNotExist):
		return ok(notYet)
	case errors.Is(err, store.ErrOlder):
		return warn(path+" is of an earlier version of claudeops", "the next cycle migrates it, after a backup beside it")
	case errors.Is(err, store.ErrNewer):
		return fail(path+" is of a later version of claudeops", "update claudeops, or put the backup from before (*.bak) in its place")
	case errors.Is(err, store.ErrForeign):
		return fail(err.Error(), "put a backup (*.bak) in its place if there is one, and remove the files with -wal and -shm")
	}
	return fail(err.Error(), "run claudeops as the owner of the state directory")
}

// readable reads the database.
func readable(ctx context.Context, path string) error {
	s, err := store.Open(ctx, path, store.ReadOnly)
	if err != nil {
		return err
	}
	const enough = 1000
	_, sessions := s.Sessions(ctx, store.SessionFilter{Limit: enough})
	_, events := s.Events(ctx, store.EventFilter{Limit: enough})
	_, incidents := s.Incidents(ctx, store.IncidentFilter{Limit: enough})
	_, acts := s.ActsSince(ctx, time.Time{})
	return errors.Join(sessions, events, incidents, acts, s.Close())
}

// cooldowns reads cooldown.json. A cycle can run without it.
func cooldowns(stateDir string) finding {
	path := statefile.Path(stateDir)
	text, err := statedir.ReadFile(path, statefile.MaxBytes)
	if err == nil {
		_, err = statefile.Parse(text)
	}
	switch {
	case err == nil:
		return ok(path)
	case errors.Is(err, fs.ErrNotExist):
		return ok(notYet)
	case errors.Is(err, statefile.ErrCorrupt):
		err = fmt.Errorf("%s: %w", path, err)
	case errors.Is(err, statedir.ErrNotRegular), errors.Is(err, statedir.ErrTooLarge), errors.Is(err, fs.ErrPermission):
	default:
		return fail(err.Error(), "move it away")
	}
	return warn(err.Error(), "the next cycle moves it aside and makes it anew with what the database still counts")
}

// zone describes the time zone of now, and its offset from UTC.
func zone(now time.Time) string {
	name, offset := now.Zone()
	switch {
	case offset == 0:
		return name
	case strings.HasPrefix(name, "+"), strings.HasPrefix(name, "-"): // the zone has no name
		return now.Format("UTC-07:00")
	}
	return now.Format("MST, UTC-07:00")
}
