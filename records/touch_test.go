package records

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func TestNoMoreServicesAnHourThanTheLimit(t *testing.T) {
	d := newFixture(t)
	d.Config.MaxServicesPerHour = 2
	d.session(2)
	var held *HeldError
	if err := d.Reserve(t.Context(), "toolu_1", restart("a", "b", "c")); !errors.As(err, &held) || held.Service != "c" || !strings.Contains(err.Error(), "within this hour: a and b") {
		t.Fatalf("three in one call: %v", err)
	}
	same(t, len(d.reads().Services), 0)
	same(t, len(d.asked()), 1)
	ok(t, d.Reserve(t.Context(), "toolu_2", restart("a", "b")))
	if err := d.Reserve(t.Context(), "toolu_3", restart("c")); !errors.As(err, &held) {
		t.Fatalf("the third in an hour: %v", err)
	}
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
	ok(t, d.Reserve(t.Context(), "toolu_1", restart("a", "b")))
}
