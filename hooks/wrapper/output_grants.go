package wrapper

import (
	"bytes"
	"errors"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// withoutGrants is a hook's output without what would permit something: a hook may refuse, ask and report. An output without a grant
// comes back as it is. Nothing comes back of one that looks like JSON and cannot be understood: the agent program might understand it.
//
// Only an object that is all of the output counts with the agent program; it counts at any exit code.
func withoutGrants(output []byte) []byte {
	text := trimJS(output)
	if len(text) == 0 || text[0] != '{' {
		return output
	}
	kept, changed, err := answer.filter(text)
	switch {
	case err != nil:
		return nil
	case !changed:
		return output
	}
	return append(kept, '\n')
}

var errTwoValues = errors.New("something follows the JSON object")

// lenient reads what the agent program reads, not only what is well spelled.
func lenient() json.Options {
	return json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// members says what is kept of an object: a member with texts where it is one of them, a member with members where it is an object and
// what is kept of that, any other as it is, except grants.
type members struct {
	texts  map[string][]string
	inside map[string]*members
}

// answer is what is kept of a hook's output.
var answer = &members{
	texts: map[string][]string{"decision": {"block"}},
	inside: map[string]*members{"hookSpecificOutput": {
		texts: map[string][]string{
			"permissionDecision": {"deny", "ask"},       // defer ends the session
			"action":             {"decline", "cancel"}, // of Elicitation: what the user is asked
		},
		inside: map[string]*members{"decision": { // of PermissionRequest
			texts: map[string][]string{"behavior": {"deny"}},
		}},
	}},
}

// grantNames are the members that permit or replace what is done, wherever they are. The last one is no member to the agent program, but
// what all members are looked up in.
var grantNames = []string{"updatedInput", "updatedPermissions", "retry", "__proto__"}

// keep returns what is kept of a member's value: nil is nothing, not even its name.
func (m *members) keep(name string, value jsontext.Value) (kept jsontext.Value, err error) {
	texts, inside := m.texts[name], m.inside[name]
	switch {
	case slices.Contains(grantNames, name), inside != nil && value.Kind() != '{':
		return nil, nil
	case inside != nil:
		kept, changed, err := inside.filter(value)
		if err != nil || changed {
			return kept, err
		}
	case texts != nil:
		var text string
		if err := json.Unmarshal(value, &text, lenient()); err != nil || !slices.Contains(texts, text) {
			return nil, nil //nolint:nilerr // what is no text is none of these
		}
	}
	return value, nil
}

// filter copies an object without the members of which nothing is kept.
func (m *members) filter(object []byte) (kept []byte, changed bool, err error) {
	dec := jsontext.NewDecoder(bytes.NewReader(object), lenient())
	if _, err := dec.ReadToken(); err != nil {
		return nil, false, err
	}
	kept = append(kept, '{')
	for dec.PeekKind() != '}' {
		name, err := dec.ReadValue()
		if err != nil {
			return nil, false, err
		}
		name = name.Clone()
		value, err := dec.ReadValue()
		if err != nil {
			return nil, false, err
		}
		text, _ := jsontext.AppendUnquote(nil, name) // which fails for what is no UTF-8 alone, and such a name is kept
		was := value.Clone()
		value, err = m.keep(string(text), was)
		if err != nil {
			return nil, false, err
		}
		changed = changed || !bytes.Equal(value, was)
		if value == nil {
			continue
		}
		if len(kept) > 1 {
			kept = append(kept, ',')
		}
		kept = append(append(append(kept, name...), ':'), value...)
	}
	if _, err := dec.ReadToken(); err != nil {
		return nil, false, err
	}
	if len(bytes.TrimSpace(object[dec.InputOffset():])) > 0 {
		return nil, false, errTwoValues
	}
	return append(kept, '}'), changed, nil
}
