package metrics_test

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"pgregory.net/rapid"

	"github.com/claudeops/claudeops/check"
	printable "github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/metrics"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/testkit/need"
)

var update = flag.Bool("update", false, "write testdata/metrics.prom anew")

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// exporter is that of a release, on a machine called watch.
var exporter = metrics.Exporter{Version: "v1.2.3", Host: "watch"}

// figures have something of everything.
func figures() metrics.Figures {
	left, oldest := 1.75, noon.Add(-time.Hour)
	return metrics.Figures{
		At: noon, OldestPending: &oldest,
		LastCycle: &store.CycleRow{Trigger: "cron", Outcome: store.CycleCompleted, StartedAt: noon.Add(-time.Minute), DurationMS: 12_345},
		Figures: store.Figures{Cycles: 721, Incidents: 9, Sessions: []store.SessionTotal{
			{Tier: 1, Status: store.Completed, Sessions: 700, CostUSD: 7.25, InputTokens: 2_000_000, OutputTokens: 150_000},
			{Tier: 1, Status: store.Escalated, Sessions: 20, CostUSD: 0.4, InputTokens: 60_000, OutputTokens: 5_000},
			{Tier: 2, Status: store.TimedOut, Sessions: 1, CostUSD: 0.5, InputTokens: 10_000, OutputTokens: 1_000},
		}, Remediations: []store.ActTotal{{Action: statefile.Restart, Success: false, Acts: 3}, {Action: statefile.Restart, Success: true, Acts: 4}}},
		Services:             map[string]check.Status{"shop": check.Down, "mail": check.Healthy, `a "b"\c`: check.Degraded},
		OpenIncidents:        2,
		PendingNotifications: 2, FailingTargets: 1, WaitingProposals: 1,
		Silences:      []store.Silence{{Service: "shop", Until: noon.Add(time.Hour)}, {Until: noon.Add(2 * time.Hour)}},
		Held:          map[string]string{"shop": "silenced until 2026-03-01T14:00:00Z"},
		Cooldowns:     []metrics.PlacesLeft{{Service: "mail", Restarts: 2, Redeployments: 1}, {Service: "shop", Restarts: 0, Redeployments: 1}},
		BudgetLeftUSD: &left,
	}
}

func text(t testing.TB, f metrics.Figures) string {
	t.Helper()
	out, err := exporter.Text(f)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// parse reads text as Prometheus does.
func parse(t testing.TB, text string) map[string]*dto.MetricFamily {
	t.Helper()
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(strings.NewReader(text))
	if err != nil {
		t.Fatalf("%v in:\n%s", err, text)
	}
	return families
}

// Others depend on testdata/metrics.prom: a changed line breaks an alert of theirs.
func TestTextIsWhatOthersBuildOn(t *testing.T) {
	const golden = "testdata/metrics.prom"
	got := text(t, figures())
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("go test ./metrics -update writes it anew; -want +got:\n%s", diff)
	}
	if again := text(t, figures()); again != got {
		t.Error("the same figures make another text")
	}
}

// Before anything has happened the totals are there, at 0, so that their first step is seen as one; and what there is none of is absent.
func TestTextBeforeAnythingHappened(t *testing.T) {
	families := parse(t, text(t, metrics.Figures{At: noon}))
	var empty []string
	for name := range parse(t, text(t, figures())) {
		if families[name] == nil {
			empty = append(empty, name)
		}
	}
	slices.Sort(empty)
	if diff := cmp.Diff([]string{
		"claudeops_budget_remaining_usd", "claudeops_cooldown_remaining", "claudeops_last_run_duration_seconds", "claudeops_last_run_success",
		"claudeops_last_run_timestamp_seconds", "claudeops_notification_oldest_timestamp_seconds", "claudeops_service_held",
		"claudeops_service_status",
	}, empty); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for name, f := range families {
		for _, m := range f.Metric {
			if name != "claudeops_build_info" && m.GetCounter().GetValue()+m.GetGauge().GetValue() != 0 {
				t.Errorf("%s is %v", name, m)
			}
		}
	}
	for name, series := range map[string]int{"claudeops_sessions_total": 15, "claudeops_cost_usd_total": 3, "claudeops_tokens_total": 6, "claudeops_remediations_total": 4} {
		if got := len(families[name].GetMetric()); got != series {
			t.Errorf("%s has %d series, want %d", name, got, series)
		}
	}
}

func TestTheLastRunSucceededIfItCompleted(t *testing.T) {
	for outcome, want := range map[string]float64{store.CycleCompleted: 1, store.CycleFailed: 0, store.CycleInterrupted: 0} {
		f := figures()
		f.LastCycle.Outcome = outcome
		if got := parse(t, text(t, f))["claudeops_last_run_success"].Metric[0].GetGauge().GetValue(); got != want {
			t.Errorf("%s: %v, want %v", outcome, got, want)
		}
	}
}

// Names of services come from files that others may have written. Whatever they are, the output is valid, and has a series for each name
// that Prometheus can distinguish.
func TestPropertyAnyNameIsALabel(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		name := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }), rapid.SampledFrom([]string{"a\xff", "a\xfe", "a\n", `a\n`, `"`}))
		f := metrics.Figures{Services: map[string]check.Status{}, Held: map[string]string{}}
		apart := map[string]bool{}
		for _, name := range rapid.SliceOfNDistinct(name, 1, 6, rapid.ID[string]).Draw(r, "names") {
			f.Services[name] = check.Down
			f.Cooldowns = append(f.Cooldowns, metrics.PlacesLeft{Service: name})
			f.Held[name] = "everything is paused"
			apart[printable.Clean(name)] = true
		}
		families := parse(t, text(t, f))
		seen := map[string]bool{}
		for _, m := range families["claudeops_service_status"].Metric {
			for _, l := range m.Label {
				if l.GetName() == "service" {
					seen[l.GetValue()] = true
				}
			}
		}
		if !maps.Equal(seen, apart) {
			r.Fatalf("labels %q, want %q", slices.Collect(maps.Keys(seen)), slices.Collect(maps.Keys(apart)))
		}
		if got := len(families["claudeops_cooldown_remaining"].Metric); got != 2*len(apart) {
			r.Fatalf("%d cooldowns, want %d", got, 2*len(apart))
		}
		if got := len(families["claudeops_service_held"].Metric); got != len(apart) {
			r.Fatalf("%d held back, want %d", got, len(apart))
		}
	})
}

func TestTextOfTenThousandServices(t *testing.T) {
	f := figures()
	for i := range 10_000 {
		name := fmt.Sprintf("service-%05d", i)
		f.Services[name] = check.Healthy
		f.Cooldowns = append(f.Cooldowns, metrics.PlacesLeft{Service: name, Restarts: 2, Redeployments: 1})
	}
	families := parse(t, text(t, f))
	if got := len(families["claudeops_service_status"].Metric); got != 40_012 {
		t.Errorf("%d series, want 40,012", got)
	}
}

// promtool runs Prometheus's own tool, which .ci/run installs.
func promtool(t *testing.T, input string, args ...string) (output string, err error) {
	t.Helper()
	path, err := exec.LookPath("promtool")
	if err != nil {
		t.Fatal("promtool is missing; it is in Debian's package prometheus")
	}
	command := exec.CommandContext(t.Context(), path, args...)
	command.Stdin = strings.NewReader(input)
	out, err := command.CombinedOutput()
	return string(out), err
}

func TestPromtoolFindsNoFaultWithTheMetrics(t *testing.T) {
	need.Full(t, "promtool")
	for name, f := range map[string]metrics.Figures{"everything": figures(), "nothing": {}} {
		if out, err := promtool(t, text(t, f), "check", "metrics"); err != nil || out != "" {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
	if out, err := promtool(t, "# TYPE claudeops_runs counter\nclaudeops_runs 1\n", "check", "metrics"); err == nil || !strings.Contains(out, "_total") {
		t.Errorf("promtool finds no fault with what has some: %v\n%s", err, out)
	}
}
