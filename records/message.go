package records

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/store"
)

// maxMessages limits the messages of a session: a misled agent must not flood a phone.
const maxMessages = 3

// Delivery returns what delivers the outbox of these records.
func (b *Records) Delivery(courier notify.Courier) notify.Delivery {
	host, err := os.Hostname()
	if err != nil {
		host = "an unnamed host"
	}
	d := notify.Delivery{Store: b.Store, Courier: courier, Redact: b.Redactor.String, Now: b.Now, Dir: b.Config.StateDir, Host: host, Dashboard: b.Config.DashboardURL}
	if links, err := notify.OpenLinks(b.Config.StateDir); err == nil { // without a key, the plain link leads to the page, too
		d.Links = &links
	}
	if b.Inventory != nil {
		d.Rules = b.Inventory.Notify
	}
	return d
}

// Message queues a message of a person or of the calling agent, and returns its id. An agent's message is marked as such.
func (b *Records) Message(ctx context.Context, m notify.Message, service string) (id int64, err error) {
	if err := m.Fault(); err != nil {
		return 0, err
	}
	// Secrets first: they are not recognized any more once links are taken out.
	title, body := b.Redactor.String(strings.TrimSpace(m.Title)), b.Redactor.String(strings.TrimSpace(m.Body))
	n := store.Notification{Kind: store.Message, Type: m.Type, Service: service, CreatedAt: b.Now()}
	if agent := b.Config.Agent; b.InSession() {
		n.Cause = fmt.Sprintf("session %d", agent.SessionID)
		title, body = fmt.Sprintf("Tier %d says: %s", agent.Tier, text.Unlinked(title)), text.Unlinked(body)
		body += fmt.Sprintf("\n\nThe agent of session %d wrote this: `claudeops sessions show %d --commands`", agent.SessionID, agent.SessionID)
	}
	n.Title, n.Body = title, strings.TrimSpace(body)
	err = b.Store.Update(ctx, func(tx *store.Store) error {
		before, err := tx.ToldWithoutIncident(ctx, store.Message, n.Cause, time.Time{})
		if err != nil {
			return err
		}
		if b.InSession() && before >= maxMessages {
			return fmt.Errorf("this session has sent %d messages, and may send no more: put what is left into the handoff, or into your last words", maxMessages)
		}
		id, err = tx.AddMessage(ctx, n)
		return err
	})
	return id, err
}
