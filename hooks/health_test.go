package hooks

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

const troubled = `{"hooks": {
  "uv run hooks/validate_file_contains.py": {"state": "open", "failure_count": 5, "consecutive_failures": 5, "last_failure": "2026-02-10T11:55:00Z",
    "last_error": "Failed to spawn: No such file or directory", "disabled_at": "2026-02-10T11:55:00Z", "retry_after": "2026-02-10T12:02:00Z"},
  "sh trial.sh": {"state": "half_open", "failure_count": 1, "last_error": "Exit code 1"},
  "sh \"quiet\n\\please\".sh": {"state": "closed", "disabled_by_hand": "2026-02-10T09:00:00Z"},
  "client.sh": {"state": "closed"},
  "damage-control.py": {"state": "open", "failure_count": 9, "consecutive_failures": 9},
  "stop.sh": {"state": "closed", "executions": 7, "skips": 2, "sessions": {
    "a": {"seen_at": "2026-02-10T11:59:00Z", "loop": {"state": "open", "last_error": "kept the agent from ending 8 times in a row", "retry_after": "2026-02-10T12:01:00Z"}},
    "b": {"seen_at": "2026-02-10T11:59:00Z", "loop": {"state": "open", "retry_after": "2026-02-10T11:59:00Z"}}}}
}, "global_stats": {"total_executions": 1523, "total_failures": 12}}`

// examined returns the health at noon of a home with that state.
func examined(t *testing.T, state, guardrails string) Health {
	t.Helper()
	home := newHome(t, guardrails)
	if state != "" {
		must(t, os.WriteFile(filepath.Join(home, ".claude", "hook_state.json"), []byte(state), 0o600))
	}
	return Examine(home, noon)
}

func TestANTILOOP_HealthReport(t *testing.T) {
	local := time.Local
	time.Local = time.FixedZone("CET", 3600)
	t.Cleanup(func() { time.Local = local })
	const guardrails = "circuit_breaker: {exclude: [damage-control], depends_on: {client.sh: [validate_file_contains.py]}}"
	health := examined(t, troubled, guardrails)
	want := `Hook Health Report
==================
Total Hooks: 6
Active: 2
Disabled: 4

DISABLED HOOKS:
  [WAITS] client.sh
    Depends On: validate_file_contains.py
  [DISABLED BY HAND] \please.sh
    Disabled Since: 2026-02-10 10:00:00 (3 hours ago)
  [HALF_OPEN] trial.sh
    Failures: 0 consecutive, 1 total
    Last Error: Exit code 1
    Retry After: at its next call
  [OPEN] validate_file_contains.py
    Failures: 5 consecutive, 5 total
    Last Error: Failed to spawn: No such file or directory
    Disabled Since: 2026-02-10 12:55:00 (5 minutes ago)
    Retry After: 2026-02-10 13:02:00 (in 2 minutes)

DISABLED IN SINGLE SESSIONS:
  [LOOP] stop.sh
    Last Error: kept the agent from ending 8 times in a row
    Retry After: 2026-02-10 13:01:00 (in 1 minute)

COMMANDS:
  Reset single hook:  claude-hooks reset validate_file_contains.py
  Reset all:          claude-hooks reset --all
  Force enable:       claude-hooks enable validate_file_contains.py --force
`
	if diff := cmp.Diff(want, health.Text()); diff != "" {
		t.Error(diff)
	}
	if got := health.Line(); got != `hooks: 5 of 6 off: client.sh, \please.sh +3` {
		t.Error(got)
	}

	health = examined(t, "", "")
	if got := health.Text(); got != "Hook Health Report\n==================\nTotal Hooks: 0\nActive: 0\nDisabled: 0\n\nNo hook has run behind the circuit breaker yet.\n" {
		t.Errorf("nothing known: %s", got)
	}
	health = examined(t, troubled, "circuit_breaker: {enabled: false}")
	if got := health.Line(); got != "hooks: circuit breaker off" {
		t.Error(got)
	}
	if got := health.Text(); !strings.HasSuffix(got, "Disabled: 0\n\nThe circuit breaker is off: every hook runs.\n") {
		t.Errorf("off: %s", got)
	}
	health = examined(t, "garbage", "")
	if got := health.Text(); !strings.Contains(got, "hook_state.json: not a hook state") {
		t.Errorf("damaged: %s", got)
	}
}

func TestRelativeTimes(t *testing.T) {
	for after, want := range map[time.Duration]string{
		0: "0 seconds ago", time.Second: "1 second ago", 90 * time.Second: "2 minutes ago", -2 * time.Minute: "in 2 minutes",
		2 * time.Hour: "2 hours ago", -72 * time.Hour: "in 3 days",
	} {
		if got := relative(noon.Add(-after), noon); got != want {
			t.Errorf("%v: %q, want %q", after, got, want)
		}
	}
}

// Prometheus' own parser reads the metrics.
func TestANTILOOP_Metrics(t *testing.T) {
	health := examined(t, troubled, "")
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(strings.NewReader(health.Metrics()))
	must(t, err)
	values := map[string]float64{}
	for name, family := range families {
		for _, m := range family.GetMetric() {
			key := name
			for _, l := range m.GetLabel() {
				key += " " + l.GetValue()
			}
			values[key] = m.GetGauge().GetValue() + m.GetCounter().GetValue()
		}
	}
	for key, want := range map[string]float64{
		"claude_hooks_executions_total": 1523, "claude_hooks_failures_total": 12, "claude_hooks_known": 6, "claude_hooks_disabled": 4,
		"claude_hooks_hook_disabled uv run hooks/validate_file_contains.py": 1,
		"claude_hooks_hook_disabled client.sh":                              0,
		"claude_hooks_hook_executions_total stop.sh":                        7,
		"claude_hooks_hook_skips_total stop.sh":                             2,
		"claude_hooks_hook_failures_total damage-control.py":                0,
		"claude_hooks_hook_disabled sh \"quiet\n\\please\".sh":              1,
	} {
		if got, ok := values[key]; !ok || got != want {
			t.Errorf("%s: %v (%v), want %v", key, got, ok, want)
		}
	}
}
