package cli

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// A panic is trouble like any other: exit 2, which refuses the call, and one line.
func TestAPanicOfTheGuardRefuses(t *testing.T) {
	for name, value := range map[string]string{
		"CLAUDEOPS_STATE_DIR": t.TempDir(), "CLAUDEOPS_RESULTS_DIR": t.TempDir(), "CLAUDEOPS_REPOS_DIR": t.TempDir(),
		"CLAUDEOPS_SESSION_ID": "1", "CLAUDEOPS_TIER": "1", "CLAUDEOPS_RUN_TOKEN": "token-of-a-test",
	} {
		t.Setenv(name, value)
	}
	var out, errs bytes.Buffer
	code := Main(t.Context(), []string{"claudeops", "guard"}, Streams{
		In:  strings.NewReader(`{"cwd":"/","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"docker ps"},"tool_use_id":"t1"}`),
		Out: &out, Err: &errs, Now: func() time.Time { panic("no\ntime") },
	})
	if code != exitUsage || out.Len() > 0 || errs.String() != "claudeops: the guard failed: no time\n" {
		t.Errorf("exit code %d, output %q, error %q", code, &out, &errs)
	}
}
