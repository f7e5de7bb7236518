package guard

import (
	"slices"
	"strings"
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
	case "set":
		k.options(args, source)
	case "unset":
		k.unsetBuiltin(args, source)
	case "read", "mapfile", "readarray":
		k.read(name, args, source, f)
	case "command":
		if len(args) < 2 || !args[0].is("-v", "-V") {
			k.refuse(Unknown, "shell command", source, "leave `command` out; only `command -v NAME` is read")
			return out
		}
		observed()
	case "exec":
		if len(args) > 0 || f.stdin != (input{}) {
			k.refuse(Unknown, "shell exec", source, "write the command without `exec`, and redirect it itself")
			return out
		}
		observed()
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
	case "declare", "typeset", "local", "export", "readonly": // as a word that quoting hid from the parser
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
	case len(args) == 1 && args[0].known && args[0].text != "-" && args[0].text != "" && !k.aborts:
		k.folders++
		k.cwds = k.places(args[0].text)
		if slices.ContainsFunc(k.cwds, linked) {
			k.cwds = nil
		}
	default:
		k.folders++
		k.cwds = nil
	}
	k.act(Act{Action: Observe, Rule: "shell cd", Command: source})
}

// options judges set: only what makes a script stop earlier, or show what it does. Without arguments it shows every variable.
func (k *walker) options(args []word, source string) {
	for i := 0; i < len(args); i++ {
		letters := strings.TrimLeft(args[i].text, "-+")
		ok := args[i].known && len(args[i].text) == len(letters)+1 && letters != "" && strings.Trim(letters, "euxfo") == ""
		if ok && strings.Contains(letters, "o") { // whose value is the next word
			i++
			ok = strings.Count(letters, "o") == 1 && i < len(args) && args[i].is("pipefail", "errexit", "nounset", "xtrace")
		}
		if !ok {
			k.refuse(Unknown, "shell set", source, "only `set -e`, -u, -x, -f and `set -o pipefail` are read; leave the rest out")
			return
		}
	}
	if len(args) == 0 {
		k.refuse(Forbidden, "secrets", source, "the whole environment holds secrets; ask for one variable by its name")
		return
	}
	k.act(Act{Action: Observe, Rule: "shell set", Command: source})
}

func (k *walker) allOptions(args []word, known ...string) bool {
	return !slices.ContainsFunc(args, func(a word) bool { return !a.is(known...) })
}

func (k *walker) unsetBuiltin(args []word, source string) {
	for i, a := range args {
		if i == 0 && a.is("-v") {
			continue
		}
		if !a.written || !identifier(a.text) {
			k.refuse(Unknown, "shell unset", source, "`unset` takes literal names of variables")
			return
		}
		k.assignable(a.text, source)
		k.lose(a.text)
	}
	k.act(Act{Action: Observe, Rule: "shell unset", Command: source})
}

// read judges the commands that take variables from standard input. What they hold then, strangers may have written.
func (k *walker) read(name string, args []word, source string, f flow) {
	option := map[string]string{"read": "-r"}[name]
	if name != "read" {
		option = "-t"
	}
	if len(args) > 0 && args[0].is(option) {
		args = args[1:]
	}
	if len(args) == 0 || slices.ContainsFunc(args, func(a word) bool { return !a.written || !identifier(a.text) }) || name != "read" && len(args) > 1 {
		k.refuse(Unknown, "shell "+name, source, "write it as `"+name+" "+option+" NAME`, with the literal names of variables and no other option")
		return
	}
	for _, n := range args {
		k.assignable(n.text, source)
		k.lose(n.text)
	}
	if name == "read" && len(args) == 1 && k.names(f.stdin) && k.sites[args[0].text] == 0 {
		k.set(args[0].text, word{plain: true, why: "a name that is only known when it runs"})
	}
	k.act(Act{Action: Observe, Rule: "shell " + name, Command: source})
}
