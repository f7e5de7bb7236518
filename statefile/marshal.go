package statefile

import (
	"fmt"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

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
