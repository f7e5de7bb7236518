package store

import (
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
)

func TestANotificationIsSentOnceIn24Hours(t *testing.T) {
	one, two := int64(1), int64(2)
	first := Notification{IncidentID: &one, Kind: HumanAttention, Service: "shop", Cause: "limits", Title: "first"}
	fault := Notification{Kind: AgentFailing, Cause: "budget", Title: "first"}
	with := func(n Notification, change func(*Notification)) Notification { change(&n); return n }
	for _, tt := range []struct {
		name        string
		first, next Notification
		after       time.Duration
		queued      bool
	}{
		{"the same at once", first, first, 0, false},
		{"the same just before 24 h", first, first, 24*time.Hour - time.Millisecond, false},
		{"the same after 24 h: a reminder", first, first, 24 * time.Hour, true},
		{"another cause of the same incident", first, with(first, func(n *Notification) { n.Cause = "other" }), time.Hour, false},
		{"another kind", first, with(first, func(n *Notification) { n.Kind = Recovered }), time.Hour, true},
		{"another incident", first, with(first, func(n *Notification) { n.IncidentID = &two }), time.Hour, true},
		{"no incident", first, with(first, func(n *Notification) { n.IncidentID = nil }), time.Hour, true},
		{"a fault again", fault, fault, time.Hour, false},
		{"a fault after a day", fault, fault, 24 * time.Hour, true},
		{"another fault", fault, with(fault, func(n *Notification) { n.Cause = "handoff" }), time.Hour, true},
		{"a fault of a service", fault, with(fault, func(n *Notification) { n.Service = "shop" }), time.Hour, true},
		{"a fault of another kind", fault, with(fault, func(n *Notification) { n.Kind = HumanAttention }), time.Hour, true},
		{"a fault with an incident", fault, with(fault, func(n *Notification) { n.IncidentID = &one }), time.Hour, true},
		{"a digest", Notification{Kind: DailyDigest}, Notification{Kind: DailyDigest}, time.Minute, true},
		{"the clock jumps back an hour", first, first, -time.Hour, false},
		{"the clock was a year ahead", first, first, -365 * 24 * time.Hour, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := fresh(t)
			for _, service := range []string{"shop", "mail"} {
				must(s.OpenIncident(t.Context(), Incident{Service: service, Status: check.Down}))
			}
			same(t, must(s.QueueNotification(t.Context(), tt.first)), true)
			s.Now = func() time.Time { return noon.Add(tt.after) }
			same(t, must(s.QueueNotification(t.Context(), tt.next)), tt.queued)
		})
	}
}

func TestTheOutboxHoldsWhatIsDue(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	i := must(s.OpenIncident(ctx, Incident{Service: "shop", Status: check.Down}))
	want := Notification{ID: 1, IncidentID: &i, Kind: Remediated, Service: "shop", Cause: "c", Title: "t", Body: "b", CreatedAt: ago(1), NextAttemptAt: ago(1)}
	must(s.QueueNotification(ctx, want))
	must(s.QueueNotification(ctx, Notification{Kind: DailyDigest, NextAttemptAt: noon.Add(time.Millisecond)}))
	must(s.QueueNotification(ctx, Notification{Kind: DailyDigest}))
	due := must(s.PendingNotifications(ctx, 0))
	same(t, len(due), 2)
	same(t, due[0], want)
	same(t, len(must(s.PendingNotifications(ctx, 1))), 1)
	same(t, must(s.IncidentNotifications(ctx, i)), []Notification{want})

	_, err := s.db.ExecContext(ctx, `UPDATE notifications SET delivered_at = ? WHERE id = 1`, timeText(noon))
	ok(t, err)
	same(t, len(must(s.PendingNotifications(ctx, 0))), 1)
	same(t, *must(s.IncidentNotifications(ctx, i))[0].DeliveredAt, noon)
}
