package policy

import (
	"os"
	"strings"
	"testing"
)

// The example of docs/sandbox.md is a policy that can be joined.
func TestTheDocumentedProgram(t *testing.T) {
	text, err := os.ReadFile("../../docs/sandbox.md")
	if err != nil {
		t.Fatal(err)
	}
	_, example, _ := strings.Cut(string(text), "```yaml\n")
	example, _, _ = strings.Cut(example, "```")
	p, err := Embedded().Join(parse(t, example))
	if err != nil {
		t.Fatal(err)
	}
	if r := p.Program("appctl"); r == nil || r.Command("status").Do != "observe" || r.Command("dump").Writes != "/srv/app/dumps" || r.Command("wipe").Do != "forbidden" {
		t.Errorf("appctl is %+v", r)
	}
}
