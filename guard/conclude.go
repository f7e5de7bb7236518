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
	for _, v := range joinTexts(values) {
		k.judge(u, v)
	}
	k.standardInput(u, values)
	k.ownFolder(u, values)
	if u.rule.Cwd == "code" || k.inherits(u) {
		k.configures(literal("."), u.f, u.name, show(u.words))
	}
	out := k.checked(u, values)
	if u.failed {
		return output{call: u.words}
	}
	k.record(u, values)
	out.call = u.words
	return out
}

func reasonOr(reason, other string) string {
	if reason != "" {
		return reason
	}
	return other
}

// inherits reports whether a rule above says that the program takes configuration from its folder.
func (k *walker) inherits(u *use) bool {
	for _, level := range u.levels {
		if level.Cwd == "code" {
			return true
		}
	}
	return false
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

// ownFolder judges the folder that a program reads where it is given no file.
func (k *walker) ownFolder(u *use, values []typed) {
	reads := u.rule.Cwd == "tree" && u.f.stdin == input{} || u.effect("cwd")
	if reads && !slices.ContainsFunc(values, func(v typed) bool { return v.typ == "tree" }) {
		k.readsTree(".", u.f, u.name, show(u.words))
	}
}

// required reports whether one of the options was given that the rule wants.
func (k *walker) required(u *use) bool {
	if u.rule.Requires == "" {
		return true
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
	case "none":
		if in.unknown || in.known {
			k.deny(u, Unknown, "nothing may be piped into `"+u.name+"`")
		}
		return
	}
	if !u.effect("stdin") && (u.effect("nostdin") || slices.ContainsFunc(values, func(v typed) bool { return v.typ == u.rule.Stdin })) {
		return
	}
	if u.rule.Stdin == "literal" {
		if in.unknown {
			k.deny(u, Unknown, "what is piped into `"+u.name+"` would be sent away; give it </dev/null")
		}
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
