package hooks

import (
	"fmt"
	"strings"
)

// Metrics formats health as Prometheus text. The label hook is the hook's command.
func (health Health) Metrics() string {
	var b strings.Builder
	head := func(name, kind, help string) {
		fmt.Fprintf(&b, "# HELP claude_hooks_%s %s\n# TYPE claude_hooks_%s %s\n", name, help, name, kind)
	}
	for _, m := range []struct {
		name, kind, help string
		value            int64
	}{
		{"executions_total", "counter", "Runs of all hooks.", health.Stats.TotalExecutions},
		{"failures_total", "counter", "Failed runs of all hooks.", health.Stats.TotalFailures},
		{"known", "gauge", "Hooks in the state file.", int64(health.Total)},
		{"disabled", "gauge", "Hooks that are switched off.", int64(health.Disabled)},
	} {
		head(m.name, m.kind, m.help)
		fmt.Fprintf(&b, "claude_hooks_%s %d\n", m.name, m.value)
	}
	for _, m := range []struct {
		name, kind, help string
		value            func(HookHealth) int64
	}{
		{"hook_disabled", "gauge", "1 where the hook is switched off.", func(h HookHealth) int64 {
			if h.Disabled {
				return 1
			}
			return 0
		}},
		{"hook_executions_total", "counter", "Runs of the hook.", func(h HookHealth) int64 { return h.Executions }},
		{"hook_failures_total", "counter", "Failed runs of the hook.", func(h HookHealth) int64 { return h.Failures }},
		{"hook_skips_total", "counter", "Skipped calls of the hook.", func(h HookHealth) int64 { return h.Skips }},
	} {
		head(m.name, m.kind, m.help)
		for _, h := range health.Hooks {
			fmt.Fprintf(&b, "claude_hooks_%s{hook=%s} %d\n", m.name, label(h.Command), m.value(h))
		}
	}
	return b.String()
}

// label quotes a value of a label.
func label(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}
