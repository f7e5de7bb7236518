package cycle

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/claudeops/claudeops/books"
	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// tellSilencesEnded has people told of each silence, and of each pause, that is over, with what happened meanwhile. One whose service
// is quiet still, by something else, waits for the end of that.
func (c *Cycle) tellSilencesEnded(keep context.Context) error {
	over, err := c.Store.SilencesToTell(keep, c.Now())
	if err != nil || len(over) == 0 {
		return err
	}
	c.ForgetSilences()
	for _, s := range over {
		if err := c.endAhead(keep, &s); err != nil {
			return err
		}
		quiet, err := c.quiet(keep, s.Service)
		if err != nil {
			return err
		}
		if quiet {
			continue
		}
		if err := c.tellSilenceEnded(keep, s); err != nil {
			return err
		}
	}
	return nil
}

// endAhead ends a silence that was set under a clock that ran ahead: it would last as long as that.
func (c *Cycle) endAhead(keep context.Context, s *store.Silence) error {
	now := c.Now()
	if !s.Active(now) {
		return nil
	}
	text := fmt.Sprintf("%s until %s, by a clock that ran ahead: ended", books.Silenced(*s), s.Until.UTC().Format(time.RFC3339))
	if err := c.EndSilence(keep, *s); err != nil {
		return err
	}
	s.EndedAt = &now
	return c.say(keep, store.Warning, 0, s.Service, text)
}

func (c *Cycle) tellSilenceEnded(keep context.Context, s store.Silence) error {
	m, err := c.meanwhile(keep, s)
	if err != nil {
		return err
	}
	n := store.Notification{
		Kind: store.Message, Type: notify.Info, Service: s.Service, Cause: "silence", Title: c.Redactor.String(m.title()),
		Body: c.Redactor.String(m.body()), CreatedAt: c.Now(),
	}
	if m.unwellNow() {
		n.Type = notify.Warning
	}
	return c.Store.Update(keep, func(tx *store.Tx) error {
		if err := tx.SilenceTold(keep, s.ID, n.CreatedAt); err != nil {
			return err
		}
		event := store.Event{Level: store.Info, Service: s.Service, Message: n.Title, CreatedAt: n.CreatedAt}
		if err := tx.AddEvent(keep, event); err != nil {
			return err
		}
		_, err := tx.QueueNotification(keep, n)
		return err
	})
}

// meanwhile is what happened during a silence.
type meanwhile struct {
	silence store.Silence
	found   []store.Found // of a pause: of each service that is not quiet still
	acts    []store.Act
	refused int             // remediations
	now     map[string]look // of the services that are told of; those that were not checked for a day are not there
}

// look is how a service was last found.
type look struct {
	status check.Status
	found  string    // what the worst check says
	at     time.Time // zero: in this cycle
}

func (c *Cycle) meanwhile(keep context.Context, s store.Silence) (meanwhile, error) {
	m := meanwhile{silence: s}
	from, to := s.CreatedAt, s.End()
	found, err := c.Store.FoundBetween(keep, s.Service, from, to)
	if err != nil {
		return m, err
	}
	for _, f := range found {
		quiet, err := c.quiet(keep, f.Service)
		if err != nil {
			return m, err
		}
		if !quiet {
			m.found = append(m.found, f)
		}
	}
	if m.acts, err = c.Store.ActsBetween(keep, s.Service, from, to); err != nil {
		return m, err
	}
	if m.refused, err = c.Store.CountEvents(keep, store.Warning, s.Service, books.RefusedWords, from, to); err != nil {
		return m, err
	}
	told := []string{s.Service}
	if s.Service == "" {
		told = nil
		for _, f := range m.unwell() {
			told = append(told, f.Service)
		}
	}
	m.now, err = c.lastLooks(keep, told)
	return m, err
}

// lastLooks is how services are: as this cycle found them or, where it was ended before it could, as they were last found.
func (c *Cycle) lastLooks(keep context.Context, services []string) (map[string]look, error) {
	looks := map[string]look{}
	for _, e := range c.found {
		looks[e.service] = look{status: e.status, found: e.found}
	}
	for _, name := range services {
		if _, known := looks[name]; known {
			continue
		}
		last, err := c.Store.LastChecks(keep, name, c.Now().Add(-24*time.Hour))
		if err != nil {
			return nil, err
		}
		for _, e := range evaluate(store.Results(last), nil) {
			looks[name] = look{status: e.status, found: e.found, at: last[0].CheckedAt}
		}
	}
	return looks, nil
}

func (m meanwhile) title() string {
	if m.silence.Service == "" {
		return "The pause is over"
	}
	return "The silence of " + m.silence.Service + " is over"
}

// unwellNow reports whether the service is unwell by now, or one that was unwell during a pause.
func (m meanwhile) unwellNow() bool {
	if m.silence.Service != "" {
		return m.now[m.silence.Service].status.Worse(check.Healthy)
	}
	return slices.ContainsFunc(m.unwell(), func(f store.Found) bool { return m.now[f.Service].status.Worse(check.Healthy) })
}

// unwell are the services that were, those first that are the worst now.
func (m meanwhile) unwell() []store.Found {
	list := slices.DeleteFunc(slices.Clone(m.found), func(f store.Found) bool { return f.FirstUnwell == nil })
	slices.SortStableFunc(list, func(x, y store.Found) int {
		switch a, b := m.now[x.Service].status, m.now[y.Service].status; {
		case a.Worse(b):
			return -1
		case b.Worse(a):
			return 1
		}
		return cmp.Compare(x.Service, y.Service)
	})
	return list
}

// body is one line where nothing happened.
func (m meanwhile) body() string {
	s := m.silence
	head := s.Service + " was silenced"
	if s.Service == "" {
		head = "Everything was paused"
	}
	head += fmt.Sprintf(" from %s to %s", s.CreatedAt.UTC().Format(time.RFC3339), s.End().UTC().Format(time.RFC3339))
	if s.Reason != "" {
		head += " (" + s.Reason + ")"
	}
	if len(m.unwell()) == 0 && len(m.acts) == 0 && m.refused == 0 && !m.unwellNow() {
		return head + ": " + m.nothing() + "."
	}
	lines := []string{head + ". Meanwhile:", ""}
	if s.Service == "" {
		lines = append(lines, m.services()...)
	} else {
		lines = append(lines, "- "+m.checked())
	}
	lines = append(lines, m.done()...)
	events := "claudeops events"
	if s.Service != "" {
		lines = append(lines, "- "+m.state(s.Service))
		events += " --service " + s.Service
	}
	return strings.Join(append(lines, "", "Everything: `"+events+"`"), "\n")
}

// nothing says that nothing happened, and what was seen of it.
func (m meanwhile) nothing() string {
	switch {
	case len(m.found) == 0:
		return "nothing was checked meanwhile"
	case m.silence.Service == "":
		return fmt.Sprintf("%s checked, always healthy", number(len(m.found), "service"))
	}
	return fmt.Sprintf("checked %s, always healthy; %s", times(m.found[0].Checked), m.state(m.silence.Service))
}

// checked is how one service was found.
func (m meanwhile) checked() string {
	if len(m.found) == 0 {
		return "it was not checked"
	}
	f := m.found[0]
	text := "checked " + times(f.Checked)
	if f.FirstUnwell == nil {
		return text + ", always healthy"
	}
	return text + ": " + trouble(f)
}

// mostServices bounds the services that the end of a pause names.
const mostServices = 20

// services are those that were unwell during a pause, a line each.
func (m meanwhile) services() (lines []string) {
	unwell := m.unwell()
	for _, f := range unwell[:min(len(unwell), mostServices)] {
		lines = append(lines, fmt.Sprintf("- %s: %s; %s", f.Service, trouble(f), m.state(f.Service)))
	}
	if more := len(unwell) - mostServices; more > 0 {
		lines = append(lines, fmt.Sprintf("- … and %d more", more))
	}
	if len(unwell) == 0 {
		lines = append(lines, "- "+m.nothing())
	}
	return lines
}

// trouble says how often a service was found unwell, and when: "down 3 times, degraded once, first at …, last at …".
func trouble(f store.Found) string {
	var parts []string
	if f.Down > 0 {
		parts = append(parts, "down "+times(f.Down))
	}
	if f.Degraded > 0 {
		parts = append(parts, "degraded "+times(f.Degraded))
	}
	if f.Down+f.Degraded == 1 {
		return parts[0] + ", at " + f.FirstUnwell.Format(time.RFC3339)
	}
	parts = append(parts, "first at "+f.FirstUnwell.Format(time.RFC3339), "last at "+f.LastUnwell.Format(time.RFC3339))
	return strings.Join(parts, ", ")
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
		line := "- " + number(count, string(action)) + " recorded"
		if failed > 0 {
			line += fmt.Sprintf(", of which %d failed", failed)
		}
		lines = append(lines, line)
	}
	if m.refused > 0 {
		lines = append(lines, "- "+number(m.refused, "remediation")+" refused")
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
		text = fmt.Sprintf("last checked at %s, it was %s", last.at.Format(time.RFC3339), last.status)
	}
	return strings.TrimSuffix(text+": "+last.found, ": ")
}

// number is a count of things.
func number(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
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
