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

// Presence says whether a member of an object is required. A null counts as missing, because jq and most languages write it for no value.
type Presence bool

// A member is Required or Optional.
const (
	Required Presence = true
	Optional Presence = false
)

// Value is a value of a JSON text. Its methods record what is wrong as faults of the text. A missing Optional member is not a fault.
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

// JSON parses data, which must be one JSON value: valid UTF-8 and syntax, nothing after it, and nested at most MaxDepth deep.
// Duplicate names in an object are faults, too, but do not stop parsing. root is the place of the outermost value. The result is nil
// if data cannot be parsed.
func JSON(data []byte, root string, faults *Faults) *Value {
	if len(bytes.TrimSpace(data)) == 0 {
		faults.Add(root, "empty; must be JSON")
		return nil
	}
	if notUTF8(data, faults) {
		return nil
	}
	dec := jsontext.NewDecoder(bytes.NewReader(data), jsontext.AllowDuplicateNames(true)) // duplicates are reported as faults with their place
	v := &Value{faults: faults, name: root}
	err := v.read(dec, 1)
	if err == nil {
		if _, err = dec.ReadToken(); err == nil {
			err = errMore
		}
	}
	var syntax *jsontext.SyntacticError
	switch {
	case err == io.EOF: //nolint:errorlint // the decoder returns exactly io.EOF if nothing follows
		return v
	case errors.Is(err, errTooDeep): // recorded with its place
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

// Fault records what is wrong with the value; an empty text is not a fault.
func (v *Value) Fault(what string) {
	if what != "" {
		v.faults.Add(v.place(), what)
	}
}

// place returns where the value is: `check_results[2].service`.
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

// MustBe records that the value is something other than want.
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
	text, _ := jsontext.AppendUnquote(nil, v.scalar) // it was parsed as a string
	return string(text)
}

func (v *Value) number() string { return strings.Trim(Quote(string(v.scalar)), `"`) }

// IsArray reports whether the value is an array, without recording faults.
func (v *Value) IsArray() bool { return v.kind == '[' }

// IsObject reports whether the value is an object, without recording faults.
func (v *Value) IsObject() bool { return v.kind == '{' }

// Object reports whether the value is an object, and records a fault if it is not.
func (v *Value) Object() bool {
	if v.kind != '{' {
		v.MustBe("an object")
	}
	return v.kind == '{'
}

// Elements returns the elements of a value that must be a non-empty array; want says of what.
func (v *Value) Elements(want string) []*Value {
	if v.kind != '[' {
		v.MustBe(want)
	} else if len(v.elements) == 0 {
		v.Fault("empty; must be " + want)
	}
	return v.elements
}

// Member returns a member of an object; nil if it is missing or null.
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

// ObjectMember returns a member that must be an object.
func (v *Value) ObjectMember(name string, need Presence, want string) *Value {
	member := v.Member(name, need, want)
	if member != nil && member.kind != '{' {
		member.MustBe(want)
		return nil
	}
	return member
}

// String returns a member that must be a string for which fault, which may be nil, returns "".
func (v *Value) String(name string, need Presence, want string, fault func(string) string) string {
	member := v.Member(name, need, want)
	if member == nil {
		return ""
	}
	member.string(want, fault)
	return member.text()
}

func (v *Value) string(want string, fault func(string) string) {
	if v.kind != '"' {
		v.MustBe(want)
	} else if fault != nil {
		v.Fault(fault(v.text()))
	}
}

// Strings checks a required member that must be a non-empty array of strings for which fault returns "".
func (v *Value) Strings(name, want string, fault func(string) string) {
	if member := v.Member(name, Required, want); member != nil {
		for _, element := range member.Elements(want) {
			element.string("a string", fault)
		}
	}
}

// Texts returns the members of an object member whose values must be strings; nil if it is missing and Optional.
func (v *Value) Texts(name string, need Presence, want string) map[string]string {
	member := v.ObjectMember(name, need, want)
	if member == nil {
		return nil
	}
	texts := make(map[string]string, len(member.members))
	for name, value := range member.members {
		value.string("a string", func(text string) string {
			texts[name] = text
			return ""
		})
	}
	return texts
}

// Int checks a member that must be a whole number for which fault, which may be nil, returns "". 1.0 and 1e3 are refused, because other
// readers of the file would refuse them.
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
