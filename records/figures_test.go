package records

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

func (d *fixture) figures() Figures {
	d.t.Helper()
	f, err := d.Figures(d.t.Context())
	ok(d.t, err)
	return f
}

func TestFiguresKnowWhatIsLeftOfEachLimit(t *testing.T) {
	d := newFixture(t)
	d.Config.MaxRemediationsPerDay = 3
	record := func(service string, action statefile.Action) {
		t.Helper()
		_, err := d.Record(t.Context(), Done{Service: service, Action: action, Success: true})
		ok(t, err)
	}
	record("shop", statefile.Restart)
	record("mail", statefile.Restart)
	record("mail", statefile.Restart)
	d.now = noon.Add(5 * time.Hour)
	record("mail", statefile.Redeployment)
	ok(t, d.Store.AddChecks(t.Context(), nil, d.now, []check.Result{{Service: "db", Type: check.HTTP, Status: check.Down}}))

	same(t, d.figures().Cooldowns, []PlacesLeft{{"db", 2, 1}, {"mail", 0, 0}, {"shop", 2, 1}}) // mail has had its three for the day
	ok(t, d.Reset(t.Context(), "mail"))
	same(t, d.figures().Cooldowns[1], PlacesLeft{Service: "mail"}) // which a reset does not clear
	d.now = noon.Add(24 * time.Hour)
	same(t, d.figures().Cooldowns[1], PlacesLeft{Service: "mail", Restarts: 2, Redeployments: 1})
}

// If cooldown.json is corrupt, the counts are those of the database, as in the next cycle. Other faults are errors.
func TestFiguresBesideACorruptCooldownFile(t *testing.T) {
	d := newFixture(t)
	_, err := d.Record(t.Context(), Done{Service: "shop", Action: statefile.Restart, Success: true})
	ok(t, err)
	file := filepath.Join(d.Config.StateDir, statefile.FileName)
	ok(t, os.WriteFile(file, []byte("{\"services\": {\"shop"), 0o600))
	same(t, d.figures().Cooldowns, []PlacesLeft{{"shop", 1, 1}})
	ok(t, errors.Join(os.Remove(file), os.Mkdir(file, 0o700)))
	if _, err := d.Figures(t.Context()); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("a folder in its place: %v", err)
	}
}

// The remaining limits are computed in two places, which must agree.
func TestFiguresAgreeWithTheLimits(t *testing.T) {
	d := newFixture(t)
	d.Config.MaxRemediationsPerDay = 4
	for i := range 30 {
		d.now = noon.Add(time.Duration(i) * 50 * time.Minute)
		_, err := d.Record(t.Context(), Done{Service: fmt.Sprint("s", i%4), Action: statefile.Actions()[i%7%2], Success: i%3 == 0})
		ok(t, err)
		limits, err := d.Limits(t.Context())
		ok(t, err)
		for _, left := range d.figures().Cooldowns {
			restart, redeployment, err := limits.Both(t.Context(), left.Service)
			ok(t, err)
			same(t, left, PlacesLeft{Service: left.Service, Restarts: restart.Left(), Redeployments: redeployment.Left()})
		}
	}
}

func TestFiguresOfMoneyAndTheOutbox(t *testing.T) {
	d := newFixture(t)
	_, err := d.Store.QueueNotification(t.Context(), store.Notification{Kind: store.Recovered, Service: "shop", CreatedAt: noon})
	ok(t, err)
	f := d.figures()
	same(t, f.PendingNotifications, int64(0)) // there is no target
	same(t, f.OldestPending, (*time.Time)(nil))
	same(t, f.BudgetLeftUSD, (*float64)(nil))

	d.Config.AppriseAPIURL, d.Config.AppriseKey, d.Config.DailyBudgetUSD = "http://127.0.0.1:8000", "ops", 2
	id, err := d.Store.AddSession(t.Context(), store.Session{Tier: 1, Trigger: "cron", Status: store.Running, StartedAt: noon})
	ok(t, err)
	ok(t, d.Store.EndSession(t.Context(), id, store.SessionEnd{Status: store.Completed, CostUSD: 0.5}))
	f = d.figures()
	same(t, f.PendingNotifications, int64(1))
	same(t, f.OldestPending, &noon)
	for hours, want := range map[string]*time.Time{"11:00-13:00 UTC": nil, "22:00-07:00 UTC": &noon} {
		inv, err := inventory.Parse([]byte("services: []\nnotify: [{quiet: '" + hours + "'}]"))
		ok(t, err)
		d.Inventory = inv
		same(t, d.figures().OldestPending, want)
	}
	d.Inventory = nil
	same(t, *f.BudgetLeftUSD, 1.5)
	d.Config.DailyBudgetUSD = 0.25
	same(t, *d.figures().BudgetLeftUSD, 0.0)
}

// A notification that quiet hours hold back from one target is late if another should have it but refuses it.
func TestTheOldestNotificationIsOneThatATargetShouldHave(t *testing.T) {
	d := newFixture(t)
	d.Config.AppriseURLs = []string{"phone=json://127.0.0.1:9/a", "chat=json://127.0.0.1:9/b"}
	d.knows("services: []\nnotify: [{targets: [phone], quiet: '11:00-13:00 UTC'}, {targets: [chat]}]")
	_, err := d.Store.QueueNotification(t.Context(), store.Notification{Kind: store.Recovered, Service: "shop", CreatedAt: noon})
	ok(t, err)
	same(t, d.figures().OldestPending, &noon)
	phone, chat := d.targets()[0].Hash, d.targets()[1].Hash
	both := []string{phone, chat}
	ok(t, d.Store.Group(t.Context(), noon, func(store.Ungrouped) store.Way { return store.Way{To: both, Now: both[1:]} }))
	ok(t, d.Store.MessageRefused(t.Context(), 1, "too long", noon.Add(time.Minute)))
	same(t, d.figures().OldestPending, &noon)
	_, err = d.Store.Delivered(t.Context(), 1, chat, both, noon)
	ok(t, err)
	same(t, d.figures().OldestPending, (*time.Time)(nil))
	d.now = noon.Add(time.Hour)
	same(t, d.figures().OldestPending, &noon)
}

func TestFiguresKnowWhatIsHeldBack(t *testing.T) {
	d := newFixture(t)
	d.session(2)
	for service, status := range map[string]check.Status{"web": check.Down, "mail": check.Degraded, "db": check.Healthy, "api": check.Healthy} {
		d.finds(service, status, true)
	}
	same(t, d.figures().Held, map[string]string{}) // without an inventory, and nothing is silenced
	d.knows(fleet)
	same(t, d.figures().Held, map[string]string{}) // the dependency of web is well

	// Earlier queries of these records do not matter: services were checked and silenced since.
	d.wantHold("web", Hold{})
	ok(t, d.Store.AddProbed(t.Context(), d.Config.Agent.SessionID, d.now.Add(time.Second), []check.Result{{Service: "db", Type: check.HTTP, Status: check.Down}}, nil))
	_, _, err := d.Store.AddSilence(t.Context(), store.Silence{Service: "mail", CreatedAt: d.now, Until: noon.Add(time.Hour)})
	ok(t, err)
	_, _, err = d.Store.AddSilence(t.Context(), store.Silence{Service: "api", CreatedAt: d.now, Until: noon.Add(time.Hour)}) // which is well
	ok(t, err)
	same(t, d.figures().Held, map[string]string{"web": "db, on which it depends, is down", "mail": "silenced until 2026-03-01 13:00 UTC"})

	d.now = noon.Add(2 * time.Hour)
	same(t, d.figures().Held, map[string]string{
		"web": "db, on which it depends, is down", "db": "in maintenance until 2026-03-01 15:00 UTC (a new disk)",
	})
	_, _, err = d.Store.AddSilence(t.Context(), store.Silence{CreatedAt: d.now, Until: noon.Add(150 * time.Minute)})
	ok(t, err)
	same(t, slices.Sorted(maps.Keys(d.figures().Held)), []string{"db", "mail", "web"})
	d.Inventory = nil
	same(t, d.figures().Held["web"], "everything is paused until 2026-03-01 14:30 UTC")
	d.now = noon.Add(25 * time.Hour)
	same(t, d.figures().Held, map[string]string{}) // not checked for a day
}

// What is held back is computed in two places, which must agree.
func TestFiguresAgreeWithHold(t *testing.T) {
	d := newFixture(t)
	d.session(2)
	d.knows(fleet)
	services := []string{"db", "api", "web", "mail"}
	statuses := []check.Status{check.Healthy, check.Degraded, check.Down}
	for i := range 81 {
		for n, weight := range []int{1, 3, 9, 27} {
			d.finds(services[n], statuses[i/weight%3], true)
		}
		held := d.figures().Held
		for n, weight := range []int{1, 3, 9, 27} {
			want, err := d.Hold(t.Context(), services[n])
			ok(t, err)
			if statuses[i/weight%3] == check.Healthy {
				want = Hold{}
			}
			same(t, held[services[n]], want.Reason)
		}
	}
}

func TestFiguresWithoutADatabase(t *testing.T) {
	b, err := Open(t.Context(), config.Config{StateDir: t.TempDir()}, nil, time.Now, store.ReadOnly)
	ok(t, err)
	if _, err := b.Figures(t.Context()); !errors.Is(err, ErrNothingYet) {
		t.Errorf("error %v, want %v", err, ErrNothingYet)
	}
}
