package settings

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/claudeops/claudeops/hooks"
)

//go:embed prefix.sh
var prefixScript string

// preToolUse is the event whose hooks can refuse an action of the agent. Skipping such a hook fails open.
const preToolUse = "PreToolUse"

// PrefixScript returns the script through which the agent program runs its commands (SetPrefix). Hooks run through o.Program, except
// those whose command matches o.Exclude. Hooks of an event in o.Exclude are counted but never skipped. The same applies to hooks of
// PreToolUse, unless o.Include names them or their event.
func PrefixScript(o Options) []byte {
	spared := []string{`"` + lineStart + `'"*`, "*claude-hooks*run*", "*claudeops*hooks*run*"}
	included := []string{"''"}
	var never []string // events at which included hooks must not be skipped
	for _, pattern := range o.Exclude {
		if slices.Contains(hooks.Events(), pattern) {
			never = append(never, pattern) // only a call's input contains the event
		} else {
			spared = append(spared, hooks.CasePattern(pattern))
		}
	}
	for _, pattern := range o.Include {
		included = append(included, hooks.CasePattern(pattern))
	}
	always := never // for other hooks
	if !slices.Contains(o.Include, preToolUse) {
		always = append(slices.Clone(never), preToolUse)
	}
	words := append(slices.Clone(o.Program), "run", "--plugin")
	return []byte(strings.NewReplacer(
		"SPARED", strings.Join(spared, " | "),
		"INCLUDED", strings.Join(included, " | "),
		"NEVER", strings.Join(never, ","),
		"ALWAYS", strings.Join(always, ","),
		"PROGRAM", quote(words[0]),
		"CALL", join(words),
	).Replace(prefixScript))
}

// IsPrefixScript reports whether a script was written by PrefixScript.
func IsPrefixScript(text []byte) bool {
	mark, _, _ := strings.Cut(prefixScript, "\n#\n")
	return strings.HasPrefix(string(text), mark)
}
