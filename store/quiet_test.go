package store

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/claudeops/claudeops/check"
)

// watch is a database to which a test adds cycles. There are two, and only one of them omits the rows of quiet cycles.
type watch struct {
	*Store
	t      *rapid.T
	clock  time.Time
	leaves bool
	open   map[string]Incident
	well   map[string]int // consecutive cycles
	left   int            // quiet cycles
}

// cycle is a cycle of probes, with as much of incidents as their timelines need. One with news is loud.
func (w *watch) cycle(trigger string, results []check.Result) {
	ctx, loud := w.t.Context(), trigger == "manual"
	session := w.do(w.AddSession(ctx, Session{Tier: 1, Agent: "probe", Trigger: trigger, Status: Running, StartedAt: w.clock}))
	w.clock = w.clock.Add(time.Second)
	w.ok(w.AddProbed(ctx, session, w.clock, results, nil))
	worst := check.Worst(results)
	for _, service := range slices.Sorted(maps.Keys(worst)) {
		status := worst[service]
		i, known := w.open[service]
		switch {
		case status.Unwell() && !known:
			i = Incident{Service: service, Status: status, OpenedAt: w.clock, LastSeenAt: w.clock}
			i.ID, loud = w.do(w.OpenIncident(ctx, i)), true
			w.open[service] = i
		case status.Unwell():
			i.Status, i.LastSeenAt = status, w.clock
			w.ok(w.SaveIncident(ctx, i))
		}
		w.well[service]++
		if status != check.Healthy {
			w.well[service] = 0
		}
		if status.Unwell() {
			w.ok(w.LinkSession(ctx, i.ID, session, "", ""))
		} else if known && w.well[service] == 2 {
			i.Status, i.ClosedAt, loud = check.Healthy, &w.clock, true
			w.ok(w.SaveIncident(ctx, i))
			delete(w.open, service)
		}
	}
	w.ok(w.AddEvent(ctx, Event{SessionID: &session, Level: Info, Message: "Tier 1 completed", CreatedAt: w.clock}))
	w.ok(w.EndSession(ctx, session, SessionEnd{Status: Completed, EndedAt: w.clock}))
	if !loud && w.leaves {
		quiet, err := w.QuietSession(ctx, session)
		w.ok(err)
		if quiet {
			w.left++
		}
	}
}

func (w *watch) ok(err error) {
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *watch) do(id int64, err error) int64 {
	w.ok(err)
	return id
}

// shows returns what queries of the database return, for comparison.
func (w *watch) shows(zone *time.Location, services []string) map[string]any {
	ctx, now, all := w.t.Context(), w.clock, map[string]any{}
	add := func(what string, value any, err error) {
		if err != nil {
			w.t.Fatalf("%s: %v", what, err)
		}
		all[what] = value
	}
	read := func(what string) func(any, error) { return func(value any, err error) { add(what, value, err) } }
	uptimes, err := w.Uptimes(ctx, now)
	add("uptimes", uptimes, err)
	var days []time.Time
	for n := -30; n <= 1; n++ {
		days = append(days, time.Date(now.In(zone).Year(), now.In(zone).Month(), now.In(zone).Day()+n, 0, 0, 0, 0, zone))
	}
	looks, err := w.LooksByDay(ctx, days, 100)
	add("days", looks, err)
	checked, err := w.LastChecked(ctx, 100)
	add("last checked", checked, err)
	figures, err := w.Figures(ctx, now.Add(-24*time.Hour))
	add("figures", figures, err)
	names, err := w.ServiceNames(ctx, 100)
	add("names", names, err)
	incidents, err := w.Incidents(ctx, 0)
	add("incidents", incidents, err)
	for _, i := range incidents {
		timeline, err := w.IncidentTimeline(ctx, i.ID)
		add(fmt.Sprint("timeline ", i.ID), timeline, err)
		fault, err := w.LastFault(ctx, i.Service, i.OpenedAt.Add(-time.Hour), now)
		add(fmt.Sprint("fault ", i.ID), fault, err)
	}
	silences, err := w.Silences(ctx, 0)
	add("silences", silences, err)
	for _, service := range services {
		watched, err := w.WatchedFor(ctx, service, now, time.Hour, 24*time.Hour, 7*24*time.Hour, 30*24*time.Hour)
		add("watched "+service, watched, err)
		last, err := w.LastChecks(ctx, service, now.Add(-24*time.Hour))
		add("last of "+service, last, err)
		known, err := w.LastKnown(ctx, now.Add(-24*time.Hour), service)
		add("known of "+service, known, err)
		turns, err := w.Turns(ctx, service, now.Add(-24*time.Hour), 100)
		add("turns of "+service, turns, err)
		turns, err = w.Turns(ctx, service, now.Add(-30*24*time.Hour), 100)
		add("turns in a month of "+service, turns, err)
		paces, err := w.Paces(ctx, service, now.Add(-24*time.Hour), now.Add(time.Millisecond), 240)
		add("paces of "+service, paces, err)
	}
	read("warnings")(w.Events(ctx, EventFilter{Level: Warning, Limit: 100}))
	return all
}

// seldom draws true about once in n times. Of a range, rapid prefers the numbers near 0.
func seldom(r *rapid.T, n int, label string) bool {
	return rapid.IntRange(0, n).Draw(r, label) == n/2+1
}

// TestQuietCyclesShowTheSameAsAllRows has cycles follow each other as they do, by minutes and with gaps, over services whose checks come and go.
func TestQuietCyclesShowTheSameAsAllRows(t *testing.T) {
	zones := []*time.Location{time.UTC, must(time.LoadLocation("Europe/Berlin")), must(time.LoadLocation("Asia/Kathmandu"))}
	services := []string{"db", "mail", "shop"}
	types := []check.Type{check.HTTP, check.HTTP, check.DNS}
	leftOut := 0
	rapid.Check(t, func(r *rapid.T) {
		zone := rapid.SampledFrom(zones).Draw(r, "zone")
		start := noon.In(zone).Add(time.Duration(rapid.IntRange(0, 24*60).Draw(r, "start")) * time.Minute)
		dir := t.TempDir()
		both := make([]*watch, 2)
		for n := range both {
			s, err := Open(t.Context(), filepath.Join(dir, fmt.Sprint(n)), ReadWrite)
			if err != nil {
				r.Fatal(err)
			}
			w := &watch{Store: s, t: r, clock: start, leaves: n == 1, open: map[string]Incident{}, well: map[string]int{}}
			s.Now = func() time.Time { return w.clock }
			both[n] = w
			defer func() { w.ok(s.Close()) }()
		}
		is := map[string]check.Result{} // by service and check
		for range rapid.IntRange(1, 60).Draw(r, "cycles") {
			pass := rapid.SampledFrom([]time.Duration{time.Minute, time.Minute, time.Minute, 7 * time.Minute, time.Hour, 30 * time.Hour}).Draw(r, "pass")
			var results []check.Result
			for _, service := range services {
				for n, typ := range types {
					key := fmt.Sprint(service, n)
					if _, known := is[key]; !known || seldom(r, 60, "changes") {
						status := rapid.SampledFrom([]check.Status{check.Healthy, check.Healthy, check.Down, check.Degraded, check.Unknown}).Draw(r, "status")
						is[key] = check.Result{Service: service, Type: typ, Status: status}
					}
					result := is[key]
					if result.Status != check.Healthy {
						result.Error = fmt.Sprintf("HTTP 502 after %d ms", rapid.IntRange(1, 3).Draw(r, "took")) // the same, numbers apart
					}
					if took := rapid.IntRange(0, 900).Draw(r, "ms"); took%7 > 0 {
						result.ResponseTimeMS = new(int64(took))
					}
					if !seldom(r, 200, "missing") {
						results = append(results, result)
					}
				}
			}
			trigger := rapid.SampledFrom([]string{"cron", "cron", "cron", "cron", "cron", "systemd", "manual"}).Draw(r, "trigger")
			event := 0
			if seldom(r, 10, "event") {
				event = rapid.IntRange(1, 3).Draw(r, "which")
			}
			for _, w := range both {
				w.clock = w.clock.Add(pass)
				switch event {
				case 1: // a person's report
					w.ok(w.AddChecks(r.Context(), nil, w.clock.Add(-30*time.Second), results[:1]))
				case 2:
					_, _, err := w.AddSilence(r.Context(), Silence{Service: "shop", Until: w.clock.Add(20 * time.Minute), CreatedAt: w.clock.Add(-20 * time.Second)})
					w.ok(err)
				case 3:
					_, _, err := w.AddSilence(r.Context(), Silence{Until: w.clock.Add(20 * time.Minute), CreatedAt: w.clock.Add(-10 * time.Second)})
					w.ok(err)
				}
				w.cycle(trigger, results)
			}
		}
		if diff := cmp.Diff(both[0].shows(zone, services), both[1].shows(zone, services)); diff != "" {
			r.Fatalf("-all rows +without the quiet ones:\n%s", diff)
		}
		leftOut += both[1].left
	})
	if leftOut == 0 {
		t.Error("no cycle was quiet")
	}
}

// What a quiet cycle leaves, and what it does not take.
func TestAQuietCycleKeepsTheLastOfARun(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	look := func(hours float64, status check.Status) (session int64) {
		session = must(s.AddSession(ctx, Session{Tier: 1, Agent: "probe", Trigger: "cron", Status: Running, StartedAt: ago(hours), RunToken: "token"}))
		ok(t, s.SetSessionLog(ctx, session, "/results/x"))
		ok(t, s.AddProbed(ctx, session, ago(hours), []check.Result{result("shop", check.HTTP, status), result("db", check.Database, check.Healthy)}, nil))
		for _, message := range []string{"Tier 1 completed", fmt.Sprint("only now: ", hours)} {
			ok(t, s.AddEvent(ctx, Event{SessionID: &session, Level: Info, Message: message, CreatedAt: ago(hours)}))
		}
		if status == check.Down {
			ok(t, s.AddEvent(ctx, Event{SessionID: &session, Level: Critical, Message: "escalation blocked", CreatedAt: ago(hours)}))
		}
		ok(t, s.EndSession(ctx, session, SessionEnd{Status: Completed, EndedAt: ago(hours)}))
		return session
	}
	s.Now = func() time.Time { return ago(2) }
	for n, want := range []struct {
		status check.Status
		quiet  bool
		rows   string // of shop: session and how many were left out before
	}{
		{check.Down, false, "1:-"},
		{check.Down, true, "1:- 2:0"},
		{check.Down, true, "1:- 3:1"},
		{check.Down, true, "1:- 4:2"},
		{check.Healthy, false, "1:- 4:2 5:-"},
		{check.Healthy, true, "1:- 4:2 5:- 6:0"},
		{check.Healthy, true, "1:- 4:2 5:- 7:1"},
	} {
		session := look(2.5-float64(n)/60, want.status)
		if quiet := must(s.QuietSession(ctx, session)); quiet != want.quiet {
			t.Errorf("cycle %d: quiet is %t, want %t", n+1, quiet, want.quiet)
		}
		same(t, s.ask(t, `SELECT group_concat(session_id || ':' || coalesce(left_out, '-'), ' ') FROM health_checks WHERE service = 'shop'`), want.rows)
		is := must(s.Session(ctx, session))
		if is.Quiet != want.quiet || (is.LogPath == "") != want.quiet || (is.RunToken == "") != want.quiet {
			t.Errorf("session %d: %+v", n+1, is)
		}
	}
	var listed []int64
	for _, session := range must(s.Sessions(ctx, SessionFilter{Loud: true})) {
		listed = append(listed, session.ID)
	}
	same(t, listed, []int64{5, 1})
	same(t, len(must(s.Sessions(ctx, SessionFilter{}))), 7)
	same(t, s.ask(t, `SELECT group_concat(session_id) FROM events WHERE message = 'Tier 1 completed'`), "1,5")
	same(t, s.count(t, `events WHERE message LIKE 'only now%'`), "7")
	same(t, s.ask(t, `SELECT group_concat(session_id) FROM events WHERE message = 'escalation blocked'`), "1")
	same(t, s.ask(t, `SELECT group_concat(status || looks) FROM look_hours WHERE service = 'shop'`), "down4,healthy3")
	same(t, s.ask(t, `SELECT checks || ' ' || down || ' ' || degraded || ' ' || unknown || ' ' || timed FROM check_hours WHERE service = 'shop'`), "7 4 0 0 0")
	news := look(1, check.Healthy)
	ok(t, s.AddEvent(ctx, Event{SessionID: &news, Level: Warning, Message: "the records were erased", CreatedAt: ago(1)}))
	same(t, must(s.QuietSession(ctx, news)), false)
}

// A cycle dated in the future, by a clock that ran ahead, does not precede today's.
func TestALookOfTheFutureLeavesCyclesQuiet(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	shop := []check.Result{result("shop", check.HTTP, check.Healthy)}
	ok(t, s.AddProbed(ctx, 0, ago(-48), shop, nil))
	for n, want := range []bool{false, true, true} {
		session := must(s.AddSession(ctx, Session{Tier: 1, Agent: "probe", Trigger: "cron", Status: Running, StartedAt: ago(2)}))
		ok(t, s.AddProbed(ctx, session, ago(2-float64(n)/60), shop, nil))
		same(t, must(s.QuietSession(ctx, session)), want)
	}
	same(t, s.ask(t, `SELECT group_concat(coalesce(session_id, 'none'), ' ') FROM health_checks`), "none 1 3")
}

func TestFiguresOfAnHour(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	times := func(hours float64, took ...int64) {
		var results []check.Result
		for _, ms := range took {
			r := result("shop", check.HTTP, check.Healthy)
			if ms > 0 {
				r.ResponseTimeMS = new(ms)
			}
			results = append(results, r)
		}
		ok(t, s.AddChecks(ctx, nil, ago(hours), results))
	}
	figures := func() string {
		return s.ask(t, `SELECT group_concat(substr(hour, 12, 5) || ' ' || checks || ' ' || timed || ' ' || sum_ms || ' ' || coalesce(min_ms || ' ' || median_ms || ' ' || max_ms, '-')
			|| ' ' || iif(samples IS NULL, 'summed up', json_array_length(samples)), ', ')
			FROM check_hours LEFT JOIN check_samples USING (service, check_type, hour) ORDER BY hour`)
	}
	times(30.9, 0)
	same(t, figures(), "05:00 1 0 0 - 1")
	times(30.5, 40, 0, 10)
	same(t, figures(), "05:00 4 2 50 10 10 40 4")
	times(30.2, 20)
	same(t, figures(), "05:00 5 3 70 10 20 40 5")
	times(6, 7) // 25 h after the hour began
	same(t, figures(), "05:00 5 3 70 10 20 40 5, 06:00 1 1 7 7 7 7 1")
	times(5.9, 9)
	times(4.9, 8)
	same(t, strings.Split(figures(), ", ")[0], "05:00 5 3 70 10 20 40 summed up")
	paces := must(s.Paces(ctx, "shop", ago(48), noon, 48))
	same(t, len(paces), 3)
	same(t, []int64{*paces[0].MeanMS, *paces[0].MaxMS}, []int64{23, 40})
	same(t, paces[0].At, ago(30.9))
}
