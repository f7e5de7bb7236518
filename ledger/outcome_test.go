package ledger_test

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/testkit/recording"
)

func TestOutcomes(t *testing.T) {
	const code = "Exit code 1"
	ends := func(fault string) func(*fixture) {
		return func(d *fixture) { ok(d.T, d.Complete(d.T.Context(), "toolu_1", fault, 1500*time.Millisecond)) }
	}
	inFile := func(complete func(*statefile.Record)) func(*fixture) { // as a process that is killed before it updates the store
		return func(d *fixture) {
			d.Edits(func(st *statefile.State) { complete(&st.Services["shop"].Restarts[0]) })
		}
	}
	for name, tt := range map[string]struct {
		told    []func(*fixture)
		success bool
		fault   string // of a failure
	}{
		"none":                      {nil, false, ledger.Unreported},
		"success":                   {[]func(*fixture){ends("")}, true, ""},
		"failure":                   {[]func(*fixture){ends(code)}, false, code},
		"success, then failure":     {[]func(*fixture){ends(""), ends(code)}, false, code},
		"success in the file alone": {[]func(*fixture){inFile(func(r *statefile.Record) { r.Success, r.Error = true, "" })}, true, ""},
		"failure in the file alone": {[]func(*fixture){inFile(func(r *statefile.Record) { r.Error = "oom" })}, false, "oom"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			session := d.Session(2)
			d.begins("shop", statefile.Restart)
			for _, tell := range tt.told {
				tell(d)
			}
			for _, n := range d.Settle() {
				if n.Level != store.Warning || n.Service != "shop" || tt.fault != ledger.Unreported || !strings.Contains(n.Message, "never reported") {
					t.Errorf("told as %+v", n)
				}
			}
			acts := must(d.Store.SessionActs(t.Context(), session))
			if len(acts) != 1 || acts[0].Success != tt.success || acts[0].Error != tt.fault {
				t.Errorf("the acts are %+v, want %t %q", acts, tt.success, tt.fault)
			}
			d.wantRestarts("shop", 1)
			d.WantAgreement()
			same(t, len(d.Settle()), 0) // its cycle was killed before it closed the session
		})
	}
}

func TestOutcomeOfNothing(t *testing.T) {
	d := newFixture(t)
	session := d.Session(2)
	d.begins("shop", statefile.Restart)
	other := d.Session(3)
	before := must(os.ReadFile(statefile.Path(d.Dir)))
	for _, use := range []struct {
		session int64
		toolUse string
	}{{session, "toolu_2"}, {other, "toolu_1"}, {99, "toolu_1"}} {
		d.Config.Agent.SessionID = use.session
		ok(t, d.Complete(t.Context(), use.toolUse, "", 0))
	}
	same(t, string(must(os.ReadFile(statefile.Path(d.Dir)))), string(before))
	same(t, must(d.Store.SessionActs(t.Context(), session))[0].Error, store.InProgress)
}

// An action that the operator named is in the store alone.
func TestOutcomeOfAnAction(t *testing.T) {
	d := newFixture(t)
	session := d.Session(2)
	d.wantGranted(store.Act{Service: "shop", Action: statefile.Other, Detail: "reload"})
	d.Outcome("Exit code 1")
	d.wantGranted(store.Act{Service: "shop", Action: statefile.Other, Detail: "make_room"})
	same(t, len(d.Settle()), 1)
	same(t, len(d.AdoptFile()), 0)
	var got []string
	for _, a := range must(d.Store.SessionActs(t.Context(), session)) {
		got = append(got, string(a.Action)+" "+a.Detail+": "+a.Error)
	}
	same(t, got, []string{"action reload: Exit code 1", "action make_room: " + ledger.Unreported})
	same(t, len(d.Reads().Services), 0)
	same(t, len(must(d.Store.ActsAfter(t.Context(), ago(1)))), 2)
}

// If a session could not be settled, the next cycle ends what it left in progress.
func TestAdoptEndsWhatIsInProgress(t *testing.T) {
	d := newFixture(t)
	d.Session(2)
	d.begins("shop", statefile.Restart)
	d.Time = d.Time.Add(time.Hour)
	same(t, len(d.AdoptFile()), 0)
	same(t, d.Reads().Service("shop").Restarts[0].Error, ledger.Unreported)
	d.wantRestarts("shop", 1)
	d.WantAgreement()
}

func TestOutcomeInALockedDatabase(t *testing.T) {
	d := newFixture(t)
	d.Session(2)
	d.begins("shop", statefile.Restart)
	t.Parallel() // a writer waits that long
	hold := must(raw(t, d.Path()).BeginTx(t.Context(), nil))
	wantError(t, d.Complete(t.Context(), "toolu_1", "", 0), nil, "keeps it locked")
	ok(t, d.Complete(t.Context(), "toolu_2", "", 0))
	ok(t, errors.Join(hold.Rollback(), d.Complete(t.Context(), "toolu_1", "", 0)))
	d.WantAgreement()
}

func TestRecordOutsideASessionIsAlwaysOneMore(t *testing.T) {
	d := newFixture(t)
	for range 3 {
		d.Did(store.Act{Service: "shop", Action: statefile.Restart, Success: true})
	}
	d.Did(store.Act{Service: "shop", Action: statefile.Redeployment, Error: "no such host"})
	d.wantRestarts("shop", 3)
	d.WantAgreement()
	shop := d.Reads().Services["shop"]
	first, failed := shop.Restarts[0], shop.Redeployments[0]
	if !first.Success || first.Error != "" || !first.Timestamp.Equal(noon) || first.Tier != 0 || failed.Success || failed.Error != "no such host" {
		t.Errorf("recorded as %+v and %+v", first, failed)
	}
}

// Inside a session, the broker's record is the act.
func TestRecordInASessionRecordsNothing(t *testing.T) {
	d := newFixture(t)
	d.Did(store.Act{Service: "mail", Action: statefile.Restart, Success: true})
	d.Session(2)
	d.wantGranted(recording.Restart("shop"))
	for service, says := range map[string]string{"shop": "", "mail": "not recorded: claudeops ran no restart of mail in this session; the tool `restart` does it"} {
		err := d.Record(t.Context(), store.Act{Service: service, Action: statefile.Restart, Success: true})
		if (err == nil) != (says == "") || err != nil && !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", service, err)
		}
		d.wantRestarts(service, 1)
	}
}
