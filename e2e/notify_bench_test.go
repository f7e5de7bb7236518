package e2e

import (
	"fmt"
	"net"
	"os/exec"
	"testing"
	"time"

	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// BenchmarkDelivery measures what notifications add to a healthy cycle of probes: with a target but nothing to send, compared with the same
// cycle without a target. Goal: at most 50 ms more. With a server that never answers: at most CLAUDEOPS_NOTIFY_TIMEOUT more.
func BenchmarkDelivery(b *testing.B) {
	program := release(b, "claudeops")
	silent, err := net.Listen("tcp", "127.0.0.1:0") // the kernel accepts connections; no process ever reads from them
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = silent.Close() })
	inventory, _ := fleet(b, 50)
	cycle := func(b *testing.B, settings ...string) rival {
		dir, environ := stage(b, append([]string{"CLAUDEOPS_INVENTORY=" + inventory, "CLAUDEOPS_TIER1_AGENT=probe"}, settings...)...)
		recent := time.Now().UTC().Add(-time.Hour).Format(time.RFC3339) // sends the day's digest
		put(b, dir+"/state/"+statefile.FileName, fmt.Sprintf(`{"services":{},"last_run":null,"last_daily_digest":%q}`, recent))
		return rival{run: func() *exec.Cmd {
			cmd := exec.Command(program, "run-once")
			cmd.Env = environ
			return cmd
		}}
	}
	b.Run("nothing to send", func(b *testing.B) {
		versus(b, cycle(b, "CLAUDEOPS_APPRISE_URLS=json://127.0.0.1:9/x"), cycle(b))
	})
	b.Run("dead server", func(b *testing.B) {
		const limit = "1s"
		dir, environ := stage(b, "CLAUDEOPS_INVENTORY="+inventory, "CLAUDEOPS_TIER1_AGENT=probe", "CLAUDEOPS_NOTIFY_TIMEOUT="+limit,
			"CLAUDEOPS_APPRISE_URLS=ntfy://x.example/y", "CLAUDEOPS_APPRISE_API_URL=http://"+silent.Addr().String())
		waits := rival{run: func() *exec.Cmd {
			cmd := exec.Command(program, "run-once")
			cmd.Env = environ
			return cmd
		}, ready: func() { waiting(b, dir) }}
		versus(b, waits, cycle(b))
	})
}

// waiting leaves a message for a target that is due.
func waiting(b *testing.B, dir string) {
	b.Helper()
	s, err := store.Open(b.Context(), dir+"/state/"+store.FileName, store.ReadWrite)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := s.AddNotification(b.Context(), store.Notification{Kind: store.Message, Title: "something to say"}); err != nil {
		b.Fatal(err)
	}
	if err := s.Retarget(b.Context(), nil); err != nil { // so that the target's failure is forgotten
		b.Fatal(err)
	}
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
}
