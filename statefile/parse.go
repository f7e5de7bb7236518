package statefile

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// ErrCorrupt means that a state file does not contain a state. The error that wraps it says what it contains.
var ErrCorrupt = errors.New("not a cooldown state")

// maxDepth limits the nesting of a state file, because indentation would make deeper nesting a thousand times larger.
const maxDepth = 64

// Parse parses a state written by this program, by jq or by a person. It fails with ErrCorrupt if data is not a JSON object, has a
// duplicate name, is nested deeper than 64 levels, or has something else in place of the services, a service, a list of records or a
// record. A null or missing member there is an empty one.
//
// A scalar of another type than expected, such as the "true" that `jq --arg` makes, does not make the file corrupt: a number may be a
// string, true may be "true" or "success", and a text may be any value. Meaningless values become 0, false or empty.
func Parse(data []byte) (*State, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	switch start := bytes.TrimLeft(data, " \t\r\n"); {
	case len(start) == 0:
		return nil, fmt.Errorf("%w: it is empty", ErrCorrupt)
	case start[0] != '{':
		return nil, fmt.Errorf("%w: it does not begin with {", ErrCorrupt)
	case tooDeep(start):
		return nil, fmt.Errorf("%w: it is nested deeper than %d levels", ErrCorrupt, maxDepth)
	}
	s := New()
	err := json.Unmarshal(data, s, jsontext.AllowInvalidUTF8(true))
	if semantic := (*json.SemanticError)(nil); errors.As(err, &semantic) {
		s = New()
		err = json.Unmarshal(data, s, jsontext.AllowInvalidUTF8(true), tolerant())
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	s.complete()
	return s, nil
}

// tooDeep counts brackets, because decoding all tokens again would take as long as Parse. Invalid JSON is left to Parse.
func tooDeep(data []byte) bool {
	depth, quoted := 0, false
	for i := 0; i < len(data) && depth <= maxDepth; i++ {
		switch data[i] {
		case '"':
			quoted = !quoted
		case '\\':
			i++ // outside a text, it is not JSON; Parse reports that
		case '{', '[':
			if !quoted {
				depth++
			}
		case '}', ']':
			if !quoted {
				depth--
			}
		}
	}
	return depth > maxDepth
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

// tolerant reads scalars of the wrong type as what they obviously mean. It costs time, so it is used only after normal parsing has
// failed.
func tolerant() json.Options {
	return json.WithUnmarshalers(json.JoinUnmarshalers(
		json.UnmarshalFromFunc(func(dec *jsontext.Decoder, n *int) error {
			whole, err := readNumber(dec)
			*n = int(whole)
			return err
		}),
		json.UnmarshalFromFunc(func(dec *jsontext.Decoder, n *int64) (err error) {
			*n, err = readNumber(dec)
			return err
		}),
		json.UnmarshalFromFunc(func(dec *jsontext.Decoder, yes *bool) error {
			text, err := readText(dec)
			*yes = text == "true" || text == "success"
			return err
		}),
		json.UnmarshalFromFunc(func(dec *jsontext.Decoder, text *string) (err error) {
			*text, err = readText(dec)
			return err
		}),
	))
}

// readNumber returns the whole part of the next value, which may be a string; 0 if it is not a number. It is limited to the whole numbers
// that float64 represents exactly.
func readNumber(dec *jsontext.Decoder) (int64, error) {
	text, err := readText(dec)
	if err != nil {
		return 0, err
	}
	f, err := strconv.ParseFloat(text, 64)
	if math.IsNaN(f) || err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, nil
	}
	return int64(max(-1<<53, min(f, 1<<53))), nil
}

// readText returns the next value as text: the content of a string, "" for null, and the JSON of anything else.
func readText(dec *jsontext.Decoder) (string, error) {
	v, err := dec.ReadValue()
	if err != nil {
		return "", err
	}
	switch v.Kind() {
	case jsontext.KindNull:
		return "", nil
	case jsontext.KindString:
		text, err := jsontext.AppendUnquote(nil, v)
		if len(text) == 0 && err != nil {
			return "", err
		}
		return string(text), nil
	}
	return string(v), nil
}
