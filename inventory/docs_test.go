package inventory

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/check"
)

// Every example of the documentation is a services file.
func TestExamplesOfTheDocumentation(t *testing.T) {
	doc := documentation(t)
	blocks := 0
	for block := range strings.SplitSeq(doc, "\n```yaml\n") {
		text, _, closed := strings.Cut(block, "\n```\n")
		if blocks++; blocks == 1 {
			continue // what stands before the first
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

// The tables have every key, and the defaults that are in force.
func TestTablesOfTheDocumentation(t *testing.T) {
	doc := documentation(t)
	g := newGrammar()
	for _, c := range []struct {
		heading string
		keys    []string
	}{
		{"## Services", names(g.service)},
		{"### Maintenance", names(g.window)},
		{"## Checks", names(g.check)},
		{"### http", names(g.form(check.HTTP).fields)},
		{"### dns", names(g.form(check.DNS).fields)},
		{"### container", names(g.form(check.Container).fields)},
		{"### database", names(g.form(check.Database).fields)},
		{"### service", names(g.form(check.Service).fields)},
	} {
		keys := keysOfTables(t, doc, c.heading)
		for _, key := range c.keys {
			if !slices.Contains(keys, key) {
				t.Errorf("%s: %s is in no table", c.heading, key)
			}
		}
		for _, key := range keys {
			if !slices.Contains(c.keys, key) {
				t.Errorf("%s: there is no %s", c.heading, key)
			}
		}
	}
	for key, want := range map[string]string{
		"settle": brief(DefaultSettle), "timeout": brief(DefaultTimeout), "attempts": strconv.Itoa(DefaultAttempts), "status": "200-299",
		"redirects": strconv.Itoa(DefaultRedirects), "certificate_days": strconv.Itoa(DefaultCertificateDays), "method": "GET", "record": "A",
	} {
		if !strings.Contains(doc, fmt.Sprintf("\n| `%s` | `%s` |", key, want)) {
			t.Errorf("the default of %s is %s", key, want)
		}
	}
}

func documentation(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../docs/inventory.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// keysOfTables are the names in the first columns of the tables of a section, whose heads begin with "key".
func keysOfTables(t *testing.T, doc, heading string) (keys []string) {
	t.Helper()
	_, section, found := strings.Cut(doc, "\n"+heading+"\n")
	if !found {
		t.Fatalf("there is no %q", heading)
	}
	if end := strings.Index(section, "\n#"); end >= 0 {
		section = section[:end]
	}
	inTable := false
	for line := range strings.Lines(section) {
		cell, isRow := strings.CutPrefix(line, "| ")
		cell, _, _ = strings.Cut(cell, " |")
		switch {
		case !isRow && !strings.HasPrefix(line, "|-"):
			inTable = false
		case strings.HasPrefix(cell, "key"):
			inTable = true
		case isRow && inTable:
			for key := range strings.SplitSeq(cell, ", ") {
				keys = append(keys, strings.Trim(key, "`"))
			}
		}
	}
	return keys
}
