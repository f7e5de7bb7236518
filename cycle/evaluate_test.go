package cycle

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/tiers"
)

func result(service string, status check.Status) check.Result {
	return check.Result{Service: service, Type: check.HTTP, Status: status}
}

func TestEvaluateTakesTheWorstOfAService(t *testing.T) {
	found := evaluate([]check.Result{result("b", check.Healthy), result("a", check.Degraded), result("b", check.Down)}, []string{"b", "c"}, nil)
	var got []string
	for _, e := range found {
		got = append(got, e.service+" "+string(e.status))
	}
	if want := []string{"a degraded", "b down", "c down"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v: name order, the worst result, and down where only the handoff names it", got, want)
	}
}

func TestEvaluateTakesUnknownForNothing(t *testing.T) {
	container := func(status check.Status) check.Result {
		return check.Result{Service: "web", Type: check.Container, Status: status}
	}
	for name, test := range map[string]struct {
		results, lastKnown []check.Result
		affected           []string
		want               check.Status
	}{
		"nothing could be checked":                       {[]check.Result{container(check.Unknown)}, nil, nil, check.Unknown},
		"nothing could be checked, and it was down":      {[]check.Result{container(check.Unknown)}, []check.Result{container(check.Down)}, nil, check.Unknown},
		"the other check is healthy":                     {[]check.Result{container(check.Unknown), result("web", check.Healthy)}, nil, nil, check.Healthy},
		"the other check is down":                        {[]check.Result{container(check.Unknown), result("web", check.Down)}, nil, nil, check.Down},
		"the other is healthy, and this was healthy":     {[]check.Result{container(check.Unknown), result("web", check.Healthy)}, []check.Result{container(check.Healthy)}, nil, check.Healthy},
		"the other is healthy, and this was down":        {[]check.Result{container(check.Unknown), result("web", check.Healthy)}, []check.Result{container(check.Down)}, nil, check.Unknown},
		"the other was down and is healthy":              {[]check.Result{container(check.Unknown), result("web", check.Healthy)}, []check.Result{result("web", check.Down)}, nil, check.Healthy},
		"nothing could be checked, and somebody is sure": {[]check.Result{container(check.Unknown)}, nil, []string{"web"}, check.Down},
	} {
		found := evaluate(test.results, test.affected, test.lastKnown)
		if len(found) != 1 || found[0].status != test.want {
			t.Errorf("%s: found %+v, want %s", name, found, test.want)
		}
	}
	known := []check.Result{result("web", check.Down)}
	if with := check.Fingerprint(append(known, container(check.Unknown))); with != check.Fingerprint(known) {
		t.Error("a check that could not be made makes another incident of it")
	}
}

// If one of two unwell checks can no longer be made, the incident is unchanged; if its result is known to differ, it is not.
func TestAnUnknownCheckKeepsTheFingerprint(t *testing.T) {
	of := func(typ check.Type, status check.Status, text string) check.Result {
		return check.Result{Service: "web", Type: typ, Status: status, Error: text}
	}
	down, gone, hole := of(check.HTTP, check.Down, "HTTP 502"), of(check.Container, check.Down, "it is gone"), of(check.Container, check.Unknown, "no engine")
	before := evaluate([]check.Result{down, gone}, nil, nil)[0].fingerprint
	for name, test := range map[string]struct {
		results, lastKnown []check.Result
		same               bool
	}{
		"unknown now":                {[]check.Result{down, hole}, []check.Result{down, gone}, true},
		"the same, both known":       {[]check.Result{down, gone}, nil, true},
		"healthy now":                {[]check.Result{down, of(check.Container, check.Healthy, "")}, []check.Result{gone}, false},
		"unknown, and was healthy":   {[]check.Result{down, hole}, []check.Result{of(check.Container, check.Healthy, "")}, false},
		"unknown, the other changed": {[]check.Result{of(check.HTTP, check.Down, "refused"), hole}, []check.Result{gone}, false},
	} {
		if got := evaluate(test.results, nil, test.lastKnown)[0]; (got.fingerprint == before) != test.same {
			t.Errorf("%s: the same %t, want %t", name, !test.same, test.same)
		}
	}
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
}, in, before *statefile.State, found []evaluation, completed bool) []string {
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
			var found []evaluation
			if test.status != "" {
				found = []evaluation{{service: "shop", status: test.status}}
			}
			reset := counts(t, test.after, test.before, found, true)
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
			var found []evaluation
			if status != "" {
				found = []evaluation{{service: "shop", status: status}}
			}
			reset := counts(t, st, before, found, true)
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
				must(t, r.Store.AddChecks(t.Context(), &run.session.ID, r.now, []check.Result{result("shop", check.Healthy), result("mail", check.Down)}))
				must(t, r.Store.AddProbed(t.Context(), run.session.ID, r.now, []check.Result{result("db", check.Healthy)}))
				if tier == 1 {
					must(t, r.recordEvaluations(t.Context(), run))
					wantSame(t, []int{r.service("shop").HealthyCycles(), r.service("mail").HealthyCycles(), r.service("db").HealthyCycles()}, []int{one, 0, 1})
				}
				r.view = []check.Result{result("shop", check.Down)}
				_, err := r.takeView(t.Context(), run)
				must(t, err)
				found := check.Worst(r.view)
				wantSame(t, []bool{found["shop"] == check.Healthy, found["mail"] == check.Down, found["db"] == check.Healthy}, []bool{one == 1, true, true})
			}
			byJq := file(2, true)
			wantSame(t, len(counts(t, byJq, file(1, true), nil, ending == tiers.Completed)), one)
			wantSame(t, len(byJq.Service("shop").Restarts), 1-one)
		})
	}
}

// A handoff may add to a report or make it worse.
func TestAHandoffImprovesNothing(t *testing.T) {
	of := func(typ check.Type, status check.Status, text string) check.Result {
		return check.Result{Service: "web", Type: typ, Status: status, Error: text}
	}
	down, fine, slow := of(check.HTTP, check.Down, "502"), of(check.HTTP, check.Healthy, ""), of(check.HTTP, check.Degraded, "slow")
	container := of(check.Container, check.Healthy, "")
	type list = []check.Result
	for name, test := range map[string]struct{ reported, handed, want list }{
		"another type":    {list{down}, list{container}, list{down, container}},
		"better":          {list{down}, list{fine, slow}, list{down}},
		"worse":           {list{fine, slow}, list{down}, list{down}},
		"in other words":  {list{down}, list{of(check.HTTP, check.Down, "503")}, list{of(check.HTTP, check.Down, "503")}},
		"what is unknown": {list{of(check.HTTP, check.Unknown, "no curl")}, list{fine}, list{fine}},
	} {
		if got := worse(test.reported, test.handed); !cmp.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

// What an interrupted cycle found unwell is kept if this one knows nothing about the service.
func TestOfEarlierResultsOnlyWhatIsNotSeenStands(t *testing.T) {
	earlier := []check.Result{result("a", check.Down), result("b", check.Down), result("c", check.Degraded), result("d", check.Healthy), result("e", check.Down)}
	later := []check.Result{result("a", check.Healthy), result("b", check.Unknown)}
	if got, want := notSeen(earlier, later, []string{"e"}), []check.Result{earlier[1], earlier[2]}; !cmp.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
