package guard

import (
	"regexp"
	"strings"
	"sync"
)

// option is one option that the policy grants.
type option struct {
	names    []string
	types    []string // of its values; empty for a flag
	glued    bool     // a value must be attached: after = or directly after the letter
	effects  []string // what using it means: an action, first, names, nostdin
	numbered bool     // numbers such as -20
}

// parseOption parses one token of the policy: -a/--all=TYPE!effect.
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

// splitTypes splits at commas, except in a regular expression.
func splitTypes(typ string) []string {
	if strings.HasPrefix(typ, "/") {
		return []string{typ}
	}
	return strings.Split(typ, ",")
}

// quantity parses file, file?, file*, file+.
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

// expressions caches the policy's compiled regular expressions, because they are long.
var expressions sync.Map

// chosen reports whether a text is one of a choice of literals, or matches a regular expression between slashes.
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
