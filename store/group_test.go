package store

import (
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
)

func TestWhatWaitsTogetherGoesOutTogetherAndInOrder(t *testing.T) {
	for name, tt := range map[string]struct {
		waiting []Ungrouped
		want    map[int64][]int64
	}{
		"nothing": {nil, map[int64][]int64{}},
		"troubles of one cycle": {
			[]Ungrouped{{ID: 3, Kind: HumanAttention, Service: "a"}, {ID: 4, Kind: HumanAttention, Service: "b"}, {ID: 5, Kind: Recovered, Service: "c"}, {ID: 6, Kind: HumanAttention, Service: "d"}},
			map[int64][]int64{3: {3, 4, 6}, 5: {5}},
		},
		"no service's news overtake its own": {
			[]Ungrouped{{ID: 1, Kind: HumanAttention, Service: "a"}, {ID: 2, Kind: Recovered, Service: "a"}, {ID: 3, Kind: HumanAttention, Service: "a"}, {ID: 4, Kind: HumanAttention, Service: "b"}, {ID: 5, Kind: Recovered, Service: "a"}},
			map[int64][]int64{1: {1}, 2: {2}, 3: {3, 4}, 5: {5}},
		},
		"the watch itself": {
			[]Ungrouped{{ID: 1, Kind: HumanAttention}, {ID: 2, Kind: AgentFailing}, {ID: 3, Kind: HumanAttention}},
			map[int64][]int64{1: {1, 3}, 2: {2}},
		},
		"messages and digests go alone": {
			[]Ungrouped{{ID: 1, Kind: Message}, {ID: 2, Kind: Message}, {ID: 3, Kind: DailyDigest}, {ID: 4, Kind: DailyDigest}},
			map[int64][]int64{1: {1}, 2: {2}, 3: {3}, 4: {4}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var all []sent
			for _, n := range tt.waiting {
				all = append(all, sent{n, toBoth(n)})
			}
			same(t, together(all), tt.want)
		})
	}
}

// Notifications for other targets are not grouped, and held ones wait.
func TestWhatWaitsGoesItsWay(t *testing.T) {
	s := fresh(t)
	queue(t, s, HumanAttention, HumanAttention, HumanAttention, HumanAttention, HumanAttention)
	ok(t, s.Group(t.Context(), noon, func(n Ungrouped) Way {
		return map[string]Way{
			"service-1": {To: []string{"a"}}, "service-2": {To: []string{"a", "b"}}, "service-3": {To: []string{"a"}},
			"service-4": {To: []string{"a"}, Held: true}, "service-5": {},
		}[n.Service]
	}))
	same(t, messages(t, s), []int64{1, 2, 1, 0, 0})
	same(t, numbers(must(s.Notifications(t.Context(), NotificationFilter{Pending: true}))), []int64{4, 3, 2, 1})
	same(t, must(s.Notification(t.Context(), 5)).LastError, noTarget)
}

// Of one trouble that waits, people get the last word, and none where it is over.
func TestOfOneIncidentTheLastWordIsSent(t *testing.T) {
	type row struct {
		kind    Kind
		minutes int // before noon
	}
	phone := func(n Ungrouped) Way {
		if n.Kind == Recovered {
			return Way{To: []string{"chat"}}
		}
		return Way{To: []string{"phone"}}
	}
	for _, tt := range []struct {
		name     string
		incident Incident
		rows     []row
		way      func(Ungrouped) Way
		sent     []int64
		why      map[int64]string
	}{
		{"still true", Incident{}, []row{{AgentFailing, 9}, {HumanAttention, 5}}, toBoth, []int64{2}, map[int64]string{1: "not sent: notification 2 says what came next"}},
		{"mended", Incident{}, []row{{HumanAttention, 9}, {Remediated, 5}, {Recovered, 1}}, toBoth, []int64{3},
			map[int64]string{1: "not sent: notification 3 says what came next", 2: "not sent: notification 3 says what came next"}},
		{"those who got the one do not get the other", Incident{}, []row{{HumanAttention, 9}, {Recovered, 5}}, phone, []int64{1, 2}, nil},
		{"nobody knew that it was unwell", Incident{ClosedAt: earlier(5)}, []row{{HumanAttention, 9}, {Recovered, 5}}, toBoth, nil, map[int64]string{1: overNow, 2: overNow}},
		{"it was a quiet night", Incident{ClosedAt: earlier(5)}, []row{{Down, 9}, {Recovered, 5}}, func(Ungrouped) Way { return Way{To: []string{"a"}, Held: true} }, nil,
			map[int64]string{1: "not sent: notification 2 says what came next"}},
		{"it is over", Incident{ClosedAt: earlier(5)}, []row{{HumanAttention, 9}}, toBoth, nil, map[int64]string{1: overNow}},
		{"found healthy since", Incident{HealthySince: earlier(5)}, []row{{HumanAttention, 9}}, toBoth, nil, nil},
		{"a question waits for its answer", Incident{}, []row{{AskApproval, 9}, {AskApproval, 5}, {Recovered, 1}}, toBoth, []int64{1, 2, 3}, nil},
		{"a question does not say what is wrong", Incident{}, []row{{HumanAttention, 9}, {AskApproval, 5}}, toBoth, []int64{1, 2}, nil},
		{"nor does it keep anything", Incident{}, []row{{AgentFailing, 9}, {HumanAttention, 5}, {AskApproval, 1}}, toBoth, []int64{2, 3},
			map[int64]string{1: "not sent: notification 2 says what came next"}},
		{"asked since", Incident{HealthySince: earlier(9)}, []row{{HumanAttention, 5}}, toBoth, []int64{1}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := fresh(t)
			tt.incident.Service, tt.incident.Status = "shop", check.Down
			id := must(s.OpenIncident(t.Context(), tt.incident))
			for _, r := range tt.rows {
				must(s.QueueNotification(t.Context(), Notification{IncidentID: &id, Kind: r.kind, Service: "shop", CreatedAt: *earlier(r.minutes)}))
			}
			ok(t, s.Group(t.Context(), noon, tt.way))
			var sent []int64
			why := map[int64]string{}
			for i, message := range messages(t, s) {
				if message != 0 {
					sent = append(sent, message)
				}
				if n := must(s.Notification(t.Context(), int64(i+1))); n.LastError != "" {
					why[n.ID] = n.LastError
				}
			}
			same(t, sent, tt.sent)
			if len(why) > 0 || tt.why != nil {
				same(t, why, tt.why)
			}
		})
	}
}

// A problem that was over before people were notified is new when it returns.
func TestWhatWasNotSentIsNoRepetition(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	id := must(s.OpenIncident(ctx, Incident{Service: "shop", Status: check.Down, ClosedAt: earlier(1)}))
	ask := Notification{IncidentID: &id, Kind: HumanAttention, Service: "shop", CreatedAt: *earlier(5)}
	same(t, must(s.QueueNotification(ctx, ask)), true)
	same(t, must(s.QueueNotification(ctx, ask)), false)
	ok(t, s.Group(ctx, noon, toBoth))
	same(t, must(s.QueueNotification(ctx, ask)), true)
}

// earlier returns the time that many minutes before noon.
func earlier(minutes int) *time.Time {
	t := noon.Add(-time.Duration(minutes) * time.Minute)
	return &t
}

func TestWhetherPeopleKnowThatAServiceIsUnwell(t *testing.T) {
	for name, tt := range map[string]struct {
		kinds []Kind
		ended bool // before anything was sent
		known bool
	}{
		"nothing was said":        {nil, false, false},
		"it is down":              {[]Kind{Down}, false, true},
		"a human is asked":        {[]Kind{HumanAttention}, false, true},
		"it is well again":        {[]Kind{Down, Recovered}, false, false},
		"and down again":          {[]Kind{Down, Remediated, Down}, false, true},
		"it was over before that": {[]Kind{Down}, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := fresh(t)
			incident := Incident{Service: "shop", Status: check.Down}
			if tt.ended {
				incident.ClosedAt = earlier(5)
			}
			id := must(s.OpenIncident(t.Context(), incident))
			for _, kind := range tt.kinds {
				must(s.QueueNotification(t.Context(), Notification{IncidentID: &id, Kind: kind, Service: "shop", CreatedAt: *earlier(9)}))
			}
			ok(t, s.Group(t.Context(), noon, toBoth))
			same(t, must(s.KnownUnwell(t.Context(), id)), tt.known)
		})
	}
}

// An agent's request to people is never replaced by a later notification, and an urgent one is not replaced by one that is held.
func TestNothingOvertakesWhatPeopleAreAsked(t *testing.T) {
	waits := func(n Ungrouped) Way { return Way{To: []string{"a"}, Held: n.Kind == Remediated} }
	for name, tt := range map[string]struct {
		cause string
		way   func(Ungrouped) Way
		sent  []int64
	}{
		"an agent asks":          {"agent_asks", toBoth, []int64{1, 2}},
		"the later one waits":    {"limits", waits, []int64{1, 0}},
		"neither, and overtaken": {"limits", toBoth, []int64{0, 2}},
	} {
		t.Run(name, func(t *testing.T) {
			s := fresh(t)
			id := must(s.OpenIncident(t.Context(), Incident{Service: "shop", Status: check.Down}))
			must(s.QueueNotification(t.Context(), Notification{IncidentID: &id, Kind: HumanAttention, Cause: tt.cause, Service: "shop", CreatedAt: *earlier(5)}))
			must(s.QueueNotification(t.Context(), Notification{IncidentID: &id, Kind: Remediated, Service: "shop", CreatedAt: *earlier(3)}))
			ok(t, s.Group(t.Context(), noon, tt.way))
			same(t, messages(t, s), tt.sent)
		})
	}
}

// What waits for one target in quiet hours does not make another message wait there.
func TestWhatOneTargetGetsLaterGoesByItself(t *testing.T) {
	s := fresh(t)
	queue(t, s, AgentFailing, AgentFailing, AgentFailing)
	ok(t, s.Group(t.Context(), noon, func(n Ungrouped) Way {
		w := Way{To: []string{"chat", "phone"}, Now: []string{"chat", "phone"}}
		if n.Service == "service-1" {
			w.Now = w.Now[:1]
		}
		return w
	}))
	same(t, messages(t, s), []int64{1, 2, 2})
}
