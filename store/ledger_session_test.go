package store

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/claudeops/claudeops/statefile"
)

// What an agent does to records that it found is undone and told; what it adds stays.
func TestSettlePutsBack(t *testing.T) {
	const erased, altered = "erased", "altered"
	for name, tt := range map[string]struct {
		edit  func(*statefile.State)
		told  []string // of shop, each critical
		count map[string]int
	}{
		"nothing":        {func(*statefile.State) {}, nil, nil},
		"one erased":     {func(st *statefile.State) { shop := st.Services["shop"]; shop.Restarts = shop.Restarts[1:] }, []string{erased}, nil},
		"all erased":     {func(st *statefile.State) { st.Services["shop"].Restarts = nil }, []string{erased, erased}, nil},
		"service erased": {func(st *statefile.State) { delete(st.Services, "shop") }, []string{erased, erased}, nil},
		"all services":   {func(st *statefile.State) { st.Services = nil }, []string{erased, erased}, nil},
		"backdated":      {func(st *statefile.State) { st.Services["shop"].Restarts[1].Timestamp = statefile.At(ago(5)) }, []string{altered}, nil},
		"by days":        {func(st *statefile.State) { st.Services["shop"].Restarts[1].Timestamp = statefile.At(ago(99)) }, []string{altered}, nil},
		"by a second":    {func(st *statefile.State) { st.Services["shop"].Restarts[1].Timestamp.Time = ago(1).Add(-time.Second) }, []string{altered}, nil},
		"no time":        {func(st *statefile.State) { st.Services["shop"].Restarts[0].Timestamp = statefile.Time{} }, []string{"could not be read", altered}, nil},
		"called good":    {func(st *statefile.State) { st.Services["shop"].Restarts[1].Success = true }, []string{altered}, nil},
		"moved": {func(st *statefile.State) {
			st.Services["db"] = st.Services["shop"]
			delete(st.Services, "shop")
		}, []string{erased, erased}, map[string]int{"db": 0}},
		"moved to redeployments": {func(st *statefile.State) {
			shop := st.Services["shop"]
			shop.Restarts, shop.Redeployments = nil, shop.Restarts
		}, []string{erased, erased}, nil},
		"duplicated": {func(st *statefile.State) {
			shop := st.Services["shop"]
			shop.Restarts = append(shop.Restarts, shop.Restarts[0])
		}, nil, nil},
		"copied elsewhere": {func(st *statefile.State) {
			st.Services["db"] = &statefile.Service{Restarts: st.Services["shop"].Restarts}
		}, nil,
			map[string]int{"db": 0}},
		"added": {func(st *statefile.State) {
			st.Add("shop", statefile.Restart, statefile.Record{Timestamp: statefile.At(noon)})
		}, nil,
			map[string]int{"shop": 3}},
		"added with an id": {func(st *statefile.State) {
			st.Add("shop", statefile.Restart, statefile.Record{Timestamp: statefile.At(noon), ID: "forged"})
		}, nil, map[string]int{"shop": 3}},
		"added to another": {func(st *statefile.State) {
			st.Add("db", statefile.Restart, statefile.Record{Timestamp: statefile.At(noon)})
		}, nil,
			map[string]int{"db": 1}},
		"ids stripped": {func(st *statefile.State) {
			for i := range st.Services["shop"].Restarts {
				st.Services["shop"].Restarts[i].ID = ""
			}
		}, nil, nil},
		"added with a wrong date": {func(st *statefile.State) {
			st.Add("shop", statefile.Restart, statefile.Record{Timestamp: statefile.At(ago(9000)), Success: true})
		}, []string{"before its session began"}, map[string]int{"shop": 3}},
		"erased and replaced by a forgery": {func(st *statefile.State) {
			shop := st.Services["shop"]
			shop.Restarts = []statefile.Record{{Timestamp: statefile.At(noon), Success: true, ID: "forged"}}
		}, []string{erased, erased}, map[string]int{"shop": 3}},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			d.writes(shopTwice)
			d.adopt()
			session := d.session(2)
			d.edits(tt.edit)
			if _, in := d.restarts("shop"); in < 2 {
				t.Errorf("in the session %d restarts count", in)
			}
			found := d.settle(session)
			same(t, len(found), len(tt.told))
			for i := range min(len(found), len(tt.told)) {
				n := found[i]
				if !strings.Contains(n.Message, tt.told[i]) || n.Erased != (n.Level == Critical) || n.Erased && n.Service != "shop" {
					t.Errorf("told as %+v, want it to say %q", n, tt.told[i])
				}
			}
			want := map[string]int{"shop": 2}
			for service, count := range tt.count {
				want[service] = count
			}
			for service, count := range want {
				d.wantRestarts(service, count)
			}
			d.wantAgreement()
			same(t, len(d.settle(session)), 0)
			same(t, len(d.adopt()), 0)
		})
	}
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

func TestSettleFileRemoved(t *testing.T) {
	d := newDesk(t)
	d.writes(shopTwice)
	d.adopt()
	session := d.session(1)
	ok(t, os.Remove(statefile.Path(d.dir)))
	if _, in := d.restarts("shop"); in != 2 {
		t.Errorf("in the session %d restarts count, want 2", in)
	}
	same(t, len(d.settle(session)), 2)
	d.wantRestarts("shop", 2)
}

func TestSettleForgedIDIsNotKept(t *testing.T) {
	d := newDesk(t)
	d.adopt()
	session := d.session(2)
	d.edits(func(st *statefile.State) {
		st.Add("shop", statefile.Restart, statefile.Record{Timestamp: statefile.At(noon), ID: "forged", Extra: jsontext.Value(`{"why":"slow"}`)})
	})
	d.settle(session)
	got := d.reads().Services["shop"].Restarts
	if len(got) != 1 || got[0].ID == "forged" || got[0].ID == "" || string(got[0].Extra) != `{"why":"slow"}` {
		t.Errorf("records are %+v", got)
	}
	acts := must(d.store.SessionActs(t.Context(), session))
	if len(acts) != 1 || acts[0].Source != SourceFile || acts[0].Tier != 2 {
		t.Errorf("acts are %+v", acts)
	}
}

func TestSettleAllowsTheSkillsReset(t *testing.T) {
	d := newDesk(t)
	d.writes(shopTwice)
	d.adopt()
	d.edits(func(st *statefile.State) {
		st.Add("db", statefile.Restart, statefile.Record{Timestamp: statefile.At(noon), Success: true})
	})
	d.adopt()
	session := d.session(1)
	d.edits(func(st *statefile.State) { st.Services["shop"].Restarts, st.Services["db"].Restarts = nil, nil })
	found, err := d.Settle(t.Context(), Settlement{SessionID: session, Tier: 1, StartedAt: d.now, Resets: func(after *statefile.State) (map[string]bool, error) {
		return map[string]bool{"shop": len(after.Services["shop"].Restarts) == 0}, nil
	}})
	ok(t, err)
	if len(found) != 1 || found[0].Service != "db" || !found[0].Erased {
		t.Errorf("told as %+v, want db's alone", found)
	}
	same(t, len(d.reads().Services["shop"].Restarts), 0)
	d.wantRestarts("db", 1)
}

// What counts in a session is the union; between cycles the file alone.
func TestStateInASessionIsTheUnion(t *testing.T) {
	d := newDesk(t)
	d.writes(shopTwice)
	d.adopt()
	d.edits(func(st *statefile.State) {
		shop := st.Services["shop"]
		shop.Restarts = []statefile.Record{{Timestamp: statefile.At(noon), Success: true}}
		st.Add("db", statefile.Restart, statefile.Record{Timestamp: statefile.At(noon)})
	})
	for service, want := range map[string][2]int{"shop": {1, 3}, "db": {1, 1}, "unknown": {0, 0}} {
		between, in := d.restarts(service)
		same(t, [2]int{between, in}, want)
	}
	ok(t, d.store.ClearActs(t.Context(), "shop", d.now))
	_, in := d.restarts("shop")
	same(t, in, 1)
}

func TestStateWithoutADatabase(t *testing.T) {
	d := newDesk(t)
	d.writes(shopTwice)
	l := NewLedger(d.dir, nil, func() time.Time { return noon })
	for _, session := range []int64{0, 1} {
		same(t, must(l.State(t.Context(), session)).Position("shop", statefile.Restart, noon).Used, 2)
	}
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
				own := NewLedger(d.dir, at(t, d.store.path), func() time.Time { return noon }) // as a process has
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
				if !a.Success || !a.toldBy(SourceRecord) {
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

// An agent that rewrites the file with what the skill shows of a record, and goes on, has done nothing more and nothing less.
func TestRecordAfterIDsWereStripped(t *testing.T) {
	d := newDesk(t)
	d.writes(shopTwice)
	d.adopt()
	d.now = d.now.Add(time.Minute)
	session := d.session(2)
	d.edits(func(st *statefile.State) {
		for i := range st.Services["shop"].Restarts {
			st.Services["shop"].Restarts[i].ID = ""
		}
	})
	d.record(session, Told{Service: "db", Action: statefile.Restart, Success: true})
	d.record(session, Told{Service: "shop", Action: statefile.Restart, Success: true})
	same(t, len(d.settle(session)), 0)
	d.wantRestarts("db", 1)
	d.wantRestarts("shop", 3)
	d.wantAgreement()
}

func TestRecordKeepsWhatTheAgentDatedWrong(t *testing.T) {
	d := newDesk(t)
	d.adopt()
	session := d.session(2)
	d.edits(func(st *statefile.State) {
		st.Add("shop", statefile.Restart, statefile.Record{Timestamp: statefile.At(ago(9000)), Success: true})
	})
	d.record(session, Told{Service: "db", Action: statefile.Restart, Success: true})
	_, in := d.restarts("shop")
	same(t, in, 1)
	d.settle(session)
	d.wantRestarts("shop", 1)
	d.wantAgreement()
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
				if n.Erased || n.Level == Critical {
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
			same(t, len(must(d.store.Events(t.Context(), EventFilter{}))), 0)
			for _, a := range must(d.store.SessionActs(t.Context(), session)) {
				if a.Service == "shop" {
					t.Errorf("the session has %+v", a)
				}
			}
		})
	}
}
