package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/cycle"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/store"
)

// ranOnce is the output of `run-once --json`: the summary, if the cycle got that far, and the error that stopped it.
type ranOnce struct {
	*cycle.Summary
	Error string `json:"error,omitempty"`
}

// beatText returns the text for a heartbeat monitor about a cycle that ended with failed, which may be nil.
func (a *app) beatText(s cycle.Summary, failed error) string {
	var said string
	if failed == nil || len(s.Tiers) > 0 {
		said = a.summaryText(s)
	}
	if failed != nil {
		said += failed.Error() + "\n"
	}
	return text.Printable(a.redactor.String(said))
}

// writeSummary prints the summary of a cycle that ended with failed, which may be nil. If no tier ran because of that, there is no
// summary: it would look like a quiet, successful cycle.
func (a *app) writeSummary(s cycle.Summary, failed error) error {
	s.StartedAt = s.StartedAt.UTC().Truncate(time.Millisecond)
	ran := ranOnce{Summary: &s}
	if failed != nil {
		ran.Error = failed.Error()
		if len(s.Tiers) == 0 {
			ran.Summary = nil
		}
	}
	if ran.Summary == nil && !a.json {
		return nil
	}
	return a.answer(ran, a.summaryText(s))
}

func (a *app) summaryText(s cycle.Summary) string {
	var b strings.Builder
	fmt.Fprintf(&b, "cycle of %s: %s, %s\n", a.local(s.StartedAt), took(s.DurationMS), text.Cost(s.CostUSD))
	for _, t := range s.Tiers {
		fmt.Fprintf(&b, "  Tier %d  session %-5d %-11s  %11s  %3d turns  %s  %s\n", t.Tier, t.Session, t.Status, took(t.DurationMS), t.NumTurns, text.Cost(t.CostUSD), a.line(cmp.Or(t.Model, t.Agent)))
		if t.Reason != "" {
			fmt.Fprintf(&b, "          %s\n", a.indented(t.Reason, 10))
		}
	}
	b.WriteString(a.found(s))
	list := func(title string, lines []string) {
		if len(lines) > 0 {
			b.WriteString(title + ":\n  " + strings.Join(lines, "\n  ") + "\n")
		}
	}
	list("recovered", firstLines(s.Recovered, func(r cycle.Recovered) string {
		return fmt.Sprintf("%s (incident %d, after %s)", a.line(r.Service), r.Incident, took(r.DurationMS))
	}))
	list("remediated", firstLines(s.Remediated, func(r cycle.Remediated) string {
		by := fmt.Sprintf("Tier %d", r.Tier)
		if r.Agent == store.FirstAid {
			by = "first aid"
		}
		return fmt.Sprintf("%s by %s (session %d): its checks are healthy again", a.line(r.Service), by, r.Session)
	}))
	list("decided", firstLines(s.Decisions, func(text string) string { return a.indented(text, 4) }))
	list("needs a human", a.asked(s))
	b.WriteString(a.messages(s))
	b.WriteString(a.answerText(s.Answer))
	return b.String()
}

// messages describes the delivery of messages.
func (a *app) messages(s cycle.Summary) string {
	m := s.Messages
	switch {
	case a.loaded != nil && !a.loaded.config.Notifies() && len(s.Attention) > 0:
		return "messages: none, because no target is configured\n"
	case m.Waiting > 0:
		return fmt.Sprintf("messages: %d sent, %d waiting (`claudeops notify list --waiting`)\n", m.Sent, m.Waiting)
	case m.Sent > 0:
		return fmt.Sprintf("messages: %d sent, 0 waiting\n", m.Sent)
	}
	return ""
}

// asked lists each reason once, with its services.
func (a *app) asked(s cycle.Summary) []string {
	var reasons []string
	about := map[string][]string{}
	for _, n := range s.Attention {
		if about[n.Reason] == nil {
			reasons = append(reasons, n.Reason)
		}
		about[n.Reason] = append(about[n.Reason], n.Service)
	}
	return firstLines(reasons, func(reason string) string {
		services := firstLines(about[reason], func(service string) string { return cmp.Or(a.line(service), "claudeops itself") })
		return strings.Join(services, ", ") + ": " + a.indented(reason, 4)
	})
}

// found counts the services by status. It lists the findings about the unhealthy ones, worst first, and when the incidents of recovering
// ones close.
func (a *app) found(s cycle.Summary) string {
	if len(s.Services) == 0 {
		return "services: none was reported\n"
	}
	var unwell []cycle.ServiceSummary
	count := map[check.Status]int{}
	for _, svc := range s.Services {
		if count[svc.Status]++; svc.Status != check.Healthy || svc.State == store.IncidentRecovering {
			unwell = append(unwell, svc)
		}
	}
	slices.SortStableFunc(unwell, func(x, y cycle.ServiceSummary) int { return check.WorstFirst(x.Status, y.Status) })
	lines := firstLines(unwell, func(svc cycle.ServiceSummary) string {
		if svc.State == store.IncidentRecovering {
			return fmt.Sprintf("%s %s: healthy since %s, %s (incident %d)", a.line(svc.Service), svc.State, a.local(*svc.HealthySince), svc.Closes, svc.Incident)
		}
		return a.line(svc.Service) + " " + string(svc.Status) + a.condition(svc)
	})
	return strings.Join(append([]string{check.Counted(count)}, lines...), "\n  ") + "\n"
}

// condition describes an unhealthy service, after its status.
func (a *app) condition(svc cycle.ServiceSummary) (text string) {
	switch {
	case svc.Since != nil && svc.Status == check.Unknown:
		text = fmt.Sprintf(" (incident %d stays open)", svc.Incident)
	case svc.Since != nil:
		text = fmt.Sprintf(" since %s (incident %d)", a.local(*svc.Since), svc.Incident)
	}
	if svc.Found != "" {
		text += ": " + a.line(svc.Found)
	}
	if svc.Held != "" {
		text += "; held back: " + a.line(svc.Held)
	}
	return text
}
