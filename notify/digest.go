package notify

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// Digest is the content of the daily digest.
type Digest struct {
	Now        time.Time
	Since      time.Time // start of the time it sums up; uptime is for 24 h and 7 days
	Began      time.Time // start of the monitoring, if less than a day ago
	Unchecked  bool      // this cycle has no results
	Services   int       // that are checked, or unwell
	Unwell     []UnwellService
	Gone       []GoneIncident // open incidents of services that do not belong here, and were not checked
	Uptimes    []store.Uptime // of the services that are checked
	Missed     []store.Uptime // that are not checked; Last is zero for those that were not within the time
	Day        store.Day
	Closed     []store.Incident // the longest, MostListed at most
	Open       int              // open incidents
	Worked     []store.Work
	Cooling    []CoolingService
	Silences   []store.Silence
	Recovering []store.Incident
	WeekUSD    float64
	BudgetUSD  float64 // 0 means none
	LeftUSD    float64 // left of the budget
	// Known reports whether the services file has a service: another name is a sender's or an agent's choice, and shown so that it is no
	// link. If nil, none is known.
	Known func(service string) bool
}

// DigestSpan is the shortest time that a digest sums up.
const DigestSpan = 24 * time.Hour

// UnwellService is a service that is unhealthy now, or was at its last check.
type UnwellService struct {
	Name     string
	Status   check.Status
	Incident store.Incident // ID 0 if it has none
	Found    string
	Held     string // why nothing is done about it
}

// GoneIncident is an incident of a service that is not in the inventory, or that now belongs to another shard.
type GoneIncident struct {
	store.Incident
	Elsewhere string // the other shard
}

// CoolingService is a service for which some remediation is not permitted now.
type CoolingService struct {
	Service string
	Until   []Forbidden
}

// Forbidden is an action that is not permitted before a time.
type Forbidden struct {
	Action statefile.Action
	Before time.Time
}

// Limits of a digest's body, which must be readable on a phone with 3 services or with 10,000.
const (
	MostListed    = 12 // lines of a list, a third of that for the past; fewer if the body would be too long
	maxDigestLine = 160
	maxDigestName = 40
	namedInLine   = 2
	// minWatched is how long a service must be watched before it has an uptime.
	minWatched = time.Hour
)

// named returns the name of a service for a line with more content.
func (d Digest) named(service string) string {
	name := Clip(service, maxDigestName)
	if d.Known == nil || !d.Known(service) {
		return text.Unlinked(name)
	}
	return name
}

// Title returns the most important: the state of the services, and the cost.
func (d Digest) Title() string {
	title := "Daily digest: " + d.state()
	if cost := d.costUSD(); cost > 0 {
		title += ", " + text.Dollars(cost)
	}
	return title
}

// state describes the state of the services in a few words.
func (d Digest) state() string {
	switch {
	case d.Unchecked:
		return "nothing was checked in this cycle"
	case len(d.Unwell) == 1:
		return fmt.Sprintf("1 of %s is unwell", text.Count(d.Services, "service"))
	case len(d.Unwell) > 1:
		return fmt.Sprintf("%d of %s are unwell", len(d.Unwell), text.Count(d.Services, "service"))
	case d.Services == 1:
		return "the only service is healthy"
	case d.Services == 2:
		return "both services are healthy"
	}
	return fmt.Sprintf("all %d services are healthy", d.Services)
}

// Body returns the whole digest, with as many lines of each list as fit. Secrets are redacted before anything is cut.
func (d Digest) Body(redact func(string) string) string {
	below := slices.DeleteFunc(slices.Clone(d.Uptimes), func(u store.Uptime) bool { return u.Week.Down == 0 })
	slices.SortFunc(below, func(x, y store.Uptime) int { // the worst first
		return cmp.Or(cmp.Compare(x.Day.Up(), y.Day.Up()), cmp.Compare(x.Week.Up(), y.Week.Up()), cmp.Compare(x.Service, y.Service))
	})
	for most := MostListed; ; most-- {
		body := d.body(below, most, redact)
		if utf8.RuneCountInString(body) <= MaxBody || most == 1 {
			return body
		}
	}
}

// body returns the digest with at most most lines of each list of services that are or were unwell, and fewer of the others. below holds
// the services that were found down in the week.
func (d Digest) body(below []store.Uptime, most int, redact func(string) string) string {
	past := max(1, most/3)
	var parts []string
	// A title that ends with a colon is omitted if its list is empty.
	add := func(title string, lines ...string) {
		if title == "" || len(lines) == 0 && strings.HasSuffix(title, ":") {
			return
		}
		for _, line := range lines {
			title += "\n- " + Masked(line, redact, maxDigestLine)
		}
		parts = append(parts, title)
	}
	add(capital(d.state())+".", append(listed(d.Unwell, most, d.unwellLine), listed(d.Gone, past, d.goneLine)...)...)
	add("Recovering:", listed(d.Recovering, past, func(i store.Incident) string {
		return fmt.Sprintf("%s: healthy since %s, incident %d %s", d.named(i.Service), text.Moment(*i.HealthySince), i.ID, i.Closes())
	})...)
	add(d.uptimeTitle(below), d.uptimeLines(below, most)...)
	if opened, closed := d.Day.IncidentsOpened, d.Day.IncidentsClosed; opened+closed == 0 && d.Open == 0 {
		add("No incidents in " + d.span() + ".")
	} else {
		add(fmt.Sprintf("Incidents in %s: %d opened, %d closed; %d open now.", d.span(), opened, closed, d.Open), d.closedLine()...)
	}
	work := "Nothing was remediated in " + d.span()
	if d.Day.Remediations > 0 {
		work = fmt.Sprintf("%s in %s", text.Count(d.Day.Remediations, "remediation"), d.span())
	}
	if d.Day.RemediationsFailed > 0 {
		work += fmt.Sprintf(", %d failed", d.Day.RemediationsFailed)
	}
	add(work+".", listed(d.Worked, past, d.workLine)...)
	add("In cooldown:", listed(d.Cooling, past, func(s CoolingService) string {
		var until []string
		for _, f := range s.Until {
			until = append(until, fmt.Sprintf("no %s before %s", f.Action, text.Moment(f.Before)))
		}
		return d.named(s.Service) + ": " + strings.Join(until, ", ")
	})...)
	add("Silenced:", listed(d.Silences, past, func(s store.Silence) string {
		line := cmp.Or(d.named(s.Service), "everything") + " until " + text.Moment(s.Until)
		if s.Reason != "" {
			line += " (" + s.Reason + ")"
		}
		return line
	})...)
	add("Cost in " + d.span() + ": " + d.costLine())
	return strings.Join(parts, "\n\n")
}

// listed returns a line for each of the first entries, and one for the rest.
func listed[T any](all []T, most int, line func(T) string) (lines []string) {
	for n, one := range all {
		if n == most {
			return append(lines, fmt.Sprintf("… and %d more", len(all)-n))
		}
		lines = append(lines, line(one))
	}
	return lines
}

func (d Digest) unwellLine(u UnwellService) string {
	line := fmt.Sprintf("%s: %s", d.named(u.Name), u.Status)
	if u.Incident.ID != 0 {
		line += since(u.Incident.OpenedAt, d.Now) + fmt.Sprintf(", incident %d", u.Incident.ID)
	}
	for _, more := range []string{u.Held, u.Found} {
		if more != "" {
			line += "; " + more
		}
	}
	return line
}

func (d Digest) goneLine(i GoneIncident) string {
	why := "not in the inventory any more"
	if i.Elsewhere != "" {
		why = "looked after by " + i.Elsewhere + " now"
	}
	return fmt.Sprintf("%s: %s; `claudeops incidents close %d` ends its incident", d.named(i.Service), why, i.ID)
}

// span describes the time that the digest sums up: "24 h", "25 h", "3 days 2 h".
func (d Digest) span() string {
	if is := d.Now.Sub(d.Since); is >= 48*time.Hour {
		return text.Duration(is)
	}
	return fmt.Sprintf("%d h", int(d.Now.Sub(d.Since).Round(time.Hour).Hours()))
}

// tooYoung reports whether the monitoring has only just begun.
func (d Digest) tooYoung() bool { return !d.Began.IsZero() && d.Now.Sub(d.Began) < minWatched }

func (d Digest) uptimeTitle(below []store.Uptime) string {
	perfect := len(d.Missed) == 0 && len(below) == 0
	switch watching := "watching since " + text.Moment(d.Began); {
	case len(d.Uptimes) == 0 && len(d.Missed) == 0:
		return ""
	case d.tooYoung():
		return capital(watching) + "."
	case perfect && !d.Began.IsZero():
		return "Uptime: 100 %, " + watching + "."
	case perfect:
		return "Uptime: 100 %, in 24 h and in 7 days."
	case !d.Began.IsZero():
		return "Uptime, " + watching + ":"
	}
	return "Uptime, as a share of the time watched:"
}

// uptimeLines lists at most most services below 100 %, and counts the others.
func (d Digest) uptimeLines(below []store.Uptime, most int) (lines []string) {
	if len(below) == 0 && len(d.Missed) == 0 {
		return nil
	}
	if !d.tooYoung() {
		for n, u := range below {
			if n == most {
				lines = append(lines, fmt.Sprintf("%d more below 100 %%", len(below)-n))
				break
			}
			line := fmt.Sprintf("%s: %s", d.named(u.Service), u.Day)
			if d.Began.IsZero() {
				line += " in 24 h"
			}
			if u.Day.Down >= time.Second {
				line += " (down " + text.Duration(u.Day.Down) + ")"
			}
			if d.Began.IsZero() {
				line += fmt.Sprintf(", %s in 7 days", u.Week)
			}
			lines = append(lines, line)
		}
		one := "other"
		if len(below) == 0 {
			one = "service"
		}
		if others := len(d.Uptimes) - len(below); others > 0 {
			lines = append(lines, text.Count(others, one)+": 100 %")
		}
	}
	if len(d.Missed) > 0 {
		var missed []string
		for _, m := range d.Missed {
			since := ""
			if !m.Last.IsZero() {
				since = " since " + text.Moment(m.Last)
			}
			missed = append(missed, d.named(m.Service)+since)
		}
		lines = append(lines, "not checked: "+text.Few(missed, namedInLine))
	}
	return lines
}

func (d Digest) closedLine() []string {
	var closed []string
	for _, i := range d.Closed[:min(namedInLine, len(d.Closed))] {
		closed = append(closed, fmt.Sprintf("%s after %s", d.named(i.Service), text.Duration(i.ClosedAt.Sub(i.OpenedAt)))+i.Returned())
	}
	if len(closed) == 0 {
		return nil
	}
	line := "closed: " + strings.Join(closed, ", ")
	if more := d.Day.IncidentsClosed - len(closed); more > 0 {
		line += fmt.Sprintf(" and %d more", more)
	}
	return []string{line}
}

func (d Digest) workLine(w store.Work) string {
	by, outcome := "by an operator", "succeeded"
	if w.FirstAid {
		by = "by first aid"
	} else if w.Tier > 0 {
		by = fmt.Sprintf("by Tier %d", w.Tier)
	}
	switch {
	case w.Failed == w.Times:
		outcome = "failed"
	case w.Failed > 0:
		outcome = fmt.Sprintf("%d failed", w.Failed)
	}
	return fmt.Sprintf("%s: %s %s, %s", d.named(w.Service), text.Count(w.Times, string(w.Action)), by, outcome)
}

func (d Digest) costUSD() (usd float64) {
	for _, t := range d.Day.Tiers {
		usd += t.CostUSD
	}
	return usd
}

func (d Digest) costLine() string {
	var tiers []string
	for n, t := range d.Day.Tiers {
		sessions := fmt.Sprint(t.Sessions)
		if n == 0 {
			sessions = text.Count(t.Sessions, "session")
		}
		tier := fmt.Sprintf("Tier %d %s in %s", t.Tier, text.Dollars(t.CostUSD), sessions)
		if t.Failed > 0 {
			tier += fmt.Sprintf(" of which %d failed", t.Failed)
		}
		tiers = append(tiers, tier)
	}
	line := text.Dollars(d.costUSD())
	if len(tiers) > 0 {
		line += " (" + strings.Join(tiers, ", ") + ")"
	}
	line += fmt.Sprintf(", 7 days %s.", text.Dollars(d.WeekUSD))
	if d.BudgetUSD > 0 {
		line += fmt.Sprintf(" Of the day's budget of %s, %s is left.", text.Dollars(d.BudgetUSD), text.Dollars(max(d.LeftUSD, 0)))
	}
	return line
}
