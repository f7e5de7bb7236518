package script

import "strings"

// Awk reads an awk program, POSIX and gawk. Files that it prints to and that getline reads are effects where their names
// are literal, and refused where they are computed. Pipes, system, what loads other code, and whatever reaches the
// environment or the list of input files are refused.
func Awk(program string) (Effects, error) {
	if err := checkText("awk", program); err != nil {
		return Effects{}, err
	}
	tokens, err := awkTokens(program)
	if err != nil {
		return Effects{}, err
	}
	r := awkReader{text: program, tokens: tokens, levels: make([]awkLevel, 1), printing: -1, source: -1,
		functions: map[string]bool{}}
	for i := 1; i < len(tokens); i++ {
		if tokens[i-1].is("function", "func") {
			r.functions[tokens[i].text] = true
		}
	}
	for r.at = range tokens {
		if err := r.token(); err != nil {
			return Effects{}, err
		}
	}
	if len(r.levels) > 1 {
		return Effects{}, refuse("awk: a " + r.level().open + " is not closed")
	}
	return r.effects, nil
}

type awkReader struct {
	text      string
	tokens    []awkToken
	at        int // the token that is read
	levels    []awkLevel
	printing  int             // how many levels were open where the current print or printf began, -1 outside of one
	source    int             // the token < that names the file of a getline, -1 before the first
	functions map[string]bool // those that the program defines
	effects   Effects
}

// awkLevel is what an open bracket holds, and the program outside of all.
type awkLevel struct {
	open    string // the bracket
	getline bool   // there was a getline in the current expression
}

func (r *awkReader) level() *awkLevel { return &r.levels[len(r.levels)-1] }

// peek is the token n places on; after the last one it is a newline.
func (r *awkReader) peek(n int) awkToken {
	if r.at+n < len(r.tokens) {
		return r.tokens[r.at+n]
	}
	return awkToken{kind: awkNewline, text: "\n", pos: len(r.text)}
}

func (r *awkReader) unread(n int, expected string) error {
	return unread("awk", r.text, r.peek(n).pos, expected)
}

// token judges the token at r.at.
func (r *awkReader) token() error {
	t := r.peek(0)
	switch t.kind {
	case awkName:
		return r.name(t.text)
	case awkNewline:
		if !r.continues() {
			r.endStatement()
		}
	case awkOperator:
		return r.operator(t.text)
	}
	return nil
}

// continues tells whether the newline at r.at does not end a statement: after an operator that wants an operand, some awk
// read on.
func (r *awkReader) continues() bool {
	before := r.tokens[r.at-1]
	return before.is("in") || before.kind == awkOperator && !before.endsOperand() && !before.is("{", "}", ";")
}

// endStatement ends the print or printf that is going on, and the expression of a getline.
func (r *awkReader) endStatement() {
	if r.printing == len(r.levels) {
		r.printing = -1
	}
	r.level().getline = false
}

func (r *awkReader) operator(operator string) error {
	switch operator {
	case "(", "[", "{":
		if operator == "{" {
			r.endStatement()
		}
		r.levels = append(r.levels, awkLevel{open: operator})
	case ")", "]", "}":
		return r.close(operator)
	case ";":
		r.endStatement()
	case "|", "|&":
		return refuse("awk: | runs a command; let awk read and print, and pipe outside of it: command | awk … | sort")
	case ">", ">>", ">=":
		return r.greater(operator)
	case "<":
		if r.level().getline && r.at != r.source {
			return refuse("awk: < after getline names a file for some awk; write (getline line) in parentheses")
		}
	}
	return nil
}

func (r *awkReader) close(bracket string) error {
	open := map[string]string{")": "(", "]": "[", "}": "{"}[bracket]
	if r.level().open != open {
		return r.unread(0, "no "+bracket+" there")
	}
	if r.printing == len(r.levels) {
		r.printing = -1
	}
	r.levels = r.levels[:len(r.levels)-1]
	if bracket == "}" {
		r.endStatement()
	}
	return nil
}

// greater judges > >> >=. In a print or printf they redirect, but not inside parentheses; elsewhere they compare.
func (r *awkReader) greater(operator string) error {
	redirects := r.printing >= 0
	if redirects {
		for _, inner := range r.levels[r.printing:] {
			redirects = redirects && inner.open != "("
		}
	}
	switch {
	case !redirects && operator == ">>":
		return r.unread(0, "a comparison")
	case !redirects:
		return nil
	case operator == ">=" || r.printing != len(r.levels):
		return refuse("awk: in print, > writes a file; put the comparison in parentheses")
	}
	return r.fileName(1, &r.effects.Writes, "a file name in quotes and the end of the statement after "+operator+" (a comparison goes in parentheses)",
		";", "}", ")", "\n")
}

// fileName takes the literal file name n places on, after which one of the ends must stand, into names. The standard
// streams are no files.
func (r *awkReader) fileName(n int, names *[]string, expected string, ends ...string) error {
	name := r.peek(n)
	switch {
	case name.kind != awkString || !r.peek(n+1).is(ends...):
		return r.unread(n, expected)
	case name.text == "" || strings.Contains(name.text, `\`):
		return r.unread(n, "a file name without backslashes")
	case strings.HasPrefix(name.text, "/inet"):
		return refuse("awk: " + name.text + " is a network connection; use curl or nc")
	case name.text == "-" && names == &r.effects.Writes:
		return refuse(`awk: "-" is a file for some awk; write "/dev/stdout"`)
	}
	switch name.text {
	case "-", "/dev/stdin", "/dev/stdout", "/dev/stderr":
	default:
		*names = append(*names, name.text)
	}
	return nil
}

func (r *awkReader) name(name string) error {
	switch name {
	case "print", "printf":
		r.printing = len(r.levels)
		return nil
	case "getline":
		return r.getline()
	case "system":
		return refuse("awk: system runs a command; let awk print, and run the command by itself")
	case "ENVIRON", "SYMTAB", "FUNCTAB":
		return forbid("awk: " + name + " shows the environment, which holds secrets; pass the one value with -v name=value")
	case "ARGV", "ARGC":
		return refuse("awk: " + name + " changes which files are read; name them after the program")
	case "PROCINFO":
		if !r.peek(1).is("[") || r.peek(2).kind != awkString || !r.peek(3).is("]") {
			return r.unread(0, `PROCINFO only with a literal subscript, like PROCINFO["sorted_in"]`)
		}
	case "CONVFMT", "OFMT":
		if !r.peek(1).is("=") || !plainFormat(r.peek(2)) {
			return r.unread(0, name+` only as in `+name+` = "%.2f"`)
		}
	}
	if r.peek(1).is("(") && !awkKeyword(name) && !awkBuiltin(name) && !r.functions[name] {
		return refuse("awk: the function " + name + " is not known; use awk's own functions or define it in the program")
	}
	return nil
}

// plainFormat tells whether the token is a format for one number.
func plainFormat(t awkToken) bool {
	format, ok := strings.CutPrefix(strings.TrimRight(t.text, "dfgeEG"), "%")
	return t.kind == awkString && ok && len(t.text)-len(format) == 2 && strings.Trim(format, "0123456789.") == ""
}

// getline judges a getline: what it reads, and what follows it. Some awk take the next < of the expression, wherever
// it stands, for the file to read.
func (r *awkReader) getline() error {
	r.level().getline = true
	n, err := r.variable(1)
	if err != nil {
		return err
	}
	if !r.peek(n).is("<") {
		if !r.peek(n).is(")", ";", "}", "\n", ",", "?", ":", "&&", "||", ">", ">=", "<=", "==", "!=") {
			return r.unread(n, "the end of the getline (put it in parentheses)")
		}
		return nil
	}
	r.source = r.at + n
	return r.fileName(n+1, &r.effects.Reads, "a file name in quotes, and then the end of the getline (put it in parentheses)",
		")", ";", "}", "\n", ",", "&&", "||", ">", ">=", "<=", "==", "!=")
}

// variable passes over the variable of a getline, if one stands n places on, and returns where it ends.
func (r *awkReader) variable(n int) (int, error) {
	switch t := r.peek(n); {
	case t.is("$"):
		if inner := r.peek(n + 1); inner.kind == awkNumber || inner.kind == awkName && !awkKeyword(inner.text) {
			return n + 2, nil
		}
		return n, r.unread(n, "a plain variable after getline")
	case t.kind != awkName || awkKeyword(t.text):
		return n, nil
	case !r.peek(n + 1).is("["):
		return n + 1, nil
	}
	depth := 0
	for n++; r.at+n < len(r.tokens); n++ {
		switch t := r.peek(n); {
		case t.is("["):
			depth++
		case t.is("]"):
			depth--
		}
		if depth == 0 {
			return n + 1, nil
		}
	}
	return n, r.unread(n, "]")
}
