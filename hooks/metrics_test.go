package hooks

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

func parsedMetrics(t *testing.T, r Report) map[string]*dto.MetricFamily {
	t.Helper()
	parser := expfmt.NewTextParser(model.LegacyValidation) // stricter than the current default: accepts names that every version accepts
	parsed, err := parser.TextToMetricFamilies(bytes.NewReader(Metrics(r)))
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

// samples returns the values of a family, by their labels.
func samples(f *dto.MetricFamily) map[string]float64 {
	values := map[string]float64{}
	for _, m := range f.GetMetric() {
		var labels []string
		for _, l := range m.GetLabel() {
			labels = append(labels, l.GetName()+"="+l.GetValue())
		}
		values[strings.Join(labels, "|")] = m.GetCounter().GetValue() + m.GetGauge().GetValue()
	}
	return values
}

func TestMetricsAreWhatPrometheusReads(t *testing.T) {
	at := time.Date(2026, 2, 10, 23, 35, 42, 0, time.UTC)
	retry := at.Add(5 * time.Minute)
	ugly := "sh -c 'echo \"a\\b\"\n\x1b[2J' é\u202e"
	r := Report{
		Hooks: map[string]Hook{
			"uv run /h/a.py": {
				Circuit: Circuit{
					State: Open, FailureCount: 5, ConsecutiveFailures: 4, LastFailure: &at, DisabledAt: &at, RetryAfter: &retry,
					TrialsPassed: 1, TrialsFailed: 5,
				},
				Executions: 9, Skips: 3, LastCall: &at, Running: map[string]Run{"x": {}},
				Sessions: map[string]*Session{"s": {Loop: &Circuit{State: Open}}, "t": {Loop: &Circuit{State: Closed}}, "u": {}, "v": nil},
			},
			"/h/b":    {DisabledByHand: &at, Circuit: Circuit{State: HalfOpen}},
			ugly:      {},
			"/h/\x01": {Executions: 1},
			"/h/\x02": {Executions: 2},
		},
		Stats: Stats{TotalExecutions: 1523, TotalFailures: 12, HooksDisabled: 2, LastUpdated: &at},
	}
	parsed := parsedMetrics(t, r)
	const a, b = "hook=uv run /h/a.py|name=a.py", "hook=/h/b|name=b"
	const u = "hook=sh -c 'echo \"a\\b\" \uFFFD[2J' é\uFFFD|name=\uFFFD[2J"
	const one, two = "hook=/h/\uFFFD|name=\uFFFD", "hook=/h/\uFFFD #2|name=\uFFFD"
	for name, want := range map[string]map[string]float64{
		"claude_hooks_executions_total":                    {"": 1523},
		"claude_hooks_failures_total":                      {"": 12},
		"claude_hooks_known":                               {"": 5},
		"claude_hooks_disabled":                            {"": 2},
		"claude_hooks_last_updated_timestamp_seconds":      {"": float64(at.Unix())},
		"claude_hooks_hook_executions_total":               {a: 9, b: 0, u: 0, one: 1, two: 2},
		"claude_hooks_hook_skips_total":                    {a: 3, b: 0, u: 0, one: 0, two: 0},
		"claude_hooks_hook_failures":                       {a: 5, b: 0, u: 0, one: 0, two: 0},
		"claude_hooks_hook_consecutive_failures":           {a: 4, b: 0, u: 0, one: 0, two: 0},
		"claude_hooks_hook_running":                        {a: 1, b: 0, u: 0, one: 0, two: 0},
		"claude_hooks_hook_disabled_by_hand":               {a: 0, b: 1, u: 0, one: 0, two: 0},
		"claude_hooks_hook_open_sessions":                  {a: 1, b: 0, u: 0, one: 0, two: 0},
		"claude_hooks_hook_recovery_estimate":              {a: 0.25, b: 0.5, u: 0.5, one: 0.5, two: 0.5},
		"claude_hooks_hook_retry_timestamp_seconds":        {a: float64(retry.Unix())},
		"claude_hooks_hook_last_call_timestamp_seconds":    {a: float64(at.Unix())},
		"claude_hooks_hook_last_failure_timestamp_seconds": {a: float64(at.Unix())},
		"claude_hooks_hook_state": {
			a + "|state=closed": 0, a + "|state=open": 1, a + "|state=half_open": 0,
			b + "|state=closed": 0, b + "|state=open": 0, b + "|state=half_open": 1,
			u + "|state=closed": 1, u + "|state=open": 0, u + "|state=half_open": 0,
			one + "|state=closed": 1, one + "|state=open": 0, one + "|state=half_open": 0,
			two + "|state=closed": 1, two + "|state=open": 0, two + "|state=half_open": 0,
		},
	} {
		if diff := cmp.Diff(want, samples(parsed[name])); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
		delete(parsed, name)
	}
	for name := range parsed {
		t.Errorf("%s is not tested", name)
	}
}

func TestMetricsOfNothing(t *testing.T) {
	parsed := parsedMetrics(t, Report{})
	if got := samples(parsed["claude_hooks_known"]); !cmp.Equal(got, map[string]float64{"": 0}) {
		t.Errorf("%v", got)
	}
}
