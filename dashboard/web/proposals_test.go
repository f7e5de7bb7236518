package web

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/dashboard"
	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/store"
)

// withLinks has a token, and links of one target, phone, that open pages as the setting says.
func withLinks(l config.ApprovalLink, links notify.Links) func(*dashboard.Options) {
	return func(o *dashboard.Options) {
		o.Token = testToken
		o.Config.ApprovalLink = l
		o.LinkTarget = func(p store.Proposal, to string) string {
			if links.Target(p, to) == "abcd" {
				return "phone"
			}
			return ""
		}
	}
}

// linked is a site with the link to its waiting proposal, as a path.
func linked(t *testing.T, l config.ApprovalLink) (s *site, path, link string) {
	t.Helper()
	links := must(notify.OpenLinks(t.TempDir()))(t)
	s = newTestServer(t, withLinks(l, links))
	d := must(s.server.instance.Proposal(t.Context(), s.lab.Asks))(t)
	return s, fmt.Sprintf("/proposals/%d", d.ID), strings.TrimPrefix(links.Link(s.http.URL, d.Proposal, "abcd"), s.http.URL)
}

// decide presses a button of the page at a path, as a browser does.
func (b *browser) decide(page, button string, form url.Values) reply {
	b.t.Helper()
	r := b.get(page)
	if to := inputValue(r.body, "to"); to != "" {
		form.Set("to", to)
	}
	return b.post(button, form, header("Sec-Fetch-Site", "same-origin"))
}

func TestAProposalIsShownAndDecided(t *testing.T) {
	s := newTestServer(t)
	b := s.browser()
	page := fmt.Sprintf("/proposals/%d", s.lab.Asks)
	got := b.get(page)
	wantReply(t, got, http.StatusOK, "docker restart paperless-db-1", "/srv/stacks", "refuses connections", "HTTP 500", "2 of 2 used", "nothing runs")
	for name, want := range map[string]string{"Referrer-Policy": "same-origin", "Cache-Control": "no-store"} {
		if v := got.Header.Get(name); v != want {
			t.Errorf("%s is %q", name, v)
		}
	}
	wantReply(t, b.decide(page, page+"/approve", url.Values{}), http.StatusSeeOther)
	wantReply(t, b.decide(page, page+"/reject", url.Values{"reason": {"not at noon"}}), http.StatusSeeOther)
	want := []string{fmt.Sprintf("approve %d: page, from 127.0.0.1", s.lab.Asks), fmt.Sprintf("reject %d (not at noon): page, from 127.0.0.1", s.lab.Asks)}
	if !slices.Equal(s.deeds.done, want) {
		t.Errorf("done: %q", s.deeds.done)
	}
	wantReply(t, b.get(fmt.Sprintf("/proposals/%d", s.lab.Asks-1)), http.StatusOK, "link of phone, from 192.168.1.31", "shows its proof", fmt.Sprintf("/sessions/%d", s.lab.Chain[2]))
	wantReply(t, b.get("/proposals"), http.StatusOK, "paperless: may Tier 3 restart it?", "immich: may Tier 3 redeploy it?", "waits for an answer")
	wantReply(t, s.get("/proposals/999"), http.StatusNotFound, "There is no such proposal")
	s.deeds.err = &ledger.DecidedError{Proposal: store.Proposal{ID: 7, Status: store.ProposalDone}}
	wantReply(t, b.decide(page, page+"/approve", url.Values{}), http.StatusConflict, "Decided already", "nothing more runs")
}

// What the agent said is data: no link, no markup.
func TestAnAgentsWordsAreNoLinkOnTheProposal(t *testing.T) {
	s := newTestServer(t)
	v := s.server.view(must(http.NewRequest(http.MethodGet, "/", http.NoBody))(t), "x", "proposals", proposalView{ProposalDetail: &dashboard.ProposalDetail{ProposalLine: dashboard.ProposalLine{
		Proposal: store.Proposal{ID: 1, Reason: "see https://evil.example/ <a href='https://evil.example/'>here</a>", Status: store.ProposalWaiting, ExpiresAt: testNow}, Waits: true}}})
	page := string(must(s.server.render(t.Context(), "proposal", v))(t))
	if strings.Contains(page, `href="https://evil`) || strings.Contains(page, "<a href='https") || !strings.Contains(page, "see https://evil.example/") {
		t.Error(page)
	}
}

// With login, the link leads to the page, which demands the login; the signature only says whose message it was.
func TestALinkThatLeadsToTheLogin(t *testing.T) {
	s, page, link := linked(t, config.LinkLogin)
	got := s.get(link)
	wantReply(t, got, http.StatusSeeOther)
	if to := got.Header.Get("Location"); to != "/login?next="+url.QueryEscape(link) {
		t.Errorf("it leads to %s", to)
	}
	b := s.browser()
	wantReply(t, b.post(page+"/approve", url.Values{"to": {strings.TrimPrefix(link, page+"?to=")}}, header("Sec-Fetch-Site", "same-origin")), http.StatusUnauthorized)
	wantReply(t, b.submit("/login", url.Values{"token": {testToken}}), http.StatusSeeOther)
	wantReply(t, b.get(link), http.StatusOK, "by the link of phone")
	wantReply(t, b.decide(link, page+"/approve", url.Values{}), http.StatusSeeOther)
	wantReply(t, b.decide(link+"x", page+"/approve", url.Values{}), http.StatusSeeOther) // altered: who is logged in needs no link
	want := []string{fmt.Sprintf("approve %d: link of phone, from 127.0.0.1", s.lab.Asks), fmt.Sprintf("approve %d: page, from 127.0.0.1", s.lab.Asks)}
	if !slices.Equal(s.deeds.done, want) {
		t.Errorf("done: %q", s.deeds.done)
	}
}

// As a bearer's, the link alone shows this one proposal and lets decide it, and nothing else.
func TestALinkThatLetsDecide(t *testing.T) {
	s, page, link := linked(t, config.LinkBearer)
	b := s.browser()
	got := b.get(link)
	wantReply(t, got, http.StatusOK, "docker restart paperless-db-1", "by the link of phone")
	for _, other := range []string{`href="/sessions`, `href="/services`, `href="/incidents`, `href="/"`, "Log out"} {
		if strings.Contains(got.body, other) {
			t.Errorf("the page leads on: %s", other)
		}
	}
	to := strings.TrimPrefix(link, page)
	for _, other := range []string{"/", "/sessions", "/proposals", "/services/paperless", fmt.Sprintf("/proposals/%d", s.lab.Asks-1), page} {
		at := other + to
		if other == page {
			at = page // without its signature
		}
		if got := b.get(at); got.StatusCode != http.StatusSeeOther && got.StatusCode != http.StatusForbidden {
			t.Errorf("%s: %d", at, got.StatusCode)
		}
	}
	for _, at := range []string{apiPrefix + page + to, apiPrefix + "/proposals" + to, "/metrics" + to} {
		if got := b.get(at); got.StatusCode != http.StatusUnauthorized {
			t.Errorf("%s: %d", at, got.StatusCode)
		}
	}
	got = b.decide(link, page+"/approve", url.Values{})
	wantReply(t, got, http.StatusSeeOther)
	if got.Header.Get("Location") != link {
		t.Errorf("it leads to %s", got.Header.Get("Location"))
	}
	if want := []string{fmt.Sprintf("approve %d: link of phone, from 127.0.0.1", s.lab.Asks)}; !slices.Equal(s.deeds.done, want) {
		t.Errorf("done: %q", s.deeds.done)
	}
}

// What was decided meanwhile is still shown by the link.
func TestALinkOfWhatIsDecided(t *testing.T) {
	s, page, link := linked(t, config.LinkBearer)
	s.deeds.err = &ledger.DecidedError{Proposal: store.Proposal{ID: s.lab.Asks, Status: store.ProposalRejected}}
	wantReply(t, s.browser().decide(link, page+"/approve", url.Values{}), http.StatusConflict, "Decided already", `href="`+link+`"`)
}

func TestLinksThatOpenNothing(t *testing.T) {
	s, page, link := linked(t, config.LinkBearer)
	signed := strings.TrimPrefix(link, page+"?to=")
	last := signed[len(signed)-1]
	flipped := signed[:len(signed)-1] + string("01"[map[bool]int{true: 1}[last == '0']])
	another := fmt.Sprintf("/proposals/%d", s.lab.Asks-1)
	for name, row := range map[string]struct{ page, to string }{
		"altered":             {page, flipped},
		"cut":                 {page, signed[:len(signed)-1]},
		"another target":      {page, "ffff" + strings.TrimPrefix(signed, "abcd")},
		"no signature":        {page, "abcd."},
		"without a target":    {page, strings.TrimPrefix(signed, "abcd")},
		"of another proposal": {another, signed},
		"of none":             {"/proposals/999", signed},
		"words":               {page, "' OR 1=1 --"},
	} {
		t.Run(name, func(t *testing.T) {
			const same = "It was altered, or is not of this proposal, or that was pruned. Nothing was run"
			wantReply(t, s.get(row.page+"?to="+url.QueryEscape(row.to)), http.StatusForbidden, "This link opens nothing", same)
			for _, button := range []string{"/approve", "/reject"} {
				got := s.browser().post(row.page+button, url.Values{"to": {row.to}}, header("Sec-Fetch-Site", "same-origin"))
				wantReply(t, got, http.StatusForbidden, "This link opens nothing", same) // whether or not there is such a proposal
			}
		})
	}
	// Opened, previewed and fetched ahead, by whatever, it does nothing; and a button is pressed by POST alone.
	for _, method := range []string{http.MethodGet, http.MethodHead} {
		for range 3 {
			if got := s.ask(method, link, header("User-Agent", "TelegramBot (like TwitterBot)"), header("Purpose", "prefetch")); got.StatusCode != http.StatusOK {
				t.Errorf("%s: %d", method, got.StatusCode)
			}
		}
		for _, button := range []string{"/approve", "/reject"} {
			if got := s.ask(method, page+button+"?to="+url.QueryEscape(signed)); got.StatusCode < 400 {
				t.Errorf("%s %s: %d", method, button, got.StatusCode)
			}
		}
	}
	s.wait(24 * time.Hour)
	wantReply(t, s.get(link), http.StatusOK, "expired")
	s.wait(24 * time.Hour)
	wantReply(t, s.get(link), http.StatusForbidden, "This link is over")
	if len(s.deeds.done) > 0 {
		t.Errorf("done: %q", s.deeds.done)
	}
}
