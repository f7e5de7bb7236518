package e2e

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/testkit/servers"
)

const alertToken = "a-token-for-senders"

// alert sends an alert of our own form by the command.
func (w *world) alert(body string) answer {
	w.t.Helper()
	a := w.feed(body, "alert")
	if a.code != 0 {
		w.t.Fatalf("alert %s: exit %d: %s%s", body, a.code, a.out, a.err)
	}
	return a
}

const shopFires = `{"service":"shop","status":"firing","message":"the queue is full","severity":"critical"}`

// An alert is evidence even where the checks are healthy: it opens an incident, and Tier 2 is told of it. Its end and two healthy cycles
// close the incident.
func TestAnAlertIsEvidenceOfTheNextCycle(t *testing.T) {
	w := probing(t, []string{"shop", "mail"}, map[string]string{"shop": "aliases: [shop-web]\n    fail_after: 3"})
	w.cycle(0)
	if a := w.alert(strings.Replace(shopFires, `"shop"`, `"shop-web"`, 1)); !strings.HasPrefix(a.out, "1 firing, 0 repeated, 0 resolved, 0 ignored") {
		t.Errorf("it says %q", a.out)
	}
	w.agent(2, "say looked at the queue", finish)
	w.cycle(0, "--trigger", "alert")
	w.wantStatuses("1 completed", "1 escalated", "2 completed")
	context, _ := w.given(2).Flag("--append-system-prompt")
	for _, text := range []string{`"services_affected":["shop"]`, `"alerts":[{"service":"shop"`, `"title":"the queue is full"`, `"status":"healthy"`} {
		says(t, context, text)
	}
	if strings.Contains(context, `"check_type":"alert"`) {
		t.Errorf("the handoff has a check of a type that there is not:\n%s", context)
	}
	all := w.incidents()
	if len(all) != 1 || all[0].Service != "shop" || all[0].Status != "down" || all[0].ClosedAt != nil {
		t.Fatalf("incidents %+v", all)
	}
	if a := w.run("status"); !strings.Contains(a.out, "alert: the queue is full") {
		t.Errorf("status does not name the alert:\n%s", a.out)
	}
	w.alert(shopFires) // a repetition
	w.cycle(0)         // within ten minutes no second model is started
	w.wantStatuses("1 completed", "1 escalated", "2 completed", "1 completed")
	w.alert(`{"service":"shop","status":"resolved"}`)
	w.cycle(0)
	w.cycle(0)
	if all = w.incidents(); len(all) != 1 || all[0].ClosedAt == nil {
		t.Errorf("after its end and two healthy cycles: %+v", all)
	}
}

// However many cycles another service's alerts start, they do not use up the patience that the operator has with this one.
func TestAlertsOfOthersDoNotHastenFailAfter(t *testing.T) {
	w := probing(t, []string{"shop", "mail"}, map[string]string{"shop": "fail_after: 2"})
	w.breaks("shop")
	w.agent(2, "say looked", finish)
	must(t, os.MkdirAll(w.path("state"), 0o700))
	for n := range 4 {
		w.alert(fmt.Sprintf(`{"service":"mail","status":"firing","fingerprint":"%d"}`, n))
		w.cycle(0, "--trigger", "alert")
	}
	w.wantSessions(2, 1)
	context, _ := w.given(2).Flag("--append-system-prompt")
	says(t, context, `"services_affected":["mail"]`)
	w.cycle(0)
	w.wantSessions(2, 2)
	context, _ = w.given(2).Flag("--append-system-prompt")
	says(t, context, `"services_affected":["shop"]`)
}

// An alert that ends and fires again starts no second model within ten minutes: its sender decides how often that happens.
func TestAnAlertThatComesAndGoesStartsOneModelInTenMinutes(t *testing.T) {
	w := probing(t, []string{"shop"}, nil)
	w.agent(2, "say looked at the queue", finish)
	for range 2 {
		w.alert(shopFires)
		w.cycle(0)
		w.alert(`{"service":"shop","status":"resolved"}`)
		w.cycle(0)
		w.cycle(0) // its incident ends
	}
	begun := 0
	for _, s := range w.sessions() {
		if s.Tier == 2 {
			begun++
		}
	}
	equal(t, "models started", begun, 1)
}

// Where only an alert shows the trouble, nothing proves a remediation: the alert is waited for.
func TestAfterARemediationAnAlertIsWaitedFor(t *testing.T) {
	w := probing(t, []string{"shop"}, nil)
	w.alertFirst(shopFires)
	w.agent(2, askRestart, "say restarted it", finish)
	w.cycle(0)
	w.wantStatuses("1 escalated", "2 completed")
	w.wantEvent(store.Info, "Tier 2 acted on shop: no check can prove that it helped, so its alert is waited for, 15 min at most")
	w.cycle(0)
	w.cycle(0)
	w.wantStatuses("1 escalated", "2 completed", "1 completed", "1 completed")
	w.wantNotified("human_attention")
	w.wantNotified("remediated")
}

// alertFirst is alert in a state directory that no cycle has made yet.
func (w *world) alertFirst(body string) {
	w.t.Helper()
	must(w.t, os.MkdirAll(w.path("state"), 0o700))
	w.alert(body)
}

// Alerts about what nobody knows stand for themselves.
func TestAnAlertAboutAnUnknownService(t *testing.T) {
	w := probing(t, []string{"shop"}, nil)
	w.alertFirst(`[{"service":"queue","status":"firing","message":"full"},{"service":"queue","status":"resolved","fingerprint":"other"}]`)
	w.agent(2, "say looked", finish)
	w.cycle(0)
	w.wantStatuses("1 escalated", "2 completed")
	context, _ := w.given(2).Flag("--append-system-prompt")
	says(t, context, `{"service":"queue","check_type":"service","status":"degraded","error":"alert: full"}`)
	if all := w.incidents(); len(all) != 1 || all[0].Service != "queue" {
		t.Errorf("incidents %+v", all)
	}
}

// Fresh names start no more models than one, and none for a service whose chain has just begun.
func TestAlertsUnderFreshNames(t *testing.T) {
	w := probing(t, []string{"shop", "mail"}, nil)
	for n := range 3 {
		body := fmt.Sprintf(`[{"service":"new%d","status":"firing","severity":"critical"},{"service":"mail","status":"firing","fingerprint":"%d"}]`, n, n)
		if n == 0 {
			w.alertFirst(body)
		} else {
			w.alert(body)
		}
		w.agent(2, "say looked", finish)
		w.cycle(0, "--trigger", "alert")
	}
	w.wantSessions(2, 1)
}

// A storm is one chain and at most three messages.
func TestAStormOfAlertsAboutHundredsOfServices(t *testing.T) {
	w, r := watched(t, (*world).byProgram)
	services, all := "services:\n", []string{}
	for n := range 1000 {
		if n < 300 {
			services += fmt.Sprintf("  - {name: s%d}\n", n)
		}
		all = append(all, fmt.Sprintf(`{"service":"s%d","status":"firing","message":"latency of part %d","severity":"page","fingerprint":"%d"}`, n%300, n, n))
	}
	w.services(services)
	w.env["CLAUDEOPS_TIER1_AGENT"], w.env["ANTHROPIC_API_KEY"] = "claude", "sk-ant-test"
	w.env["CLAUDEOPS_MAX_TIER"] = "3"
	w.agent(1, finish)
	w.alertFirst("[" + strings.Join(all, ",") + "]")
	w.agent(2, "say looked", "exit 1")
	for range 3 {
		w.run("run-once") // the first one's Tier 2 fails
	}
	w.wantSessions(2, 1)
	equal(t, "incidents", len(w.incidents()), 300)
	if sent := titles(r); len(sent) > 3 {
		t.Errorf("%d messages were sent: %.2000q", len(sent), sent)
	}
}

// wantSessions fails unless so many sessions of a tier ran.
func (w *world) wantSessions(tier, want int) {
	w.t.Helper()
	got := 0
	for _, s := range w.sessions() {
		if s.Tier == tier {
			got++
		}
	}
	equal(w.t, fmt.Sprintf("sessions of tier %d", tier), got, want)
}

// An agent cannot send alerts: they would start agents.
func TestAnAgentCannotSendAlerts(t *testing.T) {
	w := probing(t, []string{"shop"}, nil)
	w.breaks("shop")
	w.agent(2, `bash echo '{"service":"mail","status":"firing"}' | claudeops alert`,
		`sh echo '{"service":"mail","status":"firing"}' | env -u CLAUDEOPS_TIER -u CLAUDEOPS_SESSION_ID -u CLAUDEOPS_RUN_TOKEN CLAUDEOPS_STATE_DIR=`+w.path("state")+
			` `+claudeopsBin+` alert; echo "bare $?" >> "$FAKE_AGENT_DIR/said"`, mendShop, finish)
	w.cycle(0)
	if said := w.read("agent", "said"); w.acted() || strings.Contains(said, " 0\n") || strings.Count(said, "\n") != 1 {
		t.Errorf("it was not refused: %s%s", w.kept("answer"), said)
	}
	w.database(func(ctx context.Context, s *store.Store) {
		firing, err := s.FiringAlerts(ctx)
		must(t, err)
		if len(firing) > 0 {
			t.Errorf("kept %+v", firing)
		}
	})
}

func TestAlertsThatAreNone(t *testing.T) {
	w := newWorld(t)
	must(t, os.MkdirAll(w.path("state"), 0o700))
	for body, text := range map[string]string{
		"":                                      "empty; must be JSON",
		"hello":                                 "not JSON",
		`{"alerts":1}`:                          "must be a list of alerts",
		`{"service":"shop","status":"burning"}`: "must be firing or resolved",
		`{"service":"sh\u0007op","status":"firing"}`: "control character",
		"[" + strings.Repeat(`{},`, 100_000) + `{}]`: "[0].service: missing",
		strings.Repeat(" ", 10<<20):                  "larger than",
	} {
		if a := w.feed(body, "alert"); a.code != 1 || !strings.Contains(a.err, text) {
			t.Errorf("%.50s: exit %d, %.300s; want %s", body, a.code, a.err, text)
		}
	}
	for _, cycle := range w.cyclesAsked() {
		t.Errorf("a cycle was asked for: %s", cycle)
	}
}

func (w *world) cyclesAsked() []string {
	found, _ := filepath.Glob(w.path("state", "wake")) // the pattern is a good one
	return found
}

// intake runs claudeops cron with a dashboard that takes alerts.
func (w *world) intake() (c *cronProcess, url string) {
	w.t.Helper()
	w.env["CLAUDEOPS_SCHEDULE"], w.env["CLAUDEOPS_ALERT_TOKEN"] = "0 0 1 1 *", alertToken
	w.env["CLAUDEOPS_DASHBOARD_ADDR"] = "127.0.0.1:0"
	must(w.t, os.MkdirAll(w.path("state"), 0o700))
	c = w.stays(nil, "cron", "--dashboard")
	c.says("msg=dashboard", 1)
	c.says("waiting for the next run", 1)
	_, rest, _ := strings.Cut(c.log(), "msg=dashboard url=")
	url, _, _ = strings.Cut(rest, "\n")
	return c, strings.TrimRight(strings.Trim(url, `"`), "/") + "/api/v1/alerts"
}

// post sends a body, with an Authorization header unless it is empty.
func (w *world) post(url, authorization, body string) (status int, text string, head http.Header) {
	w.t.Helper()
	r, err := http.NewRequestWithContext(w.t.Context(), http.MethodPost, url, strings.NewReader(body))
	must(w.t, err)
	r.Header.Set("Content-Type", "application/json")
	if authorization != "" {
		r.Header.Set("Authorization", authorization)
	}
	answer, err := http.DefaultClient.Do(r)
	must(w.t, err)
	defer func() { _ = answer.Body.Close() }() // it was read
	read, err := io.ReadAll(answer.Body)
	must(w.t, err)
	return answer.StatusCode, string(read), answer.Header
}

func TestAlertsByHTTP(t *testing.T) {
	w := probing(t, []string{"shop"}, nil)
	w.agent(2, finish)
	c, url := w.intake()
	for _, test := range []struct {
		authorization, body string
		status              int
		text                string
	}{
		{"", shopFires, 401, "Send the header"},
		{"Bearer wrong", shopFires, 401, "not the token"},
		{"Bearer " + alertToken, "hello", 400, "Not JSON"},
		{"Bearer " + alertToken, strings.Repeat(" ", 2<<20), 413, "1 MiB"},
		{"Bearer " + alertToken, shopFires, 200, `{"firing":1,"repeated":0,"resolved":0,"ignored":0,"unknown_services":[]}`},
		{"Bearer " + alertToken, shopFires, 200, `"repeated":1`},
	} {
		if status, text, _ := w.post(url, test.authorization, test.body); status != test.status || !strings.Contains(text, test.text) {
			t.Errorf("%q %.60s: %d %s, want %d %s", test.authorization, test.body, status, text, test.status, test.text)
		}
	}
	c.says("msg=\"cycle started\" why=woken trigger=alert", 1)
	c.says("msg=\"cycle ended\" exit=0", 1)
	w.wantStatuses("1 escalated", "2 completed")
	w.wantEvent(store.Warning, `alerts were sent and refused: the alerts cannot be read: not JSON: line 1, column 1`)
	c.signal(syscall.SIGTERM)
	c.ends(128 + int(syscall.SIGTERM))
}

// The real Alertmanager fires: a cycle about that service begins within 15 s; that it resolved the alert, and two healthy cycles, end it.
func TestTheRealAlertmanager(t *testing.T) {
	w := probing(t, []string{"shop"}, map[string]string{"shop": "aliases: [shop-web]"})
	w.agent(2, finish)
	c, url := w.intake()
	manager := alertmanager(t, url, alertToken)
	fired := time.Now()
	manager.fire("shop-web", time.Time{})
	c.says("msg=\"cycle started\" why=woken trigger=alert", 1)
	if took := time.Since(fired); took > 15*time.Second {
		t.Errorf("the cycle began after %s", took)
	}
	c.says("msg=\"cycle ended\" exit=0", 1)
	w.wantStatuses("1 escalated", "2 completed")
	if all := w.incidents(); len(all) != 1 || all[0].Service != "shop" || all[0].Status != "down" {
		t.Fatalf("incidents %+v", all)
	}
	manager.fire("shop-web", time.Now())
	c.says("msg=\"cycle ended\" exit=0", 2)
	w.cycle(0)
	if all := w.incidents(); len(all) != 1 || all[0].ClosedAt == nil {
		t.Errorf("after its end: %+v", all)
	}
	c.signal(syscall.SIGTERM)
	c.ends(128 + int(syscall.SIGTERM))
}

type manager struct {
	t   *testing.T
	url string
}

// fire sends an alert as Prometheus sends it.
func (m manager) fire(service string, ends time.Time) {
	m.t.Helper()
	labels := map[string]string{"alertname": "Slow", "service": service, "severity": "critical"}
	alert := map[string]any{"labels": labels, "annotations": map[string]string{"summary": service + " is slow"}}
	if !ends.IsZero() {
		alert["endsAt"] = ends
	}
	body, err := json.Marshal([]any{alert})
	must(m.t, err)
	r, err := http.NewRequestWithContext(m.t.Context(), http.MethodPost, m.url+"/api/v2/alerts", bytes.NewReader(body))
	must(m.t, err)
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(r)
	must(m.t, err)
	text, _ := io.ReadAll(answer.Body)
	must(m.t, answer.Body.Close())
	if answer.StatusCode != http.StatusOK {
		m.t.Fatalf("Alertmanager: %s: %s", answer.Status, text)
	}
}

// alertmanager is the real one, which sends all alerts to a webhook with a token.
func alertmanager(t *testing.T, webhook, token string) manager {
	t.Helper()
	return manager{t, servers.Alertmanager(t, webhook, token).URL}
}
