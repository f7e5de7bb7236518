package guard

import (
	"slices"
	"strings"
	"unicode"

	"github.com/claudeops/claudeops/guard/policy"
)

// typed is a word and what the policy says it is.
type typed struct {
	typ   string
	word  word
	words []word // all words of a redis command, which belong together
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
			if dashed(u, typ, w) {
				k.deny(u, Unknown, "the argument "+quoted(w.String())+" of `"+u.name+"` looks like an option; options stand before the arguments, and a file's name begins with ./")
				return nil, false
			}
			if most == 1 && w.glob != "" && w.under == "" && !questions(w) && !(typ == "any" && bracketed(w.glob)) && !(typ == "jq" && subscripts(w)) && (policy.IsType(typ) || !takes(typ, w)) {
				k.deny(u, Unknown, "the pattern "+quoted(w.glob)+" may become several words; name the file")
				return nil, false
			}
			if !w.known && !w.one && !u.rule.Loose && (!w.plain && w.glob == "" || most == 1 && !(w.glob != "" && w.under == "")) {
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

// dashed reports whether an operand may look like an option to a program that does not read its options as the guard does.
func dashed(u *use, typ string, w word) bool {
	switch {
	case u.rule.Loose, typ == "redis":
		return false
	case !policy.IsType(typ) && (strings.HasPrefix(typ, "/-") || strings.Contains(typ, "|-")): // the policy says which
		return false
	case u.ended || u.permutes(): // what is not known stands behind two dashes, or is a pattern
		return strings.HasPrefix(w.text, "-") && !w.is("-") || w.signed
	}
	return w.optional()
}

// judge judges one word by its type.
func (k *walker) judge(u *use, v typed) {
	source := show(u.words)
	if strings.ContainsFunc(v.word.text, unicode.IsControl) && !multiline(v.typ) {
		k.deny(u, Unknown, quoted(v.word.text)+" holds a line's end or a tab, behind which another command may begin; write it without")
		return
	}
	switch w := v.word; v.typ {
	case "any", "size", "meta":
	case "lit":
		k.wantKnown(u, w)
	case "name":
		if !w.plain {
			k.wantKnown(u, w)
		}
	case "svc":
		k.serviceName(u, w)
	case "date":
		k.date(u, w)
	case "disk":
		k.disk(u, w)
	case "database":
		k.database(u, w)
	case "archive":
		if k.wantKnown(u, w) && strings.Contains(w.text, ":") {
			k.deny(u, Unknown, quoted(w.text)+" may be on another host; name a file without a colon")
			return
		}
		k.reads(w, u.f, u.name, source)
	case "file":
		k.reads(w, u.f, u.name, source)
	case "tree":
		k.tree(u, w, source)
	case "out":
		if !w.is("-") || strings.Contains(u.rule.Operands, "out") { // standard output as an option's value, a file as an operand
			k.writes(w, u.f, u.name, source)
		}
	case "code", "credential", "settings", "hosts":
		k.configures(w, v.typ, u.f, u.name, source)
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
	case "fields":
		k.kubeFields(u, w)
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

// multiline reports whether a value of this type is a program's text, a pattern or what is only printed, in which lines may end.
func multiline(typ string) bool {
	switch typ {
	case "any", "size", "meta", "shell", "sed", "awk", "jq", "psql", "mysql", "sqlite", "redis", "template":
		return true
	}
	return strings.HasPrefix(typ, "/(?s)")
}

// revision judges what git takes for a revision or a path: a file in the folder where git looks, or in a commit behind a colon.
func (k *walker) revision(u *use, w word) {
	cwds := k.cwds
	k.cwds = k.standing(u)
	defer func() { k.cwds = cwds }()
	if !k.wantKnown(u, w) {
		return
	}
	if i := strings.LastIndexByte(w.text, ':'); i >= 0 {
		if i+1 < len(w.text) {
			k.reads(literal(w.text[i+1:]), u.f, u.name, show(u.words))
		}
		return
	}
	k.reads(w, u.f, u.name, show(u.words))
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

// tree judges what is read with all below it, if it is a folder. Elsewhere nobody sees whether it is one: grep then is not to go down,
// and diff and rg are given names that no folder has.
func (k *walker) tree(u *use, w word, source string) {
	grep := strings.HasSuffix(u.name, "grep")
	down := !grep || u.has("-r", "-R", "--recursive", "--dereference-recursive")
	switch away := u.f.place != ""; {
	case w.is("-") || w.stdin:
	case away && grep && down:
		k.readsTree(w.String(), u.f, u.name, source)
	case w.known && !(away && (grep || fileName(w.text))):
		k.readsTree(w.text, u.f, u.name, source)
	case !w.known && !away && down:
		k.readsFolders(w, u.f, u.name, source)
	default:
		k.reads(w, u.f, u.name, source)
	}
}
