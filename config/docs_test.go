package config

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The documentation has every variable, with its default, and says whether it is secret.
func TestDocumentationHasEveryVariable(t *testing.T) {
	page, err := os.ReadFile("../docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	type row struct {
		Default string
		Secret  secrecy
	}
	documented := map[string]row{}
	for _, cells := range regexp.MustCompile("(?m)^\\| `([A-Z0-9_]+)` \\| (?:`([^`]*)` )?\\| (.*) \\|$").FindAllStringSubmatch(string(page), -1) {
		name := Prefix + cells[1]
		if _, twice := documented[name]; twice {
			t.Errorf("%s is on the page twice", name)
		}
		secret := public
		switch {
		case strings.HasPrefix(cells[3], "secret in its password"):
			secret = secretURL
		case strings.HasPrefix(cells[3], "secret"):
			secret = secretValue
		}
		documented[name] = row{cells[2], secret}
	}
	known := map[string]row{}
	for _, d := range definitions() {
		known[d.name] = row{d.def, d.secret}
	}
	if diff := cmp.Diff(known, documented); diff != "" {
		t.Errorf("docs/configuration.md differs from what the program knows (-program +page):\n%s", diff)
	}
}
