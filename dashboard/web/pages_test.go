package web

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

func TestPagesAnswer(t *testing.T) {
	s := newTestServer(t)
	chain := s.lab.Chain
	for path, word := range map[string]string{
		"/":                                   "Overview",
		"/sessions":                           "Sessions",
		fmt.Sprintf("/sessions/%d", chain[0]): fmt.Sprintf("Escalated to Session #%d (Tier 2)", chain[1]),
		fmt.Sprintf("/sessions/%d/log", chain[0]): "Log of session",
		"/incidents": "Incidents",
		fmt.Sprintf("/incidents/%d", s.lab.Fixed): "Incident",
		fmt.Sprintf("/incidents/%d", s.lab.Open):  "Incident",
		"/services":                               "Services",
		"/services?status=unknown":                "Services",
		"/services/jellyfin?span=7d":              "jellyfin",
		"/services?q=a&status=healthy&limit=2":    "Services",
		"/events":                                 "Events",
		"/events?level=info&session=1&before=99":  "Events",
		"/cooldowns":                              "Cooldowns",
		"/hooks":                                  "python3 ~/.claude/hooks/digest.py",
		"/settings":                               "CLAUDEOPS_STATE_DIR",
		"/sessions?status=completed&tier=1&trigger=cron&from=2026-07-01&until=2026-07-31&service=&before=": "Sessions",
	} {
		got := s.get(path)
		wantReply(t, got, http.StatusOK, word, "</html>")
		if kind := got.Header.Get("Content-Type"); kind != "text/html; charset=utf-8" {
			t.Errorf("%s is %q", path, kind)
		}
	}
}

func TestALogIsAFile(t *testing.T) {
	s := newTestServer(t)
	got := s.get(fmt.Sprintf("/sessions/%d/log/file", s.lab.Chain[0]))
	wantReply(t, got, http.StatusOK, `"type":"result"`)
	if d := got.Header.Get("Content-Disposition"); !strings.HasPrefix(d, "attachment") || strings.Count(got.body, "\n") < 5 {
		t.Errorf("it is sent as %q, %.200s", d, got.body)
	}
	wantReply(t, s.get("/sessions/99999/log/file"), http.StatusNotFound, "There is no such session")
	wantReply(t, s.get("/sessions/x/log/file"), http.StatusNotFound, "There is no such session")
}

func TestPagesLeadToTheNext(t *testing.T) {
	s := newTestServer(t)
	first := s.get("/sessions?limit=2&tier=1")
	wantReply(t, first, http.StatusOK, "limit=2&amp;tier=1", "before=")
}

func TestHeadIsAnsweredWithoutABody(t *testing.T) {
	s := newTestServer(t)
	for _, path := range []string{"/", "/sessions", "/api/v1/overview", "/healthz", fmt.Sprintf("/sessions/%d/log/stream", s.lab.Running)} {
		if got := s.ask(http.MethodHead, path); got.StatusCode != http.StatusOK || got.body != "" {
			t.Errorf("HEAD %s: %d %q", path, got.StatusCode, got.body)
		}
	}
}
