package dashboard

import (
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/store"
)

// A schedule without a zone uses this process's zone, which these tests set to UTC.
func init() { time.Local = time.UTC }

var morning = time.Date(2026, 3, 10, 9, 0, 0, 0, time.UTC)

// house is a state directory with a real database, a writer of it, a dashboard that reads it, and a clock that the test moves.
type house struct {
	*Instance
	t     *testing.T
	dir   string
	clock *atomic.Pointer[time.Time]
	store *store.Store // for writing; nil without a database
	inv   *inventory.Inventory
}

// houseIn returns a house in dir, where nothing is created.
func houseIn(t *testing.T, dir string) *house {
	t.Helper()
	h := &house{t: t, dir: dir, clock: &atomic.Pointer[time.Time]{}}
	h.at(morning)
	c := config.Config{StateDir: dir, ResultsDir: filepath.Join(dir, "results"), MaxRemediationsPerDay: 12, MaxTier: 3}
	h.serve(Options{Config: c, Inventory: func() *inventory.Inventory { return h.inv }})
	return h
}

func (h *house) serve(o Options) {
	o.Now = h.time
	h.Instance = New(o)
}

// newHouse returns a house with an empty database.
func newHouse(t *testing.T) *house {
	t.Helper()
	h := houseIn(t, t.TempDir())
	h.write()
	return h
}

// write opens the database for writing by the test.
func (h *house) write() {
	h.t.Helper()
	var err error
	h.store, err = store.Open(h.t.Context(), h.path(), store.ReadWrite)
	fine(h.t, err)
	h.store.Now = h.time
	s := h.store
	h.t.Cleanup(func() { fine(h.t, s.Close()) })
}

func (h *house) path() string          { return filepath.Join(h.dir, store.FileName) }
func (h *house) time() time.Time       { return *h.clock.Load() }
func (h *house) at(t time.Time)        { h.clock.Store(&t) }
func (h *house) pass(by time.Duration) { h.at(h.time().Add(by)) }

// found stores one batch of results, one for each status.
func (h *house) found(at time.Time, service string, statuses ...check.Status) {
	h.t.Helper()
	results := make([]check.Result, len(statuses))
	for n, status := range statuses {
		results[n] = check.Result{Service: service, Type: check.HTTP, Status: status}
	}
	fine(h.t, h.store.AddChecks(h.t.Context(), store.Reported, 0, at, results))
}

// cycle stores a cycle that took a minute.
func (h *house) cycle(began time.Time, outcome string) {
	h.t.Helper()
	fine(h.t, h.store.AddCycle(h.t.Context(), store.CycleRow{Trigger: "cron", Outcome: outcome, StartedAt: began, DurationMS: 60_000}))
}

func (h *house) incident(service string, status check.Status, opened time.Time) int64 {
	h.t.Helper()
	return got(h.store.OpenIncident(h.t.Context(), store.Incident{Service: service, Status: status, OpenedAt: opened}))(h.t)
}

func (h *house) notify(n store.Notification) {
	h.t.Helper()
	if id := got(h.store.AddNotification(h.t.Context(), n))(h.t); id == 0 {
		h.t.Fatalf("not queued: %+v", n)
	}
}

// forget discards everything that was read.
func (h *house) forget() {
	h.Changed()
}

// overview returns the current first page.
func (h *house) overview() *Overview {
	h.t.Helper()
	h.forget()
	return got(h.Overview(h.t.Context()))(h.t)
}

func fine(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func got[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		fine(t, err)
		return v
	}
}
