package cycle

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
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

// examine looks at a service right before first aid: for the first fact that speaks against it, and else for what it would destroy.
func (c *Cycle) examine(ctx context.Context, done *tierRun, next Next) (exam Exam, err error) {
	s, _ := c.Inventory.Get(next.Service)
	mounts, _ := os.ReadFile("/proc/self/mountinfo")
	folders := append([]string{"/", c.Config.StateDir}, disksOf(string(mounts))...)
	looking, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	is := c.inspect(looking, s.Aid())
	exam.Service = s.Name
	for _, ask := range []func() (string, error){
		func() (string, error) { return machineShort(without(folders, s.Checks)), nil },
		func() (string, error) { return c.deployedBefore(ctx, next, is) },
		func() (string, error) { return c.notDownNow(ctx, done, s) },
		func() (string, error) { return c.aidBefore(ctx, done.observer(), s, done.tried[s.Name]) },
	} {
		if exam.Why, err = ask(); err != nil || exam.Why != "" {
			return exam, err
		}
	}
	looking, cancel = context.WithTimeout(ctx, lookTime)
	defer cancel()
	exam.Evidence = c.evidence(looking, s.Aid(), is)
	return exam, nil
}

// afterDeployment is how long after a deployment new trouble is held to come from it.
const afterDeployment = 15 * time.Minute

// deployedBefore returns that the trouble of a service began with a deployment, as a clause; empty if it did not, or if that is not known.
// A deployment after which the checks have found the service healthy is not the cause.
func (c *Cycle) deployedBefore(ctx context.Context, of Next, is target) (string, error) {
	if is.deployed.IsZero() || is.deployed.Before(of.Since.Add(-afterDeployment)) {
		return "", nil
	}
	healthy, err := c.Store.HealthySince(ctx, of.Service, is.deployed)
	if err != nil || healthy {
		return "", err
	}
	return fmt.Sprintf("its trouble began with a deployment: %s at %s", is.how, text.Moment(is.deployed)), nil
}

// notDownNow makes the checks of a service again, right before an act on it, and returns as a clause that they do not find it down; empty
// if they do. What was found before may be long over: a model, or the first aid of another service, has worked since.
func (c *Cycle) notDownNow(ctx context.Context, done *tierRun, s *inventory.Service) (string, error) {
	round := store.Session{Tier: 2, RunToken: done.session.RunToken} // of no session: a tier's has only results of the tier's own work
	report, err := c.probe(ctx, round, []inventory.Service{*s}, c.Config.Tier(done.session.Tier).Timeout/4)
	if err != nil {
		return "", err
	}
	c.view = overruled(c.view, report.Results)
	if found := check.Worst(report.Results)[s.Name]; found != check.Down {
		return fmt.Sprintf("the checks right before it find it %s", found), nil
	}
	return "", nil
}

// retryAid is how long first aid that did not help is not given again in its incident.
const retryAid = time.Hour

// What ends the attempt that an incident keeps of first aid.
const (
	outcomeUnknown = "; it is not known whether it helped"
	inVain         = "; the checks after it do not find it healthy"
)

// aidBefore returns, as a clause, why no more attempts at first aid for a service are left, whose checks find it down now; empty if some
// are. n are made in this cycle. Those that a killed cycle cut off count, and one that did not help is the last for retryAid, of the
// service or of one with the same first aid. What the checks found healthy since, is as old as an incident that does not return, or is of
// a clock that was ahead, does not count.
func (c *Cycle) aidBefore(ctx context.Context, done *tierRun, s *inventory.Service, n int) (why string, err error) {
	left := s.FirstAid.Attempts - n
	err = c.eachIncident(ctx, c.aidedBy(s.Aid()), func(i store.Incident) error {
		it := "it"
		if i.Service != s.Name {
			it = "the same for " + i.Service
		}
		sessions, err := c.Store.IncidentAttempts(ctx, i.ID)
		for _, a := range sessions {
			at := a.Session.StartedAt
			own := a.Session.ParentID != nil && *a.Session.ParentID == done.session.ID && i.Service == s.Name
			if a.Session.Agent != store.FirstAid || own || at.Before(c.Now().Add(-store.ReturnWithin)) || at.After(c.Now().Add(retryAid)) {
				continue
			}
			acts, failed := c.Store.SessionActs(ctx, a.Session.ID)
			healthy, unknown := c.Store.HealthySince(ctx, s.Name, at)
			switch {
			case failed != nil || unknown != nil:
				return errors.Join(failed, unknown)
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

// giveFirstAid does the first aid of a service once, as a session of Tier 2.
func (c *Cycle) giveFirstAid(ctx context.Context, done *tierRun, exam Exam) error {
	s, _ := c.Inventory.Get(exam.Service)
	verb := guard.Verb{Action: guard.Restart, Name: s.Name, Why: "First aid: the services file names it"}
	if s.FirstAid.Do != "" {
		verb.Action, verb.Do = guard.Named, s.FirstAid.Do
	}
	run := newRun(2, store.FirstAid, done.observer())
	run.services = []string{s.Name}
	did := ""
	p, err := c.actAlone(ctx, run, alone{
		found: exam.Evidence,
		act: func(ctx context.Context, w *workplace, out io.Writer) (int, error) {
			return w.do(ctx, "first-aid", verb, c.workDir(), out, out)
		},
		ended: func(o *tiers.Outcome, acts []store.Act) {
			if len(acts) == 0 {
				did = strings.TrimPrefix(strings.TrimPrefix(o.Response, "claudeops: "), "not run: ")
				o.Response = "not run: " + did
				return
			}
			did = c.aidDone(acts[0].Detail, *o)
			o.Response = strings.TrimSpace("first aid: " + did + "\n" + o.Response)
		},
		kind: AidGiven, round: func(r *Round) { r.Did, r.Tried = did, done.tried[s.Name] },
	})
	if err != nil {
		return err
	}
	done.take(p)
	done.tried[s.Name]++
	maps.Copy(done.proven, run.proven)
	return nil
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
