package hooks

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/claudeops/claudeops/internal/statedir"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// work is one read-modify-write of the state file: the hooks that were parsed, and what must be reported.
type work struct {
	file    *File
	path    string
	now     time.Time
	state   *state
	stats   Stats
	entries map[string]*entry // parsed so far
	changes []Change
	notes   []string

	recount bool // a circuit's state or an operator's choice has changed, and with it hooks_disabled
	durable bool // the change must survive a power failure; also set for a session's own circuit

	noted map[string][]record // the runs that have files, by hook
	spent []string            // runs whose files are removed once the state is written
}

// entry is a hook that was parsed from the file, or is new.
type entry struct {
	Hook
	name    string
	stored  bool // in the file
	changed bool
	gone    bool
	dead    []record // its runs whose wrappers are gone
}

func (w *work) run(ctx context.Context, do func(*work) error) error {
	s, note, err := loadState(ctx, w.path, w.now)
	if err != nil {
		return err
	}
	w.note(note)
	w.read(s)
	if w.noted, err = w.runs().all(); err != nil {
		return err
	}
	if err := do(w); err != nil {
		return err
	}
	if w.anyChange() {
		if err := w.makeRoom(); err != nil {
			return err
		}
		if err := w.store(); err != nil {
			return err
		}
	}
	for _, id := range w.spent {
		err = errors.Join(err, w.runs().remove(id))
	}
	return err
}

func (w *work) read(s *state) {
	w.state, w.entries = s, map[string]*entry{}
	var err error
	if w.stats, err = s.stats(); err != nil {
		w.note(fmt.Sprintf("the counts of all hooks together start afresh: %v", err))
	}
}

// runs returns the directory of the runs' files.
func (w *work) runs() runs { return runs(w.path + ".running") }

func (w *work) note(text string) {
	if text != "" {
		w.notes = append(w.notes, text)
	}
}

func (w *work) anyChange() bool {
	for _, e := range w.entries {
		if e.changed || e.gone {
			return true
		}
	}
	return w.recount
}

// entry returns the hook of that name; a new one if there is none.
func (w *work) entry(hook string) *entry {
	name := string([]rune(hook)) // as read from the file, which is UTF-8
	if e := w.entries[name]; e != nil {
		return e
	}
	e := &entry{Hook: Hook{Circuit: Circuit{State: Closed}}, name: name}
	if _, e.stored = w.state.Hooks[name]; e.stored {
		var err error
		if e.Hook, err = w.state.hook(name); err != nil {
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
	w.entries[name] = e
	return e
}

// known reports whether anything is known about a hook.
func (e *entry) known() bool { return e.stored || len(e.Running) > 0 || e.changed }

// all returns the hooks in the file and those with a run that has not ended, sorted by name.
func (w *work) all() []*entry {
	names := slices.AppendSeq(slices.Collect(maps.Keys(w.state.Hooks)), maps.Keys(w.noted))
	slices.Sort(names)
	var all []*entry
	for _, name := range slices.Compact(names) {
		all = append(all, w.entry(name))
	}
	return all
}

// reset resets a hook to one that has never run.
func (w *work) reset(e *entry) {
	e.gone, e.changed = e.DisabledByHand == nil, true
	e.Hook = Hook{Circuit: Circuit{State: Closed, Others: e.Others}, DisabledByHand: e.DisabledByHand}
	e.dead, w.recount = nil, true
	for _, r := range w.noted[e.name] { // earlier runs no longer belong to the hook
		w.spent = append(w.spent, r.id)
	}
}

// reap counts the runs of a hook whose wrappers are gone, and removes temporary files that they may have left.
func (w *work) reap(e *entry, p Policy) {
	if len(e.dead) > 0 {
		_ = statedir.RemoveTemporaries(filepath.Dir(w.path), filepath.Base(w.path), w.now) // leftovers are harmless
	}
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

// finish counts how a run ended, and records that it is counted.
func (w *work) finish(e *entry, p Policy, id string, o Outcome) {
	w.watch(e, func() { e.Finish(w.now, p, id, o, w.file.Random()) })
	w.stats.TotalExecutions++
	if o.Failed {
		w.stats.TotalFailures++
	}
	e.Counted = append(w.runs().left(e.Counted), id)
	e.changed = true
}

// watch records the changes of the hook's circuits that change makes.
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

// store writes what was changed.
func (w *work) store() (err error) {
	if w.state.Hooks == nil {
		w.state.Hooks = map[string]jsontext.Value{}
	}
	for _, e := range w.entries {
		switch {
		case e.gone:
			delete(w.state.Hooks, e.name)
		case e.changed:
			h := e.Hook
			h.Running = nil
			if w.state.Hooks[e.name], err = json.Marshal(h, writingState()); err != nil {
				return fmt.Errorf("write the hook %q: %w", e.name, err)
			}
		}
	}
	if w.recount {
		w.stats.HooksDisabled = w.disabled()
	}
	at := stamp(w.now)
	w.stats.LastUpdated = &at
	if w.state.Stats, err = json.Marshal(w.stats, writingState()); err != nil {
		return fmt.Errorf("write the counts of all hooks: %w", err)
	}
	return saveState(w.path, w.state, w.recount || w.durable)
}

// disabled counts the hooks that are off.
func (w *work) disabled() (n int64) {
	for _, e := range w.entries {
		if !e.gone && e.off(w.file.Policy(e.name)) {
			n++
		}
	}
	for name := range w.state.Hooks {
		if w.entries[name] == nil {
			h, _ := w.state.hook(name) // a hook with invalid values is reset
			if h.off(w.file.Policy(name)) {
				n++
			}
		}
	}
	return n
}

// off reports whether a hook does not run normally: its circuit is not closed, or an operator has disabled it.
func (h *Hook) off(p Policy) bool {
	return (h.State != Closed || h.DisabledByHand != nil) && !p.Excluded && !p.Observe
}

// openParent returns a hook whose open circuit keeps the named one from running; empty if there is none.
func (w *work) openParent(name string) string {
	if w.file.Parents == nil || len(w.file.Parents(name)) == 0 {
		return ""
	}
	return openParent(name, slices.Sorted(maps.Keys(w.state.Hooks)), w.file.Parents, func(parent string) bool {
		h, _ := w.state.hook(parent) // a hook with invalid values is reset
		return h.keepsOthers(w.file.Policy(parent), w.now)
	})
}
