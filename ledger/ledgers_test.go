package ledger_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/internal/mask"
	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/testkit/denied"
	"github.com/claudeops/claudeops/testkit/recording"
)

func TestReserveRecordsInFileAndStore(t *testing.T) {
	d := newFixture(t)
	session := d.Session(2)
	d.Time = noon.Add(700 * time.Millisecond)
	ok(t, d.reserves("toolu_1", recording.Restart("db")))
	d.WantAgreement()
	d.wantRestarts("db", 1)
	r := d.Reads().Service("db").Restarts[0]
	same(t, r, statefile.Record{Timestamp: statefile.At(noon), Error: store.InProgress, Tier: 2, ActionDetail: "docker restart db", ID: r.ID})
	acts := must(d.Store.SessionActs(t.Context(), session))
	same(t, acts, []store.Act{{ID: r.ID, SessionID: &session, Service: "db", Action: statefile.Restart, Error: store.InProgress, Tier: 2, Source: store.SourceReserved,
		ToolUseID: "toolu_1", Detail: "docker restart db", CreatedAt: noon}})
}

func TestReserveNothingThatIsNotPermitted(t *testing.T) {
	d := newFixture(t)
	d.Writes(shopTwice)
	d.AdoptFile()
	session := d.Session(2)
	before := d.Reads()
	wantError(t, d.Reserve(t.Context(), "toolu_1", recording.Restart("shop"), refuses), errRefused)
	same(t, d.Reads(), before)
	same(t, len(must(d.Store.SessionActs(t.Context(), session))), 0)
}

// A corrupt file is replaced even if the reservation is then refused or fails.
func TestErrorsDropNoNotices(t *testing.T) {
	for says, do := range map[string]func(*fixture) error{
		"refused": func(d *fixture) error { return d.Reserve(d.T.Context(), "toolu_1", recording.Restart("shop"), refuses) },
		"not changed": func(d *fixture) error {
			return d.UpdateState(d.T.Context(), func(*statefile.State) error { return errors.New("not changed") })
		},
		"not cleared": func(d *fixture) error {
			edit(d.T, d.Path(), `CREATE TRIGGER broken BEFORE UPDATE OF cleared_at ON cooldown_actions BEGIN SELECT RAISE(ABORT, 'not cleared'); END`)
			return d.Round(d.T.Context(), recovery)
		},
	} {
		t.Run(says, func(t *testing.T) {
			d := newFixture(t)
			d.Writes(shopTwice)
			d.AdoptFile()
			d.Session(2)
			d.Writes("{")
			wantError(t, do(d), nil, says)
			d.wantEvents("was moved to", 1)
		})
	}
}

// wantEvents fails unless exactly n events contain text.
func (d *fixture) wantEvents(text string, want int) {
	d.T.Helper()
	count := 0
	for _, e := range must(d.Store.Events(d.T.Context(), store.EventFilter{})) {
		if strings.Contains(e.Message, text) {
			count++
		}
	}
	same(d.T, count, want)
}

// The two earlier restarts count, and what the agent adds to its copy beyond what the broker recorded.
func TestReserveCounts(t *testing.T) {
	added := func(at time.Time) func(*statefile.State) {
		return func(st *statefile.State) {
			st.Add("shop", statefile.Restart, statefile.Record{Timestamp: statefile.At(at), Success: true})
		}
	}
	for name, tt := range map[string]struct {
		reserved int // before the edit
		edit     func(*statefile.State)
		count    int // before one more is reserved
	}{
		"nothing done":           {0, func(*statefile.State) {}, 2},
		"told before":            {0, added(noon), 3},
		"told, without a time":   {0, added(time.Time{}), 3},
		"told, dated before":     {0, added(ago(3)), 3},
		"told, dated long ago":   {0, added(ago(9000)), 3},
		"two reserved":           {2, func(*statefile.State) {}, 4},
		"one reserved and told":  {1, added(noon), 3},
		"one reserved, two told": {1, func(st *statefile.State) { added(noon)(st); added(noon)(st) }, 4},
		"two reserved, one told": {2, added(noon), 4},
		"erased":                 {1, func(st *statefile.State) { st.Services = nil }, 3},
		"others told": {1, func(st *statefile.State) {
			st.Add("db", statefile.Restart, statefile.Record{Timestamp: statefile.At(noon), Success: true})
			st.Add("shop", statefile.Redeployment, statefile.Record{Timestamp: statefile.At(noon), Success: true})
		}, 3},
	} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			d.Writes(shopTwice)
			d.AdoptFile()
			d.Session(2)
			for range tt.reserved {
				d.begins("shop", statefile.Restart)
			}
			d.Tampers(tt.edit)
			d.wantRestarts("shop", tt.count)
			d.begins("shop", statefile.Restart)
			d.begins("mail", statefile.Restart)
			d.wantRestarts("shop", tt.count+1)
			d.Settle()
			d.wantRestarts("shop", tt.count+1)
			d.WantAgreement()
		})
	}
}

func TestReserveInALockedDatabase(t *testing.T) {
	d := newFixture(t)
	d.Session(2)
	before := d.Reads()
	t.Parallel() // a writer waits that long
	hold := must(raw(t, d.Path()).BeginTx(t.Context(), nil))
	wantError(t, d.reserves("toolu_1", recording.Restart("shop")), nil, "another program keeps it locked")
	same(t, d.Reads(), before)
	ok(t, hold.Rollback())
	ok(t, d.reserves("toolu_1", recording.Restart("shop")))
}

func TestReserveGivesUpWithItsContext(t *testing.T) {
	d := newFixture(t)
	d.Session(2)
	before := d.Reads()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	may := func(*statefile.State) error { return nil }
	wantError(t, d.Reserve(ended, "toolu_1", recording.Restart("shop"), may), context.Canceled)
	same(t, d.Reads(), before)
}

// If the database fails after the file was written, nothing is granted, but the records in the file count.
func TestReserveWhenTheDatabaseFailsAfterTheFile(t *testing.T) {
	d := newFixture(t)
	d.Session(2)
	lives := d.killed("INSERT")
	wantError(t, d.reserves("toolu_1", recording.Restart("shop")), nil, "commit")
	d.wantRestarts("shop", 1)
	lives()
	ok(t, d.reserves("toolu_1", recording.Restart("shop")))
	ok(t, d.Complete(t.Context(), "toolu_1", "", 0))
	d.Settle()
	d.AdoptFile()
	d.wantRestarts("shop", 2) // the first was not granted, but that is not known later
	d.WantAgreement()
	both := d.Reads().Service("shop").Restarts
	if both[0].Error != ledger.Unreported || !both[1].Success {
		t.Errorf("the records are %+v", both)
	}
}

// reserveOnFullDisk runs in another process of the test binary.
func reserveOnFullDisk(dir string) error {
	d, err := inSession1(dir)
	if err != nil {
		return err
	}
	if err := denied.Space(100); err != nil {
		return err
	}
	if err := d.Reserve(context.Background(), "toolu_1", recording.Restart("mail"), func(*statefile.State) error { return nil }); err == nil || !strings.Contains(err.Error(), "file too large") {
		return errors.Join(errors.New("want: file too large"), err)
	}
	return nil
}

// inSession1 opens the records of a directory for the agent of its first session, like another process or user.
func inSession1(dir string) (*ledger.Records, error) {
	c := config.Config{StateDir: dir, Agent: config.Agent{SessionID: 1, Tier: 2}}
	// With a context that can end, the driver would work on another thread.
	return ledger.Open(context.Background(), c, mask.New(nil), func() time.Time { return noon }, store.ReadWrite)
}

func TestReserveOnAFullDisk(t *testing.T) {
	d := newFixture(t)
	d.Writes(shopTwice)
	d.AdoptFile()
	session := d.Session(2)
	before := d.Reads()
	ok(t, another(t, d.Dir).Run())
	same(t, d.Reads(), before)
	same(t, len(must(d.Store.SessionActs(t.Context(), session))), 0)
	for _, name := range names(t, d.Dir) {
		if strings.HasPrefix(name, ".") {
			t.Errorf("left behind: %s", name)
		}
	}
}

func TestReserveInADirectoryThatMayNotBeWritten(t *testing.T) {
	d := newFixture(t)
	d.Writes(shopTwice)
	d.AdoptFile()
	d.Session(2)
	before := must(os.ReadFile(statefile.Path(d.Dir)))
	denied.Writing(t, d.Dir, func() {
		r, err := inSession1(d.Dir)
		if err != nil {
			return // refused even earlier
		}
		err = r.Reserve(context.Background(), "toolu_1", recording.Restart("mail"), func(*statefile.State) error { return nil })
		if err == nil || !strings.Contains(err.Error(), "as the owner") && !errors.Is(err, os.ErrPermission) {
			t.Errorf("error %v", err)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	same(t, string(must(os.ReadFile(statefile.Path(d.Dir)))), string(before))
}
