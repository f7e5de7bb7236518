package e2e

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/testkit/receiver"
)

func body(t *testing.T, url string) string {
	t.Helper()
	answer, err := http.Get(url) //nolint:noctx // ends with the dashboard
	must(t, err)
	text, err := io.ReadAll(answer.Body)
	must(t, errors.Join(err, answer.Body.Close()))
	return string(text)
}

// wantEverywhere compares how status, API and metrics find the services with what is wanted, by name.
func (w *world) wantEverywhere(want map[string]check.Status) {
	w.t.Helper()
	counts, series := map[string]int{}, []string{}
	for name, status := range want {
		counts[string(status)]++
		series = append(series, name+" "+string(status))
	}
	slices.Sort(series)

	var status struct {
		Counts map[string]int `json:"service_counts"`
	}
	must(w.t, json.Unmarshal([]byte(w.run("status", "--json").out), &status))
	if !maps.Equal(status.Counts, counts) {
		w.t.Errorf("status counts %v, want %v", status.Counts, counts)
	}
	metrics, exported := w.run("metrics").out, []string{}
	for _, found := range regexp.MustCompile(`claudeops_service_status\{service="(.+)",status="(.+)"\} 1`).FindAllStringSubmatch(metrics, -1) {
		exported = append(exported, found[1]+" "+found[2])
	}
	equal(w.t, "metrics", strings.Join(exported, ", "), strings.Join(series, ", "))
	for _, status := range check.Statuses() {
		says(w.t, metrics, fmt.Sprintf("claudeops_services{status=%q} %d\n", status, counts[string(status)]))
	}
	var page struct {
		Services []struct {
			Name   string       `json:"name"`
			Status check.Status `json:"status"`
		} `json:"services"`
	}
	shown := []string{}
	must(w.t, json.Unmarshal([]byte(body(w.t, w.serve().url+"/api/v1/services")), &page))
	for _, s := range page.Services {
		shown = append(shown, s.Name+" "+string(cmp.Or(s.Status, check.Unknown)))
	}
	equal(w.t, "the API", strings.Join(shown, ", "), strings.Join(series, ", "))
}

// An alert makes a service unwell beside a healthy check, beside a failing one and alone, for the cycle, for each reader and for people.
func TestAlertsAndChecksAreOneStatusEverywhere(t *testing.T) {
	w := probing(t, []string{"mail", "shop", "web"}, nil)
	w.env["CLAUDEOPS_MAX_TIER"] = "1"
	w.breaks("mail")
	w.byAPI(receiver.New(t))
	w.alertFirst(shopFires)
	w.alert(strings.Replace(shopFires, "shop", "queue", 1))
	w.alert(`{"service":"mail","status":"firing"}`)
	says(t, w.cycle(0).out, "services: 1 healthy, 3 down\n")
	w.wantEverywhere(map[string]check.Status{"mail": check.Down, "queue": check.Down, "shop": check.Down, "web": check.Healthy})
	says(t, w.run("status").out, "services: 1 healthy, 3 down ")
	w.wantNotified("human_attention", "mail", "queue", "shop")
	digests := w.notified("daily_digest")
	equal(t, "digests", len(digests), 1)
	equal(t, "digest", digests[0].Title, "Daily digest: 1 of 4 services healthy")
}

// Where there is nothing to check, alerts are enough for a cycle.
func TestAlertsAloneAreTold(t *testing.T) {
	w := probing(t, nil, nil)
	must(t, os.WriteFile(w.env["CLAUDEOPS_INVENTORY"], []byte("services: [{name: idle}, {name: queue}]\n"), 0o600))
	w.env["CLAUDEOPS_MAX_TIER"] = "1"
	w.cycle(0)
	queue := strings.Replace(shopFires, "shop", "queue", 1)
	w.alert(queue)
	w.alert(strings.Replace(shopFires, "shop", "nobody's", 1))
	w.wantEverywhere(map[string]check.Status{"idle": check.Unknown, "queue": check.Down, "nobody's": check.Down})
	says(t, w.run("status").out, "alert: the queue is full")
	w.alert(strings.Replace(strings.Replace(shopFires, "shop", "nobody's", 1), "firing", "resolved", 1))
	says(t, w.cycle(0).out, "services: 0 healthy, 1 down\n")
	w.wantEverywhere(map[string]check.Status{"idle": check.Unknown, "queue": check.Down})
	w.wantNotified("human_attention", "queue")
	w.alert(strings.Replace(queue, "firing", "resolved", 1))
	w.cycle(0)
	w.wantEverywhere(map[string]check.Status{"idle": check.Unknown, "queue": check.Unknown})
}

// A service that is no longer reported is not healthy any more after a day.
func TestAServiceThatIsNoLongerReported(t *testing.T) {
	w := probing(t, []string{"web"}, nil)
	w.cycle(0)
	must(t, os.WriteFile(w.env["CLAUDEOPS_INVENTORY"], []byte("services: [{name: mail}]\n"), 0o600))
	then := time.Now().Add(-30 * time.Hour)
	w.records(func(ctx context.Context, s *store.Store) error {
		return s.AddChecks(ctx, store.Reported, 0, then, []check.Result{{Service: "mail", Type: check.Service, Status: check.Healthy}})
	})
	w.wantEverywhere(map[string]check.Status{"mail": check.Unknown, "web": check.Healthy})
	says(t, w.run("status").out, "mail: it was not checked since "+then.UTC().Format("2006-01-02 15:04"))
	address := w.serve().url
	says(t, body(t, address+"/"), "it was not checked since")
	says(t, body(t, address+"/services"), "not since")
	says(t, body(t, address+"/services/mail"), "not checked since")
}
