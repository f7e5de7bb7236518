package cli

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/store"
)

func (a *app) notifyListCommand(db *string) *cobra.Command {
	c := &cobra.Command{Use: "list", Short: "List what people were told, or will be, the newest first", Args: takes()}
	limit := rowsFlag(c)
	waiting := c.Flags().Bool("waiting", false, "only what some target has yet to get")
	c.RunE = func(c *cobra.Command, _ []string) error {
		return list(a, c, listing[store.Notification]{
			db: db, filters: []string{"waiting"}, none: "nobody was told anything yet", noMatch: "nothing waits",
			query: func(c *cobra.Command, s *store.Store) ([]store.Notification, error) {
				return s.Notifications(c.Context(), store.NotificationFilter{Pending: *waiting, Limit: int(*limit)})
			},
			heading: []string{"ID", "TIME", "KIND", "SERVICE", "DELIVERED", "TITLE"},
			row: func(n store.Notification) []string {
				return []string{strconv.FormatInt(n.ID, 10), a.local(n.CreatedAt), string(n.Kind), cmp.Or(n.Service, "-"), a.delivered(n), n.Title}
			},
		})
	}
	return c
}

// delivered is when every target had a message, or what it waits for.
func (a *app) delivered(n store.Notification) string {
	switch {
	case n.DeliveredAt != nil:
		return a.local(*n.DeliveredAt)
	case n.Attempts > 0:
		return fmt.Sprintf("waits, tried %d×", n.Attempts)
	}
	return "waits"
}

func (a *app) notifyShowCommand(db *string) *cobra.Command {
	return &cobra.Command{
		Use:   "show ID",
		Short: "Show the whole of what people were told",
		Long:  `show prints a message in full, with all that went out as one with it; a message that was cut, or put together, ends with its ID.`,
		Args:  cobra.MatchAll(takes("ID"), id),
		RunE: func(c *cobra.Command, args []string) error {
			return a.withStore(c, *db, func(s *store.Store) error {
				n, err := s.Notification(c.Context(), parseID(args[0]))
				if err != nil {
					return err
				}
				all := []store.Notification{n}
				if n.MessageID != nil && *n.MessageID == n.ID {
					if all, err = s.Message(c.Context(), n.ID); err != nil {
						return err
					}
				}
				if a.json {
					return a.printJSON(all)
				}
				return a.writeNotifications(all)
			})
		},
	}
}

func (a *app) writeNotifications(all []store.Notification) error {
	texts := make([]string, len(all))
	for i, n := range all {
		texts[i] = a.notificationText(n)
	}
	return a.print(strings.Join(texts, "\n"))
}

func (a *app) notificationText(n store.Notification) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n  queued     %s\n  delivered  %s\n  kind       %s (%s)\n", a.line(n.Title), a.local(n.CreatedAt), a.delivered(n), n.Kind, n.Type)
	if n.MessageID != nil && *n.MessageID != n.ID {
		fmt.Fprintf(&b, "  sent as    part of message %d\n", *n.MessageID)
	}
	if n.LastError != "" {
		fmt.Fprintf(&b, "  last error %s\n", a.indented(n.LastError, 13))
	}
	if n.Body != "" {
		b.WriteString("\n  " + a.indented(n.Body, 2) + "\n")
	}
	return b.String()
}
