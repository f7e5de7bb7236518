package breaker

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
)

// This file is the form of one hook in the state file: what encoding/json would make of Hook, with the fields that others added, and
// without the time that reflection takes to get to know the types. Each run of a hook reads and writes one of these.

// foreign is what others added to a hook.
type foreign struct {
	hook     []rawMember
	sessions map[string][]rawMember
	loops    map[string][]rawMember // by session
}

// rawMember is a name and its value as they stand in the file.
type rawMember []byte

// errStrange says that a value is none of those that stand in its place.
var errStrange = errors.New("strange value")

// decodeHook reads a hook. Null stands for the zero value. Where a value of ours is strange the hook starts afresh, with what others
// added to it and an operator's wish that it be off, and err says what was strange.
func decodeHook(text []byte) (h Hook, others foreign, err error) {
	h.State = Closed
	if string(text) == "null" {
		return h, others, nil
	}
	o, err := parseObject(text)
	if err != nil {
		return h, others, fmt.Errorf("%w: %w", errStrange, err)
	}
	for i := range o.members {
		known, merr := h.member(o.name(i), o.value(i), &others)
		if !known {
			others.hook = append(others.hook, o.raw(i))
		}
		if merr != nil {
			err = fmt.Errorf("%s: %w", o.name(i), merr)
		}
	}
	if err != nil {
		h = Hook{Circuit: Circuit{State: Closed}, DisabledByHand: h.DisabledByHand}
		others = foreign{hook: others.hook}
	}
	return h, others, err
}

func (o *object) raw(index int) rawMember {
	m := o.members[index]
	return rawMember(o.text[m.name.from:m.value.to])
}

// member takes one member of a hook over. known is false for the name of somebody else.
func (h *Hook) member(name string, v []byte, others *foreign) (known bool, err error) {
	switch name {
	case "disabled_by_hand":
		h.DisabledByHand, err = readMoment(v)
	case "executions":
		h.Executions, err = readCount(v)
	case "skips":
		h.Skips, err = readCount(v)
	case "last_call":
		h.LastCall, err = readMoment(v)
	case "event":
		h.Event, err = readWord(v)
	case "counted":
		h.Counted, err = readWords(v)
	case "sessions":
		err = h.sessions(v, others)
	default:
		return h.Circuit.member(name, v)
	}
	return true, err
}

func (c *Circuit) member(name string, v []byte) (known bool, err error) {
	switch name {
	case "state":
		c.State, err = readState(v)
	case "failure_count":
		c.FailureCount, err = readCount(v)
	case "consecutive_failures":
		c.ConsecutiveFailures, err = readCount(v)
	case "consecutive_successes":
		c.ConsecutiveSuccesses, err = readCount(v)
	case "first_failure":
		c.FirstFailure, err = readMoment(v)
	case "last_failure":
		c.LastFailure, err = readMoment(v)
	case "last_success":
		c.LastSuccess, err = readMoment(v)
	case "last_error":
		c.LastError, err = readWord(v)
	case "disabled_at":
		c.DisabledAt, err = readMoment(v)
	case "retry_after":
		c.RetryAfter, err = readMoment(v)
	case "generation":
		c.Generation, err = readCount(v)
	case "disabled_ms":
		if c.DisabledMS, err = readCount(v); c.DisabledMS > 999 {
			c.DisabledMS, err = 0, strange(v, "milliseconds of a second")
		}
	case "openings":
		var n int64
		n, err = readCount(v)
		c.Openings = int(n)
	case "trials_passed":
		c.TrialsPassed, err = readWeight(v)
	case "trials_failed":
		c.TrialsFailed, err = readWeight(v)
	default:
		return false, nil
	}
	return true, err
}

// sessionMembers is a session together with what others added to its circuit.
type sessionMembers struct {
	Session
	loop []rawMember
}

func (s *sessionMembers) member(name string, v []byte) (known bool, err error) {
	switch name {
	case "seen_at":
		s.SeenAt, err = readInstant(v)
	case "told":
		s.Told, err = readTruth(v)
	case "loop":
		if string(v) != "null" {
			s.Loop = &Circuit{State: Closed}
			s.loop, err = readMembers(v, s.Loop.member)
		}
	default:
		return false, nil
	}
	return true, err
}

func (h *Hook) sessions(v []byte, others *foreign) error {
	all, added, err := readEach(v, (*sessionMembers).member)
	h.Sessions, others.sessions, others.loops = map[string]*Session{}, added, map[string][]rawMember{}
	for id, s := range all {
		h.Sessions[id] = &s.Session
		others.loops[id] = s.loop
	}
	return err
}

// readEach reads an object of objects, each member of which is handed to member; the ones it does not know are returned by the name of
// their object. What is null is left out.
func readEach[T any](v []byte, member func(t *T, name string, v []byte) (bool, error)) (map[string]T, map[string][]rawMember, error) {
	if string(v) == "null" {
		return nil, nil, nil
	}
	o, err := parseObject(v)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", errStrange, err)
	}
	all, others := make(map[string]T, len(o.members)), map[string][]rawMember{}
	for i := range o.members {
		if string(o.value(i)) == "null" {
			continue
		}
		var t T
		added, err := readMembers(o.value(i), func(name string, v []byte) (bool, error) { return member(&t, name, v) })
		if err != nil {
			return nil, nil, err
		}
		all[o.name(i)], others[o.name(i)] = t, added
	}
	return all, others, nil
}

// readMembers hands each member of an object to member, and returns the ones that it does not know.
func readMembers(v []byte, member func(name string, v []byte) (known bool, err error)) (others []rawMember, err error) {
	o, err := parseObject(v)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errStrange, err)
	}
	for i := range o.members {
		known, merr := member(o.name(i), o.value(i))
		if !known {
			others = append(others, o.raw(i))
		}
		if merr != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", o.name(i), merr))
		}
	}
	return others, err
}

func strange(v []byte, want string) error {
	const most = 60
	if len(v) > most {
		v = append(v[:most:most], "…"...)
	}
	return fmt.Errorf("%w %s, where %s was expected", errStrange, v, want)
}

// readWord reads a text.
func readWord(v []byte) (string, error) {
	switch v[0] {
	case 'n':
		return "", nil
	case '"':
		return unquoteJSON(v), nil
	}
	return "", strange(v, "a text")
}

// readWords reads a list of texts.
func readWords(v []byte) (list []string, err error) {
	if string(v) == "null" {
		return nil, nil
	}
	if err := json.Unmarshal(v, &list); err != nil {
		return nil, strange(v, "a list of texts")
	}
	return list, nil
}

func readState(v []byte) (State, error) {
	text, err := readWord(v)
	switch s := State(text); {
	case err != nil:
		return Closed, err
	case s == Closed, s == Open, s == HalfOpen:
		return s, nil
	case s == "":
		return Closed, nil
	}
	return Closed, strange(v, `"closed", "open" or "half_open"`)
}

// readCount reads a count. What a float64 cannot count one by one is strange.
func readCount(v []byte) (int64, error) {
	if string(v) == "null" {
		return 0, nil
	}
	f, err := strconv.ParseFloat(string(v), 64)
	if err != nil || f < 0 || f > 1<<53 || f != math.Trunc(f) || v[0] == '"' {
		return 0, strange(v, "a count")
	}
	return int64(f), nil
}

func readWeight(v []byte) (float64, error) {
	if string(v) == "null" {
		return 0, nil
	}
	f, err := strconv.ParseFloat(string(v), 64)
	if err != nil || f < 0 || f > 1<<53 || v[0] == '"' {
		return 0, strange(v, "a number")
	}
	return f, nil
}

func readTruth(v []byte) (bool, error) {
	switch string(v) {
	case "true":
		return true, nil
	case "false", "null":
		return false, nil
	}
	return false, strange(v, "true or false")
}

// readMoment reads a time; nil is none. One without a zone, as others write it, is UTC.
func readMoment(v []byte) (*time.Time, error) {
	text, err := readWord(v)
	if text == "" || err != nil {
		return nil, err
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t, err = time.Parse("2006-01-02T15:04:05", text)
	}
	if t = stamp(t); err != nil || t.Year() < 0 || t.Year() > 9999 {
		return nil, strange(v, "a time like 2026-02-10T23:35:42Z")
	}
	return &t, nil
}

func readInstant(v []byte) (time.Time, error) {
	t, err := readMoment(v)
	if t == nil {
		t = &time.Time{}
	}
	return *t, err
}

// encode is the hook as the value of a member in the state file.
func (h *Hook) encode(others foreign) []byte {
	w := newJSONWriter(2)
	w.open()
	w.circuit(&h.Circuit)
	w.momentUnlessNil("disabled_by_hand", h.DisabledByHand)
	w.countUnlessZero("executions", h.Executions)
	w.countUnlessZero("skips", h.Skips)
	w.momentUnlessNil("last_call", h.LastCall)
	w.wordUnlessEmpty("event", h.Event)
	w.wordsUnlessNone("counted", h.Counted)
	if len(h.Sessions) > 0 {
		w.name("sessions")
		w.open()
		for _, id := range slices.Sorted(maps.Keys(h.Sessions)) {
			w.name(id)
			w.session(h.Sessions[id], others.sessions[id], others.loops[id])
		}
		w.close()
	}
	w.others(others.hook)
	w.close()
	return w.b
}

func (w *jsonWriter) circuit(c *Circuit) {
	w.word("state", string(c.State))
	w.count("failure_count", c.FailureCount)
	w.count("consecutive_failures", c.ConsecutiveFailures)
	w.count("consecutive_successes", c.ConsecutiveSuccesses)
	w.moment("first_failure", c.FirstFailure)
	w.moment("last_failure", c.LastFailure)
	w.moment("last_success", c.LastSuccess)
	w.word("last_error", c.LastError)
	w.moment("disabled_at", c.DisabledAt)
	w.moment("retry_after", c.RetryAfter)
	w.countUnlessZero("generation", c.Generation)
	w.countUnlessZero("disabled_ms", c.DisabledMS)
	w.countUnlessZero("openings", int64(c.Openings))
	w.weightUnlessZero("trials_passed", c.TrialsPassed)
	w.weightUnlessZero("trials_failed", c.TrialsFailed)
}

func (w *jsonWriter) session(s *Session, others, loop []rawMember) {
	w.open()
	w.moment("seen_at", &s.SeenAt)
	w.truthUnlessFalse("told", s.Told)
	if s.Loop != nil {
		w.name("loop")
		w.open()
		w.circuit(s.Loop)
		w.others(loop)
		w.close()
	}
	w.others(others)
	w.close()
}
