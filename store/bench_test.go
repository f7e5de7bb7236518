package store

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
)

func BenchmarkOpen(b *testing.B) {
	path := filepath.Join(b.TempDir(), FileName)
	for _, bm := range []struct {
		name string
		mode Mode
	}{{"writing", ReadWrite}, {"reading", ReadOnly}} {
		b.Run(bm.name, func(b *testing.B) {
			for b.Loop() {
				s, err := Open(b.Context(), path, bm.mode)
				if err != nil {
					b.Fatal(err)
				}
				if err := s.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkCreate(b *testing.B) {
	for b.Loop() {
		s, err := Open(b.Context(), filepath.Join(b.TempDir(), FileName), ReadWrite)
		if err != nil {
			b.Fatal(err)
		}
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkMonthOfMinutes is a month of a cycle a minute over 50 services, by an injected clock: how large the database is at its end, and how
// long what a cycle writes takes. A service fails some four times in the month, for ten minutes.
func BenchmarkMonthOfMinutes(b *testing.B) {
	const services, month, most = 50, 30 * 24 * 60, 30 << 20
	for b.Loop() {
		s := must(Open(b.Context(), filepath.Join(b.TempDir(), FileName), ReadWrite))
		random := rand.New(rand.NewPCG(1, 2))
		down := make([]int, services) // for how many cycles yet
		must(s.db.ExecContext(b.Context(), `PRAGMA synchronous = OFF`))
		quiet := 0
		for minute := range month {
			at := noon.Add(time.Duration(minute) * time.Minute)
			s.Now = func() time.Time { return at }
			results := make([]check.Result, services)
			for n := range results {
				results[n] = check.Result{Service: fmt.Sprintf("service-%02d", n), Type: check.HTTP, Status: check.Healthy, ResponseTimeMS: new(10 + random.Int64N(200))}
				if down[n] == 0 && random.IntN(month/4) == 0 {
					down[n] = 10
				}
				if down[n] > 0 {
					down[n]--
					results[n].Status, results[n].Error = check.Down, "HTTP 502 from http://127.0.0.1:8080/health"
				}
			}
			if minuteOf(b, s, at, results) {
				quiet++
			}
		}
		must(s.db.ExecContext(b.Context(), `PRAGMA wal_checkpoint(TRUNCATE)`))
		size := must(os.Stat(s.path)).Size()
		b.ReportMetric(float64(size)/(1<<20), "MiB")
		b.ReportMetric(float64(month-quiet), "cycles-with-news")
		if size > most {
			b.Errorf("%d bytes, want at most %d", size, most)
		}
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N)/month, "ms/cycle")
}

// minuteOf is what a cycle of probes writes. It reports whether it was quiet.
func minuteOf(b *testing.B, s *Store, at time.Time, results []check.Result) bool {
	b.Helper()
	ctx := b.Context()
	id := must(s.AddSession(ctx, Session{Tier: 1, Agent: "probe", Trigger: "cron", Status: Running, StartedAt: at, RunToken: "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}))
	code := 0
	for _, err := range []error{
		s.SetSessionLog(ctx, id, fmt.Sprintf("/var/lib/claudeops/results/session-%d.ndjson", id)),
		s.SetSessionProcess(ctx, id, 12345, 678901, "3f6c9c1e-0b7d-4b6e-9f38-6a1d1f7c2a55"),
		s.AddProbed(ctx, id, at.Add(300*time.Millisecond), results, nil),
		s.EndSession(ctx, id, SessionEnd{Status: Completed, EndedAt: at.Add(400 * time.Millisecond), ExitCode: &code, DurationMS: 400}),
		s.AddEvent(ctx, Event{SessionID: &id, Level: Info, Message: "Tier 1 completed, $0.0000, 0 turns", CreatedAt: at}),
		s.AddCycle(ctx, CycleRow{Trigger: "cron", Outcome: CycleCompleted, StartedAt: at, DurationMS: 500}),
	} {
		if err != nil {
			b.Fatal(err)
		}
	}
	quiet := must(s.QuietSession(ctx, id))
	must(s.Prune(ctx, at.Add(-30*24*time.Hour), true, never))
	return quiet
}
