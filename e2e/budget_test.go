package e2e

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
)

func TestMaxRemediationsPerDay(t *testing.T) {
	for _, test := range []struct {
		ceiling   string
		permitted bool
	}{{"2", false}, {"3", true}, {"0", true}} {
		t.Run(test.ceiling, func(t *testing.T) {
			w := newWorld(t)
			w.env["CLAUDEOPS_MAX_REMEDIATIONS_PER_DAY"] = test.ceiling
			for _, action := range []string{"restart", "redeployment"} {
				w.exits(0, "cooldown", "record", "shop", action, "success")
			}
			w.agent(1, reportFine, finish)
			w.cycle(0)
			w.cycle(0)
			w.wantRecords(0, 0) // recovered: the counters are empty, but the day's count is not
			l := limitOf(t, w.run("cooldown", "check", "shop", "restart", "--json"))
			if l.Permitted != test.permitted || l.Used != 0 || (l.FreesAt == nil) != test.permitted {
				t.Errorf("%+v", l)
			}
			w.agent(1, reportDown, finish)
			w.agent(2, checkRestart, finish)
			if test.permitted {
				w.cycle(0)
				w.wantStatuses("1 completed", "1 completed", "1 escalated", "2 completed")
				if !w.acted() {
					t.Errorf("the agent is answered %q", w.kept("answer"))
				}
				return
			}
			w.cycle(3, "--strict")
			if last := w.statuses()[2:]; len(last) != 1 || last[0] != "1 completed" {
				t.Errorf("sessions %q", last)
			}
			if sent := w.notified("human_attention"); len(sent) != 1 || !strings.Contains(sent[0].Body, "2 of 2 remediations in 24 h") {
				t.Errorf("notifications %+v", sent)
			}
		})
	}
}

// The ceiling also applies within a tier, whose environment includes it.
func TestMaxRemediationsPerDayInATier(t *testing.T) {
	w := newWorld(t)
	w.env["CLAUDEOPS_MAX_REMEDIATIONS_PER_DAY"] = "1"
	w.agent(1, reportDown, finish)
	w.agent(2, claim("shop", "redeployments", "success: true"), checkRestart, finish)
	w.cycle(0)
	if w.acted() || !strings.HasPrefix(w.kept("answer"), "Exit code 1\nnot permitted") {
		t.Errorf("the agent is answered %q", w.kept("answer"))
	}
	counted(t, "notifications", w.notified("human_attention"), 1)
}

// budgetGiven returns the --max-budget-usd of a tier; 0 if it had none.
func (w *world) budgetGiven(tier int) float64 {
	w.t.Helper()
	text, given := w.given(tier).Flag("--max-budget-usd")
	if !given {
		return 0
	}
	usd, err := strconv.ParseFloat(text, 64)
	must(w.t, err)
	return usd
}

func TestBudgetOfATierIsTheSmallerOne(t *testing.T) {
	for name, test := range map[string]struct {
		day, tier2 string
		want       [2]float64 // of Tier 1 and 2
	}{
		"none":            {"0", "0", [2]float64{0, 0}},
		"of the tier":     {"0", "0.3", [2]float64{0, 0.3}},
		"of the day":      {"0.5", "0", [2]float64{0.5, 0.4}},
		"day is smaller":  {"0.5", "0.45", [2]float64{0.5, 0.4}},
		"tier is smaller": {"0.5", "0.3", [2]float64{0.5, 0.3}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.env["CLAUDEOPS_DAILY_BUDGET_USD"], w.env["CLAUDEOPS_TIER2_BUDGET_USD"] = test.day, test.tier2
			w.agent(1, reportDown, "result 0.1 3")
			w.agent(2, finish)
			w.cycle(0)
			for i, want := range test.want {
				if got := w.budgetGiven(i + 1); math.Abs(got-want) > 1e-9 {
					t.Errorf("Tier %d is given $%v, want $%v", i+1, got, want)
				}
			}
		})
	}
}

// wantBudgetRequest wants a request for a human about the budget, then one about each of services, which no agent examines.
func (w *world) wantBudgetRequest(tier int, services ...string) {
	w.t.Helper()
	w.wantNotified("human_attention", append([]string{""}, services...)...)
	sent := w.notified("human_attention")
	if sent[0].Cause != "budget" || !strings.Contains(sent[0].Body, fmt.Sprintf("Tier %d was not started", tier)) ||
		!strings.Contains(sent[0].Body, "CLAUDEOPS_DAILY_BUDGET_USD") {
		w.t.Errorf("notifications %+v, want one that Tier %d was not started", sent, tier)
	}
}

func TestBudgetSpentStartsNoModel(t *testing.T) {
	w := newWorld(t)
	w.env["CLAUDEOPS_DAILY_BUDGET_USD"] = "0.5"
	w.agent(1, "result 0.5 3")
	w.cycle(0)
	w.agent(1, `sh touch "$FAKE_AGENT_DIR/acted"`, finish)
	for range 2 {
		a := w.cycle(1)
		says(t, a.out, "CLAUDEOPS_DAILY_BUDGET_USD")
	}
	w.wantStatuses("1 completed", "1 failed", "1 failed")
	if w.acted() {
		t.Error("a model was started")
	}
	w.wantBudgetRequest(1)
	w.rewrite(`UPDATE sessions SET started_at = ?`, "2020-01-01T00:00:00.000Z") // a day later
	w.cycle(0)
	if !w.acted() {
		t.Error("no model is started the day after")
	}
}

func TestBudgetSpentByTier1StartsNoTier2(t *testing.T) {
	w := newWorld(t)
	w.env["CLAUDEOPS_DAILY_BUDGET_USD"] = "0.5"
	w.agent(1, reportDown, "result 0.6 3")
	w.agent(2, finish)
	w.cycle(3, "--strict")
	w.wantStatuses("1 completed")
	w.wantBudgetRequest(2, "shop")
	if i := w.incident(); i.DeadEnds != 0 || i.RetryAt != nil {
		t.Errorf("a lack of money is no dead end of the incident: %+v", i)
	}
}

func TestBudgetCountsAKilledCycle(t *testing.T) {
	w := newWorld(t)
	w.env["CLAUDEOPS_DAILY_BUDGET_USD"] = "0.5"
	// The next cycle can count the cost only once it is in the log.
	w.agent(1, "init", "usage 1000000 100", "say looking",
		`sh until grep -q looking "$CLAUDEOPS_RESULTS_DIR"/session-*.ndjson; do :; done; touch "$FAKE_AGENT_DIR/running"`, "hang")
	w.kill("running")
	w.agent(1, finish)
	w.cycle(1)
	w.wantStatuses("1 interrupted", "1 failed")
	killed := w.sessions()[0]
	if killed.CostUSD < 1 || killed.CostUSD > 3 || killed.InputTokens < 1_000_000 || killed.EndedAt == nil {
		t.Errorf("the killed session: $%v, %d tokens", killed.CostUSD, killed.InputTokens)
	}
	w.wantBudgetRequest(1)
}
