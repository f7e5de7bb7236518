package alerts

import (
	"bytes"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/claudeops/claudeops/testkit/need"
	"github.com/claudeops/claudeops/testkit/servers"
)

// What Prometheus sends to Alertmanager, and what that shows of it, are the same alerts. One that a person silenced there says nothing.
func TestTheAPIOfTheRealAlertmanager(t *testing.T) {
	need.Full(t, "prometheus-alertmanager")
	url := servers.Alertmanager(t, "http://127.0.0.1:1", "token").URL + "/api/v2/"
	ask := func(method, path, body string) (answer []byte) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, url+path, bytes.NewBufferString(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		a, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Body.Close()
		if answer, err = io.ReadAll(a.Body); err != nil || a.StatusCode != http.StatusOK {
			t.Fatalf("%s: %v, %s", a.Status, err, answer)
		}
		return answer
	}
	at := time.Now()
	later, before := at.Add(time.Hour).UTC().Format(time.RFC3339), at.Add(-time.Minute).UTC().Format(time.RFC3339)
	sent := `[{"labels":{"alertname":"Slow","service":"shop"},"annotations":{"summary":"4 s"},"startsAt":"` + before + `","endsAt":"` + later + `"},
		{"labels":{"alertname":"Slow","service":"mail"},"endsAt":"` + later + `"},
		{"labels":{"alertname":"Slow","service":"blog"},"startsAt":"` + before + `","endsAt":"` + before + `"}]`
	ask(http.MethodPost, "alerts", sent)
	ask(http.MethodPost, "silences", `{"matchers":[{"name":"service","value":"mail","isRegex":false}],"createdBy":"me","comment":"known",
		"startsAt":"`+before+`","endsAt":"`+later+`"}`)
	wantRead := func(body []byte, want map[string]Status) {
		t.Helper()
		all, err := Read(body, at)
		if err != nil || len(all) != len(want) {
			t.Errorf("%+v, %v; want %v", all, err, want)
		}
		for _, a := range all {
			if a.Source != "alertmanager" || a.Status != want[a.Names[0]] || a.Fingerprint == "" {
				t.Errorf("%+v, want %v", a, want)
			}
		}
	}
	wantRead([]byte(sent), map[string]Status{"shop": Firing, "mail": Firing, "blog": Resolved})
	wantRead(ask(http.MethodGet, "alerts", ""), map[string]Status{"shop": Firing})
}
