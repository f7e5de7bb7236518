// Package mask removes credentials from text: given values, and values whose place or form in a text shows that they are credentials, as
// in `curl -u ops:X` and `PGPASSWORD=X`. All known forms are in one table, rules. Texts are masked line by line. Strings in a line of
// JSON are masked as the texts that they encode, so that JSON stays valid.
package mask

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/claudeops/claudeops/internal/lazy"
)

// Redacted replaces a credential.
const Redacted = "[redacted]"

// minValue is the minimum length of a masked value, in bytes. A shorter one protects nothing, and would be found everywhere.
const minValue = 6

// Redactor masks credentials. The nil Redactor masks nothing. It is safe for concurrent use.
type Redactor struct{ values [][]byte }

// New returns a Redactor that also masks the given secret values. Each is also found as JSON and Go escape it in a string, in URLs and in
// Base64. A value of several lines, such as a private key, is also found by each of its longer lines.
func New(values []string) *Redactor {
	r := &Redactor{}
	for _, v := range values {
		v = strings.TrimSpace(v)
		if len(v) < minValue || everyday().MatchString(v) {
			continue
		}
		r.add(v)
		r.addEncoded(v)
		for line := range strings.Lines(v) {
			if line = strings.TrimSpace(line); len(line) >= 3*minValue {
				r.add(line)
			}
		}
	}
	return r
}

// everyday are values that are not secret, whatever the name of their variable. Masking them would make logs and an agent's output
// unreadable.
var everyday = lazy.Regexp(`^(?i:claude|claudeops|apprise|default|enabled|disabled|required|optional|result|system|assistant|subtype|message|success|` +
	`services?|status|healthy|degraded|database|container)$`)

// add adds a value as it is, as JSON escapes it in a string, plainly, safe for HTML and as PHP does, and as Go does (slog's text format).
func (r *Redactor) add(v string) {
	r.addForm(v)
	if quoted, err := jsontext.AppendQuote(nil, v); err == nil {
		inner := string(quoted[1 : len(quoted)-1])
		r.addForm(inner)
		r.addForm(strings.NewReplacer("&", `\u0026`, "<", `\u003c`, ">", `\u003e`).Replace(inner))
		r.addForm(strings.ReplaceAll(inner, "/", `\/`))
	}
	quoted := strconv.Quote(v)
	r.addForm(quoted[1 : len(quoted)-1])
}

// addEncoded adds a value as URLs have it, and in Base64, there without its last bytes: their form depends on whether a line end follows.
func (r *Redactor) addEncoded(v string) {
	r.addForm(url.QueryEscape(v))
	r.addForm(strings.ReplaceAll(url.QueryEscape(v), "+", "%20"))
	whole := []byte(v[:len(v)/3*3])
	r.addForm(base64.StdEncoding.EncodeToString(whole))
	r.addForm(base64.URLEncoding.EncodeToString(whole))
}

func (r *Redactor) addForm(form string) {
	if !slices.ContainsFunc(r.values, func(v []byte) bool { return string(v) == form }) {
		r.values = append(r.values, []byte(form))
	}
}

// With returns a Redactor that also knows the forms that forms returns for each of r's values.
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

// Bytes returns text with every credential masked, and without escape sequences; without both, it returns text itself, without an
// allocation. Overlapping credentials are masked together, so that no part of one remains.
func (r *Redactor) Bytes(text []byte) []byte {
	if r == nil {
		return text
	}
	text = plain(text)
	return new(masking).lines(replaced(text, r.known(text)))
}

// String is Bytes for strings.
func (r *Redactor) String(text string) string { return string(r.Bytes([]byte(text))) }

// known returns every occurrence of every value, including overlapping ones.
func (r *Redactor) known(text []byte) (spans []span) {
	for _, v := range r.values {
		for from, at := 0, bytes.Index(text, v); at >= 0; at = bytes.Index(text[from:], v) {
			from += at + 1
			spans = append(spans, span{from - 1, from - 1, from - 1 + len(v)})
		}
	}
	return spans
}

// span is the position of a credential; begin is where the text starts that identifies it. An empty span marks text that is not a
// credential because of what precedes it.
type span struct{ begin, from, to int }

// replaced returns a new text with the spans masked; text itself if there are none.
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
