package cycle

import (
	"context"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/handoff"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/tiers"
)

func result(service string, status check.Status) check.Result {
	return check.Result{Service: service, Type: check.HTTP, Status: status}
}

// found returns a service that its own check finds so.
func found(service string, status check.Status) *state.Service {
	c := store.Check{Result: result(service, status), Source: store.Probed, CheckedAt: night}
	return &state.Service{Name: service, Checks: []store.Last{{Check: c}}, Checked: night}
}

// state returns a file in which one service was healthy for n cycles, and was restarted and redeployed once.
func file(n int, touched bool) *statefile.State {
	st := statefile.New()
	st.Ensure("shop").ConsecutiveHealthy = n
	if touched {
		st.Add("shop", statefile.Restart, statefile.Record{ID: "r"})
		st.Add("shop", statefile.Redeployment, statefile.Record{ID: "d"})
	}
	return st
}

// counts counts in a file, and returns the services that have recovered.
func counts(t interface {
	Context() context.Context
	Fatal(...any)
}, in, before *statefile.State, found []*state.Service, completed bool) []string {
	streaks, recovered := countHealthy(in, before, found, completed)
	a := &applying{file: in}
	if err := (count{streaks, recovered}).do(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	return a.cleared
}

func TestSPEC0007_REQ6_HealthyCyclesInARow(t *testing.T) {
	for name, test := range map[string]struct {
		before, after *statefile.State
		status        check.Status // empty: not checked in this cycle
		count         int
		records       int
		reset         bool
	}{
		"SPEC0007 REQ6 healthy for one consecutive check":  {file(0, true), file(0, true), check.Healthy, 1, 2, false},
		"SPEC0007 REQ6 healthy for two consecutive checks": {file(1, true), file(1, true), check.Healthy, 0, 0, true},
		"SPEC0007 REQ6 streak broken by failure":           {file(1, true), file(1, true), check.Down, 0, 2, false},
		"SPEC0007 REQ6 degraded breaks it too":             {file(1, true), file(1, true), check.Degraded, 0, 2, false},
		"not checked keeps its count":                      {file(1, true), file(1, true), "", 1, 2, false},
		"unknown keeps its count":                          {file(1, true), file(1, true), check.Unknown, 1, 2, false},
		"unknown, whatever the agent counted by jq":        {file(1, true), file(2, true), check.Unknown, 1, 2, false},
		"the agent counted by jq too":                      {file(0, true), file(1, true), check.Healthy, 1, 2, false},
		"the agent counted by jq alone":                    {file(0, true), file(1, true), "", 1, 2, false},
		"the agent jumped by jq":                           {file(0, true), file(7, true), "", 1, 2, false},
		"the agent counted the second by jq":               {file(1, true), file(2, true), "", 0, 0, true},
		"the agent set the count back by jq":               {file(1, true), file(0, true), "", 0, 2, false},
		"a service never seen, healthy":                    {statefile.New(), statefile.New(), check.Healthy, 1, 0, false},
		"a service never seen, down":                       {statefile.New(), statefile.New(), check.Down, 0, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			var all []*state.Service
			if test.status != "" {
				all = append(all, found("shop", test.status))
			}
			reset := counts(t, test.after, test.before, all, true)
			shop := test.after.Service("shop")
			if shop.ConsecutiveHealthy != test.count || len(shop.Restarts)+len(shop.Redeployments) != test.records {
				t.Errorf("count %d, %d records; want %d, %d", shop.ConsecutiveHealthy, len(shop.Restarts)+len(shop.Redeployments), test.count, test.records)
			}
			if slices.Contains(reset, "shop") != test.reset {
				t.Errorf("reset %v, want shop in it: %t", reset, test.reset)
			}
		})
	}
}

func TestCountersResetOnlyAfterTwoHealthyCyclesInARow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		st := file(0, true)
		row := 0
		for _, status := range rapid.SliceOf(rapid.SampledFrom([]check.Status{check.Healthy, check.Degraded, check.Down, ""})).Draw(t, "cycles") {
			before := file(st.Service("shop").ConsecutiveHealthy, len(st.Service("shop").Restarts) > 0)
			had := len(st.Service("shop").Restarts) > 0
			var all []*state.Service
			if status != "" {
				all = append(all, found("shop", status))
			}
			reset := counts(t, st, before, all, true)
			switch status {
			case check.Healthy:
				row++
			case check.Degraded, check.Down:
				row = 0
			}
			if wantReset := row == statefile.HealthyToReset; wantReset != (len(reset) == 1) {
				t.Fatalf("after %d healthy in a row: reset %v", row, reset)
			}
			if row == statefile.HealthyToReset {
				row, had = 0, false
			}
			if has := len(st.Service("shop").Restarts) > 0; has != had {
				t.Fatalf("restarts there: %t, want %t", has, had)
			}
		}
	})
}

// Of a tier that ended before its end, what it said is healthy does not count, however it said it; what it found unwell does, and so do the
// program's own checks.
func TestOnlyACompletedTierSaysThatAServiceIsHealthy(t *testing.T) {
	for _, ending := range []tiers.Ending{tiers.Completed, tiers.Failed, tiers.TimedOut, tiers.Interrupted} {
		t.Run(string(ending), func(t *testing.T) {
			r := newRoom(t)
			r.begin()
			one := 0
			if ending == tiers.Completed {
				one = 1
			}
			for tier := 1; tier <= 2; tier++ {
				run := r.begins(tier)
				run.outcome.Ending = ending
				must(t, r.Store.AddChecks(t.Context(), store.Reported, run.session.ID, r.now, []check.Result{result("shop", check.Healthy), result("mail", check.Down)}))
				must(t, r.Store.AddChecks(t.Context(), store.Probed, run.session.ID, r.now, []check.Result{result("db", check.Healthy)}))
				must(t, r.concludeTier(t.Context(), run))
				if tier == 1 {
					must(t, r.recordEvaluations(t.Context(), run))
					wantSame(t, []int{r.service("shop").HealthyCycles(), r.service("mail").HealthyCycles(), r.service("db").HealthyCycles()}, []int{one, 0, 1})
				}
				is := func(name string, status check.Status) bool { return r.service(name).Status() == status }
				wantSame(t, []bool{is("shop", check.Healthy), is("mail", check.Down), is("db", check.Healthy)}, []bool{one == 1, true, true})
			}
			byJq := file(2, true)
			wantSame(t, len(counts(t, byJq, file(1, true), nil, ending == tiers.Completed)), one)
			wantSame(t, len(byJq.Service("shop").Restarts), 1-one)
		})
	}
}

// A handoff adds to a report, or makes it worse; what it names without a result is down.
func TestResultsOfAHandoff(t *testing.T) {
	web := func(typ check.Type, status check.Status) check.Result {
		return check.Result{Service: "web", Type: typ, Status: status}
	}
	down, fine := web(check.HTTP, check.Down), web(check.HTTP, check.Healthy)
	container := web(check.Container, check.Degraded)
	for name, tt := range map[string]struct {
		reported, handed []check.Result
		want             []string
	}{
		"another type":     {[]check.Result{down}, []check.Result{container}, []string{"container degraded", "http down"}},
		"better":           {[]check.Result{down, container}, []check.Result{fine}, []string{"container degraded", "http down"}},
		"worse":            {[]check.Result{fine}, []check.Result{down, container}, []string{"container degraded", "http down"}},
		"nothing new":      {[]check.Result{down}, []check.Result{down}, []string{"http down"}},
		"without a result": {nil, nil, []string{"service down"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRoom(t)
			r.begin()
			run := r.begins(1)
			run.outcome.Ending = tiers.Completed
			must(t, r.Store.AddChecks(t.Context(), store.Reported, run.session.ID, r.now, tt.reported))
			r.now = r.now.Add(time.Second)
			run.handoff = &handoff.Handoff{ServicesAffected: []string{"web"}, CheckResults: tt.handed}
			must(t, r.takeResults(t.Context(), run))
			var is []string
			for _, c := range r.service("web").Checks {
				is = append(is, string(c.Type)+" "+string(c.Status))
			}
			wantSame(t, is, tt.want)
		})
	}
}

// A round is about what was checked since it began, what has an alert, and what an unfinished cycle found unwell and this one has not
// checked. A person's cycle is about no alert of others, and a look beside a tier not about what that works on.
func TestWhatARoundIsAbout(t *testing.T) {
	r := newRoom(t)
	before, now := r.ran(1, earlier(time.Hour), store.Interrupted, 0, ""), r.ran(1, night, store.Completed, 0, "")
	report := func(session store.Session, at time.Time, results ...check.Result) {
		must(t, r.Store.AddChecks(t.Context(), store.Reported, session.ID, at, results))
	}
	report(before, earlier(time.Hour), result("a", check.Down), result("b", check.Down), result("c", check.Healthy))
	report(r.ran(1, earlier(30*time.Minute), store.Completed, 0, ""), earlier(30*time.Minute), result("old", check.Down))
	report(now, night, result("a", check.Healthy), result("d", check.Healthy))
	must(t, r.Store.AddAlert(t.Context(), store.AlertRow{Service: "e", Source: "x", Means: check.Down, ReceivedAt: night}))
	st, err := r.picture(t.Context())
	must(t, err)
	for name, tt := range map[string]struct {
		change func(*Round)
		want   []string
	}{
		"a cycle":           {func(*Round) {}, []string{"a", "b", "d", "e"}},
		"asked about d":     {func(r *Round) { r.Now.Config.Services = []string{"d"} }, []string{"a", "b", "d"}},
		"a tier works on e": {func(r *Round) { r.Worked = map[string]bool{"e": true} }, []string{"a", "b", "d"}},
		"beside Tier 1":     {func(r *Round) { r.Looking = true }, []string{"b", "e"}},
		"nothing before":    {func(r *Round) { r.Unfinished = nil }, []string{"a", "d", "e"}},
	} {
		t.Run(name, func(t *testing.T) {
			round := Round{Now: st, Since: night, Unfinished: []int64{before.ID}}
			defer func() { st.Config.Services = nil }()
			tt.change(&round)
			var names []string
			for _, is := range round.found() {
				names = append(names, is.Name)
			}
			wantSame(t, names, tt.want)
		})
	}
}
