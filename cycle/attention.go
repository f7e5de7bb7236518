package cycle

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/claudeops/claudeops/books"
	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/handoff"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/tiers"
)

// keptFindings bounds what an incident remembers of one session, so that its history stays short enough for a context.
const keptFindings = 4000

// trackIncidents opens, updates and closes incidents by this cycle's evaluations. reset are the services that were healthy
// for the second cycle in a row.
func (c *Cycle) trackIncidents(keep context.Context, done *link, reset []string) error {
	limits, err := c.Limits(keep)
	if err != nil {
		return err
	}
	return c.Together(keep, func() error {
		open, err := c.Store.OpenIncidents(keep)
		if err != nil {
			return err
		}
		if err := c.trackFound(keep, done, limits, open); err != nil {
			return err
		}
		if err := c.trackReset(keep, done, open, reset); err != nil {
			return err
		}
		return c.recordHeld(keep, done)
	})
}

func (c *Cycle) trackFound(keep context.Context, done *link, limits books.Limits, open map[string]store.Incident) (err error) {
	for _, e := range c.found {
		incident, known := open[e.service]
		_, held := c.held[e.service]
		switch {
		case held:
		case e.status != check.Healthy && !known:
			err = c.openIncident(keep, done, e)
		case e.status != check.Healthy && incident.Fingerprint == "":
			err = errors.Join(c.closeQuietly(keep, done, incident), c.openIncident(keep, done, e))
		case e.status != check.Healthy:
			err = c.continueIncident(keep, done, limits, e, incident)
		case known:
			err = c.Store.SaveIncident(keep, seenHealthy(incident))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *Cycle) trackReset(keep context.Context, done *link, open map[string]store.Incident, reset []string) error {
	for _, name := range reset {
		incident, known := open[name]
		if !known {
			continue
		}
		quiet, err := c.quiet(keep, name)
		if err != nil {
			return err
		}
		if quiet { // it waits for the end of that: its own end is told
			err = c.Store.SaveIncident(keep, recoveredQuietly(incident))
		} else {
			err = c.closeIncident(keep, done, incident)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *Cycle) openIncident(keep context.Context, done *link, e evaluation) error {
	id, err := c.Store.OpenIncident(keep, store.Incident{
		Service: e.service, Status: e.status, Fingerprint: e.fingerprint, OpenedAt: c.Now(), LastSeenAt: c.Now(),
	})
	if err != nil {
		return err
	}
	if err := c.Store.LinkSession(keep, id, done.session.ID, "", ""); err != nil {
		return err
	}
	text := fmt.Sprintf("%s is %s: incident %d opened", e.service, e.status, id)
	if e.found != "" {
		text += " (" + e.found + ")"
	}
	return c.say(keep, store.Warning, done.session.ID, e.service, text)
}

func (c *Cycle) continueIncident(keep context.Context, done *link, limits books.Limits, e evaluation, incident store.Incident) error {
	after, stuck := seenUnhealthy(incident, e.status, e.fingerprint, c.Now())
	if err := c.Store.SaveIncident(keep, after); err != nil {
		return err
	}
	if err := c.Store.LinkSession(keep, after.ID, done.session.ID, "", ""); err != nil {
		return err
	}
	if !stuck {
		return nil
	}
	text := fmt.Sprintf("%s is still %s, as before, although %d chains in a row ended as solved", e.service, e.status, hollowFixesToDeadEnd)
	if err := c.say(keep, store.Critical, done.session.ID, e.service, text); err != nil {
		return err
	}
	c.summary.needHuman(e.service, text)
	next, err := c.nextStep(keep, after, books.HollowFix)
	if err != nil {
		return err
	}
	why := fmt.Sprintf("Agents called it solved %d times in a row, and it is as before", hollowFixesToDeadEnd)
	return c.RequestAttention(keep, limits, after, books.Ask{Cause: books.HollowFix, Why: why, Next: next})
}

func (c *Cycle) closeIncident(keep context.Context, done *link, incident store.Incident) error {
	now := c.Now()
	incident = seenHealthy(incident)
	incident.Status, incident.ClosedAt, incident.LastSeenAt = check.Healthy, &now, now
	if err := c.Store.SaveIncident(keep, incident); err != nil {
		return err
	}
	c.summary.recovered(incident)
	text := fmt.Sprintf("%s recovered: healthy in %d cycles in a row, incident %d closed after %s",
		incident.Service, statefile.HealthyToReset, incident.ID, books.Span(now.Sub(incident.OpenedAt)))
	if err := c.say(keep, store.Info, done.session.ID, incident.Service, text); err != nil {
		return err
	}
	return c.TellRecovered(keep, incident)
}

// closeQuietly closes an incident whose service recovered while it was quiet and is unwell again: that is new trouble.
func (c *Cycle) closeQuietly(keep context.Context, done *link, incident store.Incident) error {
	now := c.Now()
	incident.Status, incident.ClosedAt = check.Healthy, &now
	if err := c.Store.SaveIncident(keep, incident); err != nil {
		return err
	}
	return c.say(keep, store.Info, done.session.ID, incident.Service,
		fmt.Sprintf("%s had recovered while nothing of it was told: incident %d closed", incident.Service, incident.ID))
}

// ended closes the chain after a tier that left no handoff that counts. A tier above the first that completed claims to have
// solved what it was started for; what the program's own checks then find healthy is, of the rest the next cycle's checks say. One
// that failed, or asked for help in a form that nobody could read, leaves to a human what is not found healthy.
func (c *Cycle) ended(keep context.Context, done *link) error {
	o := done.outcome
	v := verdict{}
	switch {
	case done.session.Tier == 1 && done.invalid:
		return c.tellUnwell(keep, books.InvalidHandoff, "Tier 1 asked for help in a form that could not be read")
	case done.session.Tier == 1:
		return c.watchFailures(keep, done)
	case o.Ending == tiers.Interrupted, done.unproven:
		return c.linkAll(keep, done, "", "interrupted")
	case o.Ending != tiers.Completed:
		ending := endingWords(o.Ending)
		v = verdict{attention: books.TierFailed, reason: fmt.Sprintf("Tier %d %s: %s", done.session.Tier, ending, o.Reason),
			own: func(string) string {
				return fmt.Sprintf("Tier %d looked at it and %s: %s", done.session.Tier, ending, o.Reason)
			}}
	case done.invalid:
		v = verdict{attention: books.Unresolved, reason: fmt.Sprintf("Tier %d asked for help in a form that could not be read", done.session.Tier),
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
		if err := c.askHuman(keep, done, still, verdict{attention: books.Unresolved, reason: reason, own: own}); err != nil {
			return err
		}
	}
	return c.eachIncident(keep, without(done.services, still), func(i store.Incident) error {
		if hold, err := c.Hold(keep, i.Service); err != nil || hold != (books.Hold{}) {
			return err
		}
		return c.Store.SaveIncident(keep, solved(i))
	})
}

// stillUnhealthy are the services of the chain that a session's own last checks or report find not healthy, each with why.
func (c *Cycle) stillUnhealthy(keep context.Context, done *link) (still, why []string, err error) {
	latest, err := c.Store.LatestBySession(keep, done.session.ID)
	for _, e := range evaluate(store.Results(latest), nil) {
		if e.status == check.Healthy || done.proven[e.service] || !slices.Contains(done.services, e.service) {
			continue
		}
		hold, err := c.Hold(keep, e.service)
		if err != nil {
			return nil, nil, err
		}
		if hold == (books.Hold{}) {
			still = append(still, e.service)
			why = append(why, strings.TrimSuffix(fmt.Sprintf("%s is %s: %s", e.service, e.status, e.found), ": "))
		}
	}
	return still, why, err
}

// linkAll keeps with each incident of the chain what a session found and tried.
func (c *Cycle) linkAll(keep context.Context, done *link, findings, attempted string) error {
	return c.eachIncident(keep, done.services, func(i store.Incident) error {
		return c.Store.LinkSession(keep, i.ID, done.session.ID, c.Redactor.String(clip(findings)), c.Redactor.String(clip(attempted)))
	})
}

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
	n := store.Notification{Kind: store.AgentFailing, Type: notify.Failure, Cause: string(books.NothingWatches), Title: "claudeops cannot watch"}
	watching := "nothing is being watched"
	if done.standIn != nil && done.standIn.outcome.Ending == tiers.Completed {
		n.Type, n.Cause = notify.Warning, string(books.TierFailed)
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
	letter := books.Letter{
		Why:  fmt.Sprintf("Tier 1 failed in the last %d cycles: %s", failuresToTell, watching),
		Look: []string{"claudeops doctor", fmt.Sprintf("claudeops sessions show %d", last[0].ID)},
	}
	how := func(s store.Session) string {
		return strings.TrimSuffix(strings.ReplaceAll(string(s.Status), "_", " ")+": "+s.Error, ": ")
	}
	if oldest := last[len(last)-1]; !slices.ContainsFunc(last, func(s store.Session) bool { return how(s) != how(last[0]) }) {
		letter.Facts = []string{
			fmt.Sprintf("each %s", how(last[0])), fmt.Sprintf("sessions %d to %d, %s", oldest.ID, last[0].ID, books.Between(oldest.StartedAt, last[0].StartedAt))}
		return c.Compose(letter)
	}
	for _, s := range last {
		letter.Facts = append(letter.Facts, fmt.Sprintf("session %d at %s: %s", s.ID, books.Moment(s.StartedAt), how(s)))
	}
	return c.Compose(letter)
}

// nextCycle is what happens next where nothing is in the way.
const nextCycle = "The next cycle tries again"

// nextStep is what claudeops does next about an incident of which people are asked, in a sentence without its full stop.
func (c *Cycle) nextStep(keep context.Context, i store.Incident, why books.Cause) (string, error) {
	at, waits := waitsUntil(i, c.Now())
	switch {
	case c.Config.DryRun:
		return "", nil
	case c.Config.MaxTier == 1:
		return "claudeops goes on watching, and does nothing else", nil
	case c.NoModel != "":
		return "claudeops goes on watching, and tries again when an agent can be started", nil
	case why == books.BudgetSpent:
		frees, err := c.Store.BudgetFrees(keep, c.Now(), c.Config.DailyBudgetUSD)
		if err != nil || frees.IsZero() {
			return nextCycle, err
		}
		return "claudeops tries again after " + books.Moment(frees) + ", or with a larger budget", nil
	case waits:
		return "claudeops tries again after " + books.Moment(at) + ", or as soon as it changes", nil
	}
	return nextCycle, nil
}

// askHuman ends a chain that needs one about services: the incident of each is a dead end until it changes, and a human is asked about
// it, or about a service without an incident. Nobody is asked about what is found healthy, or held back.
func (c *Cycle) askHuman(keep context.Context, done *link, services []string, v verdict) error {
	if v.attention == books.BudgetSpent {
		if err := c.overBudget(keep, done.session.Tier+1); err != nil {
			return err
		}
	}
	limits, err := c.Limits(keep)
	if err != nil {
		return err
	}
	return c.Together(keep, func() error { return c.askAbout(keep, done, limits, services, v) })
}

func (c *Cycle) askAbout(keep context.Context, done *link, limits books.Limits, services []string, v verdict) error {
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
		if hold != (books.Hold{}) {
			if err := c.say(keep, store.Info, done.session.ID, name, "nobody is told of "+name+": "+hold.Reason); err != nil {
				return err
			}
			continue
		}
		incident, known := open[name]
		if !known {
			incident = store.Incident{Service: name}
		} else if _, waits := waitsUntil(incident, c.Now()); !waits && v.deadEnd() {
			incident = deadEnd(incident, c.Now())
			if err := c.Store.SaveIncident(keep, incident); err != nil {
				return err
			}
		}
		c.summary.needHuman(name, v.reason)
		next, err := c.nextStep(keep, incident, v.attention)
		if err != nil {
			return err
		}
		if err := c.RequestAttention(keep, limits, incident, books.Ask{Cause: v.attention, Why: v.about(name), Next: next}); err != nil {
			return err
		}
	}
	return nil
}

func (c *Cycle) overBudget(keep context.Context, tier int) error {
	text := fmt.Sprintf("the last 24 h have cost CLAUDEOPS_DAILY_BUDGET_USD (%.2f): Tier %d was not started", c.Config.DailyBudgetUSD, tier)
	c.summary.needHuman("", text)
	body, err := c.budgetTold(keep, tier)
	if err != nil {
		return err
	}
	return c.Notify(keep, store.Notification{Kind: store.HumanAttention, Cause: string(books.BudgetSpent), Title: "The day's budget is spent", Body: body})
}

// budgetTold is the body of the message that a tier was not started: what cost how much, and when that is past.
func (c *Cycle) budgetTold(keep context.Context, tier int) (string, error) {
	now, budget := c.Now(), c.Config.DailyBudgetUSD
	spent, err := c.Store.CostSince(keep, now.Add(-24*time.Hour))
	if err != nil {
		return "", err
	}
	letter := books.Letter{
		Why: fmt.Sprintf("The last 24 h have cost %s, and CLAUDEOPS_DAILY_BUDGET_USD is %s: Tier %d was not started",
			books.Dollars(spent), books.Dollars(budget), tier),
		Look: []string{"claudeops sessions list"},
	}
	day, err := c.Store.Day(keep, now.Add(-24*time.Hour))
	if err != nil {
		return "", err
	}
	for _, t := range day.Tiers {
		letter.Facts = append(letter.Facts, fmt.Sprintf("Tier %d: %s in %s", t.Tier, books.Dollars(t.CostUSD), books.Counted(t.Sessions, "session")))
	}
	frees, err := c.Store.BudgetFrees(keep, now, budget)
	if err != nil {
		return "", err
	}
	if !frees.IsZero() {
		letter.Facts = append(letter.Facts, "models start again after "+books.Moment(frees)+", or with a larger budget")
	}
	if c.canProbe() {
		letter.Facts = append(letter.Facts, "the program's own checks go on")
	}
	return c.Compose(letter), nil
}

// eachIncident calls f for the open incident of each service that has one.
func (c *Cycle) eachIncident(keep context.Context, services []string, f func(store.Incident) error) error {
	open, err := c.Store.OpenIncidents(keep)
	if err != nil {
		return err
	}
	for _, name := range services {
		if i, known := open[name]; known {
			if err := f(i); err != nil {
				return err
			}
		}
	}
	return nil
}

// history is what earlier sessions of the services' open incidents found and tried, oldest first, so that nothing is tried twice.
func (c *Cycle) history(keep context.Context, services []string) (past []handoff.Attempt, err error) {
	err = c.eachIncident(keep, services, func(i store.Incident) error {
		sessions, err := c.Store.IncidentAttempts(keep, i.ID)
		if err != nil {
			return err
		}
		for _, s := range sessions {
			past = append(past, handoff.Attempt{
				Service: i.Service, Session: s.Session.ID, Tier: s.Session.Tier, At: s.Session.StartedAt,
				Findings: s.Findings, Attempted: s.Attempted,
			})
		}
		return nil
	})
	return past, err
}

// clip shortens a text at a rune's edge.
func clip(s string) string {
	if len(s) <= keptFindings {
		return s
	}
	return strings.ToValidUTF8(s[:keptFindings], "") + " …"
}
