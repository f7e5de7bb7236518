package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/store"
)

func TestNoticesOfOthersAreNotShown(t *testing.T) {
	s := newTestServer(t)
	for _, notice := range []string{"counters", "<b>hacked</b>", "--", ""} {
		wantReply(t, s.get("/services/jellyfin", header("Cookie", noticeCookie+"="+url.QueryEscape("<b>"+notice))), http.StatusOK)
		got := s.get("/services/jellyfin?notice=" + url.QueryEscape(notice))
		wantReply(t, got, http.StatusOK)
		if strings.Contains(got.body, "were reset") || strings.Contains(got.body, "<b>hacked") || strings.Contains(got.body, "banner ok") {
			t.Errorf("notice=%s is shown", notice)
		}
	}
}

func TestActionsThatFail(t *testing.T) {
	for _, row := range []struct {
		err    error
		status int
		word   string
	}{
		{fmt.Errorf("begin: %w", store.ErrLocked), http.StatusServiceUnavailable, "The database is locked"},
		{fmt.Errorf("service nobody: %w", store.ErrNotFound), http.StatusNotFound, "/services"},
		{fmt.Errorf("cooldown.json: disk full"), http.StatusInternalServerError, "disk full"},
	} {
		s := newTestServer(t)
		s.deeds.err = row.err
		wantReply(t, s.browser().submit("/services/jellyfin/reset", url.Values{}), row.status, row.word)
	}
}

// What a page of somebody else can make a browser send.
func TestCrossSiteRequestsChangeNothing(t *testing.T) {
	s := newTestServer(t)
	own := header("Origin", s.http.URL)
	for name, change := range map[string][]func(*http.Request){
		"foreign origin":             {header("Origin", "http://evil.example")},
		"origin null":                {header("Origin", "null")},
		"origin of another port":     {header("Origin", "http://127.0.0.1:1")},
		"origin with our name in it": {header("Origin", s.http.URL+".evil.example")},
		"cross-site":                 {header("Sec-Fetch-Site", "cross-site")},
		"same-site":                  {header("Sec-Fetch-Site", "same-site")},
		"cross-site with our origin": {own, header("Sec-Fetch-Site", "cross-site")},
	} {
		t.Run(name, func(t *testing.T) {
			for _, action := range []string{"/services/jellyfin/reset", "/pause", "/logout", "/login", fmt.Sprintf("/proposals/%d/approve", s.lab.Asks)} {
				got := s.browser().post(action, url.Values{"for": {"1h"}}, change...)
				wantReply(t, got, http.StatusForbidden, "Not sent from this dashboard")
			}
		})
	}
	if len(s.deeds.done) != 0 {
		t.Errorf("done: %q", s.deeds.done)
	}
	wantReply(t, s.browser().post("/services/jellyfin/reset", nil, own), http.StatusSeeOther) // without TLS browsers say no more
}

func flip(token string) string {
	last := token[0]
	replacement := byte('A')
	if last == 'A' {
		replacement = 'B'
	}
	return string(replacement) + token[1:]
}
