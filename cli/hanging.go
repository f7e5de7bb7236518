package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/crontab"
	"github.com/claudeops/claudeops/internal/statedir"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/notify"
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

// notifyHanging sends a message about a hanging cycle. Without an outbox, every call sends it, because nothing records it.
func (a *app) notifyHanging(ctx context.Context, l *loaded, by statedir.Holder, why string) {
	n := notify.CycleHangs(by, why).Notification(l.redactor.String, a.Now())
	a.tellAtOnce(ctx, l, n, "")
}

// notStarted tells people why the set-up does not start, if they can be reached, and returns err.
func (a *app) notStarted(ctx context.Context, l *loaded, err error) error {
	if invalid := (*config.InvalidError)(nil); errors.As(err, &invalid) {
		l = &loaded{invalid.Rest, l.environment, l.redactor, l.log}
	}
	if a.courier(l) != nil && l.config.Agent == (config.Agent{}) {
		why, rest, _ := strings.Cut(err.Error(), "\n")
		if strings.HasSuffix(why, ":") {
			why += " " + text.FirstLine(rest)
		}
		n := notify.NotStarted(why).Notification(l.redactor.String, a.Now())
		mark := fmt.Sprintf("claudeops-%d-not-started-%s", os.Getuid(), a.Now().Format(time.DateOnly))
		a.tellAtOnce(ctx, l, n, filepath.Join(os.TempDir(), mark))
	}
	return err
}

// tellAtOnce sends a message, once in 24 h, and delivers the rest of the outbox, because no cycle does. Errors are only logged: the exit
// code is about what the message says. Without an outbox it is sent unless there is the file mark, which is made when a target took it.
func (a *app) tellAtOnce(ctx context.Context, l *loaded, n store.Notification, mark string) {
	courier := a.courier(l)
	delivered, err := a.queueAtOnce(ctx, l, n, courier)
	if err != nil {
		l.log.Error(fmt.Sprintf("send the message %q: %v", n.Title, err))
	}
	if delivered || courier == nil || ctx.Err() != nil || isOurs(mark) {
		return
	}
	sent := false
	for _, r := range a.direct(ctx, l, courier, notify.Message{Type: n.Type, Title: n.Title, Body: n.Body}) {
		if r.Err != nil {
			l.log.Error(fmt.Sprintf("send %s the message %q: %v", r.Target, n.Title, r.Err))
		}
		sent = sent || r.Err == nil
	}
	if !sent || mark == "" {
		return
	}
	f, err := os.OpenFile(mark, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		l.log.Error(fmt.Sprintf("note that the message %q was sent: %v", n.Title, err))
	}
}

// isOurs reports whether a file exists and is this user's: in a folder that others write, too, they may have made it.
func isOurs(path string) bool {
	var is unix.Stat_t
	return unix.Lstat(path, &is) == nil && int(is.Uid) == os.Getuid()
}

// queueAtOnce queues the message, unless it was sent before, and delivers. done is false if the outbox cannot be used: the database is
// faulty, or a cycle stopped while it was delivering.
func (a *app) queueAtOnce(ctx context.Context, l *loaded, n store.Notification, courier notify.Courier) (done bool, err error) {
	b, err := ledger.Open(ctx, l.config, l.redactor, a.Now, store.ReadWrite)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	b.Inventory, _ = readInventory(l.config) // for its rules; without them every target gets the message
	var id int64
	err = b.Together(ctx, func() error {
		if id, err = notify.Queue(ctx, b.Store, n); err != nil || id == 0 {
			return err
		}
		return b.Store.AddEvent(ctx, store.Event{Level: store.Critical, Message: n.Title, CreatedAt: n.CreatedAt})
	})
	if err != nil || courier == nil {
		return err == nil, err
	}
	limited, cancel := context.WithTimeout(ctx, l.config.NotifyTimeout)
	defer cancel()
	report, err := notify.NewDelivery(b.Config, b.Inventory, b.Store, courier, l.redactor.String, a.Now).Run(limited)
	return err == nil && !(report.Busy && id != 0), err
}
