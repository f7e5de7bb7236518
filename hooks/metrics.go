package hooks

import (
	"fmt"
	"strings"
	"time"
)

// Metrics formats health as Prometheus text. The label hook is the hook's command.
func (health Health) Metrics() string {
	var b strings.Builder
	head := func(name, kind, help string) { fmt.Fprintf(&b, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind) }
	one := func(name, kind, help string, value int64) {
		head(name, kind, help)
		fmt.Fprintf(&b, "%s %d\n", name, value)
	}
	one("claude_hooks_executions_total", "counter", "Runs of all hooks.", health.Stats.TotalExecutions)
	one("claude_hooks_failures_total", "counter", "Failed runs of all hooks.", health.Stats.TotalFailures)
	one("claude_hooks_known", "gauge", "Hooks in the state file.", int64(health.Total))
	one("claude_hooks_disabled", "gauge", "Hooks that are switched off.", int64(health.Disabled))
	each := func(name, kind, help string, value func(HookHealth) int64) {
		head(name, kind, help)
		for _, h := range health.Hooks {
			fmt.Fprintf(&b, "%s{hook=%s} %d\n", name, label(h.Command), value(h))
		}
	}
	each("claude_hooks_hook_disabled", "gauge", "1 where the hook is switched off.", func(h HookHealth) int64 {
		if h.Disabled {
			return 1
		}
		return 0
	})
	each("claude_hooks_hook_executions_total", "counter", "Runs of the hook.", func(h HookHealth) int64 { return h.Executions })
	each("claude_hooks_hook_failures_total", "counter", "Failed runs of the hook.", func(h HookHealth) int64 { return h.Failures })
	each("claude_hooks_hook_skips_total", "counter", "Calls of the hook that were skipped.", func(h HookHealth) int64 { return h.Skips })
	each("claude_hooks_hook_consecutive_failures", "gauge", "Failures in a row.", func(h HookHealth) int64 { return h.ConsecutiveFailures })
	each("claude_hooks_hook_last_failure_timestamp_seconds", "gauge", "When the hook last failed; 0: never.", func(h HookHealth) int64 {
		return unix0(h.LastFailure)
	})
	return b.String()
}

func unix0(t *time.Time) int64 {
	if t == nil {
		return 0
	}
	return t.Unix()
}

// label quotes a value of a label.
func label(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(strings.ToValidUTF8(s, "\ufffd")) + `"`
}
