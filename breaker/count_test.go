package breaker_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claudeops/claudeops/breaker"
)

func TestCountStatesChangesNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, breaker.StateName)
	for name, tt := range map[string]struct {
		text string
		want map[breaker.State]int
	}{
		"no file":      {"", map[breaker.State]int{}},
		"corrupt":      {`{"hooks": {"a": `, map[breaker.State]int{}},
		"no hooks":     {`{}`, map[breaker.State]int{}},
		"each state":   {`{"hooks":{"a":{"state":"open"},"b":{"state":"half_open"},"c":{"state":"closed"},"d":{}}}`, map[breaker.State]int{breaker.Open: 1, breaker.HalfOpen: 1, breaker.Closed: 2}},
		"strange ones": {`{"hooks":{"a":{"state":"ajar"},"b":7,"c":null}}`, map[breaker.State]int{breaker.Closed: 3}},
		"one twice":    {`{"hooks":{"a":{"state":"open"},"a":{"state":"closed"}}}`, map[breaker.State]int{breaker.Closed: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			if tt.text != "" {
				if err := os.WriteFile(path, []byte(tt.text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			before, _ := os.ReadDir(dir)
			got, err := breaker.CountStates(path)
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
	if _, err := breaker.CountStates(dir); err == nil {
		t.Error("a directory is counted")
	}
}
