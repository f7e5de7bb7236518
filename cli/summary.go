package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/cycle"
)

// ranOnce is `run-once --json`: the summary, where the cycle came so far as to have one, and what kept it from its end.
type ranOnce struct {
	*cycle.Summary
	Error string `json:"error,omitempty"`
}

// writeSummary tells of a cycle that ended with failed, which may be nil. Where that kept every tier from running there is nothing to
// sum up: it would read like a quiet good cycle.
func (a *app) writeSummary(s cycle.Summary, failed error) error {
	s.StartedAt = s.StartedAt.UTC().Truncate(time.Millisecond)
	told := ranOnce{Summary: &s}
	if failed != nil {
		told.Error = failed.Error()
		if len(s.Tiers) == 0 {
			told.Summary = nil
		}
	}
	switch {
	case a.json:
		return a.printJSON(told)
	case told.Summary == nil:
		return nil
	}
	return a.print(a.summaryText(s))
}

func (a *app) summaryText(s cycle.Summary) string {
	var b strings.Builder
	fmt.Fprintf(&b, "cycle of %s: %s, %s\n", a.local(s.StartedAt), took(s.DurationMS), usd(s.CostUSD))
	for _, t := range s.Tiers {
		fmt.Fprintf(&b, "  Tier %d  session %-5d %-11s  %8s  %3d turns  %s  %s\n", t.Tier, t.Session, t.Status, took(t.DurationMS), t.NumTurns, usd(t.CostUSD), a.line(cmp.Or(t.Model, t.Agent)))
		if t.Reason != "" {
			fmt.Fprintf(&b, "          %s\n", a.indented(t.Reason, 10))
		}
	}
	b.WriteString(a.servicesLine(s))
	for _, list := range []struct {
		title string
		lines []string
	}{{"remediated", a.remediated(s)}, {"decided", a.decided(s)}, {"held back", a.heldBack(s)}} {
		if len(list.lines) > 0 {
			b.WriteString(list.title + ":\n  " + strings.Join(firstFew(list.lines), "\n  ") + "\n")
		}
	}
	var asked []string
	for _, n := range s.Attention {
		asked = append(asked, orWatch(a.line(n.Service))+": "+a.indented(n.Reason, 4))
	}
	if len(asked) > 0 {
		b.WriteString("needs a human:\n  " + strings.Join(firstFew(asked), "\n  ") + "\n")
	}
	return b.String()
}

func (a *app) remediated(s cycle.Summary) (lines []string) {
	for _, r := range s.Remediated {
		lines = append(lines, fmt.Sprintf("%s by Tier %d (session %d): its checks are healthy again", a.line(r.Service), r.Tier, r.Session))
	}
	return lines
}

func (a *app) decided(s cycle.Summary) (lines []string) {
	for _, text := range s.Decisions {
		lines = append(lines, a.indented(text, 4))
	}
	return lines
}

func (a *app) heldBack(s cycle.Summary) (lines []string) {
	for _, svc := range s.Services {
		if svc.Held != "" {
			lines = append(lines, a.line(svc.Service)+": "+a.line(svc.Held))
		}
	}
	return lines
}

func orWatch(service string) string {
	if service == "" {
		return "claudeops itself"
	}
	return service
}

// servicesLine counts the healthy services and names the others, the worst first.
func (a *app) servicesLine(s cycle.Summary) string {
	if len(s.Services) == 0 {
		return "services: none was reported\n"
	}
	sorted := slices.Clone(s.Services)
	slices.SortStableFunc(sorted, func(x, y cycle.ServiceSummary) int {
		switch {
		case x.Status.Worse(y.Status):
			return -1
		case y.Status.Worse(x.Status):
			return 1
		}
		return 0
	})
	healthy, others := 0, []string{}
	for _, svc := range sorted {
		if svc.Status == check.Healthy {
			healthy++
		} else {
			others = append(others, a.line(svc.Service)+" "+string(svc.Status))
		}
	}
	line := fmt.Sprintf("services: %d healthy", healthy)
	if len(others) > 0 {
		line += "; " + strings.Join(firstFew(others), ", ")
	}
	return line + "\n"
}
