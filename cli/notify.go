package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/records"
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
		Long: `notify --title TEXT --body TEXT puts a message into the outbox and sends it, to every target that CLAUDEOPS_APPRISE_URLS or
CLAUDEOPS_APPRISE_KEY names. What does not reach a target is sent by the next cycles: exit 1 says so, and why. While everything is
paused it waits for the end of that. Where the database cannot take it, it is sent at once and once. The message of an agent is sent when its cycle ends; it may write three in a session.

notify --test sends a test message to each target and says of each whether it came through. It needs no state directory.

notify alone lists, as notify list does.`,
		Example: "  " + a.program + " notify --test\n" +
			"  " + a.program + " notify --title 'shop is deployed' --body 'version 1.2.3' --type success --service shop\n" +
			"  df -h | " + a.program + " notify --title 'The disk of web-1 is full' --body - --type warning",
	}
	alone := func() bool { return !test && !anyGiven(c, messageFlags()) }
	c.Args = cobra.MatchAll(takes(), func(c *cobra.Command, _ []string) error {
		if alone() {
			return nil
		}
		return messageFault(c, test, m)
	})
	list := a.notifyListCommand()
	c.Flags().StringVar(&m.Title, "title", "", "the message's title, one line of `TEXT`")
	c.Flags().StringVar(&m.Body, "body", "", "its `TEXT`; - is standard input")
	kind := words(notify.Info, notify.Success, notify.Warning, notify.Failure)
	kind.word = string(notify.Info)
	c.Flags().Var(kind, "type", "its `TYPE`, by which services choose colours: info, success, warning or failure")
	c.Flags().StringVar(&service, "service", "", "the service of this `NAME` that it is about")
	c.Flags().BoolVar(&test, "test", false, "send a test message, and nothing else")
	c.RunE = func(c *cobra.Command, _ []string) error {
		m.Type = notify.Type(kind.word)
		if alone() {
			return list.RunE(c, nil)
		}
		if test {
			return a.testTargets(c.Context())
		}
		return a.notify(c, m, service)
	}
	c.AddCommand(list, a.notifyShowCommand())
	return c
}

func messageFlags() []string { return []string{"title", "body", "type", "service"} }

// messageFault is what is wrong with the command line for a message or a test.
func messageFault(c *cobra.Command, test bool, m notify.Message) error {
	if test {
		if anyGiven(c, messageFlags()) {
			return errors.New("--test goes alone")
		}
		return nil
	}
	if strings.TrimSpace(m.Title) == "" {
		return errors.New("missing: --title TEXT, and --body TEXT where there is more to say")
	}
	return records.MessageFault(m)
}

// courier brings messages to the configured targets; nil if there is none.
func (a *app) courier(l *loaded) notify.Courier {
	c := l.config
	switch {
	case !c.Notifies():
		return nil
	case a.Courier != nil:
		return a.Courier
	}
	return notify.New(notify.Settings{
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
	results := a.direct(ctx, l, courier, notify.Message{
		Type: notify.Info, Title: "claudeops: test message", Body: "This is how messages will arrive here. Nothing has happened, and nothing is to be done.",
	})
	if err := a.writeTried(triedOf(results)); err != nil {
		return err
	}
	return allTook(results)
}

// triedOf is what came of a message to each target.
func triedOf(results []notify.Direct) []tried {
	rows := make([]tried, len(results))
	for i, r := range results {
		rows[i] = tried{Target: r.Target, Sent: r.Err == nil}
		if r.Err != nil {
			rows[i].Error = r.Err.Error()
		}
	}
	return rows
}

// allTook is exit 1 where a target did not take a message.
func allTook(results []notify.Direct) error {
	if slices.ContainsFunc(results, func(r notify.Direct) bool { return r.Err != nil }) {
		return &exitError{code: exitFault}
	}
	return nil
}

// tried is what came of a message to one target.
type tried struct {
	Target string `json:"target"`
	Sent   bool   `json:"sent"`
	Error  string `json:"error,omitempty"`
}

func (a *app) writeTried(rows []tried) error {
	if a.json {
		return a.printJSON(rows)
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
	if m.Body == "-" {
		text, err := a.readInput(records.MaxMessage)
		if err != nil {
			return err
		}
		m.Body = string(text)
	}
	l, err := a.load()
	if err != nil {
		return err
	}
	var inv *inventory.Inventory
	if service != "" {
		if inv, err = readInventory(l.config); err != nil {
			return err
		}
	}
	b, err := a.records(c, store.ReadWrite)
	if err == nil {
		b.Inventory = inv
		err = errors.Join(a.queueAndSend(c.Context(), l, b, m, service), b.Close())
		if fault := (*store.Error)(nil); !errors.As(err, &fault) {
			return err
		}
	}
	if l.config.Agent != (config.Agent{}) || c.Context().Err() != nil {
		return err
	}
	return a.sendDirectly(c.Context(), l, m, err)
}

// sendDirectly sends a message that the outbox cannot take, for why: that a message goes out must not depend on the database.
func (a *app) sendDirectly(ctx context.Context, l *loaded, m notify.Message, why error) error {
	if err := records.MessageFault(m); err != nil {
		return err
	}
	courier, err := a.needCourier(l)
	if err != nil {
		return errors.Join(why, err)
	}
	l.log.Warn("the message is sent without the outbox, and only once: " + why.Error())
	m.Title, m.Body = l.redactor.String(strings.TrimSpace(m.Title)), l.redactor.String(m.Body)
	results := a.direct(ctx, l, courier, m)
	if err := a.writeTried(triedOf(results)); err != nil {
		return err
	}
	return allTook(results)
}

// direct sends a message to each target without the outbox.
func (a *app) direct(ctx context.Context, l *loaded, courier notify.Courier, m notify.Message) []notify.Direct {
	limited, cancel := context.WithTimeout(ctx, l.config.NotifyTimeout)
	defer cancel()
	return (&records.Records{Config: l.config, Redactor: l.redactor, Now: a.Now}).Delivery(courier).SendDirectly(limited, m)
}

// sentMessage is `notify --json`.
type sentMessage struct {
	ID        int64       `json:"id"`
	Delivered bool        `json:"delivered"` // to every target
	Held      string      `json:"held,omitempty"`
	Targets   []recipient `json:"targets"`
}

// queueAndSend leaves an agent's message to the end of its cycle: an agent has no targets.
func (a *app) queueAndSend(ctx context.Context, l *loaded, b *records.Records, m notify.Message, service string) error {
	var courier notify.Courier
	if !b.InSession() {
		below, err := belowAgent(ctx, b.Store)
		if below {
			err = errors.New("an agent's message is sent by its session: leave the CLAUDEOPS_ variables in the environment")
		}
		if err != nil {
			return err
		}
		if courier, err = a.needCourier(l); err != nil {
			return err
		}
	}
	service, err := a.serviceOf(ctx, b, service)
	if err != nil {
		return err
	}
	id, err := b.Message(ctx, m, service)
	switch {
	case err != nil:
		return err
	case courier != nil:
		return a.sendNow(ctx, b, courier, id)
	case a.json:
		return a.printJSON(sentMessage{ID: id, Targets: []recipient{}})
	}
	return a.print(fmt.Sprintf("message %d is queued: it is sent when this cycle ends\n", id))
}

// serviceOf is the service that a message is about, which must be known; what an agent has to say is not lost by a name that is not.
func (a *app) serviceOf(ctx context.Context, b *records.Records, name string) (string, error) {
	if name == "" || b.InSession() {
		return b.Inventory.NameOf(name), nil
	}
	return a.knownService(ctx, b, name)
}

// sendNow delivers what waits, this message among it, and says what came of this one. Exit 1 is that a target has yet to get it.
func (a *app) sendNow(ctx context.Context, b *records.Records, courier notify.Courier, id int64) error {
	limited, cancel := context.WithTimeout(ctx, b.Config.NotifyTimeout)
	defer cancel()
	before, err := b.Store.FailingTargets(ctx)
	if err != nil {
		return err
	}
	began := a.Now()
	report, err := b.Delivery(courier).Run(limited)
	if err != nil {
		return err
	}
	keep := context.WithoutCancel(ctx)
	n, err := b.Store.Notification(keep, id)
	if err != nil {
		return err
	}
	all, err := a.addresses(keep, b.Store, courier.Targets(), []store.Notification{n})
	if err != nil {
		return err
	}
	sent := all[0]
	switch delivered := sent.DeliveredAt != nil; {
	case a.json:
		err := a.printJSON(sentMessage{ID: id, Delivered: delivered, Held: sent.Held, Targets: sent.Targets})
		if err == nil && !delivered {
			err = &exitError{code: exitFault}
		}
		return err
	case delivered:
		return a.print(fmt.Sprintf("message %d is sent\n", id))
	case sent.Held != "":
		return fmt.Errorf("message %d waits for the end of %s, %s", id, sent.Held, a.local(sent.until))
	case report.Busy:
		return fmt.Errorf("message %d waits, and the next cycles send it: another process was delivering all the time", id)
	}
	rested := map[string]bool{} // those that were not tried
	for _, f := range before {
		rested[f.Name] = f.RetryAt.After(began)
	}
	lines := []string{fmt.Sprintf("message %d waits, and the next cycles send it:", id)}
	for _, r := range sent.Targets {
		lines = append(lines, a.whyNotSent(r, rested[r.Target]))
	}
	return errors.New(strings.Join(lines, "\n"))
}

// whyNotSent says what a target has to do with a message that is not delivered; rested is that it was left alone this time.
func (a *app) whyNotSent(r recipient, rested bool) string {
	switch {
	case r.DeliveredAt != nil:
		return r.Target + " has it"
	case r.RetryAt == nil && r.Error == "":
		return r.Target + " has yet to get it: it was not its turn in CLAUDEOPS_NOTIFY_TIMEOUT"
	case r.RetryAt == nil:
		return r.Target + ": " + r.Error
	case rested:
		return fmt.Sprintf("%s is left alone until %s, because it failed before: %s", r.Target, a.local(*r.RetryAt), r.Error)
	}
	return fmt.Sprintf("%s, next try after %s: %s", r.Target, a.local(*r.RetryAt), r.Error)
}
