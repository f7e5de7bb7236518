package e2e

import (
	"fmt"
	"strings"
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

func TestSPEC0016_DashboardEscalationChainDisplay_SessionDetailShowsParentLink(t *testing.T) {
	b := withChainTo20(t, "/sessions/19")
	b.follow("Escalated from Session #18 (Tier 1)")
	b.at("/sessions/18")
	if strings.Contains(b.text("main"), "Escalated from") {
		t.Error("the root of the chain is escalated from something")
	}
	b.open("/sessions/20")
	b.follow("Escalated from Session #19 (Tier 2)")
	b.at("/sessions/19")
}

func TestSPEC0016_DashboardEscalationChainDisplay_SessionDetailShowsChildLink(t *testing.T) {
	b := withChainTo20(t, "/sessions/18")
	b.follow("Escalated to Session #19 (Tier 2)")
	b.at("/sessions/19")
	b.follow("Escalated to Session #20 (Tier 3)")
	b.at("/sessions/20")
	if strings.Contains(b.text("main"), "Escalated to") {
		t.Error("the end of the chain is escalated to something")
	}
	b.open("/sessions/17")
	if strings.Contains(b.text("main"), "Escalated") {
		t.Error("a session that is alone is shown as escalated")
	}
}

// Both examples of the specification: the chain is behind its icon, and each session in it is indented further than its parent. A single
// session has neither icon nor indentation.
func TestSPEC0016_DashboardEscalationChainDisplay_SessionsListShowsEscalationIndicator(t *testing.T) {
	b := withChainTo20(t, "/sessions")
	inset := map[int]float64{}
	for id := 17; id <= 20; id++ {
		row := fmt.Sprintf(`document.querySelector('main a[href="/sessions/%d"]').closest('tr')`, id)
		inset[id] = eval[float64](b, `Math.min(...[...`+row+`.querySelectorAll('th svg, th a')].map(e => e.getBoundingClientRect().left))`)
		icon := eval[bool](b, row+`.closest('tbody').querySelector('svg use[href="#i-chain"]') !== null`)
		if want := id != 17; icon != want {
			t.Errorf("session %d: the icon of a chain: %t, want %t", id, icon, want)
		}
	}
	if inset[17] != inset[18] || inset[19] <= inset[18] || inset[20] <= inset[19] {
		t.Errorf("the sessions begin at %v px", inset)
	}
}

func TestSPEC0016_DashboardEscalationChainDisplay_EscalationChainCostRollup(t *testing.T) {
	b := withChainTo20(t, "/sessions/18")
	says(t, eval[string](b, "document.querySelector('main .chaingraph [aria-current=true]').textContent"), "Cost$0.04")
	says(t, eval[string](b, "document.querySelector('main .figures.total').textContent"), "Chain cost$1.79")
	b.open("/sessions/17")
	says(t, b.text("main"), "$0.01")
}

func TestSPEC0016_PerTierCostAttribution_ChainCostBreakdownVisible(t *testing.T) {
	b := withChainTo20(t, "/sessions/19")
	rows := eval[[]string](b, `[...document.querySelectorAll('main .chaingraph li, main .figures.total')].map(e => e.textContent.replace(/\s+/g, ' '))`)
	for _, want := range [][]string{
		{"Tier 1", "Cost$0.04", "Took21 s", "Turns4 "},
		{"Tier 2", "Cost$0.25", "Took3 min", "Turns11 "},
		{"Tier 3", "Cost$1.50", "Took12 min", "Turns37 "},
		{"Chain cost$1.79", "Took15 min 21 s", "Turns52 "},
	} {
		if !anyHasAll(rows, want) {
			t.Errorf("no row says %q: %q", want, rows)
		}
	}
}

// anyHasAll reports whether one of the texts has every part.
func anyHasAll(texts, parts []string) bool {
	for _, text := range texts {
		all := true
		for _, part := range parts {
			all = all && strings.Contains(text, part)
		}
		if all {
			return true
		}
	}
	return false
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
