package breaker

import (
	"strings"
	"testing"
)

func TestMatches(t *testing.T) {
	const hook = "uv run $CLAUDE_PROJECT_DIR/.claude/hooks/damage-control/bash-tool-damage-control.py --directory specs"
	for _, tt := range []struct {
		pattern, hook string
		want          bool
	}{
		{"damage-control/bash-tool-damage-control.py", hook, true}, // the document's example
		{"bash-tool", hook, true},
		{"edit-tool", hook, false},
		{hook, hook, true},
		{hook + "x", hook, false},
		{"", hook, false},
		{"", "", false},
		{"*", "", true},
		{"*", hook, true},
		{"**", hook, true},
		{"?", "", false},
		{"?", "a", true},
		{"*.py", hook, true},
		{"hooks/*.py", hook, true}, // * crosses slashes
		{"uv run *specs", hook, true},
		{"uv run *spec?", hook, true},
		{"uv run *specs?", hook, false},
		{"specs*uv run", hook, false},
		{"bash-????-damage", hook, true},
		{"bash-???-damage", hook, false},
		{"a?c", "aac", true},
		{"a?c", "aaabc", true},
		{"a?c", "a", false},
		{"a??", "ab", false},
		{"?é?", "xéy", true},
		{"x?y", "xéy", true},
		{"x??y", "xéy", false},
		{"x?y", "x\xffy", true},
		{"a*b*c", "a-c-b", false},
		{"a*b*c", "a-b-c", true},
		{"[ab].py", "a.py", false}, // no other character is special
		{"[ab].py", "[ab].py", true},
		{".", "ab", false},
		{`a\*`, `a\bc`, true},
		{strings.Repeat("a*", 50) + "b", strings.Repeat("a", 5000), false},
	} {
		if got := Matches(tt.pattern, tt.hook); got != tt.want {
			t.Errorf("Matches(%q, %q) = %v", tt.pattern, tt.hook, got)
		}
	}
}

func TestIsGuard(t *testing.T) {
	for _, hook := range []string{
		"claudeops guard",
		"/usr/local/bin/claudeops guard --stop",
		"'/opt/my tools/claudeops' guard",
		`"$HOME"/bin/claudeops guard`,
		"$HOME/bin/claudeops guard",
		`/opt/my\ tools/claudeops guard`,
		"CLAUDEOPS_STATE_DIR=/s claudeops --json guard",
		"claudeops --env-file /etc/x.env guard",
		"claudeops --env-file=/etc/x.env guard --stop",
		"exec claudeops guard",
		"env A=1 timeout 5 claudeops guard",
		"cd / && claudeops guard",
		"if true; then claudeops guard; fi",
		"sh -c 'exec claudeops guard'",
		`bash -c "claudeops 'guard'"`,
		"claudeops guard '", // not parsed by any shell, but meant
	} {
		if !IsGuard(hook) {
			t.Errorf("IsGuard(%q) = false", hook)
		}
	}
	for _, hook := range []string{
		"",
		"guard",
		"claudeops",
		"claudeops hooks run -- guard",
		"claudeops run guard",
		"claudeops-guard",
		"claudeops_guard guard",
		"other guard claudeops",
		"./guard.sh --claudeops",
		"echo 'about claudeops and its guard'",
		"cat claudeops/guard.go",
		"claudeops; guard",
		strings.Repeat("sh -c ", 10) + "claudeopsguard",
	} {
		if IsGuard(hook) {
			t.Errorf("IsGuard(%q) = true", hook)
		}
	}
}

func FuzzMatches(f *testing.F) {
	f.Add("a*b?c", "xaybzc")
	f.Add("??", "é\xff")
	f.Fuzz(func(t *testing.T, pattern, hook string) {
		got := Matches(pattern, hook)
		if strings.ContainsAny(pattern, "*?") {
			if around := Matches("*"+pattern+"*", hook); around != got {
				t.Errorf("Matches(%q, %q) = %v, with stars around it %v", pattern, hook, got, around)
			}
		}
		if pattern != "" && !Matches(pattern, pattern) {
			t.Errorf("%q does not match itself", pattern)
		}
		IsGuard(hook)
	})
}
