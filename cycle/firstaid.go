package cycle

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/handoff"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/probe"
	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/tiers"
)

// firstAid gives first aid to the services that Tier 1 hands off, one service after the other, and takes those that are healthy
// then off the handoff. What is left is for a model, or for a human.
func (c *Cycle) firstAid(ctx, keep context.Context, done *tierRun) error {
	if done.session.Tier != 1 {
		return nil
	}
	ours := check.Worst(ownResults(done.checks))
	looked := false
	for _, name := range slices.Clone(done.handoff.ServicesAffected) {
		s, known := c.Inventory.Get(name)
		if !known || !s.FirstAid.Given() {
			continue
		}
		for n := range s.FirstAid.Attempts {
			if ctx.Err() != nil {
				break
			}
			tried, again, err := c.attempt(ctx, keep, done, s, ours[s.Name], n)
			if err != nil {
				return err
			}
			if looked = looked || tried; !again {
				break
			}
		}
	}
	if !looked {
		return nil
	}
	return c.narrow(keep, done)
}

// aidWithoutHandoff gives first aid where the model of Tier 1 has failed or left no valid handoff: what the program's own checks find down
// needs neither.
func (c *Cycle) aidWithoutHandoff(ctx, keep context.Context, done *tierRun) (err error) {
	seen := done
	if done.standIn != nil {
		seen = done.standIn
	}
	if done.session.Tier != 1 || !done.invalid && done.standIn == nil || seen.outcome.Ending != tiers.Completed {
		return nil
	}
	if seen.checks, err = c.Store.LatestBySession(keep, seen.session.ID); err != nil {
		return err
	}
	seen.handoff = &handoff.Handoff{}
	for _, e := range c.unwell() {
		seen.handoff.ServicesAffected = append(seen.handoff.ServicesAffected, e.service)
	}
	err = c.firstAid(ctx, keep, seen)
	maps.Copy(done.proven, seen.proven)
	done.aid, seen.handoff = seen.aid, nil
	return err
}

// aidBefore returns, as a clause, why no more attempts at first aid for a service are left, whose checks find it down now; empty if some
// are. n are made in this cycle. Those that a killed cycle cut off count, and one that did not help is the last for retryAid, of the
// service or of one with the same first aid. What the checks found healthy since, is as old as an incident that does not return, or is of
// a clock that was ahead, does not count.
func (c *Cycle) aidBefore(keep context.Context, done *tierRun, s *inventory.Service, n int) (why string, err error) {
	left := s.FirstAid.Attempts - n
	err = c.eachIncident(keep, c.aidedBy(s.Aid()), func(i store.Incident) error {
		it := "it"
		if i.Service != s.Name {
			it = "the same for " + i.Service
		}
		sessions, err := c.Store.IncidentAttempts(keep, i.ID)
		for _, a := range sessions {
			at, own := a.Session.StartedAt, a.Session.ParentID != nil && *a.Session.ParentID == done.session.ID && i.Service == s.Name
			if a.Session.Agent != store.FirstAid || own || at.Before(c.Now().Add(-store.ReturnWithin)) || at.After(c.Now().Add(retryAid)) {
				continue
			}
			acts, err := c.Store.SessionActs(keep, a.Session.ID)
			if err != nil {
				return err
			}
			healthy, err := c.Store.HealthySince(keep, s.Name, at)
			if err != nil {
				return err
			}
			switch {
			case len(acts) == 0 || healthy:
			case a.Attempted == "" || strings.HasSuffix(a.Attempted, outcomeUnknown):
				if left--; left <= 0 {
					why = fmt.Sprintf("%s was given at %s, and its cycle ended before the checks after it", it, text.Moment(at))
				}
			case c.Now().Before(at.Add(retryAid)):
				left, why = 0, fmt.Sprintf("%s did not help at %s; next try after %s", it, text.Moment(at), text.Moment(at.Add(retryAid)))
			}
		}
		return err
	})
	return why, err
}

// aidedBy returns the services whose first aid is done in this way.
func (c *Cycle) aidedBy(w inventory.Way) (names []string) {
	engine := probe.EngineProgram(c.Environ)
	for _, s := range c.Inventory.Services {
		if own := s.Aid(); own.Given() && own.Dir == w.Dir && slices.Equal(own.RestartArgv(engine), w.RestartArgv(engine)) {
			names = append(names, s.Name)
		}
	}
	return names
}

// retryAid is how long first aid that did not help is not given again in its incident.
const retryAid = time.Hour

// What ends the attempt that an incident keeps of first aid.
const (
	outcomeUnknown = "; it is not known whether it helped"
	inVain         = "; the checks after it do not find it healthy"
)

// attempt gives first aid to a service once, unless something speaks against it. looked is set if its checks were made again, and again if
// another attempt may help. found is what the program's own checks found before; n attempts are made in this cycle.
func (c *Cycle) attempt(ctx, keep context.Context, done *tierRun, s *inventory.Service, found check.Status, n int) (looked, again bool, err error) {
	why, err := c.noFirstAid(ctx, keep, s, found)
	if err == nil && why == "" {
		looked = true
		why, err = c.notDownNow(ctx, keep, done, s)
	}
	if err == nil && why == "" {
		why, err = c.aidBefore(keep, done, s, n)
	}
	switch {
	case err != nil || ctx.Err() != nil:
	case why != "":
		err = c.withoutFirstAid(keep, done, s.Name, why)
	default:
		again, err = c.giveFirstAid(ctx, keep, done, s)
	}
	return looked, again, err
}

// noFirstAid returns why a service is given no first aid now, as a clause; empty if it is. found is what the program's own checks
// found.
func (c *Cycle) noFirstAid(ctx, keep context.Context, s *inventory.Service, found check.Status) (string, error) {
	switch many := c.downAtOnce(); {
	case found != check.Down:
		return "the program's own checks do not find it down", nil
	case c.Config.DryRun:
		return "CLAUDEOPS_DRY_RUN is set", nil
	case c.Config.MaxTier < 2:
		return "CLAUDEOPS_MAX_TIER is 1", nil
	case s.MaxTier == 1:
		return "its max_tier is 1", nil
	case c.Config.MaxServicesPerHour > 0 && many > c.Config.MaxServicesPerHour:
		return fmt.Sprintf("%s are down at once, which has one cause: CLAUDEOPS_MAX_SERVICES_PER_HOUR is %d", text.Count(many, "service"), c.Config.MaxServicesPerHour), nil
	}
	status := check.Worst(slices.DeleteFunc(slices.Clone(c.view), func(r check.Result) bool { return r.Type == records.ByAlert }))
	for _, name := range s.DependsOn { // one that is down holds the whole trouble back; a restart does not help against one that is slow
		if name = c.Inventory.NameOf(name); status[name].Unwell() {
			return fmt.Sprintf("%s, on which it depends, is %s", name, status[name]), nil
		}
	}
	if why, err := c.Untouchable(keep, s.Name); err != nil || why != "" {
		return why, err
	}
	limits, err := c.Limits(keep, s.Name)
	if err != nil {
		return "", err
	}
	counted := statefile.Restart
	if s.FirstAid.Do != "" {
		counted = statefile.Other
	}
	if p, err := limits.Of(keep, s.Name, counted); err != nil || !p.Permitted() {
		return "its limit is reached: " + p.String(), err
	}
	incident, _, err := c.Store.LastIncident(keep, s.Name)
	if err != nil {
		return "", err
	}
	if at, waits := waitsUntil(incident, c.Now()); waits {
		return "it is as it was when a human was asked; next try after " + text.Moment(at), nil
	}
	if short := machineShort(without(append([]string{"/", c.Config.StateDir}, disks()...), s.Checks)); short != "" {
		return short, nil
	}
	if why := c.restartsAnother(ctx, s); why != "" {
		return why, nil
	}
	return c.deployedBefore(ctx, keep, s, incident)
}

// notDownNow makes the checks of a service again, right before an act on it, and returns as a clause that they do not find it down; empty
// if they do. What was found before may be long over: a model, or the first aid of another service, has worked since.
func (c *Cycle) notDownNow(ctx, keep context.Context, done *tierRun, s *inventory.Service) (string, error) {
	round := store.Session{Tier: 2, RunToken: done.session.RunToken} // of no session: a tier's has only results of the tier's own work
	report, err := c.probe(ctx, keep, round, []inventory.Service{*s}, c.Config.Tier(done.session.Tier).Timeout/4)
	if err != nil {
		return "", err
	}
	c.view = overruled(c.view, report.Results)
	if found := check.Worst(report.Results)[s.Name]; found != check.Down {
		return fmt.Sprintf("the checks right before it find it %s", found), nil
	}
	return "", nil
}

// downAtOnce returns how many services are down now for a reason of their own: neither under a service that they depend on, nor in
// maintenance or silenced, nor by an alert alone, which names what its sender likes.
func (c *Cycle) downAtOnce() (count int) {
	for _, e := range c.found {
		if hold := c.held[e.service]; e.status == check.Down && hold.Under == "" && !hold.Quiet && !c.onlyAlerts[e.service] {
			count++
		}
	}
	return count
}

// withoutFirstAid records why a service got no first aid, for the model and the human that are next: once in an incident, until the
// reason changes by more than its numbers and times.
func (c *Cycle) withoutFirstAid(keep context.Context, done *tierRun, service, why string) error {
	done.tellOfAid(service, "No first aid: "+why)
	message := c.Redactor.String("no first aid for " + service + ": " + why)
	known := false
	if err := c.eachIncident(keep, []string{service}, func(i store.Incident) error {
		before, err := c.Store.IncidentAttempts(keep, i.ID)
		if err != nil {
			return err
		}
		findings := message
		for _, b := range before {
			known = known || slices.ContainsFunc(strings.Split(b.Findings, "\n"), func(line string) bool { return withoutNumbers(line) == withoutNumbers(message) })
			if b.Session.ID == done.session.ID && b.Findings != "" {
				findings = b.Findings + "\n" + message
			}
		}
		if known {
			return nil
		}
		return c.Store.LinkSession(keep, i.ID, done.session.ID, findings, "")
	}); err != nil || known {
		return err
	}
	return c.event(keep, store.Info, done.session.ID, service, message)
}

// giveFirstAid does the first aid of a service once, as a session of Tier 2, and proves it. again is set if it has run in vain.
func (c *Cycle) giveFirstAid(ctx, keep context.Context, done *tierRun, s *inventory.Service) (again bool, err error) {
	run := newRun(2, store.FirstAid, done)
	run.services = []string{s.Name}
	if run.session, err = c.addSession(keep, run); err != nil {
		return false, err
	}
	if err := c.escalated(keep, done); err != nil {
		return false, err
	}
	way := s.Aid()
	if err := c.keepEvidence(ctx, keep, run, way); err != nil {
		return false, err
	}
	verb := guard.Verb{Action: guard.Restart, Name: s.Name, Why: "First aid: the services file names it"}
	if s.FirstAid.Do != "" {
		verb.Action, verb.Do = guard.Named, s.FirstAid.Do
	}
	if err := c.actAlone(ctx, keep, run, func(ctx context.Context, w *workplace, out io.Writer) (int, error) {
		return w.do(ctx, "first-aid", verb, c.workDir(), out, out)
	}); err != nil {
		run.fails(err.Error())
	}
	acts, err := c.Store.SessionActs(keep, run.session.ID)
	if err != nil {
		return false, err
	}
	if len(acts) == 0 {
		return false, c.notRun(keep, done, run, s.Name)
	}
	did := c.aidDone(acts[0].Detail, run.outcome)
	run.outcome.Response = strings.TrimSpace("first aid: " + did + "\n" + run.outcome.Response)
	if err := c.concludeTier(keep, run); err != nil {
		return false, err
	}
	if err := c.prove(ctx, keep, run); err != nil {
		return false, err
	}
	if err := c.awaitAlerts(keep, run); err != nil {
		return false, err
	}
	if err := c.readProposalsAgain(keep); err != nil {
		return false, err
	}
	return c.tellOfFirstAid(keep, done, run, s.Name, did)
}

// keepEvidence keeps in the incident what first aid will destroy. Nothing is watched meanwhile, so an engine that does not answer is not
// waited for more than once.
func (c *Cycle) keepEvidence(ctx, keep context.Context, run *tierRun, way inventory.Way) error {
	looking, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	return c.linkAll(keep, run, c.evidence(looking, way), "")
}

// aidDone returns a command, its exit status and, if it failed, how its output begins. The command is shortened so that what is said behind
// it is kept too.
func (c *Cycle) aidDone(command string, o tiers.Outcome) string {
	did := "`" + text.Shorten(command, maxLoggedCommand) + "`, " + cmp.Or(o.Reason, fmt.Sprintf("exit status %d", o.ExitCode))
	if said := text.Unlinked(notify.Masked(o.Response, c.Redactor.String, maxAidSaid)); o.ExitCode != 0 && said != "" {
		did += ": " + said
	}
	return did
}

// maxAidSaid limits what is told of the output of first aid, in characters.
const maxAidSaid = 120

// notRun records that first aid was not run: the broker refused it, it waits for a person, or its session failed before it.
func (c *Cycle) notRun(keep context.Context, done, run *tierRun, service string) error {
	why := strings.TrimPrefix(strings.TrimPrefix(run.outcome.Response, "claudeops: "), "not run: ")
	run.outcome.Response = "not run: " + why
	if err := c.concludeTier(keep, run); err != nil {
		return err
	}
	if err := c.readProposalsAgain(keep); err != nil {
		return err
	}
	if p, waits := c.proposed[service]; waits {
		why = c.proposalHold(p.Service).Reason
	} else if run.outcome.Ending != tiers.Completed {
		why = run.outcome.Reason
	}
	return c.withoutFirstAid(keep, done, service, why)
}

// tellOfFirstAid records what came of first aid that was given. did is the command and its exit status.
func (c *Cycle) tellOfFirstAid(keep context.Context, done, run *tierRun, service, did string) (again bool, err error) {
	became := inVain
	switch done.proven[service] = run.proven[service]; {
	case run.unproven:
		became = outcomeUnknown
	case run.proven[service]:
		became = "; the checks after it find it healthy"
	default:
		again = run.outcome.Ending == tiers.Completed && c.proposed[service].ID == 0
		done.tellOfAid(service, fmt.Sprintf("First aid did not help, and is next tried after %s: %s", text.Moment(run.session.StartedAt.Add(retryAid)), did))
		if err := c.event(keep, store.Warning, run.session.ID, service, "first aid for "+service+" did not help: "+did); err != nil {
			return false, err
		}
	}
	return again, c.linkAll(keep, run, "", "first aid: "+did+became)
}

// escalated marks the session of a tier as one that started the next.
func (c *Cycle) escalated(keep context.Context, done *tierRun) error {
	for n, t := range c.summary.Tiers {
		if t.Session == done.session.ID {
			c.summary.Tiers[n].Status = store.Escalated
		}
	}
	return c.Store.SetSessionStatus(keep, done.session.ID, store.Escalated)
}

// afterDeployment is how long after a deployment new trouble is held to come from it.
const afterDeployment = 15 * time.Minute

// deployedBefore returns that the trouble of a service began with a deployment, as a clause; empty if it did not, or if that is not known.
// A deployment after which the checks have found the service healthy is not the cause.
func (c *Cycle) deployedBefore(ctx, keep context.Context, s *inventory.Service, i store.Incident) (string, error) {
	looking, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	at, what := c.deployed(looking, s.Aid())
	if at.IsZero() || at.Before(i.OpenedAt.Add(-afterDeployment)) {
		return "", nil
	}
	healthy, err := c.Store.HealthySince(keep, s.Name, at)
	if err != nil || healthy {
		return "", err
	}
	return fmt.Sprintf("its trouble began with a deployment: %s at %s", what, text.Moment(at)), nil
}

// generated begins the paths of files that systemd makes anew whenever it reads its configuration. What they are made of is the unit's
// SourcePath.
const generated = "/run/systemd/generator"

// deployed returns when what first aid restarts was last deployed; zero if that is not known.
func (c *Cycle) deployed(ctx context.Context, w inventory.Way) (at time.Time, what string) {
	switch w.Kind {
	case inventory.Container, inventory.Compose:
		return c.newest(ctx, w, ".Created"), "its container was created"
	case inventory.Unit:
		if w.SSH != "" {
			return at, what
		}
		out, _ := c.looker().run(ctx, []string{"systemctl", "show", "--property=FragmentPath", "--property=SourcePath", "--property=DropInPaths", "--value", w.Name})
		for _, file := range strings.Fields(out) {
			if strings.HasPrefix(file, generated) {
				continue
			}
			if is, err := os.Stat(file); err == nil && is.ModTime().After(at) {
				at, what = is.ModTime(), file+" was changed"
			}
		}
	}
	return at, what
}

// newest returns the newest time in a field of the containers that a way restarts; zero if that is not known.
func (c *Cycle) newest(ctx context.Context, w inventory.Way, field string) (at time.Time) {
	look := c.looker()
	names, _ := c.containers(ctx, look, w) // evidence says why there are none
	if len(names) == 0 {
		return at
	}
	json := "{{json " + field + "}}" // podman writes a time otherwise
	inspect := append([]string{"inspect", "--type", "container", "--format", json}, names...)
	out, _ := look.run(ctx, w.EngineArgv(probe.EngineProgram(c.Environ), inspect...))
	for line := range strings.Lines(out) {
		if moment, err := time.Parse(time.RFC3339Nano, strings.Trim(line, "\" \n")); err == nil && moment.After(at) {
			at = moment
		}
	}
	return at
}
