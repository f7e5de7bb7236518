package ledger_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// shopTwice is a file in which shop was restarted 3 h and 1 h ago, the second time without success.
const shopTwice = `{"services":{"shop":{"restarts":[
	{"timestamp":"2026-03-01T09:00:00Z","success":true,"by":"me"},
	{"timestamp":"2026-03-01T11:00:00Z","success":false,"error":"exit 1"}],"redeployments":[],"consecutive_healthy":0}},
	"last_run":null,"last_daily_digest":null}`

func TestAdoptTakesRecordsOfOthersOver(t *testing.T) {
	d := newFixture(t)
	d.Writes(shopTwice)
	same(t, len(d.AdoptFile()), 0)
	d.WantAgreement()
	d.wantRestarts("shop", 2)
	same(t, string(d.Reads().Services["shop"].Restarts[0].Extra), `{"by":"me"}`)
	for _, a := range d.Counting() {
		same(t, a.Source, store.SourceFile)
		if a.SessionID != nil {
			t.Errorf("%+v is of a session", a)
		}
	}
	whole := must(os.ReadFile(statefile.Path(d.Dir)))
	same(t, len(d.AdoptFile()), 0)
	same(t, string(must(os.ReadFile(statefile.Path(d.Dir)))), string(whole))
}

// Between cycles the file takes precedence, because operators edit it.
func TestAdoptFileWins(t *testing.T) {
	for name, tt := range map[string]struct {
		edit  func(*statefile.State)
		count map[string]int // restarts that count afterwards
	}{
		"nothing":     {func(*statefile.State) {}, map[string]int{"shop": 2}},
		"one removed": {func(st *statefile.State) { shop := st.Services["shop"]; shop.Restarts = shop.Restarts[1:] }, map[string]int{"shop": 1}},
		"the service": {func(st *statefile.State) { delete(st.Services, "shop") }, map[string]int{"shop": 0}},
		"made older":  {func(st *statefile.State) { st.Services["shop"].Restarts[0].Timestamp = statefile.At(ago(5)) }, map[string]int{"shop": 1}},
		"outcome":     {func(st *statefile.State) { st.Services["shop"].Restarts[1].Success = true }, map[string]int{"shop": 2}},
		"id removed":  {func(st *statefile.State) { st.Services["shop"].Restarts[1].ID = "" }, map[string]int{"shop": 2}},
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
			d := newFixture(t)
			d.Writes(shopTwice)
			d.AdoptFile()
			d.Time = d.Time.Add(time.Minute)
			d.Edits(tt.edit)
			if found := d.AdoptFile(); len(found) != 0 {
				t.Errorf("an operator's edit is told as %+v", found)
			}
			for service, want := range tt.count {
				d.wantRestarts(service, want)
			}
			d.WantAgreement()
		})
	}
}

func TestAdoptClearsWhatAnOperatorRemoved(t *testing.T) {
	d := newFixture(t)
	d.Writes(shopTwice)
	d.AdoptFile()
	d.Edits(func(st *statefile.State) { st.Services["shop"].Restarts = nil })
	d.AdoptFile()
	same(t, len(d.Counting()), 0)
	same(t, len(must(d.Store.ActsAfter(t.Context(), ago(24)))), 2) // the count for the day's ceiling is kept
}

// A record counts again if it is adopted after a crash, or restored from a copy of the file.
func TestAdoptRecordThatWasCleared(t *testing.T) {
	d := newFixture(t)
	d.Writes(shopTwice)
	d.AdoptFile()
	copied := string(must(os.ReadFile(statefile.Path(d.Dir))))
	ok(t, d.Reset(t.Context(), "shop"))
	d.wantRestarts("shop", 0)
	d.Writes(copied)
	d.AdoptFile()
	d.wantRestarts("shop", 2)
	d.WantAgreement()
}

func TestAdoptFutureTimeCountsAsNow(t *testing.T) {
	d := newFixture(t)
	d.Writes(strings.Replace(shopTwice, "2026-03-01T11", "2026-03-02T11", 1))
	d.AdoptFile()
	same(t, d.Reads().Services["shop"].Restarts[1].Timestamp, noon)
	d.WantAgreement()
	d.Time = noon.Add(4 * time.Hour)
	d.wantRestarts("shop", 0)
}

func TestCorruptOrMissingFileIsRefilled(t *testing.T) {
	for name, content := range map[string]string{"missing": "", "empty": "", "cut short": shopTwice[:90], "text": "nonsense", "null": "null", "array": "[]"} {
		for when, look := range map[string]func(d *fixture) []store.Event{
			"start of a cycle": func(d *fixture) []store.Event { return d.AdoptFile() },
			"a command": func(d *fixture) []store.Event {
				return d.Noted(func() error { return d.UpdateState(d.T.Context(), func(*statefile.State) error { return nil }) })
			},
		} {
			t.Run(name+", "+when, func(t *testing.T) {
				d := newFixture(t)
				d.Writes(shopTwice)
				d.AdoptFile()
				d.Session(2)
				d.Did(store.Act{Service: "db", Action: statefile.Redeployment, Success: true})
				ok(t, d.Reset(t.Context(), "gone"))
				d.Writes(content)
				says := "cooldown.json.corrupt-"
				if name == "missing" {
					ok(t, os.Remove(statefile.Path(d.Dir)))
					says = "cooldown.json was missing"
				}
				found := look(d)
				same(t, len(must(d.Store.Notifications(t.Context(), store.NotificationFilter{Pending: true}))), 1)
				if len(found) != 1 || found[0].Level != store.Warning || !strings.Contains(found[0].Message, says) {
					t.Errorf("told as %+v", found)
				}
				d.wantRestarts("shop", 2)
				same(t, len(d.Reads().Service("db").Redeployments), 1)
				d.WantAgreement()
				if name != "missing" {
					same(t, string(must(os.ReadFile(statefile.Path(d.Dir)+".corrupt-20260301T120000Z"))), content)
				}
			})
		}
	}
}

func TestCorruptFileIsNotRefilledWithWhatWasCleared(t *testing.T) {
	d := newFixture(t)
	d.Writes(shopTwice)
	d.AdoptFile()
	ok(t, d.Reset(t.Context(), "shop"))
	d.Writes("{")
	d.AdoptFile()
	d.wantRestarts("shop", 0)
}

func TestResetEmptiesBoth(t *testing.T) {
	d := newFixture(t)
	d.Writes(strings.Replace(shopTwice, `"consecutive_healthy":0`, `"consecutive_healthy":1,"owner":"me"`, 1))
	d.AdoptFile()
	ok(t, d.Reset(t.Context(), "shop"))
	d.wantRestarts("shop", 0)
	d.WantAgreement()
	shop := d.Reads().Services["shop"]
	if shop.ConsecutiveHealthy != 0 || string(shop.Extra) != `{"owner":"me"}` {
		t.Errorf("shop is %+v", shop)
	}
	ok(t, d.Reset(t.Context(), "never seen"))
}

// An operator's typing error does not stop the monitoring.
func TestAdoptARecordOfATierThatThereIsNot(t *testing.T) {
	d := newFixture(t)
	d.Writes(`{"services":{"shop":{"restarts":[
		{"timestamp":"2026-03-01T11:00:00Z","success":true,"tier":99},{"timestamp":"2026-03-01T11:30:00Z","success":true,"tier":-1}]}}}`)
	d.AdoptFile()
	d.wantRestarts("shop", 2)
	d.WantAgreement()
}
