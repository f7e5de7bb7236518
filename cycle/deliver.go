package cycle

import (
	"context"
	"fmt"
	"time"

	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/store"
)

// deliver sends pending messages from the outbox, for at most longest. Messages that a target rejects stay there; if ctx has ended, all
// of them do.
func (c *Cycle) deliver(ctx context.Context, longest time.Duration) error {
	if c.Courier == nil || ctx.Err() != nil {
		return nil
	}
	limited, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	report, err := notify.NewDelivery(c.Config, c.Inventory, c.Store, c.Courier, c.Redactor.String, c.Now).Run(limited)
	if err != nil {
		return err
	}
	if report.Busy {
		if err := c.event(ctx, store.Warning, 0, "", "notifications wait for the next cycle: another process was delivering all the time"); err != nil {
			return err
		}
	}
	c.summary.Messages.Sent += report.Sent
	c.summary.Messages.Waiting = report.Waiting
	for _, f := range report.Failures {
		if err := c.note(ctx, store.Warning, 0, "", fmt.Sprintf("notifications wait for %s until after %s: %s",
			f.Target, f.RetryAt.UTC().Format(time.RFC3339), f.Reason)); err != nil {
			return err
		}
	}
	return nil
}

// exportTime is the time limit for pushing to a Pushgateway.
const exportTime = 5 * time.Second

// export writes and pushes the metrics. A failure is only a warning, because the rest of the cycle does not depend on them.
func (c *Cycle) export(ctx context.Context) error {
	if err := c.Exporter.Write(ctx, &c.Records); err != nil {
		if err := c.event(ctx, store.Warning, 0, "", err.Error()); err != nil {
			return err
		}
	}
	if ctx.Err() != nil {
		return nil
	}
	limited, cancel := context.WithTimeout(ctx, exportTime)
	defer cancel()
	if err := c.Exporter.Send(limited, &c.Records); err != nil {
		return c.event(ctx, store.Warning, 0, "", err.Error())
	}
	return nil
}
