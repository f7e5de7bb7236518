package guard

import (
	"cmp"
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestTheDocumentedCalls judges the examples of docs/guard.md.
func TestTheDocumentedCalls(t *testing.T) {
	text, err := os.ReadFile("../docs/guard.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## What a call is\n")
	section, _, _ = strings.Cut(section, "\n## ")
	rows := regexp.MustCompile("(?m)^\\| `(.+)` \\| ([^|`]+) \\| (?:Tier ([123])|no tier) \\|$").FindAllStringSubmatch(section, -1)
	if len(rows) < 12 {
		t.Fatalf("want a table of twelve calls at least, found %d", len(rows))
	}
	for _, row := range rows {
		lowest, acts, reason := judgeTiers(t, Call{Argv: strings.Fields(row[1]), Dir: "/repos"})
		if want := strings.ReplaceAll(row[2], " of ", ":"); lowest != cmp.Or(row[3], "-") || acts != want {
			t.Errorf("`%s` is %s from tier %s, want %s from %s; %s", row[1], acts, lowest, want, cmp.Or(row[3], "-"), reason)
		}
	}
}
