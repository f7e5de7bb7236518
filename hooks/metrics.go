package hooks

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/claudeops/claudeops/internal/statedir"
)

// metric is one metric of every hook. Its value is a number, or a time; a nil time means that the hook has no value.
type metric struct {
	name, kind, help string
	value            func(h Hook) any
}

// hookMetrics are the metrics of single hooks. Dashboards and alerts of others depend on their names.
var hookMetrics = []metric{
	{"claude_hooks_hook_executions_total", "counter", "Runs of the hook.", func(h Hook) any { return h.Executions }},
	{"claude_hooks_hook_skips_total", "counter", "Calls of the hook that were skipped.", func(h Hook) any { return h.Skips }},
	{"claude_hooks_hook_failures", "gauge", "Failures since the circuit last closed.", func(h Hook) any { return h.FailureCount }},
	{"claude_hooks_hook_consecutive_failures", "gauge", "Failures in a row.", func(h Hook) any { return h.ConsecutiveFailures }},
	{"claude_hooks_hook_running", "gauge", "Runs that have not ended.", func(h Hook) any { return int64(len(h.Running)) }},
	{"claude_hooks_hook_disabled_by_hand", "gauge", "1 where an operator has disabled the hook.", func(h Hook) any { return one(h.DisabledByHand != nil) }},
	{"claude_hooks_hook_open_sessions", "gauge", "Sessions for which alone the hook is switched off.", func(h Hook) any {
		n := int64(0)
		for _, s := range h.Sessions {
			n += one(s != nil && s.loopState() == Open)
		}
		return n
	}},
	{"claude_hooks_hook_recovery_estimate", "gauge", "Estimated chance that the next trial passes.", func(h Hook) any { return h.Chance() }},
	{"claude_hooks_hook_retry_timestamp_seconds", "gauge", "When an open circuit may be tried again.", func(h Hook) any { return h.RetryAfter }},
	{"claude_hooks_hook_last_call_timestamp_seconds", "gauge", "When the hook was last called.", func(h Hook) any { return h.LastCall }},
	{"claude_hooks_hook_last_failure_timestamp_seconds", "gauge", "When the hook last failed.", func(h Hook) any { return h.LastFailure }},
}

// Metrics formats a report as Prometheus text. The label hook is the hook's command, and name its short name, which may not be unique.
func Metrics(r Report) []byte {
	var text bytes.Buffer
	head := func(name, kind, help string) {
		fmt.Fprintf(&text, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
	}
	line := func(name, labels string, value any) {
		switch value := value.(type) {
		case int64:
			fmt.Fprintf(&text, "%s%s %d\n", name, labels, value)
		case float64:
			fmt.Fprintf(&text, "%s%s %s\n", name, labels, strconv.FormatFloat(value, 'f', -1, 64))
		case *time.Time:
			if value != nil {
				fmt.Fprintf(&text, "%s%s %d\n", name, labels, value.Unix())
			}
		}
	}
	single := func(name, kind, help string, value any) {
		head(name, kind, help)
		line(name, "", value)
	}
	hooks := slices.Sorted(maps.Keys(r.Hooks))
	single("claude_hooks_executions_total", "counter", "Runs of all hooks.", r.Stats.TotalExecutions)
	single("claude_hooks_failures_total", "counter", "Failed runs of all hooks.", r.Stats.TotalFailures)
	single("claude_hooks_known", "gauge", "Hooks in the state file.", int64(len(hooks)))
	single("claude_hooks_disabled", "gauge", "Hooks whose circuit is not closed or that an operator has disabled.", r.Stats.HooksDisabled)
	if r.Stats.LastUpdated != nil {
		single("claude_hooks_last_updated_timestamp_seconds", "gauge", "When the state file last changed.", r.Stats.LastUpdated)
	}
	labels := labelsOf(hooks)
	const state = "claude_hooks_hook_state"
	head(state, "gauge", "1 for the state that the hook's circuit is in.")
	for _, hook := range hooks {
		for _, s := range []State{Closed, Open, HalfOpen} {
			line(state, fmt.Sprintf(`{%s,state="%s"}`, labels[hook], s), one(r.Hooks[hook].State.known() == s))
		}
	}
	for _, m := range hookMetrics {
		head(m.name, m.kind, m.help)
		for _, hook := range hooks {
			line(m.name, "{"+labels[hook]+"}", m.value(r.Hooks[hook]))
		}
	}
	return text.Bytes()
}

// metricsAge is the age at which a metrics file is rewritten by a hook that changes no circuit. It is shorter than a usual scrape
// interval.
const metricsAge = 10 * time.Second

// ExportMetrics writes the metrics to a file for the textfile collector of Prometheus. If only counts have changed, a file that is
// younger than metricsAge at now is kept.
func (f *File) ExportMetrics(ctx context.Context, path string, now time.Time, changed bool) error {
	if is, err := os.Lstat(path); err == nil && is.Mode().IsRegular() && !changed && now.Sub(is.ModTime()).Abs() < metricsAge {
		return nil
	}
	report, err := f.HealthReport(ctx)
	if err != nil {
		return err
	}
	return statedir.Publish(path, Metrics(report))
}

// labelsOf returns the labels of each hook. Hooks that look the same are numbered, because a metric must not appear twice.
func labelsOf(hooks []string) map[string]string {
	quote := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)
	labels := make(map[string]string, len(hooks))
	taken := make(map[string]bool, len(hooks))
	for _, hook := range hooks {
		label := unused(OneLine(hook), taken)
		taken[label] = true
		labels[hook] = `hook="` + quote.Replace(label) + `",name="` + quote.Replace(ShortName(hook)) + `"`
	}
	return labels
}

func one(is bool) int64 {
	if is {
		return 1
	}
	return 0
}

// known returns the state; the zero value means Closed.
func (s State) known() State {
	if s == Open || s == HalfOpen {
		return s
	}
	return Closed
}
