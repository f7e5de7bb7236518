package check

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

const (
	// MaxDepth is how deep objects and arrays of a foreign JSON text may be
	// nested, the outermost counted.
	MaxDepth = 64
	// maxFaults is how many faults of one text are spelled out. Ten thousand
	// results that are wrong in the same way would otherwise drown the reader.
	maxFaults = 100
	// maxShown is how many characters of a foreign string a fault repeats.
	maxShown = 60
	// maxPlace is how many characters of a place a fault repeats.
	maxPlace = 300
)

// Reading is one strict reading of a foreign JSON text. It collects what is
// wrong with it; the zero value has found nothing wrong yet.
type Reading struct {
	faults []string
	unsaid int
}

// Fault notes that what is wrong at the place named at. An empty what is no
// fault and notes nothing; an empty at is the text as a whole.
func (r *Reading) Fault(at, what string) {
	switch {
	case what == "":
		return
	case len(r.faults) >= maxFaults:
		r.unsaid++
	case at == "":
		r.faults = append(r.faults, what)
	default:
		r.faults = append(r.faults, shortPlace(at)+": "+what)
	}
}

// Faults returns what was found wrong in the order of finding, nil if nothing
// was. Beyond the first hundred faults one last line counts the others.
func (r *Reading) Faults() []string {
	if r.unsaid == 0 {
		return r.faults
	}
	return append(r.faults[:len(r.faults):len(r.faults)], fmt.Sprintf("and %d more faults", r.unsaid))
}

// WellFormed reports whether data is one JSON value that can be read further:
// UTF-8, grammatical, nothing behind it, nested at most MaxDepth deep. Names
// given twice in one object are faults too, but do not hinder further reading.
// Places are told below root, the name of the outermost value.
func (r *Reading) WellFormed(data []byte, root string) bool {
	if len(bytes.TrimSpace(data)) == 0 {
		r.Fault(root, "empty; must be JSON")
		return false
	}
	if i := firstInvalidUTF8(data); i >= 0 {
		r.Fault("", fmt.Sprintf("%s: byte 0x%02x is not UTF-8", position(data, i), data[i]))
		return false
	}
	w := walk{Reading: r, dec: jsontext.NewDecoder(bytes.NewBuffer(data), jsontext.AllowDuplicateNames(true))}
	err := w.value(&place{name: root}, 1)
	if err == nil {
		err = w.end()
	}
	switch {
	case err == nil:
		return true
	case errors.Is(err, errTooDeep): // already noted, with its place
	default:
		r.Fault("", syntaxFault(data, err))
	}
	return false
}

var (
	errTooDeep = errors.New("too deep")
	errMore    = errors.New("more text after the JSON value; must be one value")
)

// walk goes through a JSON text token by token.
type walk struct {
	*Reading
	dec *jsontext.Decoder
}

func (w walk) value(at *place, depth int) error {
	token, err := w.dec.ReadToken()
	if err != nil {
		return err
	}
	kind := token.Kind()
	if kind != '{' && kind != '[' {
		return nil
	}
	if depth > MaxDepth {
		w.Fault(at.String(), fmt.Sprintf("nested deeper than %d levels", MaxDepth))
		return errTooDeep
	}
	if kind == '{' {
		err = w.members(at, depth)
	} else {
		err = w.elements(at, depth)
	}
	if err != nil {
		return err
	}
	_, err = w.dec.ReadToken() // the closing brace or bracket
	return err
}

func (w walk) members(at *place, depth int) error {
	seen := make(map[string]bool)
	here := &place{in: at, index: -1}
	for w.dec.PeekKind() != '}' {
		token, err := w.dec.ReadToken()
		if err != nil {
			return err
		}
		here.name = token.String()
		if seen[here.name] {
			w.Fault(here.String(), "given twice in the same object; must be given once")
		}
		seen[here.name] = true
		if err := w.value(here, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func (w walk) elements(at *place, depth int) error {
	for here := (&place{in: at}); w.dec.PeekKind() != ']'; here.index++ {
		if err := w.value(here, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func (w walk) end() error {
	switch _, err := w.dec.ReadToken(); {
	case errors.Is(err, io.EOF):
		return nil
	case err != nil:
		return err
	}
	return errMore
}

// syntaxFault says in one line where and why data is not JSON.
func syntaxFault(data []byte, err error) string {
	var syntax *jsontext.SyntacticError
	switch {
	case errors.Is(err, errMore):
		return err.Error()
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return "not JSON: it ends in the middle of a value"
	case errors.As(err, &syntax):
		return fmt.Sprintf("not JSON: %s: %v", position(data, int(syntax.ByteOffset)), syntax.Err)
	}
	return fmt.Sprintf("not JSON: %v", err)
}

// firstInvalidUTF8 returns where data stops being UTF-8, -1 if it never does.
func firstInvalidUTF8(data []byte) int {
	if utf8.Valid(data) {
		return -1
	}
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

// position tells the byte at offset as an editor would: from 1, in characters.
func position(data []byte, offset int) string {
	before := data[:min(offset, len(data))]
	line := bytes.Count(before, []byte("\n")) + 1
	column := utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1
	return fmt.Sprintf("line %d, column %d", line, column)
}
