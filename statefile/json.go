package statefile

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// ErrCorrupt means that a state file does not contain a state. The error that wraps it says what it contains.
var ErrCorrupt = errors.New("not a cooldown state")

// Parse parses a state written by this program, by jq or by a person. It fails with ErrCorrupt if data is not a JSON object in UTF-8, has
// a duplicate name, or has something of another type in place of a member; times are as RFC 3339 writes them. A null or missing member is
// an empty one.
func Parse(data []byte) (*State, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if !bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte("{")) {
		return nil, fmt.Errorf("%w: it does not begin with {", ErrCorrupt)
	}
	s := New()
	if err := json.Unmarshal(data, s); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	if s.Services == nil {
		s.Services = map[string]*Service{}
	}
	for name, is := range s.Services {
		if is == nil {
			s.Services[name] = &Service{}
			continue
		}
		is.ConsecutiveHealthy = max(is.ConsecutiveHealthy, 0)
	}
	return s, nil
}

// Marshal returns the file's content: services sorted by name, two spaces of indentation, a newline at the end. It fails if a name or a
// text is not UTF-8, or if Extra is not an object or contains the name of a field.
func (s *State) Marshal() ([]byte, error) {
	text, err := json.Marshal(s, json.Deterministic(true), jsontext.WithIndent("  "))
	if err != nil {
		return nil, fmt.Errorf("write the cooldown state as JSON: %w", err)
	}
	return append(text, '\n'), nil
}
