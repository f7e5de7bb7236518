package e2e

import (
	"testing"
)

// withChainTo20 serves a world with the chain of Session #18 (Tier 1), #19 (Tier 2) and #20 (Tier 3), and opens one of its pages.
func withChainTo20(t *testing.T, path string) *tab {
	t.Helper()
	w := newWorld(t)
	w.chainTo20()
	b := newTab(t, w.serve().url, desktop)
	b.open(path)
	return b
}

func TestSPEC0016_DashboardEscalationChainDisplay_EscalationChainCostRollup(t *testing.T) {
	b := withChainTo20(t, "/sessions/18")
	says(t, eval[string](b, "document.querySelector('main .chaingraph [aria-current=true]').textContent"), "Cost$0.04")
	says(t, eval[string](b, "document.querySelector('main .figures.total').textContent"), "Chain cost$1.79")
	b.open("/sessions/17")
	says(t, b.text("main"), "$0.01")
}

func TestDashboardAChainIsFollowedUpAndDown(t *testing.T) {
	b := withChainTo20(t, "/")
	b.click(`nav a[href="/sessions"]`)
	b.at("/sessions")
	b.click(`main a[href="/sessions/20"]`)
	b.at("/sessions/20")
	for _, step := range []struct{ link, path string }{
		{"Escalated from Session #19 (Tier 2)", "/sessions/19"},
		{"Escalated from Session #18 (Tier 1)", "/sessions/18"},
		{"Escalated to Session #19 (Tier 2)", "/sessions/19"},
		{"Escalated to Session #20 (Tier 3)", "/sessions/20"},
	} {
		b.follow(step.link)
		b.at(step.path)
	}
}
