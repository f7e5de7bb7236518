package ledger_test

import (
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

func TestWhatAnAgentChangesInItsCopy(t *testing.T) {
	added := func(at time.Time) func(*statefile.State) {
		return func(st *statefile.State) {
			st.Add("shop", statefile.Restart, statefile.Record{Timestamp: statefile.At(at), Success: true, ID: "forged"})
		}
	}
	empties := func(st *statefile.State) { st.Services["shop"] = &statefile.Service{} }
	for name, tt := range map[string]struct {
		tier    int
		ran     int // by the broker before it
		healthy int // cycles before the session
		edit    func(*statefile.State)
		count   int    // restarts of shop afterwards; two are from before
		streak  int    // healthy cycles afterwards
		says    string // the notice
	}{
		"nothing":           {2, 0, 0, func(*statefile.State) {}, 2, 0, ""},
		"added":             {2, 0, 0, added(noon), 3, 0, ""},
		"added, long ago":   {2, 0, 0, added(ago(9000)), 3, 0, ""},
		"added, in a year":  {2, 0, 0, added(noon.Add(8760 * time.Hour)), 3, 0, ""},
		"what ran":          {2, 1, 0, added(noon), 3, 0, ""},
		"twice what ran":    {2, 1, 0, func(st *statefile.State) { added(noon)(st); added(noon)(st) }, 4, 0, ""},
		"removed":           {2, 0, 0, empties, 2, 0, "removed or altered the restart of shop at 2026-03-01T09:00:00Z and the restart"},
		"all removed":       {2, 0, 0, func(st *statefile.State) { st.Services = nil }, 2, 0, "removed or altered"},
		"backdated":         {2, 0, 0, func(st *statefile.State) { st.Services["shop"].Restarts[0].Timestamp = statefile.At(ago(9)) }, 2, 0, "removed or altered"},
		"without its id":    {2, 0, 0, func(st *statefile.State) { st.Services["shop"].Restarts[0].ID = "" }, 2, 0, "removed or altered"},
		"a count":           {2, 0, 0, func(st *statefile.State) { st.Ensure("shop").ConsecutiveHealthy = 2 }, 2, 0, ""},
		"a name of no one":  {2, 0, 0, func(st *statefile.State) { st.Add("a\x1b", statefile.Restart, statefile.Record{}) }, 2, 0, ""},
		"Tier 1 adds":       {1, 0, 0, added(noon), 2, 0, "an agent recorded the restart of shop"},
		"Tier 1 counts":     {1, 0, 0, func(st *statefile.State) { st.Ensure("shop").ConsecutiveHealthy = 1 }, 2, 1, ""},
		"Tier 1 empties":    {1, 0, 1, empties, 2, statefile.HealthyToReset, ""},
		"Tier 1, too early": {1, 0, 0, empties, 2, 0, "removed or altered"},
		"Tier 2 empties":    {2, 0, 1, empties, 2, 1, "removed or altered"},
		"Tier 1 erases it":  {1, 0, 1, func(st *statefile.State) { delete(st.Services, "shop") }, 2, 1, "removed or altered"},
		"an unknown member": {2, 0, 0, func(st *statefile.State) { st.Extra = []byte(`{"x":1}`) }, 2, 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			d.Writes(shopTwice)
			d.Edits(func(st *statefile.State) { st.Services["shop"].ConsecutiveHealthy = tt.healthy })
			d.AdoptFile()
			d.Session(tt.tier)
			for range tt.ran {
				d.begins("shop", statefile.Restart)
			}
			found := d.Tampers(tt.edit)
			if tt.says == "" && len(found) > 0 || tt.says != "" && (len(found) != 1 || !strings.Contains(found[0].Message, tt.says)) {
				t.Errorf("told as %+v", found)
			}
			for _, n := range found {
				same(t, n.Level == store.Critical, strings.Contains(tt.says, "removed"))
			}
			d.wantRestarts("shop", tt.count)
			same(t, d.Reads().Service("shop").ConsecutiveHealthy, tt.streak)
			d.WantAgreement()
		})
	}
}

// That an agent erases records is told with its event, or neither is written.
func TestErasedRecordsAreTold(t *testing.T) {
	d := newFixture(t)
	d.Writes(shopTwice)
	d.AdoptFile()
	session := must(d.Store.Session(t.Context(), d.Session(2)))
	erase := func() error { return d.AddFromCopy(t.Context(), session, d.Reads(), statefile.New(), d.Added) }
	edit(t, d.Path(), `CREATE TRIGGER untold BEFORE INSERT ON notifications BEGIN SELECT RAISE(ABORT, 'untold'); END`)
	wantError(t, erase(), nil, "untold")
	d.wantEvents("removed or altered", 0)
	edit(t, d.Path(), `DROP TRIGGER untold`)
	ok(t, erase())
	d.wantEvents("removed or altered", 1)
	d.WantTold(store.HumanAttention, "An agent tampered with cooldown records",
		"- an agent removed or altered the restart of shop", "Everything: `claudeops sessions show 1 --commands`, `claudeops events --session 1`")
}

// Over several calls, as many count as exceed what the broker recorded.
func TestTheCopiesOfASessionCountTogether(t *testing.T) {
	d := newFixture(t)
	d.Session(2)
	adds := func() {
		d.Tampers(func(st *statefile.State) {
			st.Add("shop", statefile.Restart, statefile.Record{Timestamp: statefile.At(noon)})
		})
	}
	adds()
	adds()
	d.wantRestarts("shop", 2)
	d.begins("shop", statefile.Restart)
	adds()
	d.wantRestarts("shop", 3)
	adds()
	d.wantRestarts("shop", 4)
}

// A kill may come once a copy is taken over and before the next one is handed out, or while that is written.
func TestACopyIsTakenOverOnceWheneverAKillComes(t *testing.T) {
	d := newFixture(t)
	d.Session(2)
	session := must(d.Store.Session(t.Context(), d.Config.Agent.SessionID))
	issued, left := d.Reads(), d.Reads()
	left.Add("shop", statefile.Restart, statefile.Record{Timestamp: statefile.At(noon)})
	for _, copied := range []*statefile.State{left, left, nil} {
		if copied == nil {
			copied = d.Reads()
		}
		d.Added = ledger.Added{}
		ok(t, d.AddFromCopy(t.Context(), session, issued, copied, d.Added))
		d.wantRestarts("shop", 1)
	}
}

func TestAnAgentAddsFewRecords(t *testing.T) {
	d := newFixture(t)
	d.Session(2)
	d.Tampers(func(st *statefile.State) {
		for range 1000 {
			st.Add("shop", statefile.Restart, statefile.Record{Timestamp: statefile.At(noon), Error: strings.Repeat("hunter22 ", 1000)})
		}
	})
	taken := d.Reads().Service("shop").Restarts
	if len(taken) != 100 || len([]rune(taken[0].Error)) > 400 || strings.Contains(taken[0].Error, "hunter22") {
		t.Errorf("%d records, the first %.100v", len(taken), taken[0])
	}
}
