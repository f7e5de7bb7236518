package records

import (
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/hooks"
	"github.com/claudeops/claudeops/store"
)

func TestANTILOOP_Alerting_PeopleAreToldOnceThatACircuitOpened(t *testing.T) {
	d := newFixture(t)
	ctx := t.Context()
	until := noon.Add(5 * time.Minute)
	opens := hooks.Change{
		Hook: "python3 /hooks/check.py --key hunter22", From: hooks.Closed, To: hooks.Open, At: noon, Until: &until, Failures: 3, Error: "Exit code 1: hunter22",
	}
	tries, closes := opens, opens
	tries.From, tries.To = hooks.Open, hooks.HalfOpen
	closes.From, closes.To = hooks.HalfOpen, hooks.Closed
	ok(t, d.CircuitsChanged(ctx, []hooks.Change{opens}))
	ok(t, d.CircuitsChanged(ctx, []hooks.Change{tries, opens}))
	ok(t, d.CircuitsChanged(ctx, []hooks.Change{closes}))

	told, err := d.Store.Notifications(ctx, store.NotificationFilter{Pending: true})
	ok(t, err)
	if len(told) != 1 || told[0].Kind != store.CircuitOpen || told[0].Title != "The hook check.py is switched off" {
		t.Fatalf("notifications: %+v", told)
	}
	for _, want := range []string{"3 times in a row", "Exit code 1", "2026-03-01 12:05 UTC", "claude-hooks health"} {
		if !strings.Contains(told[0].Body, want) {
			t.Errorf("it does not say %q:\n%s", want, told[0].Body)
		}
	}
	if strings.Contains(told[0].Body, "hunter22") {
		t.Errorf("it tells a secret:\n%s", told[0].Body)
	}
	events, err := d.Store.Events(ctx, store.EventFilter{})
	ok(t, err)
	if len(events) != 3 || events[0].Level != store.Info || events[1].Level != store.Warning || !strings.Contains(events[0].Message, "works again") {
		t.Errorf("events: %+v", events)
	}
}
