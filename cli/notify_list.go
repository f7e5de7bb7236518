package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/store"
)

func (a *app) notifyListCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "list",
		Short: "List messages, sent and waiting, the newest first",
		Long: `list shows the messages that were sent or wait to be. DELIVERED is when every target had it; before that, how many of the targets have it,
and why the next one has not. show ID names them.`,
	}
	db, limit := databaseFlag(c), limitFlag(c)
	waiting := c.Flags().Bool("waiting", false, "only what some target has yet to get")
	c.RunE = list(a, listing[addressed]{
		db: db, filters: []string{"waiting"}, none: "no message yet", noMatch: "nothing waits",
		query: func(ctx context.Context, s *store.Store) ([]addressed, error) {
			all, err := s.Notifications(ctx, store.NotificationFilter{Pending: *waiting, Limit: int(*limit)})
			if err != nil {
				return nil, err
			}
			return a.addresses(ctx, s, a.routing(), all)
		},
		heading: []string{"ID", "TIME", "KIND", "SERVICE", "DELIVERED", "TITLE"},
		row: func(n addressed) []string {
			return []string{number(&n.ID), a.local(n.CreatedAt), string(n.Kind), dash(n.Service), a.delivered(n), n.Title}
		},
	})
	return c
}

// configuredTargets returns the targets of the configuration in force, once loaded; none for an agent, which must not know them.
func (a *app) configuredTargets() []notify.Target {
	if courier := a.courier(a.loaded); courier != nil {
		return courier.Targets()
	}
	return nil
}

// routing returns the routing by the configuration in force. An invalid inventory, which other commands report, has no rules.
func (a *app) routing() notify.Routing {
	r := notify.Routing{Targets: a.configuredTargets()}
	if inv, err := readInventory(a.loaded.config); err == nil && inv != nil {
		r.Rules = inv.Notify
	}
	return r
}

func (a *app) notifyShowCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "show ID",
		Short: "Show a message in full, and which targets have it",
		Long: `show prints a message in full, with all that went out as one with it, and says of each target whether it has the message, or why not
and when it is tried again; a message that was cut, or put together, ends with its ID.`,
	}
	db := databaseFlag(c)
	c.RunE = a.onStore(db, func(ctx context.Context, s *store.Store, args []string) error {
		n, err := s.Notification(ctx, parseID(args[0]))
		if err != nil {
			return err
		}
		all := []store.Notification{n}
		if n.MessageID != nil && *n.MessageID == n.ID {
			if all, err = s.Notifications(ctx, store.NotificationFilter{Message: n.ID}); err != nil {
				return err
			}
			slices.Reverse(all)
		}
		shown, err := a.addresses(ctx, s, a.routing(), all)
		if err != nil {
			return err
		}
		texts := make([]string, len(shown))
		for i, n := range shown {
			texts[i] = a.notificationText(n)
		}
		return a.answer(shown, strings.Join(texts, "\n"))
	})
	return c
}

func (a *app) notificationText(n addressed) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n  queued     %s\n  delivered  %s\n  kind       %s (%s)\n", a.line(n.Title), a.local(n.CreatedAt), a.deliveredInFull(n), n.Kind, n.Type)
	if n.MessageID != nil && *n.MessageID != n.ID {
		fmt.Fprintf(&b, "  sent as    part of message %d\n", *n.MessageID)
	}
	for _, line := range a.recipientLines(n) {
		b.WriteString("  " + a.indented(line, 13) + "\n")
	}
	if n.Body != "" {
		b.WriteString("\n  " + a.indented(n.Body, 2) + "\n")
	}
	return b.String()
}

// deliveredInFull is delivered for a text that is followed by the lines of the targets.
func (a *app) deliveredInFull(n addressed) string {
	switch {
	case unsent(n) != "":
		return unsent(n)
	case n.DeliveredAt != nil:
		return a.local(*n.DeliveredAt)
	case n.Held != "":
		return fmt.Sprintf("no: it waits for the end of %s, %s", n.Held, a.local(n.until))
	case len(a.configuredTargets()) == 0:
		return "no: no target is configured here"
	}
	return "no"
}
