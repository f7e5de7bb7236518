package inventory

import (
	"strings"
	"time"

	"github.com/claudeops/claudeops/schedule"
)

// maxWindow is how long a window may be that comes again.
const maxWindow = 7 * 24 * time.Hour

func windowFields() []field[Window] {
	return []field[Window]{
		{"from", func(b *builder, w *Window, value *node) { w.From = b.moment(value, "from") }},
		{"to", func(b *builder, w *Window, value *node) { w.To = b.moment(value, "to") }},
		{"schedule", func(b *builder, w *Window, value *node) { w.Schedule = b.schedule(value) }},
		{"for", func(b *builder, w *Window, value *node) { w.For = b.duration(value, "for", 1, maxWindow) }},
		{"note", func(b *builder, w *Window, value *node) { w.Note = b.line(value, "note") }},
	}
}

func (b *builder) oneWindow(n *node) (w Window) {
	const expected = "from and to, or schedule and for"
	if !b.isMapping(n, "maintenance", "a window: "+expected) {
		return w
	}
	fill(b, n, &w, func(key string) string { return b.stranger(key, "a maintenance window", names(b.window)) }, b.window)
	once, again := n.member("from") != nil || n.member("to") != nil, n.member("schedule") != nil || n.member("for") != nil
	switch {
	case once && again:
		b.fault(n, "maintenance", "a window that comes once and again; must have "+expected)
	case again:
		b.require(n, "schedule", "when the window begins, like `0 3 * * 0`")
		b.require(n, "for", "how long the window lasts, like 2h")
	case once:
		b.require(n, "from", "when the window begins, like 2026-11-21T22:00:00Z")
		b.require(n, "to", "when the window ends, like 2026-11-21T23:30:00Z")
		if !w.From.IsZero() && !w.To.IsZero() && !w.To.After(w.From) {
			b.fault(n.member("to"), "to", "not after from; must be when the window ends")
		}
	default:
		b.fault(n, "maintenance", "no time; must have "+expected)
	}
	return w
}

// moment is a time with its zone.
func (b *builder) moment(value *node, name string) time.Time {
	const expected = "; must be a time with its zone, like 2026-11-21T22:00:00Z or 2026-11-21T23:00:00+01:00"
	if value.kind != str && value.kind != date {
		b.fault(value, name, value.kind.String()+expected)
		return time.Time{}
	}
	t, ok := parseMoment(value.value)
	if !ok {
		b.fault(value, name, shown(value.value)+expected)
	}
	return t
}

// parseMoment takes RFC 3339, and a blank for its T as YAML writes dates too.
func parseMoment(text string) (t time.Time, ok bool) {
	if len(text) < len("2006-01-02T15:04:05Z") || strings.Contains(text, ",") || text[13] != ':' {
		return time.Time{}, false // what time.Parse would take
	}
	if text[10] == ' ' {
		text = text[:10] + "T" + text[11:]
	}
	t, err := time.Parse(time.RFC3339, text)
	return t, err == nil && !t.IsZero()
}

func (b *builder) schedule(value *node) *schedule.Expression {
	given, ok := b.text(value, "schedule")
	if !ok {
		return nil
	}
	if known := b.schedules[given]; known != nil {
		return known
	}
	expression, err := parseSchedule(given)
	b.schedules[given] = expression
	if err != nil {
		b.fault(value, "schedule", shown(given)+": "+err.Error())
	}
	return expression
}
