package cycle

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/probe"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/tiers"
)

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

// examine looks at a service right before first aid, for what speaks against it now.
func (c *Cycle) examine(ctx, keep context.Context, done *tierRun, service string) (exam Exam, err error) {
	exam.Service = service
	s, _ := c.Inventory.Get(service)
	now, err := c.picture(keep)
	if err != nil {
		return exam, err
	}
	if exam.Why = machineShort(without(append([]string{"/", c.Config.StateDir}, disks()...), s.Checks)); exam.Why != "" {
		return exam, nil
	}
	if exam.Why = c.restartsAnother(ctx, s); exam.Why != "" {
		return exam, nil
	}
	if exam.Why, err = c.deployedBefore(ctx, keep, s, now.Service(service).AboutNow(c.Redactor.String).Incident); err != nil || exam.Why != "" {
		return exam, err
	}
	if exam.Why, err = c.notDownNow(ctx, keep, done, s); err != nil || exam.Why != "" {
		return exam, err
	}
	exam.Why, err = c.aidBefore(keep, done.observer(), s, done.tried[service])
	return exam, err
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

// giveFirstAid does the first aid of a service once, as a session of Tier 2, and proves it.
func (c *Cycle) giveFirstAid(ctx, keep context.Context, done *tierRun, service string) error {
	if ctx.Err() != nil {
		return nil
	}
	s, _ := c.Inventory.Get(service)
	observer := done.observer()
	run := newRun(2, store.FirstAid, observer)
	run.services = []string{s.Name}
	var err error
	if run.session, err = c.addSession(keep, run); err != nil {
		return err
	}
	if _, err := c.round(keep, observer.session.ID, nil, func(p *planner) { p.add(escalated{}) }); err != nil {
		return err
	}
	way := s.Aid()
	if err := c.keepEvidence(ctx, keep, run, way); err != nil {
		return err
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
		return err
	}
	if len(acts) == 0 {
		return c.notRun(ctx, keep, done, run)
	}
	did := c.aidDone(acts[0].Detail, run.outcome)
	run.outcome.Response = strings.TrimSpace("first aid: " + did + "\n" + run.outcome.Response)
	if err := c.concludeTier(keep, run); err != nil {
		return err
	}
	if err := c.prove(ctx, keep, run); err != nil {
		return err
	}
	p, err := c.roundOf(ctx, keep, run, Exam{}, func(p *planner) {
		p.planAwaited()
		p.planOutdated()
		p.planAidGiven(s.Name, did)
	})
	if err != nil {
		return err
	}
	done.take(p)
	done.proven[s.Name] = run.proven[s.Name]
	done.attempted(s.Name, p.again && done.tried[s.Name]+1 < s.FirstAid.Attempts)
	return nil
}

// attempted counts an attempt at first aid for a service. again says that another one may be made in this cycle.
func (run *tierRun) attempted(service string, again bool) {
	if run.tried == nil {
		run.tried = map[string]int{}
	}
	run.tried[service]++
	if !again {
		run.aidOver(service)
	}
}

// keepEvidence keeps in the incident what first aid will destroy. Nothing is watched meanwhile, so an engine that does not answer is not
// waited for more than once.
func (c *Cycle) keepEvidence(ctx, keep context.Context, run *tierRun, way inventory.Way) error {
	looking, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	return c.link(keep, run, c.evidence(looking, way), "")
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
func (c *Cycle) notRun(ctx, keep context.Context, done, run *tierRun) error {
	service := run.services[0]
	why := strings.TrimPrefix(strings.TrimPrefix(run.outcome.Response, "claudeops: "), "not run: ")
	run.outcome.Response = "not run: " + why
	if err := c.concludeTier(keep, run); err != nil {
		return err
	}
	p, err := c.roundOf(ctx, keep, done.observer(), Exam{}, func(p *planner) {
		p.planOutdated()
		if proposal := p.service(service).Proposal; proposal != nil {
			why = notify.ProposalWaits(*proposal)
		} else if run.outcome.Ending != tiers.Completed {
			why = run.outcome.Reason
		}
		p.noAid(service, why)
	})
	if err != nil {
		return err
	}
	done.take(p)
	return nil
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
