package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/claudeops/claudeops/hooks"
	"github.com/claudeops/claudeops/internal/text"
)

// style is how a terminal shows a piece of text: the parameters of its escape sequence.
type style string

const (
	none   style = ""
	bold   style = "1"
	red    style = "31"
	yellow style = "33"
	faint  style = "2"
)

// hooksReport is a text in the making, some of whose pieces have a colour on a terminal. Escape sequences come from it alone: each piece
// is made printable.
type hooksReport struct {
	app      *app
	coloured bool
	text     strings.Builder
}

// newHooksReport is coloured where standard output is a terminal and the environment does not say no (no-color.org).
func (a *app) newHooksReport() *hooksReport {
	return &hooksReport{app: a, coloured: a.terminal() && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"}
}

// terminal reports whether standard output is one.
func (a *app) terminal() bool {
	f, ok := a.Out.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

func (s *hooksReport) put(as style, words string) {
	words = text.Printable(s.app.redactor.String(words))
	if s.coloured && as != none {
		words = "\x1b[" + string(as) + "m" + words + "\x1b[0m"
	}
	s.text.WriteString(words)
}

// line is a line of ours around foreign texts, which become one line each.
func (s *hooksReport) line(format string, foreign ...any) {
	for i, value := range foreign {
		if word, ok := value.(string); ok {
			foreign[i] = text.Line(word)
		}
	}
	s.put(none, fmt.Sprintf(format, foreign...)+"\n")
}

func (s *hooksReport) heading(text string) { s.put(bold, text); s.text.WriteByte('\n') }

func (a *app) printHealth(health hooks.Health) error {
	s := a.newHooksReport()
	s.health(a, health)
	_, err := io.WriteString(a.Out, s.text.String())
	return err
}

// health has the layout of ANTI-LOOP "Health monitoring", and behind it what that does not know.
func (s *hooksReport) health(a *app, health hooks.Health) {
	const title = "Hook Health Report"
	s.heading(title)
	s.line("%s", strings.Repeat("=", len(title)))
	s.line("Total Hooks: %d", health.Total)
	s.line("Active: %d", health.Active)
	s.line("Disabled: %d", health.Disabled)
	switch {
	case !health.Enabled:
		s.put(yellow, "Circuit Breaker: off, every hook runs\n")
	case health.Observe:
		s.put(yellow, "Mode: observe, every hook runs\n")
	}
	disabled := pick(health, func(h hooks.HookHealth) bool { return h.Disabled })
	spared := pick(health, func(h hooks.HookHealth) bool {
		return h.Spared != "" && (h.Reason != "" || h.State != hooks.Closed)
	})
	looping := pick(health, func(h hooks.HookHealth) bool { return len(h.Loops) > 0 })
	failing := pick(health, func(h hooks.HookHealth) bool { return h.Failing })
	s.block("DISABLED HOOKS:", disabled, func(h hooks.HookHealth) { s.entry(health, h) })
	s.block("WOULD BE DISABLED:", spared, func(h hooks.HookHealth) { s.entry(health, h) })
	s.block("DISABLED IN SINGLE SESSIONS:", looping, func(h hooks.HookHealth) { s.loops(health, h) })
	s.block("EXCLUDED, BUT FAILING:", failing, func(h hooks.HookHealth) {
		s.tag(h.Name, "EXCLUDED", yellow)
		s.failures(h.Circuit)
	})
	if len(health.Faults) > 0 {
		s.text.WriteByte('\n')
		s.heading("CONFIGURATION FAULTS:")
		for _, fault := range health.Faults {
			s.line("  %s", fault)
		}
	}
	s.commands(a, disabled, looping)
}

func pick(health hooks.Health, is func(hooks.HookHealth) bool) (hooks []hooks.HookHealth) {
	for _, h := range health.Hooks {
		if is(h) {
			hooks = append(hooks, h)
		}
	}
	return hooks
}

func (s *hooksReport) block(heading string, hooks []hooks.HookHealth, entry func(hooks.HookHealth)) {
	if len(hooks) == 0 {
		return
	}
	s.text.WriteByte('\n')
	s.heading(heading)
	for _, h := range hooks {
		entry(h)
	}
}

func (s *hooksReport) tag(name, tag string, as style) {
	s.put(none, "  ")
	s.put(as, "["+tag+"]")
	s.line(" %s", name)
}

// entry is a hook that is switched off, or would be.
func (s *hooksReport) entry(health hooks.Health, h hooks.HookHealth) {
	switch h.Reason {
	case hooks.DisabledByHand:
		s.tag(h.Name, "DISABLED", red)
		if h.ConsecutiveFailures > 0 {
			s.failures(h.Circuit)
		}
		s.since(health, h.DisabledByHand, ", by hand")
	case hooks.ParentOpen:
		s.tag(h.Name, "PARENT_OPEN", red)
		s.line("    Depends On: %s", h.Parent)
		for _, parent := range pick(health, func(p hooks.HookHealth) bool { return p.Name == h.Parent }) {
			s.since(health, parent.DisabledAt, "")
			s.retry(health, parent.Circuit)
		}
	default:
		as := red
		if h.State == hooks.HalfOpen {
			as = yellow
		}
		s.tag(h.Name, strings.ToUpper(string(h.State)), as)
		s.failures(h.Circuit)
		s.since(health, h.DisabledAt, "")
		s.retry(health, h.Circuit)
		if h.State == hooks.HalfOpen {
			s.trial(h)
		}
	}
	if h.Estimate != nil {
		s.line("    Recovery: %.0f %% likely, as its trials so far tell", *h.Estimate*100)
	}
	s.spared(h)
}

func (s *hooksReport) failures(c hooks.Circuit) {
	s.line("    Failures: %d consecutive, %d total", c.ConsecutiveFailures, c.FailureCount)
	if c.LastError != "" {
		s.line("    Last Error: %s", c.LastError)
	}
}

func (s *hooksReport) since(health hooks.Health, at *time.Time, how string) {
	if at != nil {
		s.line("    Disabled Since: %s (%s)%s", s.local(*at), relative(*at, health.Now), how)
	}
}

func (s *hooksReport) retry(health hooks.Health, c hooks.Circuit) {
	if c.State != hooks.Open || c.RetryAfter == nil {
		return
	}
	if health.Now.Before(*c.RetryAfter) {
		s.line("    Retry After: %s (%s)", s.local(*c.RetryAfter), relative(*c.RetryAfter, health.Now))
		return
	}
	s.line("    Retry After: %s (the next call is a trial)", s.local(*c.RetryAfter))
}

func (s *hooksReport) trial(h hooks.HookHealth) {
	next := "the next call is tried"
	if h.Reason == hooks.TrialRunning {
		next = "a trial runs"
	}
	s.line("    On Trial: %d of %d successes, %s", h.ConsecutiveSuccesses, h.SuccessThreshold, next)
}

func (s *hooksReport) spared(h hooks.HookHealth) {
	switch h.Spared {
	case hooks.SparedByObserving:
		s.line("    Runs All The Same: it is observed only")
	case hooks.SparedByBeingOff:
		s.line("    Runs All The Same: the circuit breaker is off")
	case hooks.SparedByItsEvent:
		s.line("    Runs All The Same: %s hooks are never skipped", h.Event)
	}
}

// loops are the sessions for which alone a hook is switched off.
func (s *hooksReport) loops(health hooks.Health, h hooks.HookHealth) {
	for _, loop := range h.Loops {
		s.tag(h.Name, strings.ToUpper(string(loop.State)), red)
		s.line("    Session: %s", loop.Session)
		s.line("    Blocks: %d consecutive", loop.ConsecutiveFailures)
		s.since(health, loop.DisabledAt, "")
		s.retry(health, loop.Circuit)
		s.spared(h)
	}
}

// commands are what to do about it, with the first hook that each is for as its example.
func (s *hooksReport) commands(a *app, disabled, looping []hooks.HookHealth) {
	if len(disabled) == 0 && len(looping) == 0 {
		return
	}
	s.text.WriteByte('\n')
	s.heading("COMMANDS:")
	first := func(hooks []hooks.HookHealth, is func(hooks.HookHealth) bool) string {
		for _, h := range hooks {
			if is(h) {
				return shellWord(h.Name)
			}
		}
		return ""
	}
	failed := func(h hooks.HookHealth) bool { return h.State != hooks.Closed }
	byHand := func(h hooks.HookHealth) bool { return h.DisabledByHand != nil }
	loops := func(h hooks.HookHealth) bool { return len(h.Loops) > 0 }
	open := first(disabled, failed)
	if open != "" {
		s.line("  Reset single hook:  %s", a.hooks("reset "+open))
	} else if name := first(looping, loops); name != "" {
		s.line("  Reset single hook:  %s", a.hooks("reset "+name))
	}
	s.line("  Reset all:          %s", a.hooks("reset --all"))
	if open != "" {
		s.line("  Force enable:       %s", a.hooks("enable "+open+" --force"))
	}
	if name := first(disabled, byHand); name != "" {
		s.line("  Enable:             %s", a.hooks("enable "+name))
	}
}

// local is a time as the report has it: of the reader's own zone.
func (s *hooksReport) local(t time.Time) string {
	return t.In(s.app.Now().Location()).Format(time.DateTime)
}

// relative is how far t is from now, in the largest unit of which there is a whole one. A time to come is rounded, because nobody
// reads "in 4 minutes" as nearly 5.
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

// units is d in whole units, rounded or as many as there are.
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
