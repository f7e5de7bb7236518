package cycle

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/handoff"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/tiers"
)

// words are the steps of a plan as a test names them, without summaries and events.
func words(steps []step) (said []string) {
	for _, s := range steps {
		switch s := s.(type) {
		case save:
			said = append(said, savedWords(s.incident))
		case ask:
			said = append(said, fmt.Sprintf("ask %s %s", s.service, s.Cause))
		case down:
			said = append(said, "down "+s.service)
		case under:
			said = append(said, fmt.Sprintf("%s under %s", s.service, s.cause))
		case recovered:
			said = append(said, "recovered "+s.incident.Service)
		case wellAgain:
			said = append(said, "told")
		case notReported:
			said = append(said, "not reported "+s.incident.Service)
		case void:
			said = append(said, fmt.Sprintf("void %d: %s", s.proposal.ID, s.why))
		case noAid:
			said = append(said, "no first aid for "+s.service+": "+s.why)
		case remediated:
			said = append(said, fmt.Sprintf("remediated %s, told %t", s.service, s.told))
		case news:
			said = append(said, string(s.Cause))
		case escalated:
			said = append(said, "escalated")
		case link:
			if text := s.findings + s.attempted; text != "" {
				said = append(said, "linked: "+text)
			}
		case endRun:
			said = append(said, "proposal "+string(s.status))
		case count:
			for _, name := range s.recovered {
				said = append(said, "clear "+name)
			}
		}
	}
	return said
}

func savedWords(i store.Incident) string {
	does := "save"
	switch {
	case i.ID == 0:
		does = "open"
	case i.ClosedAt != nil:
		does = "close"
	case i.DeadEnds > 0 && i.LastChain == store.ChainAttention:
		does = "dead end"
	case i.LastChain == store.ChainSolved:
		does = "solved"
	case i.HealthySince != nil:
		does = "healthy"
	}
	return does + " " + i.Service
}

// notes are the events of a plan.
func notes(steps []step) (said []string) {
	for _, s := range steps {
		if s, is := s.(note); is {
			said = append(said, s.text)
		}
	}
	return said
}

// said is what a plan says in the log, which has the events, and in the summary.
func said(steps []step) (all []string) {
	for _, s := range steps {
		switch s := s.(type) {
		case note:
			all = append(all, string(s.level)+": "+s.text)
		case attention:
			all = append(all, strings.TrimSuffix("attention "+s.Service, " ")+": "+s.Reason)
		case decided:
			all = append(all, "summary: "+string(s))
		}
	}
	return all
}

const planned = `services:
  - {name: db, checks: [{type: service, address: "127.0.0.1:1"}]}
  - {name: shop, depends_on: [db], checks: [{type: service, address: "127.0.0.1:2"}]}
  - {name: mail, checks: [{type: service, address: "127.0.0.1:3"}], fail_after: 2}
  - {name: wiki, max_tier: 1, checks: [{type: service, address: "127.0.0.1:4"}]}
  - {name: cache, checks: [{type: service, address: "127.0.0.1:5"}], restart: {container: cache}, first_aid: {}, remediate: {hours: "05:00-06:00 UTC"}}
  - {name: web, checks: [{type: service, address: "127.0.0.1:6"}], restart: {container: web}, first_aid: {}}
`

// desktop is a round to plan, in which nothing is wrong yet.
func desktop(t *testing.T) *planner {
	t.Helper()
	inv, err := inventory.Parse([]byte(planned))
	must(t, err)
	c := config.Config{MaxTier: 3, MaxRemediationsPerDay: 12, MaxServicesPerHour: 3}
	file := statefile.New()
	file.Ensure("gone") // that the services file no longer lists
	now, err := state.Load(t.Context(), nil, file, inv, c, night)
	must(t, err)
	run := newRun(1, agentProbe, nil)
	run.outcome.Ending = tiers.Completed
	return &planner{Round: Round{Now: now, Before: statefile.New(), Began: night, Since: night, Run: run}}
}

// decides returns what comes next, and the steps in words.
func (p *planner) decides(kind Kind) (next Next, did string) {
	p.Kind = kind
	d := Plan(p.Round)
	return d.next, strings.Join(words(d.steps), "; ")
}

// is sets how a service is: "down" or "healthy" by its own check in this round.
func (p *planner) is(service string, status check.Status) *state.Service {
	is := p.Now.Service(service)
	r := check.Result{Service: service, Type: check.Service, Status: status}
	if status.Unwell() {
		r.Error = "refused"
	}
	c := store.Check{Result: r, Source: store.Probed, CheckedAt: night}
	is.Checks, is.Checked = []store.Last{{Check: c}}, night
	p.Run.checks = append(p.Run.checks, c)
	return is
}

// healthyOnce says that a service was healthy in the cycle before.
func (p *planner) healthyOnce(service string) {
	p.Before.Ensure(service).ConsecutiveHealthy = 1
	p.Now.File.Ensure(service).ConsecutiveHealthy = 1
}

// incidentOf gives a service an open incident, found as it is now.
func (p *planner) incidentOf(service string, change func(*store.Incident)) {
	is := p.Now.Service(service)
	i := &store.Incident{
		ID: 7, Service: service, Status: check.Down, OpenedAt: earlier(time.Hour), LastSeenAt: earlier(time.Minute), UnwellCycles: 3,
		Fingerprint: check.Fingerprint([]check.Result{{Service: service, Type: check.Service, Status: check.Down, Error: "refused"}}),
	}
	if is.Status().Unwell() {
		i.Fingerprint = is.Fingerprint()
	}
	if change != nil {
		change(i)
	}
	is.Incident = i
}

// What a round of checks makes of incidents.
func TestPlanFound(t *testing.T) {
	alone := func(p *planner, service string) { // an alert is all that finds it down again
		at := earlier(time.Hour)
		is := p.is(service, check.Down)
		is.Checks, is.Alerts = nil, []store.AlertRow{{Service: service, Means: check.Down, Status: "firing"}}
		is.Last = &store.Incident{ID: 6, Service: service, Status: check.Healthy, ClosedAt: &at, Returns: 2}
	}
	for name, tt := range map[string]struct {
		is   func(p *planner)
		want string
	}{
		"Incident: the first unhealthy evaluation opens one": {func(p *planner) { p.is("db", check.Down) }, "open db"},
		"Incident: there is one open, which goes on": {func(p *planner) {
			p.is("db", check.Down)
			p.incidentOf("db", nil)
		}, "save db"},
		"Incident: it was healthy in two cycles": {func(p *planner) {
			p.is("db", check.Healthy)
			p.incidentOf("db", nil)
			p.healthyOnce("db")
		}, "clear db; healthy db; close db; recovered db; told"},
		"Incident: it was healthy once": {func(p *planner) {
			p.is("db", check.Healthy)
			p.incidentOf("db", nil)
		}, "healthy db"},
		"Incident: it comes back within 4 h": {func(p *planner) {
			at := earlier(3 * time.Hour)
			p.is("db", check.Down).Last = &store.Incident{ID: 6, Service: "db", Status: check.Healthy, ClosedAt: &at}
		}, "save db"},
		"Incident: it comes back later": {func(p *planner) {
			at := earlier(4 * time.Hour)
			p.is("db", check.Down).Last = &store.Incident{ID: 6, Service: "db", Status: check.Healthy, ClosedAt: &at}
		}, "open db"},
		"fail_after: an alert alone comes and goes as its sender likes, and that is no return": {func(p *planner) { alone(p, "db") }, "save db"},
		"fail_after: of a service without checks an alert alone is all that returns": {func(p *planner) { alone(p, "gone") },
			"save gone; ask gone flapping"},
		"Incident: the third return is flapping": {func(p *planner) {
			at := earlier(time.Hour)
			p.is("db", check.Down).Last = &store.Incident{ID: 6, Service: "db", Status: check.Healthy, ClosedAt: &at, Returns: 2}
		}, "save db; ask db flapping"},
		"Incident: the second chain that solved nothing is a dead end": {func(p *planner) {
			p.is("db", check.Down)
			p.incidentOf("db", func(i *store.Incident) { i.LastChain, i.HollowFixes = store.ChainSolved, 1 })
		}, "dead end db; ask db hollow_fix"},
		"Incident: it ends as flapping, which is told once it has lasted": {func(p *planner) {
			p.is("db", check.Healthy)
			p.incidentOf("db", func(i *store.Incident) { i.Returns = 2 })
			p.healthyOnce("db")
		}, "clear db; healthy db; close db; recovered db"},
		"fail_after: its end before that is not told": {func(p *planner) {
			p.is("mail", check.Healthy)
			p.incidentOf("mail", func(i *store.Incident) { i.UnwellCycles = 1 })
			p.healthyOnce("mail")
		}, "clear mail; healthy mail; close mail; recovered mail"},
		"silence: no incident opens": {func(p *planner) {
			p.is("db", check.Down).Silence = &store.Silence{Service: "db", Until: night.Add(time.Hour)}
		}, ""},
		"silence: an incident that ends stays open until people may be told": {func(p *planner) {
			p.is("db", check.Healthy).Silence = &store.Silence{Service: "db", Until: night.Add(time.Hour)}
			p.incidentOf("db", nil)
			p.healthyOnce("db")
		}, "clear db; healthy db; healthy db"},
		"silence: new trouble after a recovery within one": {func(p *planner) {
			p.is("db", check.Down)
			p.incidentOf("db", func(i *store.Incident) { i.Fingerprint = "" })
		}, "close db; open db"},
		"dependency: its trouble belongs to the incident of what it depends on": {func(p *planner) {
			p.is("db", check.Down)
			p.is("shop", check.Down)
		}, "open db; shop under db"},
		"silence: people work on it, so that it is unwell says nothing of the last chain": {func(p *planner) {
			p.is("db", check.Down).Silence = &store.Silence{Service: "db", Until: night.Add(time.Hour)}
			p.incidentOf("db", func(i *store.Incident) { i.LastChain = store.ChainSolved })
		}, "save db"},
		"dependency: what was solved is not forgotten": {func(p *planner) {
			p.is("db", check.Down)
			p.is("shop", check.Down)
			p.incidentOf("shop", func(i *store.Incident) { i.LastChain = store.ChainSolved })
		}, "open db; solved shop; shop under db"},
		"What a killed cycle's Tier 1 reported of a service that is healthy by its own check is told": {func(p *planner) {
			killed := int64(3)
			r := check.Result{Service: "db", Type: check.HTTP, Status: check.Down}
			is := p.is("db", check.Healthy)
			is.Checks = append(is.Checks, store.Last{Check: store.Check{SessionID: &killed, Result: r, Source: store.Reported, CheckedAt: earlier(time.Minute)}})
			p.Unfinished = []int64{killed}
		}, "open db; ask db model_failed"},
		"Unknown is not down": {func(p *planner) { p.is("db", check.Unknown) }, "cannot_check: e3b0c44298fc1c14"},
		"no longer reported": {func(p *planner) {
			p.is("db", check.Healthy)
			p.incidentOf("gone", func(i *store.Incident) { i.LastSeenAt = earlier(6 * time.Hour) })
		}, "close gone; not reported gone"},
		"not reported for less than 6 h": {func(p *planner) {
			p.is("db", check.Healthy)
			p.incidentOf("gone", func(i *store.Incident) { i.LastSeenAt = earlier(6*time.Hour - time.Second) })
		}, ""},
		"no longer reported, but checked by ourselves": {func(p *planner) {
			p.is("web", check.Healthy)
			p.incidentOf("db", func(i *store.Incident) { i.LastSeenAt = earlier(6 * time.Hour) })
		}, ""},
		"Asking: a proposal of an incident that is over is void": {func(p *planner) {
			id := int64(7)
			p.Now.Pending = []store.Proposal{{ID: 3, Service: "db", IncidentID: &id, Fingerprint: "x"}}
		}, "void 3: db has recovered"},
		"Asking: a proposal of an incident that has changed is void": {func(p *planner) {
			id := int64(7)
			p.is("db", check.Down)
			p.incidentOf("db", nil)
			p.Now.Pending = []store.Proposal{{ID: 3, Service: "db", IncidentID: &id, Fingerprint: "x"}}
		}, "save db; void 3: what is wrong with db has changed"},
	} {
		t.Run(name, func(t *testing.T) {
			p := desktop(t)
			tt.is(p)
			_, did := p.decides(Observed)
			wantSame(t, did, tt.want)
		})
	}
}

// RULE "fail_after": a cycle counts once, and so does a look beside a tier; one that others' alerts start does not.
func TestPlanOfFailAfter(t *testing.T) {
	for name, tt := range map[string]struct {
		kind    Kind
		trigger string
		seen    time.Time // last
		alert   bool
		want    int
	}{
		"a cycle":                        {Observed, "cron", earlier(time.Minute), false, 2},
		"it was seen so beside Tier 1":   {Observed, "cron", night, false, 1},
		"another look beside Tier 1":     {Beside, "cron", night, false, 2},
		"others' alerts began the cycle": {Observed, store.ByAlert, earlier(time.Minute), false, 1},
		"its own began the cycle":        {Observed, store.ByAlert, earlier(time.Minute), true, 2},
	} {
		t.Run(name, func(t *testing.T) {
			p := desktop(t)
			p.is("mail", check.Down)
			p.incidentOf("mail", func(i *store.Incident) { i.UnwellCycles, i.LastSeenAt = 1, tt.seen })
			if tt.alert {
				p.Now.Service("mail").Alerts = []store.AlertRow{{Service: "mail", Means: check.Down, Status: "firing"}}
			}
			p.Kind, p.Trigger = tt.kind, tt.trigger
			for _, s := range Plan(p.Round).steps {
				if s, is := s.(save); is {
					wantSame(t, s.incident.UnwellCycles, tt.want)
				}
			}
		})
	}
}

// What the events of a round say of incidents.
func TestWhatEventsSay(t *testing.T) {
	recovers := func(p *planner, service string, change func(*store.Incident)) {
		p.is(service, check.Healthy)
		p.incidentOf(service, change)
		p.healthyOnce(service)
	}
	returns := func(p *planner, before int) {
		at := earlier(time.Hour)
		p.is("db", check.Down).Last = &store.Incident{ID: 6, Service: "db", Status: check.Healthy, ClosedAt: &at, Returns: before}
	}
	for want, is := range map[string]func(p *planner){
		"db is down: incident {incident} opened (service: refused)": func(p *planner) { p.is("db", check.Down) },
		"db is down: incident {incident} opened": func(p *planner) {
			p.is("db", check.Down).Checks[0].Error = ""
		},
		"db recovered: healthy in 2 cycles in a row, incident 7 closed after 1 h": func(p *planner) { recovers(p, "db", nil) },
		"mail recovered: healthy in 2 cycles in a row, incident 7 closed after 1 h; no message was sent about it: " +
			"it was found so in 1 cycle, and fail_after is 2": func(p *planner) {
			recovers(p, "mail", func(i *store.Incident) { i.UnwellCycles = 1 })
		},
		"db recovered: healthy in 2 cycles in a row, incident 7 closed after 1 h, returned 2 times; people are told when that has lasted 4 h": func(p *planner) {
			recovers(p, "db", func(i *store.Incident) { i.Returns = 2 })
		},
		"db is down again, 1 h after it recovered: incident 6 is open again, returned 3 times (flapping); " +
			"incident 6 of db has returned 3 times: it is flapping, and a human has to look": func(p *planner) { returns(p, 2) },
		"db is down again, 1 h after it recovered: incident 6 is open again, returned 4 times (flapping)": func(p *planner) { returns(p, 3) },
		"incident 7 of mail has returned 3 times: it is flapping, and a human has to look": func(p *planner) { // from its fail_after on
			p.is("mail", check.Down)
			p.incidentOf("mail", func(i *store.Incident) { i.Returns, i.UnwellCycles = 3, 1 })
		},
		"": func(p *planner) { // that was said before
			p.is("mail", check.Down)
			p.incidentOf("mail", func(i *store.Incident) { i.Returns, i.UnwellCycles = 3, 2 })
		},
	} {
		p := desktop(t)
		is(p)
		p.Kind = Observed
		wantSame(t, strings.Join(notes(Plan(p.Round).steps), "; "), want)
	}
}

// RULE "Alerts": where no check can prove that an act has helped, it is said once of a service that its alert is waited for.
func TestPlanAwaited(t *testing.T) {
	for tier, want := range map[int][]string{
		1: nil,
		2: {"Tier 2 acted on gone: no check can prove that it helped, so its alert is waited for, 15 min at most"},
	} {
		p := desktop(t)
		p.Run.session.Tier = tier
		p.Acts = []store.Act{{Service: "gone"}, {Service: "gone"}, {Service: "db"}, {Service: "web"}, {Service: "mail", SessionID: &p.Run.session.ID}}
		p.is("db", check.Down)
		p.is("web", check.Healthy).Checks[0].UnwellAt = &p.Now.Now // its check has seen the trouble, and its end
		for _, a := range p.Acts {                                 // that of mail is only claimed
			p.Now.Service(a.Service).Alerts = []store.AlertRow{{Service: a.Service, Means: check.Down, Status: "firing"}}
		}
		p.planAwaited()
		wantSame(t, notes(p.steps), want)
	}
}

// What follows a tier that has ended.
func TestPlanEnded(t *testing.T) {
	handsOff := func(p *planner, services ...string) {
		p.Run.handoff = &handoff.Handoff{SchemaVersion: 1, RecommendedTier: p.Run.session.Tier + 1, ServicesAffected: services}
		p.Run.services = services
		p.Run.outcome.Ending = tiers.Completed
	}
	downWith := func(p *planner, service string, change func(*store.Incident)) {
		p.is(service, check.Down)
		p.incidentOf(service, change)
	}
	later := night.Add(time.Hour)
	waits := func(i *store.Incident) { i.RetryAt, i.DeadEnds, i.LastChain = &later, 1, store.ChainAttention }
	for name, tt := range map[string]struct {
		is   func(p *planner)
		next Next
		want string
	}{
		"Escalation is one step": {func(p *planner) { downWith(p, "db", nil); handsOff(p, "db") }, Next{Do: Start, Tier: 2}, "escalated"},
		"a handoff in which nothing is unwell starts nothing": {func(p *planner) {
			p.is("db", check.Healthy)
			handsOff(p, "db")
		}, Next{}, ""},
		"DRY_RUN": {func(p *planner) {
			downWith(p, "db", nil)
			handsOff(p, "db")
			p.Now.Config.DryRun = true
		}, Next{}, "ask db dry_run"},
		"MAX_TIER": {func(p *planner) {
			downWith(p, "db", nil)
			handsOff(p, "db")
			p.Now.Config.MaxTier = 1
		}, Next{}, "dead end db; ask db tier_limit"},
		"max_tier of a service": {func(p *planner) {
			downWith(p, "wiki", nil)
			downWith(p, "db", nil)
			handsOff(p, "wiki", "db")
		}, Next{Do: Start, Tier: 2}, "dead end wiki; ask wiki tier_limit; escalated"},
		"Money: the day's budget is spent": {func(p *planner) {
			downWith(p, "db", nil)
			handsOff(p, "db")
			p.Now.Config.DailyBudgetUSD, p.Now.CostUSD = 1, 1
		}, Next{}, "budget; ask db budget"},
		"Evidence: a model's claim without any is marked": {func(p *planner) {
			p.Run.session.Agent = agentClaude
			downWith(p, "db", nil)
			handsOff(p, "db")
			p.Run.handoff.InvestigationFindings = "the disk is full"
		}, Next{Do: Start, Tier: 2}, "linked: unverified (no evidence): the disk is full; escalated"},
		"Evidence: what our own checks say needs none": {func(p *planner) {
			downWith(p, "db", nil)
			handsOff(p, "db")
			p.Run.handoff.InvestigationFindings = "HTTP 502"
		}, Next{Do: Start, Tier: 2}, "linked: HTTP 502; escalated"},
		"no model": {func(p *planner) {
			downWith(p, "db", nil)
			handsOff(p, "db")
			p.NoModel = "no credential"
		}, Next{}, "ask db no_agent"},
		"Damage: what was done in 24 h is not known": {func(p *planner) {
			downWith(p, "db", nil)
			handsOff(p, "db")
			p.Now.CountLost = earlier(time.Hour)
		}, Next{}, "ask db count_lost"},
		"Incident: it waits": {func(p *planner) { downWith(p, "db", waits); handsOff(p, "db") }, Next{}, ""},
		"Incident: one waits, another does not": {func(p *planner) {
			downWith(p, "db", waits)
			downWith(p, "web", nil)
			p.Now.Service("web").Listed.FirstAid = inventory.FirstAid{}
			handsOff(p, "db", "web")
		}, Next{Do: Start, Tier: 2}, "escalated"},
		"Incident: it is flapping": {func(p *planner) {
			downWith(p, "db", func(i *store.Incident) { i.Returns = 3 })
			handsOff(p, "db")
		}, Next{}, ""},
		"Used up": {func(p *planner) {
			downWith(p, "db", nil)
			handsOff(p, "db")
			for range 2 {
				p.Now.File.Add("db", statefile.Restart, statefile.Record{Timestamp: night})
			}
			p.Now.File.Add("db", statefile.Redeployment, statefile.Record{Timestamp: night})
		}, Next{}, "dead end db; ask db limits_used_up"},
		"fail_after: not yet": {func(p *planner) {
			downWith(p, "mail", func(i *store.Incident) { i.UnwellCycles = 1 })
			handsOff(p, "mail")
		}, Next{}, ""},
		"silence: no tier": {func(p *planner) {
			downWith(p, "db", nil)
			p.Now.Pause = &store.Silence{Until: later}
			handsOff(p, "db")
		}, Next{}, ""},
		"Asking: while a proposal waits, no tier": {func(p *planner) {
			downWith(p, "db", nil)
			p.Now.Service("db").Proposal = &store.Proposal{ID: 3, Service: "db", Status: store.ProposalWaiting, ExpiresAt: later}
			handsOff(p, "db")
		}, Next{}, ""},
		"Tier 3 is the last": {func(p *planner) {
			p.Run.session.Tier = 3
			downWith(p, "db", nil)
			handsOff(p, "db")
		}, Next{}, "dead end db; ask db unresolved"},
		"a tier that failed": {func(p *planner) {
			p.Run.session.Tier, p.Run.services, p.Run.outcome = 2, []string{"db"}, tiers.Outcome{Ending: tiers.TimedOut, Reason: "no end"}
			downWith(p, "db", nil)
		}, Next{}, "linked: Tier 2 timed out: no end; dead end db; ask db tier_failed"},
		"a tier that was interrupted": {func(p *planner) {
			p.Run.session.Tier, p.Run.services, p.Run.outcome = 2, []string{"db"}, tiers.Outcome{Ending: tiers.Interrupted}
			downWith(p, "db", nil)
		}, Next{}, "linked: interrupted"},
		"an invalid handoff of Tier 2": {func(p *planner) {
			p.Run.session.Tier, p.Run.services, p.Run.outcome = 2, []string{"db"}, tiers.Outcome{Ending: tiers.Completed}
			p.Run.invalid = true
			downWith(p, "db", nil)
		}, Next{}, "linked: Tier 2 asked for help in a form that could not be read; dead end db; ask db unresolved"},
		"an invalid handoff of Tier 1": {func(p *planner) {
			p.Run.session.Agent, p.Run.outcome, p.Run.invalid = agentClaude, tiers.Outcome{Ending: tiers.Completed}, true
			downWith(p, "db", nil)
		}, Next{}, "ask db invalid_handoff"},
		"Tier 1 failed after its report": {func(p *planner) {
			p.Run.session.Agent, p.Run.outcome = agentClaude, tiers.Outcome{Ending: tiers.Failed}
			downWith(p, "db", nil)
		}, Next{}, "ask db model_failed"},
		"Tier 1 failed three times": {func(p *planner) {
			p.Run.session.Agent, p.Run.outcome = agentClaude, tiers.Outcome{Ending: tiers.Failed}
			p.LastFirst = slices.Repeat([]store.Session{{Status: store.Failed}}, 3)
		}, Next{}, "nothing_watches"},
		"Tier 1 failed, which a person had asked": {func(p *planner) {
			p.Run.session.Agent, p.Run.session.Question, p.Run.outcome = agentClaude, "why?", tiers.Outcome{Ending: tiers.Failed}
			downWith(p, "db", nil)
		}, Next{}, "ask db model_failed"},
		"Tier 1 was interrupted": {func(p *planner) {
			p.Run.session.Agent, p.Run.outcome = agentClaude, tiers.Outcome{Ending: tiers.Interrupted}
			downWith(p, "db", nil)
		}, Next{}, ""},
		"Tier 1 was interrupted, as before": {func(p *planner) {
			p.Run.session.Agent, p.Run.outcome, p.Unfinished = agentClaude, tiers.Outcome{Ending: tiers.Interrupted}, []int64{9}
			downWith(p, "db", nil)
		}, Next{}, "ask db model_failed"},
		"Tier 1 was interrupted before, and has completed now": {func(p *planner) {
			p.Run.session.Agent, p.Run.outcome, p.Unfinished = agentClaude, tiers.Outcome{Ending: tiers.Completed}, []int64{9}
			downWith(p, "db", nil)
		}, Next{}, ""},
		"Tier 2 was interrupted, and Tier 1 before": {func(p *planner) {
			p.Run.session.Tier, p.Run.services, p.Run.outcome = 2, []string{"db"}, tiers.Outcome{Ending: tiers.Interrupted}
			p.Unfinished = []int64{9}
			downWith(p, "db", nil)
		}, Next{}, "linked: interrupted"},
		"Tier 2 has answered a question": {func(p *planner) {
			p.Run.session.Tier, p.Run.services, p.Run.outcome = 2, []string{"db"}, tiers.Outcome{Ending: tiers.Completed}
			p.Run.session.Question = "why?"
			downWith(p, "db", nil)
		}, Next{}, ""},
		"Tier 2 has answered a question, and acted": {func(p *planner) {
			p.Run.session.Tier, p.Run.services, p.Run.outcome = 2, []string{"db"}, tiers.Outcome{Ending: tiers.Completed}
			p.Run.session.Question, p.Acts = "why?", []store.Act{{Service: "db", Success: true}}
			downWith(p, "db", nil)
		}, Next{}, "solved db"},
		"solved, as the tier says": {func(p *planner) {
			p.Run.session.Tier, p.Run.services, p.Run.outcome = 2, []string{"db"}, tiers.Outcome{Ending: tiers.Completed}
			downWith(p, "db", nil)
		}, Next{}, "solved db"},
		"not solved, as the checks after it say": {func(p *planner) {
			p.Run.session.Tier, p.Run.services, p.Run.outcome = 2, []string{"db"}, tiers.Outcome{Ending: tiers.Completed}
			downWith(p, "db", nil)
			p.Run.session.ID = 4
			p.Now.Service("db").Checks[0].SessionID = &p.Run.session.ID
		}, Next{}, "dead end db; ask db unresolved"},
		"What was found goes on: Tier 1's handoff had no room for it": {func(p *planner) {
			downWith(p, "db", nil)
			downWith(p, "mail", nil)
			handsOff(p, "db")
			p.Now.Config.DryRun = true
		}, Next{}, "ask db dry_run; ask mail dry_run"},
		"What was found goes on: but not by Tier 1 of a cycle that was killed": {func(p *planner) {
			downWith(p, "db", nil)
			downWith(p, "mail", nil)
			handsOff(p, "db")
			p.Now.Config.DryRun, p.Unfinished = true, []int64{9}
			mail := p.Now.Service("mail")
			mail.Checked, mail.Checks[0].SessionID = earlier(time.Hour), &p.Unfinished[0]
		}, Next{}, "ask db dry_run"},
		"What was found goes on: Tier 2 was not started for it": {func(p *planner) {
			p.Run.session.Tier, p.Run.services, p.Run.outcome = 2, []string{"db"}, tiers.Outcome{Ending: tiers.Completed}
			p.Run.session.ID = 4
			p.is("db", check.Healthy)
			downWith(p, "mail", nil)
			p.Now.Service("mail").Checks[0].SessionID = &p.Run.session.ID
		}, Next{}, "dead end mail; ask mail unresolved"},
		"a signal came": {func(p *planner) {
			downWith(p, "db", nil)
			handsOff(p, "db")
			p.Signal = "terminated"
		}, Next{}, ""},
		"First aid: it comes first": {func(p *planner) { downWith(p, "web", nil); handsOff(p, "web") }, Next{Do: Aid, Service: "web"}, ""},
		"First aid: its checks find it degraded": {func(p *planner) {
			downWith(p, "web", nil)
			p.Now.Service("web").Checks[0].Status = check.Degraded
			handsOff(p, "web")
		}, Next{Do: Start, Tier: 2}, "no first aid for web: the program's own checks do not find it down; escalated"},
		"First aid: it is over in this cycle": {func(p *planner) {
			downWith(p, "web", nil)
			handsOff(p, "web")
			p.Run.aided["web"] = true
		}, Next{Do: Start, Tier: 2}, "escalated"},
		"First aid: outside of its hours": {func(p *planner) { downWith(p, "cache", nil); handsOff(p, "cache") }, Next{Do: Start, Tier: 2},
			"no first aid for cache: it may be remediated at 05:00-06:00 UTC only (remediate.hours); escalated"},
		"First aid: many at once": {func(p *planner) {
			for _, name := range []string{"web", "db", "cache", "mail"} {
				downWith(p, name, nil)
			}
			handsOff(p, "web")
		}, Next{Do: Start, Tier: 2}, "no first aid for web: 4 services are down at once, which has one cause: CLAUDEOPS_MAX_SERVICES_PER_HOUR is 3; escalated"},
		"First aid: Tier 1's model has failed": {func(p *planner) {
			p.Run.session.Agent, p.Run.outcome = agentClaude, tiers.Outcome{Ending: tiers.Failed}
			downWith(p, "web", nil)
			p.Run.outcome.Ending, p.Run.stoodIn = tiers.Failed, true
		}, Next{Do: Aid, Service: "web"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := desktop(t)
			tt.is(p)
			next, did := p.decides(Ended)
			wantSame(t, Next{Do: next.Do, Tier: next.Tier, Service: next.Service}, tt.next)
			wantSame(t, did, tt.want)
		})
	}
}

// A chain goes on with what is not proved healthy, and a tier that a person chose with all that it was chosen for.
func TestPlanChain(t *testing.T) {
	for chosen, want := range map[int][]string{0: {"db"}, 2: {"db", "web"}} {
		p := desktop(t)
		p.is("db", check.Down)
		p.incidentOf("db", nil)
		p.is("web", check.Healthy)
		p.Kind, p.Run.chosen, p.Run.services = Ended, chosen, []string{"db", "web"}
		p.Run.handoff = &handoff.Handoff{SchemaVersion: 1, ServicesAffected: []string{"db", "web"}}
		d := Plan(p.Round)
		wantSame(t, d.next, Next{Do: Start, Tier: 2})
		wantSame(t, d.services, want)
	}
}

// What is watched while Tier 1 fails.
func TestPlanFailures(t *testing.T) {
	for stoodIn, watches := range map[bool]string{
		false: "nothing is being watched", true: "the program's own checks watch in its place, and nothing is investigated",
	} {
		p := desktop(t)
		p.Run.stoodIn, p.Run.outcome.Reason = stoodIn, "no end"
		p.LastFirst = slices.Repeat([]store.Session{{Status: store.TimedOut}}, 3)
		p.planFailures()
		wantSame(t, said(p.steps), []string{"attention: Tier 1 failed in the last 3 cycles: " + watches + ". Last: no end"})
	}
}

// What the summary and the events say of a tier that is not started, or is.
func TestWhatIsSaidOfTheNextTier(t *testing.T) {
	later := night.Add(time.Hour)
	for name, tt := range map[string]struct {
		tier     int
		is       func(p *planner)
		incident func(*store.Incident)
		want     []string
	}{
		"it starts": {1, nil, nil, []string{"info: Tier 2 started for db", "summary: Tier 2 started for db"}},
		"dry run, which is no fault": {1, func(p *planner) { p.Now.Config.DryRun = true }, nil, []string{
			"info: escalation to Tier 2 suppressed: dry run", "attention db: escalation to Tier 2 suppressed: dry run",
		}},
		"MAX_TIER": {1, func(p *planner) { p.Now.Config.MaxTier = 1 }, nil, []string{
			"critical: escalation to Tier 2 blocked: CLAUDEOPS_MAX_TIER is 1", "attention db: escalation to Tier 2 blocked: CLAUDEOPS_MAX_TIER is 1",
		}},
		"it waits": {1, nil, func(i *store.Incident) { i.RetryAt, i.DeadEnds, i.LastChain = &later, 1, store.ChainAttention }, []string{
			"info: Tier 2 not started: db is as it was when a human was asked; next try after 2026-11-21 04:00 UTC",
			"attention db: Tier 2 not started: db is as it was when a human was asked; next try after 2026-11-21 04:00 UTC",
		}},
		"it is flapping": {1, nil, func(i *store.Incident) { i.Returns = 3 }, []string{
			"attention db: It has recovered and failed again 3 times, each time within 4 h: what is done about it does not last",
			"info: Tier 2 not started for db: it is flapping", "summary: Tier 2 not started for db: it is flapping",
		}},
		"it is healthy": {1, func(p *planner) { p.is("db", check.Healthy) }, nil, []string{
			"info: Tier 2 not started for db: the checks find it healthy", "summary: Tier 2 not started for db: the checks find it healthy",
		}},
		"it is healthy after the last tier": {3, func(p *planner) { p.is("db", check.Healthy) }, nil, []string{
			"info: nothing further for db: the checks find it healthy", "summary: nothing further for db: the checks find it healthy",
		}},
		"it is paused": {1, func(p *planner) { p.Now.Pause = &store.Silence{Until: later} }, func(i *store.Incident) { i.Returns = 3 }, []string{
			"info: Tier 2 not started for db: everything is paused until 2026-11-21 04:00 UTC",
		}},
		"Tier 2 has left it out": {2, func(p *planner) {
			p.Run.parent = newRun(1, agentProbe, nil)
			p.Run.parent.handoff, p.Run.handoff = p.Run.handoff, &handoff.Handoff{SchemaVersion: 1}
		}, nil, []string{
			"warning: Tier 2 did not hand off all that is not resolved: db added", "info: Tier 3 started for db", "summary: Tier 3 started for db",
		}},
		"Tier 2 has left nothing out": {2, func(p *planner) {
			p.Run.parent = newRun(1, agentProbe, nil)
			p.Run.parent.handoff = p.Run.handoff
		}, nil, []string{"info: Tier 3 started for db", "summary: Tier 3 started for db"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := desktop(t)
			p.is("db", check.Down)
			p.incidentOf("db", tt.incident)
			p.Run.session.Tier, p.Run.services, p.Run.outcome.Ending = tt.tier, []string{"db"}, tiers.Completed
			p.Run.handoff = &handoff.Handoff{SchemaVersion: 1, ServicesAffected: []string{"db"}}
			if tt.is != nil {
				tt.is(p)
			}
			p.Kind = Ended
			wantSame(t, said(Plan(p.Round).steps), tt.want)
		})
	}
}

// What a service that Tier 2 adds to its handoff comes to. Tier 1 handed over db, which is down.
func TestPlanOfWhatTier2Adds(t *testing.T) {
	for name, tt := range map[string]struct {
		adds string
		is   func(p *planner)
		want string
	}{
		"it has no checks": {"gone", func(p *planner) {
			p.is("gone", check.Down).Checks[0].Source = store.Reported
		}, "open gone; escalated"},
		"its own checks find it unwell": {"web", func(p *planner) { p.is("web", check.Down) }, "open web; escalated"},
		"its own checks do not find it unwell": {"web", func(p *planner) {
			p.is("web", check.Down).Checks[0].Source = store.Reported
		}, "escalated"},
		"it has an incident": {"gone", func(p *planner) {
			p.incidentOf("gone", nil)
		}, "escalated"},
		"it is silenced": {"gone", func(p *planner) {
			p.Now.Service("gone").Silence = &store.Silence{Service: "gone", Until: night.Add(time.Hour)}
		}, "escalated"},
		"it is found healthy": {"gone", func(p *planner) {
			p.is("gone", check.Healthy)
		}, "escalated"},
		"what a person has approved waits for Tier 1 of the next cycle": {"db", func(p *planner) {
			i := p.Now.Service("db").Incident
			p.Now.Pending = []store.Proposal{{ID: 3, Service: "db", IncidentID: &i.ID, Fingerprint: i.Fingerprint, Status: store.ProposalApproved}}
		}, "escalated"},
	} {
		t.Run(name, func(t *testing.T) {
			p := desktop(t)
			p.is("db", check.Down)
			p.incidentOf("db", nil)
			first := p.Run
			first.handoff = &handoff.Handoff{RecommendedTier: 2, ServicesAffected: []string{"db"}}
			first.services = []string{"db"}
			p.Run = newRun(2, agentClaude, first)
			p.Run.outcome.Ending = tiers.Completed
			p.Run.handoff = &handoff.Handoff{RecommendedTier: 3, ServicesAffected: []string{"db", tt.adds}}
			tt.is(p)
			next, did := p.decides(Ended)
			wantSame(t, next, Next{Do: Start, Tier: 3})
			wantSame(t, did, tt.want)
		})
	}
}

// Beside a tier people are told of what is down, and no tier starts.
func TestPlanBeside(t *testing.T) {
	p := desktop(t)
	p.is("db", check.Down)
	p.is("shop", check.Down)
	p.is("wiki", check.Degraded)
	p.Works = "Tier 2 works"
	_, did := p.decides(Beside)
	wantSame(t, did, "open db; open wiki; shop under db; down db")
	p = desktop(t)
	p.Now.Config.MaxTier = 1
	p.is("db", check.Down)
	p.Works = "Tier 2 works"
	_, did = p.decides(Beside)
	wantSame(t, did, "open db; ask db "+string(notify.TierLimit))
}

// While a tier works, people are told of what is down that it works on.
func TestPlanWorking(t *testing.T) {
	since := earlier(time.Minute)
	for name, tt := range map[string]struct {
		agent string
		is    func(p *planner)
		want  string
	}{
		"first aid":             {store.FirstAid, func(*planner) {}, "down db; down web"},
		"a model, of its chain": {agentClaude, func(*planner) {}, "down db"},
		"it has no incident":    {agentClaude, func(p *planner) { p.Now.Service("db").Incident = nil }, ""},
		"it is degraded":        {agentClaude, func(p *planner) { p.Now.Service("db").Incident.Status = check.Degraded }, ""},
		"it recovers":           {agentClaude, func(p *planner) { p.Now.Service("db").Incident.HealthySince = &since }, ""},
		"it is silenced":        {agentClaude, func(p *planner) { p.Now.Pause = &store.Silence{Until: night.Add(time.Hour)} }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := desktop(t)
			for _, service := range []string{"db", "web"} {
				p.is(service, check.Down)
				p.incidentOf(service, nil)
			}
			p.Run.handoff = &handoff.Handoff{ServicesAffected: []string{"db"}}
			p.Run.services = []string{"db", "web"}
			p.Run = newRun(2, tt.agent, p.Run)
			tt.is(p)
			_, did := p.decides(Working)
			wantSame(t, did, tt.want)
		})
	}
}

// RULE "Fixed is what a check says": a session has remediated what it acted on, with success, and what the checks after it find healthy.
func TestPlanProven(t *testing.T) {
	const nothing, mended = "info: web is healthy, by its checks; Tier 2 remediated nothing there", ": its checks are healthy again"
	for name, tt := range map[string]struct {
		is         func(p *planner)
		want, says string
	}{
		"by a tier":      {func(*planner) {}, "solved web; remediated web, told true", "info: web remediated by Tier 2" + mended},
		"by first aid":   {func(p *planner) { p.Run.session.Agent = store.FirstAid }, "solved web; remediated web, told true", "info: web remediated by first aid" + mended},
		"of no incident": {func(p *planner) { p.Now.Service("web").Incident = nil }, "remediated web, told true", "info: web remediated by Tier 2" + mended},
		"silenced": {func(p *planner) {
			p.Now.Pause = &store.Silence{Until: night.Add(time.Hour)}
		}, "solved web; remediated web, told false", "info: web remediated by Tier 2" + mended},
		"still down":       {func(p *planner) { p.is("web", check.Down) }, "", ""},
		"it acted on db":   {func(p *planner) { p.Acts[0].Service = "db" }, "solved web", nothing},
		"the act failed":   {func(p *planner) { p.Acts[0].Success = false }, "solved web", nothing},
		"it only says so":  {func(p *planner) { p.Acts[0].SessionID = &p.Run.session.ID }, "solved web", nothing},
		"it did not do it": {func(p *planner) { p.Acts = nil }, "solved web", nothing},
	} {
		t.Run(name, func(t *testing.T) {
			p := desktop(t)
			p.is("web", check.Healthy)
			p.incidentOf("web", nil)
			p.is("db", check.Down)
			p.Run.session.Tier, p.Run.services = 2, []string{"web", "db"}
			p.Acts = []store.Act{{Service: "web", Success: true}}
			tt.is(p)
			_, did := p.decides(Proven)
			wantSame(t, did, tt.want)
			wantSame(t, strings.Join(said(Plan(p.Round).steps), "; "), tt.says)
		})
	}
}
