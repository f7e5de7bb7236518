package cycle

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/handoff"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/tiers"
)

func TestAServiceIsFlappingFromItsThirdReturnOn(t *testing.T) {
	for returns, want := range []bool{false, false, false, true, true} {
		if got := (store.Incident{Returns: returns}).Flapping(); got != want {
			t.Errorf("%d returns: flapping is %t, want %t", returns, got, want)
		}
	}
}

// tierCost is what a tier above the first costs in these tests, in US dollars.
const tierCost = 0.5

// passes is one cycle: Tier 1 finds shop so, and where a tier is started, it restarts shop or, where it may not, redeploys it. It reports
// whether a tier was started, and what it did.
func (r *room) passes(at time.Time, fault string) (started bool, did []statefile.Action) {
	r.t.Helper()
	ctx := r.t.Context()
	r.again(at)
	r.summary = Summary{StartedAt: at}
	first := r.begins(1)
	first.outcome.Ending = tiers.Completed
	res := check.Result{Service: "shop", Type: check.HTTP, Status: check.Healthy, Error: fault}
	if fault != "" {
		res.Status = check.Down
	}
	first.checks = []store.Check{{Result: res, Source: store.Reported}}
	must(r.t, r.Store.AddChecks(ctx, store.Reported, first.session.ID, r.now, store.Results(first.checks)))
	must(r.t, r.recordEvaluations(ctx, first))
	r.summary.add(first)
	must(r.t, r.Store.EndSession(ctx, first.session.ID, store.Session{Status: store.Completed, EndedAt: new(r.now)}))
	defer func() { must(r.t, r.conclude(ctx)) }()
	if fault == "" {
		return false, nil
	}
	first.handoff = &handoff.Handoff{ServicesAffected: []string{"shop"}}
	tier, err := r.follow(ctx, first)
	must(r.t, err)
	if tier == 0 {
		return false, nil
	}
	second := r.begins(tier)
	second.parent, second.services = first, []string{"shop"}
	r.Config.Agent.SessionID, r.Config.Agent.Tier = second.session.ID, tier
	for _, action := range statefile.Actions() {
		id := "toolu_" + r.now.Format(time.RFC3339) + string(action)
		err := r.reserve(id, action)
		var refused *guard.RefusalError
		if errors.As(err, &refused) {
			continue
		}
		must(r.t, err)
		must(r.t, r.Complete(ctx, id, "", time.Second))
		did = append(did, action)
		break
	}
	r.Config.Agent.SessionID, r.Config.Agent.Tier = 0, 0
	second.outcome.Ending = tiers.Completed
	r.summary.add(second)
	must(r.t, r.Store.EndSession(ctx, second.session.ID, store.Session{Status: store.Completed, EndedAt: new(r.now), CostUSD: tierCost}))
	_, err = r.follow(ctx, second)
	must(r.t, err)
	return true, did
}

// begins is a session that runs.
func (r *room) begins(tier int) *tierRun {
	r.t.Helper()
	run := newRun(tier, agentClaude, nil)
	run.session.Trigger, run.session.Status, run.session.StartedAt = "cron", store.Running, r.now
	var err error
	run.session.ID, err = r.Store.AddSession(r.t.Context(), run.session)
	must(r.t, err)
	return run
}

// A day of a cycle a minute over a service that never stays well.
func TestADayOfAServiceThatNeverStaysWell(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		healsItself                          bool
		tiers, restarts, redeployments, asks int
	}{
		// Well for two cycles after each remediation, and then down until the next: when both limits are used up it stays down, and people
		// are asked once. 4 h after the first restart it may be restarted again; with its third return it is theirs, and they are told.
		"only a remediation helps": {false, 3, 2, 1, 2},
		// Down for a cycle, well for two, whatever is done: people are told that a limit is reached, and with the third return that it is theirs.
		"it comes and goes by itself": {true, 3, 2, 1, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRoom(t)
			var restarts, redeployments, sessions, healthy int
			for minute := range 24 * 60 {
				fault := "HTTP 502"
				if healthy > 0 {
					healthy--
					fault = ""
				}
				started, did := r.passes(night.Add(time.Duration(minute)*time.Minute), fault)
				if started {
					sessions++
				}
				for _, action := range did {
					if action == statefile.Restart {
						restarts++
					} else {
						redeployments++
					}
				}
				if len(did) > 0 || fault != "" && tt.healsItself {
					healthy = 2
				}
			}
			list, err := r.Store.Incidents(t.Context(), store.IncidentFilter{})
			must(t, err)
			t.Logf("Tier 2 started %d times, %d restarts, %d redeployments, %d returns; %d requests for a human, %d recovered",
				sessions, restarts, redeployments, list[0].Returns, len(r.told(store.HumanAttention)), len(r.told(store.Recovered)))
			if len(list) != 1 {
				t.Errorf("%d incidents, want one", len(list))
			}
			wantSame(t, []int{sessions, restarts, redeployments, len(r.told(store.HumanAttention)), len(r.told(store.Recovered))},
				[]int{tt.tiers, tt.restarts, tt.redeployments, tt.asks, 1})
		})
	}
}

// A day of a cycle a minute over a service that flaps, however fast and whether or not remediations help for a while: what it may cost at most.
func TestADayOfFlappingIsBounded(t *testing.T) {
	t.Parallel()
	const mostMessages, mostActs, mostDollars = 6, 7, 7 * tierCost
	for name, tt := range map[string]struct {
		down, well int // cycles in turn
		helps      int // for how many cycles it is well after a remediation; 0: it does not help
	}{
		"every other minute":       {1, 1, 0},
		"five minutes, ten well":   {5, 10, 0},
		"an hour, an hour well":    {60, 60, 0},
		"down, mended for an hour": {1440, 0, 60},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRoom(t)
			acts, mended := 0, 0
			for minute := range 24 * 60 {
				fault := ""
				if mended--; mended < 0 && minute%(tt.down+tt.well) < tt.down {
					fault = "HTTP 502"
				}
				_, did := r.passes(night.Add(time.Duration(minute)*time.Minute), fault)
				if acts += len(did); len(did) > 0 {
					mended = tt.helps
				}
			}
			messages, err := r.Store.Notifications(t.Context(), store.NotificationFilter{})
			must(t, err)
			dollars, err := r.Store.CostSince(t.Context(), night)
			must(t, err)
			t.Logf("%d messages, %d remediations, $%.2f", len(messages), acts, dollars)
			if len(messages) > mostMessages || acts > mostActs || dollars > mostDollars {
				t.Errorf("%d messages, %d remediations, $%.2f: more than %d, %d and $%.2f", len(messages), acts, dollars, mostMessages, mostActs, mostDollars)
			}
			if len(messages) == 0 {
				t.Error("people are told nothing")
			}
		})
	}
}

// The third return: people are told why it is theirs, and no tier is started for it, whatever its fault is by now.
func TestTheThirdReturnIsFlapping(t *testing.T) {
	r := newRoom(t)
	at := night
	pass := func(fault string) bool {
		t.Helper()
		started, _ := r.passes(at, fault)
		at = at.Add(time.Hour) // so that no limit is reached before
		return started
	}
	for round := range 3 {
		if !pass("HTTP 502") {
			t.Errorf("round %d: no tier is started", round+1)
		}
		pass("")
		pass("")
	}
	for range 2 {
		if pass("no route to host") {
			t.Error("a tier is started for a service that is flapping")
		}
	}
	if len(r.summary.Attention) != 1 || !strings.Contains(r.summary.Attention[0].Reason, "recovered and failed again 3 times") {
		t.Errorf("the summary asks for %+v", r.summary.Attention)
	}
	told := r.told(store.HumanAttention)
	if len(told) != 1 {
		t.Fatalf("%d requests for a human, want one", len(told))
	}
	if told[0].Cause != string(notify.Flapping) || !strings.Contains(told[0].Body, "failed again 3 times, each time within 4 h") || !strings.Contains(told[0].Body, "claudeops cooldown reset") {
		t.Errorf("told: %s: %s", told[0].Cause, told[0].Body)
	}
	must(t, r.Reset(t.Context(), "shop")) // as an operator does
	if !pass("no route to host") {
		t.Error("no tier is started after an operator has reset it")
	}
}

func TestAfterFourHealthyHoursTroubleIsNew(t *testing.T) {
	r := newRoom(t)
	r.passes(night, "HTTP 502")
	r.passes(night.Add(time.Minute), "")
	r.passes(night.Add(2*time.Minute), "")
	r.passes(night.Add(2*time.Minute+store.ReturnWithin), "HTTP 502")
	list, err := r.Store.Incidents(t.Context(), store.IncidentFilter{})
	must(t, err)
	if len(list) != 2 || list[0].Returns != 0 {
		t.Errorf("incidents %+v", list)
	}
}

// incidentStory passes cycles a minute apart over an incident of shop that is a dead end, and says what people were told in them, in order: of
// what kind and cause.
func incidentStory(t *testing.T, r *room, from time.Time, faults ...string) (told []string) {
	t.Helper()
	for minute, fault := range faults {
		r.passes(from.Add(time.Duration(minute)*time.Minute), fault)
	}
	all, err := r.Store.Notifications(t.Context(), store.NotificationFilter{})
	must(t, err)
	for _, n := range slices.Backward(all) {
		told = append(told, strings.Trim(string(n.Kind)+" "+n.Cause, " "))
	}
	return told
}

// People are never left with "recovered" while it is down and nobody works on it; nor does each round of a service that comes and goes
// bring them a message.
func TestWhatPeopleAreToldOfAnIncidentThatReturns(t *testing.T) {
	const down, well = "HTTP 502", ""
	var rounds []string
	for range 2 * 60 / 3 {
		rounds = append(rounds, down, well, well)
	}
	quiet := make([]string, 5*60)
	var (
		first  = []string{"human_attention unresolved", "recovered"}
		second = []string{"human_attention unwell_again", "recovered"}
		third  = []string{"human_attention unwell_again", "human_attention flapping"}
	)
	for name, tt := range map[string]struct {
		faults []string
		told   []string
	}{
		"it recovers":                          {[]string{well, well}, first},
		"it is down again":                     {[]string{well, well, down, down, down}, slices.Concat(first, second[:1])},
		"its second end":                       {[]string{well, well, down, well, well}, slices.Concat(first, second)},
		"its third end has not lasted":         {rounds[1:9], slices.Concat(first, second, third[:1])},
		"its third end has lasted":             {slices.Concat(rounds[1:9], quiet), slices.Concat(first, second, third[:1], first[1:])},
		"it is flapping":                       {rounds[1:10], slices.Concat(first, second, third)},
		"two hours of three minutes a round":   {rounds[1:], slices.Concat(first, second, third)},
		"it was flapping, and is well for 5 h": {slices.Concat(rounds[1:30], quiet), slices.Concat(first, second, third, first[1:])},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRoom(t)
			i := r.opens("shop", earlier(time.Minute))
			i.Fingerprint = check.Fingerprint([]check.Result{{Service: "shop", Type: check.HTTP, Status: check.Down, Error: down}})
			for range 3 { // so that it waits until it flaps
				i = i.DeadEnd(night)
			}
			must(t, r.Store.SaveIncident(t.Context(), i))
			must(t, r.RequestAttention(t.Context(), r.about(i), notify.Attention{Cause: notify.Unresolved, Why: "nobody knows"}))
			wantSame(t, incidentStory(t, r, night, tt.faults...), tt.told)
		})
	}
}

// What people are told of a service with fail_after: 2, which no tier works on, in cycles a minute apart.
func TestWhatFailsInFewerCyclesThanFailAfterIsKeptAndNotTold(t *testing.T) {
	const down, well = "HTTP 502", ""
	blip, outage := []string{down, well, well}, []string{down, down, well, well}
	told := []string{"human_attention tier_limit"}
	recovered := slices.Concat(told, []string{"recovered"})
	again := slices.Concat(recovered, told)
	third := slices.Concat(again, recovered[1:], told) // which has recovered when that has lasted
	for name, tt := range map[string]struct {
		faults  []string
		told    []string
		returns int
	}{
		"one failure":                       {[]string{down}, nil, 0},
		"one failure, and it is over":       {blip, nil, 0},
		"two failures":                      {[]string{down, down}, told, 0},
		"two failures, one healthy between": {[]string{down, well, down}, told, 0},
		"two failures, two healthy between": {[]string{down, well, well, down}, nil, 1},
		"two failures, and it is over":      {outage, recovered, 0},
		"an hour of single failures":        {slices.Repeat(blip, 20), nil, 0},
		"a single failure after an outage":  {slices.Concat(outage, blip), recovered, 0},
		"an outage after an outage":         {slices.Concat(outage, []string{down, down}), again, 1},
		"the third return, found once":      {slices.Concat(slices.Repeat(outage, 3), []string{down}), third, 3},
		"the third return, found twice": {slices.Concat(slices.Repeat(outage, 3), []string{down, down}),
			slices.Concat(third, []string{"human_attention flapping"}), 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRoom(t)
			r.Config.MaxTier = 1
			r.Inventory = twice(t)
			wantSame(t, incidentStory(t, r, night, tt.faults...), tt.told)
			last, err := r.Store.Incidents(t.Context(), store.IncidentFilter{Service: "shop", Limit: 1})
			must(t, err)
			if len(last) != 1 || last[0].Returns != tt.returns {
				t.Errorf("the incident is %+v", last)
			}
		})
	}
}

// twice is an inventory whose shop must fail twice.
func twice(t *testing.T) *inventory.Inventory {
	t.Helper()
	inv, err := inventory.Parse([]byte("services: [{name: shop, fail_after: 2}]"))
	must(t, err)
	return inv
}

// People are told that it flaps, once, where fail_after is lowered while it is held back for that.
func TestLoweringFailAfterTellsOfFlapping(t *testing.T) {
	const down, well = "HTTP 502", ""
	r := newRoom(t)
	r.Config.MaxTier = 1
	outage := []string{down, down, down, well, well}
	for n, fault := range slices.Concat(outage, outage, outage, []string{down, down, down, down, down}) {
		failAfter := 2
		if n >= 3*len(outage) && n < 3*len(outage)+3 { // the third return
			failAfter = 5
		}
		var err error
		r.Inventory, err = inventory.Parse(fmt.Appendf(nil, "services: [{name: shop, fail_after: %d}]", failAfter))
		must(t, err)
		r.passes(night.Add(time.Duration(n)*time.Minute), fault)
	}
	var told int
	for _, n := range r.told(store.HumanAttention) {
		if n.Cause == string(notify.Flapping) {
			told++
		}
	}
	wantSame(t, told, 1)
}

// The first failure opens the incident and ends the healthy streak; the second starts a tier.
func TestFailAfterDelaysTheEscalation(t *testing.T) {
	r := newRoom(t)
	r.Inventory = twice(t)
	r.passes(night, "")
	if started, _ := r.passes(night.Add(time.Minute), "HTTP 502"); started {
		t.Error("a tier is started by the first failure")
	}
	wantSame(t, r.service("shop").HealthyCycles(), 0)
	must(t, r.summarize(t.Context()))
	wantSame(t, []any{len(r.summary.Services), r.summary.Services[0].Held, len(r.summary.Attention)}, []any{1, "found so in 1 cycle, and fail_after is 2", 0})
	if open, err := r.Store.OpenIncidents(t.Context()); err != nil || open["shop"].UnwellCycles != 1 {
		t.Errorf("open incidents %+v, %v", open, err)
	}
	if started, _ := r.passes(night.Add(2*time.Minute), "HTTP 502"); !started {
		t.Error("no tier is started by the second failure")
	}
}
