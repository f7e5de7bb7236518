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

// outcome writes what a reader said the way the tables do.
func outcome(effects Effects, err error) string {
	var refusal *Refusal
	switch {
	case errors.As(err, &refusal) && refusal.Forbidden:
		return "forbidden"
	case errors.As(err, &refusal):
		return "refused"
	case err != nil:
		return err.Error()
	}
	var parts []string
	if len(effects.Reads) > 0 {
		parts = append(parts, "reads:"+strings.Join(effects.Reads, ","))
	}
	if len(effects.Writes) > 0 {
		parts = append(parts, "writes:"+strings.Join(effects.Writes, ","))
	}
	if effects.Change != "" {
		parts = append(parts, "change:"+effects.Change)
	}
	if len(parts) == 0 {
		return "ok"
	}
	return strings.Join(parts, "+")
}

func effectless(err error) (Effects, error) { return Effects{}, err }

func TestTables(t *testing.T) {
	for _, test := range []struct {
		file string
		read func(string) (Effects, error)
	}{
		{"sed.txt", Sed},
		{"awk.txt", Awk},
		{"jq.txt", JQ},
		{"inspect.txt", func(text string) (Effects, error) { return effectless(JQInspect(text)) }},
		{"template.txt", func(text string) (Effects, error) { return effectless(Template(text)) }},
	} {
		t.Run(test.file, func(t *testing.T) {
			for _, row := range table(t, test.file) {
				effects, err := test.read(row.text)
				if got := outcome(effects, err); got != row.outcome {
					t.Errorf("line %d: %q is %s (%v), want %s", row.line, row.text, got, err, row.outcome)
				}
				if err != nil && !strings.Contains(err.Error(), ": ") {
					t.Errorf("line %d: %q: the reason %q does not name the program", row.line, row.text, err)
				}
			}
		})
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
		_, sedErr := Sed(text)
		_, awkErr := Awk(text)
		_, jqErr := JQ(text)
		for program, err := range map[string]error{"sed": sedErr, "awk": awkErr, "jq": jqErr, "template": Template(text)} {
			if err == nil {
				t.Errorf("%s: %s took it", name, program)
			}
		}
	}
}

func TestJQPath(t *testing.T) {
	for _, test := range []struct {
		filter string
		paths  string
		exact  bool
	}{
		{".[0].State.Health", ".State.Health", true},
		{".State", ".State", true},
		{".[] | .Name, .State.Status", ".Name .State.Status", true},
		{".[].Mounts[] | .Source", ".Mounts", true},
		{".[0].Config[\"En\" + \"v\"]", ".Config", true},
		{".[0].Config.Env[0]", ".Config.Env", true},
		{"length", "", true},
		{".", ".", false},
		{".[0] | to_entries", ".", false},
		{"env", "", false},
		{".[0] | frobnicate", "", false},
		{"(", "", false},
	} {
		paths, exact := JQPath(test.filter)
		if got := strings.Join(paths, " "); got != test.paths || exact != test.exact {
			t.Errorf("%s shows %q, %v, want %q, %v", test.filter, got, exact, test.paths, test.exact)
		}
	}
}

// A filter or template that multiplies what it may show is refused, and quickly.
func TestMultiplyingTexts(t *testing.T) {
	if err := JQInspect(".[0]" + strings.Repeat("|(.a,.b)", 200)); err == nil {
		t.Error("a filter with 2^200 paths was granted")
	}
	if err := Template("{{$x := .Name}}{{$y := .Id}}" + strings.Repeat("{{$x := or $x $y $x}}", 500) + "{{.Name}}"); err != nil {
		t.Error(err)
	}
	for _, deep := range []string{strings.Repeat(".a", 30000), strings.Repeat("(", 30000), strings.Repeat(`"\(`, 20000)} {
		if err := JQInspect(deep); err == nil {
			t.Errorf("%.10s… was granted", deep)
		}
	}
	if _, err := Awk("/[" + strings.Repeat("/", 30000) + "]/"); err == nil {
		t.Error("a pattern of slashes was granted")
	}
}
