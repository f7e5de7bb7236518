package cycle

import (
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/store"
)

func TestNeedsAreAllRequestsAndWhatNothingFollows(t *testing.T) {
	ask := func(kind store.Kind, service string, cause ledger.Cause, at time.Time) store.Notification {
		return store.Notification{Kind: kind, Service: service, Cause: string(cause), Title: service + " " + string(cause), CreatedAt: at}
	}
	open := func(lastChain string) map[string]store.Incident {
		return map[string]store.Incident{"shop": {LastChain: lastChain}}
	}
	refused, before := ask(store.HumanAttention, "shop", ledger.LimitsUsedUp, night), ask(store.HumanAttention, "shop", ledger.LimitsUsedUp, earlier(time.Hour))
	unwell := []evaluation{{service: "shop", status: check.Down}}
	for name, tt := range map[string]struct {
		still []evaluation
		open  map[string]store.Incident
		asked []store.Notification
		want  []Attention
	}{
		"asked in a tier, and said to be solved":        {nil, open(store.ChainSolved), []store.Notification{refused}, []Attention{{"shop", "shop limits_used_up"}}},
		"asked before, and it is well":                  {nil, open(store.ChainNone), []store.Notification{before}, nil},
		"asked before, and it is as it was":             {unwell, open(store.ChainSolved), []store.Notification{before}, []Attention{{"shop", "shop limits_used_up"}}},
		"nobody was asked, and it is said to be solved": {unwell, open(store.ChainSolved), nil, nil},
		"nobody was asked, and nothing follows":         {unwell, open(store.ChainNone), nil, []Attention{{"shop", "shop is down, and nothing follows in this cycle"}}},
		"an operator closed its incident":               {unwell, nil, nil, nil},
		"of the watch":                                  {nil, nil, []store.Notification{ask(store.HumanAttention, "", "erased_records", night)}, []Attention{{"", " erased_records"}}},
		"of the watch, before":                          {nil, nil, []store.Notification{ask(store.HumanAttention, "", "erased_records", earlier(time.Hour))}, nil},
		"what the cycle says itself":                    {nil, nil, []store.Notification{ask(store.HumanAttention, "", ledger.BudgetSpent, night), ask(store.AgentFailing, "", ledger.TierFailed, night)}, nil},
		"of the database, which the cycle says itself":  {nil, nil, []store.Notification{ask(store.HumanAttention, "", "unusable_database", night)}, nil},
	} {
		t.Run(name, func(t *testing.T) { wantSame(t, needs(tt.still, tt.open, tt.asked, night), tt.want) })
	}
}
