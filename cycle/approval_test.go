package cycle

import (
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/tiers"
)

// approvable returns a round after Tier 1 has found db and shop down, with what a person has approved for shop, in its incident.
func approvable(t *testing.T) (*planner, *store.Proposal) {
	t.Helper()
	r := newRoom(t)
	const checks = ", checks: [{type: http, url: 'http://localhost/'}]}\n"
	inv, err := inventory.Parse([]byte("services:\n  - {name: db" + checks + "  - {name: shop" + checks + "  - {name: mail}\n"))
	must(t, err)
	r.Inventory = inv
	i := r.opens("shop", night)
	now, err := r.picture(t.Context())
	must(t, err)
	now.Pending = []store.Proposal{
		{ID: 6, Service: "db", Status: store.ProposalWaiting}, {ID: 7, Service: "shop", Tier: 3, IncidentID: &i.ID, Status: store.ProposalApproved},
	}
	for _, name := range []string{"shop", "db"} {
		is := now.Service(name)
		is.Checks, is.Checked = found(name, check.Down).Checks, night
	}
	return &planner{Round: Round{Now: now, Since: night, Run: &tierRun{session: store.Session{Tier: 1}}}}, &now.Pending[1]
}

// What is approved runs once, after the checks of the cycle, or is void.
func TestWhatIsApprovedAndNext(t *testing.T) {
	other, running := int64(99), int64(3)
	healthy := func(p *planner) {
		p.Now.Service("shop").Checks = found("shop", check.Healthy).Checks
	}
	for name, tt := range map[string]struct {
		set  func(p *planner, proposal *store.Proposal)
		do   Do
		void string
	}{
		"still down":           {func(*planner, *store.Proposal) {}, Run, ""},
		"waits for a person":   {func(_ *planner, of *store.Proposal) { of.Status = store.ProposalWaiting }, Nothing, ""},
		"runs":                 {func(_ *planner, of *store.Proposal) { of.RunSessionID = &running }, Nothing, ""},
		"a signal came":        {func(p *planner, _ *store.Proposal) { p.Signal = "interrupt" }, Nothing, ""},
		"of a former incident": {func(_ *planner, of *store.Proposal) { of.IncidentID = &other }, Nothing, ""}, // planOutdated voids it
		"asked about another":  {func(p *planner, _ *store.Proposal) { p.Now.Config.Services = []string{"db"} }, Nothing, ""},
		"asked about it":       {func(p *planner, _ *store.Proposal) { p.Now.Config.Services = []string{"shop"} }, Run, ""},
		"not checked":          {func(p *planner, _ *store.Proposal) { p.Now.Service("shop").Checked = earlier(time.Hour) }, Nothing, ""},
		"without checks":       {func(_ *planner, of *store.Proposal) { of.Service, of.IncidentID = "mail", nil }, Run, ""},
		"of no service":        {func(_ *planner, of *store.Proposal) { of.Service, of.IncidentID = "", nil }, Run, ""},
		"dry run":              {func(p *planner, _ *store.Proposal) { p.Now.Config.DryRun = true }, Again, "CLAUDEOPS_DRY_RUN is set"},
		"above the highest":    {func(p *planner, _ *store.Proposal) { p.Now.Config.MaxTier = 2 }, Again, "it is Tier 3's, and CLAUDEOPS_MAX_TIER is 2"},
		"healthy":              {func(p *planner, _ *store.Proposal) { healthy(p) }, Again, "shop is healthy again"},
		"healthy, no incident": {func(p *planner, of *store.Proposal) { healthy(p); of.IncidentID = nil }, Run, ""},
	} {
		t.Run(name, func(t *testing.T) {
			p, proposal := approvable(t)
			tt.set(p, proposal)
			wantSame(t, p.planApproved(), tt.do != Nothing)
			wantSame(t, p.next.Do, tt.do)
			for _, s := range p.steps {
				if v, is := s.(void); is {
					wantSame(t, v.why, tt.void)
					tt.void = ""
				}
			}
			wantSame(t, tt.void, "")
		})
	}
}

// Only a check tells that what was approved has helped.
func TestWhatCameOfAnApprovedProposal(t *testing.T) {
	for name, tt := range map[string]struct {
		service string
		found   check.Status
		run     tierRun
		status  store.ProposalStatus
		says    string
	}{
		"failed":    {"shop", check.Healthy, tierRun{outcome: tiers.Outcome{Ending: tiers.Failed, Reason: "exit status 1: no"}}, store.ProposalFailed, "exit status 1: no"},
		"signal":    {"shop", check.Healthy, tierRun{unproven: true}, store.ProposalDone, "it ran; a signal came before the checks after it"},
		"unchecked": {"mail", "", tierRun{}, store.ProposalDone, "it ran; no check of the program tells whether it helped"},
		"healthy":   {"shop", check.Healthy, tierRun{}, store.ProposalDone, "it ran, and the checks find shop healthy"},
		"in vain":   {"shop", check.Down, tierRun{}, store.ProposalFailed, "it ran, and the checks after it do not find shop healthy"},
	} {
		t.Run(name, func(t *testing.T) {
			p, _ := approvable(t)
			p.Now.Service(tt.service).Checks = found(tt.service, tt.found).Checks
			if p.Run = &tt.run; tt.run.outcome.Ending == "" {
				tt.run.outcome.Ending = tiers.Completed
			}
			got := p.ran(store.Proposal{Service: tt.service})
			wantSame(t, got.status, tt.status)
			wantSame(t, got.outcome, tt.says)
		})
	}
}

// RULE "Asking": any difference voids what was approved, and then it has not run.
func TestPlanRan(t *testing.T) {
	for differs, want := range map[string]string{"": "proposal done", "its program has changed": "void 3: its program has changed"} {
		p := desktop(t)
		p.Run.session.Tier, p.Run.outcome.Ending = 2, tiers.Completed
		p.Run.approved, p.Run.differs = &store.Proposal{ID: 3}, differs
		_, did := p.decides(Ran)
		wantSame(t, did, want)
	}
}
