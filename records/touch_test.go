package records

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

func TestNoMoreServicesAnHourThanTheLimit(t *testing.T) {
	d := newFixture(t)
	d.Config.MaxServicesPerHour = 2
	d.session(2)
	var held *HeldError
	ok(t, d.Reserve(t.Context(), "toolu_1", restart("a")))
	ok(t, d.Reserve(t.Context(), "toolu_2", Wanted{Service: "b", Action: statefile.Other, Detail: "reload"}))
	if err := d.Reserve(t.Context(), "toolu_3", restart("c")); !errors.As(err, &held) || !strings.Contains(err.Error(), "within this hour: a and b") {
		t.Fatalf("the third in an hour: %v", err)
	}
	same(t, len(d.asked()), 1)
	ok(t, d.Reserve(t.Context(), "toolu_4", restart("a"))) // it had its turn
	d.now = d.now.Add(time.Hour + time.Second)
	ok(t, d.Reserve(t.Context(), "toolu_5", restart("c")))
}

func TestTheLimitAnHourIsForNoPerson(t *testing.T) {
	d := newFixture(t)
	d.Config.MaxServicesPerHour = 1
	d.session(2)
	session, err := d.Store.Session(t.Context(), d.Config.Agent.SessionID)
	ok(t, err)
	session.ID, session.Agent = 0, Operator
	d.Config.Agent.SessionID, err = d.Store.AddSession(t.Context(), session)
	ok(t, err)
	ok(t, d.Reserve(t.Context(), "toolu_1", restart("a")))
	ok(t, d.Reserve(t.Context(), "toolu_2", restart("b")))
}

func TestNoTierAboveAServicesOwnActsOnIt(t *testing.T) {
	d := newFixture(t)
	inv, err := inventory.Parse([]byte("services: [{name: shop, max_tier: 2}]"))
	ok(t, err)
	d.Inventory = inv
	d.session(3)
	var held *HeldError
	if err := d.Reserve(t.Context(), "toolu_1", restart("shop")); !errors.As(err, &held) || !strings.Contains(err.Error(), "its max_tier is 2, and this is Tier 3") {
		t.Error(err)
	}
	d.session(2)
	ok(t, d.Reserve(t.Context(), "toolu_2", restart("shop")))
}

// A service that its own checks find healthy is nobody's to remediate, but for trouble of its own or of what depends on it.
func TestAHealthyServiceIsLeftAlone(t *testing.T) {
	d := newFixture(t)
	inv, err := inventory.Parse([]byte("services: [{name: shop, depends_on: [proxy]}, {name: proxy, depends_on: [db]}, {name: db}, {name: bank}, {name: mail}]"))
	ok(t, err)
	d.Inventory = inv
	d.session(2)
	for _, service := range []string{"shop", "proxy", "db", "bank"} {
		d.finds(service, check.Healthy, true)
	}
	d.finds("mail", check.Healthy, false)
	open := func(service string) {
		t.Helper()
		_, err := d.Store.OpenIncident(t.Context(), store.Incident{Service: service, Status: check.Down, Fingerprint: "x", OpenedAt: d.now, LastSeenAt: d.now})
		ok(t, err)
	}
	open("shop")
	for service, want := range map[string]bool{"shop": true, "proxy": true, "db": true, "mail": true, "unknown": true, "bank": false} {
		why, err := d.NotNow(t.Context(), service)
		ok(t, err)
		same(t, why == "", want)
	}
	d.Config.Services = []string{"bank"} // a person asks about it
	why, err := d.NotNow(t.Context(), "bank")
	ok(t, err)
	same(t, why, "")
	d.Config.Services = nil
	d.sends(alertOf("bank"))
	why, err = d.NotNow(t.Context(), "bank")
	ok(t, err)
	same(t, why, "")
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
	inv, err := inventory.Parse([]byte(text.String() + "]"))
	ok(t, err)
	d.Inventory = inv
	d.session(2)
	d.finds("bank", check.Healthy, true)
	d.Config.Services = []string{fmt.Sprintf("a%d", layers-1)}
	why, err := d.NotNow(t.Context(), "bank")
	ok(t, err)
	same(t, why != "", true)
}

// A few claims do not use up the limit for all services.
func TestTheLimitAnHourIsForWhatWasDone(t *testing.T) {
	d := newFixture(t)
	d.Config.MaxServicesPerHour = 1
	d.session(2)
	d.tampers(func(st *statefile.State) {
		st.Add("mail", statefile.Restart, statefile.Record{Timestamp: statefile.At(d.now)})
	})
	ok(t, d.Reserve(t.Context(), "toolu_1", restart("shop")))
	var held *HeldError
	if err := d.Reserve(t.Context(), "toolu_2", restart("db")); !errors.As(err, &held) || !strings.Contains(err.Error(), "within this hour: shop") {
		t.Fatalf("a second service: %v", err)
	}
	d.settle()
	d.now = d.now.Add(2 * time.Hour)
	d.record(Done{Service: "mail", Action: statefile.Restart, Success: true}) // a person's
	d.session(2)
	if err := d.Reserve(t.Context(), "toolu_3", restart("shop")); !errors.As(err, &held) || !strings.Contains(err.Error(), "within this hour: mail") {
		t.Fatalf("after what a person did: %v", err)
	}
}
