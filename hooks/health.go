package hooks

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"strings"
	"time"
)

// Health is what the state file says under a configuration.
type Health struct {
	Total    int          `json:"total"`
	Active   int          `json:"active"`
	Disabled int          `json:"disabled"`
	Hooks    []HookHealth `json:"hooks"` // by command
	Stats    Stats        `json:"global_stats"`
	Fault    string       `json:"fault,omitzero"` // of the configuration or the state file
	Enabled  bool         `json:"enabled"`        // the circuit breaker as a whole
	Now      time.Time    `json:"now"`
}

// HookHealth is the health of one hook.
type HookHealth struct {
	Name     string `json:"name"` // short, and no other hook's
	Command  string `json:"command"`
	Disabled bool   `json:"disabled"` // its calls are skipped, or on trial
	Excluded bool   `json:"excluded"`
	Parent   string `json:"parent,omitzero"` // the name of a hook that it depends on and that is switched off

	Loops []Circuit `json:"loops,omitempty"` // of the sessions for which alone it is switched off

	Hook `json:",embed"`
}

// Examine returns the health of all hooks of a home folder's user. It changes nothing.
func Examine(home string, now time.Time) Health {
	c, fault := LoadConfig(home)
	f := c.File(func() time.Time { return now })
	s, damaged := f.Read()
	if fault == nil {
		fault = damaged
	}
	health := Health{Stats: s.Stats, Enabled: c.Breaker.Enabled, Now: now, Hooks: []HookHealth{}}
	health.Stats.Others = nil
	if fault != nil {
		health.Fault = fault.Error()
	}
	commands := s.Names()
	names := ShortNames(commands)
	for _, command := range commands {
		h := c.examine(command, names, s, now)
		if h.Disabled {
			health.Disabled++
		}
		health.Hooks = append(health.Hooks, h)
	}
	health.Total = len(commands)
	health.Active = health.Total - health.Disabled
	return health
}

// Known reports whether a home folder's user has a state file.
func Known(home string) bool {
	c, _ := LoadConfig(home) // a fault is shown by Examine
	_, missing := os.Stat(c.StateFile)
	return missing == nil
}

// ResetName names the hook that a person has to reset: this one, or the one that it waits for; quoted for a shell.
func (h HookHealth) ResetName() string { return quote(cmp.Or(h.Parent, h.Name)) }

func (c *Config) examine(command string, names map[string]string, s *Hooks, now time.Time) HookHealth {
	h := HookHealth{Name: names[command], Command: command, Hook: *s.Hook(command)}
	r := c.Rules(command)
	h.Others = nil // their names could be those of members here
	h.Excluded = r.Excluded
	if r.Excluded || !c.Breaker.Enabled {
		return h
	}
	h.Parent = names[c.Parent(command, s, now)]
	h.Disabled = h.Off() || h.Parent != ""
	for _, session := range h.Sessions {
		if session.Loop != nil && session.Loop.known() == Open && session.Loop.waits(now, r.loop()) {
			h.Loops = append(h.Loops, *session.Loop)
		}
	}
	return h
}

// Text formats health as in ANTI-LOOP "Health Monitoring CLI".
func (health Health) Text() string {
	var b strings.Builder
	b.WriteString("Hook Health Report\n==================\n")
	fmt.Fprintf(&b, "Total Hooks: %d\nActive: %d\nDisabled: %d\n", health.Total, health.Active, health.Disabled)
	if health.Total == 0 {
		b.WriteString("\nNo hook has run behind the circuit breaker yet.\n")
	}
	if health.Fault != "" {
		fmt.Fprintf(&b, "\nFAULT:\n  %s\n", OneLine(health.Fault))
	} else if !health.Enabled {
		b.WriteString("\nThe circuit breaker is off: every hook runs.\n")
	}
	var off, looping []HookHealth
	for _, h := range health.Hooks {
		switch {
		case h.Disabled:
			off = append(off, h)
		case len(h.Loops) > 0:
			looping = append(looping, h)
		}
	}
	if len(off) > 0 {
		b.WriteString("\nDISABLED HOOKS:\n")
	}
	for _, h := range off {
		h.text(&b, health.Now)
	}
	if len(looping) > 0 {
		b.WriteString("\nDISABLED IN SINGLE SESSIONS:\n")
	}
	for _, h := range looping {
		for _, loop := range h.Loops {
			fmt.Fprintf(&b, "  [LOOP] %s\n    Last Error: %s\n", h.Name, loop.LastError)
			loop.moments(&b, health.Now)
		}
	}
	if off = append(off, looping...); len(off) > 0 {
		name := off[0].ResetName()
		fmt.Fprintf(&b, "\nCOMMANDS:\n"+
			"  Reset single hook:  claude-hooks reset %s\n"+
			"  Reset all:          claude-hooks reset --all\n"+
			"  Force enable:       claude-hooks enable %s --force\n", name, name)
	}
	return b.String()
}

// Word is the state of a hook for people: that of its circuit, or why it is another one.
func (h HookHealth) Word() string {
	switch {
	case h.Excluded:
		return "excluded"
	case h.DisabledByHand != nil:
		return "disabled by hand"
	case h.Parent != "":
		return "waits"
	case h.State == Closed && len(h.Loops) > 0:
		return "loop"
	}
	return string(h.State)
}

func (h HookHealth) text(b *strings.Builder, now time.Time) {
	fmt.Fprintf(b, "  [%s] %s\n", strings.ToUpper(h.Word()), h.Name)
	if h.Parent != "" {
		fmt.Fprintf(b, "    Depends On: %s\n", h.Parent)
	}
	if h.FailureCount > 0 {
		fmt.Fprintf(b, "    Failures: %d consecutive, %d total\n", h.ConsecutiveFailures, h.FailureCount)
		fmt.Fprintf(b, "    Last Error: %s\n", OneLine(h.LastError))
	}
	if h.DisabledByHand != nil {
		moment(b, "Disabled Since", *h.DisabledByHand, now)
		return
	}
	h.moments(b, now)
}

// moments writes since when a circuit is open, and until when.
func (c *Circuit) moments(b *strings.Builder, now time.Time) {
	if c.DisabledAt != nil {
		moment(b, "Disabled Since", *c.DisabledAt, now)
	}
	switch {
	case c.State == Closed:
	case c.RetryAfter == nil || !now.Before(*c.RetryAfter):
		b.WriteString("    Retry After: at its next call\n")
	default:
		moment(b, "Retry After", *c.RetryAfter, now)
	}
}

func moment(b *strings.Builder, label string, t, now time.Time) {
	fmt.Fprintf(b, "    %s: %s (%s)\n", label, t.Local().Format(time.DateTime), relative(t, now))
}

// Line is health for a status line.
func (health Health) Line() string {
	var off []string
	for _, h := range health.Hooks {
		if h.Disabled || len(h.Loops) > 0 {
			off = append(off, clip(h.Name, 28))
		}
	}
	const most = 2
	if !health.Enabled {
		return "hooks: circuit breaker off"
	}
	if len(off) == 0 {
		return fmt.Sprintf("hooks: %d ok", health.Total)
	}
	line := fmt.Sprintf("hooks: %d of %d off: %s", len(off), health.Total, strings.Join(off[:min(len(off), most)], ", "))
	if more := len(off) - most; more > 0 {
		line += fmt.Sprintf(" +%d", more)
	}
	return line
}

// relative says how long ago a time is, or how far ahead.
func relative(t, now time.Time) string {
	d := now.Sub(t)
	if d < 0 {
		return "in " + about(-d)
	}
	return about(d) + " ago"
}

func about(d time.Duration) string {
	n, unit := d.Seconds(), "second"
	switch {
	case d >= 48*time.Hour:
		n, unit = d.Hours()/24, "day"
	case d >= 90*time.Minute:
		n, unit = d.Hours(), "hour"
	case d >= time.Minute:
		n, unit = d.Minutes(), "minute"
	}
	whole := int(math.Round(n))
	if whole != 1 {
		unit += "s"
	}
	return fmt.Sprintf("%d %s", whole, unit)
}
