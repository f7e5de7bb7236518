package e2e

import (
	"os"
	"syscall"
	"testing"
	"time"
)

func TestCronServesTheDashboardBesideItsCycles(t *testing.T) {
	w := newWorld(t)
	running, let := w.waiting()
	w.env["CLAUDEOPS_DASHBOARD_ADDR"] = "127.0.0.1:0"
	c := w.stays(nil, "cron", "--run-on-start", "--dashboard")
	waitFor(t, running)
	b := newTab(t, c.address(), desktop)
	b.open("/sessions/1")
	b.says("running")
	must(t, os.WriteFile(let, nil, 0o600))
	b.says("completed")
	c.says("cycle ended", 1)
	c.signal(syscall.SIGTERM)
	c.ends(128 + int(syscall.SIGTERM))
}

// address waits until the log contains an address.
func (c *cronProcess) address() string {
	c.w.t.Helper()
	for end := time.Now().Add(deadline); ; time.Sleep(2 * time.Millisecond) {
		if url := addressOfASite.FindString(c.log()); url != "" {
			return url
		}
		if time.Now().After(end) {
			c.w.t.Fatalf("the log names no address:\n%s", c.log())
		}
	}
}
