package e2e

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/claudeops/claudeops/testkit/need"
)

// The embedded files are what the authors of the packages published, unchanged, with their licences.
func TestVendoredFilesAreThoseOfTheirPackages(t *testing.T) {
	need.Full(t, "npm's packages: make web-assets")
	t.Parallel()
	const vendored = "../dashboard/web/assets/vendor"
	packages := map[string]string{
		"htmx.min.js":           "htmx.org/dist/htmx.min.js",
		"htmx.LICENSE.txt":      "htmx.org/LICENSE",
		"idiomorph-ext.min.js":  "idiomorph/dist/idiomorph-ext.min.js",
		"idiomorph.LICENSE.txt": "idiomorph/LICENSE",
	}
	entries, err := os.ReadDir(vendored)
	must(t, err)
	for _, entry := range entries {
		from, known := packages[entry.Name()]
		if !known {
			t.Errorf("%s: nobody knows which package it is of", entry.Name())
			continue
		}
		delete(packages, entry.Name())
		ours, err := os.ReadFile(filepath.Join(vendored, entry.Name()))
		must(t, err)
		theirs, err := os.ReadFile(filepath.Join(webAssets, from))
		if err != nil {
			t.Fatalf("%v: run `make web-assets`", err)
		}
		if !bytes.Equal(ours, theirs) {
			t.Errorf("%s is not %s of the package", entry.Name(), from)
		}
	}
	for name := range packages {
		t.Errorf("%s is missing", name)
	}
}
