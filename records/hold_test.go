package records

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
)

const fleet = `
services:
  - name: db
    aliases: [db-1]
    checks: [{type: service, address: "127.0.0.1:5432"}]
    maintenance: [{from: "2026-03-01T14:00:00Z", to: "2026-03-01T15:00:00Z", note: a new disk}]
  - {name: api, depends_on: [db-1]}
  - {name: web, depends_on: [api]}
  - {name: mail, owner: Ada}
`

func (d *fixture) finds(service string, status check.Status, probed bool) {
	d.t.Helper()
	d.now = d.now.Add(time.Second)
	d.Forget()
	results := []check.Result{{Service: service, Type: check.Service, Status: status}}
	session := d.Config.Agent.SessionID
	if probed {
		ok(d.t, d.Store.AddProbed(d.t.Context(), session, d.now, results, nil))
	} else {
		ok(d.t, d.Store.AddChecks(d.t.Context(), &session, d.now, results))
	}
}

func (d *fixture) wantHold(service string, want Hold) {
	d.t.Helper()
	got, err := d.Hold(d.t.Context(), service)
	ok(d.t, err)
	same(d.t, got, want)
}

func TestWhatHoldsAServiceBack(t *testing.T) {
	d := newFixture(t)
	d.session(2)
	d.wantHold("web", Hold{}) // without an inventory there are none
	d.knows(fleet)
	d.wantHold("web", Hold{})
	d.finds("db", check.Down, true)
	d.finds("api", check.Down, false)
	underDB := Hold{Reason: "db, on which it depends, is down", Under: "db"}
	d.wantHold("web", underDB) // the cause, not its dependents
	d.wantHold("api", underDB)
	d.wantHold("db", Hold{})
	d.wantHold("mail", Hold{})
	d.finds("db", check.Healthy, false) // a report of an agent, overruled by a probe
	d.wantHold("api", underDB)
	d.finds("db", check.Healthy, true)
	d.wantHold("api", Hold{})
	d.wantHold("web", Hold{Reason: "api, on which it depends, is down", Under: "api"})
	d.finds("db", check.Degraded, true)
	d.wantHold("api", Hold{}) // a slow database does not explain that it is down
	d.finds("api", check.Degraded, false)
	d.wantHold("api", Hold{Reason: "db, on which it depends, is degraded", Under: "db"})
	d.Forget()
	d.now = noon.Add(2 * time.Hour)
	d.wantHold("db", Hold{Reason: "in maintenance until 2026-03-01 15:00 UTC (a new disk)", Quiet: true})
	d.Forget()
	d.now = noon.Add(25 * time.Hour)
	d.wantHold("web", Hold{}) // not checked for a day
}

func TestAServiceThatAsksForTimeIsGivenIt(t *testing.T) {
	d := newFixture(t)
	d.session(2)
	d.knows(fleet)
	round := func(after time.Duration, status check.Status, text string) {
		d.now = noon.Add(after)
		d.Forget()
		ok(t, d.Store.AddProbed(t.Context(), d.Config.Agent.SessionID, d.now, []check.Result{
			{Service: "db", Type: check.Database, Status: status, Error: text}, {Service: "api", Type: check.HTTP, Status: check.Down},
		}, nil))
	}
	given := Hold{Reason: "it asks for time, and has until 2026-03-01 12:15 UTC"}
	below := Hold{Reason: "db, on which it depends, is degraded", Under: "db"}
	starts := check.AsksForTime + "it starts"
	round(0, check.Degraded, starts)
	d.wantHold("db", given)
	d.wantHold("api", below) // though it is down
	d.wantHold("web", below)
	held, err := d.HeldNow(t.Context(), map[string]check.Status{"db": check.Degraded, "api": check.Down})
	ok(t, err)
	same(t, held, map[string]string{"db": given.Reason, "api": below.Reason})
	var refused *HeldError
	if err := d.Reserve(t.Context(), "toolu_1", restart("db")); !errors.As(err, &refused) {
		t.Errorf("got %v, want db refused", err)
	}
	round(14*time.Minute, check.Degraded, starts)
	d.wantHold("db", given)
	round(15*time.Minute, check.Degraded, starts)
	d.wantHold("db", Hold{})
	d.wantHold("api", Hold{})
	round(16*time.Minute, check.Down, "no answer")
	d.wantHold("db", Hold{})
	round(17*time.Minute, check.Degraded, starts)
	d.wantHold("db", Hold{Reason: "it asks for time, and has until 2026-03-01 12:32 UTC"})
}

// In a chain of dependencies, the last unwell service explains the others, even if there is another path.
func TestTheLastInARowIsTheCause(t *testing.T) {
	d := newFixture(t)
	d.session(2)
	d.knows(`
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
		d.wantHold(service, Hold{Reason: "db, on which it depends, is down", Under: "db"})
	}
	d.wantHold("db", Hold{})
}

// For many services all statuses are read at once, and none is read again, even if it was not checked.
func TestManyServicesAreLookedAtAtOnce(t *testing.T) {
	d := newFixture(t)
	d.session(2)
	d.knows(fleet)
	d.finds("db", check.Down, true)
	d.finds("web", check.Down, true)
	ok(t, d.Look(t.Context()))
	later := []check.Result{{Service: "db", Type: check.Service, Status: check.Healthy}, {Service: "api", Type: check.Service, Status: check.Down}}
	ok(t, d.Store.AddProbed(t.Context(), d.Config.Agent.SessionID, d.now.Add(time.Second), later, nil))
	d.wantHold("web", Hold{Reason: "db, on which it depends, is down", Under: "db"})
	d.Forget()
	d.wantHold("web", Hold{Reason: "api, on which it depends, is down", Under: "api"})
}

// The work for a chain of dependencies grows linearly: each service is visited once.
func TestARowOfDependenciesIsWalkedOnce(t *testing.T) {
	allocated := func(services int) uint64 {
		d := newFixture(t)
		var file strings.Builder
		file.WriteString("services:\n- {name: s0}\n")
		found := map[string]check.Status{"s0": check.Down}
		for i := 1; i < services; i++ {
			name := fmt.Sprintf("s%d", i)
			fmt.Fprintf(&file, "- {name: %s, depends_on: [s%d]}\n", name, i-1)
			found[name] = check.Down
		}
		d.knows(file.String())
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		held, err := d.HeldNow(t.Context(), found)
		runtime.ReadMemStats(&after)
		ok(t, err)
		if len(held) != services-1 || held[fmt.Sprintf("s%d", services-1)] != "s0, on which it depends, is down" {
			t.Fatalf("%d of %d are held back", len(held), services)
		}
		return after.TotalAlloc - before.TotalAlloc
	}
	few, many := allocated(500), allocated(4_000)
	if many > 24*few { // 8 times as many services; quadratic growth would be 64
		t.Errorf("8 times as many services take %d times as much memory", many/few)
	}
}

func TestAServiceThatIsHeldBackIsNotRemediated(t *testing.T) {
	d := newFixture(t)
	d.session(2)
	d.knows(fleet)
	d.finds("db", check.Down, true)
	var held *HeldError
	if err := d.Reserve(t.Context(), "toolu_1", restart("web")); !errors.As(err, &held) || held.Service != "web" {
		t.Fatalf("got %v, want web refused", err)
	}
	same(t, held.Error(), "web is not to be touched now: db, on which it depends, is down; look at db")
	same(t, len(d.reads().Services), 0)
	same(t, len(d.asked()), 0)
	ok(t, d.Reserve(t.Context(), "toolu_2", restart("db")))
	same(t, len(d.reads().Service("db").Restarts), 1)
}
