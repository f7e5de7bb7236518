package breaker

import (
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// jsonWriter appends pretty-printed JSON objects.
type jsonWriter struct {
	b     []byte
	depth int
	empty bool // the object being written has no member yet
}

// newJSONWriter is for a value within so many objects.
func newJSONWriter(depth int) *jsonWriter { return &jsonWriter{b: make([]byte, 0, 1024), depth: depth} }

func (w *jsonWriter) open() {
	w.b = append(w.b, '{')
	w.depth++
	w.empty = true
}

func (w *jsonWriter) close() {
	w.depth--
	if !w.empty {
		w.b = append(w.b, jsonIndent(w.depth)...)
	}
	w.b = append(w.b, '}')
	w.empty = false
}

func (w *jsonWriter) next() {
	if !w.empty {
		w.b = append(w.b, ',')
	}
	w.empty = false
	w.b = append(w.b, jsonIndent(w.depth)...)
}

func (w *jsonWriter) name(name string) {
	w.next()
	w.text(name)
	w.b = append(w.b, ": "...)
}

func (w *jsonWriter) text(text string) {
	w.b, _ = jsontext.AppendQuote(w.b, text) // the error only says that bytes had to be replaced
}

// others writes the members of somebody else as they were.
func (w *jsonWriter) others(members []rawMember) {
	for _, m := range members {
		w.next()
		w.b = append(w.b, m...)
	}
}

func (w *jsonWriter) word(name, text string) {
	w.name(name)
	w.text(text)
}

func (w *jsonWriter) wordUnlessEmpty(name, text string) {
	if text != "" {
		w.word(name, text)
	}
}

func (w *jsonWriter) wordsUnlessNone(name string, list []string) {
	if len(list) == 0 {
		return
	}
	w.name(name)
	for i, text := range list {
		w.b = append(w.b, "[,"[min(i, 1)])
		w.text(text)
	}
	w.b = append(w.b, ']')
}

func (w *jsonWriter) count(name string, n int64) {
	w.name(name)
	w.b = strconv.AppendInt(w.b, n, 10)
}

func (w *jsonWriter) countUnlessZero(name string, n int64) {
	if n != 0 {
		w.count(name, n)
	}
}

func (w *jsonWriter) weightUnlessZero(name string, f float64) {
	if f != 0 {
		w.name(name)
		w.b = strconv.AppendFloat(w.b, f, 'g', -1, 64)
	}
}

func (w *jsonWriter) truthUnlessFalse(name string, is bool) {
	if is {
		w.name(name)
		w.b = append(w.b, "true"...)
	}
}

func (w *jsonWriter) moment(name string, t *time.Time) {
	w.name(name)
	if t == nil {
		w.b = append(w.b, "null"...)
		return
	}
	w.b = append(w.b, '"')
	w.b = t.UTC().AppendFormat(w.b, time.RFC3339)
	w.b = append(w.b, '"')
}

func (w *jsonWriter) momentUnlessNil(name string, t *time.Time) {
	if t != nil {
		w.moment(name, t)
	}
}
