package config

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Redacted stands where a secret was.
const Redacted = "[redacted]"

// minSecret is the length in bytes from which a value is replaced. A shorter one guards nothing, and would be found everywhere.
const minSecret = 6

// Redactor replaces secrets in whatever is written down: the values that it knows, and the credentials that a text shows by itself, as
// `curl -u ops:X` does. The nil Redactor replaces nothing. It is safe for concurrent use.
type Redactor struct{ secrets []secret }

// secret is one form of a secret, kept both ways so that neither Bytes nor String converts it.
type secret struct {
	text  string
	bytes []byte
}

// NewRedactor makes a Redactor of values such as Environment.Secrets. Each is also found as JSON and Go write it within a string,
// and a value of several lines, such as a private key, by each of its longer lines too.
func NewRedactor(values []string) *Redactor {
	r := &Redactor{}
	for _, v := range values {
		v = strings.TrimSpace(v)
		if len(v) < minSecret || everyday(v) {
			continue
		}
		r.add(v)
		if strings.Contains(v, "\n") {
			for line := range strings.Lines(v) {
				if line = strings.TrimSpace(line); len(line) >= 3*minSecret {
					r.add(line)
				}
			}
		}
	}
	return r
}

// everyday is about values that are no secret to anybody, whatever the variable is called: replaced, they would blot out half a log.
func everyday(value string) bool {
	switch strings.ToLower(value) {
	case "claude", "claudeops", "apprise", "default", "enabled", "disabled", "required", "optional",
		"result", "system", "assistant", "subtype", "message", "success", // without these nobody could read an agent's output
		"service", "services", "status", "healthy", "degraded", "database", "container":
		return true
	}
	return false
}

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

func (r *Redactor) addForm(text string) {
	if !slices.ContainsFunc(r.secrets, func(s secret) bool { return s.text == text }) {
		r.secrets = append(r.secrets, secret{text, []byte(text)})
	}
}

// Bytes returns text with every secret replaced: text itself, unchanged and without an allocation, where it holds none. Secrets
// that overlap are replaced together, so that no end of one is left.
func (r *Redactor) Bytes(text []byte) []byte {
	if r == nil {
		return text
	}
	if spans := r.known(text); len(spans) > 0 {
		text = replaced(text, spans)
	}
	return maskShown(text)
}

// Piece is Bytes for a text that comes in pieces: redacted is as much of text as can be told to hold no part of a secret of which the rest
// is yet to come, and rest is what is to stand before the next piece, as it is. last is that no piece follows.
func (r *Redactor) Piece(text []byte, last bool) (redacted, rest []byte) {
	if r == nil {
		return text, nil
	}
	if last {
		return r.Bytes(text), nil
	}
	end := max(len(text)-2*reach, 0)
	if i := bytes.LastIndex(text[:end], []byte(`\n`)); i > max(end-4*reach, 0) { // a line of a command: what comes before the secret tells what it is
		end = i
	}
	spans := append(r.known(text), shownCredentials(text, true)...)
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(b.to, a.to) })
	kept := spans[:0]
	for _, s := range spans {
		if s.from < end && s.to > end {
			end = s.from
		} else if s.to <= end {
			kept = append(kept, s)
		}
	}
	return replaced(text[:end], kept), text[end:]
}

// replaced is a new text without the spans.
func replaced(text []byte, spans []span) []byte {
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	out := make([]byte, 0, len(text))
	done := 0
	for i := 0; i < len(spans); {
		from, to := spans[i].from, spans[i].to
		for i++; i < len(spans) && spans[i].from < to; i++ {
			to = max(to, spans[i].to)
		}
		out = append(append(out, text[done:from]...), Redacted...)
		done = to
	}
	return append(out, text[done:]...)
}

// String does for a string what Bytes does.
func (r *Redactor) String(text string) string {
	if r == nil || !hinted(text) && !r.holds(text) {
		return text
	}
	was := []byte(text)
	if is := r.Bytes(was); len(is) != len(was) || len(is) > 0 && &is[0] != &was[0] {
		return string(is)
	}
	return text
}

func (r *Redactor) holds(text string) bool {
	return slices.ContainsFunc(r.secrets, func(s secret) bool { return strings.Contains(text, s.text) })
}

type span struct{ from, to int }

// known returns every place of every known secret, overlapping ones too.
func (r *Redactor) known(text []byte) []span {
	var spans []span
	for _, s := range r.secrets {
		for from := 0; ; from++ {
			at := bytes.Index(text[from:], s.bytes)
			if at < 0 {
				break
			}
			from += at
			spans = append(spans, span{from, from + len(s.bytes)})
		}
	}
	return spans
}

// With is a Redactor that knows each of r's secrets in further forms too: those that forms makes of it.
func (r *Redactor) With(forms func(secret string) []string) *Redactor {
	if r == nil {
		return nil
	}
	all := &Redactor{secrets: slices.Clone(r.secrets)}
	for _, s := range r.secrets {
		for _, form := range forms(s.text) {
			all.addForm(form)
		}
	}
	return all
}
