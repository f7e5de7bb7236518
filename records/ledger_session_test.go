package records

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// What is changed in the file during a session, and not through a copy of an agent's, an operator changed.
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
			d := newDesk(t)
			d.writes(shopTwice)
			d.adopt()
			session := d.session(2)
			d.edits(tt.edit)
			d.wantRestarts("shop", tt.want)
			same(t, len(d.settle(session)), 0)
			d.wantRestarts("shop", tt.want)
			same(t, len(d.adopt()), 0)
			d.wantRestarts("shop", tt.want)
			d.wantAgreement()
		})
	}
}

func TestARecordDatedOutsideOfItsSessionCountsAsOfNow(t *testing.T) {
	d := newDesk(t)
	d.adopt()
	session := d.session(2)
	for i, dated := range []statefile.Time{statefile.At(ago(9000)), statefile.At(noon.Add(time.Hour)), {}} {
		found := d.tampers(session, func(st *statefile.State) {
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
	d := newDesk(t)
	d.adopt()
	st, err := d.Record(t.Context(), d.session(2), 2, Told{Service: "shop", Action: statefile.Restart, Message: strings.Repeat("é", 100_000) + "x"})
	must(0, err)
	if text := st.Service("shop").Restarts[0].Error; len(text) > maxMessage+3 || !strings.HasPrefix(text, "éé") || !strings.HasSuffix(text, "é…") {
		t.Errorf("%d bytes are kept: %.40q", len(text), text)
	}
}

func TestAForgedIDIsNotKept(t *testing.T) {
	d := newDesk(t)
	d.adopt()
	session := d.session(2)
	d.tampers(session, func(st *statefile.State) {
		st.Add("shop", statefile.Restart, statefile.Record{Timestamp: statefile.At(noon), ID: "forged", Extra: jsontext.Value(`{"why":"slow"}`)})
	})
	got := d.reads().Services["shop"].Restarts
	if len(got) != 1 || got[0].ID == "forged" || got[0].ID == "" || string(got[0].Extra) != `{"why":"slow"}` {
		t.Errorf("records are %+v", got)
	}
	acts := must(d.store.SessionActs(t.Context(), session))
	if len(acts) != 1 || acts[0].Source != store.SourceFile || acts[0].Tier != 2 {
		t.Errorf("acts are %+v", acts)
	}
}

func TestStateWithoutADatabase(t *testing.T) {
	d := newDesk(t)
	d.writes(shopTwice)
	l := NewLedger(d.dir, nil, func() time.Time { return noon })
	same(t, must(l.State(t.Context())).Position("shop", statefile.Restart, noon).Used, 2)
}

func TestRecordOutsideASessionIsAlwaysOneMore(t *testing.T) {
	d := newDesk(t)
	for range 3 {
		d.record(0, Told{Service: "shop", Action: statefile.Restart, Success: true, Message: "by hand"})
	}
	d.record(0, Told{Service: "shop", Action: statefile.Redeployment, Message: "no such host"})
	d.wantRestarts("shop", 3)
	d.wantAgreement()
	shop := d.reads().Services["shop"]
	first, failed := shop.Restarts[0], shop.Redeployments[0]
	if !first.Success || first.Error != "" || first.ActionDetail != "by hand" || !first.Timestamp.Equal(noon) || first.Tier != 2 {
		t.Errorf("a success is recorded as %+v", first)
	}
	if failed.Success || failed.Error != "no such host" || failed.ActionDetail != "" {
		t.Errorf("a failure is recorded as %+v", failed)
	}
}

func TestRecordWithoutItsSessionInTheDatabase(t *testing.T) {
	d := newDesk(t)
	if _, err := d.Record(t.Context(), 77, 2, Told{Service: "shop", Action: statefile.Restart}); err == nil {
		t.Error("no error")
	}
	same(t, d.reads().Position("shop", statefile.Restart, d.now).Used, 1) // file first: rather one too many
}

func TestRecordInParallel(t *testing.T) {
	for name, reserved := range map[string]int{"alone": 0, "beside the guard": 10} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			d.adopt()
			session := d.session(2)
			for range reserved {
				d.reserve(session, "shop", statefile.Restart)
			}
			var group sync.WaitGroup
			for range 20 {
				own := NewLedger(d.dir, at(t, d.path()), func() time.Time { return noon }) // as a process has
				group.Go(func() {
					if _, err := own.Record(t.Context(), session, 2, Told{Service: "shop", Action: statefile.Restart, Success: true}); err != nil {
						t.Error(err)
					}
				})
			}
			group.Wait()
			d.wantRestarts("shop", 20)
			d.wantAgreement()
			for _, a := range d.counting() {
				if !a.Success || !toldBy(&a, store.SourceRecord) {
					t.Errorf("act %+v", a)
				}
			}
		})
	}
}

// Acts of one second are told of in the order in which they happened, by each source.
func TestTheNthOfEachSourceIsTheSameActWithinASecond(t *testing.T) {
	d := newDesk(t)
	session := d.session(2)
	var markers []Told
	for i := range 8 {
		told := Told{Service: fmt.Sprintf("shop%d", i), Action: statefile.Restart, Message: "down again"}
		d.record(session, told)
		markers = append(markers, told)
		told.Success, told.Message = true, ""
		d.record(session, told)
		markers = append(markers, told)
	}
	d.settle(session, markers...)
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

// A clock that is set back makes nobody a vandal.
func TestSettleAfterTheClockWasSetBack(t *testing.T) {
	for name, between := range map[string]func(d *desk, session int64){
		"at once":          func(*desk, int64) {},
		"after a record":   func(d *desk, session int64) { d.record(session, Told{Service: "db", Action: statefile.Restart}) },
		"after a new file": func(d *desk, _ int64) { d.edits(func(*statefile.State) {}) },
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			d.adopt()
			session := d.session(2)
			d.record(session, Told{Service: "shop", Action: statefile.Restart, Success: true})
			d.now = d.now.Add(-time.Hour)
			between(d, session)
			d.now = d.now.Add(time.Minute)
			for _, n := range append(d.settle(session), d.adopt()...) {
				if n.Erased || n.Level == store.Critical {
					t.Errorf("told as %+v", n)
				}
			}
			d.wantRestarts("shop", 1)
			d.wantAgreement()
		})
	}
}

// A record that turns 48 h old during a session is no agent's doing.
func TestSettleARecordThatAgesOut(t *testing.T) {
	for name, between := range map[string]func(d *desk, session int64){
		"at once":        func(*desk, int64) {},
		"after a record": func(d *desk, session int64) { d.record(session, Told{Service: "db", Action: statefile.Restart}) },
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			d.writes(`{"services":{"shop":{"restarts":[{"timestamp":"2026-02-27T12:10:00Z","success":true}]}}}`)
			d.adopt()
			session := d.session(2)
			d.now = d.now.Add(20 * time.Minute)
			between(d, session)
			same(t, len(d.settle(session)), 0)
			d.wantRestarts("shop", 0)
			same(t, len(must(d.store.Events(t.Context(), store.EventFilter{}))), 0)
			for _, a := range must(d.store.SessionActs(t.Context(), session)) {
				if a.Service == "shop" {
					t.Errorf("the session has %+v", a)
				}
			}
		})
	}
}
