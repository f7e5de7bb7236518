package inventory

import (
	"cmp"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/internal/strict"
	"github.com/claudeops/claudeops/probe"
)

// Every example in the documentation is a valid services file.
func TestExamplesOfTheDocumentation(t *testing.T) {
	doc := documentation(t)
	blocks := 0
	for block := range strings.SplitSeq(doc, "\n```yaml\n") {
		text, _, closed := strings.Cut(block, "\n```\n")
		if blocks++; blocks == 1 {
			continue // text before the first example
		}
		if !closed {
			t.Fatalf("not closed: %q", text)
		}
		inv, err := Parse([]byte(text))
		if err != nil || len(inv.Services) == 0 {
			t.Errorf("%s\n%v", text, err)
		}
	}
	if blocks < 10 {
		t.Errorf("%d examples", blocks-1)
	}
	if !strings.Contains(doc, "\n# yaml-language-server: $schema="+SchemaURL+"\n") {
		t.Error("it does not say where the schema is")
	}
}

// typeNames returns the names of the check types in the order in which they are listed for people.
func typeNames() (names []string) {
	for _, t := range probe.Types() {
		if !slices.Contains(names, t.Name) {
			names = append(names, t.Name)
		}
	}
	return names
}

// The tables in the documentation are generated from the fields; `go test ./inventory -run TestTablesAreTheFields -update` updates them.
func TestTablesAreTheFields(t *testing.T) {
	doc := documentation(t)
	b := newBuilder(&strict.Faults{})
	doc = tabled(doc, "## Services", "key", b.serviceFields(&Service{Settle: DefaultSettle, FailAfter: 1}, 0))
	doc = tabled(doc, "### Maintenance", "key of a window", b.windowFields(&Window{}))
	doc = tabled(doc, "### What may be done", "key of a way", b.wayFields(&Way{Timeout: DefaultTimeout}))
	aid := newFirstAid()
	doc = tabled(doc, "### First aid", "key of first_aid", firstAidFields(&aid))
	doc = tabled(doc, "### Queries", "key of query", queryFields(&Query{}))
	doc = tabled(doc, "### Hours", "key of remediate", b.remediateFields(&Service{}))
	doc = tabled(doc, "## Notifications", "key of a rule", b.ruleFields(&Rule{}, nil))
	doc = tabled(doc, "## Checks", "key", probe.CommonFields(&probe.Check{Timeout: probe.DefaultTimeout, Attempts: probe.DefaultAttempts}))
	for _, name := range typeNames() {
		var fields []strict.Field
		about := ""
		for _, kind := range probe.Types() {
			if kind.Name == name {
				fields = append(fields, kind.Options().Fields()...)
				about = cmp.Or(about, kind.Doc)
			}
		}
		heading := "### " + name
		if !strings.Contains(doc, "\n"+heading+"\n") {
			const next = "\n## From what runs here\n"
			doc = strings.Replace(doc, next, "\n"+heading+"\n\n"+about+"\n\n| key\n"+next, 1)
		}
		doc = tabled(doc, heading, "key", fields)
	}
	upToDate(t, "../docs/inventory.md", doc)
}

// tabled returns the documentation with the table of a section generated from its fields.
func tabled(doc, heading, key string, fields []strict.Field) string {
	table := "| " + key + " | default | takes |\n|---|---|---|\n"
	for _, f := range fields {
		initial := f.Default
		if f.Required != "" {
			initial = "required"
		} else if initial == "" && f.Init != "" {
			initial = "`" + strings.Trim(f.Init, `"`) + "`"
		}
		table += strings.ReplaceAll("| `"+f.Name+"` | "+initial+" | "+f.Doc+" |\n", "|  |", "| |")
	}
	before, section, _ := strings.Cut(doc, "\n"+heading+"\n")
	text, rest, _ := strings.Cut(section, "\n| key")
	_, after, _ := strings.Cut(rest, "\n\n")
	return before + "\n" + heading + "\n" + text + "\n" + table + "\n" + after
}

func documentation(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../docs/inventory.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
