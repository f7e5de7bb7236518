package hooks

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"
)

// Report is what the state file holds about all hooks.
type Report struct {
	Hooks   map[string]Hook
	Stats   Stats
	Now     time.Time
	Changes []Change // caused by runs that turned out never to have ended
	Notes   []string // see Begun
}

// HealthReport returns everything in the file. Runs whose wrappers are gone are first counted as failures.
func (f *File) HealthReport(ctx context.Context) (Report, error) {
	var r Report
	_, err := f.update(ctx, func(w *work) error {
		r = w.report()
		return nil
	})
	if err != nil {
		return Report{}, err
	}
	return r, nil
}

// Look is HealthReport for a reader that must not change anything: it takes no lock, and repairs neither a damaged file nor runs that
// never ended. The report shows what the next run of a hook will make of them.
func (f *File) Look() (Report, error) {
	if !filepath.IsAbs(f.Path) {
		return Report{}, fmt.Errorf("hook state: %w", ErrNoPath)
	}
	w := &work{file: f, path: f.Path, now: f.Now()}
	s, _, err := readStateFile(f.Path)
	switch {
	case err == nil:
		w.read(s)
	case errors.Is(err, fs.ErrNotExist):
		w.read(&state{})
	case damaged(err):
		w.read(&state{})
		w.note(fmt.Sprintf("%s is damaged (%v): the next hook that runs sets it aside, and all circuits begin anew", f.Path, err))
	default:
		return Report{}, fmt.Errorf("hook state: %w", err)
	}
	if w.noted, err = w.runs().each(func(string) error { return nil }); err != nil {
		return Report{}, fmt.Errorf("hook state: %w", err)
	}
	return w.report(), nil
}

// report returns the state, with every run that never ended counted.
func (w *work) report() Report {
	r := Report{Hooks: map[string]Hook{}, Now: w.now}
	for _, e := range w.all() {
		w.reap(e, w.file.Policy(e.name))
		r.Hooks[e.name] = e.Hook
	}
	w.stats.HooksDisabled = w.disabled()
	r.Stats, r.Changes, r.Notes = w.stats, w.changes, w.notes
	return r
}
