package cycle

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// queueDigest puts the daily digest into the outbox when it is due (SPEC-0007 REQ-9), and only then writes last_daily_digest.
// Where no notification target is configured nobody would get it: none is made, and the field stays as it is.
func (c *Cycle) queueDigest(keep context.Context) error {
	now := c.Now()
	if !c.Config.Notifies() || !c.before.DigestDue(now) {
		return nil
	}
	body, err := c.digest(keep, now.Add(-24*time.Hour))
	if err != nil {
		return err
	}
	if err := c.Notify(keep, store.Notification{Kind: store.DailyDigest, Title: "claudeops: daily digest", Body: body}); err != nil {
		return err
	}
	return c.Ledger.Update(keep, func(st *statefile.State) error {
		st.LastDailyDigest = &statefile.Time{Time: now}
		return nil
	})
}

// digest sums up the time since.
func (c *Cycle) digest(keep context.Context, since time.Time) (string, error) {
	day, err := c.Store.Day(keep, since)
	if err != nil {
		return "", err
	}
	open, err := c.Store.OpenIncidents(keep)
	if err != nil {
		return "", err
	}
	healthy := 0
	var b strings.Builder
	for _, e := range c.found {
		if e.status == check.Healthy {
			healthy++
		}
	}
	fmt.Fprintf(&b, "%d of %d services checked now are healthy; %d incidents are open.\n", healthy, len(c.found), len(open))
	for _, e := range c.found {
		if i, known := open[e.service]; known {
			fmt.Fprintf(&b, "- %s: %s since %s\n", e.service, e.status, i.OpenedAt.UTC().Format(time.RFC3339))
		}
	}
	fmt.Fprintf(&b, "\nIn the last 24 h: %d incidents opened, %d remediations (%d failed).\n", day.IncidentsOpened, day.Remediations, day.RemediationsFailed)
	for _, t := range day.Tiers {
		fmt.Fprintf(&b, "- Tier %d: %d sessions, %d failed, $%.4f\n", t.Tier, t.Sessions, t.Failed, t.CostUSD)
	}
	return b.String(), nil
}
