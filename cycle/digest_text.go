package cycle

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/store"
)

// Bounds of a digest's body, which must be read to its end on a phone whether there are 3 services or 10,000.
const (
	mostLines  = 12 // of a list, and a third of that of what is past; fewer where the body would be too long
	digestLine = 160
	digestName = 40
)

// named is the name of a service in a line that has more to say.
func named(service string) string { return records.Clip(service, digestName) }

// title says the most important: how the services are, and what it cost.
func (d digest) title() string {
	text := "Daily digest: " + d.state()
	if cost := d.costUSD(); cost > 0 {
		text += ", " + records.Dollars(cost)
	}
	return text
}

// state says in a few words how the services are.
func (d digest) state() string {
	switch {
	case d.unchecked:
		return "nothing was checked in this cycle"
	case len(d.unwell) == 1:
		return fmt.Sprintf("1 of %s is unwell", records.Counted(d.services, "service"))
	case len(d.unwell) > 1:
		return fmt.Sprintf("%d of %s are unwell", len(d.unwell), records.Counted(d.services, "service"))
	case d.services == 1:
		return "the only service is healthy"
	case d.services == 2:
		return "both services are healthy"
	}
	return fmt.Sprintf("all %d services are healthy", d.services)
}

func (d digest) costUSD() (usd float64) {
	for _, t := range d.day.Tiers {
		usd += t.CostUSD
	}
	return usd
}

// body tells everything, with as many lines of each list as fit. Secrets are taken out before anything is cut.
func (d digest) body(redact func(string) string) string {
	below := d.imperfect()
	for most := mostLines; ; most-- {
		text := d.text(below, most, redact)
		if utf8.RuneCountInString(text) <= records.MaxBody || most == 1 {
			return text
		}
	}
}

// text is the body with at most so many lines of each list of services that are or were unwell, and fewer of the others.
func (d digest) text(below []store.Uptime, most int, redact func(string) string) string {
	state, past := d.state(), max(1, most/3)
	var parts []string
	for _, p := range []part{
		{strings.ToUpper(state[:1]) + state[1:] + ".", append(listed(d.unwell, most, d.unwellLine), listed(d.gone, past, d.goneLine)...)},
		{"Recovering:", listed(d.recovering, past, recoveringLine)},
		{d.uptimeTitle(below), d.uptimeLines(below, most)},
		{d.incidentsTitle(), d.closedLines()},
		{d.workTitle(), listed(d.worked, past, workLine)},
		{"In cooldown:", listed(d.cooling, past, coolingLine)},
		{"Silenced:", listed(d.silences, past, silenceLine)},
		{"Cost in " + d.span() + ": " + d.costLine(), nil},
	} {
		if text := p.text(redact); text != "" {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, "\n\n")
}

// part is a paragraph of the digest: a title and a list. One whose title ends with a colon is left out where its list is empty.
type part struct {
	title string
	lines []string
}

func (p part) text(redact func(string) string) string {
	if p.title == "" || len(p.lines) == 0 && strings.HasSuffix(p.title, ":") {
		return ""
	}
	text := p.title
	for _, line := range p.lines {
		text += "\n- " + records.Clip(redact(line), digestLine)
	}
	return text
}

// listed has a line for each of the first, and one for the rest.
func listed[T any](all []T, most int, line func(T) string) (lines []string) {
	for n, one := range all {
		if n == most {
			return append(lines, fmt.Sprintf("… and %d more", len(all)-n))
		}
		lines = append(lines, line(one))
	}
	return lines
}

func (d digest) unwellLine(u unwellService) string {
	line := fmt.Sprintf("%s: %s", named(u.name), u.status)
	if u.incident.ID != 0 {
		line += " since " + records.Moment(u.incident.OpenedAt)
		if lasts := d.now.Sub(u.incident.OpenedAt); lasts >= time.Minute {
			line += " (" + records.Span(lasts) + ")"
		}
		line += fmt.Sprintf(", incident %d", u.incident.ID)
	}
	for _, more := range []string{u.held, u.found} {
		if more != "" {
			line += "; " + more
		}
	}
	return line
}

func recoveringLine(i store.Incident) string {
	return fmt.Sprintf("%s: healthy since %s, incident %d %s", named(i.Service), records.Moment(*i.HealthySince), i.ID, i.Closes())
}

func (d digest) goneLine(i goneIncident) string {
	why := "not in the inventory any more"
	if i.elsewhere != "" {
		why = "looked after by " + i.elsewhere + " now"
	}
	return fmt.Sprintf("%s: %s; `claudeops incidents close %d` ends its incident", named(i.Service), why, i.ID)
}

// span is what the digest tells of: "24 h", "25 h", "3 days 2 h".
func (d digest) span() string {
	if is := d.now.Sub(d.since); is >= 48*time.Hour {
		return records.Span(is)
	}
	return fmt.Sprintf("%d h", int(d.now.Sub(d.since).Round(time.Hour).Hours()))
}

// uptimeFrom is how long there must be something to take a share of.
const uptimeFrom = time.Hour

// tooYoung reports that the watch has only just begun.
func (d digest) tooYoung() bool { return !d.began.IsZero() && d.now.Sub(d.began) < uptimeFrom }

func (d digest) uptimeTitle(below []store.Uptime) string {
	switch watching := "watching since " + records.Moment(d.began); {
	case len(d.uptimes) == 0 && len(d.missed) == 0:
		return ""
	case d.tooYoung():
		return strings.ToUpper(watching[:1]) + watching[1:] + "."
	case len(d.missed) == 0 && len(below) == 0 && !d.began.IsZero():
		return "Uptime: 100 %, " + watching + "."
	case len(d.missed) == 0 && len(below) == 0:
		return "Uptime: 100 %, in 24 h and in 7 days."
	case !d.began.IsZero():
		return "Uptime, " + watching + ":"
	}
	return "Uptime, as a share of the time watched:"
}

// imperfect are the services that were found down in the week, the worst first.
func (d digest) imperfect() []store.Uptime {
	below := slices.DeleteFunc(slices.Clone(d.uptimes), func(u store.Uptime) bool { return u.Week.Down == 0 })
	slices.SortFunc(below, func(x, y store.Uptime) int {
		return cmp.Or(cmp.Compare(x.Day.Up(), y.Day.Up()), cmp.Compare(x.Week.Up(), y.Week.Up()), cmp.Compare(x.Service, y.Service))
	})
	return below
}

// uptimeLines has at most so many services below 100 %; how many others there are is told all the same.
func (d digest) uptimeLines(below []store.Uptime, most int) (lines []string) {
	if len(below) == 0 && len(d.missed) == 0 {
		return nil
	}
	if d.tooYoung() {
		below = nil
	}
	for n, u := range below {
		if n == most {
			lines = append(lines, fmt.Sprintf("%d more below 100 %%", len(below)-n))
			break
		}
		lines = append(lines, d.uptimeLine(u))
	}
	others, one := len(d.uptimes)-len(below), "other"
	if len(below) == 0 {
		one = "service"
	}
	if others > 0 && !d.tooYoung() {
		lines = append(lines, records.Counted(others, one)+": 100 %")
	}
	if len(d.missed) > 0 {
		lines = append(lines, fmt.Sprintf("not looked at in 24 h: %s", few(d.missed)))
	}
	return lines
}

func (d digest) uptimeLine(u store.Uptime) string {
	line := fmt.Sprintf("%s: %s", named(u.Service), u.Day)
	if d.began.IsZero() {
		line += " in 24 h"
	}
	if u.Day.Down >= time.Second {
		line += " (down " + records.Span(u.Day.Down) + ")"
	}
	if !d.began.IsZero() {
		return line
	}
	return line + fmt.Sprintf(", %s in 7 days", u.Week)
}

// mostNamed is how many services are named in one line.
const mostNamed = 2

func few(services []string) string {
	first := make([]string, 0, mostNamed)
	for _, name := range services[:min(mostNamed, len(services))] {
		first = append(first, named(name))
	}
	text := strings.Join(first, ", ")
	if more := len(services) - len(first); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

func (d digest) incidentsTitle() string {
	opened, closed := d.day.IncidentsOpened, d.day.IncidentsClosed
	if opened+closed == 0 && d.open == 0 {
		return "No incidents in " + d.span() + "."
	}
	return fmt.Sprintf("Incidents in %s: %d opened, %d closed; %d open now.", d.span(), opened, closed, d.open)
}

func (d digest) closedLines() []string {
	if len(d.closed) == 0 {
		return nil
	}
	var closed []string
	for _, i := range d.closed[:min(mostNamed, len(d.closed))] {
		closed = append(closed, fmt.Sprintf("%s after %s", named(i.Service), records.Span(i.ClosedAt.Sub(i.OpenedAt)))+i.Returned())
	}
	text := strings.Join(closed, ", ")
	if more := d.day.IncidentsClosed - len(closed); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return []string{"closed: " + text}
}

func (d digest) workTitle() string {
	if d.day.Remediations == 0 {
		return "Nothing was remediated in " + d.span() + "."
	}
	text := fmt.Sprintf("%s in %s", records.Counted(d.day.Remediations, "remediation"), d.span())
	if d.day.RemediationsFailed > 0 {
		text += fmt.Sprintf(", %d failed", d.day.RemediationsFailed)
	}
	return text + "."
}

func workLine(w store.Work) string {
	by, outcome := "by an operator", "succeeded"
	if w.Tier > 0 {
		by = fmt.Sprintf("by Tier %d", w.Tier)
	}
	switch {
	case w.Failed == w.Times:
		outcome = "failed"
	case w.Failed > 0:
		outcome = fmt.Sprintf("%d failed", w.Failed)
	}
	return fmt.Sprintf("%s: %s %s, %s", named(w.Service), records.Counted(w.Times, string(w.Action)), by, outcome)
}

func coolingLine(s coolingService) string {
	var until []string
	for _, p := range []records.Permission{s.restart, s.redeployment} {
		if !p.Permitted() {
			until = append(until, fmt.Sprintf("no %s before %s", p.Action, records.Moment(p.Frees())))
		}
	}
	return named(s.name) + ": " + strings.Join(until, ", ")
}

func silenceLine(s store.Silence) string {
	line := cmp.Or(named(s.Service), "everything") + " until " + records.Moment(s.Until)
	if s.Reason != "" {
		line += " (" + s.Reason + ")"
	}
	return line
}

func (d digest) costLine() string {
	var tiers []string
	for n, t := range d.day.Tiers {
		text := fmt.Sprintf("Tier %d %s in %d", t.Tier, records.Dollars(t.CostUSD), t.Sessions)
		if n == 0 {
			text = fmt.Sprintf("Tier %d %s in %s", t.Tier, records.Dollars(t.CostUSD), records.Counted(t.Sessions, "session"))
		}
		if t.Failed > 0 {
			text += fmt.Sprintf(" of which %d failed", t.Failed)
		}
		tiers = append(tiers, text)
	}
	text := records.Dollars(d.costUSD())
	if len(tiers) > 0 {
		text += " (" + strings.Join(tiers, ", ") + ")"
	}
	text += fmt.Sprintf(", 7 days %s.", records.Dollars(d.weekUSD))
	if d.budgetUSD > 0 {
		text += fmt.Sprintf(" Of the day's budget of %s, %s is left.", records.Dollars(d.budgetUSD), records.Dollars(max(d.leftUSD, 0)))
	}
	return text
}
