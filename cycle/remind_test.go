package cycle

import (
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/store"
)

// asked is a room in which people were asked about an incident of shop, down for longer, at that time.
func asked(t *testing.T, at time.Time) (*room, store.Incident) {
	t.Helper()
	r := newRoom(t)
	r.now = at
	i := r.opens("shop", at.Add(-time.Hour))
	must(t, r.RequestAttention(t.Context(), r.about(i), notify.Attention{Cause: notify.Unresolved, Why: "nobody knows"}))
	r.again(night)
	return r, i
}

func TestAReminderIsSentOnceADayWhileItLasts(t *testing.T) {
	r, _ := asked(t, earlier(50*time.Hour))
	for hour := range 60 {
		r.again(night.Add(time.Duration(hour) * time.Hour))
		r.finds(map[string]string{"shop": "HTTP 502", "db": ""})
		must(t, r.conclude(t.Context()))
		if got, want := len(r.told(store.HumanAttention)), 2+hour/24; got != want {
			t.Fatalf("after %d h people were told %d times, want %d", hour, got, want)
		}
	}
	reminder := r.told(store.HumanAttention)[1]
	wantSame(t, reminder.Title, "shop is still down and needs human attention: HTTP 502")
	wantSame(t, reminder.Cause, "reminder")
	wantSame(t, reminder.Body, `shop is still down since 2026-11-19 00:00 UTC (2 days 3 h): HTTP 502.
The first message was 2 days 2 h ago, and nothing has changed since. The next cycle tries again.

Everything: `+"`claudeops incidents show 1`. Working on it: `claudeops silence shop --for 2h`")
}

func TestWhoIsNotReminded(t *testing.T) {
	const fleet = `services:
  - {name: db, checks: [{type: service, address: "127.0.0.1:1"}]}
  - {name: shop, depends_on: [db], checks: [{type: service, address: "127.0.0.1:1"}]}
`
	for name, tt := range map[string]struct {
		at     time.Time
		change func(*room, store.Incident)
	}{
		"asked less than a day ago": {earlier(24*time.Hour - time.Second), func(*room, store.Incident) {}},
		"healthy by this cycle":     {earlier(30 * time.Hour), func(r *room, _ store.Incident) { r.finds(map[string]string{"shop": ""}) }},
		"not looked at in this cycle": {earlier(30 * time.Hour), func(r *room, _ store.Incident) {
			r.summary.StartedAt = r.now.Add(time.Second)
		}},
		"asked by this cycle's chain": {earlier(30 * time.Hour), func(r *room, i store.Incident) {
			_, err := notify.Queue(r.t.Context(), r.Store, store.Notification{Kind: store.HumanAttention, IncidentID: &i.ID, CreatedAt: r.now})
			must(r.t, err)
		}},
		"solved by this cycle's chain": {earlier(30 * time.Hour), func(r *room, i store.Incident) {
			i.LastChain = store.ChainSolved
			must(r.t, r.Store.SaveIncident(r.t.Context(), i))
		}},
		"silenced meanwhile": {earlier(30 * time.Hour), func(r *room, _ store.Incident) {
			_, _, err := r.Silence(r.t.Context(), "shop", time.Hour, "", "command, by ann")
			must(r.t, err)
		}},
		"what it depends on is down": {earlier(30 * time.Hour), func(r *room, _ store.Incident) {
			var err error
			r.Inventory, err = inventory.Parse([]byte(fleet))
			must(r.t, err)
			must(r.t, r.Store.AddChecks(r.t.Context(), store.Reported, 0, r.now, []check.Result{{Service: "db", Type: check.Service, Status: check.Down}}))
		}},
		"acknowledged": {earlier(30 * time.Hour), func(r *room, i store.Incident) {
			must(r.t, r.Acknowledge(r.t.Context(), i.ID, "command, by ann"))
		}},
		"closed": {earlier(30 * time.Hour), func(r *room, i store.Incident) {
			i.ClosedAt = &r.now
			must(r.t, r.Store.SaveIncident(r.t.Context(), i))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			r, i := asked(t, tt.at)
			r.finds(map[string]string{"shop": "HTTP 502"})
			tt.change(r, i)
			before := len(r.told(store.HumanAttention))
			must(t, r.conclude(t.Context()))
			wantSame(t, len(r.told(store.HumanAttention)), before)
		})
	}
}
