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
func (r *room) onlyLooks(at time.Time, status check.Status, log string) (store.Session, error) {
	r.t.Helper()
	ctx := r.t.Context()
	r.again(at)
	run := r.begins(1)
	must(r.t, r.Store.AddProbed(ctx, run.session.ID, at, []check.Result{{Service: "shop", Type: check.HTTP, Status: status}}, nil))
	must(r.t, r.Store.EndSession(ctx, run.session.ID, store.SessionEnd{Status: store.Completed, EndedAt: at}))
	if log == "a folder" {
		must(r.t, os.MkdirAll(filepath.Join(r.logPath(run.session.ID), "in it"), 0o700))
	} else {
		must(r.t, os.WriteFile(r.logPath(run.session.ID), []byte(log), 0o600))
	}
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
		must(t, os.WriteFile(old, []byte("old"), 0o600))
		must(t, os.Chtimes(old, night, night))
		s, err := r.onlyLooks(night.Add(time.Duration(n)*time.Minute), tt.status, "new")
		must(t, err)
		_, err = os.Stat(old)
		_, own := os.Stat(r.logPath(s.ID))
		wantSame(t, []bool{s.Quiet, err == nil, own == nil}, []bool{tt.quiet, tt.left, !tt.quiet})
	}
}

// A cycle is not quiet if its log cannot be removed: its record still names the log.
func TestALogThatStaysIsNamed(t *testing.T) {
	r := newRoomWithLogs(t)
	_, err := r.onlyLooks(night, check.Healthy, "")
	must(t, err)
	s, err := r.onlyLooks(night.Add(time.Minute), check.Healthy, "a folder")
	if err == nil || s.Quiet {
		t.Errorf("quiet %v, error %v", s.Quiet, err)
	}
}
