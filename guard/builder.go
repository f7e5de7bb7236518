package guard

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// builder puts a word together from its parts.
type builder struct {
	k        *walker
	f        flow
	text     strings.Builder
	glob     strings.Builder // the whole pattern, so far as it is one
	known    bool
	globs    bool // has a part that is matched with file names
	other    bool // has a part of which nothing is known
	one      bool
	allPlain bool   // the unknown parts are plain names
	bare     bool   // made by nothing but expansions outside of quotes
	blanks   bool   // an expansion outside of quotes has blanks in it
	more     bool   // parts follow
	after    string // the text behind the parts that are not known
	upward   bool   // in which .. leads elsewhere
	digits   bool   // nothing but digits so far
	job      bool   // a job of this shell
	solid    bool   // no option
	written  bool   // literal text and nothing else
	parts    int    // so far
	number   bool   // the last of them was a number for sure
	signed   bool   // the first of them may be a minus
	under    string
	stdin    bool
	why      string
}

func newBuilder(k *walker, f flow) *builder {
	return &builder{k: k, f: f, known: true, one: true, allPlain: true, digits: true, bare: true}
}

func (b *builder) word() word {
	b.k.steps += b.text.Len() / 256 // long values cost as much as many commands
	if b.text.Len() > maxValue {
		return opaque("the text is too long")
	}
	w := word{text: b.text.String(), known: b.known, one: b.one, written: b.written && b.known, why: b.why}
	if b.known {
		w.one = true
		return w
	}
	if b.globs && !b.other {
		w.glob = b.glob.String()
		w.why = quoted(w.glob) + " is a pattern"
		return w
	}
	if b.number && b.parts == 1 {
		return withSign(number, b.signed)
	}
	if w.plain = b.other && b.allPlain && !b.globs && !b.upward; w.plain {
		w.shape, w.digits, w.job = b.glob.String(), b.digits, b.job
	}
	w.under, w.stdin, w.solid, w.signed = b.under, b.stdin, b.solid, b.signed
	return w
}

// maxValue is how many bytes of a word are followed: a value that is put together from itself grows without bound.
const maxValue = 64 << 10

// split is the word as the fields into which its blanks cut it.
func (b *builder) split() (fields []word) {
	for _, text := range strings.FieldsFunc(b.text.String(), func(r rune) bool { return r == ' ' || r == '\t' || r == '\n' }) {
		fields = append(fields, literal(text))
	}
	return fields
}

// literal adds text that is matched with nothing.
func (b *builder) literal(text string) {
	if b.text.Len() > maxValue {
		return
	}
	if b.parts++; b.known {
		b.text.WriteString(text)
	} else {
		b.after += text
		b.under = "" // which is empty where the program failed that should have printed it
		b.upward = b.upward || strings.Contains(b.after, "..")
	}
	b.digits = b.digits && (text == "" || numeral(text))
	b.job = b.job && text == ""
	for _, r := range text {
		if strings.ContainsRune(`*?[]\`, r) {
			b.glob.WriteByte('\\')
		}
		b.glob.WriteRune(r)
	}
}

// pattern adds text that is matched with file names.
func (b *builder) pattern(text string) {
	b.parts++
	b.known, b.globs = false, true
	b.one = b.one && single(text)
	b.glob.WriteString(text)
}

// unknown adds a part whose value is w's.
func (b *builder) unknown(w word, inQuotes bool) {
	b.parts++
	b.number = withSign(w, false) == number
	if w.signed && b.parts == 1 {
		b.signed = true
	} else if w.signed {
		b.digits = false
	}
	if b.known {
		b.text.WriteString(w.text)
		b.under, b.stdin = w.under, w.stdin
	} else if !w.plain {
		b.under = ""
	}
	b.solid = b.solid || b.text.Len() == 0 && b.after == "" && !b.other && w.solid
	b.digits, b.job = b.digits && w.digits, w.job && b.text.Len() == 0
	if b.why == "" {
		b.why = w.why
	}
	b.known = false
	b.one = b.one && (inQuotes || w.one && w.plain)
	if w.glob != "" && (inQuotes || !b.k.blanks(w.glob)) {
		b.globs = true
		b.glob.WriteString(w.glob)
		return
	}
	b.other = true
	b.allPlain = b.allPlain && w.plain
	b.glob.WriteByte('*')
}

// value adds what a variable holds.
func (b *builder) value(w word, inQuotes bool) {
	switch {
	case !w.known:
		b.unknown(w, inQuotes)
	case inQuotes:
		b.literal(w.text)
	case strings.ContainsAny(w.text, "*?["):
		b.unknown(opaque("a pattern in a variable"), false)
	default:
		b.blanks = b.blanks || strings.ContainsAny(w.text, " \t\n")
		b.literal(w.text)
	}
}

func (b *builder) part(part syntax.WordPart, inQuotes, first bool) {
	switch p := part.(type) {
	case *syntax.Lit:
		b.bare = false
		b.lit(p.Value, inQuotes, first)
	case *syntax.SglQuoted:
		b.bare = false
		b.single(p)
	case *syntax.DblQuoted:
		b.bare = false
		b.double(p)
	case *syntax.ParamExp:
		value := b.k.param(p, b.f)
		b.value(value, inQuotes && (value.known || !several(p)))
	case *syntax.CmdSubst:
		b.unknown(b.k.substitution(p, b.f), inQuotes)
	case *syntax.ArithmExp:
		b.k.arithmetic(p.X, b.f, false)
		b.unknown(withSign(number, true), inQuotes)
	case *syntax.ProcSubst:
		b.unknown(b.k.process(p, b.f), true)
	default: // refused by its syntax
		b.unknown(opaque("an expansion that cannot be read"), inQuotes)
	}
}

// several reports whether an expansion becomes as many words as there are, in quotes too.
func several(p *syntax.ParamExp) bool {
	return p.Index != nil && !p.Length
}

func (b *builder) lit(raw string, inQuotes, first bool) {
	if first && strings.HasPrefix(raw, "~") {
		user, rest, slash := strings.Cut(raw[1:], "/")
		if user != "" || b.more && !slash || b.k.foreign {
			b.unknown(opaque("the home of "+user), false)
			return
		}
		b.literal(b.k.world.Home)
		if len(raw) > 1 {
			b.literal("/")
		}
		raw = rest
	}
	if !inQuotes && (strings.Contains(raw, "=~") || strings.Contains(raw, ":~")) {
		b.unknown(opaque("a home behind ="), false)
		return
	}
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case c == '\\' && i+1 < len(raw):
			i++
			if raw[i] != '\n' {
				b.literal(raw[i : i+1])
			}
		case !inQuotes && (c == '*' || c == '?' || c == '[' && (b.more || strings.Contains(raw[min(i+2, len(raw)):], "]"))):
			b.pattern(raw[i:])
			return
		default:
			b.literal(raw[i : i+1])
		}
	}
}

func (b *builder) single(p *syntax.SglQuoted) {
	if !p.Dollar {
		b.literal(p.Value)
		return
	}
	text, _ := ansiC(p.Value)
	b.literal(text)
}

func (b *builder) double(q *syntax.DblQuoted) {
	for _, part := range q.Parts {
		if lit, ok := part.(*syntax.Lit); ok {
			b.literal(unescapeDouble(lit.Value))
			continue
		}
		b.part(part, true, false)
	}
}

// unescapeDouble takes the backslashes out of text in double quotes.
func unescapeDouble(raw string) string {
	if !strings.Contains(raw, `\`) {
		return raw
	}
	var b strings.Builder
	for i := 0; i < len(raw); i++ {
		if raw[i] == '\\' && i+1 < len(raw) && strings.IndexByte("$`\"\\\n", raw[i+1]) >= 0 {
			i++
			if raw[i] == '\n' {
				continue
			}
		}
		b.WriteByte(raw[i])
	}
	return b.String()
}
