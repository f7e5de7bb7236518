package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/tailscale/hujson"
)

// document is a settings file as a tree that preserves every unchanged byte. A blank file has no root.
type document struct {
	mark string // a byte order mark, or the whole content of a blank file
	tree hujson.Value
	root *hujson.Object
}

// A SyntaxError says where a text is invalid. Lines and columns start at 1; columns count characters.
type SyntaxError struct {
	Line, Column int
	Err          error
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("%d:%d: %v", e.Line, e.Column, e.Err) }
func (e *SyntaxError) Unwrap() error { return e.Err }

const byteOrderMark = "\ufeff"

// parse accepts what the agent program does: one JSON object, optionally after a byte order mark, or only white space.
func parse(text []byte) (*document, error) {
	d := &document{}
	if bytes.HasPrefix(text, []byte(byteOrderMark)) {
		d.mark, text = byteOrderMark, text[len(byteOrderMark):]
	}
	if len(bytes.Trim(text, " \t\r\n")) == 0 {
		d.mark += string(text)
		return d, nil
	}
	if err := standard(text); err != nil {
		return nil, err
	}
	tree, err := hujson.Parse(slices.Clone(text))
	if err != nil {
		return nil, err
	}
	d.tree, d.root = tree, tree.Value.(*hujson.Object)
	return d, nil
}

// standard checks that a text is one JSON object, without the comments and trailing commas that the tree would accept.
func standard(text []byte) error {
	dec := jsontext.NewDecoder(bytes.NewBuffer(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	kind := dec.PeekKind()
	_, err := dec.ReadToken()
	for err == nil && dec.StackDepth() > 0 {
		_, err = dec.ReadToken()
	}
	if err == nil {
		_, err = dec.ReadToken()
		switch {
		case err == nil:
			return fault(text, int(dec.InputOffset())-1, errors.New("something follows the end of the settings"))
		case errors.Is(err, io.EOF) && kind == '{':
			return nil
		case errors.Is(err, io.EOF):
			start := len(text) - len(bytes.TrimLeft(text, " \t\r\n"))
			return fault(text, start, errors.New("settings are a JSON object, which begins with {"))
		}
	}
	at := int(dec.InputOffset())
	if s := (*jsontext.SyntacticError)(nil); errors.As(err, &s) {
		at, err = int(s.ByteOffset), s.Err
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		at, err = len(text), errors.New("it ends in the middle")
	}
	return fault(text, at, err)
}

func fault(text []byte, at int, err error) error {
	before := text[:min(at, len(text))]
	line := before[bytes.LastIndexByte(before, '\n')+1:]
	return &SyntaxError{Line: 1 + bytes.Count(before, []byte("\n")), Column: 1 + utf8.RuneCount(line), Err: err}
}

// text returns the document in its current state.
func (d *document) text() []byte {
	if d.root == nil {
		return []byte(d.mark)
	}
	return append([]byte(d.mark), d.tree.Pack()...)
}

// fault returns a SyntaxError at a value of the document as it was read.
func (d *document) fault(at *hujson.Value, err error) error {
	return fault(d.tree.Pack(), at.StartOffset, err)
}

// index returns the index of the last member with a name, which is the one that the agent program uses; -1 if there is none.
func index(object *hujson.Object, name string) int {
	if object != nil {
		for i := range slices.Backward(object.Members) {
			if text(&object.Members[i].Name) == name {
				return i
			}
		}
	}
	return -1
}

// get returns the value of a member; nil if there is none.
func get(object *hujson.Object, name string) *hujson.Value {
	if i := index(object, name); i >= 0 {
		return &object.Members[i].Value
	}
	return nil
}

// object returns a value as an object; nil if it is not one.
func object(v *hujson.Value) *hujson.Object {
	if v == nil {
		return nil
	}
	o, _ := v.Value.(*hujson.Object)
	return o
}

// elements returns the elements of an array; nil if v is not one.
func elements(v *hujson.Value) []hujson.Value {
	if v == nil {
		return nil
	}
	if array, is := v.Value.(*hujson.Array); is {
		return array.Elements
	}
	return nil
}

// literal returns a string as written; nil for anything else.
func literal(v *hujson.Value) hujson.Literal {
	if v == nil || v.Value.Kind() != '"' {
		return nil
	}
	return v.Value.(hujson.Literal)
}

// text returns the value of a string; empty for anything else.
func text(v *hujson.Value) string {
	text, _ := decode(literal(v))
	return text
}

var characters = regexp.MustCompile(`\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|[^\\]`)

// decode decodes a JSON string. places holds, for each byte of the text and for its end, the position in the literal. Invalid UTF-8 is
// kept.
func decode(literal []byte) (text string, places []int) {
	if len(literal) < 2 {
		return "", []int{0}
	}
	var b []byte
	inner := literal[1 : len(literal)-1]
	for _, at := range characters.FindAllIndex(inner, -1) {
		is := inner[at[0]:at[1]]
		if is[0] == '\\' {
			is, _ = jsontext.AppendUnquote(nil, slices.Concat([]byte{'"'}, is, []byte{'"'})) // an unpaired surrogate becomes U+FFFD
		}
		for range is {
			places = append(places, 1+at[0])
		}
		b = append(b, is...)
	}
	return string(b), append(places, len(literal)-1)
}
