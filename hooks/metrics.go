package hooks

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/claudeops/claudeops/internal/statedir"
)

// family is one metric of every hook.
type family struct {
	name, kind, help string
	// value is the hook's; without ok it has none.
	value func(h Hook) (value float64, ok bool)
}

// families are the metrics of single hooks. Their names are what dashboards and alerts of other people are made of.
func families() []family {
	number := func(of func(h Hook) int64) func(Hook) (float64, bool) {
		return func(h Hook) (float64, bool) { return float64(of(h)), true }
	}
	instant := func(of func(h Hook) *time.Time) func(Hook) (float64, bool) {
		return func(h Hook) (float64, bool) {
			t := of(h)
			if t == nil {
				return 0, false
			}
			return float64(t.Unix()), true
		}
	}
	return []family{
		{
			"claude_hooks_hook_executions_total", "counter", "Runs of the hook.",
			number(func(h Hook) int64 { return h.Executions }),
		},
		{
			"claude_hooks_hook_skips_total", "counter", "Calls of the hook that were skipped.",
			number(func(h Hook) int64 { return h.Skips }),
		},
		{
			"claude_hooks_hook_failures", "gauge", "Failures since the circuit last closed.",
			number(func(h Hook) int64 { return h.FailureCount }),
		},
		{
			"claude_hooks_hook_consecutive_failures", "gauge", "Failures in a row.",
			number(func(h Hook) int64 { return h.ConsecutiveFailures }),
		},
		{
			"claude_hooks_hook_running", "gauge", "Runs that have not ended.",
			number(func(h Hook) int64 { return int64(len(h.Running)) }),
		},
		{
			"claude_hooks_hook_disabled_by_hand", "gauge", "1 where an operator has disabled the hook.",
			number(func(h Hook) int64 { return one(h.DisabledByHand != nil) }),
		},
		{
			"claude_hooks_hook_open_sessions", "gauge", "Sessions for which alone the hook is switched off.",
			number(openSessions),
		},
		{
			"claude_hooks_hook_recovery_estimate", "gauge", "Estimated chance that the next trial passes.",
			func(h Hook) (float64, bool) { return h.Chance(), true },
		},
		{
			"claude_hooks_hook_retry_timestamp_seconds", "gauge", "When an open circuit may be tried again.",
			instant(func(h Hook) *time.Time { return h.RetryAfter }),
		},
		{
			"claude_hooks_hook_last_call_timestamp_seconds", "gauge", "When the hook was last called.",
			instant(func(h Hook) *time.Time { return h.LastCall }),
		},
		{
			"claude_hooks_hook_last_failure_timestamp_seconds", "gauge", "When the hook last failed.",
			instant(func(h Hook) *time.Time { return h.LastFailure }),
		},
	}
}

// WriteMetrics writes a report in the text format of Prometheus. The label hook is the hook's command, name its short name, which
// other hooks may have too.
func WriteMetrics(w io.Writer, r Report) error {
	m := &metrics{bufio.NewWriter(w)}
	hooks := slices.Sorted(maps.Keys(r.Hooks))
	m.single("claude_hooks_executions_total", "counter", "Runs of all hooks.", r.Stats.TotalExecutions)
	m.single("claude_hooks_failures_total", "counter", "Failed runs of all hooks.", r.Stats.TotalFailures)
	m.single("claude_hooks_known", "gauge", "Hooks in the state file.", int64(len(hooks)))
	m.single("claude_hooks_disabled", "gauge", "Hooks whose circuit is not closed or that an operator has disabled.", r.Stats.HooksDisabled)
	if r.Stats.LastUpdated != nil {
		m.single("claude_hooks_last_updated_timestamp_seconds", "gauge", "When the state file last changed.", r.Stats.LastUpdated.Unix())
	}
	labels := labelsOf(hooks)
	m.head("claude_hooks_hook_state", "gauge", "1 for the state that the hook's circuit is in.")
	for _, hook := range hooks {
		for _, state := range []State{Closed, Open, HalfOpen} {
			is := one(r.Hooks[hook].State.known() == state)
			m.line("claude_hooks_hook_state", labels[hook]+`,state="`+string(state)+`"`, strconv.FormatInt(is, 10))
		}
	}
	for _, f := range families() {
		m.head(f.name, f.kind, f.help)
		for _, hook := range hooks {
			if value, ok := f.value(r.Hooks[hook]); ok {
				m.line(f.name, labels[hook], strconv.FormatFloat(value, 'f', -1, 64))
			}
		}
	}
	return m.w.Flush()
}

// metricsAge is how old a metrics file becomes before a hook that changes no circuit writes it anew: less than Prometheus waits
// from one reading to the next, as a rule.
const metricsAge = 10 * time.Second

// ExportMetrics writes the metrics to a file for the textfile collector of Prometheus. Where nothing changed but counts, a file that
// is younger than metricsAge at now stays as it is.
func (f *File) ExportMetrics(ctx context.Context, path string, now time.Time, changed bool) error {
	if is, err := os.Lstat(path); err == nil && is.Mode().IsRegular() && !changed && now.Sub(is.ModTime()).Abs() < metricsAge {
		return nil
	}
	report, err := f.HealthReport(ctx)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	if err := WriteMetrics(&text, report); err != nil {
		return err
	}
	return statedir.Publish(path, text.Bytes())
}

// metrics writes lines. The buffer keeps the first error for the end.
type metrics struct{ w *bufio.Writer }

func (m *metrics) head(name, kind, help string) {
	_, _ = m.w.WriteString("# HELP " + name + " " + help + "\n# TYPE " + name + " " + kind + "\n")
}

func (m *metrics) line(name, labels, value string) {
	_, _ = m.w.WriteString(name + "{" + labels + "} " + value + "\n")
}

func (m *metrics) single(name, kind, help string, value int64) {
	m.head(name, kind, help)
	_, _ = m.w.WriteString(name + " " + strconv.FormatInt(value, 10) + "\n")
}

// labelsOf are the labels of each hook. Two hooks that look the same are told apart by a number: a metric must not appear twice.
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

func openSessions(h Hook) int64 {
	n := int64(0)
	for _, s := range h.Sessions {
		n += one(s != nil && s.Loop != nil && s.Loop.State == Open)
	}
	return n
}

func one(is bool) int64 {
	if is {
		return 1
	}
	return 0
}

// known is the state, of which the zero value means Closed.
func (s State) known() State {
	if s == Open || s == HalfOpen {
		return s
	}
	return Closed
}
