package web

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/ledger"
)

// pressed are the buttons of pages, with what each does.
func pressed(s *site) []struct {
	page, action string
	form         url.Values
	done, said   string
} {
	incident := fmt.Sprintf("/incidents/%d", s.lab.Held)
	return []struct {
		page, action string
		form         url.Values
		done, said   string
	}{
		{"/services/jellyfin", "/services/jellyfin/silence", url.Values{"for": {"4h"}, "reason": {"a new disk"}}, `silence "jellyfin" for 4h0m0s (a new disk)`, "It is silenced"},
		{"/services/jellyfin", "/services/jellyfin/silence/end", nil, `end the silence of "jellyfin"`, "silenced no longer"},
		{"/services/jellyfin", "/services/jellyfin/reset", nil, "counters jellyfin", "The counters of this service were reset."},
		{"/", "/pause", url.Values{"for": {"1d"}}, `silence "" for 24h0m0s ()`, "Everything is paused"},
		{"/", "/pause/end", nil, `end the silence of ""`, "Nothing is paused"},
		{"/services/jellyfin", "/check", url.Values{"service": {"jellyfin"}}, "check now", "A cycle begins within ten seconds."},
		{"/", "/check", nil, "check now", "A cycle begins within ten seconds."},
		{incident, incident + "/acknowledge", nil, fmt.Sprintf("acknowledge %d", s.lab.Held), "no reminder is sent"},
		{incident, incident + "/close", nil, fmt.Sprintf("close %d", s.lab.Held), "The incident is closed."},
	}
}

func TestEachButtonDoesWhatItSays(t *testing.T) {
	s := newTestServer(t)
	b := s.browser()
	for _, button := range pressed(s) {
		if !strings.HasSuffix(button.action, "/end") && !strings.Contains(b.get(button.page).body, `action="`+button.action+`"`) {
			t.Errorf("%s has no button for %s", button.page, button.action)
		}
		s.deeds.done = nil
		form := url.Values{}
		for name, values := range button.form {
			form[name] = values
		}
		got := b.submit(button.action, form)
		wantReply(t, got, http.StatusSeeOther)
		if to := got.Header.Get("Location"); to != button.page {
			t.Errorf("%s leads to %s", button.action, to)
		}
		if want := []string{button.done + ": page, from 127.0.0.1"}; !slices.Equal(s.deeds.done, want) {
			t.Errorf("%s did %q", button.action, s.deeds.done)
		}
		wantReply(t, b.get(button.page), http.StatusOK, button.said)
		if strings.Contains(b.get(button.page).body, button.said) {
			t.Errorf("%s says twice that %s", button.page, button.said)
		}
	}
}

// What a page of somebody else sends, and what a link, a preview or a crawler does.
func TestButtonsArePressedOnThePageAlone(t *testing.T) {
	s := newTestServer(t)
	for _, button := range pressed(s) {
		wantReply(t, s.browser().post(button.action, url.Values{"for": {"1h"}}, header("Origin", "http://evil.example")), http.StatusForbidden)
		for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPut, http.MethodDelete} {
			if got := s.ask(method, button.action); got.StatusCode != http.StatusMethodNotAllowed && got.StatusCode != http.StatusForbidden {
				t.Errorf("%s %s: %d", method, button.action, got.StatusCode)
			}
		}
	}
	if len(s.deeds.done) > 0 {
		t.Errorf("done: %q", s.deeds.done)
	}
}

func TestButtonsThatFail(t *testing.T) {
	s := newTestServer(t)
	b := s.browser()
	wantReply(t, b.submit("/pause", url.Values{"for": {"30d"}}), http.StatusBadRequest, "For how long?")
	wantReply(t, b.submit("/incidents/x/close", url.Values{}), http.StatusNotFound)
	s.deeds.err = &ledger.ClosedError{ID: 7, At: testNow.Add(-time.Hour)}
	wantReply(t, b.submit("/incidents/7/close", url.Values{}), http.StatusConflict, "ncident 7 is closed already")
	if len(s.deeds.done) > 0 {
		t.Errorf("done: %q", s.deeds.done)
	}
}

func TestCheckNowSaysWhenNothingStartsACycle(t *testing.T) {
	s := newTestServer(t)
	s.deeds.alone = true
	b := s.browser()
	got := b.submit("/check", url.Values{})
	wantReply(t, got, http.StatusSeeOther)
	wantReply(t, b.get(got.Header.Get("Location")), http.StatusOK, "A cycle is running.") // that of the homelab
	for notice, want := range map[string]string{"due-1784024460": "due at 10:21 UTC", "due-x": "", "due-": "", "unwatched": "No `claudeops cron` runs here"} {
		if got := s.server.noticeText(notice); !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%s: %q", notice, got)
		}
	}
}
