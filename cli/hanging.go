package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/crontab"
	"github.com/claudeops/claudeops/internal/statedir"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/store"
)

// hangTime is how much longer than its limits a cycle may run before it counts as hanging: the time after which cron kills it.
const hangTime = 5 * time.Minute

// hangs returns why the holder of the cycle lock counts as hanging; empty if it does not, or if by is zero.
func (a *app) hangs(c config.Config, by statedir.Holder) string {
	limit, age := crontab.LongestWithAllTiers(c), by.Age(a.Now())
	if age <= limit+hangTime {
		return ""
	}
	return fmt.Sprintf("a cycle, %s, runs for %s, and its limits together are %s", by, text.Duration(age), text.Duration(limit))
}

// notifyHanging sends a message about a hanging cycle, once in 24 h, and delivers the rest of the outbox, because no cycle does. Errors
// are only logged: the exit code is about the lock. Without an outbox, every call sends the message, because nothing records it.
func (a *app) notifyHanging(ctx context.Context, l *loaded, by statedir.Holder, why string) {
	n := notify.CycleHangs(by, why).Notification(fmt.Sprintf("%s%d", records.CycleHangs, by.PID), l.redactor.String, a.Now())
	courier := a.courier(l)
	delivered, err := a.queueHanging(ctx, l, n, courier)
	if err != nil {
		l.log.Error("send the message about the cycle that hangs: " + err.Error())
	}
	if delivered || courier == nil || ctx.Err() != nil {
		return
	}
	for _, r := range a.direct(ctx, l, courier, notify.Message{Type: n.Type, Title: n.Title, Body: n.Body}) {
		if r.Err != nil {
			l.log.Error(fmt.Sprintf("send %s the message about the cycle that hangs: %v", r.Target, r.Err))
		}
	}
}

// queueHanging queues the message, unless it was sent before, and delivers. done is false if the outbox cannot be used: the database is
// faulty, or the cycle stopped while it was delivering.
func (a *app) queueHanging(ctx context.Context, l *loaded, n store.Notification, courier notify.Courier) (done bool, err error) {
	b, err := records.Open(ctx, l.config, l.redactor, a.Now, store.ReadWrite)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	b.Inventory, _ = readInventory(l.config) // for its rules; without them every target gets the message
	queued := false
	err = b.Together(ctx, func() error {
		if queued, err = b.Store.QueueNotification(ctx, n); err != nil || !queued {
			return err
		}
		return b.Store.AddEvent(ctx, store.Event{Level: store.Critical, Message: n.Title, CreatedAt: n.CreatedAt})
	})
	if err != nil || courier == nil {
		return err == nil, err
	}
	limited, cancel := context.WithTimeout(ctx, l.config.NotifyTimeout)
	defer cancel()
	report, err := b.Delivery(courier).Run(limited)
	return err == nil && !(report.Busy && queued), err
}
