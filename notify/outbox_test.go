package notify

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/store"
)

// boxOf returns an outbox with two targets, of notifications whose ids are their places, from 1.
func boxOf(t *testing.T, rules string, pending ...store.Notification) Outbox {
	t.Helper()
	for i := range pending {
		pending[i].ID, pending[i].NextAttemptAt = int64(i+1), noon
	}
	inv := must(inventory.Parse([]byte("services: [{name: a}, {name: b}]\n" + rules)))
	return Outbox{Routing: Routing{targetsNamed("phone", "chat"), inv.Notify}, Pending: pending, now: noon, had: map[delivery]bool{}}
}

func about(kind store.Kind, service string, incident int64) store.Notification {
	n := store.Notification{Kind: kind, Type: kind.Type(), Service: service}
	if incident != 0 {
		n.IncidentID = &incident
	}
	return n
}

// What waits together is one message of each kind and way, in order; of one incident only the last word is sent.
func TestWhatWaitsTogetherIsSentTogether(t *testing.T) {
	const (
		human, failing, down, recovered, remediated = store.HumanAttention, store.AgentFailing, store.Down, store.Recovered, store.Remediated

		phoneHasQuiet = "notify: [{targets: [chat]}, {targets: [phone], quiet: '11:00-13:00 UTC'}]"
		bothHaveQuiet = "notify: [{quiet: '11:00-13:00 UTC'}]"
	)
	asks := about(human, "a", 1)
	asks.Cause = string(AgentAsks)
	type all = []store.Notification
	for name, tt := range map[string]struct {
		rules   string
		pending all
		want    [][]int64
		unsent  map[int64]string
	}{
		"nothing": {},
		"one of each kind": {"", all{about(human, "a", 1), about(human, "b", 2), about(recovered, "c", 3), about(human, "d", 4)},
			[][]int64{{1, 2, 4}, {3}}, nil},
		"news about a service in order": {"", all{about(human, "b", 1), about(recovered, "a", 2), about(human, "a", 3)},
			[][]int64{{1}, {2}, {3}}, nil},
		"so that no later news come first": {"", all{about(human, "b", 1), about(recovered, "a", 2), about(human, "a", 3), about(recovered, "c", 4)},
			[][]int64{{1}, {2, 4}, {3}}, nil},
		"faults of the watch": {"", all{about(human, "", 0), about(failing, "", 0), about(human, "", 0)}, [][]int64{{1, 3}, {2}}, nil},
		"messages, digests and questions alone": {"", all{about(store.Message, "", 0), about(store.Message, "", 0), about(store.DailyDigest, "", 0),
			about(store.AskApproval, "a", 1), about(store.AskApproval, "b", 2)}, [][]int64{{1}, {2}, {3}, {4}, {5}}, nil},
		"other targets": {"notify: [{targets: [phone], services: [a]}, {targets: [chat]}]", all{about(recovered, "a", 1), about(recovered, "b", 2), about(recovered, "a", 3)},
			[][]int64{{1, 3}, {2}}, nil},
		"other hours": {"notify: [{targets: [chat]}, {targets: [phone], services: [a], quiet: '11:00-13:00 UTC'}, {targets: [phone], services: [b]}]",
			all{about(recovered, "a", 1), about(recovered, "b", 2)}, [][]int64{{1}, {2}}, nil},
		"quiet hours of every target": {bothHaveQuiet, all{about(recovered, "a", 1), about(human, "b", 2)}, [][]int64{{2}}, nil},
		"quiet hours of one":          {phoneHasQuiet, all{about(recovered, "a", 1)}, [][]int64{{1}}, nil},
		"no target":                   {"notify: [{kinds: [down]}]", all{about(recovered, "a", 1)}, nil, map[int64]string{1: noTarget}},
		"the last word":               {"", all{about(failing, "a", 1), about(human, "a", 1)}, [][]int64{{2}}, map[int64]string{1: "not sent: notification 2 says what came next"}},
		"that it is over": {"", all{about(human, "a", 1), about(remediated, "a", 1), about(recovered, "a", 1), about(human, "b", 2)}, [][]int64{{3}, {4}},
			map[int64]string{1: "not sent: notification 3 says what came next", 2: "not sent: notification 3 says what came next"}},
		"not to those who do not get the last word": {"notify: [{targets: [chat]}, {targets: [phone], kinds: [down]}]", all{about(down, "a", 1), about(recovered, "a", 1)},
			[][]int64{{1}, {2}}, nil},
		"a question waits for its answer": {"", all{about(human, "a", 1), about(store.AskApproval, "a", 1)}, [][]int64{{1}, {2}}, nil},
		"an agent's, too":                 {"", all{asks, about(remediated, "a", 1)}, [][]int64{{1}, {2}}, nil},
		"what is urgent is the last word": {bothHaveQuiet, all{about(down, "a", 1), about(human, "a", 1)}, [][]int64{{2}}, map[int64]string{1: "not sent: notification 2 says what came next"}},
		"what waits replaces nothing":     {bothHaveQuiet, all{about(human, "a", 1), about(remediated, "a", 1)}, [][]int64{{1}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			messages, unsent := boxOf(t, tt.rules, tt.pending...).plan()
			same(t, messages, tt.want)
			if len(unsent) > 0 || tt.unsent != nil {
				same(t, unsent, tt.unsent)
			}
		})
	}
}

// What need not be said any more once an incident has ended, and what waits while its checks are healthy again.
func TestWhatIsOverIsNotSaid(t *testing.T) {
	const human, remediated, recovered = store.HumanAttention, store.Remediated, store.Recovered
	const over, next = overNow, "not sent: notification %d says what came next"
	sent := about(human, "a", 1)
	sent.MessageID = new(int64)
	asks, night := about(human, "a", 1), about(store.Down, "a", 1)
	asks.Cause, night.CreatedAt = string(AgentAsks), noon
	healthy, open := store.Incident{ID: 1, HealthySince: &noon}, store.Incident{ID: 1}
	ended := store.Incident{ID: 1, HealthySince: &noon, ClosedAt: &noon}
	type all = []store.Notification
	for name, tt := range map[string]struct {
		incident      store.Incident
		told, pending all
		want          [][]int64
		unsent        map[int64]string
	}{
		"that it is unwell":                   {open, nil, all{about(human, "a", 1)}, [][]int64{{1}}, nil},
		"that it is unwell, while it is not":  {healthy, nil, all{about(human, "a", 1)}, nil, nil},
		"that it was":                         {ended, nil, all{about(human, "a", 1)}, nil, map[int64]string{1: over}},
		"what an agent asks, all the same":    {ended, nil, all{asks}, [][]int64{{1}}, nil},
		"the end of what nobody heard of":     {ended, nil, all{about(human, "a", 1), about(recovered, "a", 1)}, nil, map[int64]string{1: over, 2: over}},
		"the end of what people heard of":     {ended, all{sent}, all{about(recovered, "a", 1)}, [][]int64{{1}}, nil},
		"the end of what nobody was asked of": {ended, nil, all{about(recovered, "a", 1)}, [][]int64{{1}}, nil},
		// It was down and is mended: one message says both.
		"the end of what was mended, unheard of": {ended, nil, all{about(human, "a", 1), about(remediated, "a", 1), about(recovered, "a", 1)},
			[][]int64{{3}}, map[int64]string{1: over, 2: fmt.Sprintf(next, 3)}},
		"the end of what quiet hours held back": {ended, nil, all{night, about(recovered, "a", 1)}, nil, map[int64]string{1: over}},
		"that it is mended, before the end":     {healthy, nil, all{about(human, "a", 1), about(remediated, "a", 1)}, [][]int64{{2}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			rules := ""
			if tt.pending[0].Kind == store.Down {
				rules = "notify: [{quiet: '11:00-13:00 UTC'}]"
			}
			o := boxOf(t, rules, tt.pending...)
			o.told = map[int64]store.Told{1: {Incident: tt.incident, Said: slices.Concat(tt.pending, tt.told)}}
			o.Pending = slices.DeleteFunc(o.Pending, o.doubtful)
			messages, unsent := o.plan()
			same(t, messages, tt.want)
			if len(unsent) > 0 || tt.unsent != nil {
				same(t, unsent, tt.unsent)
			}
		})
	}
}

// A silence holds back what it is about, a pause everything.
func TestWhatASilenceOrAPauseHoldsBack(t *testing.T) {
	id := int64(1)
	formed := about(store.Recovered, "a", 0)
	formed.MessageID = &id
	for service, want := range map[string]struct {
		held, late []int64
		messages   [][]int64
		queued     int // of what is formed
	}{
		"a": {[]int64{1, 2}, []int64{3}, [][]int64{{3}, {4}}, 0},
		"b": {[]int64{3}, []int64{1}, [][]int64{{2}, {4}}, 1},
		"c": {nil, []int64{1}, [][]int64{{2, 3}, {4}}, 1},
		"":  {[]int64{1, 2, 3, 4}, nil, nil, 0},
	} {
		o := boxOf(t, "", formed, about(store.Recovered, "a", 0), about(store.Recovered, "b", 0), about(store.AgentFailing, "", 0))
		o.silences = []store.Silence{{Service: service, Until: noon.Add(time.Hour)}}
		var held, late []int64
		for _, n := range o.Pending {
			if o.Held(n) != nil {
				held = append(held, n.ID)
			}
		}
		if n := o.Late(); n != nil {
			late = append(late, n.ID)
		}
		same(t, held, want.held)
		same(t, late, want.late)
		messages, _ := o.plan()
		same(t, messages, want.messages)
		same(t, len(o.queue(o.Targets[0])), want.queued)
	}
}

// What each target is sent of the messages that are formed, and which of these every target has.
func TestWhoIsToGetAMessage(t *testing.T) {
	const rules = "notify: [{targets: [chat]}, {targets: [phone], kinds: [recovered], quiet: '11:00-13:00 UTC'}]"
	id := int64(1)
	n := about(store.Recovered, "a", 0)
	n.MessageID = &id
	phone, chat := targetsNamed("phone")[0], targetsNamed("chat")[0]
	for name, tt := range map[string]struct {
		rules       string
		had         []Target
		next        time.Time
		phone, chat int
		complete    bool
		late        bool
	}{
		"everybody":                     {"", nil, noon, 1, 1, false, true},
		"who has not got it":            {"", []Target{phone}, noon, 0, 1, false, true},
		"nobody":                        {"", []Target{phone, chat}, noon, 0, 0, true, false},
		"nobody before the next try":    {"", nil, noon.Add(time.Minute), 0, 0, false, true},
		"a clock that ran ahead":        {"", nil, noon.Add(24 * time.Hour), 1, 1, false, true},
		"who has no quiet hours":        {rules, nil, noon, 0, 1, false, true},
		"what waits for the morning":    {rules, []Target{chat}, noon, 0, 0, false, false},
		"a target is taken out":         {"notify: [{targets: [chat]}]", []Target{chat}, noon, 0, 0, true, false},
		"no rule sends it any more":     {"notify: [{targets: []}]", nil, noon, 0, 0, true, false},
		"a rule sends it elsewhere now": {"notify: [{targets: [phone]}]", []Target{chat}, noon, 1, 0, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			o := boxOf(t, tt.rules, n)
			o.Pending[0].NextAttemptAt = tt.next
			for _, target := range tt.had {
				o.had[delivery{1, target.Hash}] = true
			}
			same(t, []int{len(o.queue(phone)), len(o.queue(chat))}, []int{tt.phone, tt.chat})
			same(t, len(o.complete()) == 1, tt.complete)
			same(t, o.Late() != nil, tt.late)
		})
	}
}
