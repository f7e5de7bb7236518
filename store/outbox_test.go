package store

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
)

func TestANotificationIsSentOnceIn24Hours(t *testing.T) {
	one, two := int64(1), int64(2)
	first := Notification{IncidentID: &one, Kind: HumanAttention, Service: "shop", Cause: "limits", Title: "first"}
	fault := Notification{Kind: AgentFailing, Cause: "budget", Title: "first"}
	with := func(n Notification, change func(*Notification)) Notification { change(&n); return n }
	for _, tt := range []struct {
		name        string
		first, next Notification
		after       time.Duration
		queued      bool
	}{
		{"the same at once", first, first, 0, false},
		{"the same just before 24 h", first, first, 24*time.Hour - time.Millisecond, false},
		{"the same after 24 h: a reminder", first, first, 24 * time.Hour, true},
		{"another cause of the same incident", first, with(first, func(n *Notification) { n.Cause = "other" }), time.Hour, false},
		{"another kind", first, with(first, func(n *Notification) { n.Kind = Recovered }), time.Hour, true},
		{"another incident", first, with(first, func(n *Notification) { n.IncidentID = &two }), time.Hour, true},
		{"no incident", first, with(first, func(n *Notification) { n.IncidentID = nil }), time.Hour, true},
		{"a fault again", fault, fault, time.Hour, false},
		{"a fault after a day", fault, fault, 24 * time.Hour, true},
		{"another fault", fault, with(fault, func(n *Notification) { n.Cause = "handoff" }), time.Hour, true},
		{"a fault of a service", fault, with(fault, func(n *Notification) { n.Service = "shop" }), time.Hour, true},
		{"a fault of another kind", fault, with(fault, func(n *Notification) { n.Kind = HumanAttention }), time.Hour, true},
		{"a fault with an incident", fault, with(fault, func(n *Notification) { n.IncidentID = &one }), time.Hour, true},
		{"what somebody has to say", Notification{Kind: Message, Title: "x"}, Notification{Kind: Message, Title: "x"}, 0, true},
		{"a digest", Notification{Kind: DailyDigest}, Notification{Kind: DailyDigest}, time.Minute, true},
		{"the clock jumps back an hour", first, first, -time.Hour, false},
		{"the clock was a year ahead", first, first, -365 * 24 * time.Hour, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := fresh(t)
			for _, service := range []string{"shop", "mail"} {
				must(s.OpenIncident(t.Context(), Incident{Service: service, Status: check.Down}))
			}
			same(t, must(s.QueueNotification(t.Context(), tt.first)), true)
			s.Now = func() time.Time { return noon.Add(tt.after) }
			same(t, must(s.QueueNotification(t.Context(), tt.next)), tt.queued)
		})
	}
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
		if got := must(s.QueueNotification(t.Context(), Notification{IncidentID: &i.ID, Kind: HumanAttention, Service: "shop"})); got != step.queued {
			t.Errorf("step %d, %s: queued %v", n, step.status, got)
		}
	}
}

// For one incident: what was sent before, and which notifications are new then.
func TestWhatIsToldOfAnIncidentIsNewsAfterItsOpposite(t *testing.T) {
	const unwell, failing, well, remediated, flapping = "human_attention ", "agent_failing ", "recovered ", "remediated ", "human_attention " + CauseFlapping
	for _, tt := range []struct {
		told   []string
		next   string
		queued bool
	}{
		{[]string{unwell, well}, unwell, true},
		{[]string{unwell, remediated}, unwell, true},
		{[]string{failing, well}, failing, true},
		{[]string{unwell, well}, well, false},
		{[]string{unwell, well, unwell}, unwell, false},
		{[]string{unwell, well, unwell}, well, true},
		{[]string{unwell, well, failing}, well, true},
		{[]string{unwell, remediated, failing}, remediated, false},
		{[]string{unwell}, flapping, true},
		{[]string{unwell, flapping}, flapping, false},
		{[]string{flapping}, unwell, false},
	} {
		s := fresh(t)
		id := must(s.OpenIncident(t.Context(), Incident{Service: "shop", Status: check.Down}))
		queue := func(what string) bool {
			kind, cause, _ := strings.Cut(what, " ")
			return must(s.QueueNotification(t.Context(), Notification{IncidentID: &id, Kind: Kind(kind), Cause: cause, Service: "shop"}))
		}
		for _, what := range tt.told {
			queue(what)
		}
		if got := queue(tt.next); got != tt.queued {
			t.Errorf("after %q, %q is queued: %t", tt.told, tt.next, got)
		}
	}
}

func TestTheOutboxIsListed(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	same(t, must(s.AtRest(ctx)), true)
	i := must(s.OpenIncident(ctx, Incident{Service: "shop", Status: check.Down}))
	want := Notification{
		ID: 1, IncidentID: &i, Kind: Remediated, Type: SuccessMessage, Service: "shop", Cause: "c", Title: "t", Body: "b",
		CreatedAt: ago(1), NextAttemptAt: ago(1),
	}
	must(s.QueueNotification(ctx, want))
	must(s.QueueNotification(ctx, Notification{Kind: DailyDigest}))
	must(s.QueueNotification(ctx, Notification{Kind: Message, Type: FailureMessage}))
	same(t, must(s.AtRest(ctx)), false)
	same(t, must(s.IncidentNotifications(ctx, i)), []Notification{want})
	same(t, must(s.Notification(ctx, 1)), want)
	wantError(t, second(s.Notification(ctx, 9)), ErrNotFound, "notification 9")

	_, err := s.db.ExecContext(ctx, `UPDATE notifications SET delivered_at = ? WHERE id = 2`, timeText(noon))
	ok(t, err)
	same(t, numbers(must(s.Notifications(ctx, NotificationFilter{}))), []int64{3, 2, 1})
	same(t, numbers(must(s.Notifications(ctx, NotificationFilter{Limit: 2}))), []int64{3, 2})
	same(t, numbers(must(s.Notifications(ctx, NotificationFilter{Pending: true}))), []int64{3, 1})
	same(t, *must(s.Notification(ctx, 2)).DeliveredAt, noon)
}

func numbers(all []Notification) (ids []int64) {
	for _, n := range all {
		ids = append(ids, n.ID)
	}
	return ids
}

func TestEachKindHasItsType(t *testing.T) {
	s := fresh(t)
	want := map[Kind]MessageType{
		HumanAttention: FailureMessage, AgentFailing: WarningMessage, Remediated: SuccessMessage,
		Recovered: SuccessMessage, DailyDigest: InfoMessage, Message: InfoMessage,
	}
	got := map[Kind]MessageType{}
	for kind := range want {
		must(s.QueueNotification(t.Context(), Notification{Kind: kind}))
	}
	for _, n := range must(s.Notifications(t.Context(), NotificationFilter{})) {
		got[n.Kind] = n.Type
	}
	same(t, got, want)
	if _, err := s.QueueNotification(t.Context(), Notification{Kind: Message, Type: "shout"}); err == nil {
		t.Error("any type is taken")
	}
}

// queue adds notifications of these kinds to the outbox, each about a different service.
func queue(t *testing.T, s *Store, kinds ...Kind) {
	t.Helper()
	n := len(must(s.Notifications(t.Context(), NotificationFilter{})))
	for i, kind := range kinds {
		same(t, must(s.QueueNotification(t.Context(), Notification{Kind: kind, Service: fmt.Sprint("service-", n+i+1)})), true)
	}
}

// messages are the messages that the notifications go out in, by age; 0 is none yet.
func messages(t *testing.T, s *Store) (all []int64) {
	t.Helper()
	for _, n := range must(s.Notifications(t.Context(), NotificationFilter{})) {
		id := int64(0)
		if n.MessageID != nil {
			id = *n.MessageID
		}
		all = append(all, id)
	}
	slices.Reverse(all)
	return all
}

// toBoth is the way of everything to two targets.
func toBoth(Ungrouped) Way { return Way{To: []string{"a", "b"}} }

func TestWhatWaitsTogetherIsOneMessageAKind(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	queue(t, s, HumanAttention, Recovered, HumanAttention, Message, DailyDigest, Message, Recovered)
	same(t, must(s.Waiting(ctx)), 5)
	ok(t, s.Group(ctx, noon, toBoth))
	same(t, messages(t, s), []int64{1, 2, 1, 4, 5, 6, 2})
	same(t, must(s.Waiting(ctx)), 5)

	queue(t, s, HumanAttention, HumanAttention) // the next cycle's
	must(s.QueueNotification(ctx, Notification{Kind: HumanAttention, Service: "later", NextAttemptAt: noon.Add(time.Millisecond)}))
	must(s.QueueNotification(ctx, Notification{Kind: HumanAttention, Service: "clock", NextAttemptAt: noon.Add(MaxRetry + time.Millisecond)}))
	ok(t, s.Group(ctx, noon, toBoth))
	same(t, messages(t, s), []int64{1, 2, 1, 4, 5, 6, 2, 8, 8, 0, 8})
	same(t, numbers(must(s.Message(ctx, 8))), []int64{8, 9, 11})
	same(t, must(s.Waiting(ctx)), 7)
}

func TestWhatIsSilencedWaitsUngrouped(t *testing.T) {
	silence := func(service, until, ended string) string {
		return fmt.Sprintf(`INSERT INTO silences (service, created_at, until, ended_at) VALUES ('%s', '2026-03-01T10:00:00.000Z', '%s', %s)`, service, until, ended)
	}
	const past, future = "2026-03-01T12:00:00.000Z", "2026-03-01T12:00:00.001Z"
	for _, tt := range []struct {
		name, silence string
		messages      []int64
		paused        bool
	}{
		{"one service", silence("service-1", future, "NULL"), []int64{0, 2, 2}, false},
		{"one whose silence is over", silence("service-1", past, "NULL"), []int64{1, 1, 1}, false},
		{"one whose silence was ended", silence("service-1", future, "'2026-03-01T11:00:00.000Z'"), []int64{1, 1, 1}, false},
		{"another service", silence("mail", future, "NULL"), []int64{1, 1, 1}, false},
		{"everything", silence("", future, "NULL"), []int64{0, 0, 0}, true},
		{"everything, until now", silence("", past, "NULL"), []int64{1, 1, 1}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := fresh(t)
			edit(t, s.path, tt.silence)
			queue(t, s, HumanAttention, HumanAttention)
			must(s.QueueNotification(t.Context(), Notification{Kind: HumanAttention, Cause: "of the watch itself"}))
			ok(t, s.Group(t.Context(), noon, toBoth))
			same(t, messages(t, s), tt.messages)
			same(t, must(s.Paused(t.Context(), noon)), tt.paused)
		})
	}
}

func TestAMessageIsDeliveredWhenEveryTargetHasIt(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	queue(t, s, HumanAttention, HumanAttention, Recovered)
	ok(t, s.Group(ctx, noon, toBoth))
	both := []string{"a", "b"}
	same(t, messagesOf(must(s.Undelivered(ctx, "a", noon))), []int64{1, 3})
	same(t, must(s.Delivered(ctx, 1, "a", both, noon)), false)
	same(t, must(s.Delivered(ctx, 1, "a", both, noon)), false) // again: no second delivery
	same(t, messagesOf(must(s.Undelivered(ctx, "a", noon))), []int64{3})
	same(t, messagesOf(must(s.Undelivered(ctx, "b", noon))), []int64{1, 3})
	same(t, must(s.Delivered(ctx, 1, "b", both, noon)), true)
	same(t, messagesOf(must(s.Undelivered(ctx, "c", noon))), []int64{3}) // a new target gets nothing that was delivered before
	same(t, numbers(must(s.Notifications(ctx, NotificationFilter{Pending: true}))), []int64{3})
	same(t, *must(s.Notification(ctx, 2)).DeliveredAt, noon)
	same(t, s.count(t, "deliveries"), "2")

	same(t, must(s.Delivered(ctx, 3, "a", both, noon)), false)
	same(t, must(s.Undone(ctx)), []Due{{Message: 3, Kind: Recovered, Type: SuccessMessage, Service: "service-3"}})
	same(t, must(s.Complete(ctx, []int64{3}, []string{"a", "c"}, noon)), false)
	same(t, must(s.Waiting(ctx)), 1)
	same(t, must(s.Complete(ctx, []int64{3}, []string{"a"}, noon)), true) // who has yet to get it is gone
	same(t, must(s.Waiting(ctx)), 0)
	same(t, must(s.AtRest(ctx)), true)
}

func TestAMessageWithoutItsFirstNotificationIsDelivered(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	queue(t, s, HumanAttention, HumanAttention)
	ok(t, s.Group(ctx, noon, toBoth))
	edit(t, s.path, `DELETE FROM notifications WHERE id = 1`)
	same(t, must(s.Delivered(ctx, 1, "a", []string{"a", "b"}, noon)), false)
	same(t, len(must(s.Undelivered(ctx, "a", noon))), 0)
	same(t, must(s.Delivered(ctx, 1, "b", []string{"a", "b"}, noon)), true)
	same(t, must(s.Delivered(ctx, 99, "a", []string{"a"}, noon)), false) // nothing is left of it
}

func TestATargetThatFailsIsOnRecordUntilItWorks(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	queue(t, s, HumanAttention, HumanAttention, Recovered)
	ok(t, s.Group(ctx, noon, toBoth))
	a := FailingTarget{Hash: "a", Name: "ntfy://a", FailingSince: ago(1), Attempts: 1, RetryAt: noon, LastError: "no answer"}
	ok(t, s.TargetFailed(ctx, a, 1))
	again := a
	again.FailingSince, again.Attempts, again.LastError = noon, 2, "refused"
	ok(t, s.TargetFailed(ctx, again, 1))
	again.FailingSince = a.FailingSince
	b := FailingTarget{Hash: "b", Name: "ntfy://b", FailingSince: noon, Attempts: 1, RetryAt: noon}
	ok(t, s.TargetFailed(ctx, b, 3))
	same(t, must(s.FailingTargets(ctx)), []FailingTarget{again, b})
	for id, attempts := range map[int64]int{1: 2, 2: 2, 3: 1} {
		same(t, must(s.Notification(ctx, id)).Attempts, attempts)
	}
	same(t, must(s.Notification(ctx, 2)).LastError, "refused")

	must(s.Delivered(ctx, 1, "a", []string{"a", "b"}, noon))
	same(t, must(s.FailingTargets(ctx)), []FailingTarget{b})
	ok(t, s.Retarget(ctx, []string{"a"}))
	same(t, len(must(s.FailingTargets(ctx))), 0)
	ok(t, s.TargetFailed(ctx, b, 3))
	ok(t, s.Retarget(ctx, nil)) // nothing is configured: nothing is delivered by that
	same(t, len(must(s.FailingTargets(ctx))), 0)
	same(t, must(s.Waiting(ctx)), 2)
}

func TestARefusedMessageWaits(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	queue(t, s, HumanAttention, Recovered)
	ok(t, s.Group(ctx, noon, toBoth))
	ok(t, s.MessageRefused(ctx, 1, "too long", noon.Add(time.Minute)))
	same(t, messagesOf(must(s.Undelivered(ctx, "a", noon))), []int64{2})
	same(t, messagesOf(must(s.Undelivered(ctx, "a", noon.Add(time.Minute)))), []int64{1, 2})
	same(t, messagesOf(must(s.Undelivered(ctx, "a", noon.Add(-365*24*time.Hour)))), []int64{1, 2}) // the clock was wrong
	n := must(s.Notification(ctx, 1))
	same(t, []any{n.Attempts, n.LastError}, []any{1, "too long"})
}

func messagesOf(due []Due) (messages []int64) {
	for _, d := range due {
		messages = append(messages, d.Message)
	}
	return messages
}
