package cycle

import (
	"strings"
	"testing"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/handoff"
	"github.com/claudeops/claudeops/prompts"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/tiers"
)

// What was done and found between Tier 1 and the next tier, by first aid or a person's yes, that tier is told, and so is who reads its session.
func TestATierIsToldHowItIsWhenItStarts(t *testing.T) {
	r, first := chainOf(t, 1, tiers.Outcome{Ending: tiers.Completed})
	is := func(service, fault string) check.Result {
		return check.Result{Service: service, Type: check.HTTP, Status: check.Down, Error: fault}
	}
	before := []check.Result{is("shop", "refused"), is("db", "refused")}
	first.checks = []store.Check{{Result: before[0]}, {Result: before[1]}}
	first.handoff = &handoff.Handoff{SchemaVersion: 1, RecommendedTier: 2, ServicesAffected: []string{"shop"}, CheckResults: before}
	now, err := r.picture(t.Context())
	must(t, err)
	first.handoff.CooldownState, err = now.Cooldowns([]string{"shop"}, nil)
	must(t, err)
	must(t, r.Record(t.Context(), store.Act{Service: "shop", Action: statefile.Restart, Success: true}))
	after := []check.Result{is("shop", "HTTP 500"), is("db", "HTTP 500"), {Service: "shop", Type: check.DNS, Status: check.Unknown}}
	must(t, r.Store.AddChecks(t.Context(), store.Reported, 0, r.now, after))
	err = r.plans(first, func(p *planner) {
		p.handoff = first.handoff
		p.planVerdict(verdict{next: 2})
	})
	must(t, err)
	kept, err := r.Store.Session(t.Context(), first.session.ID)
	must(t, err)
	told, err := handoff.Parse([]byte(kept.HandoffJSON), 1)
	must(t, err)
	for _, h := range []handoff.Handoff{told, *first.handoff} {
		wantSame(t, h.CheckResults, []check.Result{is("db", "refused"), is("shop", "HTTP 500")})
		if !strings.Contains(strings.ReplaceAll(string(h.CooldownState), " ", ""), `"used":1`) {
			t.Errorf("of its limits it is told %s", h.CooldownState)
		}
	}
}

// From its start on a tier is one of the sessions that work on the incidents of its chain.
func TestATierIsLinkedToItsIncidents(t *testing.T) {
	r, first := chainOf(t, 1, tiers.Outcome{Ending: tiers.Completed})
	var err error
	r.Prompts, err = prompts.Open("")
	must(t, err)
	r.Config.ResultsDir = t.TempDir()
	r.Config.DailyBudgetUSD = 0.01 // so that no agent is started
	first.services = []string{"shop"}
	second, err := r.tier(t.Context(), newRun(2, agentClaude, first))
	must(t, err)
	shop := r.openIncident("shop")
	r.openIncident("db")
	linked, err := r.Store.Incidents(t.Context(), store.IncidentFilter{Session: second.session.ID, Limit: 10})
	must(t, err)
	if len(linked) != 1 || linked[0].ID != shop.ID {
		t.Errorf("it works on %+v, want on the incident of shop", linked)
	}
}
