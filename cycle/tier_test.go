package cycle

import (
	"testing"

	"github.com/claudeops/claudeops/prompts"
	"github.com/claudeops/claudeops/tiers"
)

// From its start on a tier is one of the sessions that work on the incidents of its chain.
func TestATierIsLinkedToItsIncidents(t *testing.T) {
	r, first := chainOf(t, 1, tiers.Outcome{Ending: tiers.Completed})
	var err error
	r.Prompts, err = prompts.Open("")
	must(t, err)
	r.Config.ResultsDir = t.TempDir()
	r.Config.DailyBudgetUSD = 0.01 // so that no agent is started
	first.services = []string{"shop"}
	second, err := r.tier(t.Context(), t.Context(), newRun(2, agentClaude, first))
	must(t, err)
	shop := r.openIncident("shop")
	r.openIncident("db")
	linked, err := r.Store.SessionIncidents(t.Context(), second.session.ID, 10)
	must(t, err)
	if len(linked) != 1 || linked[0].ID != shop.ID {
		t.Errorf("it works on %+v, want on the incident of shop", linked)
	}
}
