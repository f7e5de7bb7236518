package script

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
)

// row is one line of a table in testdata: what a text is taken for.
type row struct {
	line    int
	outcome string
	text    string
}

// table reads a file of testdata.
func table(t testing.TB, name string) []row {
	t.Helper()
	content, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var rows []row
	for i, line := range strings.Split(strings.TrimSuffix(string(content), "\n"), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		outcome, text, found := strings.Cut(line, "  ")
		text = strings.TrimLeft(text, " ")
		if strings.HasPrefix(text, `"`) {
			if err := json.Unmarshal([]byte(text), &text); err != nil {
				t.Fatalf("%s:%d: %v", name, i+1, err)
			}
		}
		if !found || text == "" {
			t.Fatalf("%s:%d: expected an outcome, two spaces and a text", name, i+1)
		}
		rows = append(rows, row{line: i + 1, outcome: outcome, text: text})
	}
	return rows
}

// outcome writes what a reader said the way the table does.
func outcome(err error) string {
	var refusal *Refusal
	switch {
	case errors.As(err, &refusal) && refusal.Forbidden:
		return "forbidden"
	case errors.As(err, &refusal):
		return "refused"
	case err != nil:
		return err.Error()
	}
	return "ok"
}

func TestTemplates(t *testing.T) {
	for _, row := range table(t, "template.txt") {
		err := Template(row.text)
		if got := outcome(err); got != row.outcome {
			t.Errorf("line %d: %q is %s (%v), want %s", row.line, row.text, got, err, row.outcome)
		}
		if err != nil && !strings.Contains(err.Error(), ": ") {
			t.Errorf("line %d: %q: the reason %q does not name the program", row.line, row.text, err)
		}
	}
}

func TestTextThatNoReaderTakes(t *testing.T) {
	for name, text := range map[string]string{
		"too long":        strings.Repeat("p;", maxText/2+1),
		"not UTF-8":       "p # \xff",
		"NUL":             "p\x00",
		"carriage return": "p\r",
		"form feed":       "p\f",
	} {
		if Template(text) == nil || RedisScript(text) == nil {
			t.Errorf("%s: it is taken", name)
		}
	}
}

// A template that multiplies what it may show is read quickly.
func TestMultiplyingTemplates(t *testing.T) {
	if err := Template("{{$x := .Name}}{{$y := .Id}}" + strings.Repeat("{{$x := or $x $y $x}}", 500) + "{{.Name}}"); err != nil {
		t.Error(err)
	}
}

// Whatever comes: no crash, and no template is granted behind which an environment would be.
func FuzzTemplate(f *testing.F) {
	for _, row := range table(f, "template.txt") {
		f.Add(row.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if Template(text) == nil && Template(text+"{{.Config.Env}}") == nil {
			t.Errorf("an environment after %q was not seen", text)
		}
	})
}
