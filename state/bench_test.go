package state_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/testkit/recording"
)

// BenchmarkReserve measures a reservation, or a refusal, with 1,000 services in the file and a year in the database.
func BenchmarkReserve(b *testing.B) {
	d := yearOld(b)
	d.Session(2)
	b.Run("granted", func(b *testing.B) { reserveAndReset(b, d) })
	b.Run("refused", func(b *testing.B) {
		ok(b, d.reserve("used", recording.Restart("shop")))
		ok(b, d.reserve("used", recording.Restart("shop")))
		for b.Loop() {
			if refused := d.reserves(recording.Restart("shop")); refused == nil {
				b.Fatal("granted")
			}
		}
	})
}

// reserveAndReset uses one service after the other, so that none gets more acts than in a year.
func reserveAndReset(b *testing.B, d *fixture) {
	for i := 0; b.Loop(); i++ {
		service := fmt.Sprintf("service-%03d", i%1000)
		ok(b, d.reserve(fmt.Sprint("bench", i), recording.Restart(service)))
		b.StopTimer()
		ok(b, d.Reset(b.Context(), service))
		b.StartTimer()
	}
}

// yearOld returns a state directory after a year: 30,000 sessions, 300,000 checks, 5,000 acts, and 1,000 services in the file.
func yearOld(b *testing.B) *fixture {
	b.Helper()
	d := newFixture(b)
	d.Config.MaxRemediationsPerDay = 1 << 20
	ok(b, d.UpdateState(b.Context(), func(st *statefile.State) error {
		for i := range 1000 {
			st.Add(fmt.Sprintf("service-%03d", i), statefile.Actions()[i%2], statefile.Record{Timestamp: statefile.At(noon.Add(-time.Duration(i) * time.Minute)), Success: true, Tier: 2})
		}
		return nil
	}))
	_, err := d.Adopt(b.Context(), false)
	ok(b, err)
	ok(b, d.Store.Update(b.Context(), func(tx *store.Store) error {
		const sessions = 30_000
		for i := range sessions {
			at := noon.Add(-time.Duration(sessions-i) * (365 * 24 * time.Hour / sessions))
			id, err := tx.AddSession(b.Context(), store.Session{Tier: 1 + i%3, Trigger: "cron", Status: store.Completed, StartedAt: at, Response: strings.Repeat("fine ", 50)})
			if err != nil {
				return err
			}
			results := make([]check.Result, 10)
			for k := range results {
				results[k] = check.Result{Service: fmt.Sprintf("service-%03d", (i*10+k)%1000), Type: check.HTTP, Status: check.Healthy}
			}
			if err := tx.AddChecks(b.Context(), store.Reported, id, at, results); err != nil {
				return err
			}
			service := []string{"shop", "db", "nginx", "mail"}[i/6%4]
			if i%6 != 0 || service == "shop" && i > sessions-200 {
				continue
			}
			if err := tx.PutAct(b.Context(), store.Act{ID: fmt.Sprintf("year-%05d", i), SessionID: &id, Service: service, Action: statefile.Restart,
				Success: true, Tier: 2, Source: store.SourceReserved, ToolUseID: fmt.Sprintf("toolu_%05d", i), CreatedAt: at}); err != nil {
				return err
			}
		}
		return nil
	}))
	return d
}
