package state_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/testkit/recording"
)

// unwell adds an incident of a service that was found down two hours ago, with an owner in the inventory.
func (d *fixture) unwell(service, fault string) store.Incident {
	d.T.Helper()
	var err error
	d.Inventory, err = inventory.Parse(fmt.Appendf(nil, "services:\n  - {name: %q, owner: Ada, checks: [{type: service, address: \"127.0.0.1:1\"}]}\n", service))
	ok(d.T, err)
	ok(d.T, d.Store.AddChecks(d.T.Context(), store.Reported, 0, d.Time, []check.Result{{Service: service, Type: check.HTTP, Status: check.Down, Error: fault}}))
	i := store.Incident{Service: service, Status: check.Down, OpenedAt: d.Time.Add(-2 * time.Hour), LastSeenAt: d.Time, UnwellCycles: 1}
	i.ID, err = d.Store.OpenIncident(d.T.Context(), i)
	ok(d.T, err)
	return i
}

// What the cooldown skill asks for: which service, what was tried, how many attempts, when it resets.
func TestSPEC0007_REQ4_ThirdRestartBlockedByCooldown_APersonReads(t *testing.T) {
	d := newFixture(t)
	d.unwell("nginx", "HTTP 502")
	d.Session(2)
	d.wantGranted(recording.Restart("nginx"))
	d.Outcome("")
	d.wantGranted(recording.Restart("nginx"))
	d.Outcome("Exit code 1: no such container")
	d.wantRefused(recording.Restart("nginx"), "restart of nginx")
	d.WantTold(store.HumanAttention, "nginx is down and needs human attention: HTTP 502", `nginx is down since 2026-03-01 10:00 UTC (2 h): HTTP 502.
The limit of 2 restarts in 4 h is reached: a restart was refused. The next restart is permitted after 2026-03-01 16:00 UTC.

- wanted: 'docker restart nginx'
- tried: 'docker restart nginx' at 2026-03-01 12:00 UTC by Tier 2: succeeded
- tried: 'docker restart nginx' at 2026-03-01 12:00 UTC by Tier 2: failed: Exit code 1: no such container
- restart: 2 of 2 used in 4 h, free again at 2026-03-01 16:00 UTC
- left: 1 of 1 redeployment in 24 h
- owner: Ada

Everything: 'claudeops incidents show 1', 'claudeops sessions show 1 --commands'. Working on it: 'claudeops silence nginx --for 2h'`)
}

func TestARefusalSaysWhichLimit(t *testing.T) {
	t.Run("the day's", func(t *testing.T) {
		d := newFixture(t)
		d.Config.MaxRemediationsPerDay = 1
		d.done("shop", statefile.Restart, 5*time.Hour)
		d.Session(2)
		d.wantRefused(recording.Restart("shop"), "restart of shop")
		d.WantTold(store.HumanAttention, "shop needs human attention",
			"The limit of 1 remediation in 24 h is reached: a restart was refused. The next restart is permitted after 2026-03-02 07:00 UTC.",
			"- restart: 0 of 2 used in 4 h, and 1 of 1 remediations in 24 h, free again at 2026-03-02 07:00 UTC")
	})
}

func TestARequestTellsWhatSessionsFoundAndTried(t *testing.T) {
	d := newFixture(t)
	i := d.unwell("shop", "HTTP 502")
	for n := range 5 {
		d.Session(1 + n%3)
		ok(t, d.Store.LinkSession(t.Context(), i.ID, d.Config.Agent.SessionID, fmt.Sprint("cause ", n), fmt.Sprint("remedy ", n)))
		d.Settle()
	}
	ok(t, d.RequestAttention(t.Context(), d.about("shop"), notify.Attention{Cause: notify.Unresolved, Why: "Tier 3, the last, could not resolve it either", Next: "The next cycle tries again"}))
	d.WantTold(store.HumanAttention, "shop is down and needs human attention: HTTP 502",
		"\nTier 3, the last, could not resolve it either. The next cycle tries again.\n\n- Tier 3 (session 3) found: cause 2\n",
		"- Tier 2 (session 5) found: cause 4\n- Tier 2 (session 5) tried: remedy 4\n- left: ",
		"Everything: 'claudeops incidents show 1', 'claudeops sessions show 5 --commands'.")
}

// What was tried in an incident is told when its window is long past, and each try once.
func TestARequestTellsWhatWasTriedBeforeTheWindows(t *testing.T) {
	d := newFixture(t)
	d.unwell("shop", "HTTP 502")
	d.Session(2)
	for range 2 {
		d.wantGranted(recording.Restart("shop"))
		d.Outcome("")
	}
	d.Settle()
	d.Time = d.Time.Add(5 * time.Hour)
	d.Session(3)
	for range 2 {
		d.wantGranted(recording.Restart("shop"))
		d.Outcome("Exit code 1")
	}
	d.Tampers(func(st *statefile.State) {
		st.Add("shop", statefile.Redeployment, statefile.Record{Timestamp: statefile.At(d.Time), Success: true})
	})
	d.Edits(func(st *statefile.State) { st.Service("shop").Restarts = st.Service("shop").Restarts[1:] }) // pruned
	d.Settle()
	d.Time = d.Time.Add(time.Minute)
	ok(t, d.RequestAttention(t.Context(), d.about("shop"), notify.Attention{Cause: notify.Unresolved, Why: "w"}))
	d.WantTold(store.HumanAttention, "shop is down and needs human attention: HTTP 502", `
- tried: 'docker restart shop' at 2026-03-01 12:00 UTC by Tier 2: succeeded
- tried: 'docker restart shop' at 2026-03-01 12:00 UTC by Tier 2: succeeded
- tried: 'docker restart shop' at 2026-03-01 17:00 UTC by Tier 3: failed: Exit code 1
- tried: 'docker restart shop' at 2026-03-01 17:00 UTC by Tier 3: failed: Exit code 1
- tried: redeployment at 2026-03-01 17:00 UTC by Tier 3: succeeded
- restart: 2 of 2 used in 4 h, free again at 2026-03-01 21:00 UTC
- redeployment: 1 of 1 used in 24 h, free again at 2026-03-02 17:00 UTC
`)
}

func TestARemediationTellsWhatWasDoneByWhomAndWhatItCost(t *testing.T) {
	d := newFixture(t)
	d.unwell("shop", "HTTP 502")
	d.Session(2)
	d.wantGranted(recording.Restart("shop"))
	d.Outcome("")
	acts, err := d.Store.SessionActs(t.Context(), 1)
	ok(t, err)
	d.Settle()
	ended := d.Time.Add(4 * time.Minute)
	by := store.Session{ID: 1, Tier: 2, CostUSD: 0.321, Response: "## Done\n\n**shop** ran out of memory. I restarted it.", StartedAt: d.Time, EndedAt: &ended}
	ok(t, d.Queue(t.Context(), notify.Remediated(d.about("shop"), by, acts, d.Time)))
	d.WantTold(store.Remediated, "shop remediated by Tier 2", `
- found: shop ran out of memory
- it was down since 2026-03-01 10:00 UTC (2 h)
- 'docker restart shop' at 2026-03-01 12:00 UTC by Tier 2: succeeded
- session 1: $0.32 in 4 min
- left: 1 of 2 restarts in 4 h, 1 of 1 redeployment in 24 h
`)
}

// First aid runs in a session of Tier 2, and no agent of that tier did it.
func TestFirstAidIsNotATiersWork(t *testing.T) {
	d := newFixture(t)
	i := d.unwell("shop", "HTTP 502")
	id, err := d.Store.AddSession(t.Context(), store.Session{Tier: 2, Agent: store.FirstAid, Trigger: "escalation", Status: store.Running, StartedAt: d.Time})
	ok(t, err)
	ok(t, d.Store.LinkSession(t.Context(), i.ID, id, "", "first aid: `docker restart shop`, exit status 0, in vain"))
	ok(t, d.Store.PutAct(t.Context(), store.Act{
		ID: "a", SessionID: &id, Service: "shop", Action: statefile.Restart, Success: true, Tier: 2, Source: store.SourceReserved, CreatedAt: d.Time,
	}))
	d.Time = d.Time.Add(time.Minute)
	ok(t, d.RequestAttention(t.Context(), d.about("shop"), notify.Attention{Cause: notify.Unresolved, Why: "w"}))
	if body := d.asked()[0].Body; !strings.Contains(body, "restart at 2026-03-01 12:00 UTC by first aid: succeeded") || strings.Contains(body, "by Tier 2") {
		t.Errorf("%s\nwant that first aid did it", body)
	}
}

func TestARecoveryTellsHowLongItLastedAndWhatWasDone(t *testing.T) {
	t.Run("by itself", func(t *testing.T) {
		d := newFixture(t)
		i := d.unwell("shop", "HTTP 502")
		d.Time = d.Time.Add(31 * time.Minute)
		i.ClosedAt = &d.Time
		ok(t, d.Queue(t.Context(), notify.Recovered(i, must(d.Store.IncidentEffort(t.Context(), i)))))
		d.WantTold(store.Recovered, "shop recovered after 2 h 31 min", "- by itself: it was neither restarted nor redeployed")
	})
	t.Run("by two tiers", func(t *testing.T) {
		d := newFixture(t)
		i := d.unwell("shop", "HTTP 502")
		for tier := 1; tier <= 3; tier++ {
			d.Session(tier)
			switch tier {
			case 2:
				d.wantGranted(recording.Restart("shop"))
				d.Outcome("Exit code 1")
			case 3:
				d.wantGranted(recording.Redeploy("shop"))
				d.Outcome("")
			}
			ok(t, d.Store.LinkSession(t.Context(), i.ID, d.Config.Agent.SessionID, []string{"", "It is down", "the image has a fault. It is redeployed."}[tier-1], ""))
			ok(t, d.Store.EndSession(t.Context(), d.Config.Agent.SessionID, store.Session{Status: store.Completed, EndedAt: new(d.Time), CostUSD: 0.5}))
			d.Settle()
		}
		d.Time = d.Time.Add(time.Hour)
		i.ClosedAt = &d.Time
		ok(t, d.Queue(t.Context(), notify.Recovered(i, must(d.Store.IncidentEffort(t.Context(), i)))))
		d.WantTold(store.Recovered, "shop recovered after 3 h", `It was unwell from 2026-03-01 10:00 to 13:00 UTC.

- found: the image has a fault
- 'docker restart shop' at 2026-03-01 12:00 UTC by Tier 2: failed: Exit code 1
- 'ansible-playbook shop.yml' at 2026-03-01 12:00 UTC by Tier 3: succeeded
- 2 sessions above Tier 1: $1.00
`)
	})
}

func TestARecoveryWithinAMinuteHasNoDuration(t *testing.T) {
	d := newFixture(t)
	i := d.unwell("shop", "HTTP 502")
	i.OpenedAt, i.ClosedAt = d.Time, &d.Time
	ok(t, d.Queue(t.Context(), notify.Recovered(i, must(d.Store.IncidentEffort(t.Context(), i)))))
	d.WantTold(store.Recovered, "shop recovered", "It was unwell at 2026-03-01 12:00 UTC.")
}

// The worst check comes first; a title has as much of it as a phone shows, and nothing of a secret that is cut.
func TestARequestBeginsWithTheWorstCheck(t *testing.T) {
	d := newFixture(t)
	d.unwell("my shop", "HTTP 502 from http://127.0.0.1:1/")
	d.Time = d.Time.Add(time.Second) // the next look
	ok(t, d.Store.AddChecks(t.Context(), store.Reported, 0, d.Time, []check.Result{
		{Service: "my shop", Type: check.DNS, Status: check.Degraded, Error: "slow"},
		{Service: "my shop", Type: check.Database, Status: check.Down, Error: "refused"},
		{Service: "my shop", Type: check.HTTP, Status: check.Down, Error: "HTTP 502 from http://127.0.0.1:1/"},
	}))
	ok(t, d.RequestAttention(t.Context(), d.about("my shop"), notify.Attention{Cause: notify.ModelFailed, Why: "No agent looks at it: Tier 1 failed", Next: "The next cycle tries again"}))
	told := d.asked()
	same(t, len(told), 0) // it is a fault of the watch
	all, err := d.Store.Notifications(t.Context(), store.NotificationFilter{})
	ok(t, err)
	same(t, all[0].Type, store.FailureMessage)
	d.WantTold(store.AgentFailing, "my shop is down and needs human attention: refused", `
- http check: HTTP 502 from http[:]//127[.]0[.]0[.]1:1/
- dns check degraded: slow
- owner: Ada
`)
}

func TestATitleHasNoHalfOfASecret(t *testing.T) {
	for before := 50; before < 72; before++ {
		d := newFixture(t)
		d.unwell("shop", strings.Repeat("x", before)+" hunter22 y")
		ok(t, d.RequestAttention(t.Context(), d.about("shop"), notify.Attention{Cause: notify.Unresolved, Why: "w"}))
		if n := d.asked()[0]; strings.Contains(n.Title+n.Body, "hun") {
			t.Fatalf("after %d characters: %s", before, n.Title)
		}
	}
}

func TestWhatAnAgentAsksForReachesAHuman(t *testing.T) {
	d := newFixture(t)
	d.unwell("shop", "HTTP 502")
	d.Session(2)
	ok(t, d.AskHuman(t.Context(), d.about("shop"), "the disk must be replaced"))
	ok(t, d.AskHuman(t.Context(), notify.About{}, "the licence ends on Friday"))
	for _, name := range []string{"call-me", "call-me-2", "call-me-3", "call-me-4"} {
		ok(t, d.AskHuman(t.Context(), d.about(name), "call 555-1234"))
	}
	asked := d.asked()
	if len(asked) != 2 {
		t.Errorf("%d requests, want one about the incident, and one about what nobody but the agent knows: %+v", len(asked), asked)
	}
	for _, want := range []string{"Tier 2 asks: the disk must be replaced", "Tier 2 asks: the licence ends on Friday"} {
		found := false
		for _, n := range asked {
			found = found || strings.Contains(n.Body, want)
		}
		if !found {
			t.Errorf("no request says %q: %+v", want, asked)
		}
	}
}

// A secret is masked before links are taken out of the words around it.
func TestAnAgentsMessageShowsNoSecret(t *testing.T) {
	d := newFixture(t)
	d.Session(2)
	ok(t, d.AskHuman(t.Context(), notify.About{}, "see postgres://app:s3cret@db.example/shop"))
	n := d.asked()[0]
	if said := n.Title + n.Body; strings.Contains(said, "s3cret") || strings.Contains(said, "://") || !strings.Contains(said, "db[.]example") {
		t.Errorf("the message is %q", said)
	}
}

// What an agent reported is no link in a request; what a check of the program found is told as it is.
func TestWhatAnAgentReportedIsNoLink(t *testing.T) {
	for probed, want := range map[bool]string{true: "see https://evil.example/x", false: "see https[:]//evil[.]example/x"} {
		d := newFixture(t)
		session := d.Session(1)
		results := []check.Result{{Service: "shop", Type: check.HTTP, Status: check.Down, Error: "see https://evil.example/x"}}
		if probed {
			ok(t, d.Store.AddChecks(t.Context(), store.Probed, session, d.Time, results))
		} else {
			ok(t, d.Store.AddChecks(t.Context(), store.Reported, session, d.Time, results))
		}
		ok(t, d.RequestAttention(t.Context(), d.about("shop"), notify.Attention{Cause: notify.LimitsUsedUp, Why: "Its limits are used up"}))
		if asked := d.asked(); len(asked) != 1 || !strings.Contains(asked[0].Body, want) {
			t.Errorf("probed %t: %+v", probed, asked)
		}
	}
}

// Nobody but the sender chose the name of a service that the inventory does not know: in messages it is no link.
func TestANameThatNobodyKnowsIsNoLink(t *testing.T) {
	d := newFixture(t)
	d.Knows(recording.Fleet)
	for name, shown := range map[string]string{"https://evil.example/pay": "https[:]//evil[.]example/pay", "evil.example/pay": "evil[.]example/pay"} {
		d.alerts(name, check.Down, "slow")
		ok(t, d.RequestAttention(t.Context(), d.about(name), notify.Attention{Cause: notify.LimitsUsedUp, Why: "Its limits are used up"}))
		told := slices.DeleteFunc(d.asked(), func(n store.Notification) bool { return n.Service != name })
		if len(told) != 1 {
			t.Fatalf("%d requests about %s, want one", len(told), name)
		}
		n := told[0]
		if strings.Contains(n.Title+n.Body, "evil.example") || !strings.HasPrefix(n.Title, shown+" is down") {
			t.Errorf("%s\n%s", n.Title, n.Body)
		}
		if m := notify.Compose([]store.Notification{n, n}, "box", ""); strings.Contains(m.Title+m.Body, "evil.example") {
			t.Errorf("together with another: %+v", m)
		}
	}
}

// What an alert says is in the request for a human, where no check says anything.
func TestARequestNamesTheAlert(t *testing.T) {
	d := newFixture(t)
	d.Knows(recording.Fleet)
	d.alerts("mail", check.Down, "the queue is full")
	ok(t, d.RequestAttention(t.Context(), d.about("mail"), notify.Attention{Cause: notify.AgentAsks, Why: "No tier may go on"}))
	asked := d.asked()
	if len(asked) != 1 || asked[0].Title != "mail is down and needs human attention: the queue is full" || !strings.Contains(asked[0].Body, "mail is down: the queue is full.") {
		t.Errorf("asked %+v", asked)
	}
}
