package records

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// teller is a source that reports the restart of shop that the session's tool use toolu_1 has reserved.
type teller func(d *fixture)

func hook(success bool, fault string) teller {
	return func(d *fixture) {
		ok(d.t, d.Complete(d.t.Context(), "toolu_1", success, fault, 1500*time.Millisecond))
	}
}

func command(success bool, fault string) teller {
	return func(d *fixture) {
		d.record(Claim{Service: "shop", Action: statefile.Restart, Success: success, Message: fault})
	}
}

// jq adds a record, as the cooldown skill shows.
func jq(success bool, fault string) teller {
	return func(d *fixture) {
		d.tampers(func(st *statefile.State) {
			st.Add("shop", statefile.Restart, statefile.Record{Timestamp: statefile.At(d.now), Success: success, Error: fault})
		})
	}
}

// inPlace completes the reserved record in the file only, like a process that is killed before it updates the store.
func inPlace(complete func(*statefile.Record)) teller {
	return func(d *fixture) {
		d.edits(func(st *statefile.State) { complete(&st.Services["shop"].Restarts[0]) })
	}
}

func TestOutcomes(t *testing.T) {
	const code = "Exit code 1"
	succeed := func(r *statefile.Record) { r.Success, r.Error = true, "" }
	fail := func(r *statefile.Record) { r.Error = "oom" }
	marker := func(success bool, text string) []Claim {
		return []Claim{{Service: "shop", Action: statefile.Restart, Success: success, Message: text}}
	}
	for name, tt := range map[string]struct {
		told    []teller
		markers []Claim
		success bool
		fault   string // of a failure
	}{
		"nobody tells":                          {nil, nil, false, Unreported},
		"success":                               {[]teller{hook(true, "")}, nil, true, ""},
		"failure":                               {[]teller{hook(false, code)}, nil, false, code},
		"failure that reads like none":          {[]teller{hook(false, store.InProgress)}, nil, false, "failed: in progress"},
		"failure twice":                         {[]teller{hook(false, code), hook(false, code)}, nil, false, code},
		"success, then failure":                 {[]teller{hook(true, ""), hook(false, code)}, nil, false, code},
		"failure, then success":                 {[]teller{hook(false, code), hook(true, "")}, nil, false, code},
		"record":                                {[]teller{command(true, "")}, nil, true, ""},
		"record and failure":                    {[]teller{command(true, ""), hook(false, code)}, nil, false, code},
		"recorded failure and success":          {[]teller{command(false, "oom"), hook(true, "")}, nil, false, "oom"},
		"recorded failure and failure":          {[]teller{command(false, "oom"), hook(false, code)}, nil, false, "oom; " + code},
		"recorded failure, no words":            {[]teller{command(false, ""), hook(true, "")}, nil, false, ""},
		"recorded failure that reads like none": {[]teller{command(false, store.InProgress), hook(true, "")}, nil, false, "failed: in progress"},
		"failure recorded later":                {[]teller{hook(true, ""), command(false, "still 502")}, nil, false, "still 502"},
		"success recorded later":                {[]teller{hook(false, code), command(true, "")}, nil, false, code},
		"jq":                                    {[]teller{jq(true, "")}, nil, true, ""},
		"jq and failure":                        {[]teller{jq(true, ""), hook(false, code)}, nil, false, code},
		"failure by jq and success":             {[]teller{jq(false, "oom"), hook(true, "")}, nil, false, "oom"},
		"failure by jq later":                   {[]teller{hook(true, ""), jq(false, "oom")}, nil, false, "oom"},
		"jq that knows no outcome":              {[]teller{jq(false, store.InProgress), hook(true, "")}, nil, true, ""},
		"jq that knows no outcome, alone":       {[]teller{jq(false, store.InProgress)}, nil, false, Unreported},
		"jq in place":                           {[]teller{inPlace(succeed)}, nil, true, ""},
		"jq in place and failure":               {[]teller{inPlace(succeed), hook(false, code)}, nil, false, code},
		"failure by jq in place":                {[]teller{inPlace(fail)}, nil, false, "oom"},
		"only the success by jq in place":       {[]teller{inPlace(func(r *statefile.Record) { r.Success = true })}, nil, true, ""},
		"marker":                                {nil, marker(true, "healthy"), true, ""},
		"marker and failure":                    {[]teller{hook(false, code)}, marker(true, "healthy"), false, code},
		"failure by marker":                     {[]teller{hook(true, "")}, marker(false, "still 502"), false, "still 502"},
		"failure by marker and hook":            {[]teller{hook(false, code)}, marker(false, "still 502"), false, code + "; still 502"},
		"marker that knows no outcome":          {nil, marker(false, store.InProgress), false, "failed: in progress"},
		"all, and a failure":                    {[]teller{command(true, ""), jq(false, "oom"), hook(true, "")}, marker(true, "healthy"), false, "oom"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			d.adopt()
			session := d.session(2)
			d.begins("shop", statefile.Restart)
			for _, tell := range tt.told {
				tell(d)
				d.wantRestarts("shop", 1)
			}
			for _, n := range d.settle(tt.markers...) {
				if n.Level != store.Warning || tt.fault != Unreported {
					t.Errorf("told as %+v", n)
				}
			}
			acts := must(d.Store.SessionActs(t.Context(), session))
			same(t, len(acts), 1)
			if acts[0].Success != tt.success || acts[0].Error != tt.fault {
				t.Errorf("the act is %+v, want %t %q", acts[0], tt.success, tt.fault)
			}
			d.wantRestarts("shop", 1)
			d.wantAgreement()
			same(t, len(d.settle(tt.markers...)), 0) // its cycle was killed before it closed the session
			same(t, must(d.Store.SessionActs(t.Context(), session)), acts)
		})
	}
}

func TestOutcomeKeepsWhatWasSaid(t *testing.T) {
	d := newFixture(t)
	d.session(2)
	ok(t, d.Reserve(t.Context(), "toolu_1", restart("shop")))
	hook(true, "")(d)
	d.settle(Claim{Service: "shop", Action: statefile.Restart, Success: true, Message: "healthy after 20 s"})
	r := d.reads().Service("shop").Restarts[0]
	if r.ActionDetail != "docker restart shop; healthy after 20 s" || r.DurationMS != 1500 {
		t.Errorf("the record is %+v", r)
	}
}

func TestOutcomeOfNothing(t *testing.T) {
	d := newFixture(t)
	d.adopt()
	session := d.session(2)
	d.begins("shop", statefile.Restart)
	other := d.session(3)
	before := must(os.ReadFile(statefile.Path(d.dir)))
	for _, use := range []struct {
		session int64
		toolUse string
	}{{session, "toolu_2"}, {session, ""}, {other, "toolu_1"}, {unknownSession, "toolu_1"}} {
		d.Config.Agent.SessionID = use.session
		ok(t, d.Complete(t.Context(), use.toolUse, true, "", 0))
	}
	same(t, string(must(os.ReadFile(statefile.Path(d.dir)))), string(before))
	same(t, must(d.Store.SessionActs(t.Context(), session))[0].Error, store.InProgress)
}

func TestOutcomeOfSeveral(t *testing.T) {
	d := newFixture(t)
	session := d.session(3)
	d.begins("shop", statefile.Restart)
	ok(t, d.Reserve(t.Context(), "both", append(restart("shop", "db"), redeploy("db")...)))
	ok(t, d.Complete(t.Context(), "both", false, "Exit code 1", 0))
	for _, a := range must(d.Store.SessionActs(t.Context(), session)) {
		if want := map[bool]string{true: "Exit code 1", false: store.InProgress}[a.ToolUseID == "both"]; a.Success || a.Error != want {
			t.Errorf("%+v, want %q", a, want)
		}
	}
	d.wantAgreement()
}

// A process that is killed between file and store has completed only the file.
func TestSettleAfterAnOutcomeWasKilled(t *testing.T) {
	d := newFixture(t)
	d.adopt()
	d.session(2)
	d.begins("shop", statefile.Restart)
	edit(t, d.path(), `CREATE TRIGGER broken BEFORE INSERT ON cooldown_actions BEGIN SELECT raise(FAIL, 'killed'); END`)
	wantError(t, d.Complete(t.Context(), "toolu_1", true, "", 0), nil, "killed")
	edit(t, d.path(), `DROP TRIGGER broken`)
	same(t, len(d.settle()), 0)
	d.wantAgreement()
	if r := d.reads().Service("shop").Restarts[0]; !r.Success {
		t.Errorf("the record is %+v", r)
	}
}

// If a session could not be settled, the next cycle ends what it left in progress.
func TestAdoptEndsWhatIsInProgress(t *testing.T) {
	d := newFixture(t)
	d.adopt()
	d.session(2)
	d.begins("shop", statefile.Restart)
	d.now = d.now.Add(time.Hour)
	same(t, len(d.adopt()), 0)
	same(t, d.reads().Service("shop").Restarts[0].Error, Unreported)
	d.wantRestarts("shop", 1)
	d.wantAgreement()
}

func TestSettleTellsWhatWasNeverReported(t *testing.T) {
	d := newFixture(t)
	d.adopt()
	d.session(2)
	d.begins("shop", statefile.Restart)
	found := d.settle()
	if len(found) != 1 || found[0].Service != "shop" || found[0].Level != store.Warning || found[0].Erased || !strings.Contains(found[0].Message, "never reported") {
		t.Errorf("told as %+v", found)
	}
}

func TestOutcomeInALockedDatabase(t *testing.T) {
	d := newFixture(t)
	d.adopt()
	d.session(2)
	d.begins("shop", statefile.Restart)
	t.Parallel() // a writer waits that long
	hold := must(raw(t, d.path()).BeginTx(t.Context(), nil))
	wantError(t, d.Complete(t.Context(), "toolu_1", true, "", 0), nil, "keeps it locked")
	ok(t, d.Complete(t.Context(), "toolu_2", true, "", 0))
	ok(t, errors.Join(hold.Rollback(), d.Complete(t.Context(), "toolu_1", true, "", 0)))
	d.wantAgreement()
}
