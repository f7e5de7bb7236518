package script

import (
	"strings"
	"testing"
)

// The readers never crash, and a text that they grant holds no word that executes or shows the environment, except
// where it is only data: in strings, patterns and comments, of which the fuzzed texts with these words have none.

func addRows(f *testing.F, name string) {
	f.Helper()
	for _, row := range table(f, name) {
		f.Add(row.text)
	}
}

func FuzzSed(f *testing.F) {
	addRows(f, "sed.txt")
	f.Fuzz(func(t *testing.T, text string) {
		_, err := Sed(text)
		if _, wrapped := Sed("p\n" + text + "\ne"); err == nil && wrapped == nil && !strings.HasSuffix(text, `\`) {
			t.Errorf("an e after %q was not seen", text)
		}
	})
}

func FuzzAwk(f *testing.F) {
	addRows(f, "awk.txt")
	f.Fuzz(func(t *testing.T, text string) {
		_, err := Awk(text)
		if _, wrapped := Awk(text + "\n" + `BEGIN{system("x")}`); err == nil && wrapped == nil {
			t.Errorf("a system after %q was not seen", text)
		}
	})
}

func FuzzJQ(f *testing.F) {
	addRows(f, "jq.txt")
	addRows(f, "inspect.txt")
	f.Fuzz(func(t *testing.T, text string) {
		_, err := JQ(text)
		if _, wrapped := JQ(text + "\n| env"); err == nil && wrapped == nil {
			t.Errorf("an env after %q was not seen", text)
		}
		if JQInspect(text) == nil && JQInspect("("+text+") , .") == nil {
			t.Errorf("the whole after %q was not seen", text)
		}
		JQPath(text)
	})
}

func FuzzTemplate(f *testing.F) {
	addRows(f, "template.txt")
	f.Fuzz(func(t *testing.T, text string) {
		if Template(text) == nil && Template(text+"{{.Config.Env}}") == nil {
			t.Errorf("an environment after %q was not seen", text)
		}
	})
}
