package guard

import (
	"slices"
	"strings"
)

// conclude judges what was given to a program, and what it does then.
func (k *walker) conclude(u *use) output {
	u.action = k.actionOf(u)
	if u.action == Unknown || u.action == Forbidden {
		k.deny(u, u.action, reasonOr(u.rule.Why, "`"+u.name+"` is not granted"))
		return output{call: u.words}
	}
	if !k.required(u) {
		return output{call: u.words}
	}
	values, ok := k.place(u)
	if !ok {
		return output{call: u.words}
	}
	for _, g := range u.given {
		for i, w := range g.values {
			values = append(values, typed{typ: g.option.types[min(i, len(g.option.types)-1)], word: w})
		}
	}
	k.upward(u)
	for _, v := range joinTexts(values) {
		k.judge(u, v)
	}
	k.standardInput(u, values)
	k.ownFolder(u, values)
	if u.service() == "project" {
		k.composeLinks(u)
	}
	if typ := u.folder(); typ != "" {
		k.configures(literal("."), typ, u.f, u.name, show(u.words))
		if typ == "repository" {
			k.repository(u)
		}
	}
	out := k.checked(u, values)
	if u.failed {
		return output{call: u.words}
	}
	k.record(u, values)
	out.call = u.words
	return out
}

// upward refuses .. in every operand of a program that makes, changes or removes files.
func (k *walker) upward(u *use) {
	changes := strings.Contains(u.rule.Operands, "out") || slices.Contains([]string{"rm", "mv", "chmod", "chown", "truncate"}, u.rule.Check)
	if i := slices.IndexFunc(u.operands, func(w word) bool { return climbs(w.String()) }); changes && i >= 0 {
		k.deny(u, Unknown, unplaced(u.operands[i].String()))
	}
}

// folder is what the program takes from its folder by the rule or one above it: code, settings, repository, or nothing.
func (u *use) folder() (typ string) {
	for _, level := range u.levels {
		if level.Cwd != "" && level.Cwd != "tree" {
			typ = level.Cwd
		}
	}
	return typ
}

func (k *walker) actionOf(u *use) Action {
	action := Action(u.rule.Do)
	if action == "" { // a group of commands without one
		action = Unknown
	}
	if u.observes && action != Forbidden && action != Unknown {
		action = Observe
	}
	if u.action.gravity() > action.gravity() {
		return u.action
	}
	return action
}

// effect reports whether an option with this effect was given.
func (u *use) effect(name string) bool {
	return slices.ContainsFunc(u.given, func(g given) bool { return slices.Contains(g.option.effects, name) })
}

// ownFolder judges the folder that a program reads where it is given no file. Whether one looks at its standard input instead is its own
// guess.
func (k *walker) ownFolder(u *use, values []typed) {
	reads := u.rule.Cwd == "tree" || u.effect("cwd")
	trees := slices.DeleteFunc(slices.Clone(values), func(v typed) bool { return v.typ != "tree" })
	switch {
	case !reads:
	case len(trees) == 0:
		k.readsTree(".", u.f, u.name, show(u.words))
	case !slices.ContainsFunc(trees, func(v typed) bool { return !v.word.absent }):
		k.refuse(Unknown, u.name, show(u.words), "where `xargs` is given nothing, `"+u.name+"` reads the folder in which it stands; write xargs -r")
	}
}

// required reports whether one of the options was given that the rule wants.
func (k *walker) required(u *use) bool {
	if u.rule.Requires == "" {
		return k.completed(u)
	}
	for _, g := range u.given {
		for _, name := range g.option.names {
			if slices.Contains(strings.Split(u.rule.Requires, "|"), name) {
				return true
			}
		}
	}
	if u.rule.Prints == "inspect" {
		u.failed = true
		k.act(Act{Action: Unknown, Rule: u.name, Command: show(u.words), filter: "inspect", Reason: u.rule.Why})
		return false
	}
	k.deny(u, Unknown, "`"+u.name+"` needs "+strings.ReplaceAll(u.rule.Requires, "|", " or "))
	return false
}

// completed reports whether a program that has subcommands was given one, or only told to say what it is. Called alone, many read their
// commands from standard input, or start a server.
func (k *walker) completed(u *use) bool {
	if len(u.rule.Commands) == 0 || u.rule.Bare || u.rule.Operands != "" || u.has("-h", "--help", "-help", "-v", "-V", "--version", "-version", "-Version") {
		return true
	}
	k.deny(u, Unknown, "`"+u.name+"` needs a subcommand")
	return false
}

// standardInput judges what a program reads there as its program.
func (k *walker) standardInput(u *use, values []typed) {
	in := u.f.stdin
	if in.shared && !slices.ContainsFunc(values, func(v typed) bool {
		return slices.Contains([]string{"file", "tree", "archive"}, v.typ) && !v.word.is("-")
	}) {
		k.eaten = k.eaten || strings.Contains(u.rule.Operands, "file") || strings.Contains(u.rule.Operands, "tree") || u.has("-i", "--interactive") || u.rule.Stdin != ""
	}
	switch u.rule.Stdin {
	case "", "data":
		return
	case "literal":
		if in.unknown {
			k.deny(u, Unknown, "what it is given on standard input stands there literally: from echo, or behind <<<")
		}
		return
	case "none":
		if in.unknown || in.known && strings.Trim(in.text, "Q \n") != "" {
			k.deny(u, Unknown, "nothing may be piped into `"+u.name+"`; give it </dev/null")
		}
		return
	}
	if !u.effect("stdin") && (u.effect("nostdin") || slices.ContainsFunc(values, func(v typed) bool { return v.typ == u.rule.Stdin })) {
		return
	}
	switch {
	case u.rule.Stdin == "shell":
		k.deny(u, Unknown, "a shell that reads its commands from its input is not read; give them as a literal text: bash -c '…'")
	case in.unknown:
		k.deny(u, Unknown, "what `"+u.name+"` would run is only known when it runs; give it as a literal argument")
	case in.known:
		k.script(u, u.rule.Stdin, literal(in.text))
	}
}

// record keeps what the program does.
func (k *walker) record(u *use, values []typed) {
	a := Act{Action: u.action, Rule: u.name, Command: show(u.words), Hidden: u.f.hidden, part: reasonOr(u.part, u.rule.Part), tiers: u.rule.Tiers}
	if u.action != Restart && u.action != Redeploy {
		a.Hidden = false
		k.act(a)
		return
	}
	if u.f.loose != "" {
		k.deny(u, Unknown, "a "+string(u.action)+" may not stand "+u.f.loose+", because nobody could count it; write it as a plain command of its own")
		return
	}
	if a.Services = k.services(u, values); len(a.Services) > 0 {
		k.act(a)
	} else if !u.failed {
		k.deny(u, Unknown, "which service this is about cannot be read; name it")
	}
}
