package statefile

import (
	"fmt"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Marshal is the file's content: services in the order of their names, two spaces of indentation, a newline at the end. Bytes
// of texts that are no UTF-8 become U+FFFD. It fails where a service's name is no UTF-8, and where Extra is no object or holds a
// name that has a field.
func (s *State) Marshal() ([]byte, error) {
	for name := range s.Services {
		if !utf8.ValidString(name) { // two of them could become one
			return nil, fmt.Errorf("write the cooldown state as JSON: the service name %q is no UTF-8", name)
		}
	}
	text, err := json.Marshal(s, json.Deterministic(true), jsontext.WithIndent("  "), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return nil, fmt.Errorf("write the cooldown state as JSON: %w", err)
	}
	return append(text, '\n'), nil
}
