package guard

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"mvdan.cc/sh/v3/syntax"
)

// call judges a simple command: assignments in front, a name, words.
func (k *walker) call(c *syntax.CallExpr, f flow) output {
	if len(c.Args) == 0 {
		for _, a := range c.Assigns {
			k.assign(a, f)
		}
		return output{}
	}
	inner := k.inner
	words := k.words(c.Args, f)
	k.prefixes(c, words, f)
	if k.inner != inner {
		f.stdin = f.stdin.parted()
	}
	f.stdin.plain = f.stdin.plain && len(c.Assigns) == 0 // IFS=…
	if len(words) == 0 {
		k.refuse(Unknown, "command names", k.source(c), "the command's name is only known when it runs; write it out")
		return output{}
	}
	return k.run(words, f, true)
}

// prefixes judges NAME=value in front of a command, which stand in its environment.
func (k *walker) prefixes(c *syntax.CallExpr, words []word, f flow) {
	for _, a := range c.Assigns {
		if a.Name == nil || a.Append || a.Array != nil || a.Index != nil {
			k.refuse(Unknown, "environment", k.source(a), "this assignment cannot be read; leave it out")
			continue
		}
		value := k.text(a.Value, f)
		if a.Name.Value == "IFS" && len(words) > 0 && words[0].is("read") {
			continue
		}
		k.environment(a.Name.Value, value, k.source(a))
	}
}

// environment judges a variable that a command is given.
func (k *walker) environment(name string, value word, source string) {
	for _, known := range k.world.Policy.Environment {
		pattern, choice, limited := strings.Cut(known, "=")
		prefix, isPrefix := strings.CutSuffix(pattern, "*")
		if name != pattern && (!isPrefix || !strings.HasPrefix(name, prefix)) {
			continue
		}
		if strings.ContainsFunc(value.text, unicode.IsControl) {
			break
		}
		if !limited || value.known && chosen(choice, value.text) {
			return
		}
	}
	k.refuse(Unknown, "environment", source, "the variable `"+name+"` may change what the program does; leave it out")
}

// run judges a command given as words. A shell has builtins; where a program starts another one, there are none.
func (k *walker) run(words []word, f flow, inShell bool) output {
	if k.over() {
		return output{}
	}
	if len(words) > maxWords {
		k.refuse(Unknown, "size", show(words[:5])+" …", "it has too many words; do it in smaller steps")
		return output{}
	}
	k.depth++
	defer func() { k.depth-- }()
	name, ok := k.programName(words)
	if !ok {
		return output{}
	}
	if slices.Contains([]string{"claudeops", "claudeops-hook", "claude-hooks"}, name) && (!inShell || k.foreign || k.away) {
		k.refuse(Forbidden, name, show(words), "this program knows an agent by its environment, so that none calls it by way of another program, user, shell or machine; call it plainly")
		return output{}
	}
	if inShell && builtin(name) || slices.Contains([]string{"echo", "printf", "test", "[", "true", "false", "pwd"}, name) {
		return k.builtin(name, words, f)
	}
	switch name {
	case "find":
		return k.search(words, f)
	case "xargs":
		return k.xargs(words, f)
	case "env", "printenv":
		return k.printsEnvironment(name, words, f)
	}
	rule := k.world.Policy.Program(name)
	if rule == nil {
		k.refuse(Unknown, "programs", show(words), unknownProgram(name))
		return output{}
	}
	return k.program(name, rule, words, f)
}

// programName is the name by which the policy knows the program.
func (k *walker) programName(words []word) (string, bool) {
	first := words[0]
	if !first.known {
		k.refuse(Unknown, "command names", show(words), "the command's name is only known when it runs ("+first.why+"); write it out")
		return "", false
	}
	if !first.written {
		k.refuse(Unknown, "command names", show(words), "the command's name does not stand there literally; write it out")
		return "", false
	}
	name := first.text
	if dir, base := path.Split(name); dir != "" {
		if !slices.Contains([]string{"/bin/", "/sbin/", "/usr/bin/", "/usr/sbin/", "/usr/local/bin/", "/usr/local/sbin/", "/snap/bin/"}, dir) {
			k.refuse(Unknown, "programs", show(words), "what `"+name+"` does is not known: only programs of the system are; call one of those by its name")
			return "", false
		}
		name = base
		if builtin(name) && k.world.Policy.Program(name) == nil {
			k.refuse(Unknown, "programs", show(words), unknownProgram(name))
			return "", false
		}
	}
	return name, true
}

func unknownProgram(name string) string {
	switch name {
	case "bash", "sh", "dash", "zsh", "ksh":
		return "what the shell would run cannot be read; give the commands themselves"
	case "python", "python3", "perl", "ruby", "node", "php", "lua", "tclsh":
		return "a program in `" + name + "` cannot be read; use jq, awk, grep or sed"
	}
	return "the program `" + printableName(name) + "` is not in the policy; use another one, or leave it to a person"
}

// printableName is a name as a person can tell it from one that only looks like it.
func printableName(name string) string {
	for _, r := range name {
		if r < '!' || r > '~' {
			return strings.ReplaceAll(strings.Trim(strings.ToValidUTF8(name, "?"), " "), "\n", " ") + " (with unusual characters)"
		}
	}
	return name
}
