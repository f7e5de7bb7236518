package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/dashboard"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/store"
)

func init() { addCommand((*app).statusCommand) }

func (a *app) statusCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "status",
		Short: "Show on one screen what is down, what is done about it, what waits for a human and what is next",
		Long: `status shows on one screen how things are now: what is down, since when and what is being done about it; what waits for a human; what
runs; what happens next by itself; which limits are used; and the figures of the last 24 hours. It says the same as the first page of
the dashboard.

Exit codes: 0 nobody is needed, though something may be down that is being worked on; 3 a human is needed: people were asked and it is
not over, or the watch has stopped; 1 the records cannot be read. Before the first cycle it says what to do, and exits with 0.`,
		Example: `  claudeops status
  claudeops status --json | jq -r '.unwell[] | "\(.service) \(.status): \(.doing)"'
  claudeops status >/dev/null || [ $? -eq 3 ]    # in a script with set -e`,
	}
	c.RunE = a.configured(func(ctx context.Context, l *loaded, _ []string) error {
		s, err := a.status(ctx, l)
		if err != nil {
			return err
		}
		if err := a.showStatus(s); err != nil {
			return err
		}
		if s.NeedsHuman() {
			return &exitError{code: exitAttention}
		}
		return nil
	})
	return c
}

// status reads the current status, which exists even before the first cycle.
func (a *app) status(ctx context.Context, l *loaded) (*dashboard.Status, error) {
	if err := stateDirectory(l.config.StateDir); err != nil {
		return nil, err
	}
	o := a.shown(l)
	a.redactor = o.Redactor
	s, err := dashboard.New(o).Status(ctx)
	if errors.Is(err, fs.ErrNotExist) {
		return dashboard.NoStatus(a.Now()), nil
	}
	if unavailable := (*dashboard.UnavailableError)(nil); errors.As(err, &unavailable) {
		return nil, unavailable.Err // its advice is for the users of a dashboard
	}
	return s, err
}

func (a *app) showStatus(s *dashboard.Status) error {
	if a.json {
		return a.printJSON(s)
	}
	return a.steer(a.statusText(s, min(width(a.Out), mostColumns), a.colours()))
}

// mostColumns limits the text to a readable width.
const mostColumns = 110

// statusText formats a status for people, in lines of at most columns.
func (a *app) statusText(s *dashboard.Status, columns int, coloured bool) string {
	p := &statusScreen{app: a, Status: s, columns: columns, coloured: coloured}
	for _, part := range []func(){p.head, p.unwell, p.attention, p.running, p.next, p.limits, p.lastDay} {
		part()
	}
	return p.String()
}

// statusScreen formats a status with a limited number of lines.
type statusScreen struct {
	*app
	*dashboard.Status
	columns  int
	coloured bool
	strings.Builder
}

// Limits of each list; --json has more.
const (
	shownUnwell = 8
	shownAsked  = 5
	shownNext   = 6
	shownLimits = 5
	askedLines  = 3 // requests for a human
)

const (
	bold, faint     = "1", "2"
	red, green      = "31", "32"
	yellow, magenta = "33", "35"
)

// paint styles words with the parameters of an escape sequence, if coloured.
func (a *app) paint(coloured bool, style, words string) string {
	if words = text.Printable(a.redactor.String(words)); coloured {
		words = "\x1b[" + style + "m" + words + "\x1b[0m"
	}
	return words
}

// say wraps a text into lines: the first indented by blanks, the others by four.
func (p *statusScreen) say(blanks int, style, words string) {
	const others = 4
	for line := range strings.SplitSeq(ansi.Wrap(p.line(words), max(p.columns-others, 20), ""), "\n") {
		p.WriteString(strings.Repeat(" ", blanks) + p.paint(p.coloured && style != "", style, line) + "\n")
		blanks = others
	}
}

// list writes short texts side by side, as many per line as fit.
func (p *statusScreen) list(texts []string) {
	const between = " · "
	for len(texts) > 0 {
		n, line := 1, texts[0]
		for ; n < len(texts) && ansi.StringWidth(line+between+texts[n]) <= p.columns; n++ {
			line += between + texts[n]
		}
		p.say(0, "", line)
		texts = texts[n:]
	}
}

func (p *statusScreen) title(words string) {
	p.WriteString("\n" + p.paint(p.coloured, bold, words) + "\n")
}

// more says that there are others, and where.
func (p *statusScreen) more(all, shown int, where string) {
	switch {
	case all == dashboard.MostOfEach:
		p.say(2, faint, fmt.Sprintf("and %d or more besides: %s", all-shown, where))
	case all > shown:
		p.say(2, faint, fmt.Sprintf("and %d more: %s", all-shown, where))
	}
}

func (p *statusScreen) clock(t time.Time) string { return text.Clock(t, p.Now()) }

func (p *statusScreen) ago(t time.Time) string { return text.Ago(p.At.Sub(t)) }

func (p *statusScreen) head() {
	now, style := p.At.In(p.Now().Location()).Format("2006-01-02 15:04 MST"), map[dashboard.Verdict]string{
		dashboard.AllWell: "1;" + green, dashboard.Unwatched: "1;" + magenta, dashboard.Trouble: "1;" + yellow, dashboard.NeedsHuman: "1;" + red,
	}[p.Verdict]
	headline := p.line(p.Headline)
	if gap := p.columns - ansi.StringWidth(headline) - len(now); gap > 1 {
		p.WriteString(p.paint(p.coloured, style, headline) + strings.Repeat(" ", gap) + p.paint(p.coloured, faint, now) + "\n")
	} else {
		p.say(0, style, p.Headline)
		p.say(0, faint, now)
	}
	if p.LastCycle == nil && len(p.Running) == 0 {
		hint := "`claudeops run-once` runs one now. `claudeops doctor` says what is missing."
		if len(p.Next) == 0 {
			hint = "Where nothing runs them yet, `claudeops init` sets that up. " + hint
		}
		p.say(0, "", hint)
		return
	}
	p.list(p.facts())
	p.faults()
}

// facts returns what is known about all services and about the monitoring itself.
func (p *statusScreen) facts() (facts []string) {
	if p.Verdict != dashboard.AllWell || p.Counts[string(check.Unknown)] > 0 {
		count := map[check.Status]int{}
		for status, n := range p.Counts {
			count[check.Status(status)] = n
		}
		facts = append(facts, check.Counted(count))
	}
	if c := p.LastCycle; c != nil {
		outcome := ""
		if c.Outcome != store.CycleCompleted {
			outcome = " (" + c.Outcome + ")"
		}
		facts = append(facts, "last cycle "+p.ago(c.EndedAt())+outcome)
	}
	for _, next := range p.Next {
		if next.Kind == "cycle" {
			facts = append(facts, fmt.Sprintf("next at %s, %s", p.clock(next.At), p.ago(next.At)))
		}
	}
	return facts
}

// faults writes the faults of the monitoring.
func (p *statusScreen) faults() {
	if p.StaleSince != nil && p.Verdict != dashboard.Unwatched {
		p.say(0, yellow, "The watch has stopped: the last cycle ended "+p.ago(*p.StaleSince))
	}
	if p.DueSince != nil {
		p.say(0, yellow, "The run that was due at "+p.clock(*p.DueSince)+" did not come: `claudeops doctor` looks at the schedule")
	}
	for _, hole := range p.Holes {
		p.say(0, yellow, "Cannot be checked: "+hole.Which()+": "+cmp.Or(hole.Why, "no reason is known"))
	}
	if p.NobodyTold {
		p.say(0, yellow, "No message is sent: CLAUDEOPS_APPRISE_URLS names no target")
	}
	if p.FailingTargets > 0 {
		p.say(0, yellow, fmt.Sprintf("Messages do not get through to %s, %d waiting: `claudeops doctor` says why",
			text.Count(int(p.FailingTargets), "target"), p.PendingNotifications))
	}
}

func (p *statusScreen) unwell() {
	if len(p.Unwell) == 0 {
		return
	}
	p.title("Not healthy")
	for _, u := range p.Unwell[:min(len(p.Unwell), shownUnwell)] {
		style := map[check.Status]string{check.Down: red, check.Degraded: yellow, check.Unknown: magenta}[u.Status]
		line := fmt.Sprintf("%s %s", u.Service, u.Status)
		if u.State == store.IncidentRecovering {
			line, style = u.Service+" recovering", green
		}
		if u.Since != nil {
			line += fmt.Sprintf(" since %s, for %s (incident %d)", p.clock(*u.Since), text.Duration(p.At.Sub(*u.Since)), *u.Incident)
		}
		p.say(2, style, line)
		if u.Fault != "" && u.State != store.IncidentRecovering {
			p.say(4, "", u.Fault)
		}
		if u.Doing != "" {
			p.say(4, "", u.Doing)
		}
		if u.AcknowledgedAt != nil {
			p.say(4, "", fmt.Sprintf("acknowledged at %s (%s)", p.clock(*u.AcknowledgedAt), u.AcknowledgedBy))
		}
	}
	p.more(len(p.Unwell), shownUnwell, "`claudeops incidents list`")
}

func (p *statusScreen) attention() {
	if len(p.Attention) == 0 {
		return
	}
	p.title("Waits for a human")
	for _, asked := range p.Attention[:min(len(p.Attention), shownAsked)] {
		p.say(2, red, p.clock(asked.At)+": "+asked.Title)
		p.say(4, "", text.Shorten(p.line(asked.Body), askedLines*(p.columns-10)))
	}
	p.more(len(p.Attention), shownAsked, "`claudeops notify list`")
}

func (p *statusScreen) running() {
	if len(p.Running) == 0 {
		return
	}
	p.title("Running")
	for _, r := range p.Running {
		line := fmt.Sprintf("Tier %d (%s), session %d, for %s", r.Session.Tier, cmp.Or(r.Session.Model, r.Session.Agent), r.Session.ID, text.Took(p.At.Sub(r.Session.StartedAt)))
		if r.Gone {
			line += ": cut off, and the next cycle settles it"
		}
		p.say(2, "", line)
	}
	if p.LastEvent != nil {
		p.say(4, faint, p.LastEvent.Message)
	}
}

// next is omitted if only the next cycle follows, which the head shows.
func (p *statusScreen) next() {
	if len(p.Next) == 0 || len(p.Next) == 1 && p.Next[0].Kind == "cycle" {
		return
	}
	p.title("Next")
	for _, next := range p.Next[:min(len(p.Next), shownNext)] {
		p.say(2, "", fmt.Sprintf("%s, %s: %s", p.clock(next.At), p.ago(next.At), next.Text))
	}
	p.more(len(p.Next), shownNext, "`claudeops status --json`")
}

func (p *statusScreen) limits() {
	if len(p.Cooldowns) == 0 {
		return
	}
	p.title("Limits used")
	for _, c := range p.Cooldowns[:min(len(p.Cooldowns), shownLimits)] {
		line := c.Service + ": " + p.place("restarts", c.Restart) + ", " + p.place("redeployments", c.Redeployment)
		if c.Ceiling > 0 {
			line += fmt.Sprintf(", %d of %d in 24 h", c.Today, c.Ceiling)
		}
		p.say(2, "", line)
	}
	p.more(len(p.Cooldowns), shownLimits, "`claudeops cooldown show`")
}

// place describes how much of a limit is used and, if it is used up, when it frees.
func (p *statusScreen) place(of string, l state.Limit) string {
	words := fmt.Sprintf("%d of %d %s", l.Used, l.Limit, of)
	if l.FreesAt != nil {
		words += " (next at " + p.clock(*l.FreesAt) + ")"
	}
	return words
}

func (p *statusScreen) lastDay() {
	if p.LastCycle == nil {
		return
	}
	d := p.LastDay
	cost := text.Dollars(d.CostUSD)
	if p.BudgetUSD > 0 {
		cost += " of " + text.Dollars(p.BudgetUSD)
	}
	p.WriteString("\n")
	p.list([]string{
		"Last 24 h: " + some(d.Cycles, "cycle", d.FailedCycles, "failed"), some(d.Sessions, "session", d.Escalations, "of Tier 2 and 3"),
		some(d.Remediations, "remediation", d.FailedRemediations, "failed"), cost,
	})
}

// some counts things, and a subset worth mentioning.
func some(n int64, one string, of int64, which string) string {
	words := text.Count(int(n), one)
	if of > 0 {
		words += fmt.Sprintf(" (%d %s)", of, which)
	}
	return words
}
