package hooks_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/claudeops/claudeops/hooks"
)

// BenchmarkBeginAndFinish measures one run of a hook that changes no circuit, by the number of hooks in the file.
func BenchmarkBeginAndFinish(b *testing.B) {
	for _, n := range []int{1, 1_000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			f := hooks.File{
				Path:   b.TempDir() + "/hook_state.json",
				Now:    func() time.Time { return start },
				Random: func() float64 { return 0 },
				Policy: patient,
			}
			used := map[int]string{}
			for i := range n {
				used[i] = `{"state": "closed", "failure_count": 0, "consecutive_failures": 0, "consecutive_successes": 12, "first_failure": null,
					"last_failure": null, "last_success": "2026-02-10T23:35:42Z", "last_error": "", "disabled_at": null, "retry_after": null,
					"executions": 12, "last_call": "2026-02-10T23:35:42Z", "event": "PostToolUse"}`
			}
			if err := os.WriteFile(f.Path, []byte(full(n, used)), 0o600); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				begun, err := f.Begin(b.Context(), "hook-00000", hooks.Call{Event: "Stop", Session: "s"})
				if err != nil {
					b.Fatal(err)
				}
				if _, err := f.Finish(b.Context(), "hook-00000", begun, hooks.Outcome{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
