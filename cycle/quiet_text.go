package cycle

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// title says how it is now.
func (m meanwhile) title() string {
	if m.silence.Service == "" {
		return "The pause is over" + m.afterPause()
	}
	name := m.silence.Service
	is, known := m.now[name]
	switch {
	case !known:
		return "The silence of " + name + " is over: nobody has looked since"
	case !is.status.Worse(check.Healthy):
		return "The silence of " + name + " is over: it is healthy"
	case len(m.found) > 0 && m.found[0].FirstUnwell != nil:
		return fmt.Sprintf("%s is still %s, and its silence is over", name, is.status)
	}
	return fmt.Sprintf("%s is %s, and its silence is over", name, is.status)
}

// mostTitled is how many services a title names.
const mostTitled = 3

// afterPause is how the services are after it, behind its end.
func (m meanwhile) afterPause() string {
	names := m.unwellServices()
	switch {
	case len(names) == 0 && len(m.found) == 0:
		return ""
	case len(names) == 0:
		return ": what was watched is healthy"
	}
	state, are := m.now[names[0]].status, "are"
	for _, name := range names {
		if m.now[name].status != state {
			state = "unwell"
		}
	}
	if len(names) == 1 {
		are = "is"
	}
	if len(names) > mostTitled {
		return fmt.Sprintf(": %d services are %s", len(names), state)
	}
	return fmt.Sprintf(": %s %s %s", and(names), are, state)
}

// and joins a few names: "shop", "shop and mail", "shop, mail and blog".
func and(names []string) string {
	if last := len(names) - 1; last > 0 {
		return strings.Join(names[:last], ", ") + " and " + names[last]
	}
	return strings.Join(names, "")
}

// unwellServices are the services that are unwell now, the worst first.
func (m meanwhile) unwellServices() (names []string) {
	for name, is := range m.now {
		if is.status.Worse(check.Healthy) {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, m.worst)
	return names
}

// worst orders services by how they are now.
func (m meanwhile) worst(x, y string) int {
	switch a, b := m.now[x].status, m.now[y].status; {
	case a.Worse(b):
		return -1
	case b.Worse(a):
		return 1
	}
	return cmp.Compare(x, y)
}

// unwellNow reports whether the service is unwell by now, or any after a pause.
func (m meanwhile) unwellNow() bool { return len(m.unwellServices()) > 0 }

// told are the services that are unwell now, or were in a pause, the worst first.
func (m meanwhile) told() []string {
	names := m.unwellServices()
	for _, f := range m.found {
		if f.FirstUnwell != nil && !m.now[f.Service].status.Worse(check.Healthy) {
			names = append(names, f.Service)
		}
	}
	return names // those behind the unwell ones are in order
}

// body is one line where nothing happened.
func (m meanwhile) body() records.Body {
	s, names := m.silence, m.told()
	span := records.Between(s.CreatedAt, s.End())
	if s.Reason != "" {
		span += " (" + s.Reason + ")"
	}
	was := "Everything was paused " + span
	if s.Service != "" {
		was = s.Service + " was silenced " + span
	}
	if len(names) == 0 && len(m.acts) == 0 && m.refused == 0 {
		if was += ": " + m.nothing(); m.still > 0 {
			was += "; " + m.silencedStill()
		}
		return records.Body{Why: was}
	}
	l := records.Body{Why: was}
	if s.Service != "" {
		l.Head, l.Why = s.Service+": "+m.state(s.Service), "It was silenced "+span
		l.Facts, l.Look = append([]string{m.checked()}, m.done()...), []string{"claudeops events --service " + s.Service}
		return l
	}
	l.Look = []string{"claudeops events"}
	rest := m.done()
	if m.still > 0 {
		rest = append(rest, m.silencedStill())
	}
	for most := mostServices; ; most-- {
		l.Facts = slices.Concat(m.services(names, most), rest)
		if most == 1 || l.Fits() {
			return l
		}
	}
}

// silencedStill is what a pause's end leaves out.
func (m meanwhile) silencedStill() string {
	if m.still == 1 {
		return "1 service is silenced still: what happened to it is told when that ends"
	}
	return fmt.Sprintf("%d services are silenced still: what happened to them is told when that ends", m.still)
}

// nothing says that nothing happened, and what was seen of it.
func (m meanwhile) nothing() string {
	switch {
	case len(m.found) == 0 && m.still > 0:
		return "nothing else was checked"
	case len(m.found) == 0:
		return "nothing was checked meanwhile"
	case m.silence.Service == "":
		return records.Counted(len(m.found), "service") + " checked, always healthy"
	}
	return fmt.Sprintf("checked %s, always healthy; %s", times(m.found[0].Checked), m.state(m.silence.Service))
}

// checked is how one service was found meanwhile.
func (m meanwhile) checked() string {
	if len(m.found) == 0 {
		return "meanwhile it was not checked"
	}
	f := m.found[0]
	text := "meanwhile checked " + times(f.Checked)
	if f.FirstUnwell == nil {
		return text + ", always healthy"
	}
	return text + ": " + trouble(f)
}

// mostServices bounds the services that the end of a pause names.
const mostServices = 20

// services are those of names that fit into so many lines.
func (m meanwhile) services(names []string, most int) (lines []string) {
	for n, name := range names {
		if n == most {
			return append(lines, fmt.Sprintf("… and %d more", len(names)-n))
		}
		lines = append(lines, name+": "+m.state(name)+"; meanwhile "+m.was(name))
	}
	if len(names) == 0 {
		lines = append(lines, m.nothing())
	}
	return lines
}

// was is how a service was found during a pause.
func (m meanwhile) was(name string) string {
	i := slices.IndexFunc(m.found, func(f store.Found) bool { return f.Service == name })
	switch {
	case i < 0:
		return "it was not checked"
	case m.found[i].FirstUnwell == nil:
		return "always healthy"
	}
	return trouble(m.found[i])
}

// trouble says how often a service was found unwell, and when: "down 3 times, degraded once, from … to …".
func trouble(f store.Found) string {
	var parts []string
	if f.Down > 0 {
		parts = append(parts, "down "+times(f.Down))
	}
	if f.Degraded > 0 {
		parts = append(parts, "degraded "+times(f.Degraded))
	}
	if f.Down+f.Degraded == 1 {
		return parts[0] + ", at " + records.Moment(*f.FirstUnwell)
	}
	return strings.Join(append(parts, records.Between(*f.FirstUnwell, *f.LastUnwell)), ", ")
}

// done is what was done, and what was refused.
func (m meanwhile) done() (lines []string) {
	for _, action := range statefile.Actions() {
		count, failed := 0, 0
		for _, a := range m.acts {
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
		line := records.Counted(count, string(action)) + " recorded"
		if failed > 0 {
			line += fmt.Sprintf(", of which %d failed", failed)
		}
		lines = append(lines, line)
	}
	if m.refused > 0 {
		lines = append(lines, records.Counted(m.refused, "remediation")+" refused")
	}
	return lines
}

// state is how a service is now, as far as it is known.
func (m meanwhile) state(service string) string {
	last, known := m.now[service]
	text := fmt.Sprintf("now it is %s", last.status)
	switch {
	case !known:
		return "it was not checked since"
	case !last.at.IsZero():
		text = fmt.Sprintf("last checked at %s, it was %s", records.Moment(last.at), last.status)
	}
	return strings.TrimSuffix(text+": "+last.found, ": ")
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
