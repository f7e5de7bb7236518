package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// document is a JSON text with the places of its values. A blank one has no root.
type document struct {
	text []byte
	root *node
}

// node is a value: where it stands and, of an object or an array, what it holds.
type node struct {
	kind       jsontext.Kind
	start, end int
	members    []member
}

// member is a member of an object, or an element of an array, which has no name.
type member struct {
	name  string
	start int // of the name
	value *node
}

// get is the member that counts: the last of its name, as the agent program reads it. It is nil where there is none.
func (n *node) get(name string) *node {
	if n == nil || n.kind != '{' {
		return nil
	}
	for i := len(n.members) - 1; i >= 0; i-- {
		if n.members[i].name == name {
			return n.members[i].value
		}
	}
	return nil
}

// elements are those of an array.
func (n *node) elements() []member {
	if n == nil || n.kind != '[' {
		return nil
	}
	return n.members
}

// A SyntaxError says where a text is no settings. Lines and columns begin at 1, columns are characters.
type SyntaxError struct {
	Line, Column int
	Err          error
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("%d:%d: %v", e.Line, e.Column, e.Err) }
func (e *SyntaxError) Unwrap() error { return e.Err }

const byteOrderMark = "\ufeff"

// parse reads what the agent program would: one JSON object, perhaps behind a byte order mark, or nothing but white space.
func parse(text []byte) (*document, error) {
	from := 0
	if bytes.HasPrefix(text, []byte(byteOrderMark)) {
		from = len(byteOrderMark)
	}
	d := &document{text: text}
	if len(bytes.TrimLeft(text[from:], " \t\r\n")) == 0 {
		return d, nil
	}
	r := reader{jsontext.NewDecoder(bytes.NewBuffer(text[from:]), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)), from}
	var err error
	if d.root, err = r.value(); err == nil {
		_, err = r.dec.ReadToken()
	}
	switch {
	case err == nil:
		return nil, d.fault(int(r.dec.InputOffset())+from-1, errors.New("something follows the end of the settings"))
	case !errors.Is(err, io.EOF) || d.root == nil:
		return nil, r.fault(d, err)
	case d.root.kind != '{':
		return nil, d.fault(d.root.start, errors.New("settings are a JSON object, which begins with {"))
	}
	return d, nil
}

type reader struct {
	dec  *jsontext.Decoder
	from int // where the decoder's input begins
}

func (r reader) value() (*node, error) {
	switch r.dec.PeekKind() {
	case '{', '[':
		return r.container()
	}
	v, err := r.dec.ReadValue()
	if err != nil {
		return nil, err
	}
	end := r.from + int(r.dec.InputOffset())
	return &node{kind: v.Kind(), start: end - len(v), end: end}, nil
}

func (r reader) container() (*node, error) {
	open, err := r.dec.ReadToken()
	if err != nil {
		return nil, err
	}
	n := &node{kind: open.Kind(), start: r.from + int(r.dec.InputOffset()) - 1}
	for kind := r.dec.PeekKind(); kind != '}' && kind != ']'; kind = r.dec.PeekKind() {
		m := member{}
		if n.kind == '{' {
			name, err := r.dec.ReadValue()
			if err != nil {
				return nil, err
			}
			m.start = r.from + int(r.dec.InputOffset()) - len(name)
			m.name, _ = decode(name)
		}
		if m.value, err = r.value(); err != nil {
			return nil, err
		}
		if n.kind == '[' {
			m.start = m.value.start
		}
		n.members = append(n.members, m)
	}
	if _, err := r.dec.ReadToken(); err != nil {
		return nil, err
	}
	n.end = r.from + int(r.dec.InputOffset())
	return n, nil
}

func (r reader) fault(d *document, err error) error {
	at := r.from + int(r.dec.InputOffset())
	if s := (*jsontext.SyntacticError)(nil); errors.As(err, &s) {
		at, err = r.from+int(s.ByteOffset), s.Err
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		at, err = len(d.text), errors.New("it ends in the middle")
	}
	return d.fault(at, err)
}

func (d *document) fault(at int, err error) error {
	before := d.text[:min(at, len(d.text))]
	line := before[bytes.LastIndexByte(before, '\n')+1:]
	line = bytes.TrimPrefix(line, []byte(byteOrderMark))
	return &SyntaxError{Line: 1 + bytes.Count(before, []byte("\n")), Column: 1 + utf8.RuneCount(line), Err: err}
}
