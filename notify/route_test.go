package notify

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNamesOfTargetsHoldNoSecret(t *testing.T) {
	for url, want := range map[string]string{
		"ntfy://ntfy.sh/topic":                                      "ntfy://ntfy.sh",
		"NTFYS://me:secret@ntfy.example.com:8443/topic":             "ntfys://ntfy.example.com:8443",
		"json://127.0.0.1:8000/hidden":                              "json://127.0.0.1:8000",
		"json://[::1]:8000/hidden":                                  "json://[::1]:8000",
		"json://localhost/hidden":                                   "json://localhost",
		"gotify://gotify:8080/token":                                "gotify://gotify:8080",
		"mailto://me:pass@example.com":                              "mailto://example.com",
		"tgram://123456789:AAabcDEF-ghi/12345":                      "tgram://…",
		"tgram://123456789:40000/12345":                             "tgram://…",
		"slack://T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ":      "slack://…",
		"discord://4174216298/JHMHI8qBe7bk2ZwO5U711o3dV_js":         "discord://…",
		"pbul://o.gn5kj6nfhv736I7jC3cj3QLRiyhgl98b":                 "pbul://…",
		"jwt://eyJhbGciOi.eyJzdWIiOi.SflKxwRJSM":                    "jwt://…",
		"ntfy://just-a-topic":                                       "ntfy://…",
		"sns://AHIAJGNT76XIMXDBIJYA/bu1dHSdO22pfaaVy/us-east-2/+12": "sns://…",
	} {
		routes := Settings{URLs: []string{url}}.Routes()
		if len(routes) != 1 || routes[0].Name != want {
			t.Errorf("%s: %+v; want %s", url, routes, want)
		}
	}
}

func TestRoutesAreOneForEachURL(t *testing.T) {
	urls := []string{"tgram://one-token/x", "tgram://other-token/x", "tgram://one-token/x", "json://h.example?format=text"}
	direct, byServer := Settings{URLs: urls}.Routes(), Settings{URLs: urls, APIURL: "http://127.0.0.1:8000"}.Routes()
	if len(direct) != 3 || len(byServer) != 3 {
		t.Fatalf("%d and %d routes; want 3", len(direct), len(byServer))
	}
	var names []string
	for i, r := range direct {
		names = append(names, r.Name)
		if r.Hash != byServer[i].Hash || len(r.Hash) != 32 || strings.Contains(r.Hash, "token") {
			t.Errorf("hashes %q, %q; want the same 32 digits whoever sends", r.Hash, byServer[i].Hash)
		}
		if r.Text != (i == 2) {
			t.Errorf("%s: plain text %v", r.Name, r.Text)
		}
	}
	if diff := cmp.Diff([]string{"tgram://…", "tgram://… (2)", "json://h.example"}, names); diff != "" {
		t.Error(diff)
	}
	if direct[0].Hash == direct[1].Hash {
		t.Error("two targets have the same hash")
	}
}

func TestStoredConfigurationIsOneTarget(t *testing.T) {
	s := Settings{APIURL: "http://me:sesame-open@127.0.0.1:8000/below", Key: "the-key", Tags: "ops"}
	routes := s.Routes()
	if len(routes) != 1 || routes[0].Name != "http://127.0.0.1:8000, its stored configuration (tags ops)" || routes[0].URL != "" {
		t.Fatalf("%+v", routes)
	}
	if got := routes[0].Mask.String("the-key and sesame-open"); got != "[redacted] and [redacted]" {
		t.Errorf("%q", got)
	}
	other := s
	other.Tags = "night"
	if other.Routes()[0].Hash == routes[0].Hash {
		t.Error("other tags are the same target")
	}
}

func TestNothingConfiguredIsNoTarget(t *testing.T) {
	for _, s := range []Settings{{}, {APIURL: "http://127.0.0.1:8000"}} {
		if got := s.Routes(); len(got) != 0 {
			t.Errorf("%+v: %+v", s, got)
		}
	}
}
