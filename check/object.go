package check

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Presence says whether a member of an object must be there. A null counts as
// not there, whoever wrote it: jq and most languages write one for no value.
type Presence bool

// A member is Required or Optional.
const (
	Required Presence = true
	Optional Presence = false
)

// Object is a JSON object in a Reading. Its methods look one member up: ok says
// that it is there and has the right type; everything else is noted as a fault,
// except that an Optional member is missing.
type Object struct {
	read    *Reading
	at      string
	members map[string]jsontext.Value
}

// Object takes v, part of a text that is WellFormed, as an object; at is its
// place. Where it is something else, that is a fault and ok is false.
func (r *Reading) Object(v jsontext.Value, at string) (o Object, ok bool) {
	if v.Kind() != '{' {
		r.Fault(at, mustBe(v, "an object"))
		return Object{}, false
	}
	o = Object{read: r, at: at, members: make(map[string]jsontext.Value)}
	dec := decoder(v)
	_, err := dec.ReadToken()
	for err == nil && dec.PeekKind() == '"' {
		var token jsontext.Token
		if token, err = dec.ReadToken(); err != nil {
			break
		}
		name := token.String()
		var value jsontext.Value
		if value, err = dec.ReadValue(); err == nil {
			o.members[name] = value.Clone()
		}
	}
	if err != nil {
		r.Fault(at, fmt.Sprintf("cannot be read: %v", err))
	}
	return o, err == nil
}

// array splits v, part of a text that is WellFormed, into its elements, of
// which there must be one at least; want says what v must be.
func (r *Reading) array(v jsontext.Value, at, want string) (elements []jsontext.Value, ok bool) {
	if v.Kind() != '[' {
		r.Fault(at, mustBe(v, want))
		return nil, false
	}
	dec := decoder(v)
	_, err := dec.ReadToken()
	for err == nil && dec.PeekKind() != ']' {
		var value jsontext.Value
		if value, err = dec.ReadValue(); err == nil {
			elements = append(elements, value.Clone())
		}
	}
	switch {
	case err != nil:
		r.Fault(at, fmt.Sprintf("cannot be read: %v", err))
		return nil, false
	case len(elements) == 0:
		r.Fault(at, "empty; must be "+want)
		return nil, false
	}
	return elements, true
}

func decoder(v jsontext.Value) *jsontext.Decoder {
	return jsontext.NewDecoder(bytes.NewBuffer(v), jsontext.AllowDuplicateNames(true))
}

// At is the place of a member, for faults of its content.
func (o Object) At(name string) string { return member(o.at, name) }

// Value looks up a member of any type.
func (o Object) Value(name string, need Presence, want string) (v jsontext.Value, ok bool) {
	v, ok = o.members[name]
	if ok && v.Kind() != 'n' {
		return v, true
	}
	if need == Required {
		state := "missing"
		if ok {
			state = "null"
		}
		o.read.Fault(o.At(name), state+"; must be "+want)
	}
	return nil, false
}

// String looks up a member that is a string; want says what it must be.
func (o Object) String(name string, need Presence, want string) (s string, ok bool) {
	v, ok := o.Value(name, need, want)
	if !ok {
		return "", false
	}
	if v.Kind() != '"' {
		o.read.Fault(o.At(name), mustBe(v, want))
		return "", false
	}
	return text(v), true
}

// Int looks up a member that is a whole number; want says what it must be.
// 1.0 and 1e3 are not taken: other readers of the file would not take them.
func (o Object) Int(name string, need Presence, want string) (n int64, ok bool) {
	v, ok := o.Value(name, need, want)
	if !ok {
		return 0, false
	}
	if v.Kind() != '0' {
		o.read.Fault(o.At(name), mustBe(v, want))
		return 0, false
	}
	n, err := strconv.ParseInt(string(v), 10, 64)
	if err == nil {
		return n, true
	}
	shown := strings.Trim(quote(string(v)), `"`)
	if bytes.ContainsAny(v, ".eE") {
		o.read.Fault(o.At(name), shown+" is not written as a whole number; must be "+want)
	} else {
		o.read.Fault(o.At(name), shown+" is too large; must be "+want)
	}
	return 0, false
}

// Object looks up a member that is an object.
func (o Object) Object(name string, need Presence, want string) (Object, bool) {
	v, ok := o.Value(name, need, want)
	if !ok {
		return Object{}, false
	}
	if v.Kind() != '{' {
		o.read.Fault(o.At(name), mustBe(v, want))
		return Object{}, false
	}
	return o.read.Object(v, o.At(name))
}

// Strings looks up a required member that is a non-empty array of strings, each
// without a fault by the given rule.
func (o Object) Strings(name, want string, fault func(string) string) {
	v, ok := o.Value(name, Required, want)
	if !ok {
		return
	}
	elements, _ := o.read.array(v, o.At(name), want)
	for i, v := range elements {
		at := element(o.At(name), i)
		if v.Kind() != '"' {
			o.read.Fault(at, mustBe(v, "a string"))
			continue
		}
		o.read.Fault(at, fault(text(v)))
	}
}

// text unquotes a JSON string that is known to be well-formed.
func text(v jsontext.Value) string {
	s, err := jsontext.AppendUnquote(nil, v)
	if err != nil {
		return string(v)
	}
	return string(s)
}

// mustBe says that v has the wrong type.
func mustBe(v jsontext.Value, want string) string {
	return show(v) + "; must be " + want
}

// show names a JSON value in a few words.
func show(v jsontext.Value) string {
	switch v.Kind() {
	case '"':
		return "the string " + quote(text(v))
	case '0':
		return "the number " + strings.Trim(quote(string(v)), `"`)
	case '{':
		return "an object"
	case '[':
		return "an array"
	default:
		return string(v)
	}
}
