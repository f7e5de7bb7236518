package hooks_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claudeops/claudeops/hooks"
)

func TestCountStatesChangesNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, hooks.StateName)
	for name, tt := range map[string]struct {
		text string
		want map[hooks.State]int
	}{
		"no file":      {"", map[hooks.State]int{}},
		"corrupt":      {`{"hooks": {"a": `, map[hooks.State]int{}},
		"no hooks":     {`{}`, map[hooks.State]int{}},
		"each state":   {`{"hooks":{"a":{"state":"open"},"b":{"state":"half_open"},"c":{"state":"closed"},"d":{}}}`, map[hooks.State]int{hooks.Open: 1, hooks.HalfOpen: 1, hooks.Closed: 2}},
		"strange ones": {`{"hooks":{"a":{"state":"ajar"},"b":7,"c":null}}`, map[hooks.State]int{hooks.Closed: 3}},
		"one twice":    {`{"hooks":{"a":{"state":"open"},"a":{"state":"closed"}}}`, map[hooks.State]int{hooks.Closed: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			if tt.text != "" {
				if err := os.WriteFile(path, []byte(tt.text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			before, _ := os.ReadDir(dir)
			got, err := hooks.CountStates(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			after, _ := os.ReadDir(dir)
			if now, _ := os.ReadFile(path); len(before) != len(after) || string(now) != tt.text {
				t.Errorf("%q became %q among %v", tt.text, now, after)
			}
		})
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := hooks.CountStates(dir); err == nil {
		t.Error("a directory is counted")
	}
}
