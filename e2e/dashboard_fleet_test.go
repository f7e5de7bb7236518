package e2e

import (
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/claudeops/claudeops/store"
)

func TestDashboardShowsSeveralDatabasesSideBySide(t *testing.T) {
	w := newWorld(t)
	w.chainTo20()
	fleet := w.path("fleet")
	for _, name := range []string{"attic", "cellar"} {
		must(t, os.MkdirAll(w.path("fleet", name), 0o700))
	}
	// Each is a separate world; the first has sessions, the second a service.
	must(t, os.Rename(w.path("state", store.FileName), w.path("fleet", "attic", store.FileName)))
	w.agent(1, reportDown, "result 0.07 3")
	w.agent(2, "result 0.11 3")
	w.cycle(0)
	must(t, os.Rename(w.path("state", store.FileName), w.path("fleet", "cellar", store.FileName)))
	b := newTab(t, w.serve("--db", fleet).url, desktop)
	b.open("/")
	b.says("attic")
	b.says("cellar")
	b.violations("the fleet")
	b.click(`main a[href="/at/cellar/"]`)
	b.at("/at/cellar/")
	b.says("shop")
	b.violations("one of the fleet")
	b.click(`nav a[href="/at/cellar/sessions"]`)
	b.at("/at/cellar/sessions")
	b.click(`main a[href="/at/cellar/sessions/2"]`)
	b.at("/at/cellar/sessions/2")
	b.follow("Escalated from Session #1 (Tier 1)")
	b.at("/at/cellar/sessions/1")
	b.open("/at/attic/sessions/20")
	b.follow("Escalated from Session #19 (Tier 2)")
	b.at("/at/attic/sessions/19")
	b.open("/at/cellar/services/shop")
	b.says("shop")
	if n := b.count("form[method=post]"); n != 0 {
		t.Errorf("%d forms would change what is not of this configuration", n)
	}
}

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
