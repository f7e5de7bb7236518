package guard

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// What a redirection leaves of standard output to a pipe or a substitution.
const (
	nothing = iota
	mixed   // with something else between
	all
)

func leaves(r *syntax.Redirect) int {
	switch r.Op {
	case syntax.RdrOut, syntax.AppOut, syntax.RdrClob:
		if descriptor(r, 1) == 1 {
			return nothing
		}
	case syntax.DplOut:
		if descriptor(r, 1) == 2 {
			return mixed
		}
		return nothing
	case syntax.RdrAll, syntax.AppAll:
		return nothing
	}
	return all
}

// redirect judges one redirection and returns what standard input is behind it.
func (k *walker) redirect(r *syntax.Redirect, cmd syntax.Command, f flow) input {
	source := k.source(r)
	switch r.Op {
	case syntax.Hdoc:
		return k.given(r, k.document(r, f), f)
	case syntax.WordHdoc:
		text := k.text(r.Word, f)
		text.text += "\n"
		return k.given(r, text, f)
	case syntax.RdrIn, syntax.DplIn:
		return k.readFrom(r, f)
	case syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.DplOut, syntax.RdrAll, syntax.AppAll:
		k.writeTo(r, cmd, f)
		if descriptor(r, 1) == 0 { // 0>&3: from wherever that reads
			return input{unknown: true}
		}
	default:
		k.refuse(Unknown, "redirections", source, "this redirection is not read; use > or <")
	}
	return f.stdin
}

// descriptor is the one that a redirection is about: the number in front of it, or its own.
func descriptor(r *syntax.Redirect, own int) int {
	if r.N == nil {
		return own
	}
	n, ok := digits(r.N.Value)
	if !ok {
		return 0 // refused; and it could be any
	}
	return n
}

// given is text as standard input, unless it goes to another descriptor.
func (k *walker) given(r *syntax.Redirect, text word, f flow) input {
	if descriptor(r, 0) != 0 {
		return f.stdin
	}
	return input{known: text.known, text: text.text, unknown: !text.known, plain: text.plain}
}

// document is the text of a here-document: as it stands where the delimiter is quoted, with its expansions otherwise.
func (k *walker) document(r *syntax.Redirect, f flow) word {
	if r.Hdoc == nil {
		return literal("")
	}
	raw, b := r.Word.Lit() == "", newBuilder(k, f)
	for _, part := range r.Hdoc.Parts {
		lit, ok := part.(*syntax.Lit)
		switch {
		case ok && raw:
			b.literal(lit.Value)
		case ok:
			b.literal(unescapeDouble(strings.ReplaceAll(lit.Value, `\"`, `\\"`)))
		default:
			b.part(part, true, false)
		}
	}
	return b.word()
}

// readFrom judges what a command is given to read.
func (k *walker) readFrom(r *syntax.Redirect, f flow) input {
	in := input{unknown: true}
	if p := substituted(r.Word); p != nil {
		k.process(p, f)
		out := k.piped[p]
		in = input{unknown: !out.known, known: out.known, text: out.text, plain: out.plain, found: out.found}
	} else if to := k.text(r.Word, f); k.globs(r.Word) {
		k.refuse(Unknown, "redirections", k.source(r), "a pattern behind a redirection cannot be read; write the path out")
	} else if r.Op == syntax.DplIn {
		if !to.known || strings.Trim(to.text, "0123456789-") != "" {
			k.refuse(Unknown, "redirections", k.source(r), "only a descriptor's number may follow <&")
		}
	} else {
		k.reads(to, f, "redirections", k.source(r))
		if to.is("/dev/null") {
			in = input{}
		}
	}
	if descriptor(r, 0) != 0 {
		return f.stdin
	}
	return in
}

func substituted(w *syntax.Word) *syntax.ProcSubst {
	if len(w.Parts) != 1 {
		return nil
	}
	p, _ := w.Parts[0].(*syntax.ProcSubst)
	return p
}

// writeTo judges where output goes.
func (k *walker) writeTo(r *syntax.Redirect, cmd syntax.Command, f flow) {
	to := k.text(r.Word, f)
	if r.Op == syntax.DplOut && to.known && strings.Trim(to.text, "0123456789-") == "" {
		return
	}
	if k.globs(r.Word) {
		to = opaque("a pattern")
	}
	if (r.Op == syntax.RdrOut || r.Op == syntax.RdrClob) && empties(cmd) && k.currentLog(to, f) {
		k.act(Act{Action: Change, Rule: "clear a log", Command: k.source(r)})
		return
	}
	k.writes(to, f, "redirections", k.source(r))
}

// globs reports whether a word holds patterns or braces, or a value with patterns or blanks, which a redirection expands.
func (k *walker) globs(w *syntax.Word) bool {
	for _, part := range w.Parts {
		if p, ok := part.(*syntax.ParamExp); ok {
			if value := k.variable(p.Param.Value); !value.known && !(value.plain && value.one) || strings.ContainsAny(value.text, "*?[ \t\n") {
				return true
			}
		}
		if lit, ok := part.(*syntax.Lit); ok && strings.ContainsAny(lit.Value, "*?[{") {
			return true
		}
	}
	return false
}

// empties reports whether a command prints nothing, so that a redirection of its output only empties the file.
func empties(cmd syntax.Command) bool {
	c, ok := cmd.(*syntax.CallExpr)
	if !ok || len(c.Assigns) > 0 {
		return cmd == nil
	}
	var words []string
	for _, w := range c.Args {
		words = append(words, w.Lit())
	}
	switch strings.Join(words, " ") {
	case ":", "true", "echo -n", "cat /dev/null":
		return true
	}
	return false
}
