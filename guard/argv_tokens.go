package guard

import (
	"regexp"
	"strings"
	"sync"
)

// option is one option as the policy grants it.
type option struct {
	names    []string
	types    []string // of its values; empty for a flag
	glued    bool     // the value follows = or the letter directly, or not at all
	effects  []string // what follows from it: an action, first, names, nostdin
	numbered bool     // -20
}

// parseOption reads one token of the policy: -a/--all=TYPE!effect.
func parseOption(token string) (o option) {
	token, effects, has := strings.Cut(token, "!")
	if has {
		o.effects = strings.Split(effects, "!")
	}
	names, typ, hasType := strings.Cut(token, "=")
	o.names = strings.Split(names, "/")
	o.numbered = names == "-#"
	if hasType {
		if o.glued = strings.HasSuffix(names, "["); o.glued {
			o.names = strings.Split(strings.TrimSuffix(names, "["), "/")
			typ = strings.TrimSuffix(typ, "]")
		}
		o.types = splitTypes(typ)
	}
	return o
}

// splitTypes splits at commas, but not within a regular expression.
func splitTypes(typ string) []string {
	if strings.HasPrefix(typ, "/") {
		return []string{typ}
	}
	return strings.Split(typ, ",")
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

// expressions are those of the policy, compiled once: they are long.
var expressions sync.Map

// chosen reports whether a choice of literals, or a regular expression between slashes, has the text.
func chosen(typ, text string) bool {
	if strings.HasPrefix(typ, "/") {
		re, known := expressions.Load(typ)
		if !known {
			compiled, err := regexp.Compile("^(?:" + strings.Trim(typ, "/") + ")$")
			if err != nil {
				return false
			}
			re, _ = expressions.LoadOrStore(typ, compiled)
		}
		return re.(*regexp.Regexp).MatchString(text)
	}
	for choice := range strings.SplitSeq(typ, "|") {
		if prefix, isPrefix := strings.CutSuffix(choice, "*"); choice == text || isPrefix && strings.HasPrefix(text, prefix) {
			return true
		}
	}
	return false
}
