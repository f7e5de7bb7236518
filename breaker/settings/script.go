package settings

import (
	_ "embed"
	"slices"
	"strings"
)

//go:embed prefix.sh
var prefixScript string

// PrefixScript is the script that the agent program is to run its commands through (SetPrefix). Hooks go through o.Program, but for
// those that o.Exclude names; those of PreToolUse run always, unless o.Include names that event.
func PrefixScript(o Options) []byte {
	words := append(slices.Clone(o.Program), "run", "--plugin")
	if !o.All && !slices.Contains(o.Include, "PreToolUse") {
		words = append(words, "--always", "PreToolUse")
	}
	words = append(words, o.Flags...)
	spared := []string{`"` + lineStart + `'"*`, "*claude-hooks*run*", "*claudeops*hooks*run*"}
	for _, pattern := range o.Exclude {
		spared = append(spared, glob(pattern))
	}
	return []byte(strings.NewReplacer(
		"SPARED", strings.Join(spared, " | "),
		"PROGRAM", quote(words[0]),
		"CALL", join(words),
	).Replace(prefixScript))
}

// IsPrefixScript reports whether PrefixScript has written a script.
func IsPrefixScript(text []byte) bool {
	mark, _, _ := strings.Cut(prefixScript, "\n#\n")
	return strings.HasPrefix(string(text), mark)
}

// glob is a pattern of breaker.Matches as a pattern of the shell: a part of the command, * and ? as there.
func glob(pattern string) string {
	var b strings.Builder
	b.WriteByte('*')
	for pattern != "" {
		n := strings.IndexAny(pattern, "*?")
		if n == 0 {
			b.WriteByte(pattern[0])
			pattern = pattern[1:]
			continue
		}
		if n < 0 {
			n = len(pattern)
		}
		b.WriteString("'" + strings.ReplaceAll(pattern[:n], "'", `'\''`) + "'")
		pattern = pattern[n:]
	}
	b.WriteByte('*')
	return b.String()
}
