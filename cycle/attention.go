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

// ended closes the chain after a tier that left no valid handoff. A completed tier above the first claims to have solved the problem: the
// program's own checks confirm it now, or the next cycle's checks do. If the tier failed or its handoff was invalid, a human is asked
// about every service not found healthy.
func (c *Cycle) ended(keep context.Context, done *tierRun) error {
	o, tier := done.outcome, done.session.Tier
	if only, err := c.onlyAnswered(keep, done); err != nil || only {
		return errors.Join(err, c.linkAll(keep, done, done.claim, ""))
	}
	switch {
	case tier == 1 && done.invalid:
		return c.askAboutUnwell(keep, done, c.unwell(), records.InvalidHandoff, "Tier 1 asked for help in a form that could not be read")
	case tier == 1 && o.Ending == tiers.Interrupted && c.unfinished != nil:
		return c.askAboutUnwell(keep, done, c.unwell(), records.ModelFailed, "Tier 1 was interrupted, as in the cycle before")
	case tier == 1 && (o.Ending == tiers.Completed || o.Ending == tiers.Interrupted):
		return nil // everything it found unwell is held back, or the next cycle checks again
	case tier == 1:
		why := fmt.Sprintf("Tier 1 %s: %s", endingWords(o.Ending), o.Reason)
		// The next cycle decides about tiers (SPEC-0016: wait for the next cycle).
		return errors.Join(c.askAboutUnwell(keep, done, c.unwell(), records.ModelFailed, why), c.watchFailures(keep, done))
	case o.Ending == tiers.Interrupted, done.unproven:
		return c.linkAll(keep, done, "", "interrupted")
	case o.Ending != tiers.Completed:
		return c.endedInVain(keep, done, records.TierFailed, endingWords(o.Ending)+": "+o.Reason)
	case done.invalid:
		return c.endedInVain(keep, done, records.Unresolved, "asked for help in a form that could not be read")
	}
	return errors.Join(c.linkAll(keep, done, done.claim, ""), c.concluded(keep, done))
}

// endedInVain ends a chain whose last tier achieved nothing. ending is a predicate, such as "timed out: no end after 20m0s".
func (c *Cycle) endedInVain(keep context.Context, done *tierRun, cause records.Cause, ending string) error {
	tier := fmt.Sprintf("Tier %d ", done.session.Tier)
	v := verdict{attention: cause, reason: tier + ending, why: tier + "looked at it and " + ending}
	return errors.Join(c.linkAll(keep, done, "", v.reason), c.askAboutChain(keep, done, done.services, v))
}

// endingWords returns how a tier ended, in words for a person: "timed out".
func endingWords(e tiers.Ending) string { return strings.ReplaceAll(string(e), "_", " ") }

// concluded ends a chain whose last tier, above the first, completed without a handoff. A human is asked about services that are still
// unhealthy; the rest count as solved.
func (c *Cycle) concluded(keep context.Context, done *tierRun) error {
	tier := done.session.Tier
	if tier == 1 || done.unproven {
		return nil
	}
	unwell, err := c.stillUnhealthy(keep, done)
	if err != nil {
		return err
	}
	var still, found []string
	if len(unwell) > 0 {
		v := verdict{attention: records.Unresolved, whyOf: map[string]string{}}
		for _, e := range unwell {
			v.whyOf[e.service] = fmt.Sprintf("Tier %d ended, and the checks after it find it still %s", tier, e.status)
			still, found = append(still, e.service), append(found, strings.TrimSuffix(fmt.Sprintf("%s is %s: %s", e.service, e.status, e.found), ": "))
		}
		v.reason = fmt.Sprintf("Tier %d ended, although by the checks after it %s", tier, some(found))
		if err := c.event(keep, store.Critical, done.session.ID, "", v.reason); err != nil {
			return err
		}
		if err := c.askAboutChain(keep, done, still, v); err != nil {
			return err
		}
	}
	return c.eachIncident(keep, handoff.Without(done.services, still), func(i store.Incident) error {
		if hold, err := c.heldBack(keep, i.Service); err != nil || hold != (records.Hold{}) {
			return err
		}
		i.LastChain = chainSolved
		return c.Store.SaveIncident(keep, i)
	})
}

// stillUnhealthy returns the services of the chain that the session's own last checks or report find unhealthy.
func (c *Cycle) stillUnhealthy(keep context.Context, done *tierRun) (still []evaluation, err error) {
	latest, err := c.Store.LatestBySession(keep, done.session.ID)
	for _, e := range evaluate(store.Results(latest), nil, nil) {
		if !e.status.Unwell() || done.proven[e.service] || !slices.Contains(done.services, e.service) {
			continue
		}
		hold, err := c.heldBack(keep, e.service)
		if err != nil {
			return nil, err
		}
		if hold == (records.Hold{}) {
			still = append(still, e)
		}
	}
	return still, err
}

// nextCycle is the next step in a request for a human if nothing blocks the next cycle.
const nextCycle = "The next cycle tries again"

// nextStep returns what claudeops does next about an incident in a request for a human, as a sentence without its full stop.
func (c *Cycle) nextStep(keep context.Context, i store.Incident, why records.Cause) (string, error) {
	at, waits := waitsUntil(i, c.Now())
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
		frees, err := c.Store.BudgetFrees(keep, c.Now(), c.Config.DailyBudgetUSD)
		if err != nil || frees.IsZero() {
			return nextCycle, err
		}
		return "claudeops tries again after " + text.Moment(frees) + ", or with a larger budget", nil
	case waits:
		return "claudeops tries again after " + text.Moment(at) + ", or as soon as it changes", nil
	}
	return nextCycle, nil
}

// askAbout queues the request for a human about a service, including what claudeops does next.
func (c *Cycle) askAbout(keep context.Context, limits records.Limits, i store.Incident, cause records.Cause, why string) error {
	next, err := c.nextStep(keep, i, cause)
	if err != nil {
		return err
	}
	return c.RequestAttention(keep, limits, i, records.Ask{Cause: cause, Why: why, Next: next})
}

// withIncidents runs f in one transaction, with the open incidents by service. The limits are read before it, because cooldown.json is
// not part of a transaction.
func (c *Cycle) withIncidents(keep context.Context, f func(open map[string]store.Incident, limits records.Limits) error) error {
	limits, err := c.Limits(keep)
	if err != nil {
		return err
	}
	return c.Together(keep, func() error {
		open, err := c.Store.OpenIncidents(keep)
		if err != nil {
			return err
		}
		return f(open, limits)
	})
}

// askAboutEarlier asks a human about problems that only unfinished cycles have seen.
func (c *Cycle) askAboutEarlier(keep context.Context, done *tierRun) error {
	found := slices.DeleteFunc(c.unwell(), func(e evaluation) bool { return !e.earlier })
	return c.askAboutUnwell(keep, done, found, records.ModelFailed, "Tier 1 found it in a cycle that was killed or interrupted, and has not looked at it since")
}

// askAboutUnwell asks a human about each unwell service that no agent examines, and gives the reason. What first aid healed is left out.
func (c *Cycle) askAboutUnwell(keep context.Context, done *tierRun, found []evaluation, cause records.Cause, why string) error {
	found = slices.DeleteFunc(found, func(e evaluation) bool { return done.proven[e.service] })
	if len(found) == 0 {
		return nil
	}
	return c.withIncidents(keep, func(open map[string]store.Incident, limits records.Limits) error {
		for _, e := range found {
			c.summary.addAttention(e.service, fmt.Sprintf("%s is %s; no further tier is started in this cycle, because %s", e.service, e.status, why))
			ask := records.Ask{Cause: cause, Why: "No agent looks at it: " + why + done.aidWords(e.service), Next: nextCycle}
			if err := c.RequestAttention(keep, limits, open[e.service], ask); err != nil {
				return err
			}
		}
		return nil
	})
}

// askAboutChain ends a chain that needs a human about services. The incident of each is a dead end until it changes. Services that were
// found healthy or are held back are left out.
func (c *Cycle) askAboutChain(keep context.Context, done *tierRun, services []string, v verdict) error {
	if v.attention == records.BudgetSpent {
		if err := c.overBudget(keep, done.session.Tier+1); err != nil {
			return err
		}
	}
	return c.withIncidents(keep, func(open map[string]store.Incident, limits records.Limits) error {
		for _, name := range services {
			if done.proven[name] {
				continue
			}
			hold, err := c.heldBack(keep, name)
			if err != nil {
				return err
			}
			if hold != (records.Hold{}) {
				if err := c.event(keep, store.Info, done.session.ID, name, "no message about "+name+": "+hold.Reason); err != nil {
					return err
				}
				continue
			}
			incident, known := open[name]
			if !known {
				incident = store.Incident{Service: name}
			} else if _, waits := waitsUntil(incident, c.Now()); !waits && v.deadEnd() {
				incident = incident.DeadEnd(c.Now())
				if err := c.Store.SaveIncident(keep, incident); err != nil {
					return err
				}
			}
			c.summary.addAttention(name, v.reason)
			if err := c.askAbout(keep, limits, incident, v.attention, v.about(name)+done.aidWords(name)); err != nil {
				return err
			}
		}
		return nil
	})
}

// remind repeats the request for services that are still unwell a day after the last one, and for services that are unwell again although
// the last message said that they are well. It omits services that this cycle already asked about, that a chain of this cycle claims to
// have solved, or that are held back or silenced. Faults of the monitoring itself are reported whenever they occur.
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
		hold, err := c.heldBack(keep, name)
		if err != nil {
			return err
		}
		if hold != (records.Hold{}) {
			continue
		}
		if limits.State == nil { // read once, and only if a reminder is due
			if limits, err = c.Limits(keep); err != nil {
				return err
			}
		}
		cause, why := records.UnwellAgain, "The last message said that it is well, and it no longer is"
		if !a.Well {
			cause, why = records.Reminder, fmt.Sprintf("The first message was %s ago, and nothing has changed since", text.Duration(c.Now().Sub(*a.First)))
		}
		if err := c.askAbout(keep, limits, a.Incident, cause, why); err != nil {
			return err
		}
	}
	return nil
}

// notifyLasted sends the messages about recoveries that had to prove stable first.
func (c *Cycle) notifyLasted(keep context.Context) error {
	lasted, err := c.Store.RecoveriesToTell(keep, c.Now())
	for _, i := range lasted {
		if err := c.NotifyRecovered(keep, i); err != nil {
			return err
		}
	}
	return err
}

// completeNeeds adds the recorded requests for a human to the summary. Commands that a tier ran may have made some of them.
func (c *Cycle) completeNeeds(keep context.Context) error {
	open, err := c.Store.OpenIncidents(keep)
	if err != nil {
		return err
	}
	since := c.summary.StartedAt.Truncate(time.Millisecond) // the store keeps times to the millisecond
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
	for _, p := range c.proposed {
		quiet, err := c.isQuiet(keep, p.Service)
		if err != nil {
			return err
		}
		if p.Status == store.ProposalWaiting && !known[p.Service] && !quiet {
			known[p.Service] = true
			c.summary.addAttention(p.Service, c.proposalHold(p.Service).Reason+fmt.Sprintf(": `claudeops proposals show %d`", p.ID))
		}
	}
	for _, n := range needs(still, open, asked, since) {
		if n.Service != "" && known[n.Service] {
			continue
		}
		quiet, err := c.isQuiet(keep, n.Service)
		if err != nil {
			return err
		}
		if !quiet || n.Service == "" {
			known[n.Service] = true
			c.summary.addAttention(n.Service, n.Reason)
		}
	}
	return nil
}

// needs returns what humans are needed for at the end of a cycle: requests made since it began, services that are still unwell after an
// earlier request, and incidents without a request that no chain claims to have solved. asked holds the last request of each incident,
// newest first.
func needs(still []evaluation, open map[string]store.Incident, asked []store.Notification, since time.Time) (all []Attention) {
	before := map[string]string{} // earlier requests by service
	for _, n := range slices.Backward(asked) {
		switch {
		case n.Kind != store.HumanAttention, slices.Contains(inSummary, records.Cause(n.Cause)):
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

// inSummary are the causes of requests that reach the summary in another way, even if they are repeats.
var inSummary = []records.Cause{records.InvalidHandoff, records.BudgetSpent, records.UnusableDatabase}
