package cycle

import (
	"slices"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/store"
)

func TestNeedsAreAllRequestsAndWhatNothingFollows(t *testing.T) {
	ask := func(kind store.Kind, service string, cause notify.Cause, at time.Time) store.Notification {
		return store.Notification{Kind: kind, Service: service, Cause: string(cause), Title: service + " " + string(cause), CreatedAt: at}
	}
	open := func(lastChain string) *store.Incident { return &store.Incident{LastChain: lastChain} }
	refused, before := ask(store.HumanAttention, "shop", notify.LimitsUsedUp, night), ask(store.HumanAttention, "shop", notify.LimitsUsedUp, earlier(time.Hour))
	const unwell = check.Down
	for name, tt := range map[string]struct {
		still check.Status
		open  *store.Incident
		asked []store.Notification
		want  []Attention
	}{
		"asked in a tier, and said to be solved":        {"", open(store.ChainSolved), []store.Notification{refused}, []Attention{{"shop", "shop limits_used_up"}}},
		"asked before, and it is well":                  {"", open(store.ChainNone), []store.Notification{before}, nil},
		"asked before, and it is as it was":             {unwell, open(store.ChainSolved), []store.Notification{before}, []Attention{{"shop", "shop limits_used_up"}}},
		"nobody was asked, and it is said to be solved": {unwell, open(store.ChainSolved), nil, nil},
		"nobody was asked, and nothing follows":         {unwell, open(store.ChainNone), nil, []Attention{{"shop", "shop is down, and nothing follows in this cycle"}}},
		"an operator closed its incident":               {unwell, nil, nil, nil},
		"of the watch":                                  {"", nil, []store.Notification{ask(store.HumanAttention, "", "erased_records", night)}, []Attention{{"", " erased_records"}}},
		"of the watch, before":                          {"", nil, []store.Notification{ask(store.HumanAttention, "", "erased_records", earlier(time.Hour))}, nil},
		"what the cycle says itself":                    {"", nil, []store.Notification{ask(store.HumanAttention, "", notify.NoBudget, night), ask(store.AgentFailing, "", notify.TierFailed, night)}, nil},
		"of the database, which the cycle says itself":  {"", nil, []store.Notification{ask(store.HumanAttention, "", "unusable_database", night)}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRoom(t)
			r.finds(map[string]string{"shop": ""})
			now, err := r.picture(t.Context())
			must(t, err)
			is := now.Service("shop")
			is.Checks, is.Incident = found("shop", tt.still).Checks, tt.open
			p := planner{Round: Round{Now: now, Began: night}, found: []*state.Service{is}}
			p.incidents = map[string]*store.Incident{"shop": tt.open}
			wantSame(t, p.needs(tt.asked, night), tt.want)
			now.Pause = &store.Silence{Until: night.Add(time.Hour)}
			paused := slices.DeleteFunc(tt.want, func(a Attention) bool { return a.Service != "" })
			wantSame(t, len(p.needs(tt.asked, night)), len(paused))
		})
	}
}
