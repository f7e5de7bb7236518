package notify

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/claudeops/claudeops/store"
)

// Outbox is what waits to be sent at one moment. Its methods decide, without I/O, what becomes one message, who gets it
// and when. Without a target nothing waits.
type Outbox struct {
	Routing
	Pending  []store.Notification  // that some target has yet to get, oldest first; what is doubtful is left out
	Failing  []store.FailingTarget // that could not be reached when they were last tried, by name
	now      time.Time
	had      map[delivery]bool
	silences []store.Silence      // that are active
	told     map[int64]store.Told // what people were told of the incidents that are pending
}

// delivery says that a target has a message.
type delivery struct {
	message int64
	target  string
}

// Outbox reads what waits to be sent by a routing.
func (r Routing) Outbox(ctx context.Context, s *store.Store, now time.Time) (o Outbox, err error) {
	o = Outbox{Routing: r, now: now, had: map[delivery]bool{}}
	if o.silences, err = s.ActiveSilences(ctx, now); err != nil || len(r.Targets) == 0 {
		return o, err
	}
	slices.SortFunc(o.silences, func(x, y store.Silence) int { // the pause first
		return strings.Compare(x.Service, y.Service)
	})
	if o.Pending, err = s.Notifications(ctx, store.NotificationFilter{Pending: true}); err != nil {
		return o, err
	}
	slices.Reverse(o.Pending)
	var incidents []int64
	for _, n := range o.Pending {
		if n.IncidentID != nil {
			incidents = append(incidents, *n.IncidentID)
		}
	}
	if o.told, err = s.Told(ctx, incidents); err != nil {
		return o, err
	}
	o.Pending = slices.DeleteFunc(o.Pending, o.doubtful)
	if o.Failing, err = s.FailingTargets(ctx); err != nil {
		return o, err
	}
	o.Failing = slices.DeleteFunc(o.Failing, func(f store.FailingTarget) bool { // what is configured no more is nobody's concern
		return !slices.ContainsFunc(r.Targets, func(t Target) bool { return t.Hash == f.Hash })
	})
	var ids []int64
	for _, group := range o.messages() {
		ids = append(ids, group[0].ID)
	}
	deliveries, err := s.Deliveries(ctx, ids)
	for _, d := range deliveries {
		o.had[delivery{d.Message, d.Target}] = true
	}
	return o, err
}

// incident returns the state of the incident whose course a notification tells that nobody was sent yet; else it is
// empty.
func (o Outbox) incident(n store.Notification) store.IncidentState {
	if n.MessageID != nil || !replaceable(n) {
		return ""
	}
	return o.told[*n.IncidentID].Incident.State()
}

// doubtful reports whether a notification says that a service is unwell whose checks are healthy again: it waits until
// the incident ends, or goes on.
func (o Outbox) doubtful(n store.Notification) bool {
	return unwell(n.Kind) && o.incident(n) == store.IncidentRecovering
}

// over reports whether a notification need not be said any more, because its incident has ended: that the service is
// unwell, and that it is well again where people have not heard of it.
func (o Outbox) over(n store.Notification) bool {
	over := o.incident(n) == store.IncidentClosed
	return over && (unwell(n.Kind) || n.Kind == store.Recovered && !o.heard(o.told[*n.IncidentID]))
}

// heard reports whether people have a reason to be told that an incident is over: they were told of it, or would have
// been but for their quiet hours; it was mended; or nobody was to be told that it was unwell.
func (o Outbox) heard(told store.Told) bool {
	unsaid := false
	for _, n := range told.Said {
		to := o.Recipients(n.Kind, n.Type, n.Service, n.CreatedAt)
		quiet := len(to) > 0 && !slices.ContainsFunc(to, Recipient.now)
		if n.MessageID != nil || n.Kind == store.Remediated || unwell(n.Kind) && quiet {
			return true
		}
		unsaid = unsaid || unwell(n.Kind)
	}
	return !unsaid
}

// messages returns the messages that are formed, in order: the notifications of each, of which the first has its id.
func (o Outbox) messages() (all [][]store.Notification) {
	at := map[int64]int{}
	for _, n := range o.Pending {
		if n.MessageID == nil {
			continue
		}
		i, known := at[*n.MessageID]
		if !known {
			i = len(all)
			at[*n.MessageID], all = i, append(all, nil)
		}
		all[i] = append(all[i], n)
	}
	return all
}

// Held returns the pause or the silence that holds a notification back; nil if none does.
func (o Outbox) Held(n store.Notification) *store.Silence {
	for i, s := range o.silences {
		if s.Service == "" || s.Service == n.Service {
			return &o.silences[i]
		}
	}
	return nil
}

// held reports whether a message waits: all that it is about is silenced, or everything is paused.
func (o Outbox) held(group []store.Notification) bool {
	return !slices.ContainsFunc(group, func(n store.Notification) bool { return o.Held(n) == nil })
}

// recipients returns the targets that are to get a notification by the rules of now.
func (o Outbox) recipients(n store.Notification) []Recipient {
	return o.Recipients(n.Kind, n.Type, n.Service, o.now)
}

// now reports whether the target has no quiet hours.
func (r Recipient) now() bool { return r.Until.IsZero() }

// Why a notification is closed without being sent: its last_error, if it belongs to no message.
const (
	noTarget  = "not sent: no rule of the services file sends it to a target"
	overtaken = "not sent: notification %d says what came next"
	overNow   = "not sent: the service is well again"
)

// unsorted is a notification that belongs to no message yet, and that no silence holds back.
type unsorted struct {
	store.Notification
	to []Recipient
}

// plan returns which notifications to send as one message, and which not to send, and why. What the quiet hours of all
// its targets hold back waits. Of what is said of one incident at once only the last word is sent, if it goes to all
// targets of the others.
func (o Outbox) plan() (messages [][]int64, unsent map[int64]string) {
	var all, going []unsorted
	last := map[int64]unsorted{} // by incident
	for _, n := range o.Pending {
		if n.MessageID != nil || o.Held(n) != nil {
			continue
		}
		u := unsorted{n, o.recipients(n)}
		all = append(all, u)
		if replaceable(n) && slices.ContainsFunc(u.to, Recipient.now) {
			last[*n.IncidentID] = u
		}
	}
	unsent = map[int64]string{}
	for _, u := range all {
		var next unsorted
		if replaceable(u.Notification) {
			next = last[*u.IncidentID]
		}
		missed := func(r Recipient) bool {
			return !slices.ContainsFunc(next.to, func(other Recipient) bool { return other.Hash == r.Hash })
		}
		switch {
		case len(u.to) == 0:
			unsent[u.ID] = noTarget
		case o.over(u.Notification):
			unsent[u.ID] = overNow
		case next.ID > u.ID && !slices.ContainsFunc(u.to, missed):
			unsent[u.ID] = fmt.Sprintf(overtaken, next.ID)
		case slices.ContainsFunc(u.to, Recipient.now):
			going = append(going, u)
		}
	}
	return together(going), unsent
}

// together groups notifications, in their order, into messages: those of a kind that go to the same targets at the same
// times, as long as news about a service stay in order. Some kinds are never grouped.
func together(all []unsorted) (messages [][]int64) {
	open := map[string]int{}   // the last message of each kind and way
	latest := map[string]int{} // the last message about each service
	for _, u := range all {
		way := fmt.Sprint(u.Kind, u.to)
		i, begun := open[way]
		if !begun || alone(u.Kind) || u.Service != "" && latest[u.Service] > i {
			i = len(messages)
			messages = append(messages, nil)
		}
		messages[i] = append(messages[i], u.ID)
		open[way], latest[u.Service] = i, i
	}
	return messages
}

// complete returns the messages that all targets have that are to get them by the rules of now.
func (o Outbox) complete() (ids []int64) {
	for _, group := range o.messages() {
		lead := group[0]
		lacks := func(r Recipient) bool { return !o.had[delivery{lead.ID, r.Hash}] }
		if !slices.ContainsFunc(o.recipients(lead), lacks) {
			ids = append(ids, lead.ID)
		}
	}
	return ids
}

// queue returns the messages that a target is to be sent now, in order.
func (o Outbox) queue(target Target) (queue [][]store.Notification) {
	for _, group := range o.messages() {
		lead := group[0]
		if o.had[delivery{lead.ID, target.Hash}] || !isDue(lead.NextAttemptAt, o.now) || o.held(group) {
			continue
		}
		if slices.Contains(o.recipients(lead), Recipient{Target: target}) {
			queue = append(queue, group)
		}
	}
	return queue
}

// Late returns the oldest notification that some target should have by now: one that no silence, pause or quiet hours
// hold back; nil if there is none.
func (o Outbox) Late() *store.Notification {
	for _, n := range o.Pending {
		lacks := func(r Recipient) bool {
			return r.now() && (n.MessageID == nil || !o.had[delivery{*n.MessageID, r.Hash}])
		}
		if o.Held(n) == nil && slices.ContainsFunc(o.recipients(n), lacks) {
			return &n
		}
	}
	return nil
}

// Waiting counts the messages that some target has not received. What is not grouped yet counts by itself.
func (o Outbox) Waiting() int {
	n := len(o.messages())
	for _, p := range o.Pending {
		if p.MessageID == nil {
			n++
		}
	}
	return n
}
