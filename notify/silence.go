package notify

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// SilenceEnd describes what happened during a silence, or a pause of everything, that is over.
type SilenceEnd struct {
	Silence store.Silence
	Found   []store.Found // after a pause: of each service that is no longer silenced
	Acts    []store.Act
	Refused int             // refused remediations
	Still   int             // services that were checked during a pause and are still silenced
	Now     map[string]Look // of the services that the message names, if checked within a day
}

// Look is the last known status of a service.
type Look struct {
	Status check.Status
	Found  string    // the worst check's message
	At     time.Time // zero: in this cycle
}

const (
	maxTitled   = 3  // services named in a title
	maxServices = 20 // services named at the end of a pause
)

// Without leaves out services that other messages cover. nothing reports whether these are all the unwell ones.
func (e *SilenceEnd) Without(told []string) (nothing bool) {
	known := func(service string) bool { return slices.Contains(told, service) }
	left := false
	for name := range e.Now {
		left = left || known(name)
	}
	maps.DeleteFunc(e.Now, func(name string, _ Look) bool { return known(name) })
	e.Found = slices.DeleteFunc(e.Found, func(f store.Found) bool { return known(f.Service) })
	for _, now := range e.Now {
		if now.Status.Unwell() {
			return false
		}
	}
	return left
}

// News returns a warning if a service is unwell now. It is one line if nothing happened.
func (e SilenceEnd) News() News {
	s := e.Silence
	unwell := slices.DeleteFunc(slices.Sorted(maps.Keys(e.Now)), func(name string) bool { return !e.Now[name].Status.Unwell() })
	slices.SortStableFunc(unwell, func(x, y string) int { return check.WorstFirst(e.Now[x].Status, e.Now[y].Status) })
	n := News{Kind: store.Message, Type: Info, Service: s.Service, Title: e.title(unwell)}
	if len(unwell) > 0 {
		n.Type = Warning
	}

	span := text.Between(s.CreatedAt, s.End())
	if s.Reason != "" {
		span += " (" + s.Reason + ")"
	}
	n.Body.Why = "Everything was paused " + span
	if s.Service != "" {
		n.Body.Why = s.Service + " was silenced " + span
	}
	still := fmt.Sprintf("%s still silenced, and reported when that ends", text.Count(e.Still, "service"))
	named := unwell
	for _, f := range e.Found {
		if f.FirstUnwell != nil && !slices.Contains(unwell, f.Service) {
			named = append(named, f.Service)
		}
	}
	if len(named) == 0 && len(e.Acts) == 0 && e.Refused == 0 {
		if n.Body.Why += ": " + e.nothing(); e.Still > 0 {
			n.Body.Why += "; " + still
		}
		return n
	}
	if s.Service != "" {
		checked := "meanwhile it was not checked"
		if len(e.Found) > 0 {
			checked = fmt.Sprintf("meanwhile checked %s: %s", times(e.Found[0].Checked), trouble(e.Found[0]))
		}
		n.Body = Body{
			Head: s.Service + ": " + e.state(s.Service), Why: "It was silenced " + span,
			Facts: append([]string{checked}, e.done()...), Look: []string{"claudeops events --service " + s.Service},
			Page: servicePage(s.Service),
		}
		return n
	}
	n.Body.Look, n.Body.Page = []string{"claudeops events"}, "/events"
	rest := e.done()
	if e.Still > 0 {
		rest = append(rest, still)
	}
	for most := maxServices; ; most-- {
		if n.Body.Facts = slices.Concat(e.services(named, most), rest); most == 1 || n.Body.fits() {
			return n
		}
	}
}

// title describes the state now; unwell has the services that are unwell now, worst first.
func (e SilenceEnd) title(unwell []string) string {
	if name := e.Silence.Service; name != "" {
		now, known := e.Now[name]
		switch {
		case !known:
			return "The silence of " + name + " is over: it was not checked since"
		case len(unwell) == 0:
			return "The silence of " + name + " is over: it is healthy"
		case len(e.Found) > 0 && e.Found[0].FirstUnwell != nil:
			name += " is still "
		default:
			name += " is "
		}
		return name + string(now.Status) + ", and its silence is over"
	}
	const over = "The pause is over"
	if len(unwell) == 0 {
		if len(e.Found) == 0 {
			return over
		}
		return over + ": what was watched is healthy"
	}
	state := e.Now[unwell[0]].Status
	for _, name := range unwell {
		if e.Now[name].Status != state {
			state = "unwell"
		}
	}
	switch {
	case len(unwell) == 1:
		return fmt.Sprintf("%s: %s is %s", over, unwell[0], state)
	case len(unwell) > maxTitled:
		return fmt.Sprintf("%s: %d services are %s", over, len(unwell), state)
	}
	return fmt.Sprintf("%s: %s are %s", over, text.List(unwell), state)
}

// nothing says that nothing happened, and how much was checked.
func (e SilenceEnd) nothing() string {
	switch {
	case len(e.Found) == 0 && e.Still > 0:
		return "nothing else was checked"
	case len(e.Found) == 0:
		return "nothing was checked meanwhile"
	case e.Silence.Service == "":
		return text.Count(len(e.Found), "service") + " checked, always healthy"
	}
	return fmt.Sprintf("checked %s, always healthy; %s", times(e.Found[0].Checked), e.state(e.Silence.Service))
}

// services returns at most most lines, one per service.
func (e SilenceEnd) services(names []string, most int) (lines []string) {
	if len(names) == 0 {
		return []string{e.nothing()}
	}
	for n, name := range names {
		if n == most {
			return append(lines, fmt.Sprintf("… and %d more", len(names)-n))
		}
		was := "it was not checked"
		if i := slices.IndexFunc(e.Found, func(f store.Found) bool { return f.Service == name }); i >= 0 {
			was = trouble(e.Found[i])
		}
		lines = append(lines, name+": "+e.state(name)+"; meanwhile "+was)
	}
	return lines
}

// state describes the current status of a service, if it is known.
func (e SilenceEnd) state(service string) string {
	last, known := e.Now[service]
	is := fmt.Sprintf("now it is %s", last.Status)
	switch {
	case !known:
		return "it was not checked since"
	case !last.At.IsZero():
		is = fmt.Sprintf("last checked at %s, it was %s", text.Moment(last.At), last.Status)
	}
	return strings.TrimSuffix(is+": "+last.Found, ": ")
}

// done describes what was done and what was refused.
func (e SilenceEnd) done() (lines []string) {
	for _, action := range statefile.Actions() {
		count, failed := 0, 0
		for _, a := range e.Acts {
			if a.Action == action {
				count++
				if !a.Success {
					failed++
				}
			}
		}
		if count == 0 {
			continue
		}
		line := text.Count(count, string(action)) + " recorded"
		if failed > 0 {
			line += fmt.Sprintf(", of which %d failed", failed)
		}
		lines = append(lines, line)
	}
	if e.Refused > 0 {
		lines = append(lines, text.Count(e.Refused, "remediation")+" refused")
	}
	return lines
}

// trouble describes how often a service was found unwell, and when: "down 3 times, degraded once, from … to …".
func trouble(f store.Found) string {
	if f.FirstUnwell == nil {
		return "always healthy"
	}
	var parts []string
	if f.Down > 0 {
		parts = append(parts, "down "+times(f.Down))
	}
	if f.Degraded > 0 {
		parts = append(parts, "degraded "+times(f.Degraded))
	}
	if f.Down+f.Degraded == 1 {
		return parts[0] + ", at " + text.Moment(*f.FirstUnwell)
	}
	return strings.Join(append(parts, text.Between(*f.FirstUnwell, *f.LastUnwell)), ", ")
}

func times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return fmt.Sprintf("%d times", n)
}
