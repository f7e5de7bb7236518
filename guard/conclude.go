package guard

import (
	"regexp"
	"slices"
	"strings"
)

// typed is a word and what the policy says it is.
type typed struct {
	typ   string
	word  word
	words []word // all words of a redis command, which belong together
}

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

// ownFolder judges the folder that a program reads where it is given no file.
func (k *walker) ownFolder(u *use, values []typed) {
	reads := u.rule.Cwd == "tree" && u.f.stdin == input{} || slices.ContainsFunc(u.given, func(g given) bool { return slices.Contains(g.option.effects, "cwd") })
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

// place gives every operand its type.
func (k *walker) place(u *use) (all []typed, ok bool) {
	patterns := strings.Fields(u.rule.Operands)
	if u.rule.Operands == "none" {
		patterns = nil
	}
	for _, g := range u.given {
		if slices.Contains(g.option.effects, "first") && len(patterns) > 0 {
			patterns = patterns[1:]
			break
		}
	}
	rest := u.operands
	for i, pattern := range patterns {
		typ, least, most := quantity(pattern)
		if typ == "inner" || typ == "remote" {
			return all, k.nested(u, typ, all, rest)
		}
		reserved := 0
		for _, later := range patterns[i+1:] {
			_, n, _ := quantity(later)
			reserved += n
		}
		n := min(most, len(rest)-reserved)
		if n < least {
			k.deny(u, Unknown, "`"+u.name+"` lacks an argument")
			return nil, false
		}
		for _, w := range rest[:max(0, n)] {
			if most == 1 && w.glob != "" && w.under == "" && !questions(w) && !(typ == "any" && bracketed(w.glob)) && (isType(typ) || !takes(typ, w)) {
				k.deny(u, Unknown, "the pattern "+quoted(w.glob)+" may become several words; name the file")
				return nil, false
			}
			if !w.known && !w.one && !u.rule.Loose && (!w.plain || most == 1) {
				k.deny(u, Unknown, "a word is only known when it runs ("+w.why+"), and may become several; write it out, or quote it")
				return nil, false
			}
			all = append(all, typed{typ: typ, word: w})
		}
		rest = rest[max(0, n):]
	}
	if len(rest) > 0 {
		k.deny(u, Unknown, "the argument "+quoted(rest[0].String())+" of `"+u.name+"` is not in the policy")
		return nil, false
	}
	return all, true
}

// quantity reads file, file?, file*, file+.
func quantity(pattern string) (typ string, least, most int) {
	const many = 1 << 20
	switch pattern[len(pattern)-1] {
	case '?':
		return pattern[:len(pattern)-1], 0, 1
	case '*':
		return pattern[:len(pattern)-1], 0, many
	case '+':
		return pattern[:len(pattern)-1], 1, many
	}
	return pattern, 1, 1
}

// chosen reports whether a choice of literals, or a regular expression between slashes, has the text.
func chosen(typ, text string) bool {
	if strings.HasPrefix(typ, "/") {
		re, err := regexp.Compile("^(?:" + strings.Trim(typ, "/") + ")$")
		return err == nil && re.MatchString(text)
	}
	for choice := range strings.SplitSeq(typ, "|") {
		if prefix, isPrefix := strings.CutSuffix(choice, "*"); choice == text || isPrefix && strings.HasPrefix(text, prefix) {
			return true
		}
	}
	return false
}

// judge judges one word by its type.
func (k *walker) judge(u *use, v typed) {
	source := show(u.words)
	switch w := v.word; v.typ {
	case "any", "size", "meta":
	case "lit":
		k.wantKnown(u, w)
	case "name", "svc":
		if !w.plain {
			k.wantKnown(u, w)
		}
	case "archive":
		if k.wantKnown(u, w) && strings.Contains(w.text, ":") {
			k.deny(u, Unknown, quoted(w.text)+" may be on another host; name a file without a colon")
			return
		}
		k.reads(w, u.f, u.name, source)
	case "file":
		if strings.Contains(u.rule.Operands, "sqlite") && slices.ContainsFunc(k.resolved(k.places(w.text), u.f), k.ours) {
			k.deny(u, Forbidden, "the database belongs to this program; use `claudeops sessions`, `events` or `incidents`")
			return
		}
		k.reads(w, u.f, u.name, source)
	case "tree":
		k.tree(u, w, source)
	case "out":
		if !w.is("-") {
			k.writes(w, u.f, u.name, source)
		}
	case "code":
		k.configures(w, u.f, u.name, source)
	case "host":
		k.host(u, w)
	case "dbhost":
		k.databaseHost(u, w)
	case "sshhost":
		k.sshHost(u, w)
	case "url": // judged with the rest of the request
	case "rev":
		k.revision(u, w)
	case "shell":
		k.nestedShell(u, w)
	case "redis":
		k.redis(u, v.words)
	case "sed", "awk", "jq", "psql", "mysql", "sqlite", "template":
		k.script(u, v.typ, w)
	default:
		if w.glob != "" && takes(v.typ, w) {
			return
		}
		if k.wantKnown(u, w) && !chosen(v.typ, w.text) {
			reason := quoted(w.text) + " of `" + u.name + "` is not in the policy"
			if !strings.HasPrefix(v.typ, "/") {
				reason += ", which has " + v.typ
			}
			k.deny(u, Unknown, reason)
		}
	}
}

// revision judges what git takes for a revision or a path: a file in the folder, or in a commit behind a colon.
func (k *walker) revision(u *use, w word) {
	if !k.wantKnown(u, w) {
		return
	}
	k.reads(w, u.f, u.name, show(u.words))
	if i := strings.LastIndexByte(w.text, ':'); i >= 0 && i+1 < len(w.text) {
		k.reads(literal(w.text[i+1:]), u.f, u.name, show(u.words))
	}
}

// joinTexts makes one text of those that a program reads as one: the words of a redis command, and what sed and awk are given by
// several -e, a line each.
func joinTexts(values []typed) (joined []typed) {
	for _, v := range values {
		i := slices.IndexFunc(joined, func(o typed) bool { return o.typ == v.typ })
		switch {
		case i >= 0 && v.typ == "redis":
			joined[i].words = append(joined[i].words, v.word)
		case i >= 0 && (v.typ == "sed" || v.typ == "awk") && joined[i].word.known && v.word.known:
			joined[i].word.text += "\n" + v.word.text
		default:
			v.words = []word{v.word}
			joined = append(joined, v)
		}
	}
	return joined
}

func (k *walker) wantKnown(u *use, w word) bool {
	if !w.known {
		k.deny(u, Unknown, "a word is only known when it runs ("+w.why+"); write it out")
	}
	return w.known
}

func (k *walker) tree(u *use, w word, source string) {
	switch {
	case w.is("-") || w.stdin:
	case w.known:
		k.readsTree(w.text, u.f, u.name, source)
	default:
		k.reads(w, u.f, u.name, source)
	}
}

// standardInput judges what a program reads there as its program.
func (k *walker) standardInput(u *use, values []typed) {
	in := u.f.stdin
	switch u.rule.Stdin {
	case "", "data":
		return
	case "none":
		if in.unknown || in.known {
			k.deny(u, Unknown, "nothing may be piped into `"+u.name+"`")
		}
		return
	}
	for _, g := range u.given {
		if slices.Contains(g.option.effects, "nostdin") {
			return
		}
	}
	for _, v := range values {
		if v.typ == u.rule.Stdin {
			return
		}
	}
	if u.rule.Stdin == "literal" {
		if in.unknown {
			k.deny(u, Unknown, "what is piped into `"+u.name+"` would be sent away; give it </dev/null")
		}
		return
	}
	switch {
	case in == input{} && u.rule.Stdin == "shell":
		k.deny(u, Unknown, "`"+u.name+"` would wait for somebody to type; give the command to run")
	case in.unknown:
		k.deny(u, Unknown, "what `"+u.name+"` would run is only known when it runs; give it as a literal argument")
	case in.known && u.rule.Stdin == "shell":
		u.f.stdin = input{unknown: true} // what it has not read yet, its commands could
		k.nestedShell(u, literal(in.text))
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
