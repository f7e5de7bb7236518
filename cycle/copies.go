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
	"github.com/claudeops/claudeops/internal/strict"
	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/tiers"
)

// copies manages a session's copies of files in the state directory. The agent reads and writes the copies, and only its additions are
// taken over (RULE "What an agent writes").
type copies struct {
	*Cycle
	session store.Session
	dir     string

	mu      sync.Mutex       // serializes calls of the session
	text    []byte           // content of cooldown.json as issued
	issued  *statefile.State // the same, parsed; nil before the first issue
	added   records.Added    // what the agent has added to it so far
	handoff []byte           // handoff.json as last examined
}

// syncCopies takes over what the agent added to the session's cooldown.json, and issues a new copy.
func (p *copies) syncCopies(ctx context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := os.Chmod(p.dir, 0o700); err != nil { // the agent may have removed its permissions
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

// issue writes the session's copy of the current file. It also keeps the issued version where the agent cannot reach it: after a kill,
// the next cycle compares the two to find what the agent added.
func (p *copies) issue(ctx context.Context) error {
	text, issued, err := p.current(ctx)
	if err != nil {
		return err
	}
	if now, err := statedir.ReadFile(p.path(), statefile.MaxBytes); err == nil && bytes.Equal(now, text) && bytes.Equal(p.text, text) {
		return nil
	}
	if is, err := os.Lstat(p.path()); err == nil && is.IsDir() {
		aside, err := os.MkdirTemp(p.dir, statefile.FileName+".*")
		if err := errors.Join(err, unix.Rename(p.path(), aside)); err != nil {
			return fmt.Errorf("move aside the folder that the agent has put in its place: %w", err)
		}
	}
	p.text, p.issued = text, issued
	if err := statedir.Replace(p.path(), text); err != nil {
		return err
	}
	return statedir.Replace(p.issuedPath(), text) // last: records that a kill leaves in the copy alone are known by their ids
}

func (p *copies) issuedPath() string { return filepath.Join(filepath.Dir(p.dir), statefile.FileName) }

// current returns the current file in its own formatting.
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

// maxCopy is the least limit for reading a copy, in bytes. The limit grows to four times the size of a long file, because jq may reformat
// it.
const maxCopy = 8 << 20

// take takes over the agent's additions to its copy.
func (p *copies) take(ctx context.Context) error {
	text, err := statedir.ReadFile(p.path(), max(maxCopy, 4*int64(len(p.text))))
	if err == nil && bytes.Equal(text, p.text) {
		return nil
	}
	var copied *statefile.State
	if err == nil {
		copied, err = statefile.Parse(text)
	}
	if err != nil { // removed, a link, too large or not JSON: no additions, and every record counts as removed
		copied = &statefile.State{}
		if err := p.event(ctx, store.Warning, p.session.ID, "", fmt.Sprintf("what the agent left as its copy of %s cannot be read, and was made anew: %v", statefile.FileName, err)); err != nil {
			return err
		}
	}
	if err := p.AddFromCopy(ctx, p.session, p.issued, copied, p.added); err != nil {
		return err
	}
	p.text, p.issued = text, copied // later additions are compared with this
	return nil
}

// handoffFaults returns the faults of the session's handoff.json, one per line, if it has changed since it was last examined.
func (p *copies) handoffFaults() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, text, err := handoff.Read(filepath.Join(p.dir, handoff.FileName), p.session.Tier)
	var invalid *strict.InvalidError
	if errors.Is(err, fs.ErrNotExist) || bytes.Equal(text, p.handoff) {
		p.handoff = text
		return ""
	}
	if p.handoff = text; !errors.As(err, &invalid) {
		return ""
	}
	return "handoff.json is not valid:\n" + strings.Join(invalid.Faults, "\n")
}

// takeOverHandoff moves the session's handoff.json, valid or not, to the state directory. If the session left none, the existing file
// stays.
func (p *copies) takeOverHandoff() error {
	own, place := filepath.Join(p.dir, handoff.FileName), state.HandoffPath(p.Config)
	if _, err := os.Lstat(own); p.session.ID == 0 || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := errors.Join(handoff.Remove(place), os.Rename(own, place)); err != nil {
		return fmt.Errorf("take over the session's %s: %w", handoff.FileName, err)
	}
	return nil
}

// takeLeft takes over what the agent of a killed cycle added to its copy of cooldown.json.
func (c *Cycle) takeLeft(ctx context.Context, s store.Session) error {
	for _, dir := range tiers.StatesOf(c.Config.StateDir, s.ID) {
		p := &copies{Cycle: c, session: s, dir: dir, added: records.Added{}}
		_ = os.Chmod(dir, 0o700) // the agent may have removed its permissions; if this fails, the copy counts as removed
		text, err := statedir.ReadFile(p.issuedPath(), statefile.MaxBytes)
		if err != nil { // never issued, or not a file: nothing was added
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
