package hooks

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/claudeops/claudeops/internal/statedir"
)

const (
	maxState  = 64 << 20            // bytes of a state file
	lockWait  = 2 * time.Second     // how long a call waits for the lock of the file
	retention = 30 * 24 * time.Hour // how long a hook stays in the file that is not seen any more
)

// errDamaged means that a state file does not hold a state.
var errDamaged = errors.New("not a hook state")

// File is the state file that all hooks share, in the form of ANTI-LOOP "State Management". It is replaced whole and atomically, so that a
// reader needs no lock.
type File struct {
	Path string
	Now  func() time.Time
}

// Hooks is a state file as it was read: what is known of all hooks.
type Hooks struct {
	Stats Stats

	content  content
	size     int              // of the file, in bytes
	parsed   map[string]*Hook // so far
	edited   map[string]*Hook // nil: to be deleted
	changed  bool             // the file has to be written
	switched bool             // a hook was switched on or off
}

func newHooks() *Hooks { return &Hooks{parsed: map[string]*Hook{}, edited: map[string]*Hook{}} }

// Stats are counts of all hooks together.
type Stats struct {
	TotalExecutions int64                     `json:"total_executions"`
	TotalFailures   int64                     `json:"total_failures"`
	HooksDisabled   int64                     `json:"hooks_disabled"`
	LastUpdated     *time.Time                `json:"last_updated"`
	Others          map[string]jsontext.Value `json:",embed"`
}

// content is the file. Its hooks stay JSON until they are needed, because every run of every hook reads the whole file.
type content struct {
	Hooks  map[string]jsontext.Value `json:"hooks"`
	Stats  jsontext.Value            `json:"global_stats,omitzero"`
	Others map[string]jsontext.Value `json:",embed"`
}

// Read returns the state. A missing file is an empty state; one that does not hold a state is an empty one and an error.
func (f *File) Read() (*Hooks, error) {
	s := newHooks()
	text, err := statedir.ReadFile(f.Path, maxState)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil && !errors.Is(err, statedir.ErrTooLarge) {
		return s, fmt.Errorf("hook state: %w", err)
	}
	s.size = len(text)
	if err == nil {
		err = json.Unmarshal(text, &s.content, reading)
	}
	if err == nil && s.content.Stats != nil {
		err = json.Unmarshal(s.content.Stats, &s.Stats, reading)
	}
	if err != nil {
		return newHooks(), fmt.Errorf("%s: %w: %w", f.Path, errDamaged, err)
	}
	return s, nil
}

// Update applies do to the state and writes the result, while nobody else does. A file that does not hold a state is set aside, and note
// says so. If the lock cannot be taken within wait, or something cannot be read or written, nothing changes. A change of a circuit
// survives a power failure, a count need not.
func (f *File) Update(wait time.Duration, do func(*Hooks)) (note string, err error) {
	if err := os.MkdirAll(filepath.Dir(f.Path), 0o700); err != nil {
		return "", fmt.Errorf("hook state: %w", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), wait)
	defer cancel()
	lock, err := statedir.Acquire(ctx, f.Path+".lock")
	if err != nil {
		return "", fmt.Errorf("hook state: %w", err)
	}
	defer func() { err = errors.Join(err, lock.Release()) }()
	s, err := f.Read()
	if errors.Is(err, errDamaged) {
		aside, asideErr := statedir.SetAside(f.Path, "corrupt", f.Now())
		if asideErr != nil {
			return "", errors.Join(err, asideErr)
		}
		note = fmt.Sprintf("%v; it is kept as %s, and counting begins anew", err, aside)
		s.changed, err = true, nil
	}
	if err != nil {
		return "", err
	}
	do(s)
	if s.changed {
		err = f.write(s)
	}
	return note, err
}

func (f *File) write(s *Hooks) error {
	if s.content.Hooks == nil {
		s.content.Hooks = map[string]jsontext.Value{}
	}
	var err error
	for name, h := range s.edited {
		if h == nil {
			delete(s.content.Hooks, name)
			continue
		}
		if _, known := s.content.Hooks[name]; !known {
			s.forget(f.Now())
			_ = statedir.RemoveTemporaries(filepath.Dir(f.Path), filepath.Base(f.Path), f.Now()) // of calls that were killed; harmless
		}
		if s.content.Hooks[name], err = json.Marshal(h, writing); err != nil {
			return fmt.Errorf("hook state: write the hook %q: %w", name, err)
		}
	}
	if s.switched {
		s.Stats.HooksDisabled = s.disabled()
	}
	s.Stats.LastUpdated = stamp(f.Now())
	if s.content.Stats, err = json.Marshal(s.Stats, writing); err != nil {
		return fmt.Errorf("hook state: write the counts: %w", err)
	}
	var text bytes.Buffer
	text.Grow(s.size + s.size/4) // a buffer that grows costs several times the writing
	if err := json.MarshalWrite(&text, s.content, writing); err != nil {
		return fmt.Errorf("hook state: %w", err)
	}
	replace := statedir.Rewrite
	if s.switched {
		replace = statedir.Replace
	}
	if err := replace(f.Path, append(text.Bytes(), '\n')); err != nil {
		return fmt.Errorf("hook state: %w", err)
	}
	return nil
}

// Hook returns a hook, to look at; a new one if nothing is known about it, or its entry is none.
func (s *Hooks) Hook(name string) *Hook {
	if h := s.parsed[name]; h != nil {
		return h
	}
	h := &Hook{}
	if text, known := s.content.Hooks[name]; known && json.Unmarshal(text, h, reading) != nil {
		h = &Hook{}
	}
	h.State = h.known()
	maps.DeleteFunc(h.Sessions, func(_ string, session *Session) bool { return session == nil })
	for _, session := range h.Sessions {
		if session.Loop != nil {
			session.Loop.State = session.Loop.known()
		}
	}
	s.parsed[name] = h
	return h
}

// Names returns the commands of all hooks, sorted.
func (s *Hooks) Names() []string { return slices.Sorted(maps.Keys(s.content.Hooks)) }

// Edit changes a hook, and returns the changes of its circuit and of that session's.
func (s *Hooks) Edit(name, session string, edit func(*Hook)) (changes []Change) {
	h := s.Hook(name)
	off, was, wasLoop := h.Off(), h.Circuit, h.loop(session)
	edit(h)
	s.edited[name], s.changed = h, true
	if h.State != was.State {
		changes = append(changes, Change{Hook: name, From: was.State, Circuit: h.Circuit})
	}
	if loop := h.loop(session); loop.State != wasLoop.State {
		changes = append(changes, Change{Hook: name, Session: session, From: wasLoop.State, Circuit: loop})
	}
	s.switched = s.switched || off != h.Off() || len(changes) > 0
	return changes
}

// Delete forgets a hook.
func (s *Hooks) Delete(name string) {
	delete(s.parsed, name)
	s.edited[name], s.changed, s.switched = nil, true, true
}

// Clear forgets all hooks and their counts, and returns how many hooks there were.
func (s *Hooks) Clear() int {
	for _, name := range s.Names() {
		s.Delete(name)
	}
	s.Stats = Stats{Others: s.Stats.Others}
	s.changed, s.switched = true, true
	return len(s.edited)
}

// forget forgets the hooks that were not seen for long, but not that a person has disabled one.
func (s *Hooks) forget(now time.Time) {
	for name := range s.content.Hooks {
		h := s.Hook(name)
		if last := h.lastSeen(); !last.IsZero() && now.Sub(last) > retention && h.DisabledByHand == nil {
			delete(s.content.Hooks, name)
			s.switched = true
		}
	}
}

// disabled counts the hooks that are off.
func (s *Hooks) disabled() (n int64) {
	for name := range s.content.Hooks {
		if s.Hook(name).Off() {
			n++
		}
	}
	return n
}

// loop returns the circuit of a session, closed where it has none.
func (h *Hook) loop(session string) Circuit {
	if s := h.Sessions[session]; s != nil && s.Loop != nil {
		return *s.Loop
	}
	return Circuit{State: Closed}
}

// Change is a change of a circuit's state.
type Change struct {
	Hook    string
	Session string // set if the circuit is a session's own
	From    State
	Circuit // as it is now
}

// reading accepts what other programs write: duplicate names, invalid UTF-8, and Python's times without a zone, which are UTC here.
var reading = json.JoinOptions(
	jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true), json.WithUnmarshalers(json.UnmarshalFromFunc(readTime)),
)

var writing = json.JoinOptions(
	jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true), jsontext.PreserveRawStrings(true),
	json.Deterministic(true), jsontext.WithIndent("  "),
)

func readTime(dec *jsontext.Decoder, t *time.Time) error {
	token, err := dec.ReadToken()
	if err != nil {
		return err
	}
	text := strings.Replace(token.String(), " ", "T", 1)
	if *t, err = time.Parse(time.RFC3339Nano, text); err != nil {
		*t, err = time.Parse("2006-01-02T15:04:05", text)
	}
	*t = *stamp(*t)
	return err
}
