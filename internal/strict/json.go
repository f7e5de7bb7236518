package strict

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Presence says whether a member of an object must be there. A null counts as missing: jq and most languages write one for no value.
type Presence bool

// A member is Required or Optional.
const (
	Required Presence = true
	Optional Presence = false
)

// Value is a value of a JSON text. Its methods note what is wrong as faults of the text: ok says that a value is there and has the right
// type; everything else is a fault, except that an Optional member is missing.
type Value struct {
	faults   *Faults
	in       *Value // nil for the outermost value, whose place is name
	name     string // as a member of an object
	index    int    // as an element of an array; -1 for a member
	kind     jsontext.Kind
	scalar   jsontext.Value // as written
	members  map[string]*Value
	elements []*Value
}

// JSON reads data, which must be one JSON value: UTF-8, grammatical, nothing behind it, nested at most MaxDepth deep. Names given twice in
// one object are faults too, but do not keep it from being read. root is the place of the outermost value. It is nil where it cannot be read.
func JSON(data []byte, root string, faults *Faults) *Value {
	if len(bytes.TrimSpace(data)) == 0 {
		faults.Add(root, "empty; must be JSON")
		return nil
	}
	if notUTF8(data, faults) {
		return nil
	}
	dec := jsontext.NewDecoder(bytes.NewReader(data), jsontext.AllowDuplicateNames(true)) // so that each is a fault with its place
	v := &Value{faults: faults, name: root}
	err := v.read(dec, 1)
	if err == nil {
		if _, err = dec.ReadToken(); err == nil {
			err = errMore
		}
	}
	var syntax *jsontext.SyntacticError
	switch {
	case err == io.EOF: //nolint:errorlint // as the decoder says that nothing follows
		return v
	case errors.Is(err, errTooDeep): // noted with its place
	case errors.Is(err, errMore):
		faults.Add("", err.Error())
	case errors.Is(err, io.ErrUnexpectedEOF):
		faults.Add("", "not JSON: it ends in the middle of a value")
	case errors.As(err, &syntax):
		faults.Add("", fmt.Sprintf("not JSON: %s: %v", position(data, int(syntax.ByteOffset)), syntax.Err))
	default:
		faults.Add("", fmt.Sprintf("not JSON: %v", err))
	}
	return nil
}

var (
	errTooDeep = errors.New("too deep")
	errMore    = errors.New("more text after the JSON value; must be one value")
)

func (v *Value) read(dec *jsontext.Decoder, depth int) (err error) {
	v.kind = dec.PeekKind()
	if v.kind != '{' && v.kind != '[' {
		scalar, err := dec.ReadValue()
		v.scalar = scalar.Clone()
		return err
	}
	if depth > MaxDepth {
		v.Fault(fmt.Sprintf("nested deeper than %d levels", MaxDepth))
		return errTooDeep
	}
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	if v.kind == '[' {
		for dec.PeekKind() != ']' {
			element := &Value{faults: v.faults, in: v, index: len(v.elements)}
			if err := element.read(dec, depth+1); err != nil {
				return err
			}
			v.elements = append(v.elements, element)
		}
	} else {
		v.members = make(map[string]*Value)
		for dec.PeekKind() != '}' {
			token, err := dec.ReadToken()
			if err != nil {
				return err
			}
			member := &Value{faults: v.faults, in: v, name: token.String(), index: -1}
			if v.members[member.name] != nil {
				member.Fault("given twice in the same object; must be given once")
			}
			v.members[member.name] = member
			if err := member.read(dec, depth+1); err != nil {
				return err
			}
		}
	}
	_, err = dec.ReadToken() // the closing bracket
	return err
}

// Fault notes what is wrong with the value; an empty text is no fault.
func (v *Value) Fault(what string) {
	if what != "" {
		v.faults.Add(v.place(), what)
	}
}

// place is where the value is: `check_results[2].service`.
func (v *Value) place() string {
	if v.in == nil {
		return v.name
	}
	at := v.in.place()
	switch plain := strings.Trim(v.name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == ""; {
	case v.index >= 0:
		return at + "[" + strconv.Itoa(v.index) + "]"
	case !plain || v.name == "" || len(v.name) > maxShown:
		return at + "[" + Quote(v.name) + "]"
	case at == "":
		return v.name
	}
	return at + "." + v.name
}

// MustBe notes that the value is something else than what want says.
func (v *Value) MustBe(want string) {
	shown := string(v.scalar)
	switch v.kind {
	case '"':
		shown = "the string " + Quote(v.text())
	case '0':
		shown = "the number " + v.number()
	case '{':
		shown = "an object"
	case '[':
		shown = "an array"
	}
	v.Fault(shown + "; must be " + want)
}

func (v *Value) text() string {
	text, _ := jsontext.AppendUnquote(nil, v.scalar) // it was read as a string
	return string(text)
}

func (v *Value) number() string { return strings.Trim(Quote(string(v.scalar)), `"`) }

// IsObject and IsArray report what the value is; that it is something else is no fault.
func (v *Value) IsObject() bool { return v.kind == '{' }

// Object reports whether the value is an object.
func (v *Value) Object() bool {
	if v.kind != '{' {
		v.MustBe("an object")
	}
	return v.kind == '{'
}

// Elements are those of a value that must be an array with at least one; want says of what.
func (v *Value) Elements(want string) []*Value {
	if v.kind != '[' {
		v.MustBe(want)
	} else if len(v.elements) == 0 {
		v.Fault("empty; must be " + want)
	}
	return v.elements
}

// Member looks up a member of an object; nil where it is missing or null.
func (v *Value) Member(name string, need Presence, want string) *Value {
	member := v.members[name]
	if member != nil && member.kind != 'n' {
		return member
	}
	if member == nil && need == Required {
		(&Value{faults: v.faults, in: v, name: name, index: -1}).Fault("missing; must be " + want)
	} else if need == Required {
		member.Fault("null; must be " + want)
	}
	return nil
}

// ObjectMember looks up a member that is an object.
func (v *Value) ObjectMember(name string, need Presence, want string) *Value {
	member := v.Member(name, need, want)
	if member != nil && member.kind != '{' {
		member.MustBe(want)
		return nil
	}
	return member
}

// String looks up a member that is a string without a fault by the given rule, which may be nil.
func (v *Value) String(name string, need Presence, want string, fault func(string) string) {
	if member := v.Member(name, need, want); member != nil {
		member.string(want, fault)
	}
}

func (v *Value) string(want string, fault func(string) string) {
	if v.kind != '"' {
		v.MustBe(want)
	} else if fault != nil {
		v.Fault(fault(v.text()))
	}
}

// Strings looks up a required member that is an array of at least one string, each without a fault by the given rule.
func (v *Value) Strings(name, want string, fault func(string) string) {
	if member := v.Member(name, Required, want); member != nil {
		for _, element := range member.Elements(want) {
			element.string("a string", fault)
		}
	}
}

// Int looks up a member that is a whole number without a fault by the given rule, which may be nil. 1.0 and 1e3 are not taken: other
// readers of the file would not take them.
func (v *Value) Int(name string, need Presence, want string, fault func(int64) string) {
	member := v.Member(name, need, want)
	if member == nil {
		return
	}
	n, err := strconv.ParseInt(string(member.scalar), 10, 64)
	switch {
	case member.kind != '0':
		member.MustBe(want)
	case err != nil && bytes.ContainsAny(member.scalar, ".eE"):
		member.Fault(member.number() + " is not written as a whole number; must be " + want)
	case err != nil:
		member.Fault(member.number() + " is too large; must be " + want)
	case fault != nil:
		member.Fault(fault(n))
	}
}
