package store

import (
	"testing"
	"time"
)

func TestAMessageIsDeliveredAsAWhole(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	same(t, must(s.AtRest(ctx)), true)
	queue(t, s, HumanAttention, Recovered, HumanAttention)
	same(t, must(s.AtRest(ctx)), false)
	ok(t, s.FormMessage(ctx, []int64{1, 3}))
	same(t, numbers(must(s.Notifications(ctx, NotificationFilter{Message: 1}))), []int64{3, 1})
	same(t, *must(s.Notification(ctx, 3)).MessageID, int64(1))

	ok(t, s.CloseNotification(ctx, 2, "not sent: why", noon))
	same(t, must(s.Notification(ctx, 2)).LastError, "not sent: why")
	same(t, numbers(must(s.Notifications(ctx, NotificationFilter{Pending: true}))), []int64{3, 1})
	ok(t, s.CloseMessage(ctx, 1, noon))
	same(t, *must(s.Notification(ctx, 3)).DeliveredAt, noon)
	same(t, len(must(s.Notifications(ctx, NotificationFilter{Pending: true}))), 0)
	same(t, must(s.AtRest(ctx)), true)
}

func TestWhoHasAMessage(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	queue(t, s, Recovered, Message)
	later := noon.Add(time.Minute)
	ok(t, s.Delivered(ctx, 1, "b", noon))
	ok(t, s.Delivered(ctx, 1, "a", later))
	ok(t, s.Delivered(ctx, 1, "a", later.Add(time.Hour))) // again: no second delivery
	ok(t, s.Delivered(ctx, 2, "a", later))
	want := []Delivery{{1, "b", noon}, {1, "a", later}, {2, "a", later}}
	same(t, must(s.Deliveries(ctx, []int64{1, 2})), want)
	same(t, must(s.Deliveries(ctx, []int64{2, 99})), want[2:])
	same(t, len(must(s.Deliveries(ctx, nil))), 0)
}

func TestATargetThatFailsIsOnRecordUntilItWorks(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	queue(t, s, HumanAttention, HumanAttention, Recovered)
	ok(t, s.FormMessage(ctx, []int64{1, 2}))
	ok(t, s.FormMessage(ctx, []int64{3}))
	a := FailingTarget{Hash: "a", Name: "ntfy://a", FailingSince: ago(1), Attempts: 1, RetryAt: noon, LastError: "no answer"}
	ok(t, s.TargetFailed(ctx, a, 1))
	a.Attempts, a.LastError = 2, "refused"
	ok(t, s.TargetFailed(ctx, a, 1))
	b := FailingTarget{Hash: "b", Name: "ntfy://b", FailingSince: noon, Attempts: 1, RetryAt: noon}
	ok(t, s.TargetFailed(ctx, b, 3))
	same(t, must(s.FailingTargets(ctx)), []FailingTarget{a, b})
	for id, attempts := range map[int64]int{1: 2, 2: 2, 3: 1} {
		same(t, must(s.Notification(ctx, id)).Attempts, attempts)
	}
	same(t, must(s.Notification(ctx, 2)).LastError, "refused")

	ok(t, s.Delivered(ctx, 1, "a", noon))
	same(t, must(s.FailingTargets(ctx)), []FailingTarget{b})
	ok(t, s.Retarget(ctx, []string{"a"}))
	same(t, len(must(s.FailingTargets(ctx))), 0)
}

func TestARefusedMessageWaits(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	queue(t, s, HumanAttention)
	ok(t, s.FormMessage(ctx, []int64{1}))
	retry := noon.Add(time.Minute)
	ok(t, s.MessageRefused(ctx, 1, "too long", retry))
	n := must(s.Notification(ctx, 1))
	same(t, []any{n.Attempts, n.LastError, n.NextAttemptAt}, []any{1, "too long", retry})
}
