package guard

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

const arithmeticAdvice = "the shell would compute text that is only known when it runs, and such text can hold commands; compute with literal numbers and with variables " +
	"that were set to numbers here, or compare with [ … ]"

// arithmetic judges an expression. The shell computes what is in its variables too, and a subscript in them may run commands: so only
// what can be nothing but a number may stand in it.
func (k *walker) arithmetic(x syntax.ArithmExpr, f flow) {
	switch x := x.(type) {
	case nil:
	case *syntax.BinaryArithm:
		op := x.Op.String()
		assigns := strings.HasSuffix(op, "=") && !slices.Contains([]string{"==", "!=", "<=", ">="}, op)
		if op != "=" { // which alone does not read what it sets
			k.arithmetic(x.X, f)
		}
		k.arithmetic(x.Y, f)
		if divisor, ok := x.Y.(*syntax.Word); strings.ContainsAny(op, "/%") && (!ok || strings.Trim(divisor.Lit(), "0123456789") != "" || strings.Trim(divisor.Lit(), "0") == "") {
			k.aborts = true // by zero
		}
		if assigns {
			k.computed(x.X)
		}
	case *syntax.UnaryArithm:
		k.arithmetic(x.X, f)
		if x.Op == syntax.Inc || x.Op == syntax.Dec {
			k.computed(x.X)
		}
	case *syntax.ParenArithm:
		k.arithmetic(x.X, f)
	case *syntax.Word:
		k.operand(x, f)
	default:
		k.refuse(Unknown, "arithmetic", k.source(x), arithmeticAdvice)
	}
}

// computed judges the variable that an expression sets.
func (k *walker) computed(x syntax.ArithmExpr) {
	w, ok := x.(*syntax.Word)
	if !ok || w.Lit() == "" {
		k.refuse(Unknown, "arithmetic", k.source(x), arithmeticAdvice)
		return
	}
	if k.texts[w.Lit()] {
		k.refuse(Unknown, "arithmetic", k.source(x), arithmeticAdvice)
	}
	k.assignable(w.Lit(), k.source(x))
	k.set(w.Lit(), number)
}

// operand judges a number, or what stands for one.
func (k *walker) operand(w *syntax.Word, f flow) {
	for _, part := range w.Parts {
		if !k.number(part, f) {
			k.refuse(Unknown, "arithmetic", k.source(w), arithmeticAdvice)
			return
		}
	}
}

func (k *walker) number(part syntax.WordPart, f flow) bool {
	switch p := part.(type) {
	case *syntax.Lit:
		return numeral(p.Value) || identifier(p.Value) && k.variable(p.Value).numeral()
	case *syntax.SglQuoted:
		return !p.Dollar && numeral(p.Value)
	case *syntax.DblQuoted:
		return !p.Dollar && !slices.ContainsFunc(p.Parts, func(inner syntax.WordPart) bool { return !k.number(inner, f) })
	case *syntax.ArithmExp:
		k.arithmetic(p.X, f)
		return true
	case *syntax.ParamExp:
		value := k.param(p, f)
		return p.Length || value.numeral() && (simple(p) || p.Exp != nil)
	case *syntax.CmdSubst:
		k.substitution(p, f)
		return printsNumber(p)
	}
	return false
}

func numeral(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == "" || strings.HasPrefix(s, "0x") && len(s) > 2 && strings.Trim(s[2:], "0123456789abcdefABCDEF") == ""
}

// printsNumber reports whether a substitution prints a number and nothing else, whoever has shaped what it reads.
func printsNumber(s *syntax.CmdSubst) bool {
	if len(s.Stmts) != 1 {
		return false
	}
	cmd := s.Stmts[0].Cmd
	for {
		pipe, ok := cmd.(*syntax.BinaryCmd)
		if !ok || pipe.Op != syntax.Pipe {
			break
		}
		cmd = pipe.Y.Cmd
	}
	c, ok := cmd.(*syntax.CallExpr)
	if !ok || len(c.Assigns) > 0 || len(c.Args) == 0 {
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
		return len(args) == 3 && args[1] == "-c" && args[2] != "" && args[2][0] != '-' && cmd != s.Stmts[0].Cmd
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
				if ok && !strings.Contains(lit.Value, `\\`) {
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
