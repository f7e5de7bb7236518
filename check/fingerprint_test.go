package check

import "testing"

func TestFingerprintSeesThroughNumbersTimesAndHexadecimal(t *testing.T) {
	print := func(text string) string {
		return Fingerprint([]Result{{Type: HTTP, Status: Down, Error: text}})
	}
	base := print("GET /health: 502 Bad Gateway after 31 ms at 2026-02-16T12:00:00Z, request deadbeefcafe")
	for text, same := range map[string]bool{
		"GET /health: 502 Bad Gateway after 42 ms at 2026-02-17T09:30:11Z, request feedfacebeef": true,
		"GET /health: 503 bad gateway after 31 ms at 2026-02-16T12:00:00Z, request 0123abcd":     true,
		"connection refused":           false,
		"GET /health: 502 Bad Gateway": false,
	} {
		if got := print(text) == base; got != same {
			t.Errorf("%q: same %t, want %t", text, got, same)
		}
	}
}

func TestFingerprintOfChecks(t *testing.T) {
	http := Result{Type: HTTP, Status: Down, Error: "x"}
	dns := Result{Type: DNS, Status: Degraded, Error: "y"}
	fine := Result{Type: Container, Status: Healthy}
	if Fingerprint([]Result{http, dns}) != Fingerprint([]Result{dns, fine, http, http}) {
		t.Error("order, healthy results or repeats changed the fingerprint")
	}
	if Fingerprint([]Result{http}) == Fingerprint([]Result{{Type: HTTP, Status: Degraded, Error: "x"}}) {
		t.Error("another status has the same fingerprint")
	}
	alert := Result{Type: Alert, Status: Down, Error: "z"}
	if !OnlyWords(Fingerprint([]Result{http}), Fingerprint([]Result{http, alert})) {
		t.Error("an alert beside a check of ours counts for more than words, so that one that comes and goes starts a tier each time")
	}
	if OnlyWords(Fingerprint(nil), Fingerprint([]Result{alert})) {
		t.Error("an alert alone is no trouble of its own")
	}
}
