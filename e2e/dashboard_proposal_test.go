package e2e

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/testkit/modeltest"
	"github.com/claudeops/claudeops/testkit/receiver"
)

// askedByMessage is a world in which an agent wants to restart a real container, a dashboard behind a token, and the path of the link in the
// message that asks about it.
func askedByMessage(t *testing.T, link string) (w *world, c *container, s *site, path string) {
	t.Helper()
	w, srv, c := stoppedContainer(t)
	r := receiver.New(t)
	w.byAPI(r)
	w.env["CLAUDEOPS_DASHBOARD_TOKEN"], w.env["CLAUDEOPS_APPROVAL_LINK"] = token, link
	w.env["CLAUDEOPS_DASHBOARD_URL"] = "http://127.0.0.1:1" // a dashboard whose port is not known yet is on loopback, too
	s = w.serve()
	w.env["CLAUDEOPS_DASHBOARD_URL"] = s.url
	w.play(srv, modeltest.Script{"sonnet": {restarts(), modeltest.Say("It waits for a person.")}})
	for _, m := range r.Messages() {
		if found := regexp.MustCompile(regexp.QuoteMeta(s.url) + `(/proposals/1\?to=[0-9a-f.]+)(\s|$)`).FindStringSubmatch(m.Body); found != nil {
			path = found[1]
		}
	}
	if path == "" {
		t.Fatalf("no message has a link: %+v", r.Messages())
	}
	w.wantHidden(path[strings.LastIndex(path, ".")+1:])
	return w, c, s, path
}

// wantHidden fails if a signature is in a file of the world: the database, a log, a record.
func (w *world) wantHidden(signature string) {
	w.t.Helper()
	must(w.t, filepath.WalkDir(w.dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil //nolint:nilerr // a cycle removes folders meanwhile
		}
		if text, err := os.ReadFile(path); err == nil && strings.Contains(string(text), signature) {
			w.t.Errorf("%s holds the signature of a link", path)
		}
		return nil
	}))
}

const approveButton, rejectButton = `form[action="/proposals/1/approve"] button`, `form[action="/proposals/1/reject"] button`

// A person at a phone: the message's link, the login, Approve, and the proof that the restart helped.
func TestDashboardApprovesByAMessagesLink(t *testing.T) {
	w, c, s, path := askedByMessage(t, "login")
	b := newTab(t, s.url, phone)
	b.open(path)
	b.has("input[name=token]")
	b.logIn(token)
	b.at(path)
	b.says("docker restart " + c.name)
	b.says("it has exited; see")
	if n := b.count(`main a[href*="evil.example"]`); n != 0 {
		t.Error("an agent's words became a link")
	}
	b.fits("a proposal")
	b.violations("a proposal")
	c.wantRestarted(false)
	b.click(approveButton)
	b.has(notice)
	b.says("link of ")
	b.violations("an approved proposal")
	w.wantEvent(store.Info, "proposal 1 approved (link of ")
	w.cycle(0)
	c.wantRestarted(true)
	b.says("it ran, and the checks find shop healthy")
	b.click(`main .banner a[href^="/sessions/"]`)
	b.says("Session #")
	c.born = c.startedAt()

	// The same link again, and the form of another tab: nothing more runs.
	b.open(path)
	if n := b.count(approveButton); n != 0 {
		t.Error("a decided proposal can be approved again")
	}
	w.cycle(0)
	c.wantRestarted(false)
	counted(t, "acts", w.acts(), 1)
}

func TestDashboardRejectsByALinkAlone(t *testing.T) {
	w, c, s, path := askedByMessage(t, "bearer")
	crawler := newTab(t, s.url, desktop)
	crawler.expects("403", "401")
	first, other := newTab(t, s.url, phone), newTab(t, s.url, screen{width: 1280, noScript: true})
	for _, b := range []*tab{first, other} {
		b.expects("409")
		b.open(path)
		b.has(approveButton)
		b.fits("a proposal by its link")
	}
	first.click(`#reason`)
	first.press("not during the sale")
	first.click(rejectButton)
	first.says("not during the sale")
	other.click(approveButton)
	other.says("Decided already")
	crawler.open(path[:len(path)-1])
	crawler.says("This link opens nothing")
	w.cycle(0)
	c.wantRestarted(false)
	w.wantProposal(1, store.ProposalRejected, "not during the sale")
	counted(t, "acts", w.acts(), 0)
}

// A crawler opens every link of every page, by GET and HEAD, and follows redirects: nothing changes.
func TestDashboardACrawlerChangesNothing(t *testing.T) {
	w, lab := homelab(t)
	s := w.serve("--env-file", lab.EnvFile)
	before := decisions(t, lab.Database)
	seen := map[string]bool{}
	queue := []string{"/"}
	links := regexp.MustCompile(`(?:href|action|src|hx-get)="(/[^"#]*)`)
	for len(queue) > 0 && len(seen) < 400 {
		path := queue[0]
		queue = queue[1:]
		if seen[path] || strings.HasSuffix(path, "/log/stream") {
			continue
		}
		seen[path] = true
		for _, method := range []string{http.MethodHead, http.MethodGet} {
			r, err := http.NewRequestWithContext(t.Context(), method, s.url+strings.ReplaceAll(path, "&amp;", "&"), http.NoBody)
			must(t, err)
			r.Header.Set("Purpose", "prefetch")
			answer, err := http.DefaultClient.Do(r)
			must(t, err)
			body, err := readAtMost(answer)
			must(t, err)
			for _, link := range links.FindAllStringSubmatch(body, -1) {
				queue = append(queue, link[1])
			}
		}
	}
	for _, button := range []string{fmt.Sprintf("/proposals/%d/approve", lab.Asks), "/pause", "/check", fmt.Sprintf("/incidents/%d/close", lab.Held)} {
		if !seen[button] {
			t.Errorf("it did not come to %s; it saw %d", button, len(seen))
		}
	}
	if after := decisions(t, lab.Database); after != before {
		t.Errorf("it was\n%s\nand is\n%s", before, after)
	}
}

// decisions are the records that a person can change.
func decisions(t *testing.T, database string) string {
	t.Helper()
	s, err := store.Open(t.Context(), database, store.ReadOnly)
	must(t, err)
	defer s.Close()
	var all []any
	note := func(v any, err error) {
		must(t, err)
		all = append(all, v)
	}
	ctx := context.WithoutCancel(t.Context())
	proposals, err := s.Proposals(ctx, store.ProposalFilter{})
	note(proposals, err)
	incidents, err := s.OpenIncidents(ctx)
	note(incidents, err)
	silences, err := s.Silences(ctx, 0)
	note(silences, err)
	events, err := s.Events(ctx, store.EventFilter{Limit: 5})
	note(events, err)
	text, err := json.Marshal(all, json.Deterministic(true))
	must(t, err)
	return string(text)
}

// Every button once, in a browser at a phone's width, with its effect in the records.
func TestDashboardEveryButton(t *testing.T) {
	w := newWorld(t)
	w.agent(1, reportDown, finish)
	w.env["CLAUDEOPS_MAX_TIER"] = "1"
	w.cycle(0)
	b := newTab(t, w.serve().url, phone)
	const by = "(page, from 127.0.0.1)"
	press := func(page, button, event string) {
		t.Helper()
		b.open(page)
		b.reveal(button)
		b.violations(page)
		b.fits(page)
		b.click(button)
		b.has(notice)
		w.wantEvent(store.Info, event)
	}
	form := func(action string) string { return `form[action="` + action + `"] button` }
	press("/", form("/check"), "a cycle was asked for "+by)
	press("/services/shop", form("/services/shop/silence"), "shop is silenced until ")
	says(t, w.exits(0, "silence", "list").out, "shop")
	press("/services/shop", form("/services/shop/silence/end"), "shop is silenced no longer")
	press("/", form("/pause"), "everything is paused until ")
	press("/", form("/pause/end"), "everything is paused no longer")
	press("/incidents/1", form("/incidents/1/acknowledge"), "incident 1 acknowledged "+by)
	says(t, w.run("status").out, "acknowledged at", by)
	says(t, w.exits(0, "incidents", "show", "1").out, by)
	press("/incidents/1", form("/incidents/1/close"), "incident 1 closed "+by)
}

func readAtMost(answer *http.Response) (string, error) {
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, 4<<20))
	return string(body), err
}
