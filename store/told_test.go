package store

import (
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
)

// What people were told, newest first, and whether the next notification tells them the same.
func TestWhatPeopleWereToldIsNotRepeated(t *testing.T) {
	const hour, day = time.Hour, 24 * time.Hour
	incident := int64(1)
	before := func(kind Kind, age time.Duration) told {
		return told{Kind: kind, Status: check.Down, CreatedAt: noon.Add(-age)}
	}
	caused := func(kind Kind, cause string) told { return told{kind, cause, check.Down, noon.Add(-hour)} }
	degraded := func(kind Kind) told { return told{kind, "", check.Degraded, noon.Add(-hour)} }
	for name, tt := range map[string]struct {
		kind    Kind
		cause   string
		earlier []told
		repeats bool
	}{
		"nothing was told":                         {HumanAttention, "", nil, false},
		"once in 24 h":                             {HumanAttention, "", []told{before(HumanAttention, day-1)}, true},
		"a reminder after 24 h":                    {HumanAttention, "", []told{before(HumanAttention, day)}, false},
		"for another reason":                       {HumanAttention, "limits", []told{caused(HumanAttention, "unresolved")}, true},
		"another kind is news":                     {AgentFailing, "", []told{before(HumanAttention, hour)}, false},
		"the clock was set back an hour":           {HumanAttention, "", []told{before(HumanAttention, -hour)}, true},
		"the clock was a year ahead":               {HumanAttention, "", []told{before(HumanAttention, -365*day)}, false},
		"unwell after it recovered":                {HumanAttention, "", []told{before(Recovered, hour), before(HumanAttention, 2*hour)}, false},
		"unwell after it was remediated":           {AgentFailing, "", []told{before(Remediated, hour), before(AgentFailing, 2*hour)}, false},
		"unwell, once after it recovered":          {HumanAttention, "", []told{before(HumanAttention, 1), before(Recovered, hour), before(HumanAttention, 2*hour)}, true},
		"recovered again, nothing between":         {Recovered, "", []told{before(Recovered, hour), before(Down, 2*hour)}, true},
		"recovered after it was unwell again":      {Recovered, "", []told{before(AgentFailing, 1), before(Recovered, hour)}, false},
		"remediated once in 24 h":                  {Remediated, "", []told{before(AgentFailing, 1), before(Remediated, hour)}, true},
		"down, where it was degraded":              {HumanAttention, "", []told{degraded(HumanAttention)}, false},
		"down once, where it was degraded":         {HumanAttention, "", []told{before(HumanAttention, 1), degraded(HumanAttention)}, true},
		"recovered, whatever it was":               {Recovered, "", []told{degraded(Recovered)}, true},
		"flapping, although people were asked":     {HumanAttention, CauseFlapping, []told{before(HumanAttention, hour)}, false},
		"flapping, once":                           {HumanAttention, CauseFlapping, []told{caused(HumanAttention, CauseFlapping)}, true},
		"a request, after one about flapping":      {HumanAttention, "", []told{caused(HumanAttention, CauseFlapping)}, true},
		"down, once until it is well":              {Down, "", []told{before(Down, 9*day)}, true},
		"down, where people were asked":            {Down, "", []told{before(HumanAttention, 9*day)}, true},
		"down, after it was well":                  {Down, "", []told{before(Remediated, 1), before(Down, hour)}, false},
		"down, where it was degraded when told":    {Down, "", []told{degraded(AgentFailing)}, false},
		"a message of somebody":                    {Message, "", []told{before(Message, 1)}, false},
		"a question":                               {AskApproval, "", []told{before(AskApproval, 1)}, false},
		"a digest":                                 {DailyDigest, "", []told{before(DailyDigest, 1)}, false},
		"a question says nothing of how it is":     {HumanAttention, "", []told{before(AskApproval, 1), before(HumanAttention, hour)}, true},
		"a recovery was told, and nothing before":  {HumanAttention, "", []told{before(Recovered, hour)}, false},
		"a dry run's trouble, after a human's one": {AgentFailing, "dry_run", []told{before(AgentFailing, hour)}, true},
	} {
		t.Run(name, func(t *testing.T) {
			n := Notification{IncidentID: &incident, Kind: tt.kind, Cause: tt.cause, CreatedAt: noon}
			same(t, repeats(n, standing{Status: check.Down}, tt.earlier), tt.repeats)
		})
	}
	seen := standing{check.Down, true}
	for name, tt := range map[string]struct {
		kind    Kind
		earlier []told
		repeats bool
	}{
		"somebody looks after it: no reminder":     {HumanAttention, []told{before(HumanAttention, 9*day)}, true},
		"the first request":                        {HumanAttention, nil, false},
		"unwell again":                             {HumanAttention, []told{before(Recovered, hour), before(HumanAttention, 9*day)}, false},
		"of a fault of the watch there is another": {AgentFailing, []told{before(AgentFailing, day)}, false},
	} {
		t.Run(name, func(t *testing.T) {
			same(t, repeats(Notification{IncidentID: &incident, Kind: tt.kind, CreatedAt: noon}, seen, tt.earlier), tt.repeats)
		})
	}
}

// What counts as told before: everything of the incident or, without one, what has the same kind, service and cause.
func TestWhatCountsAsToldBefore(t *testing.T) {
	s := fresh(t)
	var ids []int64
	for _, service := range []string{"shop", "mail"} {
		ids = append(ids, must(s.OpenIncident(t.Context(), Incident{Service: service, Status: check.Down})))
	}
	of := func(incident *int64, kind Kind, service, cause string) Notification {
		return Notification{IncidentID: incident, Kind: kind, Service: service, Cause: cause}
	}
	for _, step := range []struct {
		name   string
		n      Notification
		queued bool
	}{
		{"a request", of(&ids[0], HumanAttention, "shop", "limits"), true},
		{"the same", of(&ids[0], HumanAttention, "shop", "limits"), false},
		{"of another incident", of(&ids[1], HumanAttention, "mail", "limits"), true},
		{"of none", of(nil, HumanAttention, "shop", "limits"), true},
		{"of none again", of(nil, HumanAttention, "shop", "limits"), false},
		{"of another cause", of(nil, HumanAttention, "shop", "budget"), true},
		{"of no service", of(nil, HumanAttention, "", "budget"), true},
		{"of another kind", of(nil, AgentFailing, "", "budget"), true},
		{"it recovers", of(&ids[0], Recovered, "shop", ""), true},
		{"and is unwell again", of(&ids[0], HumanAttention, "shop", "limits"), true},
	} {
		if got := must(s.QueueNotification(t.Context(), step.n)); (got != 0) != step.queued {
			t.Errorf("%s: queued %v", step.name, got)
		}
	}
	ok(t, s.AcknowledgeIncident(t.Context(), ids[1], noon, "ann"))
	s.Now = func() time.Time { return noon.Add(25 * time.Hour) }
	same(t, must(s.QueueNotification(t.Context(), of(&ids[1], HumanAttention, "mail", "limits"))) != 0, false)
	same(t, must(s.QueueNotification(t.Context(), of(&ids[0], HumanAttention, "shop", "limits"))) != 0, true)
	same(t, must(s.QueueNotification(t.Context(), of(nil, AgentFailing, "", "budget"))) != 0, true)
	nine := int64(9)
	wantError(t, second(s.QueueNotification(t.Context(), of(&nine, Down, "shop", ""))), nil, "find what people were told")
}

// A service that gets worse is news, each step once.
func TestWhatGetsWorseIsTold(t *testing.T) {
	s := fresh(t)
	i := Incident{Service: "shop", Status: check.Degraded}
	i.ID = must(s.OpenIncident(t.Context(), i))
	for n, step := range []struct {
		status check.Status
		queued bool
	}{{check.Degraded, true}, {check.Degraded, false}, {check.Down, true}, {check.Down, false}, {check.Degraded, false}, {check.Down, false}} {
		i.Status = step.status
		ok(t, s.SaveIncident(t.Context(), i))
		if got := must(s.QueueNotification(t.Context(), Notification{IncidentID: &i.ID, Kind: HumanAttention, Service: "shop"})); (got != 0) != step.queued {
			t.Errorf("step %d, %s: queued %v", n, step.status, got)
		}
	}
}
