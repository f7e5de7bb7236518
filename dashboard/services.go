package dashboard

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// ServiceLine is a service in a list.
type ServiceLine struct {
	Name     string       `json:"name"`
	Status   check.Status `json:"status"` // the last one; empty if there is no recent result
	LastAt   *time.Time   `json:"last_checked_at"`
	Days     []Day        `json:"days"`        // 30, oldest first
	Incident *int64       `json:"incident_id"` // the open one
	Held     string       `json:"held"`        // by a silence, maintenance or another service; empty if it is not
	Uptime30 *float64     `json:"uptime_30d"`  // share of checks that did not find it down, 0 to 1; nil without any
}

// ServiceQuery selects the services to list. Zero fields do not restrict.
type ServiceQuery struct {
	Text   string       // part of its name
	Status check.Status // check.Unknown includes services without a recent result
	After  string       // only names after this one: the next page
	Limit  int          // 0 means 100, at most 500
}

// ServicesPage is a page of services, by name.
type ServicesPage struct {
	Services []ServiceLine `json:"services"`
	Next     string        `json:"next_after"` // After of the next page; empty if this is the last
	Total    int           `json:"total"`      // number of matches
}

// Span is the length of a service's displayed history.
type Span string

// The spans.
const (
	Day1  Span = "24h"
	Day7  Span = "7d"
	Day30 Span = "30d"
)

// ServiceDetail is a service with its history.
type ServiceDetail struct {
	ServiceLine
	Span         Span             `json:"span"`
	Latency      []Latency        `json:"latency"`      // a series for each check type with durations; beyond a day one of all
	Latest       []store.Check    `json:"latest"`       // that say how it is; the last results where none is recent
	Changes      []store.Check    `json:"changes"`      // changed results within the span, newest first; at most 100
	Incidents    []IncidentLine   `json:"incidents"`    // the newest 20
	Remediations []store.Act      `json:"remediations"` // the newest 50
	Cooldown     Cooldown         `json:"cooldown"`
	DayUptime    string           `json:"uptime_24h"` // as formatted by store.Watched; empty if it was not watched
	WeekUptime   string           `json:"uptime_7d"`
	MonthUptime  string           `json:"uptime_30d_time"` // share of time, like the other two; uptime_30d is a share of checks
	Checks       []ServiceCheck   `json:"checks"`          // from the inventory
	Aliases      []string         `json:"aliases"`
	DependsOn    []string         `json:"depends_on"`
	Owner        string           `json:"owner"`
	Silence      *store.Silence   `json:"silence"`   // its own active one; nil if there is none
	Alerts       []store.AlertRow `json:"alerts"`    // that fire, or did in the last day, newest first; at most 50
	Proposals    []ProposalLine   `json:"proposals"` // the newest 20
}

// ServiceCheck is a check of the inventory.
type ServiceCheck struct {
	Type   check.Type `json:"check_type"`
	Target string     `json:"target"` // a URL, a container, a unit …
}

// Latency has the response times of one check type within the span, or of all: at most 240 points, one per time slot.
type Latency struct {
	Type   check.Type   `json:"check_type"`
	From   time.Time    `json:"from"`
	Until  time.Time    `json:"until"`
	Points []store.Pace `json:"points"`
}

// Cooldown is what is left of a service's limits.
type Cooldown struct {
	Service            string      `json:"service"`
	Restart            state.Limit `json:"restart"`
	Redeployment       state.Limit `json:"redeployment"`
	Today              int         `json:"today"`   // remediations in the last 24 h, regardless of recoveries
	Ceiling            int         `json:"ceiling"` // of these; 0 means none
	ConsecutiveHealthy int         `json:"consecutive_healthy"`
	// When the acts that count now cease to count, oldest first. Nil without any.
	RestartsEnd      []time.Time `json:"restarts_end"`
	RedeploymentsEnd []time.Time `json:"redeployments_end"`
}

// Limits of a service's page.
const (
	latencySlots     = 240
	mostChanges      = 100
	mostOfIncidents  = 20
	mostRemediations = 50
	mostAlerts       = 50
	mostProposals    = 20

	usualServices, mostListed = 100, 500
)

// Since returns the start of a span that ends now; an unknown span is Day1.
func (s Span) Since(now time.Time) time.Time {
	const day = 24 * time.Hour
	spans := map[Span]time.Duration{Day7: 7 * day, Day30: 30 * day}
	return now.Add(-max(day, spans[s]))
}

// Services returns a page of services.
func (i *Instance) Services(ctx context.Context, q ServiceQuery) (*ServicesPage, error) {
	s, err := i.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	most := onPage(q.Limit, usualServices, mostListed)
	page := &ServicesPage{}
	text := strings.ToLower(q.Text)
	for _, is := range s.services {
		if q.Status != "" && cmp.Or(is.Status(), check.Unknown) != q.Status || !strings.Contains(strings.ToLower(is.Name), text) {
			continue
		}
		page.Total++
		switch {
		case is.Name <= q.After:
		case len(page.Services) < most:
			page.Services = append(page.Services, s.line(is))
		case page.Next == "":
			page.Next = page.Services[most-1].Name
		}
	}
	return page, nil
}

// Service returns one service by its name or an alias.
func (i *Instance) Service(ctx context.Context, name string, span Span) (d *ServiceDetail, err error) {
	s, err := i.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	err = i.read(ctx, func(b *ledger.Records) error {
		is := s.Service(name)
		if !slices.Contains(s.services, is) {
			names, err := b.Store.ServiceNames(ctx)
			if err != nil || !slices.Contains(names, is.Name) {
				return cmp.Or(err, fmt.Errorf("service %s: %w", is.Name, store.ErrNotFound))
			}
		}
		d = &ServiceDetail{ServiceLine: s.line(is), Span: span, Silence: is.Silence, Cooldown: cooldownOf(is)}
		if listed := is.Listed; listed != nil {
			d.Aliases, d.DependsOn, d.Owner = listed.Aliases, listed.DependsOn, listed.Owner
			for n := range listed.Checks {
				d.Checks = append(d.Checks, ServiceCheck{listed.Checks[n].Type, i.options.Redactor.String(listed.Checks[n].About().Target)})
			}
		}
		for _, read := range []func(context.Context, *ledger.Records, *ServiceDetail) error{i.history, i.uptimes, i.latency} {
			if err := read(ctx, b, d); err != nil {
				return err
			}
		}
		if len(is.Checks) > 0 {
			d.Latest = slices.DeleteFunc(d.Latest, func(k store.Check) bool { return !is.Stands(k) })
		}
		return nil
	})
	return d, err
}

// history adds what was found and done, what others told, and what people were asked.
func (i *Instance) history(ctx context.Context, b *ledger.Records, d *ServiceDetail) (err error) {
	if d.Latest, err = b.Store.LastChecks(ctx, d.Name); err != nil {
		return err
	}
	if d.Changes, err = b.Store.Turns(ctx, d.Name, d.Span.Since(i.now()), i.now(), 24*time.Hour, mostChanges); err != nil {
		return err
	}
	if d.Remediations, err = b.Store.ServiceActs(ctx, d.Name, mostRemediations); err != nil {
		return err
	}
	incidents, err := b.Store.Incidents(ctx, store.IncidentFilter{Service: d.Name, Limit: mostOfIncidents})
	if err != nil {
		return err
	}
	if d.Incidents, err = i.incidentLinesNow(ctx, b, incidents); err != nil {
		return err
	}
	if d.Alerts, err = b.Store.AlertsBetween(ctx, d.Name, Day1.Since(i.now()), i.now(), mostAlerts); err != nil {
		return err
	}
	d.Proposals, err = i.proposalLines(ctx, b, store.ProposalFilter{Service: d.Name, Limit: mostProposals})
	return err
}

func (i *Instance) uptimes(ctx context.Context, b *ledger.Records, d *ServiceDetail) error {
	all, err := b.Store.Uptimes(ctx, i.now(), d.Name)
	for _, u := range all {
		for text, watched := range map[*string]store.Watched{&d.DayUptime: u.Day, &d.WeekUptime: u.Week, &d.MonthUptime: u.Month} {
			if watched.Time > 0 {
				*text = watched.String()
			}
		}
	}
	return err
}

// latency adds the series of response times.
func (i *Instance) latency(ctx context.Context, b *ledger.Records, d *ServiceDetail) error {
	until := i.now().UTC().Truncate(time.Millisecond).Add(time.Millisecond) // includes what was found just now
	from := d.Span.Since(until)
	paces, err := b.Store.Paces(ctx, d.Name, from, until, latencySlots)
	for _, p := range paces {
		if n := len(d.Latency); n == 0 || d.Latency[n-1].Type != p.Type {
			d.Latency = append(d.Latency, Latency{Type: p.Type, From: from, Until: until})
		}
		last := &d.Latency[len(d.Latency)-1]
		last.Points = append(last.Points, p)
	}
	return err
}

// Cooldowns returns the limits of every known service: fullest first, then by name.
func (i *Instance) Cooldowns(ctx context.Context) ([]Cooldown, error) {
	s, err := i.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	return s.cooldowns, nil
}

// cooldownOf returns the limits of a service.
func cooldownOf(s *state.Service) Cooldown {
	restart, redeployment := s.Both()
	held := s.LeftAlone().Reason
	return Cooldown{
		Service: s.Name, Restart: restart.AsLimit(held), Redeployment: redeployment.AsLimit(held), Today: restart.Today, Ceiling: restart.Ceiling,
		ConsecutiveHealthy: s.HealthyCycles(), RestartsEnd: s.Ends(statefile.Restart), RedeploymentsEnd: s.Ends(statefile.Redeployment),
	}
}

// fullness returns how much of the fullest limit is used: 1 if all of it is.
func (c Cooldown) fullness() float64 {
	share := func(used, limit int) float64 { return float64(used) / float64(max(limit, 1)) }
	full := max(share(c.Restart.Used, c.Restart.Limit), share(c.Redeployment.Used, c.Redeployment.Limit))
	if c.Ceiling > 0 {
		full = max(full, share(c.Today, c.Ceiling))
	}
	return full
}
