package cycle

import (
	"testing"

	"github.com/claudeops/claudeops/prompts"
	"github.com/claudeops/claudeops/store"
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
	linked := map[string][]int64{}
	for name, i := range map[string]store.Incident{"shop": r.openIncident("shop"), "db": r.openIncident("db")} {
		sessions, err := r.Store.IncidentSessions(t.Context(), i.ID)
		must(t, err)
		for _, s := range sessions {
			linked[name] = append(linked[name], s.Session.ID)
		}
	}
	wantSame(t, linked, map[string][]int64{"shop": {second.session.ID}})
}
