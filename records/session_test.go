package records

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// A change of the file during a session that does not come from an agent's copy is an operator's.
func TestWhatAnOperatorChangesDuringASessionStands(t *testing.T) {
	for name, tt := range map[string]struct {
		edit func(*statefile.State)
		want int // restarts of shop
	}{
		"nothing":         {func(*statefile.State) {}, 2},
		"one removed":     {func(st *statefile.State) { shop := st.Services["shop"]; shop.Restarts = shop.Restarts[1:] }, 1},
		"service removed": {func(st *statefile.State) { delete(st.Services, "shop") }, 0},
		"backdated":       {func(st *statefile.State) { st.Services["shop"].Restarts[1].Timestamp = statefile.At(ago(5)) }, 1},
		"added": {func(st *statefile.State) {
			st.Add("shop", statefile.Restart, statefile.Record{Timestamp: statefile.At(noon)})
		}, 3},
	} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			d.writes(shopTwice)
			d.adopt()
			d.session(2)
			d.edits(tt.edit)
			d.wantRestarts("shop", tt.want)
			same(t, len(d.settle()), 0)
			d.wantRestarts("shop", tt.want)
			same(t, len(d.adopt()), 0)
			d.wantRestarts("shop", tt.want)
			d.wantAgreement()
		})
	}
}

func TestARecordDatedOutsideOfItsSessionCountsAsOfNow(t *testing.T) {
	d := newFixture(t)
	d.adopt()
	d.session(2)
	for i, dated := range []statefile.Time{statefile.At(ago(9000)), statefile.At(noon.Add(time.Hour)), {}} {
		found := d.tampers(func(st *statefile.State) {
			st.Add("shop", statefile.Restart, statefile.Record{Timestamp: dated, Success: true})
		})
		if len(found) != 1 || found[0].Level != store.Warning || !strings.Contains(found[0].Message, "not within its session") {
			t.Errorf("told as %+v", found)
		}
		d.wantRestarts("shop", i+1)
	}
	d.wantAgreement()
}

func TestRecordKeepsTheBeginningOfALongText(t *testing.T) {
	d := newFixture(t)
	d.adopt()
	d.session(2)
	d.record(Claim{Service: "shop", Action: statefile.Restart, Message: strings.Repeat("é", 100_000) + "x"})
	if text := d.reads().Service("shop").Restarts[0].Error; len(text) > maxMessage+3 || !strings.HasPrefix(text, "éé") || !strings.HasSuffix(text, "é…") {
		t.Errorf("%d bytes are kept: %.40q", len(text), text)
	}
}

func TestAForgedIDIsNotKept(t *testing.T) {
	d := newFixture(t)
	d.adopt()
	session := d.session(2)
	d.tampers(func(st *statefile.State) {
		st.Add("shop", statefile.Restart, statefile.Record{Timestamp: statefile.At(noon), ID: "forged", Extra: jsontext.Value(`{"why":"slow"}`)})
	})
	got := d.reads().Services["shop"].Restarts
	if len(got) != 1 || got[0].ID == "forged" || got[0].ID == "" || string(got[0].Extra) != `{"why":"slow"}` {
		t.Errorf("records are %+v", got)
	}
	acts := must(d.Store.SessionActs(t.Context(), session))
	if len(acts) != 1 || acts[0].Source != store.SourceFile || acts[0].Tier != 2 {
		t.Errorf("acts are %+v", acts)
	}
}

func TestStateWithoutADatabase(t *testing.T) {
	d := newFixture(t)
	d.writes(shopTwice)
	r := Records{Config: config.Config{StateDir: d.dir}, Now: func() time.Time { return noon }}
	same(t, must(r.State(t.Context())).Position("shop", statefile.Restart, noon).Used, 2)
}

func TestRecordOutsideASessionIsAlwaysOneMore(t *testing.T) {
	d := newFixture(t)
	for range 3 {
		d.record(Claim{Service: "shop", Action: statefile.Restart, Success: true, Message: "by hand"})
	}
	d.record(Claim{Service: "shop", Action: statefile.Redeployment, Message: "no such host"})
	d.wantRestarts("shop", 3)
	d.wantAgreement()
	shop := d.reads().Services["shop"]
	first, failed := shop.Restarts[0], shop.Redeployments[0]
	if !first.Success || first.Error != "" || first.ActionDetail != "by hand" || !first.Timestamp.Equal(noon) || first.Tier != 0 {
		t.Errorf("a success is recorded as %+v", first)
	}
	if failed.Success || failed.Error != "no such host" || failed.ActionDetail != "" {
		t.Errorf("a failure is recorded as %+v", failed)
	}
}

func TestRecordWithoutItsSessionInTheDatabase(t *testing.T) {
	d := newFixture(t)
	d.Config.Agent.SessionID = unknownSession
	_, err := d.Record(t.Context(), Claim{Service: "shop", Action: statefile.Restart})
	wantError(t, err, store.ErrNotFound, "session 99")
	d.wantRestarts("shop", 0)
}

func TestRecordInParallel(t *testing.T) {
	for name, reserved := range map[string]int{"alone": 0, "beside the guard": 10} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			d.adopt()
			d.session(2)
			for range reserved {
				d.begins("shop", statefile.Restart)
			}
			var group sync.WaitGroup
			for range 20 {
				own := must(inSession1(d.dir)) // as in another process
				group.Go(func() {
					_, err := own.Record(t.Context(), Claim{Service: "shop", Action: statefile.Restart, Success: true})
					if err := errors.Join(err, own.Close()); err != nil {
						t.Error(err)
					}
				})
			}
			group.Wait()
			d.wantRestarts("shop", 20)
			d.wantAgreement()
			for _, a := range d.counting() {
				if !a.Success || !claimedBy(&a, store.SourceRecord) {
					t.Errorf("act %+v", a)
				}
			}
		})
	}
}

// Acts within one second are reported in the order in which they happened, by each source.
func TestTheNthOfEachSourceIsTheSameActWithinASecond(t *testing.T) {
	d := newFixture(t)
	d.session(2)
	var markers []Claim
	for i := range 8 {
		told := Claim{Service: fmt.Sprintf("shop%d", i), Action: statefile.Restart, Message: "down again"}
		d.record(told)
		markers = append(markers, told)
		told.Success, told.Message = true, ""
		d.record(told)
		markers = append(markers, told)
	}
	d.settle(markers...)
	for i := range 8 {
		records := d.reads().Services[fmt.Sprintf("shop%d", i)].Restarts
		outcomes := []bool{}
		for _, r := range records {
			outcomes = append(outcomes, r.Success)
		}
		slices.SortFunc(outcomes, func(a, b bool) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		same(t, outcomes, []bool{false, true})
	}
}

// If the clock is set back, no agent is accused of tampering.
func TestSettleAfterTheClockWasSetBack(t *testing.T) {
	for name, between := range map[string]func(d *fixture){
		"at once":          func(*fixture) {},
		"after a record":   func(d *fixture) { d.record(Claim{Service: "db", Action: statefile.Restart}) },
		"after a new file": func(d *fixture) { d.edits(func(*statefile.State) {}) },
	} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			d.adopt()
			d.session(2)
			d.record(Claim{Service: "shop", Action: statefile.Restart, Success: true})
			d.now = d.now.Add(-time.Hour)
			between(d)
			d.now = d.now.Add(time.Minute)
			for _, n := range append(d.settle(), d.adopt()...) {
				if n.Erased || n.Level == store.Critical {
					t.Errorf("told as %+v", n)
				}
			}
			d.wantRestarts("shop", 1)
			d.wantAgreement()
		})
	}
}

// A record that becomes 48 h old during a session was not removed by the agent.
func TestSettleARecordThatAgesOut(t *testing.T) {
	for name, between := range map[string]func(d *fixture){
		"at once":        func(*fixture) {},
		"after a record": func(d *fixture) { d.record(Claim{Service: "db", Action: statefile.Restart}) },
	} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			d.writes(`{"services":{"shop":{"restarts":[{"timestamp":"2026-02-27T12:10:00Z","success":true}]}}}`)
			d.adopt()
			session := d.session(2)
			d.now = d.now.Add(20 * time.Minute)
			between(d)
			same(t, len(d.settle()), 0)
			d.wantRestarts("shop", 0)
			same(t, len(must(d.Store.Events(t.Context(), store.EventFilter{}))), 0)
			for _, a := range must(d.Store.SessionActs(t.Context(), session)) {
				if a.Service == "shop" {
					t.Errorf("the session has %+v", a)
				}
			}
		})
	}
}
