package breaker

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"time"
)

// work is one read-modify-write of the state file: the hooks that were taken out of it, and what has to be said about that.
type work struct {
	file    *File
	path    string
	now     time.Time
	doc     *document
	stats   Stats
	others  []rawMember // what somebody added to the stats
	entries []*entry    // those taken out so far
	changes []Change
	notes   []string

	recount bool // a circuit's state or an operator's wish has changed, and hooks_disabled with it
	durable bool // so has a session's own circuit: like recount, that must survive a power cut

	noted map[string][]record // the runs that have files, by hook
	spent []string            // those of them whose files are to go once the state is written
}

// entry is a hook in the file.
type entry struct {
	Hook
	name    string
	index   int // among the hooks in the file; -1 is not there yet
	others  foreign
	changed bool
	gone    bool
	dead    []record // its runs whose wrappers are gone
}

func (w *work) run(ctx context.Context, do func(*work) error) error {
	if w.doc == nil {
		d, note, err := loadState(ctx, w.path, w.now)
		if err != nil {
			return err
		}
		w.doc = d
		w.note(note)
		w.readStats()
		if w.noted, err = w.runs().all(); err != nil {
			return err
		}
	}
	if err := do(w); err != nil {
		return err
	}
	if w.anyChange() {
		if err := w.makeRoom(); err != nil {
			return err
		}
		w.store()
		if err := saveState(w.path, w.doc, w.recount || w.durable); err != nil {
			return err
		}
	}
	var err error
	for _, id := range w.spent {
		err = errors.Join(err, w.runs().remove(id))
	}
	return err
}

// runs is the directory of the files that stand for runs.
func (w *work) runs() runs { return runs(w.path + ".running") }

func (w *work) note(text string) {
	if text != "" {
		w.notes = append(w.notes, text)
	}
}

func (w *work) anyChange() bool {
	return w.recount || slices.ContainsFunc(w.entries, func(e *entry) bool { return e.changed || e.gone })
}

// entry is the hook of that name, a new one where there is none.
func (w *work) entry(hook string) *entry {
	name := unquoteJSON(quoteJSON(hook)) // as it comes out of the file
	for _, e := range w.entries {
		if e.name == name {
			return e
		}
	}
	return w.take(name, w.doc.hooks.find(name))
}

func (w *work) take(name string, index int) *entry {
	e := &entry{Hook: Hook{Circuit: Circuit{State: Closed}}, name: name, index: index}
	if index >= 0 {
		var err error
		if e.Hook, e.others, err = decodeHook(w.doc.hooks.value(index)); err != nil {
			w.note(fmt.Sprintf("the hook %q starts afresh: %v", name, err))
		}
	}
	for _, r := range w.noted[name] {
		switch {
		case slices.Contains(e.Counted, r.id):
			w.spent = append(w.spent, r.id)
			continue
		case !r.lives:
			e.dead = append(e.dead, r)
		}
		if e.Running == nil {
			e.Running = map[string]Run{}
		}
		e.Running[r.id] = r.Run
	}
	w.entries = append(w.entries, e)
	return e
}

// known reports whether anything is known of a hook.
func (e *entry) known() bool { return e.index >= 0 || len(e.Running) > 0 || e.changed }

// all goes through all hooks in the file.
func (w *work) all() iter.Seq[*entry] {
	return func(yield func(*entry) bool) {
		taken := map[int]*entry{}
		for _, e := range w.entries {
			taken[e.index] = e
		}
		last := w.names()
		for i := range w.doc.hooks.members {
			name := w.doc.hooks.name(i)
			if last[name] != i {
				continue
			}
			e := taken[i]
			if e == nil {
				e = w.take(name, i)
			}
			if !yield(e) {
				return
			}
		}
		for _, name := range slices.Sorted(maps.Keys(w.noted)) { // of which no run has ended yet
			if e := w.entry(name); e.index < 0 && !yield(e) {
				return
			}
		}
	}
}

// names are the hooks in the file and where they stand: the last of each name.
func (w *work) names() map[string]int {
	names := make(map[string]int, len(w.doc.hooks.members))
	for i := range w.doc.hooks.members {
		names[w.doc.hooks.name(i)] = i
	}
	return names
}

// reset makes a hook one that has never run.
func (w *work) reset(e *entry) {
	e.gone, e.changed = e.DisabledByHand == nil, true
	e.Hook = Hook{Circuit: Circuit{State: Closed}, DisabledByHand: e.DisabledByHand}
	e.others = foreign{hook: e.others.hook}
	e.dead, w.recount = nil, true
	for _, r := range w.noted[e.name] { // runs of before, whatever becomes of them, are no longer its own
		w.spent = append(w.spent, r.id)
	}
}

// reap counts the runs of a hook whose wrappers are gone.
func (w *work) reap(e *entry, p Policy) {
	for _, r := range e.dead {
		o := neverEnded
		if r.ended != nil {
			o = *r.ended
		} else {
			w.note(fmt.Sprintf("the run of %q that began at %s never ended: it counts as a failure", e.name, r.Run.StartedAt.Format(time.RFC3339)))
		}
		w.finish(e, p, r.id, o)
		w.spent = append(w.spent, r.id)
	}
	e.dead = nil
}

// finish counts how a run ended, and that it is counted.
func (w *work) finish(e *entry, p Policy, id string, o Outcome) {
	w.watch(e, func() { e.Finish(w.now, p, id, o, w.file.Random()) })
	w.stats.TotalExecutions++
	w.countFailure(o.Failed)
	e.Counted = append(w.runs().left(e.Counted), id)
	e.changed = true
}

func (w *work) countFailure(failed bool) {
	if failed {
		w.stats.TotalFailures++
	}
}

// watch notes which circuits of a hook change does change.
func (w *work) watch(e *entry, change func()) {
	was, loops := e.State, map[string]State{}
	for id, s := range e.Sessions {
		loops[id] = s.loopState()
	}
	change()
	if e.State != was {
		w.recount = true
		w.change(e.name, "", was, &e.Circuit)
	}
	for _, id := range slices.Sorted(maps.Keys(e.Sessions)) {
		from, seen := loops[id]
		if !seen {
			from = Closed
		}
		if s := e.Sessions[id]; s.loopState() != from {
			w.durable = true
			loop := s.Loop
			if loop == nil {
				loop = &Circuit{State: Closed}
			}
			w.change(e.name, id, from, loop)
		}
	}
}

func (w *work) change(hook, session string, from State, c *Circuit) {
	ch := Change{Hook: hook, Session: session, From: from, To: c.State, At: w.now, Failures: c.ConsecutiveFailures, Error: c.LastError}
	if c.State == Open {
		ch.Until = c.RetryAfter
	}
	w.changes = append(w.changes, ch)
}

func (s *Session) loopState() State {
	if s.Loop == nil {
		return Closed
	}
	return s.Loop.State
}

// store puts what was changed into the document.
func (w *work) store() {
	gone := map[string]bool{}
	for _, e := range w.entries {
		switch {
		case e.gone:
			gone[e.name] = true
		case !e.changed:
		case e.index >= 0:
			w.doc.hooks.set(e.index, e.encode(e.others))
		default:
			w.doc.hooks.add(e.name, e.encode(e.others))
		}
	}
	if len(gone) > 0 {
		w.remove(gone)
	}
	if w.recount {
		w.stats.HooksDisabled = w.disabled()
	}
	w.storeStats()
}

// remove takes hooks out, each time that they are there.
func (w *work) remove(hooks map[string]bool) {
	for i := range w.doc.hooks.members {
		if hooks[w.doc.hooks.name(i)] {
			w.doc.hooks.set(i, nil)
		}
	}
}

// disabled counts the hooks that are off.
func (w *work) disabled() (n int64) {
	taken := map[string]bool{}
	for _, e := range w.entries {
		taken[e.name] = true
		if !e.gone && e.off(w.file.Policy(e.name)) {
			n++
		}
	}
	for name, i := range w.names() {
		if !taken[name] && mayBeOff(w.doc.hooks.value(i)) {
			h, _, _ := decodeHook(w.doc.hooks.value(i)) // a strange one starts afresh
			if h.off(w.file.Policy(name)) {
				n++
			}
		}
	}
	return n
}

// off reports whether a hook does not run as usual: its circuit is not closed, or an operator has disabled it.
func (h *Hook) off(p Policy) bool {
	return (h.State != Closed || h.DisabledByHand != nil) && !p.Excluded && !p.Observe
}

// mayBeOff spares most hooks the reading. An escaped letter may stand for any.
func mayBeOff(text []byte) bool {
	return bytes.Contains(text, []byte(`open"`)) || bytes.Contains(text, []byte("disabled_by_hand")) || bytes.Contains(text, []byte(`\u`))
}

// openParent is a hook whose open circuit keeps the named one from running; empty for none.
func (w *work) openParent(name string) string {
	if w.file.Parents == nil || len(w.file.Parents(name)) == 0 {
		return ""
	}
	names := w.names()
	return openParent(name, slices.Sorted(maps.Keys(names)), w.file.Parents, func(parent string) bool {
		h, _, _ := decodeHook(w.doc.hooks.value(names[parent])) // a strange one starts afresh
		return h.keepsOthers(w.file.Policy(parent), w.now)
	})
}
