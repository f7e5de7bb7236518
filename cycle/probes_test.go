package cycle

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/handoff"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/tiers"
)

// alone runs Tier 1 without a model, and returns it with its record.
func (r *room) alone(ctx context.Context) (*tierRun, store.Session) {
	r.t.Helper()
	r.Trigger = "cron"
	run, err := r.tier(ctx, newRun(1, agentProbe, nil))
	must(r.t, err)
	s, err := r.Store.Session(r.t.Context(), run.session.ID)
	must(r.t, err)
	return run, s
}

// Its handoff is a value, checked and stored like an agent's. It has no process, writes no file and leaves no log.
func TestTier1WithoutAModel(t *testing.T) {
	d := newDesk(t)
	d.Config.ResultsDir = t.TempDir()
	var shown []string
	d.Progress = func(_ store.Session, p tiers.Progress) { shown = append(shown, p.Tool) }
	run, s := d.alone(t.Context())
	wantSame(t, []any{s.Status, s.Response, s.HandoffJSON}, []any{store.Completed, "services: 2 healthy", ""})
	wantSame(t, shown, []string{"", "1 of 2 checks made", "2 of 2 checks made"})
	if run.handoff != nil {
		t.Errorf("all is well, and it hands off %+v", run.handoff)
	}
	d.broken["shop"].Store(true)
	run, s = d.alone(t.Context())
	wantSame(t, []any{s.Status, s.Agent, s.PID, s.LogPath, *s.ExitCode}, []any{store.Completed, "probe", 0, "", 0})
	says := "services: 1 healthy, 1 down\n- shop (http) is down: HTTP 502\nTier 2 is asked for shop"
	if lines := strings.SplitN(s.Response, ";", 2); !strings.HasPrefix(s.Response, says[:50]) || !strings.HasSuffix(s.Response, "\nTier 2 is asked for shop") {
		t.Errorf("it reports %q", lines)
	}
	kept, err := handoff.Parse([]byte(s.HandoffJSON), 1)
	must(t, err)
	wantSame(t, kept.ServicesAffected, []string{"shop"})
	wantSame(t, run.handoff.ServicesAffected, []string{"shop"})
	wantSame(t, len(kept.CheckResults), 2)
	if _, err := os.Lstat(state.HandoffPath(d.Config)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("handoff.json: %v", err)
	}
	left, err := os.ReadDir(d.Config.ResultsDir)
	must(t, err)
	wantSame(t, len(left), 0)
	last, err := d.Store.SessionChecks(t.Context(), s.ID)
	must(t, err)
	if len(last) != 2 || last[0].Source != store.Probed {
		t.Errorf("its results are %+v", last)
	}
}

// What was found before a signal is kept, and starts nothing.
func TestASignalInTheMiddleOfTheChecks(t *testing.T) {
	r := newRoom(t)
	ctx, signal := context.WithCancelCause(t.Context())
	hangs := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, asked *http.Request) { <-asked.Context().Done() }))
	defer hangs.Close()
	var err error
	r.Inventory, err = inventory.Parse(fmt.Appendf(nil, `services:
  - {name: shop, checks: [{type: service, address: "127.0.0.1:1", attempts: 1}]}
  - {name: slow, checks: [{type: http, url: %q, timeout: 1m, attempts: 1}]}
`, hangs.URL))
	must(t, err)
	r.begin()
	r.Config.Tier1Timeout = time.Minute
	r.Progress = func(_ store.Session, p tiers.Progress) {
		if p.Tool != "" {
			signal(errors.New("ended by signal: terminated"))
		}
	}
	run, s := r.alone(ctx)
	wantSame(t, []any{s.Status, s.Error, s.ExitCode, s.HandoffJSON}, []any{store.Interrupted, "stopped: ended by signal: terminated", (*int)(nil), ""})
	if run.handoff != nil || len(run.checks) != 1 || run.checks[0].Status != check.Down {
		t.Errorf("handoff %+v, results %+v", run.handoff, run.checks)
	}
	wantSame(t, len(r.told(store.AgentFailing)), 0)
}

// A check that there was no time for is unknown.
func TestChecksWithoutTime(t *testing.T) {
	d := newDesk(t)
	d.Config.Tier1Timeout = time.Nanosecond
	_, s := d.alone(t.Context())
	wantSame(t, s.Status, store.Completed)
	wantSame(t, s.Response, "services: 0 healthy, 2 unknown\n- shop (http) is unknown: there was no time for it within 0 s: see CLAUDEOPS_TIER1_TIMEOUT\n- mail (http) is unknown: there was no time for it within 0 s: see CLAUDEOPS_TIER1_TIMEOUT")
}
