package web

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/claudeops/claudeops/alerts"
	"github.com/claudeops/claudeops/internal/strict"
	"github.com/claudeops/claudeops/ledger"
)

// alertsPaths are where other programs send alerts: Prometheus always to the second.
var alertsPaths = []string{alertsPath, "/api/v2/alerts"}

const alertsPath = apiPrefix + "/alerts"

// intake takes alerts before logins and forms are looked at: their senders have a token of their own, which opens nothing else.
func (s *server) intake(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && slices.Contains(alertsPaths, strings.TrimSuffix(r.URL.Path, "/")) {
			s.takeAlerts(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// takeAlerts handles POST /api/v1/alerts.
func (s *server) takeAlerts(w http.ResponseWriter, r *http.Request) {
	if f := s.mayNotSend(r); f != nil {
		w.Header().Set("Connection", "close")
		if f.Status == http.StatusUnauthorized {
			w.Header().Set("WWW-Authenticate", `Bearer realm="claudeops alerts"`)
		}
		s.fail(w, r, f)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), answerTimeout)
	defer cancel()
	body, unread := readAlerts(w, r)
	kept, err := s.options.KeepAlerts(ctx, body, unread)
	if unread != nil {
		s.fail(w, r, unreadBody(unread))
		return
	}
	if invalid := (*strict.InvalidError)(nil); errors.As(err, &invalid) {
		s.fail(w, r, &fault{
			Status: http.StatusBadRequest, Title: "Not an alert", Detail: sentence(strings.Join(invalid.Faults, "; ")), Advice: "docs/alerts.md has the body of each sender.",
		})
		return
	}
	if errors.Is(err, ledger.ErrAlertsLost) {
		s.fail(w, r, &fault{
			Status: http.StatusInsufficientStorage, Title: "Too many alerts fire", Detail: sentence(err.Error()),
			Advice: "Send the end of alerts that are over, and let the services file know the names of the others.",
		})
		return
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	answer, err := json.Marshal(kept)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	writeBody(w, http.StatusOK, "application/json; charset=utf-8", append(answer, '\n'))
}

// mayNotSend returns why a request may not send alerts; nil if it may.
func (s *server) mayNotSend(r *http.Request) *fault {
	if s.senders == nil {
		return &fault{
			Status: http.StatusNotFound, Title: "No alerts are taken here", Detail: "This dashboard takes alerts only if CLAUDEOPS_ALERT_TOKEN is set, and only for its own machine.",
			Advice: "Set it where the dashboard is started, or use `claudeops alert` there.",
		}
	}
	token, sent := bearer(r)
	if _, password, basic := r.BasicAuth(); basic {
		token, sent = password, true
	}
	if !sent {
		return &fault{
			Status: http.StatusUnauthorized, Title: "No token", Detail: "Alerts are taken with a token.",
			Advice: "Send the header `Authorization: Bearer TOKEN` with the value of CLAUDEOPS_ALERT_TOKEN, or that as the password of basic authentication.",
		}
	}
	if !s.senders.right(token) {
		return &fault{
			Status: http.StatusUnauthorized, Title: "Wrong token", Detail: "This is not the token.",
			Advice: "It is the value of CLAUDEOPS_ALERT_TOKEN.",
		}
	}
	return nil
}

// readAlerts reads the body of a request, unpacked. Uptime Kuma's content type form-data has it as the field data.
func readAlerts(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	r.Body = http.MaxBytesReader(w, r.Body, alerts.MaxBytes)
	switch packed := r.Header.Get("Content-Encoding"); packed {
	case "", "identity":
	case "gzip":
		unpacked, err := gzip.NewReader(r.Body)
		if err != nil {
			return nil, fmt.Errorf("not gzip, as its Content-Encoding says: %w", err)
		}
		r.Body = http.MaxBytesReader(w, unpacked, alerts.MaxBytes)
	default:
		return nil, fmt.Errorf("its Content-Encoding is %s; must be gzip, or none", quoted(packed))
	}
	if strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/form-data") {
		err := r.ParseMultipartForm(alerts.MaxBytes) //nolint:gosec // the body is bounded
		return []byte(r.FormValue("data")), err
	}
	return io.ReadAll(r.Body)
}

// unreadBody says why a body was not read.
func unreadBody(err error) *fault {
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		return &fault{
			Status: http.StatusRequestEntityTooLarge, Title: "Too much was sent", Detail: "A request may send 1 MiB at most.", Advice: "Let the sender group its alerts.",
		}
	}
	return &fault{
		Status: http.StatusBadRequest, Title: "Not read", Detail: sentence("what was sent could not be read to its end: " + err.Error()),
		Advice: "docs/alerts.md has the body of each sender.",
	}
}
