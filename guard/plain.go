package guard

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"
)

// The part of the shell's language that is read is small, so that what is read is what the shell runs: what people type when they
// look after a machine. The rest is refused, with advice to write it plainly.

// plainly goes over the whole source, so that nothing can stand where the judging does not come by.
func (k *walker) plainly(file *syntax.File, source string) {
	for line := range strings.Lines(source) { // which the shell does not take for the comment's
		if line = strings.TrimSuffix(line, "\n"); strings.HasSuffix(line, `\`) && strings.Contains(line, "#") {
			k.refuse(Unknown, "syntax", line, "a line with a `#` may not end with a backslash; write it in one line")
		}
	}
	within := 0 // substitutions
	var open []syntax.Node
	syntax.Walk(file, func(n syntax.Node) bool {
		if n == nil {
			if isSubstitution(open[len(open)-1]) {
				within--
			}
			open = open[:len(open)-1]
			return true
		}
		open = append(open, n)
		if isSubstitution(n) {
			within++
		}
		advice := k.clever(n)
		switch n := n.(type) {
		case *syntax.Redirect:
			if (n.Op == syntax.Hdoc || n.Op == syntax.DashHdoc) && advice == "" {
				advice = hereDocument(n, source, within > 0)
			}
		case *syntax.Comment:
			if before := source[:min(int(n.Hash.Offset()), len(source))]; before != "" && !strings.ContainsAny(lastByte(before), " \t\n") || strings.HasSuffix(strings.TrimRight(before, " \t\n"), `\`) {
				advice = "a comment stands behind a blank, or in a line of its own"
			}
		}
		if advice != "" {
			k.refuse(Unknown, "syntax", k.source(n), advice)
		}
		return true
	})
}

func isSubstitution(n syntax.Node) bool {
	switch n.(type) {
	case *syntax.CmdSubst, *syntax.ProcSubst:
		return true
	}
	return false
}

// clever is what to write instead of a part of the language that is not read; empty for one that is.
func (k *walker) clever(n syntax.Node) string {
	const plainer = "this construct is not read; write it plainly"
	switch n := n.(type) {
	case *syntax.File, *syntax.Comment, *syntax.CallExpr, *syntax.Subshell, *syntax.Block, *syntax.IfClause, *syntax.WhileClause, *syntax.CaseClause, *syntax.CStyleLoop,
		*syntax.Word, *syntax.Lit, *syntax.TestClause, *syntax.UnaryTest, *syntax.BinaryTest, *syntax.ParenTest, *syntax.TimeClause, *syntax.DeclClause,
		*syntax.ArithmCmd, *syntax.BinaryArithm, *syntax.UnaryArithm, *syntax.ParenArithm, *syntax.ArrayElem:
	case *syntax.Stmt:
		if n.Coprocess || n.Disown {
			return plainer
		}
	case *syntax.FuncDecl:
		return "functions are not read; write the commands out, or loop over literal words"
	case *syntax.ForClause:
		if n.Select || n.Braces {
			return "write a loop as `for NAME in WORDS; do …; done`"
		}
	case *syntax.WordIter:
		if !n.InPos.IsValid() {
			return "write the words of the loop out: `for NAME in WORDS`"
		}
	case *syntax.BinaryCmd:
		if !slices.Contains([]syntax.BinCmdOperator{syntax.AndStmt, syntax.OrStmt, syntax.Pipe, syntax.PipeAll}, n.Op) {
			return plainer
		}
	case *syntax.CaseItem:
		if n.Op != syntax.Break {
			return "end each branch of a case with `;;`"
		}
	case *syntax.Assign:
		return k.cleverAssignment(n)
	case *syntax.ArrayExpr:
		if slices.ContainsFunc(n.Elems, func(e *syntax.ArrayElem) bool { return e.Index != nil || e.Value != nil && !written(e.Value) }) {
			return "a list takes literal words only: NAME=(one two)"
		}
	case *syntax.ParamExp:
		return k.cleverParameter(n)
	case *syntax.CmdSubst:
		if n.TempFile || n.ReplyVar || n.Backquotes && strings.ContainsAny(strings.Trim(k.source(n), "$()"), "`\\$'\"<#") {
			return "use $(…)"
		}
	case *syntax.ProcSubst:
		if n.Op != syntax.CmdIn {
			return "only <(…) is read; use a pipe"
		}
	case *syntax.ArithmExp:
		if n.Bracket || n.Unsigned {
			return "compute with $((…))"
		}
	case *syntax.SglQuoted:
		if _, ok := ansiC(n.Value); n.Dollar && !ok {
			return `within $'…' only \n, \t, \\ and \' are read; write the text plainly`
		}
	case *syntax.DblQuoted:
		if n.Dollar {
			return "a translated string cannot be read; write it without the `$`"
		}
	case *syntax.Redirect:
		if n.N != nil && (len(n.N.Value) != 1 || n.N.Value < "0" || n.N.Value > "9") {
			return "a descriptor is one digit"
		}
	default:
		return plainer
	}
	return ""
}

func (k *walker) cleverAssignment(a *syntax.Assign) string {
	switch {
	case a.Index != nil, a.Name == nil && a.Array != nil:
		return "elements of a list are not set one by one; write it as a whole: NAME=(one two)"
	case a.Name != nil && k.arrays[a.Name.Value] && (a.Append || k.sites[a.Name.Value] > 1):
		return "a list is set in one place only: NAME=(one two)"
	}
	return ""
}

// cleverParameter: of a list all elements or their number, of a variable its value, its length, a part of it, or another value for it.
func (k *walker) cleverParameter(p *syntax.ParamExp) string {
	if p.Param == nil || p.Excl || p.Names != 0 || p.Flags != nil || p.NestedParam != nil || p.Width || p.IsSet || len(p.Modifiers) > 0 ||
		p.Split != 0 || p.GlobSubst != 0 || p.RcExpand != 0 {
		return "an expansion by way of another variable is not read; name the variable itself"
	}
	name := p.Param.Value
	if name != "?" && name != "!" && name != "$" && !identifier(name) {
		return "positional parameters are not read; use variables with names"
	}
	if w, ok := p.Index.(*syntax.Word); ok && name == "PIPESTATUS" && simple(p) && (count(w) || w.Lit() == "@") {
		return ""
	}
	changed := p.Slice != nil || p.Repl != nil || p.Exp != nil
	if w, ok := p.Index.(*syntax.Word); p.Index != nil && (!ok || w.Lit() != "@" || changed) || changed && (p.Length || k.arrays[name] || !identifier(name)) || p.Length && !identifier(name) {
		return `of a list only "${NAME[@]}" and ${#NAME[@]} are read`
	}
	if p.Slice != nil && !(count(p.Slice.Offset) && (p.Slice.Length == nil || count(p.Slice.Length))) {
		return "a part of a text is taken with plain numbers: ${NAME:0:8}"
	}
	if p.Repl != nil && !(plainText(p.Repl.Orig) && plainText(p.Repl.With)) || p.Exp != nil && !plainText(p.Exp.Word) {
		return "within ${…} only plain text and patterns are read, without quotes, blanks, braces and variables"
	}
	if p.Exp != nil && !slices.Contains([]syntax.ParExpOperator{
		syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AlternateUnset, syntax.AlternateUnsetOrNull,
		syntax.RemSmallPrefix, syntax.RemLargePrefix, syntax.RemSmallSuffix, syntax.RemLargeSuffix,
		syntax.UpperFirst, syntax.UpperAll, syntax.LowerFirst, syntax.LowerAll,
	}, p.Exp.Op) {
		return "this expansion is not read; use the plain variable"
	}
	return ""
}

// count reports whether an expression is a small plain number.
func count(x syntax.ArithmExpr) bool {
	w, ok := x.(*syntax.Word)
	return ok && canonical(w.Lit()) && len(w.Lit()) < 6
}

var plainPart = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([A-Za-z0-9_./:@%+,=*?!^-]|\[!?[A-Za-z0-9-]+\]|\\[%/])*$`)
})

// plainText reports whether a word within ${…} means the same in quotes and without.
func plainText(w *syntax.Word) bool {
	return w == nil || len(w.Parts) == 0 || len(w.Parts) == 1 && w.Lit() != "" && plainPart().MatchString(w.Lit())
}

func lastByte(s string) string { return s[max(0, len(s)-1):] }

// written reports whether a word stands there literally: text, with or without quotes, and nothing that the shell expands.
func written(w *syntax.Word) bool {
	for i, part := range w.Parts {
		switch p := part.(type) {
		case *syntax.Lit:
			if strings.ContainsAny(strings.ReplaceAll(p.Value, "{}", ""), "*?{}$`") || strings.Contains(p.Value, "[") && w.Lit() != "[" || i == 0 && strings.HasPrefix(p.Value, "~") || strings.Contains(p.Value, "=~") || strings.Contains(p.Value, ":~") {
				return false
			}
		case *syntax.SglQuoted:
		case *syntax.DblQuoted:
			for _, inner := range p.Parts {
				if _, ok := inner.(*syntax.Lit); !ok {
					return false
				}
			}
		default:
			return false
		}
	}
	return len(w.Parts) > 0
}

// hereDocument is what to write instead of a document that a shell may end at another line than the parser.
func hereDocument(r *syntax.Redirect, source string, within bool) string {
	if within {
		return "here-documents within $(…) are not read; write the text to a file below $TMPDIR first"
	}
	delimiter := unquoted(r.Word)
	if span(delimiter, len(delimiter), isIdentifier) != len(delimiter) || delimiter == "" {
		return "a here-document ends with a plain word, such as EOF"
	}
	if r.Op != syntax.Hdoc || r.Hdoc == nil || len(r.Hdoc.Parts) == 0 {
		return "a here-document is written with <<, and is not empty"
	}
	at := min(int(r.Hdoc.Pos().Offset()), len(source))
	for line := range strings.Lines(source[at:]) {
		at += len(line)
		line = strings.TrimSuffix(line, "\n")
		if line == delimiter {
			break // the first such line ends it, wherever the parser has seen its end
		}
		if strings.HasPrefix(strings.TrimLeft(line, "\t"), delimiter) {
			return "a line of a here-document may not begin with its last word; take another word"
		}
		if strings.HasSuffix(line, `\`) && r.Word.Lit() != "" {
			return "a line of a here-document may not end with a backslash; quote its delimiter: <<'EOF'"
		}
	}
	if end := int(r.Hdoc.End().Offset()); end > at || end < at-len(delimiter)-1 {
		return "where this here-document ends is not clear; take another word for its end"
	}
	if r.Word.Lit() == "" {
		return ""
	}
	for _, part := range r.Hdoc.Parts {
		switch p := part.(type) {
		case *syntax.Lit:
		case *syntax.ParamExp:
			if !simple(p) || p.Index != nil {
				return "only plain variables are read in a here-document; quote its delimiter: <<'EOF'"
			}
		case *syntax.CmdSubst:
			if p.Backquotes || p.Left.Line() != p.Right.Line() {
				return "an expansion in a here-document stands in one line: $(…)"
			}
		default:
			return "this expansion in a here-document is not read; quote its delimiter: <<'EOF'"
		}
	}
	return ""
}

// everywhere reports whether a text means the same to every shell that may read it as sh: bash, dash and busybox among them. Their
// languages differ in small things, which change what is quoted and what runs.
func everywhere(file *syntax.File, source string) bool {
	other, err := syntax.NewParser(syntax.Variant(syntax.LangPOSIX), syntax.KeepComments(true)).Parse(strings.NewReader(source), "")
	if err != nil {
		return false
	}
	var a, b bytes.Buffer
	if syntax.DebugPrint(&a, file) != nil || syntax.DebugPrint(&b, other) != nil || !bytes.Equal(a.Bytes(), b.Bytes()) {
		return false
	}
	same := true
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Word:
			split := *n
			split.Parts = slices.Clone(n.Parts)
			same = same && !syntax.SplitBraces(&split)
		case *syntax.DeclClause, *syntax.ParamExp:
			p, isParam := n.(*syntax.ParamExp)
			same = same && isParam && (simple(p) || p.Length || p.Exp != nil)
		}
		return same
	})
	return same
}
