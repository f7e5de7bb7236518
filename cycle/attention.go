package cycle

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/handoff"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/tiers"
)

// ended closes the chain after a tier that left no handoff that counts. A tier above the first that completed claims to have
// solved what it was started for; what the program's own checks then find healthy is, of the rest the next cycle's checks say. One
// that failed, or asked for help in a form that nobody could read, leaves to a human what is not found healthy.
func (c *Cycle) ended(keep context.Context, done *link) error {
	o := done.outcome
	v := verdict{}
	switch {
	case done.session.Tier == 1 && done.invalid:
		return c.tellUnwell(keep, c.unwell(), records.InvalidHandoff, "Tier 1 asked for help in a form that could not be read")
	case done.session.Tier == 1 && o.Ending == tiers.Interrupted && c.unfinished != nil:
		return c.tellUnwell(keep, c.unwell(), records.ModelFailed, "Tier 1 was interrupted, as in the cycle before")
	case done.session.Tier == 1 && (o.Ending == tiers.Completed || o.Ending == tiers.Interrupted):
		return nil // all that it found unwell is held back, or the next cycle looks again
	case done.session.Tier == 1:
		return c.observerFailed(keep, done)
	case o.Ending == tiers.Interrupted, done.unproven:
		return c.linkAll(keep, done, "", "interrupted")
	case o.Ending != tiers.Completed:
		ending := endingWords(o.Ending)
		v = verdict{attention: records.TierFailed, reason: fmt.Sprintf("Tier %d %s: %s", done.session.Tier, ending, o.Reason),
			own: func(string) string {
				return fmt.Sprintf("Tier %d looked at it and %s: %s", done.session.Tier, ending, o.Reason)
			}}
	case done.invalid:
		v = verdict{attention: records.Unresolved, reason: fmt.Sprintf("Tier %d asked for help in a form that could not be read", done.session.Tier),
			own: func(string) string {
				return fmt.Sprintf("Tier %d looked at it, and asked for help in a form that could not be read", done.session.Tier)
			}}
	}
	if v.attention != "" {
		return errors.Join(c.linkAll(keep, done, "", v.reason), c.askHuman(keep, done, done.services, v))
	}
	return errors.Join(c.linkAll(keep, done, o.Response, ""), c.concluded(keep, done))
}

// endingWords is how a tier ended, for a person: "timed out".
func endingWords(e tiers.Ending) string { return strings.ReplaceAll(string(e), "_", " ") }

// concluded is a tier above the first that completed and leaves nothing to a next one: what is not healthy after it needs a human, of
// the rest it claims that it is solved.
func (c *Cycle) concluded(keep context.Context, done *link) error {
	if done.session.Tier == 1 || done.unproven {
		return nil
	}
	still, why, err := c.stillUnhealthy(keep, done)
	if err != nil {
		return err
	}
	if len(still) > 0 {
		reason := fmt.Sprintf("Tier %d ended, although by the checks after it %s", done.session.Tier, some(why))
		if err := c.say(keep, store.Critical, done.session.ID, "", reason); err != nil {
			return err
		}
		own := func(service string) string {
			found := strings.TrimPrefix(why[slices.Index(still, service)], service+" is ")
			return fmt.Sprintf("Tier %d ended, and the checks after it find it %s", done.session.Tier, found)
		}
		if err := c.askHuman(keep, done, still, verdict{attention: records.Unresolved, reason: reason, own: own}); err != nil {
			return err
		}
	}
	return c.eachIncident(keep, handoff.Without(done.services, still), func(i store.Incident) error {
		if hold, err := c.Hold(keep, i.Service); err != nil || hold != (records.Hold{}) {
			return err
		}
		return c.Store.SaveIncident(keep, solved(i))
	})
}

// stillUnhealthy are the services of the chain that a session's own last checks or report find not healthy, each with why.
func (c *Cycle) stillUnhealthy(keep context.Context, done *link) (still, why []string, err error) {
	latest, err := c.Store.LatestBySession(keep, done.session.ID)
	for _, e := range evaluate(store.Results(latest), nil, nil) {
		if !e.status.Unwell() || done.proven[e.service] || !slices.Contains(done.services, e.service) {
			continue
		}
		hold, err := c.Hold(keep, e.service)
		if err != nil {
			return nil, nil, err
		}
		if hold == (records.Hold{}) {
			still = append(still, e.service)
			why = append(why, strings.TrimSuffix(fmt.Sprintf("%s is %s: %s", e.service, e.status, e.found), ": "))
		}
	}
	return still, why, err
}

// nextCycle is what happens next where nothing is in the way.
const nextCycle = "The next cycle tries again"

// nextStep is what claudeops does next about an incident of which people are asked, in a sentence without its full stop.
func (c *Cycle) nextStep(keep context.Context, i store.Incident, why records.Cause) (string, error) {
	at, waits := waitsUntil(i, c.Trusted())
	switch {
	case c.Config.DryRun:
		return "", nil
	case i.Flapping():
		return fmt.Sprintf("claudeops goes on watching, and starts no agent for it until it was healthy for %d h or you call `claudeops cooldown reset`",
			int(store.ReturnWithin.Hours())), nil
	case c.Config.MaxTier == 1:
		return "claudeops goes on watching, and does nothing else", nil
	case c.NoModel != "":
		return "claudeops goes on watching, and tries again when an agent can be started", nil
	case why == records.BudgetSpent:
		frees, err := c.Store.BudgetFrees(keep, c.Trusted(), c.Config.DailyBudgetUSD)
		if err != nil || frees.IsZero() {
			return nextCycle, err
		}
		return "claudeops tries again after " + text.Moment(frees) + ", or with a larger budget", nil
	case waits:
		return "claudeops tries again after " + text.Moment(at) + ", or as soon as it changes", nil
	}
	return nextCycle, nil
}

// askHuman ends a chain that needs one about services: the incident of each is a dead end until it changes, and a human is asked about
// it, or about a service without an incident. Nobody is asked about what is found healthy, or held back.
func (c *Cycle) askHuman(keep context.Context, done *link, services []string, v verdict) error {
	if v.attention == records.BudgetSpent {
		if err := c.overBudget(keep, done.session.Tier+1); err != nil {
			return err
		}
	}
	limits, err := c.Limits(keep)
	if err != nil {
		return err
	}
	return c.Together(keep, func() error {
		open, err := c.Store.OpenIncidents(keep)
		if err != nil {
			return err
		}
		for _, name := range services {
			if done.proven[name] {
				continue
			}
			hold, err := c.Hold(keep, name)
			if err != nil {
				return err
			}
			if hold != (records.Hold{}) {
				if err := c.say(keep, store.Info, done.session.ID, name, "nobody is told of "+name+": "+hold.Reason); err != nil {
					return err
				}
				continue
			}
			incident, known := open[name]
			if !known {
				incident = store.Incident{Service: name}
			} else if _, waits := waitsUntil(incident, c.Trusted()); !waits && v.deadEnd() {
				incident = deadEnd(incident, c.Trusted())
				if err := c.Store.SaveIncident(keep, incident); err != nil {
					return err
				}
			}
			c.summary.needHuman(name, v.reason)
			next, err := c.nextStep(keep, incident, v.attention)
			if err != nil {
				return err
			}
			if err := c.RequestAttention(keep, limits, incident, records.Ask{Cause: v.attention, Why: v.about(name), Next: next}); err != nil {
				return err
			}
		}
		return nil
	})
}

// remind asks again about services that are still unwell a day or longer after people were last asked about them: one message must not
// be all that an incident of a week is worth. So it does about those that are unwell again, and that people were last told are well: with
// that they must not be left where nobody works on it. Who was asked in this cycle is not asked twice; what a chain of this cycle claims to
// have solved, what is held back and what is silenced waits. Faults of the watch itself are asked about anew whenever they happen.
func (c *Cycle) remind(keep context.Context) error {
	unwell := map[string]bool{}
	for _, e := range c.unwell() {
		unwell[e.service] = true
	}
	if len(unwell) == 0 {
		return nil
	}
	asked, err := c.Store.AskedBefore(keep, c.Now())
	if err != nil {
		return err
	}
	var limits records.Limits
	for _, a := range asked {
		name := a.Incident.Service
		if !unwell[name] || a.Incident.LastChain == chainSolved {
			continue
		}
		hold, err := c.Hold(keep, name)
		if err != nil {
			return err
		}
		if hold != (records.Hold{}) {
			continue
		}
		if limits.State == nil { // read once, and only where somebody is reminded
			if limits, err = c.Limits(keep); err != nil {
				return err
			}
		}
		ask := c.reminder(a)
		if ask.Next, err = c.nextStep(keep, a.Incident, ask.Cause); err != nil {
			return err
		}
		if err := c.RequestAttention(keep, limits, a.Incident, ask); err != nil {
			return err
		}
	}
	return nil
}

// reminder is why people are asked again. Each has its own: they were told at different times.
func (c *Cycle) reminder(a store.Asked) records.Ask {
	if a.Well {
		return records.Ask{Cause: records.UnwellAgain, Why: "People were last told that it is well, and it is no more"}
	}
	return records.Ask{Cause: records.Reminder, Why: fmt.Sprintf("People were first told %s ago, and it is as it was", text.Duration(c.Now().Sub(*a.First)))}
}

// tellLasted tells people of recoveries that were no news before they had lasted.
func (c *Cycle) tellLasted(keep context.Context) error {
	lasted, err := c.Store.RecoveriesToTell(keep, c.Trusted())
	for _, i := range lasted {
		if err := c.TellRecovered(keep, i); err != nil {
			return err
		}
	}
	return err
}

// allNeeds completes what the summary says of a human by what was recorded: requests may come from whatever a tier has called.
func (c *Cycle) allNeeds(keep context.Context) error {
	open, err := c.Store.OpenIncidents(keep)
	if err != nil {
		return err
	}
	since := c.summary.StartedAt.Truncate(time.Millisecond) // as the store keeps times
	asked, err := c.Store.AskedOf(keep, since, -1)
	if err != nil {
		return err
	}
	found := check.Worst(c.view)
	still := slices.DeleteFunc(c.unwell(), func(e evaluation) bool { return found[e.service] == check.Healthy })
	known := map[string]bool{}
	for _, a := range c.summary.Attention {
		known[a.Service] = true
	}
	c.ForgetSilences()
	for _, n := range needs(still, open, asked, since) {
		if n.Service != "" && known[n.Service] {
			continue
		}
		quiet, err := c.quiet(keep, n.Service)
		if err != nil {
			return err
		}
		if !quiet || n.Service == "" {
			known[n.Service] = true
			c.summary.needHuman(n.Service, n.Reason)
		}
	}
	return nil
}

// needs are what humans are needed for at the end of a cycle: what they were asked since it began; services that are still unwell and that
// they were asked about before; and those whose incident no chain claims to have solved, although nobody was asked. The last requests come
// newest first, one an incident.
func needs(still []evaluation, open map[string]store.Incident, asked []store.Notification, since time.Time) (all []Attention) {
	before := map[string]string{} // what was asked of each service
	for _, n := range slices.Backward(asked) {
		switch {
		case n.Kind != store.HumanAttention, saidByCycle(records.Cause(n.Cause)):
			continue
		case n.Service != "":
			before[n.Service] = n.Title
		}
		if !n.CreatedAt.Before(since) {
			all = append(all, Attention{n.Service, n.Title})
		}
	}
	for _, e := range still {
		if title, was := before[e.service]; was {
			all = append(all, Attention{e.service, title})
		} else if i, known := open[e.service]; known && i.LastChain != chainSolved {
			all = append(all, Attention{e.service, fmt.Sprintf("%s is %s, and nothing follows in this cycle", e.service, e.status)})
		}
	}
	return all
}

// saidByCycle reports whether the cycle itself says what a human was asked for by a cause, whether or not it is told again.
func saidByCycle(cause records.Cause) bool {
	switch cause {
	case records.InvalidHandoff, records.BudgetSpent, records.NoSandbox, records.DamagedDatabase, records.MovedDatabase:
		return true
	}
	return strings.HasPrefix(string(cause), string(records.ForeignSchema))
}
