package store

import (
	"errors"
	"testing"

	"github.com/claudeops/claudeops/check"
)

func TestWhatIsDoneTogetherIsWrittenWholeOrNotAtAll(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	broken := errors.New("broken off")
	record := func(ends error) error {
		return s.Update(ctx, func(tx *Store) error {
			id, err := tx.OpenIncident(ctx, Incident{Service: "shop", Status: check.Down})
			if err != nil {
				return err
			}
			return tx.Update(ctx, func(tx *Store) error { // within one that is there already it is part of it
				if _, err := tx.AddNotification(ctx, Notification{IncidentID: &id, Kind: HumanAttention, Service: "shop", Title: "t"}); err != nil {
					return err
				}
				return ends
			})
		})
	}
	if err := record(broken); !errors.Is(err, broken) {
		t.Fatal(err)
	}
	same(t, len(must(s.Incidents(ctx, IncidentFilter{}))), 0)
	same(t, len(must(s.Notifications(ctx, NotificationFilter{}))), 0)
	ok(t, record(nil))
	same(t, len(must(s.Incidents(ctx, IncidentFilter{}))), 1)
	same(t, len(must(s.Notifications(ctx, NotificationFilter{}))), 1)
}
