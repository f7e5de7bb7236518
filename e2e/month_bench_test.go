package e2e

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/store"
)

// BenchmarkMonthOfMinutes simulates a month with a cycle each minute and 50 services, by an injected clock. It measures how long the writes
// of a cycle take, the size of the database at the end, and how long the list of sessions and the first page take then. A service fails
// about four times in the month, for ten minutes each. Goals: at most 128 MB, and a p95 of at most 100 ms for /, requested 50 times a
// second.
func BenchmarkMonthOfMinutes(b *testing.B) {
	const services, month, most = 50, 30 * 24 * 60, 128 << 20
	program := release(b, "claudeops")
	dir, environ := stage(b)
	inventory, _ := fleet(b, services)
	envFile, database := filepath.Join(dir, "env"), filepath.Join(dir, "state", store.FileName)
	put(b, envFile, fmt.Sprintf("CLAUDEOPS_STATE_DIR=%s\nCLAUDEOPS_RESULTS_DIR=%s\nCLAUDEOPS_INVENTORY=%s\n", filepath.Join(dir, "state"), filepath.Join(dir, "results"), inventory))
	s, err := store.Open(b.Context(), database, store.ReadWrite)
	if err != nil {
		b.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	down := make([]int, services) // for how many more cycles
	began, first, news := time.Now(), time.Now().Add(-month*time.Minute), 0
	for minute := range month {
		at := first.Add(time.Duration(minute) * time.Minute)
		s.Now = func() time.Time { return at }
		results := make([]check.Result, services)
		for n := range results {
			results[n] = check.Result{Service: fmt.Sprintf("service-%05d", n), Type: check.HTTP, Status: check.Healthy, ResponseTimeMS: new(10 + random.Int64N(200))}
			if down[n] == 0 && random.IntN(month/4) == 0 {
				down[n] = 10
			}
			if down[n] > 0 {
				down[n]--
				results[n].Status, results[n].Error = check.Down, "HTTP 502 from http://127.0.0.1:8080/health"
			}
		}
		quiet, err := minuteOf(b.Context(), s, at, results)
		if err != nil {
			b.Fatal(err)
		}
		if !quiet {
			news++
		}
	}
	wrote := time.Since(began)
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
	file, err := os.Stat(database)
	if err != nil {
		b.Fatal(err)
	}
	if file.Size() > most {
		b.Errorf("%d bytes, want at most %d", file.Size(), most)
	}
	var listed []time.Duration
	for range leastPairs {
		cmd := exec.Command(program, "sessions", "list", "--env-file", envFile)
		cmd.Env = environ
		start := time.Now()
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("sessions list: %v\n%s", err, out)
		}
		listed = append(listed, time.Since(start))
	}
	d := serveDashboard(b, program, envFile)
	home := func() string { return "/" }
	d.ask(b, home()) // fills the caches
	for b.Loop() {
		took := d.load(b, askedPerSecond, askedFor, home)
		b.ReportMetric(milliseconds(share(took, 0.5)), "ms/p50")
		b.ReportMetric(milliseconds(share(took, 0.95)), "ms/p95")
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(milliseconds(median(listed)), "ms/list")
	b.ReportMetric(float64(file.Size())/(1<<20), "MiB")
	b.ReportMetric(float64(news), "cycles-with-news")
	b.ReportMetric(milliseconds(wrote)/month, "ms/cycle")
}

// minuteOf writes what a cycle of probes does, and reports whether it was quiet.
func minuteOf(ctx context.Context, s *store.Store, at time.Time, results []check.Result) (quiet bool, err error) {
	id, err := s.AddSession(ctx, store.Session{Tier: 1, Agent: "probe", Trigger: "cron", Status: store.Running, StartedAt: at, RunToken: "ABCDEFGHIJKLMNOPQRSTUVWXYZ"})
	if err != nil {
		return false, err
	}
	code := 0
	for _, err := range []error{
		s.SetSessionLog(ctx, id, fmt.Sprintf("/var/lib/claudeops/results/session-%d.ndjson", id)),
		s.SetSessionProcess(ctx, id, 12345, 678901, "3f6c9c1e-0b7d-4b6e-9f38-6a1d1f7c2a55"),
		s.AddChecks(ctx, store.Probed, id, at.Add(300*time.Millisecond), results),
		s.EndSession(ctx, id, store.Session{Status: store.Completed, EndedAt: new(at.Add(400 * time.Millisecond)), ExitCode: &code, DurationMS: 400}),
		s.AddEvent(ctx, store.Event{SessionID: &id, Level: store.Info, Message: "Tier 1 completed, $0.0000, 0 turns", CreatedAt: at}),
		s.AddCycle(ctx, store.CycleRow{Trigger: "cron", Outcome: store.CycleCompleted, StartedAt: at, DurationMS: 500}),
	} {
		if err != nil {
			return false, err
		}
	}
	if quiet, err = s.QuietSession(ctx, id); err != nil {
		return false, err
	}
	_, err = s.Prune(ctx, at.Add(-30*24*time.Hour), true, func() bool { return false })
	return quiet, err
}
