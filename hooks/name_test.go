package hooks

import (
	"strings"
	"testing"
)

func TestShortNames(t *testing.T) {
	for hook, want := range map[string]string{
		"uv run $CLAUDE_PROJECT_DIR/.claude/hooks/validators/validate_file_contains.py --directory specs": "validate_file_contains.py",
		`cd "$CLAUDE_PROJECT_DIR" && sh ./check.sh; exit 0`:                                               "check.sh",
		`"/path with/two words.py"`:          "words.py",
		"MODE=1 /usr/local/bin/format --all": "format",
		"jq -r .source | sed s/x/y/":         "jq",
		"A=1":                                "A=1",
		"":                                   "",
		"\x1b[2Jx\n":                         "x",
	} {
		if got := ShortName(hook); got != want {
			t.Errorf("%q: %q, want %q", hook, got, want)
		}
	}
	names := ShortNames([]string{"sh a/x.sh", "sh b/x.sh", "sh y.sh"})
	if names["sh a/x.sh"] != "sh a/x.sh" || names["sh b/x.sh"] != "sh b/x.sh" || names["sh y.sh"] != "y.sh" {
		t.Errorf("%q", names)
	}
}

func TestWhichHookAPersonMeans(t *testing.T) {
	all := []string{"sh a/x.sh", "sh b/x.sh", "sh y.sh --one", "python3 z.py"}
	for name, want := range map[string]string{
		"sh a/x.sh": "sh a/x.sh", "y.sh": "sh y.sh --one", "--one": "sh y.sh --one", "b/": "sh b/x.sh",
		"x.sh": "could be any of\n  sh a/x.sh\n  sh b/x.sh", "none": `no hook is called "none"`, "": `no hook is called ""`,
	} {
		got, err := Resolve(all, name)
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, want) {
			t.Errorf("%q: %s", name, got)
		}
	}
}

func FuzzShortName(f *testing.F) {
	f.Add("uv run x.py")
	f.Fuzz(func(t *testing.T, hook string) {
		if got := ShortName(hook); strings.ContainsAny(got, "\n\r\t\x1b\x00\u009b\u202e\u2028") {
			t.Fatalf("%q: %q", hook, got)
		}
	})
}
