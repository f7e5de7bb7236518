package state_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/testkit/recording"
)

func TestNoMoreServicesAnHourThanTheLimit(t *testing.T) {
	d := newFixture(t)
	d.Config.MaxServicesPerHour = 2
	d.Session(2)
	d.wantGranted(recording.Restart("a"))
	d.wantGranted(reload("b"))
	d.wantHeld("c", state.ManyAtOnce, "within this hour: a and b")
	same(t, len(d.asked()), 1)
	d.wantGranted(recording.Restart("a")) // it had its turn
	d.Time = d.Time.Add(time.Hour + time.Second)
	d.wantGranted(recording.Restart("c"))
}

func TestTheLimitAnHourIsForNoPerson(t *testing.T) {
	for name, by := range map[string]store.Session{"a person": {Tier: 2, Trigger: "manual", Agent: store.Operator}, "an approval": {Tier: 2, Trigger: store.ByApproval}} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			d.Config.MaxServicesPerHour = 1
			d.Begin(by)
			d.wantGranted(recording.Restart("a"))
			d.wantGranted(recording.Restart("b"))
		})
	}
}

func TestNoTierAboveAServicesOwnActsOnIt(t *testing.T) {
	d := newFixture(t)
	d.Knows("services: [{name: shop, max_tier: 2}]")
	d.Session(3)
	d.wantHeld("shop", state.TierTooHigh, "its max_tier is 2, and this is Tier 3")
	d.Session(2)
	d.wantGranted(recording.Restart("shop"))
}

// A person may act at any hour; a tier asks for one, once.
func TestAServiceIsRemediatedInItsHours(t *testing.T) {
	d := newFixture(t)
	d.Knows(`services: [{name: shop, remediate: {hours: "22:00-06:00 UTC"}}]`)
	d.Session(2)
	d.wantHeld("shop", state.OutOfHours, "it may be remediated at 22:00-06:00 UTC only (remediate.hours)")
	d.wantHeld("shop", state.OutOfHours, "remediate.hours")
	same(t, len(d.asked()), 1)
	d.Begin(store.Session{Tier: 2, Trigger: store.ByApproval})
	d.wantGranted(recording.Restart("shop"))
	d.Time = noon.Add(10 * time.Hour)
	d.Session(2)
	d.wantGranted(recording.Restart("shop"))
}

// A service that its own checks find healthy is nobody's to remediate, but for trouble of its own or of what depends on it.
func TestAHealthyServiceIsLeftAlone(t *testing.T) {
	d := newFixture(t)
	d.Knows("services: [{name: shop, depends_on: [proxy]}, {name: proxy, depends_on: [db]}, {name: db}, {name: bank}, {name: mail}]")
	d.Session(2)
	for _, service := range []string{"shop", "proxy", "db", "bank"} {
		d.finds(service, check.Healthy, true)
	}
	d.finds("mail", check.Healthy, false)
	d.opens("shop", 1)
	may := func(service string) bool {
		return d.picture().MayTouch(service, statefile.Restart, state.By{Tier: 2}) == nil
	}
	for service, want := range map[string]bool{"shop": true, "proxy": true, "db": true, "mail": true, "unknown": true, "bank": false} {
		if may(service) != want {
			t.Errorf("%s may be touched: %t", service, !want)
		}
	}
	d.wantHeld("bank", state.Well, "the program's own checks find it healthy, and nothing that is unwell depends on it")
	d.Config.Services = []string{"bank"} // a person asks about it
	same(t, may("bank"), true)
	d.Config.Services = nil
	same(t, d.picture().MayTouch("bank", statefile.Restart, state.By{}) == nil, true) // a script outside of any session
	d.alerts("bank", check.Down, "slow")
	same(t, may("bank"), true)
}

// Who depends on a service is found in no more steps than there are services.
func TestManyWaysToDependOnAService(t *testing.T) {
	const layers = 40
	var text strings.Builder
	text.WriteString("services: [{name: bank}, {name: a0}, {name: b0}")
	for i := 1; i < layers; i++ {
		fmt.Fprintf(&text, ", {name: a%[1]d, depends_on: [a%[2]d, b%[2]d]}, {name: b%[1]d, depends_on: [a%[2]d, b%[2]d]}", i, i-1)
	}
	d := newFixture(t)
	d.Knows(text.String() + "]")
	d.Session(2)
	d.finds("bank", check.Healthy, true)
	d.Config.Services = []string{fmt.Sprintf("a%d", layers-1)}
	d.wantHeld("bank", state.Well, "nothing that is unwell depends on it")
}

// A few claims do not use up the limit for all services.
func TestTheLimitAnHourIsForWhatWasDone(t *testing.T) {
	d := newFixture(t)
	d.Config.MaxServicesPerHour = 1
	d.Session(2)
	d.Tampers(func(st *statefile.State) {
		st.Add("mail", statefile.Restart, statefile.Record{Timestamp: statefile.At(d.Time)})
	})
	d.wantGranted(recording.Restart("shop"))
	d.wantHeld("db", state.ManyAtOnce, "within this hour: shop")
	d.Settle()
	d.Time = d.Time.Add(2 * time.Hour)
	d.Did(store.Act{Service: "mail", Action: statefile.Restart, Success: true}) // a person's
	d.Session(2)
	d.wantHeld("shop", state.ManyAtOnce, "within this hour: mail")
}
