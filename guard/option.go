package guard

import (
	"slices"
	"strings"

	"github.com/claudeops/claudeops/guard/policy"
)

// given is one option with its values.
type given struct {
	option option
	values []word
}

// option reads the option at args[i] and returns how many further words it takes.
func (k *walker) option(u *use, args []word, i int) int {
	a := args[i]
	if a.text == "" { // it could be any
		if u.rule.Loose || u.rule.Globs && a.glob != "" && len(k.cwds) > 0 && !slices.ContainsFunc(k.cwds, k.writable) {
			u.operands = append(u.operands, a)
			return 0
		}
		k.deny(u, Unknown, "a word that is only known when it runs ("+a.why+") could be an option; write it out, or put `--` or `./` before it")
		return 0
	}
	if style := u.style(); style == "word" || style == "flag" {
		return k.wordOption(u, args, i)
	}
	if strings.HasPrefix(a.text, "--") {
		return k.longOption(u, args, i)
	}
	return k.shortOptions(u, args, i)
}

func (k *walker) longOption(u *use, args []word, i int) int {
	a := args[i]
	name, value, ok := a.option()
	if !ok {
		return k.unknownOption(u, a)
	}
	return k.take(u, name, value, args, i)
}

// shortOptions reads letters in a row, of which the last may have a value.
func (k *walker) shortOptions(u *use, args []word, i int) int {
	a := args[i]
	if o, ok := k.find(u, a.text, nil); ok && a.known && len(a.text) > 2 && !o.numbered { // one that is written with one dash: -name
		return k.take(u, a.text, nil, args, i)
	}
	if name, _, has := strings.Cut(a.text, "="); has && len(name) > 2 {
		if _, ok := k.find(u, name, nil); ok {
			rest := a.from(len(name) + 1)
			return k.take(u, name, &rest, args, i)
		}
	}
	if _, isNumber := digits(a.text[1:]); isNumber && a.known {
		if _, ok := k.find(u, "-#", nil); ok {
			return 0
		}
	}
	for j := 1; j < len(a.text); j++ {
		name := "-" + a.text[j:j+1]
		o, ok := k.find(u, name, nil)
		if !ok {
			return k.unknownOption(u, a)
		}
		if len(o.types) == 0 && !o.glued {
			k.grant(u, o, nil)
			continue
		}
		rest := a.from(j + 1)
		if apart := slices.Contains(o.effects, "apart"); apart && !(rest.text == "" && rest.known) {
			k.deny(u, Unknown, "the value of `"+name+"` stands apart from it, and other options do too")
			return 0
		}
		if rest.text == "" && rest.known {
			return k.take(u, name, nil, args, i)
		}
		if rest.known || rest.text != "" || rest.one || rest.plain {
			if strings.HasPrefix(rest.text, "=") {
				return k.behindEquals(u, name, rest, args, i)
			}
			return k.take(u, name, &rest, args, i)
		}
		return k.unknownOption(u, a)
	}
	if !a.known {
		return k.unknownOption(u, a)
	}
	return 0
}

// behindEquals grants -c=VALUE: in the style of pflag it is -c VALUE, to every other program the = is a part of the value.
func (k *walker) behindEquals(u *use, name string, value word, args []word, i int) int {
	if u.pflag() {
		value.text = value.text[1:]
		return k.take(u, name, &value, args, i)
	}
	if o, ok := k.find(u, name, &value); ok && len(o.types) > 0 && o.types[0] != "any" {
		k.deny(u, Unknown, "a value of `"+name+"` that begins with = is read in different ways; write it apart")
		return 0
	}
	return k.take(u, name, &value, args, i)
}

func (k *walker) wordOption(u *use, args []word, i int) int {
	a := args[i]
	name, value, ok := a.option()
	if !ok {
		return k.unknownOption(u, a)
	}
	o, known := k.find(u, name, value)
	if !known && strings.HasPrefix(name, "--") {
		name = name[1:]
		o, known = k.find(u, name, value)
	}
	if known && value != nil && !o.glued && u.style() == "word" { // such a program may read the first letter, and take the next word for the value
		k.deny(u, Unknown, "the value of `"+name+"` is a word of its own: "+name+" "+value.String())
		return 0
	}
	if _, isNumber := digits(strings.TrimPrefix(a.text, "-")); isNumber && a.known {
		if _, ok := k.find(u, "-#", nil); ok {
			return 0
		}
	}
	return k.take(u, name, value, args, i)
}

func (k *walker) unknownOption(u *use, a word) int {
	if u.rule.Loose {
		return 0
	}
	if slices.ContainsFunc(u.words, func(w word) bool { return w.is("--help", "--version") }) && a.is("--help", "--version") {
		k.deny(u, Unknown, "`"+a.text+"` of `"+u.name+"` is not in the policy")
		return 0
	}
	k.deny(u, Unknown, "the option `"+a.String()+"` of `"+u.name+"` is not in the policy; leave it out")
	return 0
}

// take grants an option with its values: the one that is glued to it, or the words that follow.
func (k *walker) take(u *use, name string, value *word, args []word, i int) int {
	o, ok := k.find(u, name, value)
	if ok && value == nil && !o.glued && len(o.types) > 0 && i+1 < len(args) {
		o, ok = k.find(u, name, &args[i+1])
	}
	if !ok {
		return k.unknownOption(u, args[i])
	}
	switch {
	case value == nil && slices.Contains(o.effects, "glued"):
		k.deny(u, Unknown, "the value of `"+name+"` is written directly behind it: "+name+"3")
		return 0
	case value != nil && len(o.types) == 0:
		k.deny(u, Unknown, "the option `"+name+"` of `"+u.name+"` takes no value")
		return 0
	case len(o.types) == 0, o.glued && value == nil:
		k.grant(u, o, nil)
		return 0
	case value != nil:
		k.grant(u, o, []word{*value})
		return 0
	}
	values := args[min(i+1, len(args)):min(i+1+len(o.types), len(args))]
	if len(values) < len(o.types) {
		k.deny(u, Unknown, "the option `"+name+"` of `"+u.name+"` lacks its value")
		return 0
	}
	for i, v := range values {
		if policy.IsType(o.types[i]) && v.known && len(v.text) > 1 && v.text[0] == '-' && !strings.ContainsAny(v.text[1:2], "0123456789. +") && !u.rule.Loose {
			k.deny(u, Unknown, "the value of `"+name+"` looks like an option; write it behind `=`")
			return 0
		}
		numbers := v.digits && !strings.Contains(u.rule.Operands, "inner") && !strings.Contains(u.rule.Operands, "remote") // more of them are harmless
		if !v.known && !v.one && !numbers && !u.rule.Loose {
			k.deny(u, Unknown, "the value of `"+name+"` is only known when it runs ("+v.why+"), and may be several words; write it out, or quote it")
			return 0
		}
	}
	k.grant(u, o, values)
	return len(o.types)
}

func (k *walker) grant(u *use, o option, values []word) {
	if slices.ContainsFunc(u.given, func(g given) bool {
		return slices.Contains(g.option.names, o.names[0]) && slices.Contains(g.option.effects, "names")
	}) {
		u.plain = false // the last of its kind holds
	}
	u.given = append(u.given, given{o, values})
	for _, effect := range o.effects {
		switch effect {
		case "names":
			u.plain = !u.text
		case "text":
			u.text, u.plain = true, false
		case "observe":
			u.observes = true
		case "once":
			if slices.ContainsFunc(u.given[:len(u.given)-1], func(g given) bool { return slices.Equal(g.option.names, o.names) }) {
				k.deny(u, Unknown, "`"+o.names[0]+"` is given once")
			}
		case "first", "stdin", "nostdin", "cwd", "apart", "glued", "alone":
		default:
			if a := Action(effect); a.gravity() > u.action.gravity() {
				u.action = a
			}
		}
	}
}

// find looks an option up in the rule and in those above it that lend theirs. Of several with one name, the first whose type takes
// the value is it.
func (k *walker) find(u *use, name string, value *word) (option, bool) {
	var fallback option
	found := false
	for i := len(u.levels) - 1; i >= 0; i-- {
		texts := u.levels[i].Persistent
		if i == len(u.levels)-1 {
			texts += " " + u.levels[i].Options
		}
		for token := range strings.FieldsSeq(texts) {
			if !strings.Contains(token, name) {
				continue
			}
			o := parseOption(token)
			if !slices.Contains(o.names, name) {
				continue
			}
			if value == nil || len(o.types) == 0 || takes(o.types[0], *value) {
				return o, true
			}
			if !found {
				fallback, found = o, true
			}
		}
	}
	return fallback, found
}

// takes reports whether a choice of literals has the value; every other type is judged later.
func takes(typ string, value word) bool {
	return policy.IsType(typ) || value.known && chosen(typ, value.text) || value.glob != "" && strings.Contains(typ, "*") && begins(typ, value.text)
}

// begins reports whether a choice has the beginning of a word whose brackets the shell would match with file names, if there were any.
func begins(typ, text string) bool {
	for choice := range strings.SplitSeq(typ, "|") {
		if prefix, isPrefix := strings.CutSuffix(choice, "*"); isPrefix && strings.HasPrefix(text, prefix) {
			return true
		}
	}
	return false
}
