package breaker

import (
	"context"
	"fmt"
	"time"
)

// Report is what the state file holds of all hooks.
type Report struct {
	Hooks   map[string]Hook
	Stats   Stats
	Now     time.Time
	Changes []Change // by runs that turned out never to have ended
	Notes   []string // as those of Begun
}

// Stats count what all hooks did together (ANTI-LOOP "State Management").
type Stats struct {
	TotalExecutions int64      `json:"total_executions"`
	TotalFailures   int64      `json:"total_failures"`
	HooksDisabled   int64      `json:"hooks_disabled"` // by a circuit that is not closed, or by hand
	LastUpdated     *time.Time `json:"last_updated"`
}

// HealthReport is all that the file holds. Runs whose wrappers are gone are counted as failures first.
func (f *File) HealthReport(ctx context.Context) (Report, error) {
	r := Report{Hooks: map[string]Hook{}}
	w, err := f.update(ctx, func(w *work) error {
		for e := range w.all() {
			w.reap(e, f.Policy(e.name))
			r.Hooks[e.name] = e.Hook
		}
		w.stats.HooksDisabled = w.disabled()
		return nil
	})
	if err != nil {
		return Report{}, err
	}
	r.Stats, r.Now, r.Changes, r.Notes = w.stats, w.now, w.changes, w.notes
	return r, nil
}

// readStats takes the stats out of the document. Where one is strange all of them start afresh.
func (w *work) readStats() {
	if w.doc.globalAt < 0 || string(w.doc.value(w.doc.globalAt)) == "null" {
		return
	}
	others, err := readMembers(w.doc.value(w.doc.globalAt), w.stats.member)
	w.others = others
	if err != nil {
		w.stats = Stats{}
		w.note(fmt.Sprintf("the counts of all hooks together start afresh: %v", err))
	}
}

func (s *Stats) member(name string, v []byte) (known bool, err error) {
	switch name {
	case "total_executions":
		s.TotalExecutions, err = readCount(v)
	case "total_failures":
		s.TotalFailures, err = readCount(v)
	case "hooks_disabled":
		s.HooksDisabled, err = readCount(v)
	case "last_updated":
		s.LastUpdated, err = readMoment(v)
	default:
		return false, nil
	}
	return true, err
}

// storeStats puts the stats into the document.
func (w *work) storeStats() {
	at := stamp(w.now)
	w.stats.LastUpdated = &at
	jw := newJSONWriter(1)
	jw.open()
	jw.count("total_executions", w.stats.TotalExecutions)
	jw.count("total_failures", w.stats.TotalFailures)
	jw.count("hooks_disabled", w.stats.HooksDisabled)
	jw.moment("last_updated", w.stats.LastUpdated)
	jw.others(w.others)
	jw.close()
	if w.doc.globalAt >= 0 {
		w.doc.set(w.doc.globalAt, jw.b)
	} else {
		w.doc.add("global_stats", jw.b)
	}
}
