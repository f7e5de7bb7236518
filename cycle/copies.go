package cycle

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
func (w *workplace) sync(ctx context.Context) (err error) {
	if w.issued != nil && w.run.session.ID != 0 {
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
	return statedir.Rewrite(statefile.Path(w.ws.State()), w.text)
}

// take takes over what the agent added to its cooldown.json. A file that cannot be read has nothing any more.
func (w *workplace) take(ctx context.Context) error {
	text, err := statedir.ReadFile(statefile.Path(w.ws.State()), statefile.MaxBytes)
	if err != nil { // it may be a folder by now
		err = os.RemoveAll(statefile.Path(w.ws.State()))
	}
	if err != nil || bytes.Equal(text, w.text) {
		return err
	}
	left, err := statefile.Parse(text)
	if err != nil {
		left = &statefile.State{}
	}
	return w.AddFromCopy(ctx, w.run.session, w.issued, left, w.added)
}
