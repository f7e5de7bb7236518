package inventory

import (
	"sort"
	"strings"
	"time"

	"github.com/claudeops/claudeops/internal/strict"
	"github.com/claudeops/claudeops/schedule"
)

// Window is a maintenance window. The service's checks continue, but nobody is notified and nothing is done about their results. It is
// either a single period, From to To, or recurs: it starts by Schedule and lasts For. A schedule without a zone is in that of the
// machine. A time that is repeated when the clock is set back starts a window both times, because the maintenance may be at either.
type Window struct {
	From, To time.Time
	Schedule *schedule.Expression // nil for a window that does not recur
	For      time.Duration
	Note     string // the reason, for people; one line
}

// Until returns the end of the window that contains now; open is false if now is outside. The start belongs to a window, and the end does
// not. If several starts of the schedule qualify, the last counts.
func (w Window) Until(now time.Time) (end time.Time, open bool) {
	if w.Schedule == nil {
		return w.To, !now.Before(w.From) && now.Before(w.To)
	}
	begin := w.lastBegin(now)
	if begin.IsZero() {
		return time.Time{}, false
	}
	return begin.Add(w.For), true
}

// lastBegin returns the latest start of the schedule whose window has not ended by now; zero if there is none.
func (w Window) lastBegin(now time.Time) time.Time {
	begunBy := func(since time.Time) (begin time.Time, begun bool) {
		begin = w.Schedule.NextShown(since) // the first after since
		return begin, !begin.IsZero() && !begin.After(now)
	}
	earliest := now.Add(-w.For) // a window that began then ends now
	if _, begun := begunBy(earliest); !begun {
		return time.Time{}
	}
	// Starts are at whole seconds. Search for the latest second after which there is still a start by now.
	seconds := sort.Search(int(w.For/time.Second), func(i int) bool {
		_, begun := begunBy(now.Add(-time.Duration(i+1) * time.Second))
		return begun
	})
	begin, begun := begunBy(now.Add(-time.Duration(seconds+1) * time.Second))
	if !begun || !begin.After(earliest) {
		begin, _ = begunBy(earliest)
	}
	return begin
}

// Maintained returns the service's window that contains now, the one that ends last if there are several; open is false if there is none.
func (s *Service) Maintained(now time.Time) (window Window, until time.Time, open bool) {
	for _, w := range s.Maintenance {
		if end, within := w.Until(now); within && end.After(until) {
			window, until, open = w, end, true
		}
	}
	return window, until, open
}

// maxWindow limits a recurring window.
const maxWindow = 7 * 24 * time.Hour

// windowFields returns the keys of a window.
func (b *builder) windowFields(w *Window) []strict.Field {
	const schedulePattern = `"type":"string","pattern":"^((CRON_)?TZ=\\S+\\s+)?(@(yearly|annually|monthly|weekly|daily|midnight|hourly)|\\S+(\\s+\\S+){4})$"`
	moment := func(to *time.Time) strict.Takes {
		return strict.Takes{Schema: `"$ref":"#/$defs/moment"`, Read: func(r *strict.Reader, name string, n *strict.Node) { *to = readMoment(r, name, n) }}
	}
	return []strict.Field{
		{Name: "from", Doc: "when it begins, once: a time with its zone, as in RFC 3339", Takes: moment(&w.From)},
		{Name: "to", Doc: "when it ends, once: a time with its zone", Takes: moment(&w.To)},
		{Name: "schedule", Doc: "when it begins, again and again: five cron fields, or `@hourly`, `@daily`, `@weekly`, `@monthly`, `@yearly`. `CRON_TZ=ZONE` before the fields names " +
			"their time zone; else it is the machine's (`TZ`)",
			Takes: strict.Takes{Schema: schedulePattern, Read: func(_ *strict.Reader, name string, n *strict.Node) { w.Schedule = b.readSchedule(name, n) }}},
		{Name: "for", Doc: "how long it lasts, more than `0s` and at most `168h`", Takes: strict.Duration(&w.For, 1, maxWindow)},
		{Name: "note", Doc: "why, on one line", Takes: strict.Line(&w.Note)},
	}
}

func (b *builder) readWindow(n *strict.Node) (w Window) {
	const expected = "from and to, or schedule and for"
	if !b.Mapping(n, "maintenance", "a window: "+expected) {
		return w
	}
	b.Fill(n, "a maintenance window", "", b.windowFields(&w))
	once, again := n.Member("from") != nil || n.Member("to") != nil, n.Member("schedule") != nil || n.Member("for") != nil
	switch {
	case once && again:
		b.Fault(n, "maintenance", "a window that is both single and recurring; must have "+expected)
	case again:
		b.Require(n, "schedule", "when the window begins, like `0 3 * * 0`")
		b.Require(n, "for", "how long the window lasts, like 2h")
	case once:
		b.Require(n, "from", "when the window begins, like 2026-11-21T22:00:00Z")
		b.Require(n, "to", "when the window ends, like 2026-11-21T23:30:00Z")
		if !w.From.IsZero() && !w.To.IsZero() && !w.To.After(w.From) {
			b.Fault(n.Member("to"), "to", "not after from; must be when the window ends")
		}
	default:
		b.Fault(n, "maintenance", "no time; must have "+expected)
	}
	return w
}

// readMoment reads a time with its zone, in the form of RFC 3339, or with a blank in place of the T, as in YAML.
func readMoment(r *strict.Reader, name string, n *strict.Node) time.Time {
	const expected = "; must be a time with its zone, like 2026-11-21T22:00:00Z or 2026-11-21T23:00:00+01:00"
	if n.Kind != strict.Text && n.Kind != strict.Date {
		r.Fault(n, name, n.Kind.String()+expected)
		return time.Time{}
	}
	t, ok := parseMoment(n.Value)
	if !ok {
		r.Fault(n, name, strict.Quote(n.Value)+expected)
	}
	return t
}

func parseMoment(text string) (t time.Time, ok bool) {
	if len(text) < len("2006-01-02T15:04:05Z") || strings.Contains(text, ",") || text[13] != ':' {
		return time.Time{}, false // time.Parse would accept these
	}
	if text[10] == ' ' {
		text = text[:10] + "T" + text[11:]
	}
	t, err := time.Parse(time.RFC3339, text)
	return t, err == nil && !t.IsZero()
}

// readSchedule reads the cron expression for the start of windows.
func (b *builder) readSchedule(name string, n *strict.Node) *schedule.Expression {
	given, ok := b.Text(n, name)
	if !ok {
		return nil
	}
	if known := b.schedules[given]; known != nil {
		return known
	}
	expression, err := schedule.Parse(given)
	var fault string
	switch {
	case err != nil:
		fault = err.Error()
	case expression.Every() != 0:
		fault = "@every begins anew with every program; must be five fields like 0 3 * * 0, or @daily and its kin"
	default:
		b.schedules[given] = &expression
		return &expression
	}
	b.Fault(n, name, strict.Quote(given)+": "+fault)
	return nil
}
