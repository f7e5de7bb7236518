package e2e

import (
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/claudeops/claudeops/store"
)

// restartedTwice is a world in which a service has used up its restarts.
func restartedTwice(t *testing.T) *world {
	t.Helper()
	w := newWorld(t)
	for range 2 {
		w.exits(0, "cooldown", "record", "shop", "restart", "success")
	}
	return w
}

// notice is what an action did, said once.
const notice = `main p.banner.ok[role=status]`

const resetShop = `form[action="/services/shop/reset"] button`

func TestDashboardResetsACounter(t *testing.T) { resetsACounter(t, phone) }
func TestDashboardResetsACounterWithoutJavaScript(t *testing.T) {
	resetsACounter(t, screen{width: 1280, noScript: true})
}

func resetsACounter(t *testing.T, s screen) {
	t.Helper()
	w := restartedTwice(t)
	b := newTab(t, w.serve().url, s)
	b.open("/cooldowns")
	b.click(`main a[href="/services/shop"]`)
	b.at("/services/shop")
	b.reveal(resetShop)
	b.click(resetShop)
	b.has(notice)
	b.at("/services/shop")
	counted(t, "after the reset the records", w.cooldowns().Service("shop").Restarts, 0)
	w.wantEvent(store.Info, "counters emptied (page, from 127.0.0.1)")
	w.exits(0, "cooldown", "check", "shop", "restart")
	if !s.noScript {
		b.violations("after a reset")
	}
	b.open("/services/shop")
	if n := b.count(notice); n != 0 {
		t.Error("the notice is shown more than once")
	}
}

func TestDashboardResetsWhileACycleRuns(t *testing.T) {
	w := restartedTwice(t)
	running, let := w.waiting()
	cycle := w.start("run-once")
	waitFor(t, running)
	b := newTab(t, w.serve().url, desktop)
	b.open("/services/shop")
	b.reveal(resetShop)
	b.click(resetShop)
	b.has(notice)
	b.violations("a reset")
	counted(t, "the records", w.cooldowns().Service("shop").Restarts, 0)
	must(t, os.WriteFile(let, nil, 0o600))
	must(t, cycle.Wait())
	counted(t, "after the cycle the records", w.cooldowns().Service("shop").Restarts, 0)
}

// reveal opens what a selector's first find is folded away in, as people do.
func (b *tab) reveal(selector string) {
	b.t.Helper()
	b.has(selector)
	if eval[bool](b, `(e => { const d = e.closest('details:not([open])'); if (d) d.querySelector('summary').id = 'to-reveal'; return !!d })(document.querySelector(`+js(selector)+`))`) {
		b.click("#to-reveal")
	}
}

const token = "correct-horse-battery-staple"

func (b *tab) logIn(token string) {
	b.t.Helper()
	b.has("input[name=token]")
	b.click("input[name=token]")
	b.press(token + kb.Enter)
}

func TestDashboardAsksForItsToken(t *testing.T) {
	w := newWorld(t)
	w.chainTo20()
	w.env["CLAUDEOPS_DASHBOARD_TOKEN"] = token
	s := w.serve()
	for _, screen := range []screen{desktop, {width: 390, dark: true, noScript: true}} {
		b := newTab(t, s.url, screen)
		b.expects("401", "403")
		b.open("/sessions/19?x=1")
		b.at("/login?next=%2Fsessions%2F19%3Fx%3D1")
		if !screen.noScript {
			b.violations("the login page")
		}
		b.logIn("correct-horse-battery-stable")
		b.has("[role=alert]")
		b.logIn(token)
		b.at("/sessions/19?x=1")
		b.says("Escalated from Session #18 (Tier 1)")
		b.open("/")
		b.click(`form[action="/logout"] button`)
		b.has("input[name=token]")
		b.open("/sessions")
		b.at("/login?next=%2Fsessions")
	}
}

// Who logs out on one device logs out there alone; a cookie of an older token opens nothing.
func TestDashboardASessionEndsWithItsToken(t *testing.T) {
	w := newWorld(t)
	w.chainTo20()
	w.env["CLAUDEOPS_DASHBOARD_TOKEN"] = token
	s := w.serve()
	w.env["CLAUDEOPS_DASHBOARD_TOKEN"] = strings.ToUpper(token)
	another := w.serve() // before the tab, so that the tab is closed first: a page may still fetch its icon
	b := newTab(t, s.url, desktop)
	b.open("/")
	b.logIn(token)
	b.at("/")
	b.moveTo(another)
	b.open("/services")
	b.at("/login?next=%2Fservices")
}
