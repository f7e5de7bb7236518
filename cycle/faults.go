package cycle

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/tiers"
)

// failuresToTell is how many cycles in a row Tier 1 must fail before a human is told: nobody watches any more.
const failuresToTell = 3

func (c *Cycle) watchFailures(keep context.Context, done *link) error {
	last, err := c.Store.Sessions(keep, store.SessionFilter{Tier: 1, Agent: done.session.Agent, Limit: failuresToTell})
	if err != nil || len(last) < failuresToTell {
		return err
	}
	for _, s := range last {
		if s.Status != store.Failed && s.Status != store.TimedOut {
			return nil
		}
	}
	n := store.Notification{Kind: store.AgentFailing, Type: notify.Failure, Cause: string(records.NothingWatches), Title: "claudeops cannot watch"}
	watching := "nothing is being watched"
	if done.standIn != nil && done.standIn.outcome.Ending == tiers.Completed {
		n.Type, n.Cause = notify.Warning, string(records.TierFailed)
		n.Title = fmt.Sprintf("The agent of claudeops failed in %d cycles in a row", failuresToTell)
		watching = "the program's own checks watch in its place, and nobody looks further"
	}
	c.summary.needHuman("", fmt.Sprintf("Tier 1 failed in the last %d cycles: %s. Last: %s", failuresToTell, watching, done.outcome.Reason))
	n.Body = c.failuresTold(last, watching)
	return c.Notify(keep, n)
}

// failuresTold is the body of the message about Tier 1's last sessions, the newest first, that all failed. What they have in common is
// told once.
func (c *Cycle) failuresTold(last []store.Session, watching string) string {
	body := records.Body{
		Why:  fmt.Sprintf("Tier 1 failed in the last %d cycles: %s", failuresToTell, watching),
		Look: []string{"claudeops doctor", fmt.Sprintf("claudeops sessions show %d", last[0].ID)},
	}
	how := func(s store.Session) string {
		return strings.TrimSuffix(strings.ReplaceAll(string(s.Status), "_", " ")+": "+s.Error, ": ")
	}
	if oldest := last[len(last)-1]; !slices.ContainsFunc(last, func(s store.Session) bool { return how(s) != how(last[0]) }) {
		body.Facts = []string{
			fmt.Sprintf("each %s", how(last[0])), fmt.Sprintf("sessions %d to %d, %s", oldest.ID, last[0].ID, records.Between(oldest.StartedAt, last[0].StartedAt))}
		return c.Compose(body)
	}
	for _, s := range last {
		body.Facts = append(body.Facts, fmt.Sprintf("session %d at %s: %s", s.ID, records.Moment(s.StartedAt), how(s)))
	}
	return c.Compose(body)
}

// tellUnconfined has a human told, and the cycle fail, where no agent is started because nothing confines its commands.
func (c *Cycle) tellUnconfined(keep context.Context) error {
	if c.Unconfined == "" {
		return nil
	}
	c.summary.unconfined = true
	c.summary.needHuman("", "no agent can be started: "+c.Unconfined)
	if err := c.say(keep, store.Critical, 0, "", "no agent is started: "+c.Unconfined); err != nil {
		return err
	}
	return c.Notify(keep, store.Notification{
		Kind: store.AgentFailing, Type: notify.Failure, Cause: string(records.NoSandbox), Title: "claudeops cannot confine an agent's commands",
		Body: c.Compose(records.Body{
			Why:   "No agent is started, because the commands of one cannot be confined: " + c.Unconfined,
			Facts: []string{"the program's own checks watch in its place, and nobody looks further where one fails"},
			Look:  []string{"claudeops doctor"},
		}),
	})
}

func (c *Cycle) overBudget(keep context.Context, tier int) error {
	text := fmt.Sprintf("the last 24 h have cost CLAUDEOPS_DAILY_BUDGET_USD (%.2f): Tier %d was not started", c.Config.DailyBudgetUSD, tier)
	c.summary.needHuman("", text)
	body, err := c.budgetTold(keep, tier)
	if err != nil {
		return err
	}
	return c.Notify(keep, store.Notification{Kind: store.HumanAttention, Cause: string(records.BudgetSpent), Title: "The day's budget is spent", Body: body})
}

// budgetTold is the body of the message that a tier was not started: what cost how much, and when that is past.
func (c *Cycle) budgetTold(keep context.Context, tier int) (string, error) {
	now, budget := c.Trusted(), c.Config.DailyBudgetUSD
	spent, err := c.Store.CostSince(keep, now.Add(-24*time.Hour))
	if err != nil {
		return "", err
	}
	body := records.Body{
		Why: fmt.Sprintf("The last 24 h have cost %s, and CLAUDEOPS_DAILY_BUDGET_USD is %s: Tier %d was not started",
			records.Dollars(spent), records.Dollars(budget), tier),
		Look: []string{"claudeops sessions list"},
	}
	day, err := c.Store.Day(keep, now.Add(-24*time.Hour))
	if err != nil {
		return "", err
	}
	for _, t := range day.Tiers {
		body.Facts = append(body.Facts, fmt.Sprintf("Tier %d: %s in %s", t.Tier, records.Dollars(t.CostUSD), records.Counted(t.Sessions, "session")))
	}
	frees, err := c.Store.BudgetFrees(keep, now, budget)
	if err != nil {
		return "", err
	}
	if !frees.IsZero() {
		body.Facts = append(body.Facts, "models start again after "+records.Moment(frees)+", or with a larger budget")
	}
	if c.Inventory.HasChecks() {
		body.Facts = append(body.Facts, "the program's own checks go on")
	}
	return c.Compose(body), nil
}
