package guard

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

const (
	maxBraces = 200 // words that one word with braces may become
)

// words are what the words of a command become, as far as that can be known before it runs. Commands inside them are judged.
func (k *walker) words(list []*syntax.Word, f flow) (all []word) {
	for _, w := range list {
		for _, one := range k.braces(w, 0) {
			all = append(all, k.fields(one, f)...)
		}
	}
	return all
}

// braces expands {a,b} and {1..5}. Where that is too much, or is no plain sequence, the word is refused.
func (k *walker) braces(w *syntax.Word, depth int) []*syntax.Word {
	split := *w // what is split stays out of the tree, which does not know such words
	w = &split
	syntax.SplitBraces(w)
	for i, part := range w.Parts {
		b, ok := part.(*syntax.BraceExp)
		if !ok {
			continue
		}
		middles, ok := braceElements(b)
		if !ok || depth > 3 {
			k.refuse(Unknown, "braces", k.source(w), "this brace expression cannot be read; write its words out")
			return nil
		}
		var all []*syntax.Word
		for _, middle := range middles {
			parts := append(append(append([]syntax.WordPart{}, w.Parts[:i]...), middle...), w.Parts[i+1:]...)
			all = append(all, k.braces(&syntax.Word{Parts: parts}, depth+1)...)
			if len(all) > maxBraces {
				k.refuse(Unknown, "braces", k.source(w), "this brace expression becomes too many words; write them out")
				return nil
			}
		}
		return all
	}
	return []*syntax.Word{w}
}

// braceElements are the parts that stand in a brace expression's place, one after the other.
func braceElements(b *syntax.BraceExp) (all [][]syntax.WordPart, ok bool) {
	if !b.Sequence {
		for _, e := range b.Elems {
			all = append(all, e.Parts)
		}
		return all, true
	}
	var ends []int
	for _, e := range b.Elems {
		n, ok := digits(e.Lit())
		if !ok {
			return nil, false
		}
		ends = append(ends, n)
	}
	step := 1
	if len(ends) == 3 && ends[2] > 0 {
		step = ends[2]
	}
	width := 0
	if from := b.Elems[0].Lit(); strings.HasPrefix(from, "0") {
		width = len(from)
	}
	for n := ends[0]; len(all) <= maxBraces; {
		all = append(all, []syntax.WordPart{&syntax.Lit{Value: padded(n, width)}})
		switch {
		case ends[0] <= ends[1]:
			n += step
			if n > ends[1] {
				return all, true
			}
		default:
			n -= step
			if n < ends[1] {
				return all, true
			}
		}
	}
	return all, true
}

// fields is one word after its expansions; it may become several, or none.
func (k *walker) fields(w *syntax.Word, f flow) []word {
	if list, ok := k.list(w); ok {
		return list
	}
	b := builder{k: k, f: f, known: true, one: true, allPlain: true, bare: true}
	for i, part := range w.Parts {
		b.more = i < len(w.Parts)-1
		b.part(part, false, i == 0)
	}
	if b.known && b.blanks {
		return b.split()
	}
	if b.known && b.bare && b.text.Len() == 0 && b.glob.Len() == 0 { // an empty value that is not quoted leaves no word
		return nil
	}
	return []word{b.word()}
}

// text is one word where the shell splits nothing: in an assignment, in quotes.
func (k *walker) text(w *syntax.Word, f flow) word {
	if w == nil {
		return literal("")
	}
	b := builder{k: k, f: f, known: true, one: true, allPlain: true, bare: true}
	for i, part := range w.Parts {
		b.part(part, true, i == 0)
	}
	return b.word()
}

// list is a word that is nothing but a whole array or all arguments of a function: "${list[@]}", "$@".
func (k *walker) list(w *syntax.Word) ([]word, bool) {
	if len(w.Parts) != 1 {
		return nil, false
	}
	part := w.Parts[0]
	if q, ok := part.(*syntax.DblQuoted); ok && len(q.Parts) == 1 && !q.Dollar {
		part = q.Parts[0]
	}
	p, ok := part.(*syntax.ParamExp)
	if !ok || !simple(p) {
		return nil, false
	}
	if p.Index == nil && p.Param.Value == "@" && len(k.args) > 0 {
		return k.args[len(k.args)-1], true
	}
	if index, ok := p.Index.(*syntax.Word); ok && index.Lit() == "@" {
		values, known := k.vars[p.Param.Value]
		return values, known
	}
	return nil, false
}

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
	allPlain bool // the unknown parts are plain names
	bare     bool // made by nothing but expansions outside of quotes
	blanks   bool // an expansion outside of quotes has blanks in it
	more     bool // parts follow
	under    string
	stdin    bool
	why      string
}

func (b *builder) word() word {
	w := word{text: b.text.String(), known: b.known, one: b.one, why: b.why}
	if b.known {
		w.one = true
		return w
	}
	if b.globs && !b.other {
		w.glob = b.glob.String()
		w.why = quoted(w.glob) + " is a pattern"
		return w
	}
	w.plain = b.other && b.allPlain && !b.globs
	w.under, w.stdin = b.under, b.stdin
	return w
}

// split is the word as the fields into which its blanks cut it.
func (b *builder) split() (fields []word) {
	for _, text := range strings.Fields(b.text.String()) {
		fields = append(fields, literal(text))
	}
	return fields
}

// literal adds text that is matched with nothing.
func (b *builder) literal(text string) {
	if b.known {
		b.text.WriteString(text)
	}
	for _, r := range text {
		if strings.ContainsRune(`*?[]\`, r) {
			b.glob.WriteByte('\\')
		}
		b.glob.WriteRune(r)
	}
}

// pattern adds text that is matched with file names.
func (b *builder) pattern(text string) {
	b.known, b.globs = false, true
	b.glob.WriteString(text)
}

// unknown adds a part whose value is w's.
func (b *builder) unknown(w word, inQuotes bool) {
	if b.known {
		b.text.WriteString(w.text)
		b.under, b.stdin = w.under, w.stdin
	}
	if b.why == "" {
		b.why = w.why
	}
	b.known = false
	b.one = b.one && (inQuotes || w.one && w.plain)
	if w.glob != "" {
		b.globs = true
		b.glob.WriteString(w.glob)
		return
	}
	b.other = true
	b.allPlain = b.allPlain && w.plain
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
		b.value(b.k.param(p, b.f), inQuotes)
	case *syntax.CmdSubst:
		b.unknown(b.k.substitution(p, b.f), inQuotes)
	case *syntax.ArithmExp:
		b.k.arithmetic(p.X, b.f)
		b.unknown(word{plain: true, one: true, why: "a computed number"}, inQuotes)
	case *syntax.ProcSubst:
		b.unknown(b.k.process(p, b.f), true)
	case *syntax.ExtGlob:
		b.pattern(b.k.source(p))
	default:
		b.k.refuse(Unknown, "syntax", b.k.source(part), "this kind of expansion cannot be read; write it plainly")
		b.unknown(opaque("an expansion that cannot be read"), inQuotes)
	}
}

func (b *builder) lit(raw string, inQuotes, first bool) {
	if first && !inQuotes && strings.HasPrefix(raw, "~") {
		user, rest, _ := strings.Cut(raw[1:], "/")
		if user != "" {
			b.unknown(opaque("the home of "+user), false)
			return
		}
		b.literal(b.k.world.Home)
		if len(raw) > 1 {
			b.literal("/")
		}
		raw = rest
	}
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case c == '\\' && i+1 < len(raw):
			i++
			if raw[i] != '\n' {
				b.literal(raw[i : i+1])
			}
		case !inQuotes && (c == '*' || c == '?' || c == '[' && (b.more || strings.Contains(raw[i:], "]"))):
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
	text, ok := ansiC(p.Value)
	if !ok {
		b.k.refuse(Unknown, "quoting", b.k.source(p), "this quoting cannot be read; write the text plainly")
	}
	b.literal(text)
}

func (b *builder) double(q *syntax.DblQuoted) {
	if q.Dollar {
		b.k.refuse(Unknown, "quoting", b.k.source(q), "a translated string cannot be read; write it without the `$`")
	}
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

// substitution is what $(…) becomes; the commands in it are judged.
func (k *walker) substitution(s *syntax.CmdSubst, f flow) word {
	if s.TempFile || s.ReplyVar {
		k.refuse(Unknown, "syntax", k.source(s), "this kind of substitution cannot be read; use $(…)")
	}
	f.loose, f.stdin = "in a substitution", input{}
	var out output
	k.subshell(func() { out = k.stmts(s.Stmts, f) })
	w := word{plain: out.plain, why: quoted(k.source(s)) + " is only known when it runs"}
	if out.under != "" && k.scratch(out.under) {
		w.text, w.under, w.one = out.under, out.under, true
	}
	return w
}

// process is the path that <(…) becomes.
func (k *walker) process(s *syntax.ProcSubst, f flow) word {
	f.loose, f.stdin = "in a substitution", input{}
	if s.Op == syntax.CmdOut {
		f.stdin = input{unknown: true}
	}
	var out output
	k.subshell(func() { out = k.stmts(s.Stmts, f) })
	if s.Op != syntax.CmdIn && s.Op != syntax.CmdOut {
		k.refuse(Unknown, "syntax", k.source(s), "this kind of substitution cannot be read")
	}
	k.piped[s] = out
	return word{text: "/dev/fd/", stdin: true, one: true, why: "a process substitution"}
}
