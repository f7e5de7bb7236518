package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/store"
)

// recipient is a target, and whether it has a message.
type recipient struct {
	Target       string     `json:"target"`
	DeliveredAt  *time.Time `json:"delivered_at"`
	RetryAt      *time.Time `json:"retry_at"` // it is left alone until then; nil: the next cycle tries it
	Error        string     `json:"error"`    // of the last attempt; empty where it has the message, and before the first
	unconfigured bool       // it is not configured, and its having the message says nothing of the others
}

// addressed is a notification with those whom it is for.
type addressed struct {
	store.Notification
	Targets []recipient `json:"targets"`
	Held    string      `json:"held,omitempty"` // the pause or silence for whose end it waits
	until   time.Time   // of that
}

// addresses says of notifications who has them and who not. Names are those of the targets that are configured here.
func (a *app) addresses(ctx context.Context, s *store.Store, targets []notify.Target, all []store.Notification) ([]addressed, error) {
	now := a.Now()
	var ids, messages []int64
	for _, n := range all {
		ids = append(ids, n.ID)
		if n.MessageID != nil {
			messages = append(messages, *n.MessageID)
		}
	}
	got, err := s.Deliveries(ctx, messages)
	if err != nil {
		return nil, err
	}
	failing, err := s.FailingTargets(ctx)
	if err != nil {
		return nil, err
	}
	held, err := s.HeldBack(ctx, ids, now)
	if err != nil {
		return nil, err
	}
	silences, err := s.ActiveSilences(ctx, now)
	if err != nil {
		return nil, err
	}
	list := make([]addressed, len(all))
	for i, n := range all {
		list[i] = addressed{Notification: n, Targets: recipients(n, targets, got, failing, now)}
		if slices.Contains(held, n.ID) {
			list[i].Held, list[i].until = holds(n, silences)
		}
	}
	return list, nil
}

// recipients are first those that are configured, in their order. One that came after a message was delivered has nothing to do with it.
func recipients(n store.Notification, targets []notify.Target, got []store.Delivery, failing []store.FailingTarget, now time.Time) []recipient {
	has := map[string]*time.Time{}
	var others []recipient
	for _, d := range got {
		if n.MessageID == nil || d.Message != *n.MessageID {
			continue
		}
		has[d.Target] = &d.DeliveredAt
		if !slices.ContainsFunc(targets, func(t notify.Target) bool { return t.Hash == d.Target }) {
			others = append(others, recipient{Target: unconfiguredName(d.Target, len(targets), failing), DeliveredAt: &d.DeliveredAt, unconfigured: true})
		}
	}
	list := []recipient{}
	for _, t := range targets {
		switch at := has[t.Hash]; {
		case at != nil:
			list = append(list, recipient{Target: t.Name, DeliveredAt: at})
		case n.DeliveredAt == nil:
			list = append(list, waits(n, t, failing, now))
		}
	}
	return append(list, others...)
}

// unconfiguredName is the name of a target that is not configured here, where configured ones are.
func unconfiguredName(hash string, configured int, failing []store.FailingTarget) string {
	for _, f := range failing {
		if f.Hash == hash {
			return f.Name
		}
	}
	if configured == 0 {
		return "a target that is not configured here"
	}
	return "a target that is not configured any more"
}

// waits is why a target has not got a message: because it fails, or because it refused this one.
func waits(n store.Notification, t notify.Target, failing []store.FailingTarget, now time.Time) recipient {
	r := recipient{Target: t.Name}
	later := func(at time.Time) {
		if at.After(now) && !at.After(now.Add(store.MaxRetry)) && (r.RetryAt == nil || at.After(*r.RetryAt)) {
			r.RetryAt = &at
		}
	}
	later(n.NextAttemptAt)
	if refusal, own := strings.CutPrefix(n.LastError, t.Name+": "); own {
		r.Error = refusal
	}
	for _, f := range failing {
		if f.Hash == t.Hash {
			r.Error = f.LastError
			later(f.RetryAt)
		}
	}
	return r
}

// holds is what holds a notification back, and until when: a pause of everything, or else the silence of its service.
func holds(n store.Notification, active []store.Silence) (what string, until time.Time) {
	for _, s := range active {
		switch s.Service {
		case "":
			return "the pause", s.Until
		case n.Service:
			what, until = "the silence of "+s.Service, s.Until
		}
	}
	return what, until
}

// delivered is when every target had a message, or what it waits for, in short.
func (a *app) delivered(n addressed) string {
	const most = 48 // characters of a reason in a table
	switch {
	case n.DeliveredAt != nil:
		return a.local(*n.DeliveredAt)
	case n.Held != "":
		return "waits for the end of " + n.Held
	}
	have, all, why := 0, 0, ""
	for _, r := range n.Targets {
		if r.unconfigured {
			continue
		}
		all++
		switch {
		case r.DeliveredAt != nil:
			have++
		case why == "":
			why = r.Error
		}
	}
	progress := fmt.Sprintf("%d of %d", have, all)
	if why != "" {
		progress += ": " + text.Shorten(why, most)
	}
	if all == 0 {
		return "waits"
	}
	return progress
}

// recipientLines are "ok json://example.com, WHEN" and "waits ntfy://ntfy.sh, next try after WHEN: WHY".
func (a *app) recipientLines(n addressed) (lines []string) {
	for _, r := range n.Targets {
		line := "waits      " + r.Target
		switch {
		case r.DeliveredAt != nil:
			line = "ok         " + r.Target + ", " + a.local(*r.DeliveredAt)
		case r.RetryAt != nil && n.Held == "":
			line += ", next try after " + a.local(*r.RetryAt)
		case n.Held == "":
			line += ", next try with the next cycle"
		}
		if r.Error != "" {
			line += ": " + r.Error
		}
		lines = append(lines, line)
	}
	return lines
}
