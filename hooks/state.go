package hooks

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/claudeops/claudeops/internal/statedir"
	"github.com/claudeops/claudeops/internal/text"
)

// This file holds the format of the state file: parsing, writing, and the preservation of unknown members.

// StateName is the name of the state file.
const StateName = "hook_state.json"

const (
	maxStateBytes = 64 << 20
	// An editor that writes into the file empties it first. An unreadable file is read again after this time before it is treated as
	// corrupt.
	secondLook = 20 * time.Millisecond
)

// errNoState means that a state file does not hold a state. The error that wraps it says what it holds.
var errNoState = errors.New("not a hook state")

// state is a parsed state file. Its hooks stay JSON until they are needed, because every run of every hook reads the whole file.
type state struct {
	Hooks  map[string]jsontext.Value `json:"hooks"`
	Stats  jsontext.Value            `json:"global_stats,omitzero"`
	Others Others                    `json:",embed"`
}

// Others are unknown members of an object in the state file, which others have added. They are preserved.
type Others map[string]jsontext.Value

// Stats are counts of all hooks together (ANTI-LOOP "State Management").
type Stats struct {
	TotalExecutions int64      `json:"total_executions"`
	TotalFailures   int64      `json:"total_failures"`
	HooksDisabled   int64      `json:"hooks_disabled"` // circuit not closed, or disabled by hand
	LastUpdated     *time.Time `json:"last_updated"`
	Others          Others     `json:",embed"`
}

// lenient also accepts what jq and Python write: duplicate names, and invalid UTF-8.
func lenient() json.Options {
	return json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

func readingState() json.Options {
	return json.JoinOptions(lenient(), json.WithUnmarshalers(json.JoinUnmarshalers(
		json.UnmarshalFromFunc(readState), json.UnmarshalFromFunc(readCount), json.UnmarshalFromFunc(readNumber),
		json.UnmarshalFromFunc(readTime), json.UnmarshalFromFunc(readTimeIfAny),
	)))
}

func writingState() json.Options {
	return json.JoinOptions(lenient(), json.Deterministic(true), jsontext.WithIndent("  "), jsontext.PreserveRawStrings(true))
}

// parseState parses a state file. It fails with errNoState if the text or its hooks are not a JSON object.
func parseState(text []byte) (*state, error) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	s := &state{}
	if err := json.Unmarshal(text, s, lenient()); err != nil {
		return nil, fmt.Errorf("%w: %w", errNoState, err)
	}
	if jsontext.Value(bytes.TrimSpace(text)).Kind() != '{' {
		return nil, fmt.Errorf("%w: it is no JSON object", errNoState)
	}
	return s, nil
}

// hook parses a hook of the file. If a known value is invalid the hook is reset, except for unknown members and whether an operator has
// disabled it; err says what was invalid.
func (s *state) hook(name string) (h Hook, err error) {
	text := s.Hooks[name]
	if err := json.Unmarshal(text, &h, readingState()); err != nil {
		h = Hook{}
		eachMember(text, func(one Hook) {
			if one.DisabledByHand != nil {
				h.DisabledByHand = one.DisabledByHand
			}
			h.Others = h.Others.with(one.Others)
		})
		h.State = Closed
		return h, strange(err)
	}
	h.tidy()
	h.Running = nil // held by this process, not by the file
	maps.DeleteFunc(h.Sessions, func(_ string, s *Session) bool { return s == nil })
	for _, s := range h.Sessions {
		if s.Loop != nil {
			s.Loop.tidy()
		}
	}
	return h, nil
}

func (c *Circuit) tidy() {
	c.State = c.State.known()
	c.DisabledMS = min(c.DisabledMS, 999)
}

// stats parses the total counts. If one is invalid, all are reset.
func (s *state) stats() (st Stats, err error) {
	if s.Stats == nil {
		return st, nil
	}
	if err := json.Unmarshal(s.Stats, &st, readingState()); err != nil {
		st = Stats{}
		eachMember(s.Stats, func(one Stats) { st.Others = st.Others.with(one.Others) })
		return st, strange(err)
	}
	return st, nil
}

// eachMember parses each member of an object separately, and calls f with the valid ones.
func eachMember[T any](object jsontext.Value, f func(T)) {
	var members map[string]jsontext.Value
	_ = json.Unmarshal(object, &members, lenient()) // anything but an object has no members
	for name, value := range members {
		alone, err := json.Marshal(map[string]jsontext.Value{name: value}, lenient())
		var one T
		if err == nil && json.Unmarshal(alone, &one, readingState()) == nil {
			f(one)
		}
	}
}

func (o Others) with(more Others) Others {
	if o == nil {
		return more
	}
	maps.Copy(o, more)
	return o
}

// strange returns an error that says which value is invalid, without Go names.
func strange(err error) error {
	var s *json.SemanticError
	if !errors.As(err, &s) {
		return err
	}
	if s.Err != nil {
		return fmt.Errorf("%s: %w", s.JSONPointer, s.Err)
	}
	return fmt.Errorf("%s: a strange value, %s", s.JSONPointer, s.JSONKind)
}

// readText reads a string, or null as the empty string; want says what was expected.
func readText(dec *jsontext.Decoder, want string) (text string, err error) {
	switch dec.PeekKind() {
	case 'n':
		return "", dec.SkipValue()
	case '"':
		return text, json.UnmarshalDecode(dec, &text)
	}
	v, err := dec.ReadValue()
	return "", errors.Join(err, unexpected(string(v), want))
}

func unexpected(v, want string) error {
	return fmt.Errorf("strange value %s, where %s was expected", text.Shorten(v, 60), want)
}

func readState(dec *jsontext.Decoder, s *State) error {
	const want = `"closed", "open" or "half_open"`
	text, err := readText(dec, want)
	*s = State(text)
	if err == nil && *s != "" && *s != s.known() {
		err = unexpected(text, want)
	}
	*s = s.known()
	return err
}

// readCount reads a whole number that float64 represents exactly.
func readCount(dec *jsontext.Decoder, n *int64) error {
	var f float64
	if err := readNumber(dec, &f); err != nil {
		return err
	}
	if f != math.Trunc(f) {
		return unexpected(strconv.FormatFloat(f, 'g', -1, 64), "a count")
	}
	*n = int64(f)
	return nil
}

func readNumber(dec *jsontext.Decoder, f *float64) error {
	v, err := dec.ReadValue()
	*f = 0
	if err != nil || v.Kind() == 'n' {
		return err
	}
	if *f, err = strconv.ParseFloat(string(v), 64); err != nil || !(*f >= 0 && *f <= 1<<53) {
		return unexpected(string(v), "a number from 0 on")
	}
	return nil
}

// readTime reads a time; null and "" are the zero time. A time without a zone, as others write it, is UTC.
func readTime(dec *jsontext.Decoder, t *time.Time) error {
	const want = "a time like 2026-02-10T23:35:42Z"
	text, err := readText(dec, want)
	*t = time.Time{}
	if err != nil || text == "" {
		return err
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		at, err = time.Parse("2006-01-02T15:04:05", text)
	}
	if at = stamp(at); err != nil || at.Year() < 0 || at.Year() > 9999 {
		return unexpected(text, want)
	}
	*t = at
	return nil
}

// readTimeIfAny is readTime with nil for the zero time.
func readTimeIfAny(dec *jsontext.Decoder, t **time.Time) error {
	var at time.Time
	err := readTime(dec, &at)
	if *t = &at; at.IsZero() {
		*t = nil
	}
	return err
}

func readStateFile(path string) (*state, []byte, error) {
	text, err := statedir.ReadFile(path, maxStateBytes)
	if err != nil {
		return nil, nil, err
	}
	s, err := parseState(text)
	return s, text, err
}

// damaged reports whether an error of readStateFile means that nothing in the file is usable.
func damaged(err error) bool {
	return errors.Is(err, errNoState) || errors.Is(err, statedir.ErrTooLarge)
}

// loadState reads the state file. A missing or empty file is a state without hooks. A corrupt one is renamed first, and note says so.
func loadState(ctx context.Context, path string, now time.Time) (s *state, note string, err error) {
	s, text, err := readStateFile(path)
	switch {
	case err == nil:
		return s, "", nil
	case errors.Is(err, fs.ErrNotExist):
		return &state{}, "", nil
	case !damaged(err):
		return nil, "", err
	case errors.Is(err, errNoState):
		select {
		case <-ctx.Done():
		case <-time.After(secondLook):
		}
		if s, _, err := readStateFile(path); err == nil {
			return s, "", nil
		}
		if len(bytes.TrimSpace(text)) == 0 {
			return &state{}, fmt.Sprintf("%s was empty: what it held of the hooks' failures is lost", path), nil
		}
	}
	aside, asideErr := statedir.SetAside(path, "corrupt", now)
	if asideErr == nil {
		if asideErr = os.Remove(path); errors.Is(asideErr, fs.ErrNotExist) { // it was renamed already
			asideErr = nil
		}
	}
	if asideErr != nil {
		return nil, "", fmt.Errorf("read %s: %w; and it could not be set aside: %w", path, err, asideErr)
	}
	return &state{}, fmt.Sprintf("%s was corrupt and is now %s: %v", path, filepath.Base(aside), err), nil
}

// saveState replaces the state file. With durable, the change must survive a power failure.
func saveState(path string, s *state, durable bool) error {
	if s.Hooks == nil {
		s.Hooks = map[string]jsontext.Value{}
	}
	text, err := json.Marshal(s, writingState())
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if len(text) >= maxStateBytes {
		return fmt.Errorf("write %s: %w: it would have %d bytes, at most %d are read again", path, statedir.ErrTooLarge, len(text), maxStateBytes)
	}
	write := statedir.Rewrite
	if durable {
		write = statedir.Replace
	}
	return write(path, append(text, '\n'))
}

// makeDirectory creates a directory and its parents, accessible only to their owner.
func makeDirectory(path string) error {
	err := statedir.Mkdir(path, 0o700)
	if !errors.Is(err, fs.ErrNotExist) || filepath.Dir(path) == path {
		return err
	}
	if err := makeDirectory(filepath.Dir(path)); err != nil {
		return err
	}
	return statedir.Mkdir(path, 0o700)
}

// inDirectory calls open, and creates the directory of path if it is missing.
func inDirectory[T any](path string, open func() (T, error)) (T, error) {
	opened, err := open()
	if !errors.Is(err, fs.ErrNotExist) {
		return opened, err
	}
	if err := makeDirectory(filepath.Dir(path)); err != nil {
		return opened, err
	}
	return open()
}
