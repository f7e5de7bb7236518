package guard

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

const arithmeticAdvice = "the shell would compute text that is only known when it runs, and such text can hold commands; compute + - * and comparisons with plain decimal " +
	"numbers and variables that were set to numbers here, / and % by a number, or compare with [ … ]"

// arithmetic judges an expression. The shell computes what is in its variables too, and a subscript in them may run commands: so only
// what can be nothing but a number may stand in it. Whether it may set variables depends on where it stands.
func (k *walker) arithmetic(x syntax.ArithmExpr, f flow, sets bool) {
	switch x := x.(type) {
	case nil:
		return
	case *syntax.BinaryArithm:
		switch x.Op {
		case syntax.Add, syntax.Sub, syntax.Mul, syntax.Eql, syntax.Neq, syntax.Lss, syntax.Gtr, syntax.Leq, syntax.Geq:
			k.arithmetic(x.X, f, false)
			k.arithmetic(x.Y, f, false)
			return
		case syntax.Quo, syntax.Rem:
			if divisor, ok := x.Y.(*syntax.Word); ok && canonical(divisor.Lit()) && divisor.Lit() != "0" {
				k.arithmetic(x.X, f, false)
				return
			}
		case syntax.Assgn, syntax.AddAssgn, syntax.SubAssgn:
			if sets {
				k.arithmetic(x.Y, f, false)
				k.computed(x.X, x.Op != syntax.Assgn)
				return
			}
		}
	case *syntax.UnaryArithm:
		switch x.Op {
		case syntax.Inc, syntax.Dec:
			k.computed(x.X, true)
			return
		case syntax.Minus, syntax.Plus:
			k.arithmetic(x.X, f, false)
			return
		}
	case *syntax.ParenArithm:
		k.arithmetic(x.X, f, false)
		return
	case *syntax.Word:
		k.operand(x, f)
		return
	}
	k.refuse(Unknown, "arithmetic", k.source(x), arithmeticAdvice)
}

// computed judges the variable that an expression sets.
func (k *walker) computed(x syntax.ArithmExpr, reads bool) {
	w, ok := x.(*syntax.Word)
	if !ok || !identifier(w.Lit()) || k.texts[w.Lit()] || k.arrays[w.Lit()] || reads && !k.variable(w.Lit()).numeral() {
		k.refuse(Unknown, "arithmetic", k.source(x), arithmeticAdvice)
		return
	}
	k.assignable(w.Lit(), k.source(x))
	k.set(w.Lit(), withSign(number, true))
}

// operand judges a number, or what stands for one.
func (k *walker) operand(w *syntax.Word, f flow) {
	if len(w.Parts) != 1 || !k.number(w.Parts[0], f) {
		k.refuse(Unknown, "arithmetic", k.source(w), arithmeticAdvice)
	}
}

// number reports whether a part is a number. One that may be missing, or have a zero in front, is an error that ends the line.
func (k *walker) number(part syntax.WordPart, f flow) bool {
	value := number
	switch p := part.(type) {
	case *syntax.Lit:
		if canonical(p.Value) {
			return true
		}
		value = k.variable(p.Value)
	case *syntax.ArithmExp:
		k.arithmetic(p.X, f, false)
	case *syntax.ParamExp:
		if value = k.param(p, f); !p.Length && !simple(p) {
			return false
		}
	case *syntax.CmdSubst:
		k.substitution(p, f)
		k.aborts = true
		return printsNumber(p)
	default:
		return false
	}
	k.aborts = k.aborts || !surely(value)
	return value.numeral()
}

func numeral(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// printsNumber reports whether a substitution prints a number or nothing, whoever has shaped what it reads.
func printsNumber(s *syntax.CmdSubst) bool {
	if len(s.Stmts) != 1 {
		return false
	}
	last := s.Stmts[0]
	for {
		pipe, ok := last.Cmd.(*syntax.BinaryCmd)
		if !ok || pipe.Op != syntax.Pipe {
			break
		}
		last = pipe.Y
	}
	c, ok := last.Cmd.(*syntax.CallExpr)
	if !ok || len(c.Assigns) > 0 || len(c.Args) == 0 || slices.ContainsFunc(last.Redirs, func(r *syntax.Redirect) bool {
		return r.Op != syntax.RdrIn && !(r.Op == syntax.RdrOut && r.N != nil && r.N.Value == "2")
	}) {
		return false
	}
	var args []string
	for _, a := range c.Args {
		args = append(args, unquoted(a))
	}
	switch args[0] {
	case "tr":
		return len(args) == 3 && args[1] == "-dc" && (args[2] == "0-9" || args[2] == "[:digit:]") || len(args) == 4 && args[1] == "-d" && args[2] == "-c" && args[3] == "0-9"
	case "stat":
		return len(args) == 4 && args[1] == "-c" && slices.Contains([]string{"%s", "%X", "%Y", "%Z"}, args[2]) && args[3] != "" && args[3][0] != '-'
	case "nproc":
		return len(args) == 1
	case "date":
		last := args[len(args)-1]
		return (len(args) == 2 || len(args) == 4 && args[1] == "-d") && (last == "+%s" || last == "+%s%N")
	case "wc":
		return len(args) == 2 && slices.Contains([]string{"-l", "-c", "-w", "-m"}, args[1])
	case "id":
		return len(args) == 2 && args[1] == "-u"
	case "grep":
		return len(args) == 3 && args[1] == "-c" && args[2] != "" && args[2][0] != '-' && last != s.Stmts[0]
	}
	return false
}

// unquoted is the text of a word that is one literal, with or without quotes.
func unquoted(w *syntax.Word) string {
	if len(w.Parts) == 1 {
		switch p := w.Parts[0].(type) {
		case *syntax.SglQuoted:
			if !p.Dollar {
				return p.Value
			}
		case *syntax.DblQuoted:
			if len(p.Parts) == 1 && !p.Dollar {
				lit, ok := p.Parts[0].(*syntax.Lit)
				if ok && !strings.Contains(lit.Value, `\`) {
					return lit.Value
				}
			}
		}
	}
	return w.Lit()
}

// test judges [[ … ]]. Its comparisons of numbers compute both sides.
func (k *walker) test(x syntax.TestExpr, f flow) {
	switch x := x.(type) {
	case *syntax.BinaryTest:
		if x.Op >= syntax.TsEql && x.Op <= syntax.TsGtr {
			for _, side := range []syntax.TestExpr{x.X, x.Y} {
				if w, ok := side.(*syntax.Word); ok {
					if q, quoted := w.Parts[0].(*syntax.DblQuoted); quoted && len(w.Parts) == 1 && len(q.Parts) == 1 {
						w = &syntax.Word{Parts: q.Parts}
					}
					k.operand(w, f)
				}
			}
			return
		}
		k.test(x.X, f)
		k.test(x.Y, f)
	case *syntax.UnaryTest:
		w, isWord := x.X.(*syntax.Word)
		if isWord && (x.Op == syntax.TsVarSet || x.Op == syntax.TsRefVar) && !identifier(w.Lit()) {
			k.refuse(Unknown, "arithmetic", k.source(w), "`-v` takes the literal name of a variable")
			return
		}
		k.test(x.X, f)
	case *syntax.ParenTest:
		k.test(x.X, f)
	case *syntax.Word:
		k.text(x, f)
	}
}
