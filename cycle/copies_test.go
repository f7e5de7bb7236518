package cycle

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// newCopies returns the issued copies for a session of a tier.
func newCopies(t *testing.T, tier int) *copies {
	t.Helper()
	r := newRoom(t)
	p := &copies{Cycle: r.Cycle, session: r.ran(tier, night, store.Completed, 0, ""), dir: filepath.Join(t.TempDir(), "state"), added: records.Added{}}
	must(t, os.Mkdir(p.dir, 0o700))
	must(t, p.syncCopies(t.Context()))
	return p
}

func TestAnAgentDoesNotFillTheFile(t *testing.T) {
	p := newCopies(t, 2)
	must(t, os.WriteFile(p.path(), []byte(`{"services": {}, "a": "`+strings.Repeat("x", 5<<20)+`"}`), 0o600))
	must(t, p.syncCopies(t.Context()))
	is, err := os.Stat(statefile.Path(p.Config.StateDir))
	must(t, err)
	if is.Size() > 1<<10 {
		t.Errorf("cooldown.json has %d bytes", is.Size())
	}
	must(t, os.WriteFile(p.path(), []byte(`{"services": {"web": {"restarts": [{"timestamp": "2026-11-21T02:59:00Z", "success": true, "tier": 2}]}}}`), 0o600))
	must(t, p.syncCopies(t.Context()))
	st, err := p.State(t.Context())
	must(t, err)
	if len(st.Service("web").Restarts) != 1 {
		t.Errorf("a record that was added behind it: %+v", st.Service("web"))
	}
}

func TestAnAgentClosesItsFolder(t *testing.T) {
	p := newCopies(t, 1)
	must(t, os.Chmod(p.dir, 0))
	must(t, p.syncCopies(t.Context()))
	if is, err := os.Stat(p.dir); err != nil || is.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v; want a folder that the cycle reads", is, err)
	}
}
