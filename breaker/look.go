package breaker

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/claudeops/claudeops/internal/statedir"
)

// Look is HealthReport for who may change nothing: neither runs that never ended nor a damaged file are put right, and no lock is taken. Of
// both the report tells as if they were; whoever runs a hook next puts them right.
func (f *File) Look() (Report, error) {
	if !filepath.IsAbs(f.Path) {
		return Report{}, fmt.Errorf("hook state: %w", ErrNoPath)
	}
	w := &work{file: f, path: f.Path, now: f.Now()}
	if err := w.look(); err != nil {
		return Report{}, fmt.Errorf("hook state: %w", err)
	}
	r := Report{Hooks: map[string]Hook{}, Now: w.now}
	for e := range w.all() {
		w.reap(e, f.Policy(e.name))
		r.Hooks[e.name] = e.Hook
	}
	w.stats.HooksDisabled = w.disabled()
	r.Stats, r.Notes = w.stats, w.notes
	return r, nil
}

// look reads the file where it stands.
func (w *work) look() (err error) {
	w.doc = emptyDocument()
	text, err := readStateFile(w.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil && !errors.Is(err, statedir.ErrTooLarge):
		return err
	default:
		doc, perr := (*document)(nil), err
		if err == nil {
			doc, perr = parseDocument(text)
		}
		if perr != nil {
			w.note(fmt.Sprintf("%s is damaged (%v): the next hook that runs sets it aside, and all circuits begin anew", w.path, perr))
		} else {
			w.doc = doc
		}
	}
	w.readStats()
	w.noted, err = w.runs().each(func(runs, string) error { return nil })
	return err
}
