package wrapper

import (
	"encoding/json"
	"strings"
	"testing"
)

// What is printed for a skipped hook depends on what the agent program does with it.
func TestOutputWhenOpen(t *testing.T) {
	document := `{"result":"continue","message":"Hook disabled due to repeated failures"`
	for name, tt := range map[string]struct {
		stdin  string
		quiet  bool
		prints bool
		shows  bool
	}{
		"Stop":              {stdin: message("Stop"), prints: true, shows: true},
		"PreToolUse":        {stdin: message("PreToolUse"), prints: true, shows: true},
		"SessionStart":      {stdin: message("SessionStart"), prints: true, shows: true},
		"PermissionRequest": {stdin: message("PermissionRequest")},
		"PreCompact":        {stdin: message("PreCompact")},
		"SessionEnd":        {stdin: message("SessionEnd")},
		"asynchronous":      {stdin: message("Stop"), quiet: true},
		"no event":          {stdin: "", prints: true},
		"no JSON":           {stdin: "hello", prints: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := line(t, `echo bad >&2; exit 1`)
			w.configure(t, "circuit_breaker: {failure_threshold: 1}")
			w.run(t, tt.stdin)
			w.Options.Quiet = tt.quiet
			got := w.run(t, tt.stdin)
			if got.code != 0 || got.stderr != "" || strings.HasPrefix(got.stdout, document) != tt.prints || !tt.prints && got.stdout != "" {
				t.Errorf("got %+v", got)
			}
			var said struct{ SystemMessage string }
			if tt.prints {
				must(t, json.Unmarshal([]byte(got.stdout), &said))
			}
			if tt.shows != strings.Contains(said.SystemMessage, "(failed once in a row: Exit code 1: bad)") {
				t.Errorf("systemMessage %q", said.SystemMessage)
			}
			if tt.shows {
				equal(t, w.run(t, tt.stdin), result{})
			}
		})
	}
	t.Run("WorktreeCreate", func(t *testing.T) {
		w := line(t, `echo /path; exit 1`)
		for range 5 {
			equal(t, w.run(t, message("WorktreeCreate")), result{1, "/path\n", ""})
		}
	})
}
