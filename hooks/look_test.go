package hooks_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/hooks"
)

// below returns every file in a directory, with its content.
func below(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		all[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestLookingChangesNothing(t *testing.T) {
	for name, prepare := range map[string]func(*fixture){
		"nothing":   func(*fixture) {},
		"damaged":   func(d *fixture) { d.put(`{"hooks": {`) },
		"empty":     func(d *fixture) { d.put("") },
		"a failure": func(d *fixture) { d.fails("lint", 3) },
		"a run":     func(d *fixture) { d.begin("lint", hooks.Call{Event: "Stop", Session: "s"}) },
	} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			prepare(d)
			before := below(t, filepath.Dir(d.Path))
			looked, err := d.Look()
			d.ok(err)
			if !maps.Equal(before, below(t, filepath.Dir(d.Path))) {
				t.Errorf("files before: %q\nafter: %q", before, below(t, filepath.Dir(d.Path)))
			}
			if damaged := slices.ContainsFunc(looked.Notes, func(n string) bool { return strings.Contains(n, "is damaged") }); damaged != (name == "damaged" || name == "empty") {
				t.Errorf("notes: %q", looked.Notes)
			}
			whole := d.report()
			if len(looked.Hooks) != len(whole.Hooks) || looked.Stats.TotalFailures != whole.Stats.TotalFailures {
				t.Errorf("looked: %+v\nwhole: %+v", looked, whole)
			}
		})
	}
}
