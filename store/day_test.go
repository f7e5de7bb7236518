package store

import (
	"slices"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/statefile"
)

func TestWorkedPutsFailuresFirst(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	aid := must(s.AddSession(ctx, Session{Tier: 2, Agent: FirstAid, Trigger: "cron", Status: Completed, StartedAt: ago(3)}))
	for _, a := range []Act{
		{ID: "0", SessionID: &aid, Service: "shop", Action: statefile.Restart, Success: true, Source: SourceReserved, Tier: 2, CreatedAt: ago(3)},
		{ID: "claimed", SessionID: &aid, Service: "shop", Action: statefile.Restart, Success: true, Tier: 2, CreatedAt: ago(3)},
		{ID: "1", Service: "shop", Action: statefile.Restart, Success: true, Tier: 2, CreatedAt: ago(3)},
		{ID: "2", Service: "shop", Action: statefile.Restart, Success: true, Tier: 2, CreatedAt: ago(2)},
		{ID: "3", Service: "shop", Action: statefile.Redeployment, Success: true, Tier: 3, CreatedAt: ago(1)},
		{ID: "4", Service: "mail", Action: statefile.Restart, Tier: 2, CreatedAt: ago(24)},
		{ID: "5", Service: "mail", Action: statefile.Restart, Tier: 0, Success: true, CreatedAt: ago(25)},
	} {
		ok(t, s.PutAct(ctx, a))
	}
	ok(t, s.ClearActs(ctx, "shop", noon)) // a recovery
	same(t, must(s.Worked(ctx, ago(24))), []Work{
		{"mail", statefile.Restart, 2, false, 1, 1},
		{"shop", statefile.Restart, 2, false, 2, 0},
		{"shop", statefile.Redeployment, 3, false, 1, 0},
		{"shop", statefile.Restart, 2, true, 1, 0},
	})
}

func TestIncidentsClosedSince(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	for service, span := range map[string][2]float64{"short": {2, 1}, "long": {48, 3}, "old": {90, 25}, "open": {5, 0}} {
		i := Incident{Service: service, Status: check.Down, OpenedAt: ago(span[0]), LastSeenAt: ago(span[1])}
		i.ID = must(s.OpenIncident(ctx, i))
		if closed := ago(span[1]); span[1] > 0 {
			i.ClosedAt = &closed
			ok(t, s.SaveIncident(ctx, i))
		}
	}
	names := func(list []Incident) (names []string) {
		for _, i := range list {
			names = append(names, i.Service)
		}
		return names
	}
	closed := names(must(s.Incidents(ctx, IncidentFilter{Closed: ago(24)})))
	slices.Sort(closed)
	same(t, closed, []string{"long", "short"})
}

func TestBudgetFreesWhenTheOldestThatCountsIsADayOld(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	for _, at := range []float64{30, 20, 10, 5} {
		id := must(s.AddSession(ctx, Session{Tier: 2, Trigger: "cron", Status: Running, StartedAt: ago(at)}))
		ok(t, s.EndSession(ctx, id, Session{Status: Completed, EndedAt: new(ago(at)), CostUSD: 1}))
	}
	for _, tt := range []struct {
		budget float64
		want   time.Time
	}{
		{3.5, time.Time{}},
		{3, ago(20 - 24)},
		{2, ago(10 - 24)},
		{0.5, ago(5 - 24)},
	} {
		same(t, must(s.BudgetFrees(ctx, noon, tt.budget)), tt.want)
	}
	same(t, must(fresh(t).BudgetFrees(ctx, noon, 1)), time.Time{})
}

func TestIncidentEffortIsWhatWasDoneInItsTime(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	i := Incident{Service: "shop", Status: check.Down, OpenedAt: ago(5), LastSeenAt: ago(1)}
	i.ID = must(s.OpenIncident(ctx, i))
	for tier := 1; tier <= 3; tier++ {
		id := must(s.AddSession(ctx, Session{Tier: tier, Trigger: "cron", Status: Running, StartedAt: ago(4)}))
		ok(t, s.EndSession(ctx, id, Session{Status: Completed, EndedAt: new(ago(3)), CostUSD: float64(tier)}))
		ok(t, s.LinkSession(ctx, i.ID, id, "", ""))
	}
	for _, a := range []Act{act("before", "shop", 6), act("other", "mail", 4), act("own", "shop", 4), act("after", "shop", 0)} {
		ok(t, s.PutAct(ctx, a))
	}
	closed := ago(1)
	i.ClosedAt = &closed
	e := must(s.IncidentEffort(ctx, i))
	if len(e.Acts) != 1 || e.Acts[0].ID != "own" || e.Above != (IncidentWork{2, 5, 3}) {
		t.Errorf("%+v", e)
	}
}
