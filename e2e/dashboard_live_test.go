package e2e

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/store"
)

// lines is a script whose agent prints a word with each number, and then waits for the test.
func (w *world) lines(from, to int) []string {
	var script []string
	for n := from; n <= to; n++ {
		script = append(script, fmt.Sprintf("say line-%d-of-the-log", n))
	}
	return append(script, "wait-for "+w.path("agent", fmt.Sprintf("go-%d", to)))
}

// numbers returns the lines of the script that the page's log shows, in order; the agent program repeats its last one at the end.
const numbers = `[...document.querySelectorAll('.log .lines .k-text')].map(e => Number(e.innerText.match(/line-(\d+)-of-the-log/)?.[1]))`

// showsLines waits until the page shows the lines 1 to n, each once and in order.
func (b *tab) showsLines(n int) {
	b.t.Helper()
	b.until(fmt.Sprintf("line %d", n), fmt.Sprintf("(%s).includes(%d)", numbers, n))
	got := eval[[]int](b, numbers)
	for i, number := range got {
		if number != i+1 || len(got) != n {
			b.t.Fatalf("the page shows the lines %v, want 1 to %d", got, n)
		}
	}
}

func (w *world) letGoOn(n int) {
	w.t.Helper()
	must(w.t, os.WriteFile(w.path("agent", fmt.Sprintf("go-%d", n)), nil, 0o600))
}

// A real cycle runs. Its agent prints the next line once the test has seen the last one.
func TestDashboardARunningSessionIsWatched(t *testing.T) {
	w := newWorld(t)
	script := []string{"init"}
	for _, n := range []int{3, 6, 9, 12} {
		script = append(script, w.lines(n-2, n)...)
	}
	w.agent(1, append(script, finish)...)
	cycle := w.start("run-once")
	s := w.serve()
	waitFor(t, w.path("results", "session-1.ndjson"))
	cable := plug(t, s)
	b := newTab(t, cable.url, desktop)
	b.open("/")
	b.click(`main a[href="/sessions/1"]`)
	b.at("/sessions/1")
	b.showsLines(3)
	w.letGoOn(3)
	b.showsLines(6)

	b.noFaults("before the cut")
	b.expects("net::ERR_", "htmx:afterRequest", "htmx:sendError") // the errors of a browser, and of a page that was just requesting something, for a closed connection
	cable.cut()
	w.letGoOn(6)
	b.until("a word that the connection is gone", `document.querySelector('.log .pulse').innerText === 'connecting again'`)
	cable.mend()
	b.showsLines(9)
	// A browser does not reconnect after an answer that is not a stream; the page does.
	b.expects("status of 502", "Error Code 502")
	cable.goDown()
	b.until("a word that the connection is gone", `document.querySelector('.log .pulse').innerText === 'connecting again'`)
	b.until("an answer of the proxy", `performance.getEntriesByType('resource').some(e => e.responseStatus === 502)`)
	cable.mend()
	w.letGoOn(9)
	b.showsLines(12)

	w.letGoOn(12)
	must(t, cycle.Wait())
	b.until("the end", `document.querySelector('.log .pulse').innerText === 'ended'`)
	b.showsLines(12)
	b.until("the session's status", `document.querySelector('#page header .st').innerText === 'completed'`)
	b.showsLines(12)
}

// reader is a user's position on a page.
type reader struct {
	Opened   int    `json:"opened"`
	Selected string `json:"selected"`
	Scroll   int    `json:"scroll"`
	Focus    string `json:"focus"`
	Same     bool   `json:"same"` // the document was not reloaded
}

func (b *tab) reader() reader {
	b.t.Helper()
	return eval[reader](b, `({opened: document.querySelectorAll('details[open]').length, selected: String(getSelection()), scroll: Math.round(scrollY),
		focus: document.activeElement.outerHTML.slice(0, 200), same: !!window.sameDocument})`)
}

// What was opened, selected and scrolled to is kept when the page around it is updated.
func TestDashboardAnUpdateLeavesTheReaderAlone(t *testing.T) {
	w := newWorld(t)
	fails := func(service string) {
		w.records(func(ctx context.Context, s *store.Store) error {
			return s.AddChecks(ctx, store.Reported, 0, time.Now(), []check.Result{{Service: service, Type: check.HTTP, Status: check.Down, Error: "502 Bad Gateway"}})
		})
	}
	for i := range 40 {
		fails(fmt.Sprintf("service-%02d", i))
	}
	b := newTab(t, w.serve().url, phone)
	b.open("/")
	b.says("service-00")
	eval[any](b, `(() => {
		window.sameDocument = true;
		window.ticks = 0;
		document.addEventListener('htmx:beforeRequest', () => window.ticks++);
		for (const d of document.querySelectorAll('details')) d.open = true;
		getSelection().selectAllChildren(document.querySelector('main h2'));
		document.querySelector('main a[href="/services/service-03"]').focus({preventScroll: true});
		scrollTo(0, 300);
	})()`)
	b.until("the scroll", "scrollY >= 299")
	before := b.reader()
	if before.Selected == "" || before.Scroll == 0 || !strings.Contains(before.Focus, "/services/service-03") {
		t.Fatalf("the reader is not in place: %+v", before)
	}
	fails("zzz-new-one")
	b.until("the time of an update", "window.ticks > 0")
	equal(t, "while a text is selected the reader is moved to", b.reader(), before)
	eval[any](b, "getSelection().collapse(document.body, 0)")
	before.Selected = ""
	b.says("zzz-new-one")
	equal(t, "after the update the reader is", b.reader(), before)
}

func TestDashboardGoesOverOnceADatabaseIsThere(t *testing.T) {
	w := newWorld(t)
	b := newTab(t, w.serve().url, desktop)
	b.expects("503")
	b.open("/")
	b.says("No cycle has run yet")
	w.agent(1, reportFine, finish)
	w.cycle(0)
	b.until("the service", `document.querySelector('main a[href="/services/shop"]')`)
}
