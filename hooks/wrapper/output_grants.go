package wrapper

import (
	"bytes"
	"errors"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// withoutGrants is a hook's output without what would permit something: a hook may refuse, ask and tell. An output without a grant
// comes back as it is. Where it looks like JSON and cannot be understood, nothing comes back: the agent program might understand
// it.
//
// Only an object that is all of the output counts with the agent program; it counts at any exit code.
func withoutGrants(output []byte) []byte {
	text := trimJS(output)
	if len(text) == 0 || text[0] != '{' {
		return output
	}
	kept, changed, err := keepMembers(text, keepTop)
	switch {
	case err != nil:
		return nil
	case !changed:
		return output
	}
	return append(kept, '\n')
}

// errTwoValues is what there is behind the end of an object.
var errTwoValues = errors.New("something follows the JSON object")

// lenient reads what the agent program reads, not only what is well spelled.
func lenient() json.Options {
	return json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// keeper decides what is kept of a member's value: nil is nothing, not even its name.
type keeper func(name string, value jsontext.Value) (kept jsontext.Value, err error)

// keepTop takes the grants from an output.
func keepTop(name string, value jsontext.Value) (jsontext.Value, error) {
	switch name {
	case "decision":
		return onlyIf(value, "block"), nil
	case "hookSpecificOutput":
		return keepInside(value, keepSpecific)
	}
	return unlessGrant(name, value), nil
}

// keepSpecific takes the grants from an output's hookSpecificOutput.
func keepSpecific(name string, value jsontext.Value) (jsontext.Value, error) {
	switch name {
	case "permissionDecision":
		return onlyIf(value, "deny", "ask"), nil // defer ends the session
	case "decision": // of PermissionRequest
		return keepInside(value, keepRequest)
	case "action": // of Elicitation: what the user is asked
		return onlyIf(value, "decline", "cancel"), nil
	}
	return unlessGrant(name, value), nil
}

// keepRequest takes the grants from the decision on a request for permission.
func keepRequest(name string, value jsontext.Value) (jsontext.Value, error) {
	if name == "behavior" {
		return onlyIf(value, "deny"), nil
	}
	return unlessGrant(name, value), nil
}

// unlessGrant drops the members that permit or replace what is done, wherever they stand. The last one is no member to the
// agent program, but what all members are looked up in.
func unlessGrant(name string, value jsontext.Value) jsontext.Value {
	if slices.Contains([]string{"updatedInput", "updatedPermissions", "retry", "__proto__"}, name) {
		return nil
	}
	return value
}

func onlyIf(value jsontext.Value, texts ...string) jsontext.Value {
	var text string
	if err := json.Unmarshal(value, &text, lenient()); err != nil || !slices.Contains(texts, text) {
		return nil
	}
	return value
}

// keepInside keeps of an object what keep keeps. What is no object says nothing where one is wanted.
func keepInside(value jsontext.Value, keep keeper) (jsontext.Value, error) {
	if value.Kind() != '{' {
		return nil, nil
	}
	kept, changed, err := keepMembers(value, keep)
	if err == nil && !changed {
		return value, nil
	}
	return kept, err
}

// keepMembers copies an object without the members of which nothing is kept.
func keepMembers(object []byte, keep keeper) (kept []byte, changed bool, err error) {
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
		text, err := jsontext.AppendUnquote(nil, name)
		if err != nil && len(text) == 0 {
			return nil, false, err
		}
		was := value.Clone()
		value, err = keep(string(text), was)
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
