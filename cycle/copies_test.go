package cycle

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// Of what an agent leaves only records count, however much it writes.
func TestAnAgentDoesNotFillTheFile(t *testing.T) {
	r := newRoom(t)
	p := &copies{Cycle: r.Cycle, session: r.ran(2, night, store.Completed, 0, ""), dir: t.TempDir()}
	for _, left := range []string{
		`{"services": {}, "a": "` + strings.Repeat("x", 5<<20) + `"}`,
		`{"services": {"web": {"restarts": [{"timestamp": "2026-11-21T02:59:00Z", "success": true, "tier": 2}]}}}`,
	} {
		must(t, p.sync(t.Context()))
		must(t, os.WriteFile(statefile.Path(p.dir), []byte(left), 0o600))
	}
	must(t, p.sync(t.Context()))
	is, err := os.Stat(statefile.Path(p.Config.StateDir))
	must(t, err)
	if is.Size() > 1<<10 {
		t.Errorf("cooldown.json has %d bytes", is.Size())
	}
	st, err := p.State(t.Context())
	must(t, err)
	if len(st.Service("web").Restarts) != 1 {
		t.Errorf("a record that was added behind it: %+v", st.Service("web"))
	}
}

// Of what cannot be read any more nothing is lost, and that it was removed is told.
func TestAnAgentRemovesItsCopy(t *testing.T) {
	r := newRoom(t)
	r.Config.Agent.SessionID, r.Config.Agent.Tier = r.ran(2, earlier(time.Hour), store.Completed, 0, "").ID, 2
	must(t, r.reserve("one", statefile.Restart))
	p := &copies{Cycle: r.Cycle, session: r.ran(2, night, store.Completed, 0, ""), dir: t.TempDir()}
	must(t, p.sync(t.Context()))
	must(t, os.Remove(statefile.Path(p.dir)))
	must(t, os.MkdirAll(statefile.Path(p.dir)+"/x", 0o700))
	must(t, p.sync(t.Context()))
	st, err := p.State(t.Context())
	must(t, err)
	wantSame(t, len(st.Service("shop").Restarts), 1)
	wantSame(t, len(r.told(store.HumanAttention)), 1)
}
