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

// param is what a variable becomes.
func (k *walker) param(p *syntax.ParamExp, f flow) word {
	name := p.Param.Value
	k.secretVariable(name, k.source(p))
	if p.Repl != nil {
		k.text(p.Repl.Orig, f)
		k.text(p.Repl.With, f)
	}
	if p.Exp != nil {
		return k.expansion(p, f)
	}
	if r := p.Repl; r != nil && r.All && r.Orig != nil && (r.Orig.Lit() == "[!0-9]" || r.Orig.Lit() == "[^0-9]") && (r.With == nil || len(r.With.Parts) == 0) {
		return amount // nothing else is left
	}
	switch {
	case p.Length:
		return number
	case !simple(p) || p.Index != nil || k.arrays[name]:
		return opaque(quoted(k.source(p)) + " is only known when it runs")
	}
	return k.variable(name)
}

// expansion is ${x:-word} and its kin.
func (k *walker) expansion(p *syntax.ParamExp, f flow) word {
	other := k.text(p.Exp.Word, f) // nothing may run in it unseen
	if p.Exp.Op == syntax.DefaultUnset || p.Exp.Op == syntax.DefaultUnsetOrNull {
		value := k.variable(p.Param.Value)
		if value.known && value.text != "" {
			return value
		}
		if k.unset(p.Param.Value) {
			return other
		}
	}
	return opaque(quoted(k.source(p)) + " is only known when it runs")
}

// variable is what is known of a variable's value here.
func (k *walker) variable(name string) word {
	if slices.Contains([]string{"_", "REPLY", "MAPFILE", "OPTARG", "FUNCNAME", "GROUPS", "DIRSTACK", "PIPESTATUS", "COPROC"}, name) { // bash sets them
		return opaque("`$" + name + "` is only known when it runs")
	}
	if values, known := k.vars[name]; known && len(values) == 1 {
		return values[0]
	}
	if value, known := k.folder(name); known && !k.touched[name] {
		return literal(value)
	}
	switch name {
	case "!":
		return word{plain: true, digits: true, job: true, why: "a job"}
	case "?", "$":
		return number
	}
	return opaque("`$" + name + "` is only known when it runs")
}

// folder is one of the few variables of the environment whose value is known.
func (k *walker) folder(name string) (string, bool) {
	if k.foreign && name != "PWD" { // sudo and env leave none of them
		return "", false
	}
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
	return !k.foreign && !k.touched[name] && k.sites[name] == 0 && !k.exported(name) && !policy.LeadsElsewhere(name) && identifier(name) && name != strings.ToUpper(name)
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

// secretVariable refuses to show a variable of the environment that holds a secret. In a container or on another host, where nobody
// knows what is set, only a few are shown, and those that the command itself has set.
func (k *walker) secretVariable(name, source string) {
	_, own := k.vars[name]
	if k.away {
		own = own || shown(name) || k.touched[name] && name == strings.ToLower(name) && !policy.LeadsElsewhere(name)
	} else {
		own = own || !secretName(name)
	}
	if !own {
		k.refuse(Forbidden, "secrets", source, "the variable `"+name+"` may hold a secret")
	}
}

// secretName reports whether a variable of the agent's environment may hold a secret: by its name, as a URL of this program's settings, or
// as a proxy's, in which its password stands. CLAUDEOPS_RUN_TOKEN only marks what an agent has started.
func secretName(name string) bool {
	upper := strings.ToUpper(name)
	if upper == "NO_PROXY" || name == "CLAUDEOPS_RUN_TOKEN" || strings.HasSuffix(upper, "_FILE") {
		return false
	}
	return config.SecretName(name) || strings.HasSuffix(upper, "_PROXY") ||
		strings.HasPrefix(upper, "CLAUDEOPS_") && slices.ContainsFunc([]string{"TOKEN", "KEY", "URL", "SECRET"}, func(part string) bool { return strings.Contains(upper, part) })
}

// proxyLogin reports whether an entry of the environment is a proxy with a password.
func proxyLogin(entry string) bool {
	name, value, _ := strings.Cut(entry, "=")
	return strings.HasSuffix(strings.ToUpper(name), "_PROXY") && strings.Contains(value, "@")
}

// shown reports whether a variable of a container or another host is one that holds no secret.
func shown(name string) bool {
	if slices.Contains([]string{
		"?", "!", "$", "PATH", "HOME", "HOSTNAME", "USER", "LOGNAME", "SHELL", "PWD", "OLDPWD", "TERM", "LANG", "LANGUAGE", "TZ", "UID", "EUID", "PPID", "RANDOM", "SECONDS", "LINENO",
		"IFS", "SHLVL", "PIPESTATUS", "REPLY", "NODE_ENV", "RAILS_ENV", "RACK_ENV", "APP_ENV", "ENVIRONMENT", "LOG_LEVEL", "PORT", "HOST", "DEBUG", "PGDATA", "PGHOST",
		"PGPORT", "PGUSER", "PGDATABASE", "POSTGRES_DB", "POSTGRES_USER", "MYSQL_DATABASE", "MYSQL_USER", "JAVA_HOME", "GOMAXPROCS", "GOMEMLIMIT", "VIRTUAL_HOST",
	}, name) {
		return true
	}
	return strings.HasPrefix(name, "LC_") || slices.ContainsFunc([]string{"_VERSION", "_PORT", "_HOST", "_HOME", "_WORKERS", "_THREADS", "_CONCURRENCY", "_TIMEOUT", "_LEVEL"},
		func(end string) bool { return strings.HasSuffix(name, end) && !config.SecretName(name) })
}

// assign records what a variable holds from here on.
func (k *walker) assign(a *syntax.Assign, f flow) {
	source := k.source(a)
	if a.Name == nil {
		return
	}
	name := a.Name.Value
	k.assignable(name, source)
	if a.Array == nil {
		value := k.text(a.Value, f)
		value.one = surely(value) // it may be empty
		if k.set(name, value); a.Append {
			k.lose(name)
		}
		return
	}
	var values []word
	for _, e := range a.Array.Elems {
		if e.Value != nil {
			values = append(values, k.text(e.Value, f))
		}
	}
	k.set(name, values...)
}

// set records what a variable holds from here on.
func (k *walker) set(name string, values ...word) {
	k.touched[name] = true
	numeral := len(values) == 1 && values[0].numeral()
	k.texts[name] = k.texts[name] || !numeral
	switch {
	case k.texts[name] && numeral || !numeral && (k.sites[name] > 1 || k.aborts): // set in several places: which of them holds is not followed
		delete(k.vars, name)
	case k.aborts:
		k.vars[name] = []word{withSign(amount, values[0].signed)}
	case k.sites[name] > 1 && values[0].known:
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
	k.steps += len(before) / 16
	for name, values := range k.vars {
		was, known := before[name]
		switch {
		case known && slices.Equal(was, values):
		case known && len(was) == 1 && len(values) == 1 && was[0].numeral() && values[0].numeral():
			either := amount
			if surely(was[0]) && surely(values[0]) {
				either = number
			}
			k.vars[name] = []word{withSign(either, was[0].signed || values[0].signed)}
		default:
			delete(k.vars, name)
		}
	}
}

// number is a word of which only that is known, amount one that may be nothing as well.
var (
	number = word{plain: true, one: true, digits: true, why: "a number"}
	amount = word{plain: true, digits: true, why: "a number, or nothing"}
)

func surely(w word) bool { return w.known || withSign(w, false) == number }

// withSign is a number that was computed, and so may begin with a minus, or one that does not.
func withSign(w word, signed bool) word {
	w.signed = signed
	return w
}
