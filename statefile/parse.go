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

// ErrCorrupt says that a state file holds something other than a state. What exactly is in the error that wraps it.
var ErrCorrupt = errors.New("not a cooldown state")

// maxDepth is how deep a state file may be nested: what is deeper is written, with its indentation, in a thousand times the bytes.
const maxDepth = 64

// Parse reads a state as we, jq or a person wrote it. It fails, with ErrCorrupt, where data is no JSON object, has a name twice
// in one object, is nested deeper than 64 levels, or has something else where the services, a service, a list of records or a
// record should be. Null or a missing member there is an empty one.
//
// A single value of another type than expected, such as the "true" that `jq --arg` makes, does not make the file corrupt: a number may
// be in a string, a yes in "true" or "success", a text in any form; what says nothing is 0, false or empty.
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

// tooDeep counts brackets: to decode every token once more would take as long as Parse. What is no JSON, Parse finds out.
func tooDeep(data []byte) bool {
	depth, quoted := 0, false
	for i := 0; i < len(data) && depth <= maxDepth; i++ {
		switch data[i] {
		case '"':
			quoted = !quoted
		case '\\':
			i++ // outside of a text it is no JSON
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

// complete turns what may be null or absurd in the file into what the rest of the package can rely on.
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

// tolerant reads single values of the wrong type for what they plainly mean. It costs time, so a file gets it only after it
// could not be read without.
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

// readNumber is the whole part of the next value, which may be a string; 0 where that is no number. What a float64 cannot count
// one by one is cut off.
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

// readText is the next value as text: a string's content, nothing for null, and the JSON itself of anything else.
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
