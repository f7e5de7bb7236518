package records

import (
	"testing"
	"time"

	"github.com/claudeops/claudeops/store"
)

func (d *fixture) oldest() *time.Time {
	d.t.Helper()
	at, err := d.OldestPending(d.t.Context(), d.now)
	ok(d.t, err)
	return at
}

func TestQuietHoursMakeNoNotificationLate(t *testing.T) {
	d := newFixture(t)
	d.Config.AppriseAPIURL, d.Config.AppriseKey = "http://127.0.0.1:8000", "ops"
	_, err := d.Store.QueueNotification(t.Context(), store.Notification{Kind: store.Recovered, Service: "shop", CreatedAt: noon})
	ok(t, err)
	same(t, d.oldest(), &noon)
	for hours, want := range map[string]*time.Time{"11:00-13:00 UTC": nil, "22:00-07:00 UTC": &noon} {
		d.knows("services: []\nnotify: [{quiet: '" + hours + "'}]")
		same(t, d.oldest(), want)
	}
}

// A notification that quiet hours hold back from one target is late if another should have it but refuses it.
func TestTheOldestNotificationIsOneThatATargetShouldHave(t *testing.T) {
	d := newFixture(t)
	d.Config.AppriseURLs = []string{"phone=json://127.0.0.1:9/a", "chat=json://127.0.0.1:9/b"}
	d.knows("services: []\nnotify: [{targets: [phone], quiet: '11:00-13:00 UTC'}, {targets: [chat]}]")
	_, err := d.Store.QueueNotification(t.Context(), store.Notification{Kind: store.Recovered, Service: "shop", CreatedAt: noon})
	ok(t, err)
	same(t, d.oldest(), &noon)
	phone, chat := d.targets()[0].Hash, d.targets()[1].Hash
	both := []string{phone, chat}
	ok(t, d.Store.Group(t.Context(), noon, func(store.Ungrouped) store.Way { return store.Way{To: both, Now: both[1:]} }))
	ok(t, d.Store.MessageRefused(t.Context(), 1, "too long", noon.Add(time.Minute)))
	same(t, d.oldest(), &noon)
	_, err = d.Store.Delivered(t.Context(), 1, chat, both, noon)
	ok(t, err)
	same(t, d.oldest(), (*time.Time)(nil))
	d.now = noon.Add(time.Hour)
	same(t, d.oldest(), &noon)
}
