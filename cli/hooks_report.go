package cli

import (
	_ "embed"
	"fmt"
	"io"
	"strings"
	"text/template"
	"time"

	"github.com/claudeops/claudeops/hooks"
	"github.com/claudeops/claudeops/internal/text"
)

//go:embed hooks_report.tmpl
var hooksReportText string

// paint styles words with the parameters of an escape sequence, if coloured.
func (a *app) paint(coloured bool, style, words string) string {
	if words = text.Printable(a.redactor.String(words)); coloured {
		words = "\x1b[" + style + "m" + words + "\x1b[0m"
	}
	return words
}

const (
	bold, faint = "1", "2"
	red, yellow = "31", "33"
)

func (a *app) printHealth(health hooks.Health) error {
	report, err := a.healthText(health, a.colours())
	if err != nil {
		return err
	}
	_, err = io.WriteString(a.Out, report)
	return err
}

// healthText returns a health report for people. Each foreign text becomes one line.
func (a *app) healthText(health hooks.Health, coloured bool) (string, error) {
	pick := func(is func(hooks.HookHealth) bool) func() []hooks.HookHealth {
		return func() (picked []hooks.HookHealth) {
			for _, h := range health.Hooks {
				if is(h) {
					picked = append(picked, h)
				}
			}
			return picked
		}
	}
	in := func(style string) func(string) string {
		return func(words string) string { return a.paint(coloured, style, words) }
	}
	shown := func(t time.Time) string {
		return t.In(a.Now().Location()).Format(time.DateTime) + " (" + relative(t, health.Now) + ")"
	}
	disabled := pick(func(h hooks.HookHealth) bool { return h.Disabled })
	looping := pick(func(h hooks.HookHealth) bool { return len(h.Loops) > 0 })
	t, err := template.New("health").Funcs(template.FuncMap{
		"bold": in(bold), "yellow": in(yellow), "line": a.line, "disabled": disabled, "looping": looping,
		"spared":  pick(func(h hooks.HookHealth) bool { return h.Spared != "" && (h.Reason != "" || h.State != hooks.Closed) }),
		"failing": pick(func(h hooks.HookHealth) bool { return h.Failing }),
		"parents": func(child hooks.HookHealth) []hooks.HookHealth {
			return pick(func(h hooks.HookHealth) bool { return h.Name == child.Parent })()
		},
		"tag": func(state hooks.State) string {
			style := red
			if state == hooks.HalfOpen {
				style = yellow
			}
			return a.paint(coloured, style, "["+strings.ToUpper(string(state))+"]")
		},
		"since": func(at *time.Time, how string) string {
			if at == nil {
				return ""
			}
			return "\n    Disabled Since: " + shown(*at) + how
		},
		"retry": func(c hooks.Circuit) string {
			switch {
			case c.State != hooks.Open || c.RetryAfter == nil:
				return ""
			case health.Now.Before(*c.RetryAfter):
				return "\n    Retry After: " + shown(*c.RetryAfter)
			}
			return "\n    Retry After: " + c.RetryAfter.In(a.Now().Location()).Format(time.DateTime) + " (the next call is a trial)"
		},
		"percent":  func(share *float64) string { return fmt.Sprintf("%.0f %%", *share*100) },
		"commands": func() []string { return a.healthCommands(disabled(), looping()) },
	}).Parse(hooksReportText)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	err = t.Execute(&out, health)
	return strings.TrimRight(out.String(), "\n") + "\n", err
}

// healthCommands returns the commands for hooks that are switched off, each with the first such hook as example.
func (a *app) healthCommands(disabled, looping []hooks.HookHealth) (lines []string) {
	if len(disabled) == 0 && len(looping) == 0 {
		return nil
	}
	add := func(what, command string) {
		lines = append(lines, fmt.Sprintf("%-19s %s", what, text.Printable(a.redactor.String(a.hooks(command)))))
	}
	failed, byOperator := "", ""
	for _, h := range disabled {
		if failed == "" && h.State != hooks.Closed {
			failed = text.ShellWord(h.Name)
		}
		if byOperator == "" && h.DisabledByHand != nil {
			byOperator = text.ShellWord(h.Name)
		}
	}
	if failed != "" {
		add("Reset single hook:", "reset "+failed)
	} else if len(looping) > 0 {
		add("Reset single hook:", "reset "+text.ShellWord(looping[0].Name))
	}
	add("Reset all:", "reset --all")
	if failed != "" {
		add("Force enable:", "enable "+failed+" --force")
	}
	if byOperator != "" {
		add("Enable:", "enable "+byOperator)
	}
	return lines
}

// relative describes how far t is from now, in the largest unit of which there is at least one. A future time is rounded, because "in 4
// minutes" is not understood as almost 5.
func relative(t, now time.Time) string {
	d := now.Sub(t)
	switch {
	case d < 0:
		return "in " + units(max(-d, time.Second).Round(time.Second), true)
	case d < time.Second:
		return "just now"
	}
	return units(d, false) + " ago"
}

// units returns d in whole units, rounded or truncated.
func units(d time.Duration, rounded bool) string {
	whole := func(unit time.Duration) int64 {
		if rounded {
			return int64(d.Round(unit) / unit)
		}
		return int64(d / unit)
	}
	switch {
	case d < time.Minute:
		return text.Count(int(d/time.Second), "second")
	case whole(time.Minute) < 60:
		return text.Count(int(whole(time.Minute)), "minute")
	case whole(time.Hour) < 48:
		return text.Count(int(whole(time.Hour)), "hour")
	}
	return text.Count(int(whole(24*time.Hour)), "day")
}
