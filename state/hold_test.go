package state_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/testkit/recording"
)

// wantHold fails unless the first hold on a service is of a kind, and says so; an empty kind is none.
func (d *fixture) wantHold(service string, kind state.Kind, reason string) {
	d.T.Helper()
	var got state.Hold
	if all := d.picture().Service(service).Holds(); len(all) > 0 {
		got = all[0]
	}
	if got.Kind != kind || got.Reason != reason || got.Quiet() != (kind == state.Silenced || kind == state.Paused || kind == state.Maintenance) {
		d.T.Errorf("%s: %q, %q; want %q, %q", service, got.Kind, got.Reason, kind, reason)
	}
	if under, _, _ := strings.Cut(got.Reason, ","); kind == state.Dependency && got.Under != under {
		d.T.Errorf("%s: it is under %q", service, got.Under)
	}
}

func (d *fixture) wantNoHold(services ...string) {
	d.T.Helper()
	for _, service := range services {
		d.wantHold(service, "", "")
	}
}

// What each kind of hold stops, and how it comes about for shop at noon.
func TestWhatEachHoldStops(t *testing.T) {
	const all = state.Incidents | state.Messages | state.Tiers | state.FirstAid | state.Acts
	later := noon.Add(time.Hour)
	for _, c := range []struct {
		kind  state.Kind
		stops state.Stops
		file  string // of the services file
		given func(d *fixture)
	}{
		{state.Elsewhere, all, "services: [{name: shop}]", func(d *fixture) {
			d.Inventory = d.Inventory.Part(func(string) string { return "shard 2/4" })
		}},
		{state.Maintenance, all, `services: [{name: shop, maintenance: [{from: "2026-03-01T11:00:00Z", to: "2026-03-01T15:00:00Z"}]}]`, nil},
		{state.Silenced, all, "", func(d *fixture) { d.Silences("shop", time.Hour, "") }},
		{state.Paused, all, "", func(d *fixture) { d.Silences("", time.Hour, "") }},
		{state.AsksForTime, all, "services: [{name: shop}]", func(d *fixture) {
			starts := check.Result{Service: "shop", Type: check.Database, Status: check.Degraded, Error: check.AsksForTime + "it starts"}
			ok(d.T, d.Store.AddChecks(d.T.Context(), store.Probed, d.Session(2), d.Time, []check.Result{starts}))
		}},
		{state.Dependency, all, "services: [{name: shop, depends_on: [db]}, {name: db}]", func(d *fixture) {
			d.Session(2)
			d.finds("db", check.Down, true)
			d.finds("shop", check.Down, true)
		}},
		{state.Proposed, all &^ state.Incidents, "", func(d *fixture) {
			must(d.Store.AddProposal(d.T.Context(), store.Proposal{
				Service: "shop", Tier: 2, Action: statefile.Restart, Argv: []string{"true"}, Status: store.ProposalWaiting, CreatedAt: noon, ExpiresAt: later,
			}))
		}},
		{state.AlertSettles, all &^ state.Incidents, "", func(d *fixture) {
			d.Did(store.Act{Service: "shop", Action: statefile.Restart, Success: true})
			d.alerts("shop", check.Down, "slow")
		}},
		{state.AlertApart, state.Incidents | state.Messages | state.Tiers, "", func(d *fixture) {
			d.alerts("shop", check.Down, "slow")
			ok(d.T, d.Store.LinkSession(d.T.Context(), d.opens("shop", 1).ID, d.Session(2), "", ""))
		}},
		{state.FailAfter, all &^ state.Incidents, "services: [{name: shop, fail_after: 2}]", func(d *fixture) { d.opens("shop", 1) }},
		{state.Flapping, state.Tiers | state.FirstAid, "", func(d *fixture) {
			i := d.opens("shop", 1)
			i.Returns = store.FlappingReturns
			ok(d.T, d.Store.SaveIncident(d.T.Context(), i))
		}},
		{state.Waiting, state.Tiers | state.FirstAid, "", func(d *fixture) {
			i := d.opens("shop", 1)
			i.RetryAt = &later
			ok(d.T, d.Store.SaveIncident(d.T.Context(), i))
		}},
	} {
		t.Run(string(c.kind), func(t *testing.T) {
			d := newFixture(t)
			if c.file != "" {
				d.Knows(c.file)
			}
			if c.given != nil {
				c.given(d)
			}
			st := d.picture()
			shop := st.Service("shop")
			holds := shop.Holds()
			if len(holds) != 1 || holds[0].Kind != c.kind || holds[0].Reason == "" {
				t.Fatalf("it is held back by %+v", holds)
			}
			for _, what := range []state.Stops{state.Incidents, state.Messages, state.Tiers, state.FirstAid, state.Acts} {
				if got := shop.Held(what).Given(); got != (c.stops&what != 0) {
					t.Errorf("it stops %05b: %t, want %05b", what, got, c.stops)
				}
			}
			// What stops acts refuses an agent's; a person is bound by what stops everything.
			for by, binds := range map[state.By]state.Stops{{Tier: 2}: state.Acts, {}: state.Acts, {Person: true}: state.Acts & c.stops} {
				want := c.stops&binds != 0
				if by.Person {
					want = c.stops == all
				}
				if refusal := st.MayTouch("shop", statefile.Restart, by); (refusal != nil) != want || want && refusal.Kind != c.kind {
					t.Errorf("a restart by %+v: %v", by, refusal)
				}
			}
		})
	}
	for _, kind := range []state.Kind{state.OutOfHours, state.ManyAtOnce, state.Well, state.TierTooHigh, state.UsedUp, state.LostCount} {
		h := state.Hold{Kind: kind}
		if !h.Stops(state.Acts) || h.Stops(all&^state.Acts) {
			t.Errorf("%s stops more or less than acts", kind)
		}
	}
}

// A proposal no longer holds a service back once its incident has changed, or its time is over.
func TestAProposalHoldsWhileItFits(t *testing.T) {
	d := newFixture(t)
	i := d.opens("shop", 1)
	must(d.Store.AddProposal(t.Context(), store.Proposal{
		Service: "shop", Tier: 2, Action: statefile.Restart, Argv: []string{"true"}, Status: store.ProposalWaiting, CreatedAt: noon, ExpiresAt: noon.Add(time.Hour),
		IncidentID: &i.ID, Fingerprint: i.Fingerprint,
	}))
	d.wantHold("shop", state.Proposed, "proposal 1 waits for a person until 2026-03-01 13:00 UTC")
	i.Fingerprint = "another"
	ok(t, d.Store.SaveIncident(t.Context(), i))
	d.wantNoHold("shop")
	i.Fingerprint = "f"
	ok(t, d.Store.SaveIncident(t.Context(), i))
	d.Time = noon.Add(time.Hour)
	d.wantNoHold("shop")
}

// While it recovers, a service is unwell in no cycle, and fail_after says nothing of it.
func TestFailAfterHoldsNoRecoveryBack(t *testing.T) {
	d := newFixture(t)
	d.Knows("services: [{name: shop, fail_after: 2}]")
	i := d.opens("shop", 0)
	d.wantHold("shop", state.FailAfter, "found so in 0 cycles, and fail_after is 2")
	i.HealthySince = &noon
	ok(t, d.Store.SaveIncident(t.Context(), i))
	d.wantNoHold("shop")
}

func TestWhatHoldsAServiceBack(t *testing.T) {
	d := newFixture(t)
	d.Session(2)
	d.wantNoHold("web") // without an inventory there are none
	d.Knows(recording.Fleet)
	d.wantNoHold("web")
	d.finds("db", check.Down, true)
	d.finds("api", check.Down, false)
	const underDB = "db, on which it depends, is down"
	d.wantHold("web", state.Dependency, underDB) // the cause, not its dependents
	d.wantHold("api", state.Dependency, underDB)
	d.wantNoHold("db", "mail")
	d.finds("db", check.Healthy, false) // a report of an agent, overruled by a probe
	d.wantHold("api", state.Dependency, underDB)
	d.finds("db", check.Healthy, true)
	d.wantNoHold("api")
	d.wantHold("web", state.Dependency, "api, on which it depends, is down")
	d.finds("db", check.Degraded, true)
	d.wantNoHold("api") // a slow database does not explain that it is down
	d.finds("api", check.Degraded, false)
	d.wantHold("api", state.Dependency, "db, on which it depends, is degraded")
	d.Time = noon.Add(2 * time.Hour)
	d.wantHold("db", state.Maintenance, "in maintenance until 2026-03-01 15:00 UTC (a new disk)")
	d.Time = noon.Add(state.DayLasts + time.Minute)
	d.wantNoHold("web") // not checked for a day
}

// A firing alert is trouble of a dependency as a failed check is.
func TestAnAlertOfADependencyHoldsBack(t *testing.T) {
	d := newFixture(t)
	d.Session(2)
	d.Knows(recording.Fleet)
	d.finds("db", check.Healthy, true)
	d.finds("api", check.Degraded, true)
	d.alerts("db", check.Down, "the disk is full")
	d.wantHold("api", state.Dependency, "db, on which it depends, is down")
}

func TestAServiceThatAsksForTimeIsGivenIt(t *testing.T) {
	d := newFixture(t)
	d.Session(2)
	d.Knows(recording.Fleet)
	round := func(after time.Duration, status check.Status, text string) {
		d.Time = noon.Add(after)
		ok(t, d.Store.AddChecks(t.Context(), store.Probed, d.Config.Agent.SessionID, d.Time, []check.Result{
			{Service: "db", Type: check.Database, Status: status, Error: text}, {Service: "api", Type: check.HTTP, Status: check.Down},
		}))
	}
	const given, below = "it asks for time, and has until 2026-03-01 12:15 UTC", "db, on which it depends, is degraded"
	starts := check.AsksForTime + "it starts"
	round(0, check.Degraded, starts)
	d.wantHold("db", state.AsksForTime, given)
	d.wantHold("api", state.Dependency, below) // though it is down
	d.wantHold("web", state.Dependency, below)
	d.wantHeld("db", state.AsksForTime, given)
	round(14*time.Minute, check.Degraded, starts)
	d.wantHold("db", state.AsksForTime, given)
	round(15*time.Minute, check.Degraded, starts)
	d.wantNoHold("db", "api")
	round(16*time.Minute, check.Down, "no answer")
	d.wantNoHold("db")
	round(17*time.Minute, check.Degraded, starts)
	d.wantHold("db", state.AsksForTime, "it asks for time, and has until 2026-03-01 12:32 UTC")
}

// In a chain of dependencies, the last unwell service explains the others, even if there is another path.
func TestTheLastInARowIsTheCause(t *testing.T) {
	d := newFixture(t)
	d.Session(2)
	d.Knows(`
services:
  - {name: shop, depends_on: [db, api]}
  - {name: api, depends_on: [cache]}
  - {name: cache, depends_on: [db]}
  - {name: db, depends_on: [disk]}
  - {name: disk}
`)
	for _, service := range []string{"shop", "api", "cache", "db"} {
		d.finds(service, check.Down, true)
	}
	d.finds("disk", check.Degraded, true)
	for _, service := range []string{"shop", "api", "cache"} {
		d.wantHold(service, state.Dependency, "db, on which it depends, is down")
	}
	d.wantNoHold("db")
}

// The work for a chain of dependencies grows linearly: each service is visited once.
func TestARowOfDependenciesIsWalkedOnce(t *testing.T) {
	allocated := func(services int) uint64 {
		var file strings.Builder
		file.WriteString("services:\n- {name: s0}\n")
		results := []check.Result{{Service: "s0", Type: check.HTTP, Status: check.Down}}
		for i := 1; i < services; i++ {
			fmt.Fprintf(&file, "- {name: s%d, depends_on: [s%d]}\n", i, i-1)
			results = append(results, check.Result{Service: fmt.Sprintf("s%d", i), Type: check.HTTP, Status: check.Down})
		}
		d := newFixture(t)
		d.Knows(file.String())
		ok(t, d.Store.AddChecks(t.Context(), store.Reported, 0, d.Time, results))
		st := d.picture()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for _, s := range st.Services() {
			if held := s.Held(state.Tiers).Reason == "s0, on which it depends, is down"; held != (s.Name != "s0") {
				t.Fatalf("%s: %t", s.Name, held)
			}
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	few, many := allocated(500), allocated(4_000)
	if many > 24*few { // 8 times as many services; quadratic growth would be 64
		t.Errorf("8 times as many services take %d times as much memory", many/few)
	}
}

func TestAServiceThatIsHeldBackIsNotRemediated(t *testing.T) {
	d := newFixture(t)
	d.Session(2)
	d.Knows(recording.Fleet)
	d.finds("db", check.Down, true)
	d.wantHeld("web", state.Dependency, "web is not to be touched now: db, on which it depends, is down; look at db")
	same(t, len(d.asked()), 0)
	same(t, d.refusals(), 1)
	d.wantGranted(recording.Restart("db"))
	same(t, len(d.Reads().Service("db").Restarts), 1)
}

func TestASilenceHoldsAServiceBackUntilItsEnd(t *testing.T) {
	d := newFixture(t)
	d.wantNoHold("shop")
	d.Silences("shop", time.Hour, "a new disk")
	d.wantHold("shop", state.Silenced, "silenced until 2026-03-01 13:00 UTC (a new disk)") // the inventory does not know it
	d.wantNoHold("mail")
	d.Time = noon.Add(time.Hour - time.Millisecond)
	d.wantHold("shop", state.Silenced, "silenced until 2026-03-01 13:00 UTC (a new disk)")
	d.Time = noon.Add(time.Hour)
	d.wantNoHold("shop")
}

func TestAPauseHoldsEverythingBack(t *testing.T) {
	d := newFixture(t)
	d.Knows(recording.Fleet)
	s := d.Silences("", time.Hour, "")
	for _, service := range []string{"db", "mail", "stranger"} {
		d.wantHold(service, state.Paused, "everything is paused until 2026-03-01 13:00 UTC")
	}
	ok(t, d.EndSilence(t.Context(), s, "command, by ann"))
	d.wantNoHold("mail")
}

// Of several that are open the one that ends last says how long nothing will be done.
func TestQuietIsWhatEndsLast(t *testing.T) {
	d := newFixture(t)
	d.Knows(recording.Fleet)
	d.Time = noon.Add(2 * time.Hour) // the window of db is open until 15:00
	d.Silences("db", 30*time.Minute, "")
	d.wantHold("db-1", state.Maintenance, "in maintenance until 2026-03-01 15:00 UTC (a new disk)")
	d.Silences("db", 2*time.Hour, "mine")
	d.wantHold("db-1", state.Silenced, "silenced until 2026-03-01 16:00 UTC (mine)")
	d.Silences("", 3*time.Hour, "")
	d.wantHold("db", state.Paused, "everything is paused until 2026-03-01 17:00 UTC")
	d.Time = noon.Add(4 * time.Hour)
	d.wantHold("db", state.Paused, "everything is paused until 2026-03-01 17:00 UTC")
	d.Time = noon.Add(5 * time.Hour)
	d.wantNoHold("db")
}

// What depends on a silenced service is held back by its trouble, which is nothing that people work on.
func TestASilenceIsOfTheServiceAlone(t *testing.T) {
	d := newFixture(t)
	d.Session(2)
	d.Knows(recording.Fleet)
	d.Silences("db", time.Hour, "")
	d.finds("api", check.Down, true)
	d.wantNoHold("api")
	d.finds("db", check.Down, true)
	d.wantHold("api", state.Dependency, "db, on which it depends, is down")
}

// An operator says it while an agent works, with records of their own.
func TestANewSilenceRefusesTheNextRemediation(t *testing.T) {
	d := newFixture(t)
	d.Session(2)
	d.wantGranted(recording.Restart("shop"))
	operator := recording.In(t, d.Dir)
	operator.Silences("shop", time.Hour, "hands off, hunter22")
	ok(t, operator.Close())
	d.wantHeld("shop", state.Silenced, "shop is not to be touched now: silenced until 2026-03-01 13:00 UTC (hands off, [redacted])")
	same(t, d.refusals(), 1)
}

// A limit that is reached under a silence asks nobody: nothing is sent.
func TestALimitReachedUnderASilenceAsksNobody(t *testing.T) {
	d := newFixture(t)
	d.done("shop", statefile.Restart, time.Hour, time.Hour)
	d.Session(2)
	s := d.Silences("shop", 30*time.Minute, "")
	d.wantHeld("shop", state.Silenced, "silenced")
	ask := notify.Attention{Cause: notify.LimitsUsedUp, Why: "w"}
	ok(t, d.Refused(t.Context(), d.about("shop"), "a restart of shop was refused: x", ask))
	same(t, len(d.asked()), 0)
	ok(t, d.EndSilence(t.Context(), s, "command, by ann"))
	d.wantRefused(recording.Restart("shop"))
	same(t, d.refusals(), 3)
}

func TestAnotherShardsServiceIsNotTouched(t *testing.T) {
	d := newFixture(t)
	d.Session(2)
	d.Shard("web", "api")
	d.wantHold("db", state.Elsewhere, "it is looked after by shard 2/4")
	d.wantNoHold("web")
	d.wantHeld("db", state.Elsewhere, "db is not to be touched now: it is looked after by shard 2/4")
	d.wantGranted(recording.Restart("web"))
}

func TestADependencyOnAnotherShardHoldsNothingBack(t *testing.T) {
	d := newFixture(t)
	d.Session(2)
	d.finds("db", check.Down, true) // before the shards were changed
	d.finds("web", check.Down, true)
	d.Shard("web", "api")
	d.wantNoHold("web")
	d.Shard("web", "api", "db")
	d.wantHold("web", state.Dependency, "db, on which it depends, is down")
}

// What was done before an alert began is no answer to it, and first aid is no model that was started for it.
func TestAnAlertThatBeginsAfterAnActHoldsNothingBack(t *testing.T) {
	d := newFixture(t)
	id := must(d.Store.AddSession(t.Context(), store.Session{Tier: 2, Agent: store.FirstAid, Trigger: "escalation", Status: store.Running, StartedAt: d.Time}))
	ok(t, d.Store.LinkSession(t.Context(), d.opens("shop", 1).ID, id, "", ""))
	d.Did(store.Act{Service: "shop", Action: statefile.Restart, Success: true})
	d.Time = d.Time.Add(2 * time.Second)
	d.alerts("shop", check.Down, "orders are lost")
	same(t, d.picture().Service("shop").Held(state.Tiers).Kind, state.Kind(""))
}
