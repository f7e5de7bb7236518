package settings

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/claudeops/claudeops/hooks"
)

//go:embed prefix.sh
var prefixScript string

// preToolUse is the event whose hooks can refuse what the agent is about to do: one that is skipped fails open.
const preToolUse = "PreToolUse"

// PrefixScript is the script that the agent program is to run its commands through (SetPrefix). Hooks go through o.Program, but for
// those whose command o.Exclude names; those of an event that it names are counted and run always. So do those of PreToolUse, unless
// o.Include names them or their event.
func PrefixScript(o Options) []byte {
	spared := []string{`"` + lineStart + `'"*`, "*claude-hooks*run*", "*claudeops*hooks*run*"}
	included := []string{"''"}
	var never []string // to be skipped: events, of hooks that are included
	for _, pattern := range o.Exclude {
		if slices.Contains(hooks.Events(), pattern) {
			never = append(never, pattern) // which event it is only shows in a call's input
		} else {
			spared = append(spared, hooks.CasePattern(pattern))
		}
	}
	for _, pattern := range o.Include {
		included = append(included, hooks.CasePattern(pattern))
	}
	always := never // of other hooks
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

// IsPrefixScript reports whether PrefixScript has written a script.
func IsPrefixScript(text []byte) bool {
	mark, _, _ := strings.Cut(prefixScript, "\n#\n")
	return strings.HasPrefix(string(text), mark)
}
