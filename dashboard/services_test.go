package dashboard

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

func TestServicesPageByPage(t *testing.T) {
	h := newHouse(t)
	for n := range 12 {
		h.found(morning.Add(-time.Minute), fmt.Sprintf("service-%02d", n), check.Statuses()[n%3])
	}
	h.found(morning.Add(-time.Minute), "Shop", check.Down)
	h.found(morning.Add(-27*time.Hour), "zoo", check.Down)
	for _, c := range []struct {
		name  string
		q     ServiceQuery
		want  []string
		next  string
		total int
	}{
		{"first", ServiceQuery{Limit: 2}, []string{"Shop", "service-00"}, "service-00", 14},
		{"second", ServiceQuery{Limit: 2, After: "service-00"}, []string{"service-01", "service-02"}, "service-02", 14},
		{"last", ServiceQuery{Limit: 2, After: "service-10"}, []string{"service-11", "zoo"}, "", 14},
		{"nobody has looked", ServiceQuery{Status: check.Unknown}, []string{"zoo"}, "", 1},
		{"by status", ServiceQuery{Status: check.Down, Limit: 3}, []string{"Shop", "service-02", "service-05"}, "service-05", 5},
		{"by a part of the name", ServiceQuery{Text: "SHO"}, []string{"Shop"}, "", 1},
		{"nothing", ServiceQuery{Text: "%"}, []string{}, "", 0},
		{"an absurd limit", ServiceQuery{Text: "-1", Limit: 1 << 30}, []string{"service-10", "service-11"}, "", 2},
	} {
		page := got(h.Services(t.Context(), c.q))(t)
		names := []string{}
		for _, s := range page.Services {
			names = append(names, s.Name)
		}
		if diff := cmp.Diff(c.want, names); diff != "" || page.Next != c.next || page.Total != c.total {
			t.Errorf("%s: %s next %q, total %d", c.name, diff, page.Next, page.Total)
		}
	}
}

func TestServiceWithItsHistory(t *testing.T) {
	h := newHouse(t)
	ms := func(n int64) *int64 { return &n }
	add := func(minutes int, results ...check.Result) {
		for n := range results {
			results[n].Service = "shop"
		}
		fine(t, h.store.AddChecks(t.Context(), store.Reported, 0, morning.Add(-time.Duration(minutes)*time.Minute), results))
	}
	http := func(status check.Status, took *int64, fault string) check.Result {
		return check.Result{Type: check.HTTP, Status: status, ResponseTimeMS: took, Error: fault}
	}
	container := check.Result{Type: check.Container, Status: check.Healthy}
	add(31*60, http(check.Down, ms(900), "before the day before"))
	add(25*60, http(check.Healthy, ms(100), ""), container)
	add(121, http(check.Healthy, ms(100), ""), http(check.Down, ms(500), "HTTP 502"), container)
	add(120, http(check.Down, nil, "refused"), container)
	add(60, http(check.Down, nil, "refused"), container)
	add(0, http(check.Healthy, ms(120), ""), http(check.Healthy, ms(140), ""), container)
	act := store.Act{ID: "1", Service: "shop", Action: statefile.Restart, Success: true, Tier: 2, Source: store.SourceReserved, CreatedAt: morning.Add(-90 * time.Minute)}
	fine(t, h.store.PutAct(t.Context(), act))
	h.incident("shop", check.Down, morning.Add(-2*time.Hour))

	d := got(h.Service(t.Context(), "shop", Day1))(t)
	var changes []string
	for _, c := range d.Changes {
		changes = append(changes, fmt.Sprint(c.Type, " ", c.Status, " ", c.Error, " ", c.CheckedAt.Sub(morning)))
	}
	if diff := cmp.Diff([]string{"http healthy  0s", "http down HTTP 502 -2h1m0s"}, changes); diff != "" {
		t.Error("changes: " + diff)
	}
	if len(d.Latest) != 3 || len(d.Remediations) != 1 || len(d.Incidents) != 1 || d.Status != check.Healthy || d.DayUptime == "" || d.WeekUptime == "" {
		t.Errorf("%+v", d)
	}
	if len(d.Latency) != 1 || d.Latency[0].Type != check.HTTP || !d.Latency[0].Until.After(morning) || d.Latency[0].From.After(morning.Add(-24*time.Hour+time.Second)) {
		t.Fatalf("%+v", d.Latency)
	}
	want := []store.Pace{
		{Type: check.HTTP, At: morning.Add(-121 * time.Minute), MeanMS: 300, MaxMS: 500, Worst: check.Down}, // including the check a minute later
		{Type: check.HTTP, At: morning.Add(-60 * time.Minute), Worst: check.Down},
		{Type: check.HTTP, At: morning, MeanMS: 130, MaxMS: 140, Worst: check.Healthy},
	}
	if diff := cmp.Diff(want, d.Latency[0].Points); diff != "" {
		t.Error("latency: " + diff)
	}
	if week := got(h.Service(t.Context(), "shop", Day7))(t); len(week.Changes) != 4 || len(week.Latency[0].Points) != 6 {
		t.Errorf("in a week %d changes and %d points, want 4 and 6", len(week.Changes), len(week.Latency[0].Points))
	}
}

func TestLatencyIsBounded(t *testing.T) {
	h := newHouse(t)
	took := int64(5)
	fine(t, h.store.Update(t.Context(), func(tx *store.Store) error {
		for n := range 2000 {
			result := check.Result{Service: "shop", Type: check.DNS, Status: check.Healthy, ResponseTimeMS: &took}
			if err := tx.AddChecks(t.Context(), store.Reported, 0, morning.Add(-time.Duration(n)*21*time.Minute), []check.Result{result}); err != nil {
				return err
			}
		}
		return nil
	}))
	for _, span := range []Span{Day1, Day7, Day30, "absurd"} {
		if points := got(h.Service(t.Context(), "shop", span))(t).Latency[0].Points; len(points) > 241 || len(points) < 60 {
			t.Errorf("%d points in %s", len(points), span)
		}
	}
}

func TestServiceThatOnlyOnePlaceKnows(t *testing.T) {
	h := newHouse(t)
	h.inv = got(inventory.Parse([]byte("services:\n  - {name: planned, aliases: [planned-1], owner: ann, depends_on: [db], checks: [{type: http, url: \"http://p/\"}]}\n  - {name: db, checks: [{type: http, url: \"http://db/\"}]}\n")))(t)
	fine(t, os.WriteFile(filepath.Join(h.dir, statefile.FileName), []byte(`{"services":{"edited":{"restarts":[],"redeployments":[],"consecutive_healthy":1}},"last_run":null,"last_daily_digest":null}`), 0o600))
	h.incident("troubled", check.Down, morning.AddDate(-1, 0, 0))
	for name, want := range map[string]string{"planned": "planned", "planned-1": "planned", "edited": "edited", "troubled": "troubled"} {
		d := got(h.Service(t.Context(), name, Day1))(t)
		if d.Name != want || d.Status != "" || d.LastAt != nil || d.Uptime30 != nil || len(d.Days) != stripDays || d.DayUptime != "" || d.Cooldown.Service != want {
			t.Errorf("%s: %+v", name, d)
		}
	}
	planned := got(h.Service(t.Context(), "planned", Day1))(t)
	if planned.Owner != "ann" || !cmp.Equal(planned.DependsOn, []string{"db"}) || !cmp.Equal(planned.Aliases, []string{"planned-1"}) {
		t.Errorf("%+v", planned)
	}
	page := got(h.Services(t.Context(), ServiceQuery{}))(t)
	if page.Total != 4 {
		t.Errorf("%+v, want 4", page)
	}
}

func TestCooldowns(t *testing.T) {
	h := newHouse(t)
	ago := func(hours int) time.Time { return morning.Add(-time.Duration(hours) * time.Hour) }
	record := func(service string, a statefile.Action, hours int) {
		told := store.Act{ID: fmt.Sprint(service, a, hours), Service: service, Action: a, Success: true, Source: store.SourceReserved, CreatedAt: ago(hours)}
		fine(t, h.store.PutAct(t.Context(), told))
		if hours < 30 {
			r := ledger.Records{Config: config.Config{StateDir: h.dir}, Now: h.time, Store: h.store}
			fine(t, r.UpdateState(t.Context(), func(st *statefile.State) error {
				st.Add(service, a, statefile.Record{Timestamp: statefile.At(ago(hours)), Success: true, ID: told.ID})
				return nil
			}))
		}
	}
	fine(t, os.WriteFile(filepath.Join(h.dir, statefile.FileName), []byte(`{"services":{},"last_run":null,"last_daily_digest":null}`), 0o600))
	h.found(ago(1), "quiet", check.Healthy)
	record("busy", statefile.Restart, 3)
	record("busy", statefile.Restart, 1)
	record("half", statefile.Restart, 5) // no longer counts
	record("half", statefile.Restart, 2)
	record("deployed", statefile.Redeployment, 23)

	all := got(h.Cooldowns(t.Context()))(t)
	names := []string{}
	for _, c := range all {
		names = append(names, c.Service)
	}
	if diff := cmp.Diff([]string{"busy", "deployed", "half", "quiet"}, names); diff != "" {
		t.Fatal(diff)
	}
	busy, deployed, half := all[0], all[1], all[2]
	if busy.Restart.Permitted || busy.Restart.Used != 2 || !busy.Restart.FreesAt.Equal(morning.Add(time.Hour)) || busy.Today != 2 || busy.Ceiling != 12 {
		t.Errorf("%+v", busy)
	}
	if diff := cmp.Diff([]time.Time{morning.Add(time.Hour), morning.Add(3 * time.Hour)}, busy.RestartsEnd); diff != "" {
		t.Error(diff)
	}
	if deployed.Redeployment.Permitted || len(deployed.RedeploymentsEnd) != 1 || deployed.RestartsEnd != nil {
		t.Errorf("%+v", deployed)
	}
	if half.Restart.Used != 1 || half.Today != 2 || len(half.RestartsEnd) != 1 {
		t.Errorf("%+v", half)
	}
	if d := got(h.Service(t.Context(), "busy", Day1))(t); !cmp.Equal(d.Cooldown, busy) {
		t.Error(cmp.Diff(d.Cooldown, busy))
	}
	if used := h.overview().Cooldowns; len(used) != 3 {
		t.Errorf("%d services of which a place is used, want 3", len(used))
	}
	fine(t, os.Remove(filepath.Join(h.dir, statefile.FileName))) // the acts still count: the database has them
	h.pass(2 * time.Second)
	if used := got(h.Overview(t.Context()))(t).Cooldowns; len(used) != 3 || used[0].Restart.Used != 2 || used[0].Today != 2 {
		t.Errorf("%+v", used)
	}
}

func TestCooldownFileThatCannotBeReadIsToldAndTheDatabaseCounts(t *testing.T) {
	h := newHouse(t)
	h.cycle(morning.Add(-time.Hour), "completed")
	fine(t, h.store.PutAct(t.Context(), store.Act{ID: "1", Service: "shop", Action: statefile.Restart, Source: store.SourceReserved, CreatedAt: morning.Add(-time.Hour)}))
	path := filepath.Join(h.dir, statefile.FileName)
	for name, damage := range map[string]func() error{
		"corrupt":     func() error { return os.WriteFile(path, []byte("{"), 0o600) },
		"a directory": func() error { return os.Mkdir(path, 0o700) },
	} {
		fine(t, damage())
		o := h.overview()
		if o.Verdict != NeedsHuman || len(o.Attention) != 1 || o.Attention[0].Title != "cooldown.json cannot be read" || o.Attention[0].Body == "" {
			t.Errorf("%s: %+v", name, o.Attention)
		}
		if len(o.Cooldowns) != 1 || o.Cooldowns[0].Restart.Used != 1 {
			t.Errorf("%s: %+v", name, o.Cooldowns)
		}
		got(h.Service(t.Context(), "shop", Day1))(t)
		fine(t, os.Remove(path))
	}
}

func TestEventsPageByPage(t *testing.T) {
	h := newHouse(t)
	for n := range 5 {
		fine(t, h.store.AddEvent(t.Context(), store.Event{Level: store.Info, Message: fmt.Sprint(n)}))
	}
	first := got(h.Events(t.Context(), store.EventFilter{Limit: 2}))(t)
	if len(first.Events) != 2 || first.Events[0].Message != "4" || first.Next != first.Events[1].ID {
		t.Fatalf("%+v", first)
	}
	second := got(h.Events(t.Context(), store.EventFilter{Limit: 3, Before: first.Next}))(t)
	if len(second.Events) != 3 || second.Events[2].Message != "0" || second.Next != 0 {
		t.Errorf("%+v", second)
	}
}

func TestUnknownService(t *testing.T) {
	h := newHouse(t)
	for _, name := range []string{"", "nobody", "../etc/passwd", "a\x00b", string([]byte{0xff})} {
		if _, err := h.Service(t.Context(), name, Day1); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%q: %v, want ErrNotFound", name, err)
		}
	}
}
