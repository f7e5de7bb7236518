package statefile

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// ErrCorrupt means that a state file does not contain a state. The error that wraps it says what it contains.
var ErrCorrupt = errors.New("not a cooldown state")

// Parse parses a state written by this program, by jq or by a person. It fails with ErrCorrupt if data is not a JSON object, has a
// duplicate name, or has something of another type in place of a member; times are as RFC 3339 writes them. A null or missing member is
// an empty one.
func Parse(data []byte) (*State, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if !bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte("{")) {
		return nil, fmt.Errorf("%w: it does not begin with {", ErrCorrupt)
	}
	s := New()
	if err := json.Unmarshal(data, s, jsontext.AllowInvalidUTF8(true)); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	s.complete()
	return s, nil
}

// complete replaces null and absurd values by ones that the rest of the package can rely on.
func (s *State) complete() {
	if s.Services == nil {
		s.Services = map[string]*Service{}
	}
	for name, is := range s.Services {
		if is == nil {
			s.Services[name] = &Service{}
			continue
		}
		is.ConsecutiveHealthy = min(max(is.ConsecutiveHealthy, 0), math.MaxInt32)
	}
}

// Marshal returns the file's content: services sorted by name, two spaces of indentation, a newline at the end. Invalid UTF-8 in texts
// becomes U+FFFD. It fails if a service's name is not UTF-8, or if Extra is not an object or contains the name of a field.
func (s *State) Marshal() ([]byte, error) {
	for name := range s.Services {
		if !utf8.ValidString(name) { // two names could become one
			return nil, fmt.Errorf("write the cooldown state as JSON: the service name %q is no UTF-8", name)
		}
	}
	text, err := json.Marshal(s, json.Deterministic(true), jsontext.WithIndent("  "), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return nil, fmt.Errorf("write the cooldown state as JSON: %w", err)
	}
	return append(text, '\n'), nil
}
