package metrics_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	sent "github.com/claudeops/claudeops/alerts"
	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/metrics"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func same(t *testing.T, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func readFigures(t *testing.T, b *ledger.Records) metrics.Figures {
	t.Helper()
	f, err := metrics.Read(t.Context(), b)
	ok(t, err)
	return f
}

func knows(t *testing.T, b *ledger.Records, file string) {
	t.Helper()
	var err error
	b.Inventory, err = inventory.Parse([]byte(file))
	ok(t, err)
}

func TestFiguresOfServices(t *testing.T) {
	b := withService(t) // db is down
	knows(t, b, "services: [{name: db}, {name: web, depends_on: [db]}, {name: idle}, {name: mail}]")
	ok(t, b.Store.AddChecks(t.Context(), store.Reported, 0, noon, []check.Result{
		{Service: "web", Type: check.HTTP, Status: check.Down}, {Service: "mail", Type: check.HTTP, Status: check.Healthy},
	}))
	_, err := b.KeepAlerts(t.Context(), []sent.Alert{
		{Source: "s", Fingerprint: "f", Status: sent.Firing, Names: []string{"mail"}, Means: check.Degraded, Title: "slow"},
	})
	ok(t, err)
	for service, recovering := range map[string]bool{"db": false, "mail": true} {
		i := store.Incident{Service: service, Status: check.Down, OpenedAt: noon, LastSeenAt: noon, UnwellCycles: 1}
		if recovering {
			i.HealthySince = &i.OpenedAt
		}
		_, err := b.Store.OpenIncident(t.Context(), i)
		ok(t, err)
	}
	f := readFigures(t, b)
	same(t, f.Services, map[string]check.Status{"db": check.Down, "web": check.Down, "mail": check.Degraded, "idle": check.Unknown})
	same(t, f.Held, map[string]string{"web": "db, on which it depends, is down"})
	same(t, []int64{f.Incidents, f.OpenIncidents, f.Recovering}, []int64{2, 2, 1})

	_, _, err = b.Silence(t.Context(), "mail", time.Hour, "", "a test")
	ok(t, err)
	_, _, err = b.Silence(t.Context(), "idle", time.Hour, "", "a test") // which is not unwell
	ok(t, err)
	f = readFigures(t, b)
	same(t, f.Held, map[string]string{"web": "db, on which it depends, is down", "mail": "silenced until 2026-03-01 13:00 UTC"})
	same(t, len(f.Silences), 2)

	// What was found before the shards were changed is exported by the shard that now has the service.
	b.Inventory = b.Inventory.Part(func(service string) string { return map[string]string{"db": "shard 2/4"}[service] })
	f = readFigures(t, b)
	same(t, f.Services, map[string]check.Status{"web": check.Down, "mail": check.Degraded, "idle": check.Unknown})
	same(t, []int64{f.Incidents, f.OpenIncidents}, []int64{2, 1})
	same(t, f.Cooldowns, []metrics.PlacesLeft{{Service: "idle", Restarts: 2, Redeployments: 1}, {Service: "mail", Restarts: 2, Redeployments: 1}, {Service: "web", Restarts: 2, Redeployments: 1}})
}

// If cooldown.json is corrupt, the counts are those of the database, as in the next cycle. Other faults are errors.
func TestFiguresBesideACorruptCooldownFile(t *testing.T) {
	b := withService(t)
	ok(t, b.Record(t.Context(), store.Act{Service: "db", Action: statefile.Restart, Success: true}))
	file := filepath.Join(b.Config.StateDir, statefile.FileName)
	ok(t, os.WriteFile(file, []byte("{\"services\": {\"db"), 0o600))
	same(t, readFigures(t, b).Cooldowns, []metrics.PlacesLeft{{Service: "db", Restarts: 1, Redeployments: 1}})
	ok(t, errors.Join(os.Remove(file), os.Mkdir(file, 0o700)))
	if _, err := metrics.Read(t.Context(), b); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("a folder in its place: %v", err)
	}
}

func TestFiguresOfMoneyAndTheOutbox(t *testing.T) {
	b := withService(t)
	_, err := b.Store.AddNotification(t.Context(), store.Notification{Kind: store.Recovered, Service: "db", CreatedAt: noon})
	ok(t, err)
	f := readFigures(t, b)
	same(t, f.PendingNotifications, int64(0)) // there is no target
	if f.OldestPending != nil || f.BudgetLeftUSD != nil {
		t.Errorf("oldest %v, left %v", f.OldestPending, f.BudgetLeftUSD)
	}
	b.Config.AppriseAPIURL, b.Config.AppriseKey, b.Config.DailyBudgetUSD = "http://127.0.0.1:8000", "ops", 2
	id, err := b.Store.AddSession(t.Context(), store.Session{Tier: 1, Trigger: "cron", Status: store.Running, StartedAt: noon})
	ok(t, err)
	ok(t, b.Store.EndSession(t.Context(), id, store.Session{Status: store.Completed, CostUSD: 0.5}))
	f = readFigures(t, b)
	same(t, f.PendingNotifications, int64(1))
	same(t, f.OldestPending, &noon)
	same(t, *f.BudgetLeftUSD, 1.5)
	b.Config.DailyBudgetUSD = 0.25
	same(t, *readFigures(t, b).BudgetLeftUSD, 0.0)
}

func TestFiguresWithoutADatabase(t *testing.T) {
	b, err := ledger.Open(t.Context(), config.Config{StateDir: t.TempDir()}, nil, time.Now, store.ReadOnly)
	ok(t, err)
	if _, err := metrics.Read(t.Context(), b); !errors.Is(err, metrics.ErrNothingYet) {
		t.Errorf("error %v, want %v", err, metrics.ErrNothingYet)
	}
}
