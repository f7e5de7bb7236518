package store

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/statefile"
)

// ended returns a session that began and ended that many hours ago.
func ended(t *testing.T, s *Store, hours float64, tier int, status Status, cost float64) {
	t.Helper()
	id := must(s.AddSession(t.Context(), Session{Tier: tier, Trigger: "cron", Status: Running, StartedAt: ago(hours)}))
	ok(t, s.EndSession(t.Context(), id, Session{Status: status, EndedAt: new(ago(hours)), CostUSD: cost, InputTokens: 100, OutputTokens: 10}))
}

func cycleAt(t *testing.T, s *Store, hours float64) {
	t.Helper()
	ok(t, s.AddCycle(t.Context(), CycleRow{Trigger: "cron", Outcome: CycleCompleted, StartedAt: ago(hours), DurationMS: 1500}))
}

func TestFiguresOfAnEmptyDatabase(t *testing.T) {
	same(t, must(fresh(t).Figures(t.Context())), Figures{})
}

func TestTheLastCycleIsTheOneThatWasRecordedLast(t *testing.T) {
	s := fresh(t)
	if last := must(s.LastCycle(t.Context())); last != nil {
		t.Fatalf("before the first: %+v", last)
	}
	cycleAt(t, s, 1)
	want := CycleRow{Trigger: "manual", Outcome: CycleFailed, StartedAt: ago(3), DurationMS: 90_000} // the clock was set back
	ok(t, s.AddCycle(t.Context(), want))
	same(t, must(s.LastCycle(t.Context())), &want)
	same(t, want.EndedAt(), ago(3).Add(90*time.Second))
	if err := s.AddCycle(t.Context(), CycleRow{Trigger: "cron", Outcome: "fine"}); err == nil {
		t.Error("an unknown outcome was recorded")
	}
}

func TestFiguresCountWhatHasEnded(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	ended(t, s, 5, 1, Completed, 0.1)
	ended(t, s, 5, 1, Completed, 0.2)
	ended(t, s, 5, 2, Failed, 0.5)
	running := must(s.AddSession(ctx, Session{Tier: 1, Trigger: "cron", Status: Running, StartedAt: ago(5)}))
	for i, a := range []Act{
		{Action: statefile.Restart, Success: true},
		{Action: statefile.Restart, Error: "no such unit", CreatedAt: ago(30)},
		{Action: statefile.Restart, Error: InProgress, CreatedAt: ago(2)},
		{Action: statefile.Redeployment, Success: true, SessionID: &running, CreatedAt: ago(1)},
	} {
		a.ID, a.Service, a.Source = fmt.Sprint(i), "shop", SourceReserved
		ok(t, s.PutAct(ctx, a))
	}

	f := must(s.Figures(ctx))
	same(t, f.Sessions, []SessionTotal(nil)) // the cycle may still find that one of them escalates
	acts := []ActTotal{{statefile.Redeployment, true, 1}, {statefile.Restart, false, 1}, {statefile.Restart, true, 1}}
	same(t, f.Remediations, acts)

	cycleAt(t, s, 5)
	ended(t, s, 1, 1, Completed, 7) // in a cycle that runs
	ok(t, s.EndSession(ctx, running, Session{Status: TimedOut, CostUSD: 0.25, InputTokens: 100}))
	f = must(s.Figures(ctx))
	same(t, f.Sessions, []SessionTotal{
		{1, Completed, 2, 0.3, 200, 20}, {1, TimedOut, 1, 0.25, 100, 0}, {2, Failed, 1, 0.5, 100, 10},
	})
	same(t, f.Remediations, acts)
	same(t, f.Cycles, int64(1))
}

func TestFiguresOfIncidents(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	must(s.OpenIncident(ctx, Incident{Service: "shop", Status: check.Down, OpenedAt: ago(3)}))
	closed := ago(1)
	must(s.OpenIncident(ctx, Incident{Service: "mail", Status: check.Down, OpenedAt: ago(3), ClosedAt: &closed}))
	same(t, must(s.Figures(ctx)).Incidents, int64(2))
	must(s.Prune(ctx, ago(0), false, never))
	same(t, must(s.Figures(ctx)).Incidents, int64(2))
}

// Of each service, type and source the last result is kept: of several of one round the worst, and beside one that could not be made the last
// one that was.
func TestLatestResults(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	session := must(s.AddSession(ctx, Session{Tier: 1, Trigger: "cron", Status: Running, StartedAt: ago(9)}))
	web := func(typ check.Type, status check.Status) check.Result { return result("web", typ, status) }
	probed := func(hours float64, results ...check.Result) {
		ok(t, s.AddChecks(ctx, Probed, session, ago(hours), results))
	}
	at := func(hours float64) *time.Time { return new(ago(hours)) }
	down := web(check.HTTP, check.Down)
	down.Error = "refused"
	ok(t, s.AddChecks(ctx, Reported, 0, ago(8), []check.Result{web(check.HTTP, check.Healthy), web(check.DNS, check.Down)}))
	probed(6, down, web(check.HTTP, check.Healthy), web(check.DNS, check.Down))
	probed(5, web(check.HTTP, check.Unknown), result("db", check.HTTP, check.Unknown))
	ok(t, s.AddChecks(ctx, Reported, session, ago(4), []check.Result{web(check.HTTP, check.Healthy)}))
	ok(t, s.AddChecks(ctx, Probed, 0, ago(7.5), []check.Result{web(check.HTTP, check.Degraded)})) // by a clock that was set back
	last := func(session *int64, r check.Result, source Source, hours float64) Check {
		return Check{SessionID: session, Result: r, Source: source, CheckedAt: ago(hours)}
	}
	same(t, must(s.Latest(ctx)), []Last{
		{Check: last(&session, result("db", check.HTTP, check.Unknown), Probed, 5)},
		{Check: last(&session, web(check.DNS, check.Down), Probed, 6), Made: check.Down, UnwellAt: at(6)},
		{Check: last(nil, web(check.DNS, check.Down), Reported, 8), Made: check.Down, UnwellAt: at(8)},
		{Check: last(&session, web(check.HTTP, check.Unknown), Probed, 5), Made: check.Down, MadeError: "refused", UnwellAt: at(6)},
		{Check: last(&session, web(check.HTTP, check.Healthy), Reported, 4), Made: check.Healthy, HealthyAt: at(4)},
	})
	ok(t, s.Disbelieve(ctx, session))
	same(t, len(must(s.Latest(ctx))), 4)
	must(s.Prune(ctx, ago(5.5), false, never))
	same(t, len(must(s.Latest(ctx))), 2)
}

// Tier 1 has begun with its session, or with a cycle of which nothing else is left; what killed cycles began goes on.
func TestWhenTier1LastBegan(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	same(t, must(s.Observed(ctx)), time.Time{})
	must(s.AddSession(ctx, Session{Tier: 1, Trigger: "cron", Status: Running, StartedAt: ago(9)}))
	must(s.AddSession(ctx, Session{Tier: 2, Trigger: "escalation", Status: Running, StartedAt: ago(8)}))
	same(t, must(s.Observed(ctx)), ago(9))
	ok(t, s.AddCycle(ctx, CycleRow{Trigger: "cron", Outcome: CycleCompleted, StartedAt: ago(7)}))
	same(t, must(s.Observed(ctx)), ago(7))
	must(s.AddSession(ctx, Session{Tier: 1, Trigger: "cron", Status: Interrupted, StartedAt: ago(6)})) // its cycle was killed
	ok(t, s.AddCycle(ctx, CycleRow{Trigger: "cron", Outcome: CycleInterrupted, StartedAt: ago(5)}))
	must(s.AddSession(ctx, Session{Tier: 1, Trigger: "cron", Status: Running, StartedAt: ago(4)}))
	same(t, must(s.Observed(ctx)), ago(6))
}

func drawnStore(t *testing.T, r *rapid.T, template []byte) *Store {
	dir, err := os.MkdirTemp(t.TempDir(), "")
	ok(t, err)
	path := filepath.Join(dir, FileName)
	ok(t, os.WriteFile(path, template, 0o600))
	s, err := Open(t.Context(), path, ReadWrite)
	ok(t, err)
	r.Cleanup(func() { ok(t, s.Close()) })
	s.Now = func() time.Time { return noon }
	return s
}

// totals are the figures that may not fall.
func totals(t *testing.T, s *Store) map[string]float64 {
	f := must(s.Figures(t.Context()))
	all := map[string]float64{"cycles": float64(f.Cycles), "incidents": float64(f.Incidents)}
	for _, n := range f.Sessions {
		key := fmt.Sprint(n.Tier, " ", n.Status, " ")
		all[key+"sessions"], all[key+"cost"] = float64(n.Sessions), n.CostUSD
		all[key+"in"], all[key+"out"] = float64(n.InputTokens), float64(n.OutputTokens)
	}
	for _, n := range f.Remediations {
		all[fmt.Sprint(n.Action, " ", n.Success)] = float64(n.Acts)
	}
	return all
}

// history draws the records of some cycles: chains of sessions, some of them running, their remediations, incidents, and cycles, the last
// of which has just ended.
func history(t *testing.T, r *rapid.T, s *Store) {
	ctx := t.Context()
	hours := rapid.Float64Range(0, 120)
	for range rapid.IntRange(0, 12).Draw(r, "chains") {
		began := hours.Draw(r, "began")
		var parent *int64
		for tier := range rapid.IntRange(1, 3).Draw(r, "tiers") {
			id := must(s.AddSession(ctx, Session{ParentID: parent, Tier: tier + 1, Trigger: "cron", Status: Running, StartedAt: ago(began)}))
			if rapid.IntRange(0, 9).Draw(r, "runs") > 0 {
				ok(t, s.EndSession(ctx, id, Session{
					Status: rapid.SampledFrom([]Status{Completed, Escalated, Failed, TimedOut, Interrupted}).Draw(r, "status"), EndedAt: new(ago(began)),
					CostUSD: rapid.Float64Range(0, 3).Draw(r, "cost"), InputTokens: rapid.Int64Range(0, 1e6).Draw(r, "in"), OutputTokens: rapid.Int64Range(0, 1e5).Draw(r, "out"),
				}))
			}
			for range rapid.IntRange(0, 2).Draw(r, "acts") {
				ok(t, s.PutAct(ctx, Act{
					ID: uuid.NewString(), SessionID: &id, Service: "shop", Action: rapid.SampledFrom([]statefile.Action{statefile.Restart, statefile.Redeployment}).Draw(r, "action"),
					Success: rapid.Bool().Draw(r, "success"), Error: rapid.SampledFrom([]string{"", "x", InProgress}).Draw(r, "error"),
					Source: SourceReserved, CreatedAt: ago(began),
				}))
			}
			parent = &id
		}
	}
	for range rapid.IntRange(0, 4).Draw(r, "incidents") {
		i := Incident{Service: rapid.StringMatching(`[a-z]{8}`).Draw(r, "service"), Status: check.Down, OpenedAt: ago(hours.Draw(r, "opened"))}
		if at := ago(hours.Draw(r, "closed")); rapid.Bool().Draw(r, "is closed") {
			i.ClosedAt = &at
		}
		if _, open := must(s.OpenIncidents(ctx))[i.Service]; !open {
			must(s.OpenIncident(ctx, i))
		}
	}
	for range rapid.IntRange(0, 4).Draw(r, "cycles") {
		cycleAt(t, s, hours.Draw(r, "cycle"))
	}
	cycleAt(t, s, 0)
}

func TestPropertyTotalsAreTheSameAfterPruning(t *testing.T) {
	template := newDatabase(t)
	rapid.Check(t, func(r *rapid.T) {
		s := drawnStore(t, r, template)
		for range rapid.IntRange(1, 3).Draw(r, "rounds") {
			before := totals(t, s)
			history(t, r, s)
			now := totals(t, s)
			for name, was := range before {
				if now[name] < was {
					r.Fatalf("%s fell from %v to %v", name, was, now[name])
				}
			}
			must(s.Prune(t.Context(), ago(rapid.Float64Range(0, 120).Draw(r, "retention")), rapid.Bool().Draw(r, "nobody to tell"), never))
			same(t, totals(t, s), now)
		}
	})
}

func TestPruneKeepsTheLastCycle(t *testing.T) {
	s := fresh(t)
	for _, hours := range []float64{300, 200, 250} {
		cycleAt(t, s, hours)
	}
	must(s.Prune(t.Context(), ago(100), false, never))
	same(t, must(s.LastCycle(t.Context())).StartedAt, ago(250))
	same(t, s.count(t, "cycles"), "1")
	same(t, must(s.Figures(t.Context())).Cycles, int64(3))
}

func TestPruneDropsSilencesThatAreOver(t *testing.T) {
	s := fresh(t)
	for _, until := range []time.Time{ago(101), ago(99), ago(-1)} {
		_, _, err := s.AddSilence(t.Context(), Silence{CreatedAt: ago(102), Service: until.Format(time.RFC3339), Until: until})
		ok(t, err)
	}
	must(s.Prune(t.Context(), ago(100), false, never))
	same(t, s.count(t, "silences"), "2")
}

// Where no target is configured the outbox must not grow for ever.
func TestPruneDropsOldNotificationsThatNobodyWouldGet(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	at := ago(200)
	incident := must(s.OpenIncident(ctx, Incident{Service: "shop", Status: check.Healthy, OpenedAt: ago(300), ClosedAt: &at}))
	for _, hours := range []float64{101, 99} {
		must(s.AddNotification(ctx, Notification{Kind: Recovered, Service: fmt.Sprint(hours), CreatedAt: ago(hours)}))
	}
	must(s.AddNotification(ctx, Notification{IncidentID: &incident, Kind: Recovered, CreatedAt: ago(200)}))
	must(s.Prune(ctx, ago(100), false, never))
	same(t, s.count(t, "notifications"), "3")
	must(s.Prune(ctx, ago(100), true, never))
	same(t, s.ask(t, `SELECT group_concat(service) FROM notifications`), "99")
	wantError(t, second(s.Incident(ctx, incident)), ErrNotFound)
}

func newDatabase(t *testing.T) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), FileName)
	ok(t, must(Open(t.Context(), path, ReadWrite)).Close())
	return must(os.ReadFile(path))
}

func TestTotalsCountWhatHappenedSince(t *testing.T) {
	s := fresh(t)
	same(t, must(s.TotalsSince(t.Context(), ago(24))), Totals{})
	for _, hours := range []float64{25, 24, 1} { // the first is too long ago
		cycleAt(t, s, hours)
		ended(t, s, hours, 1, Completed, 0.25)
	}
	ok(t, s.AddCycle(t.Context(), CycleRow{Trigger: "cron", Outcome: CycleFailed, StartedAt: ago(2)}))
	ended(t, s, 2, 2, Failed, 0.5)
	for _, a := range []Act{
		{Service: "db", Action: statefile.Restart, Success: true, CreatedAt: ago(25)},
		{Service: "db", Action: statefile.Restart, Success: true, CreatedAt: ago(3)},
		{Service: "db", Action: statefile.Restart, Error: "no such unit", CreatedAt: ago(2)},
		{Service: "db", Action: statefile.Restart, Error: InProgress, CreatedAt: ago(1)}, // no failure yet
	} {
		a.ID, a.Source = uuid.NewString(), SourceReserved
		ok(t, s.PutAct(t.Context(), a))
	}
	same(t, must(s.TotalsSince(t.Context(), ago(24))),
		Totals{Cycles: 3, FailedCycles: 1, Sessions: 3, Escalations: 1, Remediations: 3, FailedRemediations: 1, CostUSD: 1})
}
