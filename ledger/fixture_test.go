package ledger_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/testkit/recording"
)

type fixture struct {
	*recording.Fixture
	toolUses int          // number of tool uses in begins
	shop     notify.About // in tests of proposals
}

func newFixture(t testing.TB) *fixture { return &fixture{Fixture: recording.New(t)} }

// begins reserves a remediation in the session regardless of the limits, with the tool use ids toolu_1, toolu_2 and so on.
func (d *fixture) begins(service string, action statefile.Action) {
	d.T.Helper()
	d.toolUses++
	ok(d.T, d.reserves(fmt.Sprintf("toolu_%d", d.toolUses), store.Act{Service: service, Action: action}))
}

func (d *fixture) wantRestarts(service string, want int) {
	d.T.Helper()
	if got := statefile.Count(must(d.State(d.T.Context())).Service(service).Restarts, statefile.Restart, d.Time).Used; got != want {
		d.T.Errorf("%s: %d restarts count, want %d", service, got, want)
	}
}

// reserves reserves an act that nothing stands in the way of.
func (d *fixture) reserves(toolUse string, wanted store.Act) error {
	return d.Reserve(d.T.Context(), toolUse, wanted, func(*statefile.State) error { return nil })
}

// errRefused is why an act may not be done, in tests of what a refusal does.
var errRefused = errors.New("refused")

func refuses(*statefile.State) error { return errRefused }

func (d *fixture) wantGranted(wanted store.Act) {
	d.T.Helper()
	d.Time = d.Time.Add(time.Second) // each tool use takes some time
	ok(d.T, d.reserves(d.ToolUse(), wanted))
}
