package alerts

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/internal/strict"
	"github.com/claudeops/claudeops/internal/text"
)

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func TestTheBodiesOfEachSender(t *testing.T) {
	for name, want := range map[string][]Alert{
		"alertmanager.json": {
			{
				Source: "alertmanager", Fingerprint: "5ba1e3c9d2f4a677", Status: Firing, Means: check.Down, Title: "shop answers slowly",
				Names:    []string{"blackbox", "https://shop.example.org/health", "shop.example.org", "Latency"},
				Body:     "The 99th percentile is 4 s.\nalertname=Latency\ninstance=https://shop.example.org/health\njob=blackbox\nseverity=page",
				StartsAt: time.Date(2026, 3, 1, 11, 58, 2, 517e6, time.UTC),
			},
			{
				Source: "alertmanager", Fingerprint: "77aa00bb11cc22dd", Status: Resolved, Names: []string{"mail", "Latency"}, Means: check.Degraded,
				Title: "Latency", Body: "alertname=Latency\nservice=mail",
				StartsAt: time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC), EndsAt: time.Date(2026, 3, 1, 11, 59, 0, 0, time.UTC),
			},
		},
		"grafana.json": {{
			Source: "grafana", Fingerprint: "c6eadffa33fcdf38", Status: Firing, Names: []string{"queue", "Queue length"}, Means: check.Degraded,
			Title: "The queue grows", Body: "alertname=Queue length\ngrafana_folder=shop\nservice_name=queue", StartsAt: time.Date(2026, 3, 1, 11, 51, 3, 157076e3, time.UTC),
		}},
		"uptime-kuma.json": {{
			Source: "uptime-kuma", Fingerprint: "7", Status: Firing, Means: check.Down, Names: []string{"Blog", "https://blog.example.org/", "blog.example.org"},
			Title: "connect ECONNREFUSED 192.0.2.10:443", Body: "[Blog] [🔴 Down] connect ECONNREFUSED 192.0.2.10:443",
		}},
		"uptime-kuma-test.json": nil,
		"uptime-kuma-certificate.json": {{
			Source: "uptime-kuma", Fingerprint: "302f441ca27957dd", Status: Firing, Means: check.Degraded, Names: []string{"Blog", "https://blog.example.org/", "blog.example.org"},
			Title: "[Blog][https://blog.example.org/] server certificate blog.example.org will expire in 14 days",
		}},
		"uptime-kuma-domain.json": {{
			Source: "uptime-kuma", Fingerprint: "b3b5fa1ceefb55d2", Status: Firing, Means: check.Degraded, Names: []string{"example.org"},
			Title: "Domain name example.org will expire in 21 days",
		}},
		"healthchecks.json": {{
			Source: "healthchecks", Fingerprint: "0f1e2d3c-0000-4000-8000-123456789abc", Status: Firing, Names: []string{"backup"}, Means: check.Down,
			Title: "exit status 3", Body: "exit status 3",
		}},
		"gatus.txt": {{
			Source: "gatus", Status: Firing, Names: []string{"shop"}, Means: check.Down, Title: `The "new" share \\nas\shop`,
			Body: "The \"new\" share \\\\nas\\shop\nis full\n\nstatus: resolved, it says",
		}},
	} {
		body, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		got, err := Read(body, now)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateApproxTime(0)); diff != "" {
			t.Errorf("%s, -want +got:\n%s", name, diff)
		}
	}
}

func TestBadBodies(t *testing.T) {
	for body, fault := range map[string]string{
		"":                                       "empty; must be JSON",
		"<html>":                                 "not JSON",
		"7":                                      "must be an alert or a list of alerts",
		"[]":                                     "empty; must be a list of alerts",
		"[1]":                                    "[0]: the number 1; must be an object",
		"{}":                                     "service: missing",
		`{"a":"\ud8"`:                            "not JSON",
		"services:\n- name: shop":                "not JSON",
		"service: shop":                          "status: missing; must be firing or resolved",
		"service: shop\nfiring":                  `"firing"; must be lines "member: value", an empty line`,
		`{"service":"shop"}`:                     "status: missing; must be firing or resolved",
		`{"service":["shop"],"status":"firing"}`: "service: an array; must be a string",
		`{"service":"","status":"firing"}`:       "service: empty",
		`{"service":"a\u001b[2Jb","status":"firing"}`:       "control character",
		`{"service":"shop","status":"firing","message":{}}`: "message: an object; must be a string",
		`{"alerts":{}}`:                                                  "alerts: an object; must be a list of alerts",
		`{"alerts":[{"status":"firing"}]}`:                               "alerts[0].labels: missing",
		`{"alerts":[{"status":"firing","labels":{"a":1}}]}`:              "alerts[0].labels.a: the number 1; must be a string",
		`{"alerts":[{"status":"x","labels":{}}]}`:                        `alerts[0].status: "x"; must be firing or resolved`,
		`{"alerts":[{"status":"firing","labels":{},"startsAt":"noon"}]}`: "must be a time like",
		`{"heartbeat":{"status":"down"},"monitor":{"name":"a"}}`:         "heartbeat.status: the string",
		`{"heartbeat":{"status":0}}`:                                     "monitor: missing",
		strings.Repeat(" ", MaxBytes+1):                                  "larger than 1048576 bytes",
		strings.Repeat("[", 1000):                                        "nested deeper",
	} {
		_, err := Read([]byte(body), now)
		var invalid *strict.InvalidError
		if !errors.As(err, &invalid) || !strings.Contains(err.Error(), fault) {
			t.Errorf("%.70s: %v, want %s", body, err, fault)
		}
	}
}

// Labels are foreign text: a name that no service can have is no candidate, and what is left is printable.
func TestLabelsWithControlCharacters(t *testing.T) {
	got, err := Read([]byte(`{"alerts":[{"status":"firing","labels":{"service":"a\u0007b","job":" x ","alertname":"ok","severity":"CRITICAL"},"annotations":{"summary":"\u001b[31mred\u202e\nline"}}]}`), now)
	if err != nil {
		t.Fatal(err)
	}
	a := got[0]
	if a.Names[0] != "ok" || a.Title != "red line" || a.Means != check.Down || strings.ContainsFunc(a.Body, func(r rune) bool { return r != '\n' && text.Steers(r) }) {
		t.Errorf("%+v", a)
	}
	if a.Fingerprint == "" {
		t.Error("without a fingerprint of its own it has none")
	}
}

func TestTextsAreBounded(t *testing.T) {
	got, err := Read(fmt.Appendf(nil, `{"service":"shop","status":"firing","message":%q,"fingerprint":%q,"source":%q}`,
		strings.Repeat("é", 5000), strings.Repeat("f", 5000), strings.Repeat("s", 5000)), now)
	if err != nil {
		t.Fatal(err)
	}
	a := got[0]
	if utf8.RuneCountInString(a.Title) > maxTitle || utf8.RuneCountInString(a.Body) > maxBody || len(a.Fingerprint) > maxKey || len(a.Source) > maxKey {
		t.Errorf("%d, %d, %d, %d", len(a.Title), len(a.Body), len(a.Fingerprint), len(a.Source))
	}
}

func FuzzRead(f *testing.F) {
	names, err := filepath.Glob("testdata/*.*")
	if err != nil || len(names) == 0 {
		f.Fatal(err, names)
	}
	for _, name := range names {
		body, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(body)
	}
	f.Add([]byte(`[{"service":"shop","status":"resolved","starts_at":"2099-01-01T00:00:00Z"}]`))
	f.Add([]byte(`[{"service":"shop","status":"firing"},{"service":"shop"}]`)) // one of two is invalid
	f.Fuzz(func(t *testing.T, body []byte) {
		all, err := Read(body, now)
		if err != nil && all != nil {
			t.Fatalf("%v, and %d alerts", err, len(all))
		}
		for _, a := range all {
			switch {
			case a.Status != Firing && a.Status != Resolved, !a.Means.Unwell(), len(a.Names) == 0, check.ServiceNameFault(a.Names[0]) != "":
				t.Errorf("%+v", a)
			case utf8.RuneCountInString(a.Title) > maxTitle, utf8.RuneCountInString(a.Body) > maxBody, strings.ContainsFunc(a.Title, text.Steers), a.Title == "":
				t.Errorf("texts of %+v", a)
			}
		}
	})
}
