package notify

import (
	"testing"
	"time"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/store"
)

// late returns when the oldest overdue notification was queued.
func (d *desk) late(c config.Config, rules string) *time.Time {
	d.t.Helper()
	n, _, err := RoutingOf(c, must(inventory.Parse([]byte("services: []\n"+rules)))).Late(d.t.Context(), d.Store, d.now)
	ok(d.t, err)
	if n == nil {
		return nil
	}
	return &n.CreatedAt
}

func TestQuietHoursMakeNoNotificationLate(t *testing.T) {
	d := newDesk(t)
	c := config.Config{AppriseAPIURL: "http://127.0.0.1:8000", AppriseKey: "ops"}
	d.put(store.Notification{Kind: store.Recovered, Service: "shop", CreatedAt: noon})
	same(t, d.late(c, ""), &noon)
	for hours, want := range map[string]*time.Time{"11:00-13:00 UTC": nil, "22:00-07:00 UTC": &noon} {
		same(t, d.late(c, "notify: [{quiet: '"+hours+"'}]"), want)
	}
}

// A notification that quiet hours hold back from one target is late if another should have it but refuses it.
func TestTheOldestNotificationIsOneThatATargetShouldHave(t *testing.T) {
	d := newDesk(t)
	c := config.Config{AppriseURLs: []string{"phone=json://127.0.0.1:9/a", "chat=json://127.0.0.1:9/b"}}
	const rules = "notify: [{targets: [phone], quiet: '11:00-13:00 UTC'}, {targets: [chat]}]"
	d.put(store.Notification{Kind: store.Recovered, Service: "shop", CreatedAt: noon})
	same(t, d.late(c, rules), &noon)
	targets := RoutingOf(c, nil).Targets
	phone, chat := targets[0].Hash, targets[1].Hash
	both := []string{phone, chat}
	ok(t, d.Store.Group(t.Context(), noon, func(store.Ungrouped) store.Way { return store.Way{To: both, Now: both[1:]} }))
	ok(t, d.Store.MessageRefused(t.Context(), 1, "too long", noon.Add(time.Minute)))
	same(t, d.late(c, rules), &noon)
	_, err := d.Store.Delivered(t.Context(), 1, chat, both, noon)
	ok(t, err)
	same(t, d.late(c, rules), (*time.Time)(nil))
	d.now = noon.Add(time.Hour)
	same(t, d.late(c, rules), &noon)
}
