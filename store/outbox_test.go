package store

import (
	"fmt"
	"testing"

	"github.com/claudeops/claudeops/check"
)

func TestTheOutboxIsListed(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	i := must(s.OpenIncident(ctx, Incident{Service: "shop", Status: check.Down}))
	want := Notification{
		ID: 1, IncidentID: &i, Kind: Remediated, Type: SuccessMessage, Service: "shop", Cause: "c", Title: "t", Body: "b",
		CreatedAt: ago(1), NextAttemptAt: ago(1),
	}
	must(s.AddNotification(ctx, want))
	must(s.AddNotification(ctx, Notification{Kind: DailyDigest}))
	must(s.AddNotification(ctx, Notification{Kind: Message, Type: FailureMessage}))
	same(t, must(s.Told(ctx, []int64{i}))[i], Told{must(s.Incident(ctx, i)), []Notification{want}})
	same(t, must(s.Notification(ctx, 1)), want)
	wantError(t, second(s.Notification(ctx, 9)), ErrNotFound, "notification 9")

	_, err := s.db.ExecContext(ctx, `UPDATE notifications SET delivered_at = ? WHERE id = 2`, timeText(noon))
	ok(t, err)
	same(t, numbers(must(s.Notifications(ctx, NotificationFilter{}))), []int64{3, 2, 1})
	same(t, numbers(must(s.Notifications(ctx, NotificationFilter{Limit: 2}))), []int64{3, 2})
	same(t, numbers(must(s.Notifications(ctx, NotificationFilter{Pending: true}))), []int64{3, 1})
	same(t, *must(s.Notification(ctx, 2)).DeliveredAt, noon)
}

func numbers(all []Notification) (ids []int64) {
	for _, n := range all {
		ids = append(ids, n.ID)
	}
	return ids
}

func TestEachKindHasItsType(t *testing.T) {
	s := fresh(t)
	want := map[Kind]MessageType{
		HumanAttention: FailureMessage, AgentFailing: WarningMessage, Remediated: SuccessMessage,
		Recovered: SuccessMessage, DailyDigest: InfoMessage, Message: InfoMessage,
	}
	got := map[Kind]MessageType{}
	for kind := range want {
		must(s.AddNotification(t.Context(), Notification{Kind: kind}))
	}
	for _, n := range must(s.Notifications(t.Context(), NotificationFilter{})) {
		got[n.Kind] = n.Type
	}
	same(t, got, want)
	if _, err := s.AddNotification(t.Context(), Notification{Kind: Message, Type: "shout"}); err == nil {
		t.Error("any type is taken")
	}
}

// queue adds notifications of these kinds to the outbox, each about a different service.
func queue(t *testing.T, s *Store, kinds ...Kind) {
	t.Helper()
	n := len(must(s.Notifications(t.Context(), NotificationFilter{})))
	for i, kind := range kinds {
		same(t, must(s.AddNotification(t.Context(), Notification{Kind: kind, Service: fmt.Sprint("service-", n+i+1)})), int64(n+i+1))
	}
}
