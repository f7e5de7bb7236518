package cycle

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/store"
)

// onlyLooks runs a complete scheduled cycle that only makes checks.
func (r *room) onlyLooks(at time.Time, status check.Status) (store.Session, error) {
	r.t.Helper()
	ctx := r.t.Context()
	r.again(at)
	run := r.begins(1)
	must(r.t, r.Store.AddChecks(ctx, store.Probed, run.session.ID, at, []check.Result{{Service: "shop", Type: check.HTTP, Status: status}}))
	must(r.t, r.Store.EndSession(ctx, run.session.ID, store.Session{Status: store.Completed, EndedAt: new(at)}))
	r.summary = Summary{StartedAt: at, Tiers: []TierSummary{{Session: run.session.ID, Tier: 1, Agent: agentProbe, Status: store.Completed}}}
	failed := r.finish(ctx, store.CycleCompleted)
	s, err := r.Store.Session(ctx, run.session.ID)
	must(r.t, err)
	return s, failed
}

func newRoomWithLogs(t *testing.T) *room {
	t.Helper()
	r := newRoom(t)
	r.Config.ResultsDir, r.Config.LogMax, r.Config.Retention, r.Trigger = t.TempDir(), 3, 720*time.Hour, "cron"
	return r
}

// A quiet cycle leaves no log, so only other cycles list the directory of logs, which may be large.
func TestLogsAreLimitedWhereACycleLeavesOne(t *testing.T) {
	r := newRoomWithLogs(t)
	old := filepath.Join(r.Config.ResultsDir, "session-0.ndjson")
	for n, tt := range []struct {
		status      check.Status
		quiet, left bool
	}{{check.Healthy, false, false}, {check.Healthy, true, true}, {check.Degraded, false, false}} {
		must(t, os.WriteFile(old, []byte("too long"), 0o600))
		must(t, os.Chtimes(old, night, night))
		s, err := r.onlyLooks(night.Add(time.Duration(n)*time.Minute), tt.status)
		must(t, err)
		_, err = os.Stat(old)
		wantSame(t, []bool{s.Quiet, err == nil}, []bool{tt.quiet, tt.left})
	}
}
