package guard

import (
	"maps"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/guard/policy"
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
		k.aborts = k.aborts || p.Exp.Op == syntax.ErrorUnset || p.Exp.Op == syntax.ErrorUnsetOrNull
		return k.expansion(p, f)
	}
	if r := p.Repl; r != nil && r.All && p.Index == nil && (r.Orig.Lit() == "[!0-9]" || r.Orig.Lit() == "[^0-9]") && (r.With == nil || len(r.With.Parts) == 0) {
		return word{plain: true, digits: true, why: "a number, or nothing"} // nothing else is left
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
		if p.Index != nil {
			break
		}
		if value.known && value.text != "" {
			return value
		}
		if k.unset(p.Param.Value) {
			return other
		}
	case syntax.RemSmallSuffix, syntax.RemLargeSuffix, syntax.RemSmallPrefix, syntax.RemLargePrefix:
		value, pattern := k.variable(p.Param.Value), p.Exp.Word.Lit()
		if value.known && len(value.text) <= 4<<10 && pattern != "" && p.Index == nil && !strings.ContainsAny(pattern, `?[\\(~`) {
			return literal(trimmed(p.Exp.Op, value.text, pattern))
		}
	case syntax.OtherParamOps:
		if other.text != "Q" {
			k.refuse(Unknown, "expansion", k.source(p), "this expansion may run what is in the variable; use the plain one")
		}
	case syntax.AssignUnset, syntax.AssignUnsetOrNull:
		k.assignable(p.Param.Value, k.source(p))
		k.lose(p.Param.Value)
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
	if slices.Contains([]string{"_", "REPLY", "MAPFILE", "OPTARG", "FUNCNAME", "GROUPS", "DIRSTACK", "PIPESTATUS", "COPROC"}, name) { // bash sets them
		return opaque("`$" + name + "` is only known when it runs")
	}
	if values, known := k.vars[name]; known && len(values) == 1 {
		return values[0]
	}
	if args := k.positional(); args.known && k.bare["shift"] == 0 && k.bare["set"] == 0 {
		if n, ok := digits(name); ok && n > 0 && n <= len(args.words) {
			return args.words[n-1]
		}
	}
	if value, known := k.folder(name); known && !k.touched[name] {
		return literal(value)
	}
	if name == "!" {
		return word{plain: true, digits: true, job: true, why: "a job"}
	}
	if slices.Contains([]string{"?", "#", "$", "RANDOM", "SECONDS", "LINENO", "UID", "EUID", "PPID"}, name) {
		return number
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
	_, position := digits(name)
	return !k.touched[name] && k.sites[name] == 0 && !k.exported(name) && !policy.LeadsElsewhere(name) && !position && identifier(name) && name != strings.ToUpper(name)
}

// arguments are those of a function, where they are known.
type arguments struct {
	words []word
	known bool
}

// positional are the arguments of the function being judged.
func (k *walker) positional() arguments {
	if len(k.args) == 0 {
		return arguments{}
	}
	return k.args[len(k.args)-1]
}

// exported reports whether the shell's environment has a variable of this name: then a new value reaches every program.
func (k *walker) exported(name string) bool {
	return slices.ContainsFunc(k.world.Environ, func(e string) bool { return strings.HasPrefix(e, name+"=") })
}

// assignable judges the name of a variable that is set.
func (k *walker) assignable(name, source string) {
	if !identifier(name) || policy.LeadsElsewhere(name) || k.exported(name) {
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
	if _, own := k.vars[name]; config.SecretName(name) && !own && !strings.HasPrefix(name, "CLAUDEOPS_") {
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
	if a.Array != nil || a.Index != nil {
		k.arrays[name] = true
	}
	if a.Append || a.Naked || a.Index != nil || len(values) == 0 {
		k.lose(name)
		return
	}
	k.set(name, values...)
}

// set records what a variable holds from here on.
func (k *walker) set(name string, values ...word) {
	k.touched[name] = true
	numeral := len(values) == 1 && values[0].numeral()
	k.texts[name] = k.texts[name] || !numeral
	switch {
	case k.texts[name] && numeral || !numeral && k.sites[name] > 1 || k.aborts: // set in several places: which of them holds is not followed
		delete(k.vars, name)
	case k.sites[name] > 1:
		k.vars[name] = []word{number}
	default:
		k.vars[name] = values
	}
}

// lose drops what is known of a variable: it holds something else from here on.
func (k *walker) lose(name string) {
	k.touched[name], k.texts[name] = true, true
	delete(k.vars, name)
}

// branch judges what may run or not: what it changes is not known behind it.
func (k *walker) branch(judge func()) {
	before := maps.Clone(k.vars)
	judge()
	k.join(before)
}

// loop judges what may run never, once or often: again, as long as that changes what is known at its beginning.
func (k *walker) loop(judge func()) {
	k.loops++
	defer func() { k.loops-- }()
	for range maxRounds {
		before, cwds, touched, folders := maps.Clone(k.vars), k.cwds, len(k.touched)+trues(k.texts), k.folders
		judge()
		k.join(before)
		if k.folders != folders || !slices.Equal(cwds, k.cwds) {
			k.cwds = nil
		}
		if maps.EqualFunc(before, k.vars, slices.Equal) && slices.Equal(cwds, k.cwds) && touched == len(k.touched)+trues(k.texts) {
			return
		}
	}
	k.vars, k.cwds = map[string][]word{}, nil
	judge()
	k.vars, k.cwds = map[string][]word{}, nil
}

func trues(set map[string]bool) (n int) {
	for _, is := range set {
		if is {
			n++
		}
	}
	return n
}

// maxRounds is how often a loop is judged until nothing changes any more; after that nothing is known.
const maxRounds = 5

// join keeps what is known of variables both here and before.
func (k *walker) join(before map[string][]word) {
	for name, values := range k.vars {
		was, known := before[name]
		switch {
		case known && slices.Equal(was, values):
		case known && len(was) == 1 && len(values) == 1 && was[0].numeral() && values[0].numeral():
			k.vars[name] = []word{number}
		default:
			delete(k.vars, name)
		}
	}
}

// number is a word of which only that is known.
var number = word{plain: true, one: true, digits: true, why: "a number"}
