package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/internal/flags"
	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/store"
)

func init() { addCommand((*app).notifyCommand) }

func (a *app) notifyCommand() *cobra.Command {
	m := notify.Message{}
	var service string
	var test bool
	c := &cobra.Command{
		Use:   "notify",
		Short: "Send people a message, or a test; list what was sent and what waits",
		Long: `notify --title TEXT --body TEXT sends a message to every target that CLAUDEOPS_APPRISE_URLS or CLAUDEOPS_APPRISE_KEY names. Where it
does not reach a target, notify exits with 1 and says why, and the next cycles try again. During a pause the message waits for its end.
Where the database cannot store it, it is sent once. Agents are refused.

notify --test sends a test message and says of each target whether it took it. It needs no state directory.

notify without flags lists messages, as notify list does.`,
		Example: "  claudeops notify --test\n" +
			"  claudeops notify --title 'shop is deployed' --body 'version 1.2.3' --type success --service shop\n" +
			"  df -h | claudeops notify --title 'The disk of web-1 is full' --body - --type warning",
	}
	messageFlags := []string{"title", "body", "type", "service"}
	given := func() bool { return slices.ContainsFunc(messageFlags, c.Flags().Changed) }
	c.Args = func(*cobra.Command, []string) error {
		switch {
		case test && given():
			return errors.New("--test goes alone")
		case test || !given():
			return nil
		case strings.TrimSpace(m.Title) == "":
			return errors.New("missing: --title TEXT, and --body TEXT where there is more to say")
		}
		return m.Fault()
	}
	list := a.notifyListCommand()
	c.Flags().StringVar(&m.Title, "title", "", "the message's title, one line of `TEXT`")
	c.Flags().StringVar(&m.Body, "body", "", "its `TEXT`; - is standard input")
	flags.Var(c.Flags(), &m.Type, "type", string(store.InfoMessage), "its `TYPE`, by which services choose colours: info, success, warning or failure",
		flags.OneOf(store.InfoMessage, store.SuccessMessage, store.WarningMessage, store.FailureMessage))
	c.Flags().StringVar(&service, "service", "", "the service of this `NAME` that it is about")
	c.Flags().BoolVar(&test, "test", false, "send a test message, and nothing else")
	c.RunE = func(c *cobra.Command, args []string) error {
		switch {
		case test:
			return a.configured(a.testTargets)(c, args)
		case given():
			return a.configured(func(ctx context.Context, l *loaded, _ []string) error { return a.notify(ctx, l, m, service) })(c, args)
		}
		return list.RunE(c, args)
	}
	c.AddCommand(list, a.notifyShowCommand())
	return c
}

// courier returns the courier for the configured targets; nil if there are none.
func (a *app) courier(l *loaded) notify.Courier {
	c := l.config
	switch {
	case !c.Notifies():
		return nil
	case a.Courier != nil:
		return a.Courier
	}
	settings := notify.SettingsOf(c)
	settings.Environ, settings.Version = l.environment.Environ(), VersionName()
	return notify.New(settings)
}

// needCourier is courier for a command that needs a target.
func (a *app) needCourier(l *loaded) (notify.Courier, error) {
	if courier := a.courier(l); courier != nil {
		return courier, nil
	}
	return nil, &exitError{exitUsage, errors.New("no target for messages is configured: name some in CLAUDEOPS_APPRISE_URLS, like ntfy://ntfy.sh/topic, or a configuration on an Apprise API server in CLAUDEOPS_APPRISE_API_URL and CLAUDEOPS_APPRISE_KEY")}
}

func (a *app) testTargets(ctx context.Context, l *loaded, _ []string) error {
	if ofSession(l.config) {
		return errors.New("notify --test is for operators")
	}
	return a.sendDirectly(ctx, l, testMessage)
}

// testMessage shows people how messages arrive.
var testMessage = notify.Message{
	Type: store.InfoMessage, Title: "claudeops: test message", Body: "This is how messages will arrive here. Nothing has happened, and nothing is to be done.",
}

// tested is a target's result for a message sent without the outbox.
type tested struct {
	Target string `json:"target"`
	Sent   bool   `json:"sent"`
	Error  string `json:"error,omitempty"`
}

// sendDirectly sends a message to each target without the outbox, and prints each result.
func (a *app) sendDirectly(ctx context.Context, l *loaded, m notify.Message) error {
	courier, err := a.needCourier(l)
	if err != nil {
		return err
	}
	var rows []tested
	for _, r := range a.direct(ctx, l, courier, m) {
		row := tested{Target: r.Target, Sent: r.Err == nil}
		if r.Err != nil {
			row.Error = r.Err.Error()
		}
		rows = append(rows, row)
	}
	err = show(a, rows, "", []string{"", "TARGET", "RESULT"}, func(r tested) []string {
		if r.Sent {
			return []string{"ok", r.Target, "sent"}
		}
		return []string{"fail", r.Target, r.Error}
	})
	return cmp.Or(err, failUnless(!slices.ContainsFunc(rows, func(r tested) bool { return !r.Sent })))
}

// notify sends a message through the outbox, or without it if the database cannot be used, because sending must not depend on that.
func (a *app) notify(ctx context.Context, l *loaded, m notify.Message, service string) error {
	if ofSession(l.config) {
		return errors.New("notify is for operators: an agent asks a human by its tool ask_human")
	}
	if m.Body == "-" {
		text, err := a.readInput(notify.MaxMessage)
		if err != nil {
			return err
		}
		m.Body = string(text)
	}
	if fault := m.Fault(); fault != nil {
		return fault
	}
	m.Title, m.Body = strings.TrimSpace(m.Title), strings.TrimSpace(m.Body)
	inv, err := readInventory(l.config)
	if err != nil && service != "" {
		return err
	} else if err != nil {
		l.log.Warn("the message goes to every target: " + err.Error())
	}
	b, err := a.records(ctx, l, store.ReadWrite)
	if err == nil {
		b.Inventory = inv
		err = errors.Join(a.queueAndSend(ctx, l, b, m, service), b.Close())
		if fault := (*store.Error)(nil); !errors.As(err, &fault) {
			return err
		}
	}
	if ctx.Err() != nil {
		return err
	}
	if a.courier(l) != nil {
		l.log.Warn("the message is sent without the outbox, and only once: " + err.Error())
		err = nil
	}
	m.Title, m.Body = l.redactor.String(m.Title), l.redactor.String(m.Body)
	return errors.Join(err, a.sendDirectly(ctx, l, m))
}

// direct sends a message to each target without the outbox.
func (a *app) direct(ctx context.Context, l *loaded, courier notify.Courier, m notify.Message) []notify.Direct {
	limited, cancel := context.WithTimeout(ctx, l.config.NotifyTimeout)
	defer cancel()
	return notify.NewDelivery(l.config, nil, nil, courier, l.redactor.String, a.Now).SendDirectly(limited, m)
}

// sentMessage is the output of `notify --json`.
type sentMessage struct {
	ID        int64       `json:"id"`
	Delivered bool        `json:"delivered"` // to every target
	Held      string      `json:"held,omitempty"`
	Targets   []recipient `json:"targets"`
}

// queueAndSend queues a message, and delivers.
func (a *app) queueAndSend(ctx context.Context, l *loaded, b *ledger.Records, m notify.Message, service string) error {
	courier, err := a.needCourier(l)
	if err != nil {
		return err
	}
	if service != "" {
		if service, err = knownService(ctx, b, service); err != nil {
			return err
		}
	}
	id, err := notify.Queue(ctx, b.Store, store.Notification{
		Kind: store.Message, Type: m.Type, Service: service, CreatedAt: a.Now(),
		Title: b.Redactor.String(m.Title), Body: b.Redactor.String(m.Body),
	})
	if err != nil {
		return err
	}
	return a.sendNow(ctx, b, courier, id)
}

// sendNow delivers pending messages including this one, and prints the result of this one. Exit 1 means that some target has not received
// it.
func (a *app) sendNow(ctx context.Context, b *ledger.Records, courier notify.Courier, id int64) error {
	limited, cancel := context.WithTimeout(ctx, b.Config.NotifyTimeout)
	defer cancel()
	delivery := notify.NewDelivery(b.Config, b.Inventory, b.Store, courier, b.Redactor.String, a.Now)
	report, err := delivery.Run(limited)
	if err != nil {
		return err
	}
	n, err := b.Store.Notification(ctx, id)
	if err != nil {
		return err
	}
	routing := notify.Routing{Targets: courier.Targets(), Rules: delivery.Rules}
	all, err := a.addresses(ctx, b.Store, routing, []store.Notification{n})
	if err != nil {
		return err
	}
	sent := all[0]
	switch delivered := sent.DeliveredAt != nil; {
	case a.json:
		return cmp.Or(a.printJSON(sentMessage{ID: id, Delivered: delivered, Held: sent.Held, Targets: sent.Targets}), failUnless(delivered))
	case unsent(sent) != "":
		return fmt.Errorf("message %d is %s", id, unsent(sent))
	case delivered:
		return a.print(fmt.Sprintf("message %d is sent\n", id))
	case sent.Held != "":
		return fmt.Errorf("message %d waits for the end of %s, %s", id, sent.Held, a.local(sent.until))
	case report.Busy:
		return fmt.Errorf("message %d waits, and the next cycles send it: another process was delivering all the time", id)
	}
	return fmt.Errorf("message %d waits, and the next cycles send it:\n%s", id, strings.Join(a.recipientLines(sent), "\n"))
}
