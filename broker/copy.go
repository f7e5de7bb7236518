package broker

import (
	"bytes"
	"context"
	"fmt"
	"os"

	"github.com/claudeops/claudeops/internal/statedir"
	"github.com/claudeops/claudeops/statefile"
)

// sync takes over what the agent added to its cooldown.json, and gives it the file as it is now (RULE "What an agent
// writes").
func (w *Workplace) sync(ctx context.Context) (err error) {
	if w.issued != nil && w.Session.ID != 0 {
		if err := w.take(ctx); err != nil {
			return fmt.Errorf("take over the session's %s: %w", statefile.FileName, err)
		}
	}
	if w.issued, err = w.State(ctx); err != nil {
		return err
	}
	if w.text, err = w.issued.Marshal(); err != nil {
		return err
	}
	return statedir.Rewrite(statefile.Path(w.Config.Agent.Folder), w.text)
}

// take takes over what the agent added to its cooldown.json. A file that cannot be read has nothing any more.
func (w *Workplace) take(ctx context.Context) error {
	path := statefile.Path(w.Config.Agent.Folder)
	text, err := statedir.ReadFile(path, statefile.MaxBytes)
	if err != nil { // it may be a folder by now
		err = os.RemoveAll(path)
	}
	if err != nil || bytes.Equal(text, w.text) {
		return err
	}
	left, err := statefile.Parse(text)
	if err != nil {
		left = &statefile.State{}
	}
	return w.AddFromCopy(ctx, w.Session, w.issued, left, w.added)
}
