package store

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/claudeops/claudeops/statefile"
)

// desk is a ledger on a real file and a real database, with a clock that the test moves.
type desk struct {
	*Ledger
	t   *testing.T
	dir string
	now time.Time

	began map[int64]time.Time // the sessions
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	d := &desk{t: t, dir: t.TempDir(), now: noon, began: map[int64]time.Time{}}
	s := at(t, filepath.Join(d.dir, FileName))
	clock := func() time.Time { return d.now }
	s.Now = clock
	d.Ledger = NewLedger(d.dir, s, clock)
	return d
}

// reads is the file as it is.
func (d *desk) reads() *statefile.State {
	d.t.Helper()
	st, err := statefile.Parse(must(os.ReadFile(statefile.Path(d.dir))))
	ok(d.t, err)
	return st
}

// writes replaces the file, as an editor would.
func (d *desk) writes(text string) {
	d.t.Helper()
	ok(d.t, os.WriteFile(statefile.Path(d.dir), []byte(text), 0o644))
}

// edits changes the file as an operator or an agent does, behind the program's back.
func (d *desk) edits(change func(*statefile.State)) {
	d.t.Helper()
	st := d.reads()
	change(st)
	d.writes(string(must(st.Marshal())))
}

// adopt begins a cycle.
func (d *desk) adopt() []Notice {
	d.t.Helper()
	a, err := d.Adopt(d.t.Context())
	ok(d.t, err)
	return a.Notices
}

// session begins one of the given tier.
func (d *desk) session(tier int) int64 {
	d.t.Helper()
	id := must(d.store.AddSession(d.t.Context(), Session{Tier: tier, Trigger: "manual", Status: Running, StartedAt: d.now}))
	d.began[id] = d.now
	return id
}

// settle ends a session in which the agent was right to reset nothing.
func (d *desk) settle(session int64, markers ...Told) []Notice {
	d.t.Helper()
	found, err := d.Settle(d.t.Context(), Settlement{SessionID: session, Tier: 2, StartedAt: d.began[session], Markers: markers})
	ok(d.t, err)
	return found
}

func (d *desk) record(session int64, told Told) {
	d.t.Helper()
	_, err := d.Record(d.t.Context(), session, 2, told)
	ok(d.t, err)
}

// restarts are how many of a service count between cycles and in a session.
func (d *desk) restarts(service string) (between, inSession int) {
	d.t.Helper()
	between = must(d.State(d.t.Context(), false)).Position(service, statefile.Restart, d.now).Used
	inSession = must(d.State(d.t.Context(), true)).Position(service, statefile.Restart, d.now).Used
	return between, inSession
}

func (d *desk) wantRestarts(service string, want int) {
	d.t.Helper()
	if between, in := d.restarts(service); between != want || in != want {
		d.t.Errorf("%s: %d restarts count in the file and %d in a session, want %d", service, between, in, want)
	}
}

// counting are the acts of the database that count.
func (d *desk) counting() []Act {
	d.t.Helper()
	return must(d.store.ActsSince(d.t.Context(), d.now.Add(-statefile.PruneAfter)))
}

// wantAgreement fails unless the file and the database have the same records, each with an id of its own.
func (d *desk) wantAgreement() {
	d.t.Helper()
	file, base := map[string]string{}, map[string]string{}
	for name, svc := range d.reads().Services {
		for _, action := range statefile.Actions() {
			for _, r := range svc.Records(action) {
				if _, twice := file[r.ID]; r.ID == "" || twice {
					d.t.Errorf("a %s of %s has the id %q, which is empty or another's", action, name, r.ID)
				}
				file[r.ID] = fmt.Sprint(name, " ", action, " ", r.Timestamp, " ", r.Success, " ", r.Error)
			}
		}
	}
	for _, a := range d.counting() {
		base[a.ID] = fmt.Sprint(a.Service, " ", a.Action, " ", statefile.At(a.CreatedAt), " ", a.Success, " ", a.Error)
	}
	same(d.t, base, file)
}

// shopTwice is a file in which shop was restarted 3 h and 1 h ago, the second time in vain.
const shopTwice = `{"services":{"shop":{"restarts":[
	{"timestamp":"2026-03-01T09:00:00Z","success":true,"by":"me"},
	{"timestamp":"2026-03-01T11:00:00Z","success":false,"error":"exit 1"}],"redeployments":[],"consecutive_healthy":0}},
	"last_run":null,"last_daily_digest":null}`

func TestLedgerInitMakesTheEmptyFile(t *testing.T) {
	d := newDesk(t)
	ok(t, d.Init(t.Context()))
	text := must(os.ReadFile(statefile.Path(d.dir)))
	compact := jsontext.Value(text)
	ok(t, compact.Compact())
	same(t, string(compact), `{"services":{},"last_run":null,"last_daily_digest":null}`)
	d.writes(shopTwice)
	ok(t, d.Init(t.Context()))
	same(t, string(must(os.ReadFile(statefile.Path(d.dir)))), shopTwice)
}

func TestAdoptTakesRecordsOfOthersOver(t *testing.T) {
	d := newDesk(t)
	d.writes(shopTwice)
	same(t, len(d.adopt()), 0)
	d.wantAgreement()
	d.wantRestarts("shop", 2)
	same(t, string(d.reads().Services["shop"].Restarts[0].Extra), `{"by":"me"}`)
	for _, a := range d.counting() {
		same(t, a.Source, SourceFile)
		if a.SessionID != nil {
			t.Errorf("%+v is of a session", a)
		}
	}
	whole := must(os.ReadFile(statefile.Path(d.dir)))
	same(t, len(d.adopt()), 0)
	same(t, string(must(os.ReadFile(statefile.Path(d.dir)))), string(whole))
}

// Between cycles the file wins, because operators edit it.
func TestAdoptFileWins(t *testing.T) {
	for name, tt := range map[string]struct {
		edit  func(*statefile.State)
		count map[string]int // restarts that count afterwards
	}{
		"nothing":      {func(*statefile.State) {}, map[string]int{"shop": 2}},
		"one removed":  {func(st *statefile.State) { shop := st.Services["shop"]; shop.Restarts = shop.Restarts[1:] }, map[string]int{"shop": 1}},
		"all removed":  {func(st *statefile.State) { st.Services["shop"].Restarts = nil }, map[string]int{"shop": 0}},
		"the service":  {func(st *statefile.State) { delete(st.Services, "shop") }, map[string]int{"shop": 0}},
		"made older":   {func(st *statefile.State) { st.Services["shop"].Restarts[0].Timestamp = statefile.At(ago(5)) }, map[string]int{"shop": 1}},
		"made too old": {func(st *statefile.State) { st.Services["shop"].Restarts[0].Timestamp = statefile.At(ago(72)) }, map[string]int{"shop": 1}},
		"outcome":      {func(st *statefile.State) { st.Services["shop"].Restarts[1].Success = true }, map[string]int{"shop": 2}},
		"error":        {func(st *statefile.State) { st.Services["shop"].Restarts[1].Error = "really" }, map[string]int{"shop": 2}},
		"id removed":   {func(st *statefile.State) { st.Services["shop"].Restarts[1].ID = "" }, map[string]int{"shop": 2}},
		"id made up":   {func(st *statefile.State) { st.Services["shop"].Restarts[1].ID = "mine" }, map[string]int{"shop": 2}},
		"one more": {func(st *statefile.State) {
			st.Add("shop", statefile.Restart, statefile.Record{Timestamp: statefile.At(ago(2))})
		}, map[string]int{"shop": 3}},
		"another's": {func(st *statefile.State) {
			st.Add("db", statefile.Restart, statefile.Record{Timestamp: statefile.At(ago(2))})
		}, map[string]int{"shop": 2, "db": 1}},
		"copied as new": {func(st *statefile.State) {
			shop := st.Services["shop"]
			shop.Restarts = append(shop.Restarts, shop.Restarts[1])
		}, map[string]int{"shop": 3}},
		"service renamed": {func(st *statefile.State) {
			st.Services["web"] = st.Services["shop"]
			delete(st.Services, "shop")
		}, map[string]int{"shop": 0, "web": 2}},
		"moved to redeployments": {func(st *statefile.State) {
			shop := st.Services["shop"]
			shop.Restarts, shop.Redeployments = shop.Restarts[1:], shop.Restarts[:1]
		}, map[string]int{"shop": 1}},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			d.writes(shopTwice)
			d.adopt()
			d.now = d.now.Add(time.Minute)
			d.edits(tt.edit)
			if found := d.adopt(); len(found) != 0 {
				t.Errorf("an operator's edit is told as %+v", found)
			}
			for service, want := range tt.count {
				d.wantRestarts(service, want)
			}
			d.wantAgreement()
		})
	}
}

func TestAdoptClearsWhatAnOperatorRemoved(t *testing.T) {
	d := newDesk(t)
	d.writes(shopTwice)
	d.adopt()
	d.edits(func(st *statefile.State) { st.Services["shop"].Restarts = nil })
	d.adopt()
	same(t, len(d.counting()), 0)
	same(t, len(must(d.store.ActTimes(t.Context(), "shop", ago(24)))), 2) // the ceiling of a day stays
}

// A record that is taken over after a crash, or written back from a copy of the file, counts again.
func TestAdoptRecordThatWasCleared(t *testing.T) {
	d := newDesk(t)
	d.writes(shopTwice)
	d.adopt()
	copied := string(must(os.ReadFile(statefile.Path(d.dir))))
	ok(t, d.Reset(t.Context(), "shop"))
	d.wantRestarts("shop", 0)
	d.writes(copied)
	d.adopt()
	d.wantRestarts("shop", 2)
	d.wantAgreement()
}

func TestAdoptFutureTimeCountsAsNow(t *testing.T) {
	d := newDesk(t)
	d.writes(strings.Replace(shopTwice, "2026-03-01T11", "2026-03-02T11", 1))
	found := d.adopt()
	if len(found) != 1 || found[0].Level != Warning || found[0].Erased || !strings.Contains(found[0].Message, "in the future") {
		t.Errorf("told as %+v", found)
	}
	same(t, d.reads().Services["shop"].Restarts[1].Timestamp.Time, noon)
	d.wantAgreement()
	d.now = noon.Add(4 * time.Hour)
	d.wantRestarts("shop", 0)
}

func TestCorruptFileIsRefilled(t *testing.T) {
	for name, content := range map[string]string{"empty": "", "cut short": shopTwice[:90], "text": "nonsense", "null": "null", "array": "[]"} {
		for when, look := range map[string]func(d *desk, session int64) []Notice{
			"start of a cycle": func(d *desk, _ int64) []Notice { return d.adopt() },
			"after a session":  func(d *desk, session int64) []Notice { return d.settle(session) },
			"a command": func(d *desk, _ int64) []Notice {
				_, err := d.State(d.t.Context(), true)
				ok(d.t, err)
				var told []Notice
				for _, e := range must(d.store.Events(d.t.Context(), EventFilter{})) {
					told = append(told, Notice{Level: e.Level, Message: e.Message})
				}
				return told
			},
		} {
			t.Run(name+", "+when, func(t *testing.T) {
				d := newDesk(t)
				d.writes(shopTwice)
				d.adopt()
				session := d.session(2)
				d.record(session, Told{Service: "db", Action: statefile.Redeployment, Success: true})
				ok(t, d.Reset(t.Context(), "gone"))
				d.writes(content)
				found := look(d, session)
				if len(found) != 1 || found[0].Level != Warning || !strings.Contains(found[0].Message, "cooldown.json.corrupt-") {
					t.Errorf("told as %+v", found)
				}
				d.wantRestarts("shop", 2)
				same(t, len(d.reads().Service("db").Redeployments), 1)
				d.wantAgreement()
				same(t, string(must(os.ReadFile(statefile.Path(d.dir)+".corrupt-20260301T120000Z"))), content)
			})
		}
	}
}

func TestCorruptFileIsNotRefilledWithWhatWasCleared(t *testing.T) {
	d := newDesk(t)
	d.writes(shopTwice)
	d.adopt()
	ok(t, d.Reset(t.Context(), "shop"))
	d.writes("{")
	d.adopt()
	d.wantRestarts("shop", 0)
}

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
	found, err := d.Settle(t.Context(), Settlement{SessionID: session, Tier: 1, StartedAt: d.now, Resets: func(after *statefile.State) map[string]bool {
		return map[string]bool{"shop": len(after.Services["shop"].Restarts) == 0}
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
	for _, inSession := range []bool{false, true} {
		same(t, must(l.State(t.Context(), inSession)).Position("shop", statefile.Restart, noon).Used, 2)
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

// reserve does what the guard does before a remediation runs.
func (d *desk) reserve(session int64, service string, action statefile.Action) {
	d.t.Helper()
	a := Act{ID: fmt.Sprintf("guard-%v-%d", d.now.Unix(), len(d.counting())), SessionID: &session, Service: service, Action: action,
		Error: InProgress, Tier: 2, Source: SourceGuard, CreatedAt: d.now}
	ok(d.t, d.Update(d.t.Context(), func(st *statefile.State) error {
		st.Add(service, action, a.record())
		return nil
	}))
	ok(d.t, d.store.PutAct(d.t.Context(), a))
}

func TestResetEmptiesBoth(t *testing.T) {
	d := newDesk(t)
	d.writes(strings.Replace(shopTwice, `"consecutive_healthy":0`, `"consecutive_healthy":1,"owner":"me"`, 1))
	d.adopt()
	ok(t, d.Reset(t.Context(), "shop"))
	d.wantRestarts("shop", 0)
	d.wantAgreement()
	shop := d.reads().Services["shop"]
	if shop.ConsecutiveHealthy != 0 || string(shop.Extra) != `{"owner":"me"}` {
		t.Errorf("shop is %+v", shop)
	}
	ok(t, d.Reset(t.Context(), "never seen"))
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
