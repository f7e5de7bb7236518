package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/books"
	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/store"
)

func (a *app) notifyCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "notify",
		Short: "Send people a message, or a test; list what was sent and what waits",
		Long: `notify --title TEXT --body TEXT puts a message into the outbox and sends it, to every target that CLAUDEOPS_APPRISE_URLS or
CLAUDEOPS_APPRISE_KEY names. What does not reach a target is sent by the next cycles: exit 1 says so. The message of an agent is
sent when its cycle ends; it may write three in a session.

notify --test sends a test message to each target and says of each whether it came through. It needs no state directory.`,
		Args: takes(),
	}
	m := notify.Message{}
	c.Flags().StringVar(&m.Title, "title", "", "the message's title, one line of `TEXT`")
	c.Flags().StringVar(&m.Body, "body", "", "its `TEXT`; - is standard input")
	kind := words(notify.Info, notify.Success, notify.Warning, notify.Failure)
	kind.word = string(notify.Info)
	c.Flags().Var(kind, "type", "what `NEWS` it is: info, success, warning or failure")
	service := c.Flags().String("service", "", "the service of this `NAME` that it is about")
	test := c.Flags().Bool("test", false, "send a test message, and nothing else")
	c.MarkFlagsMutuallyExclusive("test", "title")
	c.MarkFlagsMutuallyExclusive("test", "body")
	c.RunE = func(c *cobra.Command, _ []string) error {
		m.Type = notify.Type(kind.word)
		if *test {
			return a.testTargets(c.Context())
		}
		return a.notify(c, m, *service)
	}
	db := databaseFlag(c)
	c.AddCommand(a.notifyListCommand(db), a.notifyShowCommand(db))
	return c
}

// courier brings messages to the targets that are configured; nil where there is none, or this program sends nothing.
func (a *app) courier(l *loaded) notify.Courier {
	if a.Notify == nil || !l.config.Notifies() {
		return nil
	}
	c := l.config
	return a.Notify(notify.Settings{
		URLs: c.AppriseURLs, APIURL: c.AppriseAPIURL, Key: c.AppriseKey, Tags: c.AppriseTags,
		Environ: l.environment.Environ(), Version: VersionName(),
	})
}

// needCourier is courier for a command that is useless without a target.
func (a *app) needCourier(l *loaded) (notify.Courier, error) {
	if courier := a.courier(l); courier != nil {
		return courier, nil
	}
	return nil, &exitError{exitUsage, errors.New("there is nobody to tell: name targets in CLAUDEOPS_APPRISE_URLS, like ntfy://ntfy.sh/topic, or a configuration on an Apprise API server in CLAUDEOPS_APPRISE_API_URL and CLAUDEOPS_APPRISE_KEY")}
}

func (a *app) testTargets(ctx context.Context) error {
	l, err := a.load()
	if err != nil {
		return err
	}
	if l.config.Agent != (config.Agent{}) {
		return errors.New("notify --test is for operators")
	}
	courier, err := a.needCourier(l)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, l.config.NotifyTimeout)
	defer cancel()
	b := books.Books{Config: l.config, Redactor: l.redactor, Now: a.Now}
	results := b.Delivery(courier).Test(ctx)
	failed := 0
	rows := make([]tried, len(results))
	for i, r := range results {
		rows[i] = tried{Target: r.Target, Sent: r.Err == nil}
		if r.Err != nil {
			rows[i].Error = r.Err.Error()
			failed++
		}
	}
	if err := a.writeTried(rows); err != nil {
		return err
	}
	if failed > 0 {
		return &exitError{code: exitFault}
	}
	return nil
}

// tried is what came of a test message to one target.
type tried struct {
	Target string `json:"target"`
	Sent   bool   `json:"sent"`
	Error  string `json:"error,omitempty"`
}

func (a *app) writeTried(rows []tried) error {
	if a.json {
		return a.printJSON(emptyNotNull(rows))
	}
	return a.printTable([]string{"", "TARGET", "RESULT"}, func(row func(...string)) {
		for _, r := range rows {
			if r.Sent {
				row("ok", r.Target, "sent")
			} else {
				row("fail", r.Target, r.Error)
			}
		}
	})
}

func (a *app) notify(c *cobra.Command, m notify.Message, service string) error {
	switch {
	case strings.TrimSpace(m.Title) == "":
		return &exitError{exitUsage, usageError(c, errors.New("missing: --title TEXT, and --body TEXT where there is more to say"))}
	case m.Body == "-":
		text, err := a.readInput(books.MaxMessage)
		if err != nil {
			return err
		}
		m.Body = string(text)
	}
	l, err := a.load()
	if err != nil {
		return err
	}
	inv, err := readInventory(l.config)
	if err != nil {
		return err
	}
	return a.withBooks(c, store.ReadWrite, func(b *books.Books) error {
		b.Inventory = inv
		return a.queueAndSend(c.Context(), l, b, m, service)
	})
}

// queueAndSend leaves an agent's message to the end of its cycle: an agent has no targets.
func (a *app) queueAndSend(ctx context.Context, l *loaded, b *books.Books, m notify.Message, service string) error {
	var courier notify.Courier
	if !b.InSession() {
		var err error
		if courier, err = a.needCourier(l); err != nil {
			return err
		}
	}
	if service != "" {
		service = b.Inventory.NameOf(service)
	}
	id, err := b.Message(ctx, m, service)
	if err != nil {
		return err
	}
	if courier == nil {
		return a.print(fmt.Sprintf("message %d is queued: it is sent when this cycle ends\n", id))
	}
	return a.sendNow(ctx, b, courier, id)
}

// whileBusy is how often to ask again whether another process has ended delivering.
const whileBusy = 100 * time.Millisecond

// sendNow delivers what waits, this message among it.
func (a *app) sendNow(ctx context.Context, b *books.Books, courier notify.Courier, id int64) error {
	limited, cancel := context.WithTimeout(ctx, b.Config.NotifyTimeout)
	defer cancel()
	delivery := b.Delivery(courier)
	report, err := delivery.Run(limited)
	for err == nil && report.Busy && limited.Err() == nil {
		select {
		case <-limited.Done():
		case <-time.After(whileBusy):
			report, err = delivery.Run(limited)
		}
	}
	if err != nil {
		return err
	}
	sent, err := b.Store.Notification(context.WithoutCancel(ctx), id)
	if err != nil {
		return err
	}
	if sent.DeliveredAt != nil {
		return a.print(fmt.Sprintf("message %d is sent\n", id))
	}
	lines := []string{fmt.Sprintf("message %d waits, and the next cycles send it:", id)}
	for _, f := range report.Failures {
		lines = append(lines, f.Target+": "+f.Reason)
	}
	if len(report.Failures) == 0 {
		lines[0] = fmt.Sprintf("message %d waits, and the next cycles send it: see `claudeops notify list --waiting` and `claudeops silence list`", id)
	}
	return errors.New(strings.Join(lines, "\n"))
}
