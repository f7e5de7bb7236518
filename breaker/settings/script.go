package settings

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/claudeops/claudeops/breaker"
)

//go:embed prefix.sh
var prefixScript string

// preToolUse is the event whose hooks can refuse what the agent is about to do: one that is skipped fails open.
const preToolUse = "PreToolUse"

// PrefixScript is the script that the agent program is to run its commands through (SetPrefix). Hooks go through o.Program, but for
// those that o.Exclude names. Those of PreToolUse run always, unless o.Include names them or their event.
func PrefixScript(o Options) []byte {
	spared := []string{`"` + lineStart + `'"*`, "*claude-hooks*run*", "*claudeops*hooks*run*"}
	included := []string{"''"}
	var never, always []string // events: of hooks that are included, and of the others
	for _, pattern := range o.Exclude {
		if slices.Contains(breaker.Events(), pattern) {
			never = append(never, pattern) // which event it is only shows in a call's input
		} else {
			spared = append(spared, glob(pattern))
		}
	}
	for _, pattern := range o.Include {
		included = append(included, glob(pattern))
	}
	if always = never; !o.All && !slices.Contains(o.Include, preToolUse) {
		always = append(slices.Clone(never), preToolUse)
	}
	words := append(append(slices.Clone(o.Program), "run", "--plugin"), o.Flags...)
	return []byte(strings.NewReplacer(
		"SPARED", strings.Join(spared, " | "),
		"INCLUDED", strings.Join(included, " | "),
		"NEVER", strings.Join(never, ","),
		"ALWAYS", strings.Join(always, ","),
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
