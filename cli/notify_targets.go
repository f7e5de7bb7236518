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

// recipient is a target and its delivery state for a message.
type recipient struct {
	Target       string     `json:"target"`
	DeliveredAt  *time.Time `json:"delivered_at"`
	QuietUntil   *time.Time `json:"quiet_until,omitempty"` // end of the quiet hours that hold the message back
	RetryAt      *time.Time `json:"retry_at"`              // not tried again before; nil: the next cycle tries it
	Error        string     `json:"error"`                 // of the last attempt; empty if delivered, and before the first attempt
	unconfigured bool       // no longer configured; its delivery says nothing about the others
}

// addressed is a notification with its recipients.
type addressed struct {
	store.Notification
	Targets []recipient `json:"targets"`
	Held    string      `json:"held,omitempty"` // the pause or silence that holds it back
	until   time.Time   // end of that
}

// addresses adds the delivery state of each recipient to notifications, with the names of the targets configured here.
func (a *app) addresses(ctx context.Context, s *store.Store, routing notify.Routing, all []store.Notification) ([]addressed, error) {
	now := a.Now()
	var messages []int64
	for _, n := range all {
		if n.MessageID != nil {
			messages = append(messages, *n.MessageID)
		}
	}
	got, err := s.Deliveries(ctx, messages)
	if err != nil {
		return nil, err
	}
	box, err := routing.Outbox(ctx, s, now)
	if err != nil {
		return nil, err
	}
	list := make([]addressed, len(all))
	for i, n := range all {
		list[i] = addressed{Notification: n, Targets: recipients(n, routing, got, box.Failing, now)}
		if by := box.Held(n); n.DeliveredAt == nil && by != nil {
			list[i].Held, list[i].until = "the pause", by.Until
			if by.Service != "" {
				list[i].Held = "the silence of " + by.Service
			}
		}
	}
	return list, nil
}

// recipients returns the recipients, configured ones first and in order. A target that was added after the delivery is left out.
func recipients(n store.Notification, routing notify.Routing, got []store.Delivery, failing []store.FailingTarget, now time.Time) []recipient {
	targets := routing.Targets
	has := map[string]*time.Time{}
	var others []recipient
	for _, d := range got {
		if n.MessageID == nil || d.Message != *n.MessageID {
			continue
		}
		has[d.Target] = &d.DeliveredAt
		if !slices.ContainsFunc(targets, func(t notify.Target) bool { return t.Hash == d.Target }) {
			others = append(others, recipient{
				Target: "a target that is not configured here", DeliveredAt: &d.DeliveredAt, unconfigured: true,
			})
		}
	}
	list := []recipient{}
	to := routing.Recipients(n.Kind, n.Type, n.Service, now)
	for _, t := range targets {
		if at := has[t.Hash]; at != nil {
			list = append(list, recipient{Target: t.Name, DeliveredAt: at})
			continue
		}
		i := slices.IndexFunc(to, func(r notify.Recipient) bool { return r.Hash == t.Hash })
		if n.DeliveredAt != nil || i < 0 {
			continue
		}
		r := waits(n, t, failing, now)
		if until := to[i].Until; !until.IsZero() {
			r.QuietUntil = &until
		}
		list = append(list, r)
	}
	return append(list, others...)
}

// waits returns why a target has not received a message: it fails, or it rejected this message.
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

// delivered briefly describes when every target had received a message, or what it waits for.
func (a *app) delivered(n addressed) string {
	const most = 48 // characters of a reason in a table
	switch {
	case unsent(n) != "":
		return text.Shorten(unsent(n), most)
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
		case why == "" && r.QuietUntil != nil:
			why = "quiet hours until " + a.local(*r.QuietUntil)
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

// unsent returns why a notification was closed without being sent; empty if it was not.
func unsent(n addressed) string {
	if n.DeliveredAt != nil && n.MessageID == nil {
		return n.LastError
	}
	return ""
}

// recipientLines returns lines such as "ok json://example.com, WHEN" and "waits ntfy://ntfy.sh, next try after WHEN: WHY".
func (a *app) recipientLines(n addressed) (lines []string) {
	for _, r := range n.Targets {
		line := "waits      " + r.Target
		switch {
		case r.DeliveredAt != nil:
			line = "ok         " + r.Target + ", " + a.local(*r.DeliveredAt)
		case r.QuietUntil != nil:
			line += ", until the end of its quiet hours, " + a.local(*r.QuietUntil)
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
