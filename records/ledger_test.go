package records

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// desk is a ledger on a real file and a real database, with a clock that the test moves.
type desk struct {
	*Ledger
	t   *testing.T
	dir string
	now time.Time

	toolUses int
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	d := &desk{t: t, dir: t.TempDir(), now: noon}
	s := at(t, filepath.Join(d.dir, store.FileName))
	clock := func() time.Time { return d.now }
	s.Now = clock
	d.Ledger = NewLedger(d.dir, s, clock)
	return d
}

func (d *desk) path() string { return filepath.Join(d.dir, store.FileName) }

// unknownSession is none that was begun.
const unknownSession = 99

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

// tampers has the agent of a session change its copy of the file, and returns what is told of that.
func (d *desk) tampers(session int64, change func(*statefile.State)) []Notice {
	d.t.Helper()
	base, left := d.reads(), d.reads()
	change(left)
	s := must(d.store.Session(d.t.Context(), session))
	found, err := d.Take(d.t.Context(), Copied{Session: s, Base: base, Left: left, Redact: strings.Clone})
	ok(d.t, err)
	return found
}

// edits changes the file as an operator does, behind the program's back.
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
	id := must(d.store.AddSession(d.t.Context(), store.Session{Tier: tier, Trigger: "manual", Status: store.Running, StartedAt: d.now}))
	return id
}

// settle ends a session.
func (d *desk) settle(session int64, markers ...Told) []Notice {
	d.t.Helper()
	found, err := d.Settle(d.t.Context(), Settlement{SessionID: session, Tier: 2, Markers: markers})
	ok(d.t, err)
	return found
}

func (d *desk) record(session int64, told Told) {
	d.t.Helper()
	_, err := d.Record(d.t.Context(), session, 2, told)
	ok(d.t, err)
}

// reserve does what the guard does before a remediation runs, whatever the limits. It returns the tool use.
func (d *desk) reserve(session int64, service string, action statefile.Action) string {
	d.t.Helper()
	d.toolUses++
	id := fmt.Sprintf("toolu_%d", d.toolUses)
	ok(d.t, d.Reserve(d.t.Context(), Reservation{SessionID: session, Tier: 2, ToolUseID: id, Wanted: []Wanted{{Service: service, Action: action}}},
		func(*statefile.State, *store.Tx) error { return nil }))
	return id
}

// restarts are how many of a service count.
func (d *desk) restarts(service string) int {
	d.t.Helper()
	return must(d.State(d.t.Context())).Position(service, statefile.Restart, d.now).Used
}

func (d *desk) wantRestarts(service string, want int) {
	d.t.Helper()
	if got := d.restarts(service); got != want {
		d.t.Errorf("%s: %d restarts count, want %d", service, got, want)
	}
}

// counting are the acts of the database that count.
func (d *desk) counting() []store.Act {
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
		same(t, a.Source, store.SourceFile)
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
	if len(found) != 1 || found[0].Level != store.Warning || found[0].Erased || !strings.Contains(found[0].Message, "in the future") {
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
				d.Seize()
				_, err := d.State(d.t.Context())
				ok(d.t, err)
				var told []Notice
				for _, e := range must(d.store.Events(d.t.Context(), store.EventFilter{})) {
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
				if len(found) != 1 || found[0].Level != store.Warning || !strings.Contains(found[0].Message, "cooldown.json.corrupt-") {
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

// Nobody's typing error stops the watch.
func TestAdoptARecordOfATierThatThereIsNot(t *testing.T) {
	d := newDesk(t)
	d.writes(`{"services":{"shop":{"restarts":[
		{"timestamp":"2026-03-01T11:00:00Z","success":true,"tier":99},{"timestamp":"2026-03-01T11:30:00Z","success":true,"tier":-1}]}}}`)
	d.adopt()
	d.wantRestarts("shop", 2)
	d.wantAgreement()
}
