package seeded

import (
	"context"
	"fmt"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/store"
)

// The costs of Chain's sessions, which are exact so that sums can be compared.
const (
	ChainCost1 = 0.0125
	ChainCost2 = 0.3300
	ChainCost3 = 1.2075
)

// Chain writes SPEC-0016's "Full escalation chain queryable": Session #18 of Tier 1, #19 of Tier 2, #20 of Tier 3, behind 17 healthy
// cycles of Tier 1 alone. The last of the three ended 10 minutes before now.
func Chain(ctx context.Context, dir string, now time.Time) (*Lab, error) {
	l, err := place(dir, now)
	if err != nil {
		return nil, err
	}
	w := &watch{lab: l, dice: newDice(2)}
	var last time.Time
	err = l.writing(ctx, func(s *store.Store) error {
		w.s = s
		for n := range 17 {
			at := l.Now.Add(-time.Duration(18-n) * time.Hour)
			end, err := w.plain(ctx, at)
			if err != nil {
				return err
			}
			last = end
		}
		last, err = w.shop(ctx, l.Now.Add(-40*time.Minute))
		return err
	})
	if err != nil {
		return nil, err
	}
	return l, l.mirror(ctx, map[string]int{"shop": 0, "mail": 1}, last, last)
}

// plain is a cycle in which all is well.
func (w *watch) plain(ctx context.Context, at time.Time) (time.Time, error) {
	is, err := w.session(ctx, nil, at, work{tier: 1, costs: 0.0108, turns: 3, took: 21 * time.Second, input: 24_100, output: 410, report: "Both services are healthy."})
	if err != nil {
		return is.ended, err
	}
	if err := w.s.AddProbed(ctx, is.id, at.Add(2*time.Second), shopResults(check.Healthy, ""), nil); err != nil {
		return is.ended, err
	}
	return is.ended, w.s.AddCycle(ctx, store.CycleRow{Trigger: "cron", Outcome: store.CycleCompleted, StartedAt: at, DurationMS: is.ended.Sub(at).Milliseconds()})
}

func shopResults(status check.Status, why string) []check.Result {
	ms := int64(18)
	return []check.Result{
		{Service: "shop", Type: check.HTTP, Status: status, Error: why, ResponseTimeMS: &ms},
		{Service: "mail", Type: check.Service, Status: check.Healthy},
	}
}

// shop is the cycle of the three tiers.
func (w *watch) shop(ctx context.Context, at time.Time) (time.Time, error) {
	bad := shopResults(check.Down, "HTTP 502 from http://127.0.0.1:8080/health")
	chain := []work{{
		tier: 1, status: store.Escalated, costs: ChainCost1, turns: 4, took: 28 * time.Second, input: 26_000, output: 600,
		report: "`shop` answers with **502**; handed on.", asks: &ask{services: []string{"shop"}, results: bad[:1]},
	}, {
		tier: 2, status: store.Escalated, costs: ChainCost2, turns: 11, took: 5 * time.Minute, input: 120_000, output: 3100,
		report: "One restart did not help: the image does not start.",
		calls: []call{
			{say: "Its log first.", command: "docker logs --tail 20 shop", output: "exec /srv/shop: no such file or directory", rule: "docker logs"},
			{say: "One restart.", command: "docker restart shop", output: "shop", action: guard.Restart, services: []string{"shop"}, rule: "docker restart"},
			{say: "A redeployment?", command: "docker compose -f /repos/shop/compose.yaml up -d --force-recreate", action: guard.Redeploy, services: []string{"shop"}, rule: "docker compose up",
				refused: "`docker compose -f /repos/shop/compose.yaml up -d --force-recreate` is a redeploy of shop, which Tier 3 may do. Write down what you found with `claudeops handoff write --tier 3`"},
		},
		asks: &ask{services: []string{"shop"}, results: bad[:1], findings: "the container's image has lost its program", attempted: "docker restart shop: it exits at once"},
	}, {
		tier: 3, costs: ChainCost3, turns: 16, took: 9 * time.Minute, input: 280_000, output: 6200,
		report: "## shop works again\n\nThe image was pulled anew and the container recreated.",
		calls: []call{{say: "The image is pulled anew.", command: "docker compose -f /repos/shop/compose.yaml up -d --pull always", output: " Container shop  Started",
			action: guard.Redeploy, services: []string{"shop"}, rule: "docker compose up"}},
	}}
	start, next := at, at
	var parent *int64
	var incident int64
	for _, do := range chain {
		is, err := w.session(ctx, parent, next, do)
		if err != nil {
			return next, err
		}
		w.lab.Chain = append(w.lab.Chain, is.id)
		if do.tier == 1 {
			if err := w.s.AddProbed(ctx, is.id, at.Add(2*time.Second), bad, nil); err != nil {
				return next, err
			}
			if incident, err = w.s.OpenIncident(ctx, store.Incident{Service: "shop", Status: check.Down, Fingerprint: "http down HTTP", OpenedAt: is.ended, LastSeenAt: is.ended}); err != nil {
				return next, err
			}
		}
		findings, attempted := "", ""
		if do.asks != nil {
			findings, attempted = do.asks.findings, do.asks.attempted
		}
		if err := w.s.LinkSession(ctx, incident, is.id, findings, attempted); err != nil {
			return next, err
		}
		text := fmt.Sprintf("Tier %d %s, $%.4f, %d turns", do.tier, "completed", do.costs, do.turns)
		if err := w.say(ctx, store.Info, is.id, "", text, is.ended); err != nil {
			return next, err
		}
		parent, next = &is.id, is.ended.Add(time.Second)
	}
	w.lab.Fixed, w.lab.Open = incident, incident
	if err := w.s.AddProbed(ctx, *parent, next.Add(30*time.Second), shopResults(check.Healthy, ""), nil); err != nil {
		return next, err
	}
	end := next.Add(32 * time.Second)
	return end, w.s.AddCycle(ctx, store.CycleRow{Trigger: "cron", Outcome: store.CycleCompleted, StartedAt: start, DurationMS: end.Sub(start).Milliseconds()})
}
