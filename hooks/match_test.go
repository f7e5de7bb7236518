package hooks

import (
	"os/exec"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestMatches(t *testing.T) {
	const hook = "uv run $CLAUDE_PROJECT_DIR/.claude/hooks/damage-control/bash-tool-damage-control.py --directory specs"
	for _, tt := range []struct {
		pattern, hook string
		want          bool
	}{
		{"damage-control/bash-tool-damage-control.py", hook, true}, // the example of ANTI-LOOP
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
		{"hooks/*.py", hook, true}, // * matches slashes
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
		{"hook-[ab].py", "python3 hook-a.py", true},
		{"hook-[ab].py", "hook-c.py", false},
		{"hook-[ab].py", "hook-[ab].py", true}, // literally, too
		{"[ -f x ] && [a-b]", "[ -f x ] && [a-b]", true},
		{"x[a-c]y", "xby", true},
		{"x[a-c]y", "x-y", false},
		{"x[a-]y", "x-y", true},
		{"x[-a]y", "x-y", true},
		{"x[c-a]y", "xby", false},
		{"x[!a-c]y", "xby", false},
		{"x[!a-c]y", "xdy", true},
		{"x[^a-c]y", "xby", false},
		{"x[^a-c]y", "xdy", true},
		{"x[!a]", "x", false},
		{"x[!a]y", "x/y", true},
		{"x[]a]y", "x]y", true},
		{"x[!]a]y", "x]y", false},
		{"x[]y", "x]y", false}, // the class is not closed
		{"x[]y", "x[]y", true},
		{"x[y?", "x[yz", true},
		{"x[a!^]y", "x!y", true},
		{"x[*]y", "x*y", true},
		{"x[*]y", "xzy", false},
		{"x[?]*y", "x??y", true},
		{`x[\]y`, `x\y`, true}, // a backslash is literal
		{`x\[ab]`, `x\b`, true},
		{"x[é-ü]y", "xöy", true},
		{"x[!é]y", "x\xffy", true},
		{"x[\ufffd]y", "x\xffy", true}, // as in the state file
		{"x?[\xff]y", "xé\xffy", true},
		{"[a-c][a-c]*[!0-9]", "bc9x", true},
		{"[a-c][a-c]*[!0-9]", "bc99", false},
		{strings.Repeat("?", 200) + "b", strings.Repeat("a", 200) + "b", true},
		{strings.Repeat("?", 200) + "b", strings.Repeat("a", 199) + "b", false},
		{"a" + strings.Repeat("?", 62) + "b", strings.Repeat("a", 99) + "b", true}, // 64 elements, and one more
		{"a" + strings.Repeat("?", 63) + "b", strings.Repeat("a", 99) + "b", true},
		{"a" + strings.Repeat("?", 63) + "b", "c" + strings.Repeat("a", 63) + "b", false},
		{".", "ab", false},
		{`a\*`, `a\bc`, true},
		{"", "a", false},
		{strings.Repeat("a*", 50) + "b", strings.Repeat("a", 5000), false},
	} {
		if got := Matches(tt.pattern, tt.hook); got != tt.want {
			t.Errorf("Matches(%q, %q) = %v", tt.pattern, tt.hook, got)
		}
	}
}

// A shell's case matches the same commands. Some shells only know ASCII characters.
func TestCasePattern(t *testing.T) {
	patterns := []string{
		"", "a", "it's", `"$x`, "a b", "*", "?", "??", "a*b", "a?b", "[ab]", "x[ab]y", "x[a-c]y", "x[!a-c]y", "x[^a-c]y",
		"[]a]", "[!]a]", "[a", "[]", "[!]",
		"[!!]", "[!^]", "[a!^]", "[a-]", "[-a]",
		"[c-a]", "x[c-a]", "[!c-a]", "[*]", "[?]", `[\]`, `a\*`, `\[a]`, "['\"]", "[ ;|&()$`]", "[[]", "[[:alpha:]]",
		"[a-c]*[!0-9]?", "[\n]", "x\ny", "[!-~]", "[ -/]",
	}
	commands := []string{
		"a", "b", "it's", `"$x`, "a b", "ab", "axb", "xay", "xby", "xdy", "x-y", "x]y", "]", "[", "-",
		"!", "^", "c", "[ab]", "[a", "*", `\`, `a\*`, `\a`, "'",
		"`", "$", "&", "x\ny", "\n", "b99", "b9x1", "[c-a]", "x", "~", "/", " ", "[]", "[!]", "0", ":]", "p]",
	}
	var script strings.Builder
	for _, pattern := range patterns {
		script.WriteString("case $1 in " + CasePattern(pattern) + ") printf 1 ;; *) printf 0 ;; esac\n")
	}
	for _, shell := range [][]string{{"sh"}, {"dash"}, {"bash"}, {"bash", "--posix"}, {"busybox", "sh"}} {
		path, err := exec.LookPath(shell[0])
		if err != nil {
			t.Logf("there is no %s here", shell[0])
			continue
		}
		for _, command := range commands {
			args := append(shell[1:len(shell):len(shell)], "-c", script.String(), shell[0], command)
			out, err := exec.CommandContext(t.Context(), path, args...).Output()
			if err != nil || len(out) != len(patterns) {
				t.Fatalf("%s: %v\n%s", shell, err, out)
			}
			for i, pattern := range patterns {
				if want := Matches(pattern, command); (out[i] == '1') != want {
					t.Errorf("%s: %q finds %q: %v, want %v; it is %s", shell, pattern, command, !want, want, CasePattern(pattern))
				}
			}
		}
	}
}

func BenchmarkMatchesAtWorst(b *testing.B) {
	pattern, hook := strings.Repeat("?a", 511)+"b", strings.Repeat("a", 100<<10)
	for b.Loop() {
		Matches(pattern, hook)
	}
}

func FuzzMatches(f *testing.F) {
	f.Add("a*b?c", "xaybzc")
	f.Add("??", "é\xff")
	f.Add("[!a-c]]", "d]")
	f.Add("\xe2", "\x80\xbf ") // together they are UTF-8
	f.Fuzz(func(t *testing.T, pattern, hook string) {
		got := Matches(pattern, hook)
		if utf8.ValidString(pattern) && utf8.ValidString(hook) && got != slowly(pattern, hook) {
			t.Errorf("Matches(%q, %q) = %v", pattern, hook, got)
		}
		if strings.ContainsAny(pattern, "*?") && !strings.Contains(pattern, "[") {
			if around := Matches("*"+pattern+"*", hook); around != got {
				t.Errorf("Matches(%q, %q) = %v, with stars around it %v", pattern, hook, got, around)
			}
		}
		if pattern != "" && !Matches(pattern, pattern) {
			t.Errorf("%q does not match itself", pattern)
		}
	})
}

// slowly implements Matches by its definition: at each position, it tries every length for a star.
func slowly(pattern, hook string) bool {
	if pattern == "" || strings.Contains(hook, pattern) {
		return pattern != ""
	}
	ends := map[int]bool{}
	for at := range hook + "." { // its end is a position too
		ends[at] = true
	}
	for _, e := range globOf(pattern) {
		next := map[int]bool{}
		from := false
		for at, r := range hook + "." {
			from = from || ends[at]
			switch {
			case e.star:
				next[at] = from
			case ends[at] && at < len(hook) && e.means(r):
				next[at+utf8.RuneLen(r)] = true
			}
		}
		ends = next
	}
	for _, is := range ends {
		if is {
			return true
		}
	}
	return false
}
