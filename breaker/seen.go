package breaker

import (
	"io/fs"
	"os"
	"slices"

	"github.com/claudeops/claudeops/internal/statedir"
)

// seen is the state file as one process left it at a run's start. Nobody else may have written it until the run's end, and then it
// need not be read again: of the time that a run of a good hook takes the reading is a third.
type seen struct {
	file *os.File // open: as long as it is no other file gets its number
	is   fs.FileInfo
	work *work
}

// see is for the holder of the lock, once what there was to write is written; nil where it is simpler to read it again.
func see(w *work) *seen {
	if slices.ContainsFunc(w.entries, func(e *entry) bool { return e.gone }) {
		return nil
	}
	f, err := statedir.OpenFile(w.path, os.O_RDONLY, 0)
	if err != nil {
		return nil
	}
	is, err := f.Stat()
	if err != nil {
		_ = f.Close()
		return nil
	}
	return &seen{f, is, w}
}

// workAt is the work that read or wrote the file at path, with nothing to do, if the file is still the same; nil otherwise.
func (s *seen) workAt(path string) *work {
	if s == nil || s.work.path != path {
		return nil
	}
	is, err := os.Lstat(path)
	if err != nil || !os.SameFile(is, s.is) || is.Size() != s.is.Size() || !is.ModTime().Equal(s.is.ModTime()) {
		return nil
	}
	was := s.work
	for _, e := range was.entries {
		e.changed = false
	}
	return &work{path: path, doc: was.doc, stats: was.stats, others: was.others, entries: was.entries}
}

// forget gives up what was seen.
func (s *seen) forget() {
	if s != nil {
		_ = s.file.Close() // it was only read
	}
}
