package cycle

import (
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// workplace returns where a session of Tier 2 works.
func (r *room) workplace() *workplace {
	r.t.Helper()
	r.Table = guard.BuiltIn()
	run := &tierRun{session: r.ran(2, night, store.Completed, 0, "")}
	run.session.Agent = store.FirstAid // which needs no shim
	w, err := r.openWorkplace(r.t.Context(), run)
	must(r.t, err)
	return w
}

// Of what an agent leaves only records count, however much it writes.
func TestAnAgentDoesNotFillTheFile(t *testing.T) {
	r := newRoom(t)
	w := r.workplace()
	for _, left := range []string{
		`{"services": {}, "a": "` + strings.Repeat("x", 5<<20) + `"}`,
		`{"services": {"web": {"restarts": [{"timestamp": "2026-11-21T02:59:00Z", "success": true, "tier": 2}]}}}`,
	} {
		must(t, os.WriteFile(statefile.Path(w.ws.State()), []byte(left), 0o600))
		must(t, w.Read(t.Context(), "", "/etc/passwd", 1, 1, io.Discard))
	}
	must(t, r.closeWorkplace(t.Context(), w))
	is, err := os.Stat(statefile.Path(r.Config.StateDir))
	must(t, err)
	if is.Size() > 1<<10 {
		t.Errorf("cooldown.json has %d bytes", is.Size())
	}
	st, err := r.State(t.Context())
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
	w := r.workplace()
	must(t, os.Remove(statefile.Path(w.ws.State())))
	must(t, os.MkdirAll(statefile.Path(w.ws.State())+"/x", 0o700))
	must(t, r.closeWorkplace(t.Context(), w))
	st, err := r.State(t.Context())
	must(t, err)
	wantSame(t, len(st.Service("shop").Restarts), 1)
	wantSame(t, len(r.told(store.HumanAttention)), 1)
}
