package store

import (
	"testing"
	"time"
)

func TestWhoHasAMessage(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	queue(t, s, Recovered, Recovered, Message)
	ok(t, s.Group(ctx, noon, toBoth))
	same(t, *must(s.Notification(ctx, 2)).MessageID, int64(1))
	same(t, len(must(s.Deliveries(ctx, []int64{1, 3}))), 0)

	both := []string{"a", "b"}
	must(s.Delivered(ctx, 1, "b", both, noon))
	must(s.Delivered(ctx, 1, "a", both, noon.Add(time.Minute)))
	must(s.Delivered(ctx, 3, "a", both, noon.Add(time.Minute)))
	want := []Delivery{{1, "b", noon}, {1, "a", noon.Add(time.Minute)}, {3, "a", noon.Add(time.Minute)}}
	same(t, must(s.Deliveries(ctx, []int64{1, 3})), want)
	same(t, must(s.Deliveries(ctx, []int64{3, 99})), want[2:])
	same(t, len(must(s.Deliveries(ctx, nil))), 0)

	// The first of those that are one message may be gone.
	_, err := s.db.ExecContext(ctx, `UPDATE deliveries SET notification_id = 2 WHERE notification_id = 1`)
	ok(t, err)
	_, err = s.db.ExecContext(ctx, `DELETE FROM notifications WHERE id = 1`)
	ok(t, err)
	same(t, must(s.Deliveries(ctx, []int64{1})), want[:2])
}

func TestWhatASilenceOrAPauseHoldsBack(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	oldest := func() int64 {
		t.Helper()
		all := must(s.Unheld(ctx, noon))
		if len(all) == 0 {
			return 0
		}
		return all[0].ID
	}
	same(t, oldest(), int64(0))
	for i, service := range []string{"shop", "mail", "shop", ""} {
		cause := string(rune('a' + i))
		must(s.QueueNotification(ctx, Notification{Kind: AgentFailing, Service: service, Cause: cause, Title: cause}))
	}
	all := []int64{1, 2, 3, 4}
	same(t, len(must(s.HeldBack(ctx, all, noon))), 0)
	same(t, oldest(), int64(1))

	shop, _, err := s.AddSilence(ctx, Silence{Service: "shop", Until: noon.Add(time.Hour)})
	ok(t, err)
	same(t, must(s.HeldBack(ctx, all, noon)), []int64{1, 3})
	same(t, must(s.HeldBack(ctx, []int64{3, 4}, noon)), []int64{3})
	same(t, len(must(s.HeldBack(ctx, all, noon.Add(time.Hour)))), 0)
	same(t, oldest(), int64(2))

	// One message with something of another service goes out.
	_, err = s.db.ExecContext(ctx, `UPDATE notifications SET message_id = 1 WHERE id < 3`)
	ok(t, err)
	same(t, must(s.HeldBack(ctx, all, noon)), []int64{3})
	same(t, oldest(), int64(1))
	same(t, messagesOf(must(s.Undelivered(ctx, "a", noon))), []int64{1})
	_, _, err = s.AddSilence(ctx, Silence{Service: "mail", Until: noon.Add(time.Hour)})
	ok(t, err)
	same(t, must(s.HeldBack(ctx, all, noon)), []int64{1, 2, 3})
	same(t, oldest(), int64(4))

	ok(t, s.EndSilence(ctx, shop.ID, noon))
	_, _, err = s.AddSilence(ctx, Silence{Until: noon.Add(time.Hour)})
	ok(t, err)
	same(t, must(s.HeldBack(ctx, all, noon)), all)
	same(t, oldest(), int64(0))

	_, err = s.db.ExecContext(ctx, `UPDATE notifications SET delivered_at = created_at`)
	ok(t, err)
	same(t, len(must(s.HeldBack(ctx, all, noon))), 0)
}
