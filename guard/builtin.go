package guard

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// builtins of bash, sorted. Those that are programs too and have no effect on the shell (echo, kill, test …) are judged by the policy.
var builtins = []string{
	".", "alias", "bg", "bind", "break", "builtin", "caller", "cd", "command", "compgen", "complete", "compopt", "continue", "declare", "dirs", "disown",
	"enable", "eval", "exec", "exit", "export", "fc", "fg", "getopts", "hash", "history", "jobs", "let", "local", "logout", "mapfile", "popd", "printf", "pushd",
	"read", "readarray", "readonly", "return", "set", "shift", "shopt", "source", "suspend", "test", "times", "trap", "type", "typeset", "ulimit", "umask",
	"unalias", "unset", "wait", "[", ":", "echo", "pwd", "true", "false", "kill",
}

func builtin(name string) bool { return slices.Contains(builtins, name) }

// builtin judges a command of the shell itself.
func (k *walker) builtin(name string, words []word, f flow) (out output) {
	source, args := show(words), words[1:]
	observed := func() { k.act(Act{Action: Observe, Rule: "shell " + name, Command: source}) }
	switch name {
	case "jobs", "wait":
		if slices.ContainsFunc(args, func(a word) bool { return a.optional() && !a.is("-l", "-n", "-r", "-s") }) {
			k.refuse(Unknown, "shell "+name, source, "this option is not granted")
			return out
		}
		observed()
	case "shift":
		if len(k.args) > 0 {
			k.args[len(k.args)-1] = arguments{}
			k.touched["@"] = true
		}
		observed()
	case ":", "true", "false", "pwd", "times", "type", "exit", "return", "break", "continue", "caller", "dirs":
		observed()
	case "echo":
		observed()
		return echoed(args)
	case "printf":
		k.printf(args, source)
		return printed(args)
	case "test", "[":
		k.oldTest(args, source)
	case "cd":
		k.changeFolder(args, source)
	case "set", "shopt":
		k.options(name, args, source)
	case "unset":
		k.unsetBuiltin(args, source)
	case "read", "mapfile", "readarray", "getopts":
		k.read(name, args, source, f)
	case "command", "builtin", "exec":
		return k.commandBuiltin(name, args, source, f)
	case "eval":
		k.eval(args, source, f)
	case "trap":
		if len(args) > 1 && (args[0].is("-", "") || args[0].is("-p")) || len(args) == 1 && args[0].is("-l", "-p") {
			observed()
			return out
		}
		k.refuse(Unknown, "shell trap", source, "what a trap runs is not read; write the commands where they shall run")
	case "ulimit":
		if k.allOptions(args, "-a", "-n", "-u", "-f", "-Sn", "-Hn", "-Sa", "-Ha", "-c", "-s", "-v", "-m", "-l") {
			observed()
			return out
		}
		k.refuse(Unknown, "shell ulimit", source, "limits may be read only: `ulimit -a`")
	case "kill":
		if len(args) > 0 && !slices.ContainsFunc(args, func(a word) bool { return !a.job && !(a.known && strings.HasPrefix(a.text, "%")) }) {
			observed()
			return out
		}
		if rule := k.world.Policy.Program("kill"); rule != nil {
			return k.program(name, rule, words, f)
		}
		k.refuse(Unknown, "shell kill", source, "ending processes is not granted; restart the service")
	case "umask":
		if len(args) == 0 {
			observed()
			return out
		}
		k.refuse(Unknown, "shell umask", source, "the mode of new files stays as it is")
	case "declare", "typeset", "local", "export", "readonly": // as a word that quoting hid from the parser, or behind builtin
		k.refuse(Unknown, "shell "+name, source, "write it plainly, without quotes around its name")
	case "compgen":
		k.refuse(Forbidden, "secrets", source, "the whole environment holds secrets; ask for one variable by its name")
	default:
		k.refuse(Unknown, "shell "+name, source, "this command of the shell is not granted; write the commands themselves")
	}
	return out
}

// echoed is what echo prints, where that is known.
func echoed(args []word) output {
	end := "\n"
	if len(args) > 0 && args[0].is("-n") {
		args, end = args[1:], ""
	}
	var texts []string
	for _, a := range args {
		if !a.known || strings.Contains(a.text, `\`) || len(texts) == 0 && strings.HasPrefix(a.text, "-") {
			return output{}
		}
		texts = append(texts, a.text)
	}
	return output{known: true, text: strings.Join(texts, " ") + end}
}

// printed is what printf prints, for the formats that say it plainly: text with \n, and one %s a word.
func printed(args []word) output {
	if len(args) == 0 || slices.ContainsFunc(args, func(a word) bool { return !a.known }) {
		return output{}
	}
	format := strings.ReplaceAll(args[0].text, `\n`, "\n")
	if strings.Contains(format, `\`) || strings.Contains(strings.ReplaceAll(format, "%s", ""), "%") || strings.HasPrefix(format, "-") {
		return output{}
	}
	if len(args) == 1 || !strings.Contains(format, "%s") {
		return output{known: true, text: strings.ReplaceAll(format, "%s", "")}
	}
	if strings.Count(format, "%s") > 1 {
		return output{}
	}
	var text strings.Builder
	for _, a := range args[1:] {
		text.WriteString(strings.Replace(format, "%s", a.text, 1))
	}
	return output{known: true, text: text.String()}
}

// printf refuses to set a variable by a computed name.
func (k *walker) printf(args []word, source string) {
	if len(args) > 0 && args[0].optional() && !args[0].is("--") {
		k.refuse(Unknown, "shell printf", source, "`printf -v` is not granted; assign with NAME=$(…)")
		return
	}
	k.act(Act{Action: Observe, Rule: "shell printf", Command: source})
}

// oldTest judges [ … ]. Its -v reads a word as the name of a variable and computes the subscript, which may run commands: so no
// word may turn out to be -v.
func (k *walker) oldTest(args []word, source string) {
	operator := func(i int) bool {
		return i >= 0 && i < len(args) && args[i].known && !args[i].is("-a", "-o") &&
			(strings.HasPrefix(args[i].text, "-") || slices.Contains([]string{"=", "==", "!=", "<", ">", "]"}, args[i].text))
	}
	for i, a := range args {
		switch {
		case a.is("-v", "-R") && (i+1 >= len(args) || !args[i+1].known || !identifier(args[i+1].text)):
			k.refuse(Unknown, "shell test", source, "`-v` takes the literal name of a variable")
			return
		case !a.known && (!a.one && !a.plain || !operator(i-1) && !operator(i+1) && i+1 < len(args)):
			k.refuse(Unknown, "shell test", source, "quote what is compared, and write the operator: [ \"$x\" = y ]")
			return
		}
	}
	k.act(Act{Action: Observe, Rule: "shell test", Command: source})
}

func (k *walker) changeFolder(args []word, source string) {
	for len(args) > 0 && args[0].is("-L", "--") {
		args = args[1:]
	}
	switch {
	case len(args) == 0:
		k.folders++
		k.cwds = []string{k.world.Home}
	case len(args) == 1 && args[0].known && args[0].text != "-":
		k.folders++
		k.cwds = k.places(args[0].text)
		if slices.ContainsFunc(k.cwds, func(dir string) bool { return below(dir, "/proc") || below(dir, "/dev") }) { // links, behind which .. leads elsewhere
			k.cwds = nil
		}
	default:
		k.folders++
		k.cwds = nil
	}
	k.act(Act{Action: Observe, Rule: "shell cd", Command: source})
}

// options judges set and shopt. Without arguments, set shows every variable.
func (k *walker) options(name string, args []word, source string) {
	if name == "set" && (len(args) == 0 || args[0].is("-o", "+o") && len(args) == 1) {
		if len(args) == 0 {
			k.refuse(Forbidden, "secrets", source, "the whole environment holds secrets; ask for one variable by its name")
			return
		}
		args = nil
	}
	harmless := map[string][]string{
		"set":   {"-e", "+e", "-u", "+u", "-x", "+x", "-f", "-o", "+o", "-eu", "-eo", "-euo", "-ex", "-uo", "-eux", "-euxo", "pipefail", "errexit", "nounset", "xtrace", "noglob", "errtrace"},
		"shopt": {"-s", "-u", "-q", "-p", "nullglob", "inherit_errexit"},
	}[name]
	if !k.allOptions(args, harmless...) {
		k.refuse(Unknown, "shell "+name, source, "these options may change how commands are read; leave them out")
		return
	}
	k.act(Act{Action: Observe, Rule: "shell " + name, Command: source})
}

func (k *walker) allOptions(args []word, known ...string) bool {
	return !slices.ContainsFunc(args, func(a word) bool { return !a.is(known...) })
}

func (k *walker) unsetBuiltin(args []word, source string) {
	for _, a := range args {
		if _, function := k.funcs[a.text]; !a.known || function || !identifier(a.text) && !a.is("-v") {
			k.refuse(Unknown, "shell unset", source, "`unset` takes literal names of variables")
			return
		}
		if a.is("-v") {
			continue
		}
		k.assignable(a.text, source)
		k.lose(a.text)
	}
	k.act(Act{Action: Observe, Rule: "shell unset", Command: source})
}

// read judges the commands that take variables from standard input. What they hold then, strangers may have written.
func (k *walker) read(name string, args []word, source string, f flow) {
	var names []string
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case !a.known && !(i > 0 && args[i-1].known && strings.HasPrefix(args[i-1].text, "-")):
			k.refuse(Unknown, "shell "+name, source, "the names of the variables are only known when it runs; write them out")
			return
		case a.known && strings.HasPrefix(a.text, "-") && name != "getopts":
			letters := strings.TrimLeft(a.text, "-")
			if at := strings.IndexByte(letters, 'a'); at >= 0 && at < len(letters)-1 {
				k.refuse(Unknown, "shell "+name, source, "write the name of the array as a word of its own")
				return
			}
			if strings.ContainsAny(letters, "Cc") && name != "read" || strings.Trim(letters, "rsenatdpuNOTc0123456789.") != "" {
				k.refuse(Unknown, "shell "+name, source, "this option is not granted")
				return
			}
			if at := strings.IndexAny(letters, map[bool]string{true: "dnNptui", false: "dnOsuCc"}[name == "read"]); at == len(letters)-1 && at >= 0 { // the first with a value takes the rest
				i++
			}
		case name == "getopts" && i == 0:
		default:
			names = append(names, a.text)
		}
	}
	for _, n := range names {
		k.assignable(n, source)
		k.lose(n)
	}
	if name == "read" && len(names) == 1 && f.stdin.plain && k.sites[names[0]] == 0 {
		k.set(names[0], word{plain: true, one: true, why: "a name that is only known when it runs"})
	}
	k.act(Act{Action: Observe, Rule: "shell " + name, Command: source})
}

// commandBuiltin judges command, builtin and exec, which run another command.
func (k *walker) commandBuiltin(name string, args []word, source string, f flow) output {
	if name == "command" {
		for len(args) > 0 && args[0].is("-p", "--") {
			args = args[1:]
		}
		if len(args) > 0 && args[0].is("-v", "-V") {
			k.act(Act{Action: Observe, Rule: "shell command", Command: source})
			return output{}
		}
	}
	if name == "exec" && len(args) == 0 && f.stdin != (input{}) {
		k.refuse(Unknown, "shell exec", source, "the input of all that follows cannot be read; redirect the command itself")
	}
	if len(args) == 0 {
		k.act(Act{Action: Observe, Rule: "shell " + name, Command: source})
		return output{}
	}
	if args[0].optional() {
		k.refuse(Unknown, "shell "+name, source, "leave the option out, or `"+name+"` itself")
		return output{}
	}
	functions := k.funcs
	k.funcs = map[string]*syntax.Stmt{}
	defer func() { k.funcs = functions }()
	return k.run(args, f, name != "exec")
}

// eval judges the text that a shell would run, where it is known.
func (k *walker) eval(args []word, source string, f flow) {
	var texts []string
	for _, a := range args {
		if !a.known {
			k.refuse(Unknown, "shell eval", source, "what eval would run is only known when it runs; write the commands out")
			return
		}
		texts = append(texts, a.text)
	}
	if strings.ContainsAny(strings.Join(texts, " "), "=\n;&|(){}") {
		k.refuse(Unknown, "shell eval", source, "eval takes one plain command; write the commands themselves")
		return
	}
	k.shell(strings.Join(texts, " "), f)
	k.vars, k.cwds = map[string][]word{}, nil
}
