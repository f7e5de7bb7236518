package guard

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"
)

const (
	maxBraces = 200 // words that one word with braces may become
)

// words are what the words of a command become, as far as that can be known before it runs. Commands inside them are judged.
func (k *walker) words(list []*syntax.Word, f flow) (all []word) {
	for _, w := range list {
		if k.over() {
			return nil
		}
		literally := written(w)
		for _, one := range k.braces(w, 0) {
			all = append(all, k.fields(one, f, literally)...)
		}
	}
	return all
}

// braces expands {a,b} and {1..5}. Where that is too much, or is no plain sequence, the word is refused.
func (k *walker) braces(w *syntax.Word, depth int) []*syntax.Word {
	for i, part := range w.Parts { // braces are expanded before what stands beside them, and may become a part of its name
		p, short := part.(*syntax.ParamExp)
		lit, isLit := part.(*syntax.Lit)
		next, follows := (*syntax.Lit)(nil), false
		if i+1 < len(w.Parts) {
			next, follows = w.Parts[i+1].(*syntax.Lit)
		}
		if short && p.Short && follows && strings.HasPrefix(next.Value, "{") || isLit && strings.Contains(lit.Value, "$") && strings.Contains(k.source(w), "{") ||
			isLit && strings.HasSuffix(lit.Value, ",") && short {
			k.refuse(Unknown, "braces", k.source(w), "braces beside a variable cannot be read; write the words out")
			return nil
		}
	}
	split := *w // what is split stays out of the tree, which does not know such words
	split.Parts = slices.Clone(w.Parts)
	whole := w
	w = &split
	syntax.SplitBraces(w)
	for i, part := range w.Parts {
		b, ok := part.(*syntax.BraceExp)
		if !ok {
			continue
		}
		middles, ok := braceElements(b)
		if !ok || depth > 3 || slices.ContainsFunc(middles, func(parts []syntax.WordPart) bool { return len(parts) == 0 }) {
			k.refuse(Unknown, "braces", k.source(whole), "this brace expression cannot be read; write its words out")
			return nil
		}
		var all []*syntax.Word
		for _, middle := range middles {
			parts := append(append(append([]syntax.WordPart{}, w.Parts[:i]...), middle...), w.Parts[i+1:]...)
			all = append(all, k.braces(&syntax.Word{Parts: parts}, depth+1)...)
			if len(all) > maxBraces {
				k.refuse(Unknown, "braces", k.source(whole), "this brace expression becomes too many words; write them out")
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
	width, from, to := 0, b.Elems[0].Lit(), b.Elems[1].Lit()
	if len(from) > 1 && from[0] == '0' || len(to) > 1 && to[0] == '0' {
		width = max(len(from), len(to))
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
func (k *walker) fields(w *syntax.Word, f flow, literally bool) []word {
	if list, ok := k.list(w); ok {
		return list
	}
	b := newBuilder(k, f)
	b.written = literally
	for i, part := range w.Parts {
		b.more = i < len(w.Parts)-1
		b.part(part, false, i == 0)
	}
	if b.known && b.blanks {
		if len(w.Parts) != 1 {
			return []word{opaque("blanks in a variable")}
		}
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
	b := newBuilder(k, f)
	for i, part := range w.Parts {
		if lit, ok := part.(*syntax.Lit); ok && strings.Contains(lit.Value, ":~") {
			return opaque("a home behind a colon")
		}
		b.more = i < len(w.Parts)-1
		b.part(part, true, i == 0)
	}
	return b.word()
}

// list is a word that is nothing but a whole list: "${list[@]}". Outside of quotes its values are split and matched with file names, so
// that those which would be are not known.
func (k *walker) list(w *syntax.Word) ([]word, bool) {
	if len(w.Parts) != 1 {
		return nil, false
	}
	part := w.Parts[0]
	q, inQuotes := part.(*syntax.DblQuoted)
	if inQuotes && len(q.Parts) == 1 && !q.Dollar {
		part = q.Parts[0]
	}
	p, ok := part.(*syntax.ParamExp)
	if !ok || !simple(p) {
		return nil, false
	}
	if p.Index == nil || !k.arrays[p.Param.Value] {
		return nil, false
	}
	values, ok := k.vars[p.Param.Value]
	if !ok || !inQuotes && slices.ContainsFunc(values, func(v word) bool { return !v.known || strings.ContainsAny(v.text, " \t\n*?[") || v.text == "" }) {
		return nil, false
	}
	return values, true
}

// substitution is what $(…) becomes; the commands in it are judged. Outside of quotes that may be several words, or none.
func (k *walker) substitution(s *syntax.CmdSubst, f flow) word {
	f.loose, f.stdin = "in a substitution", f.stdin.parted()
	k.inner++
	var out output
	k.subshell(func() { out = k.stmts(s.Stmts, f) })
	prints := printsNumber(s)
	day, solid := date(out.call)
	w := word{plain: out.plain || prints || day, solid: solid, digits: prints || out.digits, why: quoted(k.source(s)) + " is only known when it runs"}
	if out.under != "" && k.scratch(out.under) {
		w.text, w.under = out.under, out.under
	}
	return w
}

// Formats of date; compiled when one comes by, because the hook pays for all that is done before main.
var (
	plainDate = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^\+(%[YmdHMSsFTj]|[A-Za-z0-9])(%[YmdHMSsFTj]|[A-Za-z0-9_.:-])*$`)
	})
	solidDate = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\+(%[mdHMSTjbay]|[A-Za-z0-9])`) })
)

// date is what is known of what the command date prints: a plain name, or at least no option. Of another time than now, the year may
// be negative.
func date(call []word) (plain, solid bool) {
	if len(call) < 2 || !call[0].is("date") || !call[len(call)-1].known {
		return false, false
	}
	format := call[len(call)-1].text
	plain = plainDate().MatchString(format) && (len(call) == 2 || len(call) == 3 && call[1].is("-u"))
	return plain, solidDate().MatchString(format)
}

// process is the path that <(…) becomes.
func (k *walker) process(s *syntax.ProcSubst, f flow) word {
	f.loose, f.stdin = "in a substitution", input{unknown: f.stdin != input{}}
	k.inner++
	var out output
	k.subshell(func() { out = k.stmts(s.Stmts, f) })
	k.piped[s] = out
	return word{text: "/dev/fd/", stdin: true, one: true, why: "a process substitution"}
}
