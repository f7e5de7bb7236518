package ledger_test

import (
	"errors"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/store"
)

func TestWhoClosesAndAcknowledgesIsRecorded(t *testing.T) {
	d := newFixture(t)
	ctx := t.Context()
	id, err := d.Store.OpenIncident(ctx, store.Incident{Service: "shop", Status: check.Down, Fingerprint: "f", OpenedAt: noon})
	ok(t, err)
	ok(t, d.Acknowledge(ctx, id, "page, from 192.0.2.7"))
	i, err := d.Store.Incident(ctx, id)
	ok(t, err)
	if i.AcknowledgedAt == nil || !i.AcknowledgedAt.Equal(noon) || i.AcknowledgedBy != "page, from 192.0.2.7" {
		t.Errorf("%+v", i)
	}
	ok(t, d.CloseIncident(ctx, id, "command, by root"))
	var closed *ledger.ClosedError
	if err := d.Acknowledge(ctx, id, "x"); !errors.As(err, &closed) || closed.ID != id {
		t.Errorf("acknowledged after its end: %v", err)
	}
	if err := d.CloseIncident(ctx, id, "x"); !errors.As(err, &closed) {
		t.Errorf("closed twice: %v", err)
	}
	for _, err := range []error{d.Acknowledge(ctx, 99, "x"), d.CloseIncident(ctx, 99, "x")} {
		if !errors.Is(err, store.ErrNotFound) {
			t.Errorf("of none: %v", err)
		}
	}
	events, err := d.Store.Events(ctx, store.EventFilter{Service: "shop"})
	ok(t, err)
	if len(events) != 2 || events[0].Message != "incident 1 closed (command, by root)" || events[1].Message != "incident 1 acknowledged (page, from 192.0.2.7)" {
		t.Errorf("%+v", events)
	}
}

// A dead end a day later is a reminder, too; what nobody was told is not.
func TestAfterAnAcknowledgementOnlyTheFirstRequestIsSent(t *testing.T) {
	for _, asked := range []bool{false, true} {
		d := newFixture(t)
		ctx := t.Context()
		i := store.Incident{Service: "shop", Status: check.Down, Fingerprint: "f", OpenedAt: noon}
		var err error
		i.ID, err = d.Store.OpenIncident(ctx, i)
		ok(t, err)
		if asked {
			ok(t, d.RequestAttention(ctx, notify.About{Incident: i}, notify.Attention{Cause: notify.Unresolved, Why: "nobody knows"}))
		}
		ok(t, d.Acknowledge(ctx, i.ID, "command, by ann"))
		for range 3 {
			d.Time = d.Time.Add(25 * time.Hour)
			ok(t, d.RequestAttention(ctx, notify.About{Incident: i}, notify.Attention{Cause: notify.LimitsUsedUp, Why: "nothing is left"}))
		}
		told, err := d.Store.Notifications(ctx, store.NotificationFilter{})
		ok(t, err)
		if len(told) != 1 {
			t.Errorf("asked before: %t; %d messages", asked, len(told))
		}
	}
}
