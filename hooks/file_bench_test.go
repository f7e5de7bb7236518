package hooks_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/hooks"
)

// BenchmarkBeginAndFinish is what one run of a hook costs that changes no circuit, with so many hooks in the file.
func BenchmarkBeginAndFinish(b *testing.B) {
	for _, n := range []int{1, 1_000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			f := hooks.File{
				Path:   b.TempDir() + "/hook_state.json",
				Now:    func() time.Time { return start },
				Random: func() float64 { return 0 },
				Policy: patient,
			}
			if err := os.WriteFile(f.Path, []byte(many(n)), 0o600); err != nil {
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

// many is a file of n hooks that have run, about 400 bytes each.
func many(n int) string {
	var b strings.Builder
	b.WriteString("{\n  \"hooks\": {")
	for i := range n {
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, `
    "hook-%05d": {
      "state": "closed",
      "failure_count": 0,
      "consecutive_failures": 0,
      "consecutive_successes": 12,
      "first_failure": null,
      "last_failure": null,
      "last_success": "2026-02-10T23:35:42Z",
      "last_error": "",
      "disabled_at": null,
      "retry_after": null,
      "executions": 12,
      "last_call": "2026-02-10T23:35:42Z",
      "event": "PostToolUse"
    }`, i)
	}
	b.WriteString("\n  }\n}\n")
	return b.String()
}
