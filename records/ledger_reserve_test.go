package records

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

func permitAll(*statefile.State, *store.Tx) error { return nil }

// wants is a reservation of one restart of each service.
func wants(session int64, services ...string) Reservation {
	r := Reservation{SessionID: session, Tier: 2, ToolUseID: "toolu_1"}
	for _, s := range services {
		r.Wanted = append(r.Wanted, Wanted{Service: s, Action: statefile.Restart, Detail: "docker restart " + s})
	}
	return r
}

func TestReserveRecordsInFileAndStore(t *testing.T) {
	d := newDesk(t)
	session := d.session(2)
	d.now = noon.Add(700 * time.Millisecond)
	ok(t, d.Reserve(t.Context(), wants(session, "shop", "db", "shop"), permitAll))
	d.wantAgreement()
	d.wantRestarts("shop", 2)
	d.wantRestarts("db", 1)
	r := d.reads().Service("db").Restarts[0]
	same(t, r, statefile.Record{Timestamp: statefile.At(noon), Error: store.InProgress, Tier: 2, ActionDetail: "docker restart db", ID: r.ID})
	acts := must(d.store.ToolUseActs(t.Context(), session, "toolu_1"))
	same(t, len(acts), 3)
	i := slices.IndexFunc(acts, func(a store.Act) bool { return a.Service == "db" })
	same(t, acts[i], store.Act{ID: r.ID, SessionID: &session, Service: "db", Action: statefile.Restart, Error: store.InProgress, Tier: 2, Source: store.SourceGuard,
		ToolUseID: "toolu_1", CreatedAt: noon})
}

func TestReserveNothingThatIsNotPermitted(t *testing.T) {
	d := newDesk(t)
	d.writes(shopTwice)
	d.adopt()
	session := d.session(2)
	before := d.reads()
	no := errors.New("no")
	var used, today int
	err := d.Reserve(t.Context(), wants(session, "db", "shop"), func(counting *statefile.State, tx *store.Tx) error {
		used = counting.Position("shop", statefile.Restart, d.now).Used
		today = len(must(tx.ActTimes(t.Context(), "shop", ago(24))))
		return no
	})
	if err != no { //nolint:errorlint // as it is
		t.Errorf("error %v, want %v", err, no)
	}
	same(t, []int{used, today}, []int{2, 2})
	same(t, d.reads(), before)
	same(t, len(must(d.store.SessionActs(t.Context(), session))), 0)
}

func TestReserveInNoSession(t *testing.T) {
	d := newDesk(t)
	d.adopt()
	wantError(t, d.Reserve(t.Context(), wants(unknownSession, "shop"), permitAll), store.ErrNotFound, "session 99")
	same(t, len(d.reads().Services), 0)
}

// What permit is asked with is all that counts: the two restarts of before, and the n-th of each source once.
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
			d := newDesk(t)
			d.writes(shopTwice)
			d.adopt()
			session := d.session(2)
			for range tt.reserved {
				d.reserve(session, "shop", statefile.Restart)
			}
			d.tampers(session, tt.edit)
			var before int
			ok(t, d.Reserve(t.Context(), wants(session, "shop", "mail"), func(counting *statefile.State, _ *store.Tx) error {
				before = counting.Position("shop", statefile.Restart, d.now).Used
				return nil
			}))
			same(t, before, tt.count)
			d.wantRestarts("shop", tt.count+1)
			d.settle(session)
			d.wantRestarts("shop", tt.count+1)
			d.wantAgreement()
		})
	}
}

// A file that no cycle has taken over yet counts as it stands.
func TestReserveCountsWhatNoCycleHasSeen(t *testing.T) {
	d := newDesk(t)
	d.writes(`{"services":{"shop":{"restarts":[{"timestamp":"2024-01-01T00:00:00Z","success":true},{"timestamp":"2026-03-01T07:00:00Z","success":true},
		{"timestamp":"2026-03-01T11:00:00Z","success":true}]}}}`)
	session := d.session(2)
	for _, want := range []int{1, 2, 3} {
		ok(t, d.Reserve(t.Context(), wants(session, "shop"), func(counting *statefile.State, _ *store.Tx) error {
			same(t, counting.Position("shop", statefile.Restart, d.now).Used, want)
			return nil
		}))
	}
}

func TestReserveInALockedDatabase(t *testing.T) {
	d := newDesk(t)
	d.adopt()
	session := d.session(2)
	before := d.reads()
	t.Parallel() // it waits for as long as a writer does
	hold := must(raw(t, d.path()).BeginTx(t.Context(), nil))
	wantError(t, d.Reserve(t.Context(), wants(session, "shop"), permitAll), nil, "another program keeps it locked")
	same(t, d.reads(), before)
	ok(t, hold.Rollback())
	ok(t, d.Reserve(t.Context(), wants(session, "shop"), permitAll))
}

func TestReserveGivesUpWithItsContext(t *testing.T) {
	d := newDesk(t)
	d.adopt()
	session := d.session(2)
	before := d.reads()
	ended, cancel := context.WithCancel(t.Context())
	err := d.Reserve(ended, wants(session, "shop"), func(*statefile.State, *store.Tx) error { cancel(); return nil })
	wantError(t, err, context.Canceled)
	same(t, d.reads(), before)
}

// Where the database fails after the file was written, nothing is granted, and what is in the file counts.
func TestReserveWhenTheDatabaseFailsAfterTheFile(t *testing.T) {
	d := newDesk(t)
	d.adopt()
	session := d.session(2)
	edit(t, d.path(), `CREATE TRIGGER broken BEFORE INSERT ON cooldown_actions BEGIN SELECT raise(FAIL, 'no room'); END`)
	wantError(t, d.Reserve(t.Context(), wants(session, "shop"), permitAll), nil, "in cooldown.json and counts", "not granted", "no room")
	d.wantRestarts("shop", 1)
	edit(t, d.path(), `DROP TRIGGER broken`)
	ok(t, d.Reserve(t.Context(), wants(session, "shop"), permitAll))
	ok(t, d.Complete(t.Context(), session, "toolu_1", Outcome{Success: true}))
	d.settle(session)
	d.adopt()
	d.wantRestarts("shop", 2) // the first was nothing, and nobody knows
	d.wantAgreement()
	records := d.reads().Service("shop").Restarts
	if records[0].Error != Unreported || !records[1].Success {
		t.Errorf("the records are %+v", records)
	}
}

func reserveOnFullDisk(dir string) error {
	s, err := store.Open(context.Background(), filepath.Join(dir, store.FileName), store.ReadWrite)
	if err != nil {
		return err
	}
	l := NewLedger(dir, s, func() time.Time { return noon })
	if err := limitFiles(100); err != nil {
		return err
	}
	if err := l.Reserve(context.Background(), wants(1, "shop"), permitAll); err == nil || !strings.Contains(err.Error(), "file too large") {
		return errors.Join(errors.New("want: file too large"), err)
	}
	return nil
}

func TestReserveOnAFullDisk(t *testing.T) {
	d := newDesk(t)
	d.writes(shopTwice)
	d.adopt()
	session := d.session(2)
	before := d.reads()
	ok(t, another(t, d.dir).Run())
	same(t, d.reads(), before)
	same(t, len(must(d.store.SessionActs(t.Context(), session))), 0)
	for _, name := range names(t, d.dir) {
		if strings.HasPrefix(name, ".") {
			t.Errorf("left behind: %s", name)
		}
	}
}

func TestReserveInADirectoryThatMayNotBeWritten(t *testing.T) {
	d := newDesk(t)
	d.writes(shopTwice)
	d.adopt()
	session := d.session(2)
	before := must(os.ReadFile(statefile.Path(d.dir)))
	asStranger(t, d.dir, func() {
		ctx := context.Background() // one that can end would have the driver work on another thread
		s, err := store.Open(ctx, d.path(), store.ReadWrite)
		if err != nil {
			return // refused even earlier
		}
		err = NewLedger(d.dir, s, func() time.Time { return noon }).Reserve(ctx, wants(session, "mail"), permitAll)
		if err == nil || !strings.Contains(err.Error(), "as the owner") && !errors.Is(err, os.ErrPermission) {
			t.Errorf("error %v", err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	same(t, string(must(os.ReadFile(statefile.Path(d.dir)))), string(before))
}
