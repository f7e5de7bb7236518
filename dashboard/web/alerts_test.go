package web

import (
	"compress/gzip"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/alerts"
	"github.com/claudeops/claudeops/dashboard"
	"github.com/claudeops/claudeops/ledger"
)

const senderToken = "the-token-of-those-who-send"

// withSenders lets alerts be sent, and keeps their number.
func withSenders(kept *[]string) func(*dashboard.Options) {
	return func(o *dashboard.Options) {
		o.Token = testToken
		o.Config.AlertToken = senderToken
		o.KeepAlerts = func(_ context.Context, body []byte, fault error) (ledger.Kept, error) {
			if fault != nil {
				*kept = append(*kept, fault.Error())
				return ledger.Kept{}, fault
			}
			all, err := alerts.Read(body, time.Now())
			for _, a := range all {
				*kept = append(*kept, a.Names[0])
			}
			return ledger.Kept{Firing: len(all), Unknown: []string{}}, err
		}
	}
}

func (s *site) sends(body, authorization string) reply {
	s.t.Helper()
	return s.askBy(&http.Client{}, http.MethodPost, "/api/v1/alerts", body, header("Authorization", authorization), header("Content-Type", "application/json"))
}

func basic(password string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte("anybody:"+password))
}

func TestAlertsAreTakenWithTheirOwnToken(t *testing.T) {
	var kept []string
	s := newTestServer(t, withSenders(&kept))
	const body = `{"service":"shop","status":"firing"}`
	for _, authorization := range []string{"Bearer " + senderToken, "bearer " + senderToken, basic(senderToken)} {
		got := s.sends(body, authorization)
		wantReply(t, got, http.StatusOK)
		if got.body != `{"firing":1,"repeated":0,"resolved":0,"ignored":0,"unknown_services":[]}`+"\n" {
			t.Errorf("%s", got.body)
		}
	}
	for _, authorization := range []string{"", "Bearer ", "Bearer " + testToken, basic(testToken), basic(""), senderToken, "Basic !"} {
		wantReply(t, s.sends(body, authorization), http.StatusUnauthorized)
	}
	if len(kept) != 3 {
		t.Errorf("kept %q, want three", kept)
	}
	for _, path := range []string{"/api/v1/overview", "/api/v1/settings", "/metrics", "/"} { // it opens nothing else
		for _, authorization := range []string{"Bearer " + senderToken, basic(senderToken)} {
			if got := s.get(path, header("Authorization", authorization)); got.StatusCode == http.StatusOK {
				t.Errorf("%s is open to %s", path, authorization)
			}
		}
	}
	wantReply(t, s.sends("hello", "Bearer "+senderToken), http.StatusBadRequest)
	wantReply(t, s.sends(strings.Repeat(" ", alerts.MaxBytes+1), "Bearer "+senderToken), http.StatusRequestEntityTooLarge)
	wantReply(t, s.ask(http.MethodPut, "/api/v1/alerts", header("Authorization", "Bearer "+testToken)), http.StatusMethodNotAllowed)
}

// Senders differ in how they wrap a body. What cannot be read of it is known to those who keep alerts, too.
func TestBodiesOfAlertsAreUnwrapped(t *testing.T) {
	var kept []string
	s := newTestServer(t, withSenders(&kept))
	const body = `{"service":"shop","status":"firing"}`
	packed := func(body string) string {
		var b strings.Builder
		w := gzip.NewWriter(&b)
		_, err := w.Write([]byte(body))
		if err = errors.Join(err, w.Close()); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	form := "--x\r\nContent-Disposition: form-data; name=\"data\"\r\n\r\n" + body + "\r\n--x--\r\n"
	for _, row := range []struct {
		path, name, value, body string
		status                  int
		kept                    string
	}{
		{"/api/v1/alerts/", "Content-Type", "application/json", body, 200, "shop"},
		{"/api/v2/alerts", "Content-Type", "application/json", `[{"labels":{"service":"shop"}}]`, 200, "shop"},
		{"/api/v1/alerts", "Content-Type", "text/plain", "service: shop\nstatus: firing\n\n\"full\\", 200, "shop"},
		{"/api/v1/alerts", "Content-Encoding", "gzip", packed(body), 200, "shop"},
		{"/api/v1/alerts", "Content-Encoding", "gzip", body, 400, "not gzip, as its Content-Encoding says"},
		{"/api/v1/alerts", "Content-Encoding", "gzip", packed(body)[:30], 400, "unexpected EOF"},
		{"/api/v1/alerts", "Content-Encoding", "gzip", packed(strings.Repeat(" ", alerts.MaxBytes+1)), 413, "too large"},
		{"/api/v1/alerts", "Content-Encoding", "br", body, 400, `"br"; must be gzip, or none`},
		{"/api/v1/alerts", "Content-Type", "multipart/form-data; boundary=x", form, 200, "shop"},
	} {
		kept = nil
		got := s.askBy(&http.Client{}, http.MethodPost, row.path, row.body, header("Authorization", "Bearer "+senderToken), header(row.name, row.value))
		wantReply(t, got, row.status)
		if len(kept) != 1 || !strings.Contains(kept[0], row.kept) {
			t.Errorf("%s %s %s: kept %q, want %s", row.path, row.name, row.value, kept, row.kept)
		}
	}
}

func TestAlertsThatAreNotKept(t *testing.T) {
	s := newTestServer(t, withSenders(new([]string)), func(o *dashboard.Options) {
		o.KeepAlerts = func(context.Context, []byte, error) (ledger.Kept, error) {
			return ledger.Kept{}, fmt.Errorf("%w: 1 firing alert, about queue", ledger.ErrAlertsLost)
		}
	})
	got := s.sends(`{"service":"queue","status":"firing"}`, "Bearer "+senderToken)
	wantReply(t, got, http.StatusInsufficientStorage)
	if !strings.Contains(got.body, "1 firing alert, about queue") {
		t.Error(got.body)
	}
}

func TestAlertsThatNobodyTakes(t *testing.T) {
	got := newTestServer(t).sends("{}", "Bearer "+senderToken)
	wantReply(t, got, http.StatusNotFound, "CLAUDEOPS_ALERT_TOKEN")
}

func TestTokensOfSenders(t *testing.T) {
	for token, want := range map[string]bool{"": true, senderToken: true, "short": false, testToken: false} {
		if err := MayTakeAlerts(token, testToken); (err == nil) != want {
			t.Errorf("%q: %v", token, err)
		}
	}
}
