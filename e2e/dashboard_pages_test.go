package e2e

import (
	"context"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/testkit/seeded"
	"github.com/claudeops/claudeops/tiers"
)

// homelab returns a world with the records of a month of 14 services, and a running session.
func homelab(t *testing.T) (*world, *seeded.Lab) {
	t.Helper()
	w := newWorld(t)
	lab, err := seeded.Homelab(t.Context(), w.dir, time.Now())
	must(t, err)
	w.runs(lab.Running)
	return w, lab
}

// runs gives a session's agent a live process that is not an ancestor of the test's programs, which would otherwise count as the agent's.
func (w *world) runs(session int64) {
	w.t.Helper()
	cmd := exec.Command("sh", "-c", "sleep 3600 & echo $!; wait")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, err := cmd.StdoutPipe()
	must(w.t, err)
	must(w.t, cmd.Start())
	w.t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		_ = cmd.Wait()
	})
	var pid int
	_, err = fmt.Fscan(out, &pid)
	must(w.t, err)
	is, err := tiers.Identify(pid)
	must(w.t, err)
	w.records(func(ctx context.Context, s *store.Store) error {
		return s.SetSessionProcess(ctx, session, is.PID, is.Start, is.BootID)
	})
}

// pages are all pages of a homelab.
func pages(lab *seeded.Lab) []string {
	first, last := lab.Chain[0], lab.Chain[len(lab.Chain)-1]
	return []string{
		"/", "/sessions", "/sessions?tier=2&status=completed", "/sessions?service=nobody-knows-it", fmt.Sprintf("/sessions/%d", first), fmt.Sprintf("/sessions/%d", last),
		fmt.Sprintf("/sessions/%d", lab.Running), fmt.Sprintf("/sessions/%d/log", last), "/incidents", "/incidents?open=true", fmt.Sprintf("/incidents/%d", lab.Fixed),
		fmt.Sprintf("/incidents/%d", lab.Open), fmt.Sprintf("/incidents/%d", lab.Held), "/services", "/services?status=down", "/services/jellyfin",
		"/services/jellyfin?span=30d", "/events", "/events?level=critical", "/cooldowns", "/hooks", "/settings",
		// Pages that do not exist, and invalid ones.
		"/sessions/987654", "/services/nobody-knows-it", "/nowhere", "/sessions?tier=seven",
	}
}

// Each page on each screen opens without a fault, needs no sideways scrolling, has a title, and has no violation according to axe-core.
func TestDashboardPages(t *testing.T) {
	w, lab := homelab(t)
	s := w.serve("--env-file", lab.EnvFile)
	for _, screen := range []screen{{width: 1280}, {width: 1280, dark: true}, {width: 390}, {width: 390, dark: true}} {
		t.Run(screen.String(), func(t *testing.T) {
			t.Parallel()
			b := newTab(t, s.url, screen)
			b.expects("status of 404", "status of 400")
			titles := map[string]string{}
			for _, path := range pages(lab) {
				b.open(path)
				b.has("main h1")
				b.fits(path)
				if screen.dark {
					b.badColours(path)
				} else {
					b.violations(path)
				}
				b.noFaults(path)
				title := eval[string](b, "document.title")
				if title == "" {
					t.Errorf("%s has no title", path)
				}
				titles[title] = path
			}
			if len(titles) < 15 {
				t.Errorf("too many pages share a title: %v", titles)
			}
		})
	}
}

// focused returns what has the focus, and whether that is visible.
const focused = `(e => ({
	what: e.getAttribute('href') ?? e.getAttribute('name') ?? e.tagName.toLowerCase(),
	inMain: !!e.closest('main'), form: !!e.closest('main form'), row: /^\/sessions\/\d+$/.test(e.getAttribute('href') ?? ''),
	// Of a date, the browser marks the part that is typed into.
	seen: e.type === 'datetime-local' || e.matches(':focus-visible') && (getComputedStyle(e).outlineStyle !== 'none' || getComputedStyle(e).boxShadow !== 'none') && e.getBoundingClientRect().width > 1,
}))(document.activeElement)`

type focus struct {
	What   string `json:"what"`
	InMain bool   `json:"inMain"`
	Form   bool   `json:"form"`
	Row    bool   `json:"row"`
	Seen   bool   `json:"seen"`
}

func TestDashboardByKeyboardAlone(t *testing.T) {
	w := newWorld(t)
	w.chainTo20()
	b := newTab(t, w.serve().url, desktop)
	tab := func() focus {
		b.press(kb.Tab)
		f := eval[focus](b, focused)
		if !f.Seen {
			t.Errorf("the focus on %q cannot be seen", f.What)
		}
		return f
	}
	b.open("/sessions")
	skip := tab()
	if !strings.HasPrefix(skip.What, "#") {
		t.Fatalf("the first stop is %q, want a link past the navigation", skip.What)
	}
	b.press(kb.Enter)
	b.until("the main part", "location.hash === "+js(skip.What))
	if f := tab(); !f.InMain {
		t.Errorf("behind the skip link the next stop is %q, want one of the main part", f.What)
	}

	b.open("/sessions")
	var stops []focus
	for len(stops) < 60 && (len(stops) == 0 || !stops[len(stops)-1].Row) {
		stops = append(stops, tab())
	}
	filter := slices.IndexFunc(stops, func(f focus) bool { return f.Form })
	row := slices.IndexFunc(stops, func(f focus) bool { return f.Row })
	if filter < 0 || row < filter {
		t.Fatalf("the filter is stop %d and the first row stop %d of %+v", filter, row, stops)
	}
	b.press(kb.Enter)
	b.at(stops[row].What)
}

// TestDashboardWithoutJavaScript uses what works without it: reading, filtering, the next page, a raw log.
func TestDashboardWithoutJavaScript(t *testing.T) {
	w, lab := homelab(t)
	b := newTab(t, w.serve("--env-file", lab.EnvFile).url, screen{width: 1280, noScript: true})
	for _, path := range pages(lab)[:22] {
		b.open(path)
		b.has("main h1")
		b.noFaults(path)
	}
	b.open("/services")
	b.do("ask for a service", chromedp.SendKeys(chromedp.CSS("main form input[name=q]"), "jelly\r"))
	b.until("the filtered list", `location.search.includes('q=jelly') && document.readyState === 'complete'`)
	if n := b.count(`main a[href^="/services/"]`); n == 0 || b.count(`main a[href="/services/jellyfin"]`) == 0 {
		t.Errorf("the filtered list has %d services", n)
	}

	b.open("/sessions")
	newest := eval[string](b, `document.querySelector('main a[href^="/sessions/"]').getAttribute('href')`)
	b.click(`main a[href*="before="]`)
	b.until("the next page", `location.search.includes('before=') && document.readyState === 'complete'`)
	if b.count(`main a[href="`+newest+`"]`) != 0 {
		t.Errorf("the next page has the session %s of the first", newest)
	}

	b.open(fmt.Sprintf("/sessions/%d", lab.Chain[len(lab.Chain)-1]))
	b.click(`main a[href$="/log"]`)
	b.until("the raw log", `location.pathname.endsWith('/log') && document.querySelector('main').innerText.length > 200`)
}
