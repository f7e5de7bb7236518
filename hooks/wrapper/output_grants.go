package wrapper

import (
	"bytes"
	"errors"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// withoutGrants removes from a hook's output everything that would grant something: a hook may refuse, ask and report. An output without
// a grant is returned unchanged. An output that looks like JSON but cannot be parsed is dropped, because the agent program might parse
// it.
//
// The agent program only reads an output that consists of one object, at any exit code.
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

// lenient accepts what the agent program accepts, not only strictly valid JSON.
func lenient() json.Options {
	return json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// members says what to keep of an object: a member in texts if its value is one of those, a member in inside if it is an object, filtered
// in turn, and any other member unchanged unless it is in grantNames.
type members struct {
	texts  map[string][]string
	inside map[string]*members
}

// answer is what to keep of a hook's output.
var answer = &members{
	texts: map[string][]string{"decision": {"block"}},
	inside: map[string]*members{"hookSpecificOutput": {
		texts: map[string][]string{
			"permissionDecision": {"deny", "ask"},       // "defer" ends the session
			"action":             {"decline", "cancel"}, // for Elicitation, where the user is asked
		},
		inside: map[string]*members{"decision": { // for PermissionRequest
			texts: map[string][]string{"behavior": {"deny"}},
		}},
	}},
}

// grantNames are the members that grant or replace an action, wherever they occur. The last one sets the prototype in the agent program,
// through which all members are looked up.
var grantNames = []string{"updatedInput", "updatedPermissions", "retry", "__proto__"}

// keep returns what to keep of a member's value; nil drops the member.
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
			return nil, nil //nolint:nilerr // a value that is not a text is none of these
		}
	}
	return value, nil
}

// filter copies an object without the dropped members.
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
		text, _ := jsontext.AppendUnquote(nil, name) // fails only for invalid UTF-8, and such a name is kept
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
