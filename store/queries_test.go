package store

import (
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/statefile"
)

func TestASessionIsReadAsItWasWritten(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	parent := must(s.AddSession(ctx, Session{Tier: 1, Trigger: "cron", Status: Running}))
	code, ended := 3, noon.Add(time.Minute)
	want := Session{
		ParentID: &parent, Tier: 2, Model: "sonnet", Agent: "claude", PromptFile: "tier2-investigate.md", Trigger: "escalation", Status: Failed,
		StartedAt: noon, EndedAt: &ended, ExitCode: &code, CostUSD: 0.25, NumTurns: 7, DurationMS: 60_000, InputTokens: 11, OutputTokens: 22,
		Response: "resp\x00onse ∂", Error: "err", HandoffJSON: "{}", LogPath: "/r/2", CLISessionID: "uuid", PID: 77, PIDStart: 88, BootID: "boot", RunToken: "token", Question: "why?",
	}
	start := want
	want.RootID, start.Status, start.EndedAt = parent, Running, nil
	want.ID = must(s.AddSession(ctx, start))
	ok(t, s.SetSessionProcess(ctx, want.ID, 77, 88, "boot"))
	ok(t, s.SetSessionHandoff(ctx, want.ID, "{}"))
	ok(t, s.EndSession(ctx, want.ID, Session{Status: Failed, EndedAt: new(ended), ExitCode: &code, CostUSD: 0.25, NumTurns: 7, DurationMS: 60_000,
		InputTokens: 11, OutputTokens: 22, Response: want.Response, Error: "err"}))
	same(t, must(s.Session(ctx, want.ID)), want)

	if strings.Contains(string(must(json.Marshal(want))), "run_token") {
		t.Error("its JSON has the token")
	}
}

func TestTimesKeepTheirOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		stamp := rapid.Int64Range(0, 250_000_000_000_000)
		a, b := time.UnixMilli(stamp.Draw(t, "a")), time.UnixMilli(stamp.Draw(t, "b"))
		if a.Before(b) != (timeText(a) < timeText(b)) {
			t.Fatalf("%s and %s", timeText(a), timeText(b))
		}
		var back time.Time
		if err := (parsed{&back}).Scan(timeText(a)); err != nil || !back.Equal(a) {
			t.Fatalf("%v became %v: %v", a, back, err)
		}
	})
	same(t, timeText(time.Date(2026, 3, 1, 13, 0, 0, 7_999_999, time.FixedZone("", 3600))), "2026-03-01T12:00:00.007Z")
	var x time.Time
	wantError(t, parsed{&x}.Scan("yesterday"), nil, "yesterday")
}

func TestSessionsAreListedByPages(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	for i := range 6 {
		id := must(s.AddSession(ctx, Session{Tier: 1 + i%2, Trigger: "cron", Status: Running, StartedAt: noon}))
		if i < 3 {
			ok(t, s.EndSession(ctx, id, Session{Status: Completed}))
		}
	}
	for _, tt := range []struct {
		filter SessionFilter
		want   []int64
	}{
		{SessionFilter{}, []int64{6, 5, 4, 3, 2, 1}},
		{SessionFilter{Limit: 2}, []int64{6, 5}},
		{SessionFilter{Limit: 2, Before: 5}, []int64{4, 3}},
		{SessionFilter{Status: Completed}, []int64{3, 2, 1}},
		{SessionFilter{Status: Completed, Tier: 2}, []int64{2}},
		{SessionFilter{Status: TimedOut}, nil},
	} {
		var ids []int64
		for _, session := range must(s.Sessions(ctx, tt.filter)) {
			ids = append(ids, session.ID)
		}
		same(t, ids, tt.want)
	}
}

func TestEventsAreListed(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	id := chain(t, s, 1, 1)[0]
	ok(t, s.AddEvent(ctx, Event{Level: Info, Message: "one"}))
	ok(t, s.AddEvent(ctx, Event{SessionID: &id, Level: Critical, Service: "shop", Message: "two", CreatedAt: ago(1)}))
	ok(t, s.AddEvent(ctx, Event{SessionID: &id, Level: Info, Service: "mail", Message: "three"}))
	same(t, must(s.Events(ctx, EventFilter{Limit: 1, Before: 3})), []Event{{2, &id, Critical, "shop", "two", ago(1)}})
	for _, tt := range []struct {
		filter EventFilter
		want   int
	}{{EventFilter{}, 3}, {EventFilter{SessionID: &id}, 2}, {EventFilter{Service: "shop"}, 1}, {EventFilter{Level: Info}, 2}, {EventFilter{Level: Warning}, 0}} {
		same(t, len(must(s.Events(ctx, tt.filter))), tt.want)
	}
	same(t, must(s.Events(ctx, EventFilter{}))[2].CreatedAt, noon)
}

func result(service string, typ check.Type, status check.Status) check.Result {
	return check.Result{Service: service, Type: typ, Status: status}
}

func TestAReportIsStoredWholeOrNotAtAll(t *testing.T) {
	s := fresh(t)
	id := chain(t, s, 1, 1)[0]
	wantError(t, s.AddChecks(t.Context(), Reported, id, noon, []check.Result{result("a", check.HTTP, check.Down), result("b", "smell", check.Down)}), nil, "add check results")
	same(t, len(must(s.SessionChecks(t.Context(), id))), 0)
}

func act(id, service string, hours float64) Act {
	return Act{ID: id, Service: service, Action: statefile.Restart, Source: SourceReserved, CreatedAt: ago(hours), Tier: 2}
}

func TestActsThatCount(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	session := chain(t, s, 1, 1)[0]
	newest := act("d", "shop", 1)
	newest.SessionID, newest.Success, newest.ToolUseID, newest.Action = &session, true, "toolu", statefile.Redeployment
	other := act("e", "mail", 2)
	other.Action, other.Detail = statefile.Other, "reload"
	for _, a := range []Act{newest, other, act("a", "shop", 48), act("b", "shop", 47), act("c", "mail", 3)} {
		ok(t, s.PutAct(ctx, a))
	}
	ids := func(acts []Act) (ids []string) {
		for _, a := range acts {
			ids = append(ids, a.ID)
		}
		return ids
	}
	same(t, ids(must(s.ActsSince(ctx, ago(48)))), []string{"b", "c", "d"}) // half-open
	same(t, must(s.SessionActs(ctx, session)), []Act{newest})
	same(t, ids(must(s.ActsAfter(ctx, ago(48)))), []string{"b", "c", "e", "d"})

	ok(t, s.ClearAct(ctx, "c", noon))
	ok(t, s.ClearAct(ctx, "unknown", noon))
	same(t, ids(must(s.ActsSince(ctx, ago(48)))), []string{"b", "d"})
	ok(t, s.ClearActs(ctx, "shop", noon))
	same(t, ids(must(s.ActsSince(ctx, ago(48)))), []string(nil))
	same(t, ids(must(s.ActsAfter(ctx, ago(48)))), []string{"b", "c", "e", "d"}) // no recovery lowers the ceiling of a day

	newest.Error, newest.Source = "failed", SourceFile
	ok(t, s.PutAct(ctx, newest)) // by id: replaced, and counting again
	same(t, must(s.ActsSince(ctx, ago(48))), []Act{newest})
}

func TestAServiceHasOneOpenIncident(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	i := Incident{Service: "shop", Status: check.Down, Fingerprint: "f", OpenedAt: ago(3), LastSeenAt: ago(3)}
	i.ID = must(s.OpenIncident(ctx, i))
	_, err := s.OpenIncident(ctx, i)
	wantError(t, err, nil, "open an incident of shop")
	same(t, must(s.OpenIncidents(ctx)), map[string]Incident{"shop": i})

	retry, closed := noon, ago(1)
	i.Status, i.Fingerprint, i.LastSeenAt, i.DeadEnds, i.RetryAt, i.LastChain, i.HollowFixes = check.Degraded, "g", ago(2), 2, &retry, "attention", 1
	ok(t, s.SaveIncident(ctx, i))
	same(t, must(s.Incident(ctx, i.ID)), i)
	i.ClosedAt = &closed
	ok(t, s.SaveIncident(ctx, i))
	same(t, len(must(s.OpenIncidents(ctx))), 0)

	again := must(s.OpenIncident(ctx, Incident{Service: "shop", Status: check.Down}))
	same(t, len(must(s.Incidents(ctx, IncidentFilter{}))), 2)
	same(t, must(s.Incidents(ctx, IncidentFilter{Limit: 1}))[0].ID, again)
	wantError(t, s.SaveIncident(ctx, Incident{ID: 9, Status: check.Down}), ErrNotFound)
	wantError(t, second(s.Incident(ctx, 9)), ErrNotFound)
}

func TestWhatASessionFoundIsKept(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	ids := chain(t, s, 1, 2)
	i := must(s.OpenIncident(ctx, Incident{Service: "shop", Status: check.Down}))
	ok(t, s.LinkSession(ctx, i, ids[1], "disk full", ""))
	ok(t, s.LinkSession(ctx, i, ids[0], "", ""))
	ok(t, s.LinkSession(ctx, i, ids[1], "", "restarted"))
	linked := must(s.IncidentSessions(ctx, i))
	same(t, len(linked), 2)
	same(t, []any{linked[0].Session.ID, linked[0].Findings, linked[1].Session.Tier, linked[1].Findings, linked[1].Attempted}, []any{ids[0], "", 2, "disk full", "restarted"})
	wantError(t, s.LinkSession(ctx, 9, ids[0], "", ""), nil, "does not have")
}

func TestTimelineOfAnIncident(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	down := check.Result{Service: "shop", Type: check.HTTP, Status: check.Down, Error: "refused"}
	ok(t, s.AddChecks(ctx, Reported, 0, ago(9), []check.Result{down})) // an earlier incident's
	one := must(s.AddSession(ctx, Session{Tier: 1, Model: "haiku", Trigger: "cron", Status: Running, StartedAt: ago(5)}))
	ok(t, s.AddChecks(ctx, Reported, one, ago(4.9), []check.Result{down, result("shop", check.DNS, check.Healthy), result("mail", check.DNS, check.Down)}))
	i := must(s.OpenIncident(ctx, Incident{Service: "shop", Status: check.Down, OpenedAt: ago(4.8), LastSeenAt: ago(4.8)}))
	ok(t, s.EndSession(ctx, one, Session{Status: Escalated, EndedAt: new(ago(4.7))}))
	two := must(s.AddSession(ctx, Session{ParentID: &one, Tier: 2, Agent: "claude", Trigger: "escalation", Status: Running, StartedAt: ago(4.6)}))
	ok(t, s.LinkSession(ctx, i, one, "", ""))
	ok(t, s.LinkSession(ctx, i, two, "disk full", "made room"))
	a := act("a", "shop", 4.5)
	a.SessionID, a.Error = &two, "exit 1"
	ok(t, s.PutAct(ctx, a))
	ok(t, s.EndSession(ctx, two, Session{Status: Completed, EndedAt: new(ago(4.4))}))
	aid := must(s.AddSession(ctx, Session{ParentID: &two, Tier: 2, Agent: FirstAid, Trigger: "escalation", Status: Running, StartedAt: ago(4.4)}))
	ok(t, s.LinkSession(ctx, i, aid, "", ""))
	a = act("b", "shop", 4.3)
	a.SessionID, a.Success = &aid, true
	ok(t, s.PutAct(ctx, a))
	a = act("c", "shop", 4.25)
	a.SessionID, a.Success, a.Source = &two, true, SourceFile
	ok(t, s.PutAct(ctx, a))
	ok(t, s.AddChecks(ctx, Reported, 0, ago(4), []check.Result{down}))
	ok(t, s.AddChecks(ctx, Reported, 0, ago(3), []check.Result{result("shop", check.HTTP, check.Healthy)}))
	must(s.AddNotification(ctx, Notification{IncidentID: &i, Kind: HumanAttention, Service: "shop", Title: "shop needs you", CreatedAt: ago(4.2)}))

	var lines []string
	for _, e := range must(s.IncidentTimeline(ctx, must(s.Incident(ctx, i)), must(s.IncidentSessions(ctx, i)))) {
		lines = append(lines, e.At.Format("15:04 ")+e.Kind+" "+e.Text)
	}
	want := []string{
		"07:00 session session 1: Tier 1 (haiku), escalated",
		"07:06 check http check: down: refused",
		"07:24 session session 2: Tier 2 (claude), completed",
		"07:30 action restart by Tier 2: failed: exit 1",
		"07:36 finding disk full",
		"07:36 attempt made room",
		"07:36 session session 3: Tier 2 (first-aid), running",
		"07:42 action restart by first aid: succeeded",
		"07:45 action restart by Tier 2: claimed by the agent",
		"07:48 notification human_attention: shop needs you (not delivered yet)",
		"09:00 check http check: healthy",
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Error(diff)
	}
}

// First aid within the second in which an incident opens: what it found, what it did and what came of it are in this order.
func TestTimelineOfASecond(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	at := func(ms int) time.Time { return ago(1).Truncate(time.Second).Add(time.Duration(ms) * time.Millisecond) }
	i := must(s.OpenIncident(ctx, Incident{Service: "shop", Status: check.Down, OpenedAt: at(400), LastSeenAt: at(400)}))
	aid := must(s.AddSession(ctx, Session{Tier: 2, Agent: FirstAid, Trigger: "escalation", Status: Running, StartedAt: at(500)}))
	ok(t, s.LinkSession(ctx, i, aid, "the log", "it helped"))
	a := act("a", "shop", 1)
	a.CreatedAt, a.SessionID, a.Success = at(0), &aid, true
	ok(t, s.PutAct(ctx, a))
	ok(t, s.EndSession(ctx, aid, Session{Status: Completed, EndedAt: new(at(900))}))
	var kinds []string
	for _, e := range must(s.IncidentTimeline(ctx, must(s.Incident(ctx, i)), must(s.IncidentSessions(ctx, i)))) {
		kinds = append(kinds, e.Kind)
	}
	same(t, kinds, []string{"session", "finding", "action", "attempt"})
}

// A round asks for time if one of its checks does; a report does not count.
func TestAskingSince(t *testing.T) {
	s := fresh(t)
	ctx, id := t.Context(), chain(t, s, 1, 1)[0]
	asks := func(service string) check.Result {
		return check.Result{Service: service, Type: check.Database, Status: check.Degraded, Error: check.AsksForTime + "it starts"}
	}
	round := func(hours float64, results ...check.Result) { ok(t, s.AddChecks(ctx, Probed, id, ago(hours), results)) }
	round(9, asks("db"), asks("cache"), asks("old"))
	round(8, result("db", check.Database, check.Down), result("cache", check.Database, check.Degraded))
	round(7, asks("db"), result("db", check.HTTP, check.Down))
	round(6, asks("db"), asks("cache"))
	round(5, result("cache", check.Database, check.Healthy), asks("mail"), asks("wiki"))
	words := asks("shop")
	words.Status = check.Down
	round(5, words)
	ok(t, s.AddChecks(ctx, Reported, id, ago(4), []check.Result{asks("shop"), result("db", check.Database, check.Down)}))
	same(t, must(s.AskingSince(ctx, ago(8.5), "db", "cache", "shop", "old", "mail")), map[string]time.Time{"db": ago(7), "mail": ago(5)})
}

// The last round of the program's own checks, and the last report, with all their results.
func TestLastChecks(t *testing.T) {
	s := fresh(t)
	ctx, id := t.Context(), chain(t, s, 1, 1)[0]
	down, fine := result("shop", check.HTTP, check.Down), result("shop", check.HTTP, check.Healthy)
	disk := result("shop", check.Service, check.Degraded)
	ok(t, s.AddChecks(ctx, Probed, id, ago(3), []check.Result{down, result("mail", check.DNS, check.Healthy)}))
	ok(t, s.AddChecks(ctx, Reported, id, ago(2), []check.Result{fine, disk}))
	ok(t, s.AddChecks(ctx, Probed, id, ago(1), []check.Result{fine, down, fine}))
	same(t, Results(must(s.LastChecks(ctx, "shop"))), []check.Result{fine, disk, fine, down, fine})
	same(t, len(must(s.LastChecks(ctx, "nobody"))), 0)
}

func TestDependentsOfAnIncident(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	id := must(s.OpenIncident(ctx, Incident{Service: "db", Status: check.Down, OpenedAt: ago(3)}))
	ok(t, s.AddDependent(ctx, id, "web", check.Degraded, ago(3)))
	ok(t, s.AddDependent(ctx, id, "web", check.Down, ago(2)))
	ok(t, s.AddDependent(ctx, id, "api", check.Down, ago(2)))
	same(t, must(s.Dependents(ctx, id)), []Dependent{{"api", check.Down, ago(2), ago(2)}, {"web", check.Down, ago(3), ago(2)}})
	var texts []string
	for _, e := range must(s.IncidentTimeline(ctx, must(s.Incident(ctx, id)), must(s.IncidentSessions(ctx, id)))) {
		texts = append(texts, e.Kind+" "+e.Text)
	}
	same(t, texts, []string{
		"dependent web, which depends on it, is down (last seen " + ago(2).Format(time.RFC3339) + ")",
		"dependent api, which depends on it, is down (last seen " + ago(2).Format(time.RFC3339) + ")",
	})
}

// A timeline shows changes of status: of several checks of one type the worst counts.
func TestTimelineTellsEachChange(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	id := must(s.OpenIncident(ctx, Incident{Service: "web", Status: check.Down, OpenedAt: ago(5)}))
	for hours, statuses := range [][]check.Status{{check.Healthy, check.Healthy}, {check.Down}, {check.Healthy, check.Down}, {check.Degraded}, {check.Unknown}} {
		var results []check.Result
		for _, status := range statuses {
			results = append(results, result("web", check.HTTP, status))
		}
		ok(t, s.AddChecks(ctx, Reported, 0, ago(float64(5-hours)), results))
	}
	var texts []string
	for _, e := range must(s.IncidentTimeline(ctx, must(s.Incident(ctx, id)), must(s.IncidentSessions(ctx, id)))) {
		texts = append(texts, e.Text)
	}
	same(t, texts, []string{"http check: down", "http check: degraded", "http check: unknown"})
}

// Only Tier 1 sessions behind the last cycle that came to its end are of cycles that were killed or interrupted.
func TestUnfinished(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	ran := func(tier int, hours float64) int64 {
		return must(s.AddSession(ctx, Session{Tier: tier, Trigger: "cron", Status: Interrupted, StartedAt: ago(hours)}))
	}
	ended := func(outcome string, hours float64) {
		ok(t, s.AddCycle(ctx, CycleRow{Trigger: "cron", Outcome: outcome, StartedAt: ago(hours), DurationMS: time.Hour.Milliseconds() / 2}))
	}
	ran(1, 9)
	first := ran(1, 7.75)
	same(t, must(s.Unfinished(ctx, ago(8))), []int64{first})
	ended(CycleCompleted, 8)
	same(t, len(must(s.Unfinished(ctx, ago(24)))), 0)
	killed := ran(1, 6)
	ended(CycleInterrupted, 5)
	interrupted := ran(1, 4.75)
	ran(2, 4.7)
	same(t, must(s.Unfinished(ctx, ago(24))), []int64{killed, interrupted})
	ended(CycleFailed, 3)
	same(t, len(must(s.Unfinished(ctx, ago(24)))), 0)
}

func TestTheLastIncidentIsTheOpenOneOrTheOneClosedLast(t *testing.T) {
	hour := func(h float64) *time.Time { at := ago(h); return &at }
	for name, tt := range map[string]struct {
		closed []*time.Time // of the incidents, by their ids; nil is open
		want   string
	}{
		"the open one is the first":    {[]*time.Time{nil, hour(1)}, "1"},
		"the open one is the last":     {[]*time.Time{hour(1), nil}, "2"},
		"the first was closed last":    {[]*time.Time{hour(1), hour(2)}, "1"},
		"the last was closed last":     {[]*time.Time{hour(2), hour(1)}, "2"},
		"both were closed at one time": {[]*time.Time{hour(1), hour(1)}, "2"},
	} {
		t.Run(name, func(t *testing.T) {
			s := fresh(t)
			for n, closed := range tt.closed {
				must(s.OpenIncident(t.Context(), Incident{
					Service: "shop", Status: check.Healthy, OpenedAt: ago(float64(10 - 6*n)), LastSeenAt: noon, ClosedAt: closed, Returns: 3,
				}))
			}
			ok(t, s.ForgetReturns(t.Context(), "shop"))
			same(t, s.ask(t, `SELECT group_concat(id) FROM incidents WHERE returns = 0`), tt.want)
		})
	}
}

// An acknowledgement is of an incident as it is: it ends where that changes, and outlasts what a running cycle writes meanwhile.
func TestAnAcknowledgementEndsWhenTheIncidentChanges(t *testing.T) {
	healthy, closed := ago(1), ago(1)
	for name, tt := range map[string]struct {
		change []func(*Incident)
		stays  bool
	}{
		"seen again":                  {[]func(*Incident){func(i *Incident) { i.LastSeenAt, i.DeadEnds, i.UnwellCycles = ago(1), 3, 9 }}, true},
		"another fault":               {[]func(*Incident){func(i *Incident) { i.Fingerprint = "g" }}, false},
		"worse":                       {[]func(*Incident){func(i *Incident) { i.Status = check.Degraded }}, false},
		"recovering":                  {[]func(*Incident){func(i *Incident) { i.HealthySince = &healthy }}, true},
		"unwell again in between":     {[]func(*Incident){func(i *Incident) { i.HealthySince = &healthy }, func(i *Incident) { i.HealthySince = nil }}, false},
		"closed":                      {[]func(*Incident){func(i *Incident) { i.ClosedAt, i.Status = &closed, check.Healthy }}, true},
		"reopened after a recovery":   {[]func(*Incident){func(i *Incident) { i.ClosedAt = &closed }, func(i *Incident) { i.ClosedAt = nil }}, false},
		"recovered while it is quiet": {[]func(*Incident){func(i *Incident) { i.Fingerprint = "" }}, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := fresh(t)
			ctx := t.Context()
			i := Incident{Service: "shop", Status: check.Down, Fingerprint: "f", OpenedAt: ago(3), LastSeenAt: ago(3)}
			i.ID = must(s.OpenIncident(ctx, i))
			ok(t, s.AcknowledgeIncident(ctx, i.ID, ago(2), "command, by ann"))
			for _, change := range tt.change { // of the incident as the cycle read it, before it was acknowledged
				change(&i)
				ok(t, s.SaveIncident(ctx, i))
			}
			got := must(s.Incident(ctx, i.ID))
			if kept := got.AcknowledgedAt != nil && got.AcknowledgedBy == "command, by ann"; kept != tt.stays {
				t.Errorf("%v %q", got.AcknowledgedAt, got.AcknowledgedBy)
			}
		})
	}
	s := fresh(t)
	i := must(s.OpenIncident(t.Context(), Incident{Service: "shop", Status: check.Down, OpenedAt: ago(3), ClosedAt: &closed}))
	wantError(t, s.AcknowledgeIncident(t.Context(), i, ago(1), "x"), ErrNotFound)
	wantError(t, s.AcknowledgeIncident(t.Context(), 99, ago(1), "x"), ErrNotFound)
}
