package records

import (
	"context"
	"fmt"
	"strings"

	"github.com/claudeops/claudeops/hooks"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/store"
)

// CircuitsChanged records opened and closed circuits of hooks, and notifies people of each opened one, once in 24 h.
func (b *Records) CircuitsChanged(ctx context.Context, changes []hooks.Change) error {
	return b.Store.Update(ctx, func(tx *store.Store) error {
		for _, c := range changes {
			event := store.Event{CreatedAt: b.Now()}
			switch c.To {
			case hooks.Open:
				event.Level, event.Message = store.Warning, circuitTitle(c)+": "+c.Reason()
			case hooks.Closed:
				event.Level, event.Message = store.Info, fmt.Sprintf("the hook %s works again", hooks.ShortName(c.Hook))
			case hooks.HalfOpen: // the trial has no result yet
				continue
			}
			event.Message = b.Redactor.String(event.Message)
			if err := tx.AddEvent(ctx, event); err != nil {
				return err
			}
			if c.To != hooks.Open {
				continue
			}
			if _, err := tx.QueueNotification(ctx, b.circuitOpen(c)); err != nil {
				return err
			}
		}
		return nil
	})
}

func circuitTitle(c hooks.Change) string {
	title := fmt.Sprintf("the hook %s is switched off", hooks.ShortName(c.Hook))
	if c.Session != "" {
		title += " for one session"
	}
	return title
}

func (b *Records) circuitOpen(c hooks.Change) store.Notification {
	body := notify.Body{
		Why:   fmt.Sprintf("The hook %s %s", hooks.ShortName(c.Hook), c.Reason()),
		Facts: []string{"hook: `" + c.Hook + "`"},
	}
	if c.Session != "" {
		body.Why = "The hook " + hooks.ShortName(c.Hook) + ": " + c.Reason()
	}
	if c.Until != nil {
		body.Facts = append(body.Facts, "tried again after "+text.Moment(*c.Until))
	}
	body.Look = []string{"claude-hooks health"}
	title := circuitTitle(c)
	n := notify.News{Kind: store.CircuitOpen, Title: strings.ToUpper(title[:1]) + title[1:], Body: body}
	return n.Notification(c.Hook, b.Redactor.String, b.Now())
}
