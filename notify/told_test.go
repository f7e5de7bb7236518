package notify

import (
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/store"
)

// What people were told, newest first, and whether the next notification tells them the same.
func TestWhatPeopleWereToldIsNotRepeated(t *testing.T) {
	const hour, day = time.Hour, 24 * time.Hour
	type said = []store.Notification
	incident := int64(1)
	before := func(kind store.Kind, age time.Duration) store.Notification {
		return store.Notification{Kind: kind, Status: check.Down, CreatedAt: noon.Add(-age)}
	}
	caused := func(kind store.Kind, cause Cause) store.Notification {
		return store.Notification{Kind: kind, Cause: string(cause), Status: check.Down, CreatedAt: noon.Add(-hour)}
	}
	degraded := func(kind store.Kind) store.Notification {
		return store.Notification{Kind: kind, Status: check.Degraded, CreatedAt: noon.Add(-hour)}
	}
	for name, tt := range map[string]struct {
		kind    store.Kind
		cause   Cause
		earlier said
		repeats bool
	}{
		"nothing was told":                         {store.HumanAttention, "", nil, false},
		"once in 24 h":                             {store.HumanAttention, "", said{before(store.HumanAttention, day-1)}, true},
		"a reminder after 24 h":                    {store.HumanAttention, "", said{before(store.HumanAttention, day)}, false},
		"for another reason":                       {store.HumanAttention, "limits", said{caused(store.HumanAttention, "unresolved")}, true},
		"another kind is news":                     {store.AgentFailing, "", said{before(store.HumanAttention, hour)}, false},
		"the clock was set back an hour":           {store.HumanAttention, "", said{before(store.HumanAttention, -hour)}, true},
		"the clock was a year ahead":               {store.HumanAttention, "", said{before(store.HumanAttention, -365*day)}, false},
		"unwell after it recovered":                {store.HumanAttention, "", said{before(store.Recovered, hour), before(store.HumanAttention, 2*hour)}, false},
		"unwell after it was remediated":           {store.AgentFailing, "", said{before(store.Remediated, hour), before(store.AgentFailing, 2*hour)}, false},
		"unwell, once after it recovered":          {store.HumanAttention, "", said{before(store.HumanAttention, 1), before(store.Recovered, hour), before(store.HumanAttention, 2*hour)}, true},
		"recovered again, nothing between":         {store.Recovered, "", said{before(store.Recovered, hour), before(store.Down, 2*hour)}, true},
		"recovered after it was unwell again":      {store.Recovered, "", said{before(store.AgentFailing, 1), before(store.Recovered, hour)}, false},
		"remediated once in 24 h":                  {store.Remediated, "", said{before(store.AgentFailing, 1), before(store.Remediated, hour)}, true},
		"down, where it was degraded":              {store.HumanAttention, "", said{degraded(store.HumanAttention)}, false},
		"down once, where it was degraded":         {store.HumanAttention, "", said{before(store.HumanAttention, 1), degraded(store.HumanAttention)}, true},
		"recovered, whatever it was":               {store.Recovered, "", said{degraded(store.Recovered)}, true},
		"flapping, although people were asked":     {store.HumanAttention, Flapping, said{before(store.HumanAttention, hour)}, false},
		"flapping, once":                           {store.HumanAttention, Flapping, said{caused(store.HumanAttention, Flapping)}, true},
		"a request, after one about flapping":      {store.HumanAttention, "", said{caused(store.HumanAttention, Flapping)}, true},
		"down, once until it is well":              {store.Down, "", said{before(store.Down, 9*day)}, true},
		"down, where people were asked":            {store.Down, "", said{before(store.HumanAttention, 9*day)}, true},
		"down, after it was well":                  {store.Down, "", said{before(store.Remediated, 1), before(store.Down, hour)}, false},
		"down, where it was degraded when told":    {store.Down, "", said{degraded(store.AgentFailing)}, false},
		"a message of somebody":                    {store.Message, "", said{before(store.Message, 1)}, false},
		"a question":                               {store.AskApproval, "", said{before(store.AskApproval, 1)}, false},
		"a digest":                                 {store.DailyDigest, "", said{before(store.DailyDigest, 1)}, false},
		"a question says nothing of how it is":     {store.HumanAttention, "", said{before(store.AskApproval, 1), before(store.HumanAttention, hour)}, true},
		"a recovery was told, and nothing before":  {store.HumanAttention, "", said{before(store.Recovered, hour)}, false},
		"a dry run's trouble, after a human's one": {store.AgentFailing, "dry_run", said{before(store.AgentFailing, hour)}, true},
	} {
		t.Run(name, func(t *testing.T) {
			n := store.Notification{IncidentID: &incident, Kind: tt.kind, Cause: string(tt.cause), CreatedAt: noon}
			same(t, repeats(n, store.Told{Incident: store.Incident{Status: check.Down}, Said: tt.earlier}), tt.repeats)
		})
	}
	seen := store.Incident{Status: check.Down, AcknowledgedAt: &noon}
	for name, tt := range map[string]struct {
		kind    store.Kind
		earlier said
		repeats bool
	}{
		"somebody looks after it: no reminder":     {store.HumanAttention, said{before(store.HumanAttention, 9*day)}, true},
		"the first request":                        {store.HumanAttention, nil, false},
		"unwell again":                             {store.HumanAttention, said{before(store.Recovered, hour), before(store.HumanAttention, 9*day)}, false},
		"of a fault of the watch there is another": {store.AgentFailing, said{before(store.AgentFailing, day)}, false},
	} {
		t.Run(name, func(t *testing.T) {
			n := store.Notification{IncidentID: &incident, Kind: tt.kind, CreatedAt: noon}
			same(t, repeats(n, store.Told{Incident: seen, Said: tt.earlier}), tt.repeats)
		})
	}
}

// What counts as told before: everything of the incident or, without one, what has the same kind, service and cause.
func TestWhatCountsAsToldBefore(t *testing.T) {
	s := newDesk(t).Store
	var ids []int64
	for _, service := range []string{"shop", "mail"} {
		ids = append(ids, must(s.OpenIncident(t.Context(), store.Incident{Service: service, Status: check.Down})))
	}
	of := func(incident *int64, kind store.Kind, service, cause string) store.Notification {
		return store.Notification{IncidentID: incident, Kind: kind, Service: service, Cause: cause}
	}
	for _, step := range []struct {
		name   string
		n      store.Notification
		queued bool
	}{
		{"a request", of(&ids[0], store.HumanAttention, "shop", "limits"), true},
		{"the same", of(&ids[0], store.HumanAttention, "shop", "limits"), false},
		{"of another incident", of(&ids[1], store.HumanAttention, "mail", "limits"), true},
		{"of none", of(nil, store.HumanAttention, "shop", "limits"), true},
		{"of none again", of(nil, store.HumanAttention, "shop", "limits"), false},
		{"of another cause", of(nil, store.HumanAttention, "shop", "budget"), true},
		{"of no service", of(nil, store.HumanAttention, "", "budget"), true},
		{"of another kind", of(nil, store.AgentFailing, "", "budget"), true},
		{"it recovers", of(&ids[0], store.Recovered, "shop", ""), true},
		{"and is unwell again", of(&ids[0], store.HumanAttention, "shop", "limits"), true},
	} {
		if got := must(Queue(t.Context(), s, step.n)); (got != 0) != step.queued {
			t.Errorf("%s: queued %v", step.name, got)
		}
	}
	ok(t, s.AcknowledgeIncident(t.Context(), ids[1], noon, "ann"))
	s.Now = func() time.Time { return noon.Add(25 * time.Hour) }
	same(t, must(Queue(t.Context(), s, of(&ids[1], store.HumanAttention, "mail", "limits"))) != 0, false)
	same(t, must(Queue(t.Context(), s, of(&ids[0], store.HumanAttention, "shop", "limits"))) != 0, true)
	same(t, must(Queue(t.Context(), s, of(nil, store.AgentFailing, "", "budget"))) != 0, true)
}

// Who is reminded of what is still unwell, or unwell again, and why.
func TestWhoIsReminded(t *testing.T) {
	ago := func(kind store.Kind, hours int) store.Notification {
		return store.Notification{Kind: kind, Status: check.Down, CreatedAt: noon.Add(-time.Duration(hours) * time.Hour)}
	}
	const human, failing, remediated, recovered = store.HumanAttention, store.AgentFailing, store.Remediated, store.Recovered
	for name, tt := range map[string]struct {
		told []store.Notification // newest first
		want Cause
		why  string
	}{
		"never asked":                     {},
		"asked just now":                  {[]store.Notification{ago(human, 0)}, "", ""},
		"asked 23 h ago, and before":      {[]store.Notification{ago(human, 23), ago(human, 49)}, "", ""},
		"told of something else":          {[]store.Notification{ago(failing, 30)}, "", ""},
		"told that it is well":            {[]store.Notification{ago(remediated, 30)}, UnwellAgain, "no longer is"},
		"asked, and told that it is":      {[]store.Notification{ago(recovered, 1), ago(human, 2)}, UnwellAgain, "no longer is"},
		"asked a day ago":                 {[]store.Notification{ago(human, 24)}, Reminder, "was 1 day ago"},
		"asked twice":                     {[]store.Notification{ago(human, 25), ago(human, 50)}, Reminder, "was 2 days 2 h ago"},
		"asked an hour ahead":             {[]store.Notification{ago(human, -1), ago(human, 30)}, "", ""},
		"asked by a clock days ahead":     {[]store.Notification{ago(human, -100)}, Reminder, ""},
		"asked a proposal's question":     {[]store.Notification{ago(store.AskApproval, 1), ago(human, 30)}, Reminder, "was 1 day 6 h ago"},
		"an agent failed in the meantime": {[]store.Notification{ago(failing, 2), ago(human, 30)}, Reminder, "was 1 day 6 h ago"},
	} {
		t.Run(name, func(t *testing.T) {
			told := store.Told{Incident: store.Incident{ID: 1, Status: check.Down}, Said: tt.told}
			got := Remind(told, noon)
			if got.Cause != tt.want || !strings.Contains(got.Why, tt.why) {
				t.Errorf("%q: %s, want %q: %s", got.Cause, got.Why, tt.want, tt.why)
			}
		})
	}
}

// A service that gets worse is news, each step once.
func TestWhatGetsWorseIsTold(t *testing.T) {
	s := newDesk(t).Store
	i := store.Incident{Service: "shop", Status: check.Degraded}
	i.ID = must(s.OpenIncident(t.Context(), i))
	for n, step := range []struct {
		status check.Status
		queued bool
	}{{check.Degraded, true}, {check.Degraded, false}, {check.Down, true}, {check.Down, false}, {check.Degraded, false}, {check.Down, false}} {
		i.Status = step.status
		ok(t, s.SaveIncident(t.Context(), i))
		if got := must(Queue(t.Context(), s, store.Notification{IncidentID: &i.ID, Kind: store.HumanAttention, Service: "shop"})); (got != 0) != step.queued {
			t.Errorf("step %d, %s: queued %v", n, step.status, got)
		}
	}
}
