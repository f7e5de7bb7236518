package guard

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/claudeops/claudeops/config"
)

// simple reports whether an expansion is nothing but a variable, perhaps with an index.
func simple(p *syntax.ParamExp) bool {
	return !p.Excl && !p.Length && !p.Width && !p.IsSet && p.Flags == nil && p.NestedParam == nil && p.Slice == nil && p.Repl == nil && p.Exp == nil &&
		p.Names == 0 && p.Split == 0 && p.GlobSubst == 0 && p.RcExpand == 0 && len(p.Modifiers) == 0 && p.Param != nil
}

// param is what a variable becomes. An expansion that runs the value as code, or names another variable by it, is refused.
func (k *walker) param(p *syntax.ParamExp, f flow) word {
	if p.Param == nil || p.Excl || p.Names != 0 || p.Flags != nil || p.NestedParam != nil || p.Width || p.IsSet || len(p.Modifiers) > 0 ||
		p.Split != 0 || p.GlobSubst != 0 || p.RcExpand != 0 {
		k.refuse(Unknown, "expansion", k.source(p), "an expansion by way of another variable cannot be read; name the variable itself")
		return opaque("an indirect variable")
	}
	name := p.Param.Value
	k.secretVariable(name, k.source(p))
	k.index(p.Index, f)
	if p.Slice != nil {
		k.arithmetic(p.Slice.Offset, f)
		k.arithmetic(p.Slice.Length, f)
	}
	if p.Repl != nil {
		k.text(p.Repl.Orig, f)
		k.text(p.Repl.With, f)
	}
	if p.Exp != nil {
		return k.expansion(p, f)
	}
	switch {
	case p.Length:
		return word{plain: true, one: true, why: "a length"}
	case !simple(p) || p.Index != nil:
		return opaque(quoted(k.source(p)) + " is only known when it runs")
	}
	return k.variable(name)
}

// expansion is ${x:-word} and its kin.
func (k *walker) expansion(p *syntax.ParamExp, f flow) word {
	other := k.text(p.Exp.Word, f)
	switch p.Exp.Op {
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull:
		value := k.variable(p.Param.Value)
		if value.known && value.text != "" || p.Index != nil {
			return value
		}
		if k.unset(p.Param.Value) {
			return other
		}
	case syntax.RemSmallSuffix, syntax.RemLargeSuffix, syntax.RemSmallPrefix, syntax.RemLargePrefix:
		value, pattern := k.variable(p.Param.Value), p.Exp.Word.Lit()
		if value.known && pattern != "" && p.Index == nil && !strings.ContainsAny(pattern, `?[\\(`) {
			return literal(trimmed(p.Exp.Op, value.text, pattern))
		}
	case syntax.OtherParamOps:
		if other.text != "Q" {
			k.refuse(Unknown, "expansion", k.source(p), "this expansion may run what is in the variable; use the plain one")
		}
	case syntax.AssignUnset, syntax.AssignUnsetOrNull:
		k.assignable(p.Param.Value, k.source(p))
		delete(k.vars, p.Param.Value)
	}
	return opaque(quoted(k.source(p)) + " is only known when it runs")
}

// trimmed is ${x%pattern} and its kin, for a pattern of text and stars.
func trimmed(op syntax.ParExpOperator, text, pattern string) string {
	best := text
	for i := range len(text) + 1 {
		head, tail := text[:i], text[i:]
		switch {
		case op == syntax.RemSmallSuffix && starred(pattern, tail), op == syntax.RemLargeSuffix && starred(pattern, tail) && len(head) < len(best):
			best = head
		case op == syntax.RemSmallPrefix && starred(pattern, head) && best == text, op == syntax.RemLargePrefix && starred(pattern, head):
			best = tail
		}
	}
	return best
}

// starred reports whether a text fits a pattern of text and stars.
func starred(pattern, text string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == text
	}
	last := parts[len(parts)-1]
	if !strings.HasPrefix(text, parts[0]) || !strings.HasSuffix(text, last) || len(text) < len(parts[0])+len(last) {
		return false
	}
	text = text[len(parts[0]) : len(text)-len(last)]
	for _, part := range parts[1 : len(parts)-1] {
		i := strings.Index(text, part)
		if i < 0 {
			return false
		}
		text = text[i+len(part):]
	}
	return true
}

// index judges what stands between the brackets of an array, which the shell computes.
func (k *walker) index(x syntax.ArithmExpr, f flow) {
	if w, ok := x.(*syntax.Word); ok && (w.Lit() == "@" || w.Lit() == "*") {
		return
	}
	if x != nil {
		k.arithmetic(x, f)
	}
}

// variable is what is known of a variable's value here.
func (k *walker) variable(name string) word {
	if values, known := k.vars[name]; known && len(values) == 1 {
		return values[0]
	}
	if len(k.args) > 0 {
		if n, ok := digits(name); ok && n > 0 && n <= len(k.args[len(k.args)-1]) {
			return k.args[len(k.args)-1][n-1]
		}
	}
	if value, known := k.folder(name); known && !k.assigned[name] {
		return literal(value)
	}
	if k.numeric[name] || slices.Contains([]string{"?", "#", "$", "!", "RANDOM", "SECONDS", "LINENO", "EPOCHSECONDS", "UID", "EUID", "PPID"}, name) {
		return word{plain: true, one: true, why: "a number"}
	}
	return opaque("`$" + name + "` is only known when it runs")
}

// folder is one of the few variables of the environment whose value is known.
func (k *walker) folder(name string) (string, bool) {
	switch name {
	case "CLAUDEOPS_STATE_DIR":
		return k.world.StateDir, true
	case "CLAUDEOPS_RESULTS_DIR":
		return k.world.ResultsDir, true
	case "CLAUDEOPS_REPOS_DIR":
		return k.world.ReposDir, true
	case "TMPDIR":
		return k.world.Scratch, true
	case "HOME":
		return k.world.Home, true
	case "PWD":
		if len(k.cwds) == 1 {
			return k.cwds[0], true
		}
	}
	return "", false
}

// unset reports whether a variable is set by nothing, neither here nor around it.
func (k *walker) unset(name string) bool {
	return !k.assigned[name] && !k.exported(name) && !special(name)
}

// exported reports whether the shell's environment has a variable of this name: then a new value reaches every program.
func (k *walker) exported(name string) bool {
	return slices.ContainsFunc(k.world.Environ, func(e string) bool { return strings.HasPrefix(e, name+"=") })
}

// special are variables by which a shell or a program is led elsewhere.
func special(name string) bool {
	if slices.Contains([]string{
		"PATH", "IFS", "ENV", "HOME", "SHELL", "TMPDIR", "CDPATH", "GLOBIGNORE", "PS0", "PS1", "PS2", "PS4", "PROMPT_COMMAND", "SHELLOPTS", "POSIXLY_CORRECT",
		"EDITOR", "VISUAL", "PAGER", "BROWSER", "PWD", "OLDPWD", "FUNCNEST", "OPTIND", "HISTFILE", "MAIL", "MAILPATH", "TERMINFO", "TERM", "LESSOPEN", "LESSCLOSE",
		"UID", "EUID", "PPID", "RANDOM", "SECONDS", "LINENO", "COLUMNS", "LINES", "USER", "HOSTNAME", "OSTYPE", "SHLVL", "TZ", "_",
	}, name) {
		return true
	}
	for _, family := range []string{
		"BASH", "LD_", "DYLD_", "GIT_", "DOCKER_", "COMPOSE_", "KUBE", "HELM_", "CLAUDEOPS_", "CLAUDE", "ANTHROPIC_", "PG", "MYSQL", "REDIS", "SSH_", "LESS",
		"PYTHON", "PERL", "RUBY", "NODE_", "JAVA_", "AWK", "SYSTEMD_", "ANSIBLE_", "TF_", "CURL_", "SSL_", "OPENSSL_", "LC_", "LANG", "XDG_", "GREP_", "MAN", "COMP_", "READLINE_",
	} {
		if strings.HasPrefix(name, family) {
			return true
		}
	}
	return strings.HasSuffix(strings.ToLower(name), "_proxy") || strings.HasSuffix(name, "PAGER") || strings.HasSuffix(name, "EDITOR")
}

// assignable judges the name of a variable that is set.
func (k *walker) assignable(name, source string) {
	if !identifier(name) || special(name) || k.exported(name) {
		k.refuse(Unknown, "variables", source, "`"+name+"` changes what programs do; leave it as it is, or take another name")
	}
}

func identifier(name string) bool {
	for i, r := range name {
		if r != '_' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return name != ""
}

// secretVariable refuses to show a variable of the environment that holds a secret.
func (k *walker) secretVariable(name, source string) {
	if config.SecretName(name) && !k.assigned[name] && !strings.HasPrefix(name, "CLAUDEOPS_") {
		k.refuse(Forbidden, "secrets", source, "the variable `"+name+"` may hold a secret")
	}
}

// assign records what a variable holds from here on.
func (k *walker) assign(a *syntax.Assign, f flow) {
	source := k.source(a)
	if a.Name == nil {
		return
	}
	name := a.Name.Value
	k.assignable(name, source)
	k.index(a.Index, f)
	var values []word
	switch {
	case a.Array != nil:
		for _, e := range a.Array.Elems {
			k.index(e.Index, f)
			values = append(values, k.words([]*syntax.Word{e.Value}, f)...)
			if e.Index != nil {
				a.Append = true // an order of its own
			}
		}
	case !a.Naked:
		values = []word{k.text(a.Value, f)}
	}
	if a.Append || a.Naked || a.Index != nil || len(values) == 0 {
		delete(k.vars, name)
		return
	}
	k.vars[name] = values
}

// forget drops what is known of every variable that is set somewhere in node: whether and when that happens is not known.
func (k *walker) forget(node syntax.Node) {
	for name := range assignedIn(node) {
		delete(k.vars, name)
	}
}

// enclosed judges what may run never, once or often.
func (k *walker) enclosed(node syntax.Node, judge func()) {
	k.forget(node)
	judge()
	k.forget(node)
}

// assignedIn are the names of all variables that are set somewhere in node.
func assignedIn(node syntax.Node) map[string]bool {
	names := map[string]bool{}
	eachAssignment(node, func(name string, _ bool) { names[name] = true })
	return names
}

// eachAssignment calls f for every place in node that sets a variable, and says whether that can only be a number.
func eachAssignment(node syntax.Node, f func(name string, number bool)) {
	syntax.Walk(node, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Assign:
			if n.Name != nil {
				f(n.Name.Value, !n.Naked && n.Array == nil && n.Index == nil && !n.Append && numericWord(n.Value))
			}
		case *syntax.WordIter:
			number := len(n.Items) > 0
			for _, item := range n.Items {
				number = number && numericWord(item)
			}
			f(n.Name.Value, number)
		case *syntax.BinaryArithm:
			if w, ok := n.X.(*syntax.Word); ok && strings.HasSuffix(n.Op.String(), "=") && w.Lit() != "" { // a comparison does no harm here
				f(w.Lit(), true)
			}
		case *syntax.UnaryArithm:
			if w, ok := n.X.(*syntax.Word); ok && w.Lit() != "" {
				f(w.Lit(), true)
			}
		case *syntax.ParamExp:
			if n.Exp != nil && n.Param != nil && (n.Exp.Op == syntax.AssignUnset || n.Exp.Op == syntax.AssignUnsetOrNull) {
				f(n.Param.Value, false)
			}
		case *syntax.CallExpr:
			for _, name := range setByCall(n) {
				f(name, false)
			}
		}
		return true
	})
}

// setByCall are the variables that a command like read sets: each word of it that could be a name.
func setByCall(c *syntax.CallExpr) (names []string) {
	for i, arg := range c.Args {
		word := strings.Trim(arg.Lit(), `\`)
		if i == 0 && !slices.Contains([]string{"read", "mapfile", "readarray", "getopts", "unset", "printf", "wait", "builtin", "command", "declare", "local", "export", "readonly", "typeset"}, word) {
			return nil
		}
		name, _, _ := strings.Cut(word, "=")
		if i > 0 && identifier(name) {
			names = append(names, name)
		}
	}
	if len(c.Args) > 0 {
		names = append(names, "REPLY", "MAPFILE", "OPTARG")
	}
	return names
}

// numericWord reports whether a word can only become a number.
func numericWord(w *syntax.Word) bool {
	if w == nil || len(w.Parts) == 0 {
		return false
	}
	copied := *w
	if syntax.SplitBraces(&copied) {
		if b, ok := copied.Parts[0].(*syntax.BraceExp); ok && len(copied.Parts) == 1 && b.Sequence {
			_, isNumber := digits("0" + b.Elems[0].Lit())
			return isNumber
		}
		return false
	}
	part := w.Parts[0]
	if q, ok := part.(*syntax.DblQuoted); ok && len(q.Parts) == 1 {
		part = q.Parts[0]
	}
	if len(w.Parts) != 1 {
		return false
	}
	switch p := part.(type) {
	case *syntax.Lit:
		_, ok := digits("0" + p.Value)
		return ok
	case *syntax.ArithmExp:
		return true
	case *syntax.CmdSubst:
		return printsNumber(p)
	}
	return false
}
