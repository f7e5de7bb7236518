package cycle

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/claudeops/claudeops/books"
	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/handoff"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/probe"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/tiers"
)

// agentProbe is the sessions.agent of the program's own checks.
const agentProbe = "probe"

// canProbe reports whether there is anything to probe, and anything to do it with.
func (c *Cycle) canProbe() bool {
	return c.Probes != nil && c.Inventory != nil && slices.ContainsFunc(c.Inventory.Services, probed)
}

func probed(s inventory.Service) bool { return len(s.Checks) > 0 }

// probeSpec runs the probes as a tier: a process like any agent, but of our own code, with the operator's environment.
func (c *Cycle) probeSpec(keep context.Context, s store.Session, log *sessionLog) (tiers.Spec, error) {
	self, err := os.Executable()
	if err != nil {
		return tiers.Spec{}, fmt.Errorf("find this program's own file: %w", err)
	}
	environ := slices.Clone(c.Environ)
	for name, value := range c.sessionVariables(s) {
		environ = append(environ, name+"="+value)
	}
	return tiers.Spec{
		Tier: s.Tier, Bin: self, Args: []string{"probe", "--agent", "--env-file", os.DevNull}, // the environment has what the file says
		Timeout: c.Config.Tier(s.Tier).Timeout, Dir: c.Config.StateDir, Environ: environ, Redactor: c.Redactor, Log: log,
		Started: func(p tiers.ProcessID) error { return c.Store.SetSessionProcess(keep, s.ID, p.PID, p.Start, p.BootID) },
	}, nil
}

// probe makes the checks of services within limit and keeps what they find as results of a session.
func (c *Cycle) probe(ctx, keep context.Context, s store.Session, services []inventory.Service, limit time.Duration) ([]check.Result, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	report := probe.Run(ctx, services, c.Probes, probe.Settings{Environ: c.Environ, Restarts: c.restarts, Now: c.Now}, probe.Bounds{}, nil)
	maps.Copy(c.counted, report.Restarts)
	if len(report.Unchecked) > 0 {
		if err := c.say(keep, store.Warning, s.ID, "", "not checked within "+limit.String()+": "+strings.Join(report.Unchecked, ", ")); err != nil {
			return nil, err
		}
	}
	_, err := c.Probed(keep, s.ID, s.Tier, report.Results, nil)
	return report.Results, err
}

// prepare makes the checks that a model need not make any more and renders what they found for its context.
func (c *Cycle) prepare(ctx, keep context.Context, s store.Session) (string, error) {
	results, err := c.probe(ctx, keep, s, c.Inventory.Services, c.Config.Tier(s.Tier).Timeout/2)
	if err != nil {
		return "", err
	}
	text, cut := handoff.Probed(results)
	if cut.Any() {
		err = c.say(keep, store.Warning, s.ID, "", "probe results in the context truncated: "+cut.String())
	}
	return c.Redactor.String(text), err
}

// standsIn ends a cycle whose Tier 1 failed and whose probes ran in its place: people are told what is down, and the next cycle
// decides about tiers (SPEC-0016: wait for the next cycle).
func (c *Cycle) standsIn(keep context.Context, done *link) error {
	open, err := c.Store.OpenIncidents(keep)
	if err != nil {
		return err
	}
	for _, e := range c.found {
		if _, held := c.held[e.service]; held || e.status == check.Healthy {
			continue
		}
		reason := fmt.Sprintf("%s is %s, by the program's own checks; nobody looks further in this cycle, because Tier 1 %s: %s",
			e.service, e.status, done.outcome.Ending, done.outcome.Reason)
		c.summary.needHuman(e.service, reason)
		if err := c.RequestAttention(keep, open[e.service], books.ModelFailed, reason); err != nil {
			return err
		}
	}
	return errors.Join(c.watchFailures(keep, done), c.watchFailures(keep, done.standIn))
}

// prove makes the checks again of what a chain is about, after a tier that could have changed it: whether something is fixed is what
// a check says (DESIGN.md §4 "Fixed is what a check says").
func (c *Cycle) prove(ctx, keep context.Context, done *link) error {
	if done.session.Tier == 1 || done.outcome.Ending == tiers.Interrupted || ctx.Err() != nil || !c.canProbe() {
		return nil
	}
	services := c.checked(done.services)
	if len(services) == 0 {
		return nil
	}
	remediated, err := c.remediated(keep, done.session.ID)
	if err != nil {
		return err
	}
	wait(ctx, settleTime(services, remediated))
	results, err := c.probe(ctx, keep, done.session, services, done.limit(c.Config))
	if err != nil {
		return err
	}
	if err := c.takeView(keep, done); err != nil {
		return err
	}
	now, before := check.Worst(results), check.Worst(c.view)
	for name, status := range now {
		done.proven[name] = status == check.Healthy && before[name] == check.Healthy
	}
	return c.tellProven(keep, done, remediated)
}

// takeView adds what a tier's session found to what is known: a check that sees nothing of a trouble does not prove its end.
func (c *Cycle) takeView(keep context.Context, done *link) error {
	latest, err := c.Store.LatestBySession(keep, done.session.ID)
	c.view = overruled(c.view, store.Results(latest))
	return err
}

// limit is how long a tier's checks may take when it has ended.
func (l *link) limit(c config.Config) time.Duration { return c.Tier(l.session.Tier).Timeout / 4 }

// checked are the named services that have checks.
func (c *Cycle) checked(names []string) (services []inventory.Service) {
	for _, name := range names {
		if s, known := c.Inventory.Get(name); known && probed(*s) {
			services = append(services, *s)
		}
	}
	return services
}

// remediated is how often a session remediated each service.
func (c *Cycle) remediated(keep context.Context, session int64) (map[string]int, error) {
	acts, err := c.Store.SessionActs(keep, session)
	count := map[string]int{}
	for _, a := range acts {
		count[a.Service]++
	}
	return count, err
}

// settleTime is what those of services need that were remediated; nothing where none was.
func settleTime(services []inventory.Service, remediated map[string]int) (longest time.Duration) {
	for _, s := range services {
		if remediated[s.Name] > 0 {
			longest = max(longest, s.Settle)
		}
	}
	return longest
}

// wait waits, or until ctx ends.
func wait(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// tellProven says of each service that a tier left healthy whether the tier did it, and people where it did.
func (c *Cycle) tellProven(keep context.Context, done *link, remediated map[string]int) error {
	open, err := c.Store.OpenIncidents(keep)
	if err != nil {
		return err
	}
	for _, name := range done.services {
		if !done.proven[name] {
			continue
		}
		if incident, known := open[name]; known {
			if err := c.Store.SaveIncident(keep, solved(incident)); err != nil {
				return err
			}
		}
		if remediated[name] == 0 {
			text := fmt.Sprintf("%s is healthy again, by its checks; Tier %d remediated nothing there", name, done.session.Tier)
			if err := c.say(keep, store.Info, done.session.ID, name, text); err != nil {
				return err
			}
			continue
		}
		text := fmt.Sprintf("%s remediated by Tier %d: its checks are healthy again", name, done.session.Tier)
		if err := c.say(keep, store.Info, done.session.ID, name, text); err != nil {
			return err
		}
		c.summary.remediated(name, done.session)
		if c.maintained(name) {
			continue
		}
		if err := c.tellRemediated(keep, done, name, open[name], text); err != nil {
			return err
		}
	}
	return nil
}

func (c *Cycle) tellRemediated(keep context.Context, done *link, service string, incident store.Incident, text string) error {
	acts, err := c.Store.SessionActs(keep, done.session.ID)
	if err != nil {
		return err
	}
	lines := []string{text + ".", ""}
	for _, a := range acts {
		if a.Service == service {
			lines = append(lines, fmt.Sprintf("- %s at %s", a.Action, a.CreatedAt.UTC().Format(time.RFC3339)))
		}
	}
	n := store.Notification{Kind: store.Remediated, Service: service, Title: service + " remediated"}
	if incident.ID != 0 {
		n.IncidentID = &incident.ID
		lines = append(lines, "", fmt.Sprintf("Everything: `claudeops incidents show %d`", incident.ID))
	}
	n.Body = strings.Join(lines, "\n")
	return c.Notify(keep, n)
}

// holdBack finds which of the services found unwell are held back.
func (c *Cycle) holdBack(keep context.Context) error {
	c.held = map[string]books.Hold{}
	for _, e := range c.found {
		if e.status == check.Healthy {
			continue
		}
		hold, err := c.Hold(keep, e.service)
		if err != nil {
			return err
		}
		if hold != (books.Hold{}) {
			c.held[e.service] = hold
		}
	}
	return nil
}
