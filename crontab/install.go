package crontab

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/claudeops/claudeops/internal/statedir"
)

// maxText is how large a text may be that we edit, in bytes.
const maxText = 4 << 20

// ErrChanged says that a text is no longer what was read.
var ErrChanged = errors.New("somebody has changed it meanwhile; nothing was written, try again")

// Place is where a block of ours can stand: a file, or the crontab of a user.
type Place interface {
	// Name is what people call it: the path of a file.
	Name() string
	// Read gives the text, and whether there is one at all.
	Read(ctx context.Context) (text []byte, there bool, err error)
	// Write replaces the text, whole or not at all.
	Write(ctx context.Context, text []byte) error
	// Remove takes the text away, with the file that holds it.
	Remove(ctx context.Context) error
	// settled reports whether all but the text is as it is to be, such as a file's mode.
	settled() bool
}

// Edit is what becomes of one place.
type Edit struct {
	Place  Place
	Before []byte
	After  []byte
	There  bool // there is a text now
	Stays  bool // there will be one
	Ours   bool // a block of ours is in it now
}

// Put is the edit that leaves block as the only one of ours in a place.
func Put(ctx context.Context, p Place, m Marks, block string) (Edit, error) {
	return edit(ctx, p, m, func(e *Edit) error {
		after, err := m.Put(string(e.Before), block)
		e.After, e.Stays = []byte(after), true
		return err
	})
}

// Take is the edit that takes our block out of a place, and the place away where nothing else is in it.
func Take(ctx context.Context, p Place, m Marks) (Edit, error) {
	return edit(ctx, p, m, func(e *Edit) error {
		e.After, e.Stays = e.Before, e.There
		if e.Ours {
			rest, _, err := m.Take(string(e.Before))
			e.After, e.Stays = []byte(rest), rest != ""
			return err
		}
		return nil
	})
}

// edit reads a place and has change say what becomes of it.
func edit(ctx context.Context, p Place, m Marks, change func(*Edit) error) (Edit, error) {
	before, there, err := p.Read(ctx)
	if err != nil {
		return Edit{}, err
	}
	e := Edit{Place: p, Before: before, There: there}
	if _, e.Ours, err = m.Take(string(before)); err == nil {
		err = change(&e)
	}
	if err != nil {
		return Edit{}, fmt.Errorf("%s: %w", p.Name(), err)
	}
	return e, nil
}

// Changes reports whether there is anything to do.
func (e Edit) Changes() bool {
	return e.There != e.Stays || !bytes.Equal(e.Before, e.After) || e.There && e.Stays && !e.Place.settled()
}

// Diff is the change in unified form, empty where the text stays.
func (e Edit) Diff() string {
	return string(diff.Diff(e.Place.Name(), e.Before, e.Place.Name(), e.After))
}

// Outside is what stands in the place beside our block.
func (e Edit) Outside(m Marks) string {
	rest, _, err := m.Take(string(e.Before))
	if err != nil {
		return "" // such a text is never edited
	}
	return rest
}

// Inside is our block in the place as it is now, with its marks; empty where there is none.
func (e Edit) Inside(m Marks) string {
	_, block, _, err := m.cut(string(e.Before))
	if err != nil {
		return ""
	}
	return block
}

// Apply makes the edits, in their order, and returns for each where its earlier text was kept, empty where there was none or nothing
// changed. On an error all places are as they were.
func Apply(ctx context.Context, edits []Edit, backups string, now time.Time) (kept []string, err error) {
	kept = make([]string, len(edits))
	for i, e := range edits {
		if !e.Changes() {
			continue
		}
		if kept[i], err = e.apply(ctx, backups, now); err != nil {
			return nil, errors.Join(err, undo(ctx, edits[:i]))
		}
	}
	return kept, nil
}

func (e Edit) apply(ctx context.Context, backups string, now time.Time) (kept string, err error) {
	if e.There {
		if kept, err = backup(backups, e.Place.Name(), e.Before, now); err != nil {
			return "", fmt.Errorf("keep a copy of %s: %w", e.Place.Name(), err)
		}
	}
	is, there, err := e.Place.Read(ctx)
	switch {
	case err != nil:
	case there != e.There || !bytes.Equal(is, e.Before):
		err = fmt.Errorf("%s: %w", e.Place.Name(), ErrChanged)
	case e.Stays:
		if err = e.Place.Write(ctx, e.After); err != nil {
			err = errors.Join(err, e.putBack(ctx))
		}
	default:
		err = e.Place.Remove(ctx)
	}
	return kept, err
}

// putBack is for after a Write that failed: it may have written all the same, or a part.
func (e Edit) putBack(ctx context.Context) error {
	is, there, err := e.Place.Read(context.WithoutCancel(ctx))
	if err == nil && there == e.There && bytes.Equal(is, e.Before) {
		return nil
	}
	return errors.Join(err, undo(ctx, []Edit{e}))
}

// undo puts the earlier texts back. Whoever cancelled the work still wants that.
func undo(ctx context.Context, edits []Edit) (err error) {
	ctx = context.WithoutCancel(ctx)
	for _, e := range edits {
		switch {
		case !e.Changes():
		case e.There:
			err = errors.Join(err, e.Place.Write(ctx, e.Before))
		default:
			err = errors.Join(err, e.Place.Remove(ctx))
		}
	}
	if err != nil {
		return fmt.Errorf("and what was changed before could not be put back: %w", err)
	}
	return nil
}

// BackupDir is the folder that earlier texts are kept in: of the machine for what is the system's or another user's, of the user otherwise.
func BackupDir(system bool) (string, error) {
	if system {
		return "/var/backups/claudeops", nil
	}
	state := os.Getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(state) {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", fmt.Errorf("where to keep a copy of what was there: %w; set XDG_STATE_HOME", err)
		}
		state = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(state, "claudeops", "backups"), nil
}

// backup writes a text under a name that nothing has yet, for its user alone.
func backup(dir, name string, text []byte, now time.Time) (path string, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	is, err := os.Lstat(dir)
	switch {
	case err != nil:
		return "", err
	case is.IsDir() && ownerOf(is) == 0 && os.Geteuid() != 0:
		return "", &fs.PathError{Op: "write", Path: dir, Err: fs.ErrPermission}
	case !is.IsDir() || ownerOf(is) != os.Geteuid() || is.Mode()&0o002 != 0:
		return "", fmt.Errorf("%s is to be a folder of whoever keeps copies there, not open to everybody, and no link: take it away", dir)
	}
	flat := strings.NewReplacer("/", "-", " ", "-").Replace(strings.TrimPrefix(name, "/"))
	base := filepath.Join(dir, flat+"."+now.UTC().Format("20060102T150405Z"))
	path = base
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	for n := 2; errors.Is(err, fs.ErrExist); n++ {
		path = fmt.Sprintf("%s-%d", base, n)
		f, err = os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	}
	if err != nil {
		return "", err
	}
	_, err = f.Write(text)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return "", errors.Join(err, os.Remove(path))
	}
	return path, nil
}

// filePlace is a file that is ours, or that we share with the operator.
type filePlace struct {
	File
	whole bool // what is in it beside our block makes no sense together with it
}

// CronFile is the file of the system's crontab, of which others may be beside ours; it holds the operator's lines, too.
func CronFile(f File) Place { return filePlace{File: f} }

// OwnFile is a file that is ours as a whole: one that somebody else has written is refused.
func OwnFile(f File) Place { return filePlace{File: f, whole: true} }

func (f filePlace) Name() string { return f.Path }

func (f filePlace) Read(context.Context) (text []byte, there bool, err error) {
	is, err := os.Lstat(f.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	switch {
	case err != nil:
		return nil, false, err
	case is.Mode()&fs.ModeSymlink != 0:
		target, err := os.Readlink(f.Path)
		return nil, false, errors.Join(fmt.Errorf("%s is a symbolic link (to %s) and no file of ours: take it away, and try again", f.Path, target), err)
	case !is.Mode().IsRegular():
		return nil, false, fmt.Errorf("%s is no regular file: take it away, and try again", f.Path)
	}
	if owner := ownerOf(is); owner != 0 && owner != os.Geteuid() {
		return nil, false, fmt.Errorf("%s belongs to the user with the id %d, who may write any command into it: look at it, take it away or give it to root, and try again", f.Path, owner)
	}
	if text, err = statedir.ReadFile(f.Path, maxText); err != nil {
		return nil, false, err
	}
	if f.whole && len(text) > 0 {
		if _, ours, err := MarksOf(f.Path).Take(string(text)); err == nil && !ours {
			return nil, false, fmt.Errorf("%s is there and has no marks of claudeops: somebody else wrote it. Move it away, or keep it and do without this command", f.Path)
		}
	}
	return text, true, nil
}

// MarksOf are the marks of a file, by its name.
func MarksOf(path string) Marks {
	if filepath.Ext(path) == ".rules" {
		return Slashes
	}
	return Hash
}

func (f filePlace) settled() bool {
	is, err := os.Lstat(f.Path)
	return err == nil && is.Mode().Perm() == f.Mode
}

// ownerOf is the id of the user whose a file is.
func ownerOf(is fs.FileInfo) int {
	if stat, ok := is.Sys().(*syscall.Stat_t); ok {
		return int(stat.Uid)
	}
	return os.Geteuid()
}

func (f filePlace) Write(_ context.Context, text []byte) error {
	if err := statedir.Replace(f.Path, text); err != nil {
		return err
	}
	if os.Geteuid() == 0 { // a new file is the folder's owner's
		if err := os.Chown(f.Path, 0, 0); err != nil {
			return err
		}
	}
	return os.Chmod(f.Path, f.Mode) // an earlier file's mode is kept, which may be one with which cron ignores it
}

func (f filePlace) Remove(context.Context) error { return os.Remove(f.Path) }
