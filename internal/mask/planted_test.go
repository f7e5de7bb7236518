package mask_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/internal/mask"
)

// planted matches a secret in a sample. What is between the brackets, and nothing else, must be masked.
var planted = regexp.MustCompile(`⟦([^⟧]*)⟧`)

// shown returns what a model gets of a text, which comes in pieces of random lengths.
func shown(t *testing.T, text string, lengths *rand.Rand) string {
	t.Helper()
	var out bytes.Buffer
	w := mask.NewWriter(&out, mask.New(nil))
	for rest := text; rest != ""; {
		n := min(len(rest), 1+lengths.IntN(1+lengths.IntN(300)))
		if _, err := w.Write([]byte(rest[:n])); err != nil {
			t.Fatal(err)
		}
		rest = rest[n:]
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// differ reports each line in which two texts differ.
func differ(t *testing.T, form, got, want string) {
	t.Helper()
	is, should := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(is), len(should)) {
		if i >= min(len(is), len(should)) {
			t.Errorf("%s: it has %d lines, not %d", form, len(is), len(should))
			return
		}
		if is[i] != should[i] {
			t.Errorf("%s, line %d:\nis   %s\nwant %s", form, i+1, is[i], should[i])
		}
	}
}

// TestPlantedSecrets plants secrets in texts of the forms that programs print. None reaches the model, and all else does.
func TestPlantedSecrets(t *testing.T) {
	files, err := filepath.Glob("testdata/planted/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	var secrets []string
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		sample := string(content)
		for _, m := range planted.FindAllStringSubmatch(sample, -1) {
			if slices.Contains(secrets, m[1]) {
				t.Errorf("%s: %s is planted twice", file, m[1])
			}
			secrets = append(secrets, m[1])
		}
		for form, prefix := range map[string]string{
			"": "", " added": "+", " removed": "-", " unchanged": " ", " with numbers": "12-", " of a file": "etc/a_1.yml-12-", " read": "    12→",
		} {
			if form != "" && filepath.Base(file) == "prefixes.txt" {
				continue
			}
			t.Run(filepath.Base(file)+form, func(t *testing.T) {
				text := prefix + strings.ReplaceAll(strings.TrimSuffix(sample, "\n"), "\n", "\n"+prefix)
				lengths := rand.New(rand.NewPCG(36, 200))
				want := planted.ReplaceAllLiteralString(text, mask.Redacted)
				for range 3 {
					differ(t, "masked", shown(t, planted.ReplaceAllString(text, "$1"), lengths), want)
				}
				if form == "" {
					differ(t, "masked again", shown(t, want, lengths), want)
				}
			})
		}
	}
	if len(secrets) < 200 {
		t.Errorf("%d secrets are planted", len(secrets))
	}
}
