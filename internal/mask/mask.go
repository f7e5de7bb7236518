// Package mask takes credentials out of text: values that it is given, and what place or form in a text show to be one, as
// `curl -u ops:X` and `PGPASSWORD=X` do. All that it knows of such forms is one table, rules. Texts are masked line by line; the strings
// in a line of JSON are masked as the texts that they mean, so that JSON stays JSON.
package mask

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Redacted replaces a credential.
const Redacted = "[redacted]"

// minValue is the length in bytes from which a value is masked. A shorter one guards nothing, and would be found everywhere.
const minValue = 6

// Redactor masks credentials. The nil Redactor masks nothing. It is safe for concurrent use.
type Redactor struct{ values [][]byte }

// New makes a Redactor of values that are secret, beside what texts show. Each is also found as JSON and Go write it within a string, and
// one of several lines, such as a private key, by each of its longer lines too.
func New(values []string) *Redactor {
	r := &Redactor{}
	for _, v := range values {
		v = strings.TrimSpace(v)
		if len(v) < minValue || everyday.MatchString(v) {
			continue
		}
		r.add(v)
		for line := range strings.Lines(v) {
			if line = strings.TrimSpace(line); len(line) >= 3*minValue {
				r.add(line)
			}
		}
	}
	return r
}

// everyday are values that are no secret to anybody, whatever the variable is called: masked, they would blot out half a log, or an agent's
// output.
var everyday = regexp.MustCompile(`^(?i:claude|claudeops|apprise|default|enabled|disabled|required|optional|result|system|assistant|subtype|message|success|` +
	`services?|status|healthy|degraded|database|container)$`)

// add also adds the forms that a value takes within a string of JSON, plainly and safe for HTML, and of Go (slog's text form).
func (r *Redactor) add(v string) {
	r.addForm(v)
	if quoted, err := jsontext.AppendQuote(nil, v); err == nil {
		inner := string(quoted[1 : len(quoted)-1])
		r.addForm(inner)
		r.addForm(strings.NewReplacer("&", `\u0026`, "<", `\u003c`, ">", `\u003e`).Replace(inner))
	}
	quoted := strconv.Quote(v)
	r.addForm(quoted[1 : len(quoted)-1])
}

func (r *Redactor) addForm(form string) {
	if !slices.ContainsFunc(r.values, func(v []byte) bool { return string(v) == form }) {
		r.values = append(r.values, []byte(form))
	}
}

// With is a Redactor that knows each of r's values in further forms too: those that forms makes of it.
func (r *Redactor) With(forms func(value string) []string) *Redactor {
	if r == nil {
		return nil
	}
	all := &Redactor{slices.Clone(r.values)}
	for _, v := range r.values {
		for _, form := range forms(string(v)) {
			all.addForm(form)
		}
	}
	return all
}

// Bytes returns text with every credential masked: text itself, unchanged and without an allocation, where it has none. Credentials
// that overlap are masked together, so that no end of one is left.
func (r *Redactor) Bytes(text []byte) []byte {
	if r == nil {
		return text
	}
	return new(masking).lines(replaced(text, r.known(text)))
}

// String does for a string what Bytes does.
func (r *Redactor) String(text string) string { return string(r.Bytes([]byte(text))) }

// known returns every place of every value, overlapping ones too.
func (r *Redactor) known(text []byte) []span {
	var spans []span
	for _, v := range r.values {
		for from, at := 0, bytes.Index(text, v); at >= 0; at = bytes.Index(text[from:], v) {
			from += at + 1
			spans = append(spans, span{from - 1, from - 1, from - 1 + len(v)})
		}
	}
	return spans
}

// span is the place of a credential, and where the text begins that shows it to be one. An empty one is no credential, by what is before it.
type span struct{ begin, from, to int }

// replaced is a new text without the spans; text itself where there are none.
func replaced(text []byte, spans []span) []byte {
	if len(spans) == 0 {
		return text
	}
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	out := make([]byte, 0, len(text))
	done := 0
	for i := 0; i < len(spans); {
		from, to := spans[i].from, spans[i].to
		for i++; i < len(spans) && spans[i].from < to; i++ {
			to = max(to, spans[i].to)
		}
		if from < to {
			out = append(append(out, text[done:from]...), Redacted...)
			done = to
		}
	}
	return append(out, text[done:]...)
}
