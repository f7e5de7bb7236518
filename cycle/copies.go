package cycle

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/handoff"
	"github.com/claudeops/claudeops/internal/statedir"
	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/tiers"
)

// copies are the files of a session's own folder that take the place of those of the state directory: the agent reads and writes them there, and
// only what it adds counts (RULE "What an agent writes").
type copies struct {
	*Cycle
	session store.Session
	dir     string

	mu      sync.Mutex       // calls of the session, and what its hooks call, take turns
	text    []byte           // of cooldown.json as it was issued
	issued  *statefile.State // the same; nil before the first time
	handoff []byte           // handoff.json as it was looked at last
}

// syncCopies takes from the session's cooldown.json what the agent has added, and issues it anew.
func (p *copies) syncCopies(ctx context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := os.Chmod(p.dir, 0o700); err != nil { // the agent may have closed it
		return fmt.Errorf("open the session's folder: %w", err)
	}
	if p.issued != nil && p.session.ID != 0 {
		if err := p.take(ctx); err != nil {
			return fmt.Errorf("take over the session's %s: %w", statefile.FileName, err)
		}
	}
	if err := p.issue(ctx); err != nil {
		return fmt.Errorf("write the session's %s: %w", statefile.FileName, err)
	}
	return nil
}

func (p *copies) path() string { return statefile.Path(p.dir) }

// issue writes the session's copy of the current file, and out of the agent's reach what was issued: a cycle after a kill finds by it
// what the agent has added.
func (p *copies) issue(ctx context.Context) error {
	text, issued, err := p.current(ctx)
	if err != nil {
		return err
	}
	if now, err := statedir.ReadFile(p.path(), statefile.MaxBytes); err == nil && bytes.Equal(now, text) && bytes.Equal(p.text, text) {
		return nil
	}
	if err := statedir.Replace(p.issuedPath(), text); err != nil {
		return err
	}
	if is, err := os.Lstat(p.path()); err == nil && is.IsDir() {
		aside, err := os.MkdirTemp(p.dir, statefile.FileName+".*")
		if err := errors.Join(err, unix.Rename(p.path(), aside)); err != nil {
			return fmt.Errorf("move aside the folder that the agent has put in its place: %w", err)
		}
	}
	p.text, p.issued = text, issued
	return statedir.Replace(p.path(), text)
}

func (p *copies) issuedPath() string { return filepath.Join(filepath.Dir(p.dir), statefile.FileName) }

// current is the current file, in its own style.
func (p *copies) current(ctx context.Context) ([]byte, *statefile.State, error) {
	if text, err := statedir.ReadFile(statefile.Path(p.Config.StateDir), statefile.MaxBytes); err == nil {
		if st, err := statefile.Parse(text); err == nil {
			return text, st, nil
		}
	}
	st, err := p.State(ctx)
	if err != nil {
		return nil, nil, err
	}
	text, err := st.Marshal()
	return text, st, err
}

// maxCopy is how long a copy, in bytes, is read at least; one of a long file may be four times as long, as jq lays it out.
const maxCopy = 8 << 20

// take takes over what the agent added to its copy.
func (p *copies) take(ctx context.Context) error {
	text, err := statedir.ReadFile(p.path(), max(maxCopy, 4*int64(len(p.text))))
	if err == nil && bytes.Equal(text, p.text) {
		return nil
	}
	var copied *statefile.State
	if err == nil {
		copied, err = statefile.Parse(text)
	}
	if err != nil { // removed, a link, too large, no JSON: nothing in it is an addition, and all of it is gone
		copied = &statefile.State{}
		if err := p.event(ctx, store.Warning, p.session.ID, "", fmt.Sprintf("what the agent left as its copy of %s cannot be read, and was made anew: %v", statefile.FileName, err)); err != nil {
			return err
		}
	}
	notices, err := p.TakeCopy(ctx, p.session, p.issued, copied)
	if errors.Is(err, records.ErrTooMuch) {
		return p.event(ctx, store.Warning, p.session.ID, "", "what the agent added to its copy of "+statefile.FileName+" was left out: "+err.Error())
	}
	if err != nil {
		return err
	}
	p.text, p.issued = text, copied // what is added to it from now on is new
	if err := statedir.Replace(p.issuedPath(), text); err != nil {
		return err
	}
	return p.notices(ctx, p.session.ID, notices)
}

// handoffFaults are what is wrong with the session's handoff.json, where that has changed since it was looked at last, a line each.
func (p *copies) handoffFaults() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, text, err := handoff.Read(filepath.Join(p.dir, handoff.FileName), p.session.Tier)
	var invalid *handoff.InvalidError
	if errors.Is(err, fs.ErrNotExist) || bytes.Equal(text, p.handoff) {
		p.handoff = text
		return ""
	}
	if p.handoff = text; !errors.As(err, &invalid) {
		return ""
	}
	return "handoff.json is not valid:\n" + strings.Join(invalid.Faults, "\n")
}

// takeOverHandoff puts the session's handoff.json, whatever it is, in the place of that of the state directory. Where the session has left
// none, that stays.
func (p *copies) takeOverHandoff() error {
	own, place := filepath.Join(p.dir, handoff.FileName), records.HandoffPath(p.Config)
	if _, err := os.Lstat(own); p.session.ID == 0 || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := errors.Join(handoff.Remove(place), os.Rename(own, place)); err != nil {
		return fmt.Errorf("take over the session's %s: %w", handoff.FileName, err)
	}
	return nil
}

// takeLeft takes over what the agent of a killed cycle has added to its copy of cooldown.json.
func (c *Cycle) takeLeft(ctx context.Context, s store.Session) error {
	for _, dir := range tiers.StatesOf(c.Config.StateDir, s.ID) {
		p := &copies{Cycle: c, session: s, dir: dir}
		_ = os.Chmod(dir, 0o700) // the agent may have closed it; where that fails, it is read as one that was removed
		text, err := statedir.ReadFile(p.issuedPath(), statefile.MaxBytes)
		if err != nil { // it was not issued, or is no file: nothing was added
			continue
		}
		if p.issued, err = statefile.Parse(text); err != nil {
			continue
		}
		p.text = text
		if err := p.take(ctx); err != nil {
			return fmt.Errorf("take over what session %d has left of %s: %w", s.ID, statefile.FileName, err)
		}
	}
	return nil
}
