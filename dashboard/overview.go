package dashboard

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/store"
)

// Overview is the first page.
type Overview struct {
	At      time.Time `json:"at"`
	Verdict Verdict   `json:"verdict"`

	Attention     []Attention     `json:"attention"`      // what needs a human, newest first; at most 20
	OpenIncidents int             `json:"open_incidents"` // all of them
	Incidents     []IncidentLine  `json:"incidents"`      // open ones: worst first, then oldest; at most 20
	Counts        map[string]int  `json:"service_counts"` // by status; also unknown for services without a recent result
	Holes         []Hole          `json:"holes"`          // why services could not be checked; of at most 20 services
	Services      []ServiceLine   `json:"services"`       // unwell first, then by name; at most 60
	Cooldowns     []Cooldown      `json:"cooldowns"`      // of services with used limits, fullest first; at most 20
	Running       []Running       `json:"running"`        // the running sessions, root first
	LastCycle     *store.CycleRow `json:"last_cycle"`
	LastEvent     *store.Event    `json:"last_event"` // the running cycle's last event; nil if there is none since the last one ended
	// StaleSince is when the last cycle ended, if a run was missed since and none is running. The missed run is one of the schedule or,
	// if it is unknown whether cycles follow it, one within about a day. Nil if none was missed, and before the first cycle.
	StaleSince *time.Time      `json:"stale_since"`
	NextRun    *time.Time      `json:"next_run_at"` // by CLAUDEOPS_SCHEDULE; nil if unknown, or if a run was missed
	DueSince   *time.Time      `json:"due_since"`   // when the first missed run was due; nil if StaleSince is, or if unknown
	Cost       Cost            `json:"cost,omitzero"`
	Silences   []store.Silence `json:"silences"` // active ones; an empty service is a pause of everything

	PendingNotifications int64 `json:"pending_notifications"`
	FailingTargets       int64 `json:"failing_targets"`
	NobodyTold           bool  `json:"nobody_told"` // the configuration has no target, so no message is sent
}

// Attention is an open request for a human.
type Attention struct {
	Service  string    `json:"service"` // empty if it is about the monitoring itself
	Incident *int64    `json:"incident_id"`
	Kind     string    `json:"kind"` // of the notification; human_attention for what the dashboard itself cannot read
	Title    string    `json:"title"`
	Body     string    `json:"body"`
	At       time.Time `json:"at"`
	// AcknowledgedAt and AcknowledgedBy are those of the incident.
	AcknowledgedAt *time.Time `json:"acknowledged_at"`
	AcknowledgedBy string     `json:"acknowledged_by"`
	Proposal       *int64     `json:"proposal_id"` // that waits for an answer; nil if it is something else
}

// Running is a session that has not ended.
type Running struct {
	Session store.Session `json:"session"`
	Gone    bool          `json:"gone"` // nothing runs it any more: the next cycle settles it
}

// Cost sums up the cost of models.
type Cost struct {
	TodayUSD      float64   `json:"today_usd"`
	WeekUSD       float64   `json:"week_usd"`  // today and the six days before
	MonthUSD      float64   `json:"month_usd"` // today and the 29 days before
	Days          []DayCost `json:"days"`      // 30, oldest first, by the server's own calendar
	KeptDays      int       `json:"kept_days"` // how long records are kept: below 30, the oldest Days are empty. 0 if unknown
	BudgetUSD     float64   `json:"budget_usd"`
	BudgetLeftUSD *float64  `json:"budget_left_usd"` // of the last 24 h; nil if no budget is set
}

// DayCost is the cost of one day.
type DayCost struct {
	Date string  `json:"date"` // 2006-01-02
	USD  float64 `json:"usd"`
}

// Day counts how a service was found on one day. The results of one batch count once, with the worst status.
type Day struct {
	Date     string       `json:"date"`   // 2006-01-02
	Status   check.Status `json:"status"` // the worst; empty if it was not checked
	Healthy  int          `json:"healthy"`
	Degraded int          `json:"degraded"`
	Down     int          `json:"down"`
}

// Limits of the first page's lists.
const (
	mostAttention    = 20
	mostHoles        = 20
	mostIncidents    = 20
	mostServiceLines = 60
	mostCooldowns    = 20
	mostRunning      = 50
	mostAsked        = 500 // notifications read for mostAttention: some are about services that people work on
)

// askedLasts is how long a request for a human counts if nothing says that it is over: until the next one is sent.
const askedLasts = 24 * time.Hour

// Overview returns the first page. It may be a second old.
func (i *Instance) Overview(ctx context.Context) (*Overview, error) {
	s, err := i.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	return s.overview, nil
}

// overviewOf returns the first page of a complete snapshot, without Cost.
func (i *Instance) overviewOf(ctx context.Context, b *ledger.Records, s *snapshot) (o *Overview, err error) {
	used := slices.DeleteFunc(slices.Clone(s.cooldowns), func(c Cooldown) bool {
		return c.Restart.Used == 0 && c.Redeployment.Used == 0 && c.Today == 0
	})
	used = used[:min(len(used), mostCooldowns)]
	var open []store.Incident
	for _, is := range s.services {
		if is.Incident != nil {
			open = append(open, *is.Incident)
		}
	}
	slices.SortFunc(open, func(x, y store.Incident) int {
		return cmp.Or(check.WorstFirst(x.Status, y.Status), x.OpenedAt.Compare(y.OpenedAt), cmp.Compare(x.ID, y.ID))
	})
	o = &Overview{
		At: s.Now.UTC(), OpenIncidents: len(open), Counts: s.counts(), Services: s.worstServices(),
		Cooldowns: used, LastCycle: s.LastCycle, Silences: s.Silences(), NobodyTold: !b.Config.Notifies(),
	}
	if o.Incidents, err = i.incidentLines(ctx, b, s.State, open[:min(len(open), mostIncidents)]); err != nil {
		return nil, err
	}
	for _, session := range s.Running[max(0, len(s.Running)-mostRunning):] {
		o.Running = append(o.Running, Running{session, i.gone(session)})
	}
	// The running cycle's events: between two tiers, nothing else shows that it runs.
	events, err := b.Store.Events(ctx, store.EventFilter{Limit: 1})
	if err != nil {
		return nil, err
	}
	if len(events) > 0 && events[0].SessionID != nil && (o.LastCycle == nil || events[0].CreatedAt.After(o.LastCycle.EndedAt())) {
		o.LastEvent = &events[0]
	}
	box, err := notify.RoutingOf(b.Config, b.Inventory).Outbox(ctx, b.Store, s.Now)
	if err != nil {
		return nil, err
	}
	o.PendingNotifications, o.FailingTargets = int64(len(box.Pending)), int64(len(box.Failing))
	if err := i.attention(ctx, b, s, o); err != nil {
		return nil, err
	}
	if err := i.watch(ctx, b, o); err != nil {
		return nil, err
	}
	o.holes(s)
	o.Verdict = o.verdict(s.mostlyUnseen())
	return o, nil
}

// worstServices returns the lines of the first services, unwell ones first. Healthy ones and those without a recent result are sorted
// together.
func (s *snapshot) worstServices() []ServiceLine {
	unwell := func(is *state.Service) check.Status {
		if status := is.Status(); status != check.Healthy {
			return status
		}
		return ""
	}
	worst := slices.Clone(s.services)
	slices.SortStableFunc(worst, func(x, y *state.Service) int { return check.WorstFirst(unwell(x), unwell(y)) })
	var lines []ServiceLine
	for _, is := range worst[:min(len(worst), mostServiceLines)] {
		lines = append(lines, s.line(is))
	}
	return lines
}

func (i *Instance) costs(ctx context.Context, b *ledger.Records, s *snapshot, o *Overview) error {
	days, err := b.Store.CostByDay(ctx, s.calendar.moments)
	if err != nil {
		return err
	}
	for n, usd := range days {
		o.Cost.Days = append(o.Cost.Days, DayCost{s.calendar.dates[n], usd})
		o.Cost.MonthUSD += usd
		if n >= stripDays-7 {
			o.Cost.WeekUSD += usd
		}
	}
	o.Cost.TodayUSD = days[stripDays-1]
	o.Cost.KeptDays = int(b.Config.Retention / (24 * time.Hour))
	o.Cost.BudgetUSD = b.Config.DailyBudgetUSD
	if left, limited := s.BudgetLeft(); limited {
		o.Cost.BudgetLeftUSD = new(max(left, 0))
	}
	return nil
}

// mostlyUnseen reports whether more of the inventory's services with checks have no recent result than are healthy. Services that people
// work on (maintenance, silences) are excluded. Services that are only on record may no longer exist and do not count.
func (s *snapshot) mostlyUnseen() bool {
	unseen, healthy := 0, 0
	for _, is := range s.services {
		status := is.Status()
		switch {
		case is.Listed == nil:
		case status == check.Healthy:
			healthy++
		case (status == "" || status == check.Unknown) && len(is.Listed.Checks) > 0 && !is.Quiet().Given():
			unseen++
		}
	}
	return unseen > healthy
}

// Hole is a reason why services could not be checked the last time, or are not any more, so that their status is unknown.
type Hole struct {
	Why    string   `json:"why"`    // empty if unknown
	Checks []string `json:"checks"` // such as "web (http)"
}

// Which names the first checks.
func (h Hole) Which() string { return text.Few(h.Checks, 5) }

// holes finds why checks could not be made, and which services of the services file are no longer checked, grouped by reason.
func (o *Overview) holes(s *snapshot) {
	found := 0
	add := func(why, unmade string) {
		found++
		if found > mostHoles {
			return
		}
		at := slices.IndexFunc(o.Holes, func(h Hole) bool { return h.Why == why })
		if at < 0 {
			at = len(o.Holes)
			o.Holes = append(o.Holes, Hole{Why: why})
		}
		o.Holes[at].Checks = append(o.Holes[at].Checks, unmade)
	}
	for _, is := range s.services {
		for _, c := range is.Checks {
			if c.Status == check.Unknown {
				add(c.Error, fmt.Sprintf("%s (%s)", is.Name, c.Type))
			}
		}
		if is.Listed != nil && is.Status() == "" && !is.Checked.IsZero() {
			add("it was not checked since "+text.Moment(is.Checked), is.Name)
		}
	}
}

// attention collects the open requests for a human: about an open incident, until it recovers or its service is silenced; about the
// monitoring itself and anything without an incident, until a later cycle has succeeded; and the proposals that wait.
func (i *Instance) attention(ctx context.Context, b *ledger.Records, s *snapshot, o *Overview) error {
	since := i.now().Add(-askedLasts)
	good, err := b.Store.LastGoodCycle(ctx, since)
	if err != nil {
		return err
	}
	if good != nil {
		since = *good
	}
	asked, err := b.Store.AskedOf(ctx, since, mostAsked)
	if err != nil {
		return err
	}
	add := func(a Attention) {
		// People work on what is in maintenance or silenced.
		if a.Service == "" || !s.Service(a.Service).Quiet().Given() {
			o.Attention = append(o.Attention, a)
		}
	}
	if s.cooldownFault != nil {
		add(Attention{
			Kind: string(store.HumanAttention), Title: "cooldown.json cannot be read", Body: s.cooldownFault.Error(), At: o.At,
		})
	}
	for _, n := range asked {
		if n.Service != "" && b.Inventory.Elsewhere(n.Service) != "" {
			continue
		}
		asks := Attention{Service: n.Service, Incident: n.IncidentID, Kind: string(n.Kind), Title: n.Title, Body: n.Body, At: n.CreatedAt}
		if incident := s.Service(n.Service).Incident; incident != nil && n.IncidentID != nil && *n.IncidentID == incident.ID {
			asks.AcknowledgedAt, asks.AcknowledgedBy = incident.AcknowledgedAt, incident.AcknowledgedBy
		}
		add(asks)
	}
	for _, p := range s.Waiting() {
		add(Attention{
			Service: p.Service, Incident: p.IncidentID, Kind: string(store.AskApproval), Title: notify.ProposalTitle(p),
			Body: proposalAsks(p), At: p.CreatedAt, Proposal: &p.ID,
		})
	}
	slices.SortStableFunc(o.Attention, func(x, y Attention) int { return y.At.Compare(x.At) })
	o.Attention = o.Attention[:min(len(o.Attention), mostAttention)]
	return nil
}

// proposalAsks describes a proposal that waits, with the commands that answer it.
func proposalAsks(p store.Proposal) string {
	return fmt.Sprintf("proposal %d: %s; until %s: `claudeops approve %d` or `claudeops reject %d`",
		p.ID, guard.CommandLine(p.Argv), text.Moment(p.ExpiresAt), p.ID, p.ID)
}
