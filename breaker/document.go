package breaker

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// errNoState says that a state file holds something else than a state; what exactly is in the error that wraps it.
var errNoState = errors.New("not a hook state")

// document is a state file's text, with the places of what is in it. Only what is asked for is looked into: every run of every hook
// reads the file of all of them.
type document struct {
	object           // the whole
	hooks    *object // the member of that name
	hooksAt  int     // its index in the whole, or -1
	globalAt int     // that of global_stats, or -1
}

// span is a part of a text.
type span struct{ from, to int }

// member is a name of an object, with its quotation marks, and its value.
type member struct{ name, value span }

// object is a JSON object in a text, and what is to be changed in it. Everything else in it comes out byte for byte.
type object struct {
	text    []byte
	at      span // with its braces
	members []member
	changed map[int][]byte // the new values, by index; nil takes the member out
	added   []addition
}

type addition struct {
	name  string
	value []byte
}

func newDecoder(text []byte) *jsontext.Decoder {
	return jsontext.NewDecoder(bytes.NewBuffer(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// emptyDocument is the state of somebody who has run no hook yet.
func emptyDocument() *document {
	d, err := parseDocument([]byte("{\n  \"hooks\": {}\n}\n"))
	if err != nil {
		panic(err)
	}
	return d
}

// parseDocument finds what is in a state file. It fails, with errNoState, where that is no JSON object or its hooks are none.
func parseDocument(text []byte) (*document, error) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	dec := newDecoder(text)
	d := &document{object: object{text: text}, hooksAt: -1, globalAt: -1}
	if dec.PeekKind() != jsontext.KindBeginObject {
		_, err := dec.ReadValue()
		return nil, errors.Join(fmt.Errorf("%w: it is no JSON object", errNoState), err)
	}
	err := d.parse(dec, func(index int, name string) (span, error) {
		switch name {
		case "hooks":
			return d.parseHooks(dec, index)
		case "global_stats":
			d.globalAt = index
		}
		return span{}, nil
	})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errNoState, err)
	}
	if _, err := dec.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%w: something follows the object", errNoState)
	}
	if d.hooks == nil {
		return d.withHooks()
	}
	return d, nil
}

func (d *document) parseHooks(dec *jsontext.Decoder, index int) (span, error) {
	d.hooks, d.hooksAt = nil, index
	switch dec.PeekKind() {
	case jsontext.KindBeginObject:
		d.hooks = &object{text: d.text}
		err := d.hooks.parse(dec, nil)
		return d.hooks.at, err
	case jsontext.KindNull, jsontext.KindInvalid:
		return span{}, nil
	}
	return span{}, errors.New(`its "hooks" are no object`)
}

// withHooks is the document with an empty object for the hooks, which are missing or null.
func (d *document) withHooks() (*document, error) {
	if d.hooksAt >= 0 {
		d.set(d.hooksAt, []byte("{}"))
	} else {
		d.add("hooks", []byte("{}"))
	}
	return parseDocument(bytes.Join(d.parts(), nil))
}

// parseObject reads a text that is one JSON object.
func parseObject(text []byte) (*object, error) {
	o := &object{text: text}
	return o, o.parse(newDecoder(text), nil)
}

// parse reads the object that begins next. at, where there is one, is called in front of each value, and may read it itself.
func (o *object) parse(dec *jsontext.Decoder, at func(index int, name string) (span, error)) error {
	if dec.PeekKind() != jsontext.KindBeginObject {
		return errors.New("not an object")
	}
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	o.at.from = int(dec.InputOffset()) - 1
	for dec.PeekKind() != jsontext.KindEndObject {
		name, err := readSpan(dec)
		if err != nil {
			return err
		}
		value := span{}
		if at != nil {
			value, err = at(len(o.members), unquoteJSON(o.text[name.from:name.to]))
		}
		if err == nil && value.to == 0 {
			value, err = readSpan(dec)
		}
		if err != nil {
			return err
		}
		o.members = append(o.members, member{name, value})
	}
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	o.at.to = int(dec.InputOffset())
	return nil
}

func readSpan(dec *jsontext.Decoder) (span, error) {
	v, err := dec.ReadValue()
	to := int(dec.InputOffset())
	return span{to - len(v), to}, err
}

// unquoteJSON is the content of a JSON string. Bytes that are no UTF-8 become U+FFFD.
func unquoteJSON(quoted []byte) string {
	inner := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return string(inner)
	}
	text, _ := jsontext.AppendUnquote(nil, quoted) // the error only says that bytes had to be replaced
	return string(text)
}

// quoteJSON is the inverse of unquoteJSON.
func quoteJSON(text string) []byte {
	quoted, _ := jsontext.AppendQuote(nil, text) // the error only says that bytes had to be replaced
	return quoted
}

func (o *object) name(index int) string {
	m := o.members[index]
	return unquoteJSON(o.text[m.name.from:m.name.to])
}

func (o *object) value(index int) []byte {
	m := o.members[index]
	return o.text[m.value.from:m.value.to]
}

// find is the index of the member of that name, or -1. Where a name is there twice the last one counts, as for jq.
func (o *object) find(name string) int {
	quoted := quoteJSON(name)
	for i := range slices.Backward(o.members) {
		m := o.members[i]
		raw := o.text[m.name.from:m.name.to]
		if bytes.Equal(raw, quoted) || bytes.IndexByte(raw, '\\') >= 0 && unquoteJSON(raw) == name {
			return i
		}
	}
	return -1
}

// set gives a member another value. A nil value takes the member out.
func (o *object) set(index int, value []byte) {
	if o.changed == nil {
		o.changed = map[int][]byte{}
	}
	o.changed[index] = value
}

// add adds a member, or gives one that was added another value.
func (o *object) add(name string, value []byte) {
	for i := range o.added {
		if o.added[i].name == name {
			o.added[i].value = value
			return
		}
	}
	o.added = append(o.added, addition{name, value})
}

// parts is the text of the document with all changes, in pieces, most of which are pieces of the old text.
func (d *document) parts() [][]byte {
	p := &pieces{text: d.text}
	p.copy(0, d.at.from)
	if d.hooks != nil && (d.hooks.changed != nil || d.hooks.added != nil) {
		inner := &pieces{text: d.text}
		inner.object(d.hooks, 1)
		p.nested, p.nestedAt = inner.done, d.members[d.hooksAt].value
	}
	p.object(&d.object, 0)
	p.copy(d.at.to, len(d.text))
	return p.done
}

// pieces collects the pieces of a text that is made from another one.
type pieces struct {
	text     []byte
	done     [][]byte
	end      int      // where in the text the last piece ends, if it is one of it
	nested   [][]byte // what stands in the place of nestedAt
	nestedAt span
}

// copy adds a part of the old text.
func (p *pieces) copy(from, to int) {
	if from >= to {
		return
	}
	if n := p.nestedAt; p.nested != nil && from <= n.from && n.to <= to {
		nested := p.nested
		p.nested = nil
		p.copy(from, n.from)
		p.done = append(p.done, nested...)
		p.end = 0
		p.copy(n.to, to)
		return
	}
	if last := len(p.done) - 1; last >= 0 && p.end == from {
		p.done[last] = p.text[from-len(p.done[last]) : to]
	} else {
		p.done = append(p.done, p.text[from:to])
	}
	p.end = to
}

// insert adds what the old text has not.
func (p *pieces) insert(b []byte) {
	p.done = append(p.done, b)
	p.end = 0
}

// object adds an object with its changes. New members are indented for one that is so many levels deep.
func (p *pieces) object(o *object, depth int) {
	at := o.at.from + 1
	p.copy(o.at.from, at)
	empty := true
	for i, m := range o.members {
		value, changes := o.changed[i]
		if i > 0 {
			comma := at + bytes.IndexByte(o.text[at:m.name.from], ',')
			if kept := !changes || value != nil; kept && !empty {
				p.copy(at, comma+1)
			}
			at = comma + 1
		}
		switch {
		case !changes:
			p.copy(at, m.value.to)
		case value != nil:
			p.copy(at, m.value.from)
			p.insert(value)
		}
		empty = empty && changes && value == nil
		at = m.value.to
	}
	for _, a := range o.added {
		p.addition(a, depth+1, !empty)
		empty = false
	}
	switch {
	case empty:
		p.copy(o.at.to-1, o.at.to)
	case len(o.members) == 0:
		p.insert([]byte(jsonIndent(depth)))
		p.copy(o.at.to-1, o.at.to)
	default:
		p.copy(at, o.at.to)
	}
}

func (p *pieces) addition(a addition, depth int, comma bool) {
	var b []byte
	if comma {
		b = append(b, ',')
	}
	b = append(b, jsonIndent(depth)...)
	b = append(b, quoteJSON(a.name)...)
	b = append(b, ": "...)
	p.insert(append(b, a.value...))
}

// jsonIndent is a new line in an object that is so many levels deep.
func jsonIndent(depth int) string { return "\n" + strings.Repeat("  ", depth) }
