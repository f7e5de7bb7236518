package cycle

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/claudeops/claudeops/handoff"
	"github.com/claudeops/claudeops/internal/statedir"
	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// copies are a session's own files of the state directory. Its agent reads and writes them. Of its cooldown.json only what it adds counts
// (RULE "Sandbox"), and its handoff.json becomes the cycle's.
type copies struct {
	*Cycle
	session store.Session
	dir     string

	issued *statefile.State // cooldown.json as it was given to the agent; nil before that
	text   []byte           // the same, as written
	added  records.Added    // what the agent has added to it so far
}

// sync takes over what the agent added to its cooldown.json, and gives it the file as it is now.
func (p *copies) sync(ctx context.Context) (err error) {
	if p.issued != nil && p.session.ID != 0 {
		if err := p.take(ctx); err != nil {
			return fmt.Errorf("take over the session's %s: %w", statefile.FileName, err)
		}
	}
	if p.issued, err = p.State(ctx); err != nil {
		return err
	}
	if p.text, err = p.issued.Marshal(); err != nil {
		return err
	}
	return statedir.Rewrite(statefile.Path(p.dir), p.text)
}

// take takes over what the agent added to its cooldown.json. A file that cannot be read has nothing any more.
func (p *copies) take(ctx context.Context) error {
	text, err := statedir.ReadFile(statefile.Path(p.dir), statefile.MaxBytes)
	if err != nil { // it may be a folder by now
		err = os.RemoveAll(statefile.Path(p.dir))
	}
	if err != nil || bytes.Equal(text, p.text) {
		return err
	}
	left, err := statefile.Parse(text)
	if err != nil {
		left = &statefile.State{}
	}
	notices, err := p.AddFromCopy(ctx, p.session, p.issued, left, &p.added)
	if err != nil {
		return err
	}
	return p.notices(ctx, p.session.ID, notices)
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
