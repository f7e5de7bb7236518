package web

import (
	"context"
	"encoding/base64"
	"net/http"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/alerts"
	"github.com/claudeops/claudeops/dashboard"
	"github.com/claudeops/claudeops/records"
)

const senderToken = "the-token-of-those-who-send"

// withSenders lets alerts be sent, and keeps their number.
func withSenders(kept *[]string) func(*dashboard.Options) {
	return func(o *dashboard.Options) {
		o.Token = testToken
		o.Config.AlertToken = senderToken
		o.KeepAlerts = func(_ context.Context, body []byte) (records.Kept, error) {
			all, err := alerts.Read(body)
			for _, a := range all {
				*kept = append(*kept, a.Own)
			}
			return records.Kept{Firing: len(all), Unknown: []string{}}, err
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
	wantReply(t, s.ask(http.MethodPut, "/api/v1/alerts", header("Authorization", "Bearer "+testToken)), http.StatusForbidden)
}

func TestAlertsThatAreNotKept(t *testing.T) {
	s := newTestServer(t, withSenders(new([]string)), func(o *dashboard.Options) {
		o.KeepAlerts = func(context.Context, []byte) (records.Kept, error) {
			return records.Kept{}, &records.AlertsLostError{Services: []string{"queue"}}
		}
	})
	got := s.sends(`{"service":"queue","status":"firing"}`, "Bearer "+senderToken)
	wantReply(t, got, http.StatusInsufficientStorage)
	if !strings.Contains(got.body, "1 firing alert, about queue") {
		t.Error(got.body)
	}
}

func TestTooManyWrongTokensOfSenders(t *testing.T) {
	var kept []string
	s := newTestServer(t, withSenders(&kept))
	for range 10 {
		wantReply(t, s.sends("{}", "Bearer wrong"), http.StatusUnauthorized)
	}
	got := s.sends("{}", basic("wrong"))
	wantReply(t, got, http.StatusTooManyRequests)
	if after := got.Header.Get("Retry-After"); after != "60" {
		t.Errorf("Retry-After is %q", after)
	}
	wantReply(t, s.sends(`{"service":"shop","status":"firing"}`, "Bearer "+senderToken), http.StatusOK)
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
