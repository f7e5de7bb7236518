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

// maxText limits a text that we edit, in bytes.
const maxText = 4 << 20

// errChanged means that a text has changed since it was read.
var errChanged = errors.New("it was changed meanwhile; nothing was written, try again")

// Place is a location for a block of claudeops: a file, or a user's crontab.
type Place interface {
	// Name is its name for people: a file's path.
	Name() string
	// marks returns the marks around our block.
	marks() Marks
	// read returns the text, and whether it exists.
	read(ctx context.Context) (text []byte, exists bool, err error)
	// write replaces the text, completely or not at all.
	write(ctx context.Context, text []byte) error
	// remove removes the text and its file.
	remove(ctx context.Context) error
	// settled reports whether everything except the text, such as a file's mode, is as wanted.
	settled() bool
}

// edit is the change of one place.
type edit struct {
	place   Place
	before  []byte
	after   []byte
	exists  bool   // the text exists now
	remains bool   // it will exist
	block   string // the current block of claudeops with its marks; empty if there is none
	outside string // the rest of the text
}

// readPlace returns an edit without changes.
func readPlace(ctx context.Context, p Place) (e edit, err error) {
	e.place = p
	if e.before, e.exists, err = p.read(ctx); err != nil {
		return edit{}, err
	}
	e.after, e.remains = e.before, e.exists
	if e.outside, _, err = p.marks().Take(string(e.before)); err == nil {
		_, e.block, _, err = p.marks().cut(string(e.before))
	}
	if err != nil {
		return edit{}, fmt.Errorf("%s: %w", p.Name(), err)
	}
	return e, nil
}

// putBlock returns the edit that makes block the only one of claudeops in a place.
func putBlock(ctx context.Context, p Place, block string) (edit, error) {
	e, err := readPlace(ctx, p)
	if err != nil {
		return edit{}, err
	}
	after, err := p.marks().Put(string(e.before), block)
	e.after, e.remains = []byte(after), true
	return e, err
}

// takeBlock returns the edit that removes our block from a place, and the place itself if nothing else is in it.
func takeBlock(ctx context.Context, p Place) (edit, error) {
	e, err := readPlace(ctx, p)
	if e.block != "" {
		e.after, e.remains = []byte(e.outside), e.outside != ""
	}
	return e, err
}

// changes reports whether there is anything to do.
func (e edit) changes() bool {
	return e.exists != e.remains || !bytes.Equal(e.before, e.after) || e.exists && e.remains && !e.place.settled()
}

// diff returns the change in unified form; empty if the text is unchanged.
func (e edit) diff() string {
	return string(diff.Diff(e.place.Name(), e.before, e.place.Name(), e.after))
}

// apply makes the edits in order, and returns for each where its earlier text was saved; empty if there was none or nothing changed. On
// an error all places are restored.
func apply(ctx context.Context, edits []edit, backups string, now time.Time) (kept []string, err error) {
	kept = make([]string, len(edits))
	for i, e := range edits {
		if !e.changes() {
			continue
		}
		if kept[i], err = e.apply(ctx, backups, now); err != nil {
			return nil, errors.Join(err, undo(ctx, edits[:i]))
		}
	}
	return kept, nil
}

func (e edit) apply(ctx context.Context, backups string, now time.Time) (kept string, err error) {
	if e.exists {
		if kept, err = backup(backups, e.place.Name(), e.before, now); err != nil {
			return "", fmt.Errorf("keep a copy of %s: %w", e.place.Name(), err)
		}
	}
	is, exists, err := e.place.read(ctx)
	switch {
	case err != nil:
		return kept, err
	case exists != e.exists || !bytes.Equal(is, e.before):
		return kept, fmt.Errorf("%s: %w", e.place.Name(), errChanged)
	case !e.remains:
		return kept, e.place.remove(ctx)
	}
	if err = e.place.write(ctx, e.after); err == nil {
		return kept, nil
	}
	// It may still have written all or a part.
	is, exists, readErr := e.place.read(context.WithoutCancel(ctx))
	if readErr == nil && exists == e.exists && bytes.Equal(is, e.before) {
		return kept, err
	}
	return kept, errors.Join(err, readErr, undo(ctx, []edit{e}))
}

// undo restores the earlier texts, even if the work was cancelled.
func undo(ctx context.Context, edits []edit) (err error) {
	ctx = context.WithoutCancel(ctx)
	for _, e := range edits {
		switch {
		case !e.changes():
		case e.exists:
			err = errors.Join(err, e.place.write(ctx, e.before))
		default:
			err = errors.Join(err, e.place.remove(ctx))
		}
	}
	if err != nil {
		return fmt.Errorf("and what was changed before could not be put back: %w", err)
	}
	return nil
}

// backup writes a text to a new file that only its user can read.
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

// filePlace is a file of claudeops, or one that the operator edits too.
type filePlace struct {
	File
	whole   bool   // other content beside our block makes no sense, so a foreign file is rejected
	program string // the program whose installation creates the directory; empty if we create it
}

func (f filePlace) Name() string { return f.Path }
func (f filePlace) marks() Marks { return f.Marks }

func (f filePlace) read(context.Context) (text []byte, exists bool, err error) {
	is, err := os.Lstat(f.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, false, nil
	case err != nil:
		return nil, false, err
	case is.Mode()&fs.ModeSymlink != 0:
		target, err := os.Readlink(f.Path)
		return nil, false, errors.Join(fmt.Errorf("%s is a symbolic link (to %s) and no file of claudeops: take it away, and try again", f.Path, target), err)
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
		if _, ours, err := f.Marks.Take(string(text)); err == nil && !ours {
			return nil, false, fmt.Errorf("%s is there and has no marks of claudeops: somebody else wrote it. Move it away, or keep it and do without this command", f.Path)
		}
	}
	return text, true, nil
}

func (f filePlace) settled() bool {
	is, err := os.Lstat(f.Path)
	return err == nil && is.Mode().Perm() == f.Mode
}

// write creates the file with the caller as owner and its own mode: with an earlier file's mode, cron might ignore it.
func (f filePlace) write(_ context.Context, text []byte) error {
	return statedir.ReplaceAs(f.Path, text, statedir.Access{Mode: f.Mode, UID: os.Geteuid(), GID: os.Getegid()})
}

func (f filePlace) remove(context.Context) error { return os.Remove(f.Path) }

// ownerOf returns the user ID of a file's owner.
func ownerOf(is fs.FileInfo) int {
	if stat, ok := is.Sys().(*syscall.Stat_t); ok {
		return int(stat.Uid)
	}
	return os.Geteuid()
}
