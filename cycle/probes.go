package cycle

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/handoff"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/probe"
	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/tiers"
)

// agentProbe is the sessions.agent of the program's own checks.
const agentProbe = "probe"

// probeSpec runs the probes as a tier: a process like any agent, but of our own code, with the operator's environment.
func (c *Cycle) probeSpec(keep context.Context, s store.Session, log *sessionLog) (tiers.Spec, error) {
	self, err := os.Executable()
	if err != nil {
		return tiers.Spec{}, fmt.Errorf("find this program's own file: %w", err)
	}
	environ := slices.Clone(c.Environ)
	for name, value := range c.sessionVariables(s, c.Config.StateDir) {
		environ = append(environ, name+"="+value)
	}
	return tiers.Spec{
		Tier: s.Tier, Bin: self, Args: []string{"probe", "--agent", "--env-file", os.DevNull}, // the environment has what the file says
		Timeout: c.Config.Tier(s.Tier).Timeout, Dir: c.Config.StateDir, Environ: environ, Redactor: c.Redactor, Log: log,
		Started: c.recordProcess(keep, s),
	}, nil
}

// probe makes the checks of services within limit and keeps what they find as results of a session.
func (c *Cycle) probe(outer, keep context.Context, s store.Session, services []inventory.Service, limit time.Duration) ([]check.Result, error) {
	ctx, cancel := context.WithTimeout(outer, limit)
	defer cancel()
	settings := probe.Settings{Environ: c.Environ, Restarts: c.restarts, Now: c.Now, Secret: probe.SecretVariables(inventory.Checked(c.Inventory.Everything()))}
	report := probe.Run(ctx, inventory.Checked(services), settings, probe.Bounds{}, nil)
	maps.Copy(c.counted, report.Restarts)
	if outer.Err() == nil && len(report.Unchecked) > 0 {
		if err := c.say(keep, store.Warning, s.ID, "", "not checked within "+limit.String()+": "+some(report.Unchecked)); err != nil {
			return nil, err
		}
	}
	_, err := c.Probed(keep, s.ID, s.Tier, report.Results, nil)
	c.Forget()
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

// observerFailed ends a cycle whose Tier 1 failed: people are told what is down, by its reports or by the probes that ran in its place,
// and the next cycle decides about tiers (SPEC-0016: wait for the next cycle).
func (c *Cycle) observerFailed(keep context.Context, done *link) error {
	why := fmt.Sprintf("Tier 1 %s: %s", endingWords(done.outcome.Ending), done.outcome.Reason)
	return errors.Join(c.tellUnwell(keep, c.unwell(), records.ModelFailed, why), c.watchFailures(keep, done))
}

// tellEarlier has people told of what only cycles that came to no end have seen.
func (c *Cycle) tellEarlier(keep context.Context) error {
	found := slices.DeleteFunc(c.unwell(), func(e evaluation) bool { return !e.earlier })
	return c.tellUnwell(keep, found, records.ModelFailed, "Tier 1 found it in a cycle that was killed or interrupted, and has not looked at it since")
}

// tellUnwell asks a human about each of the services that were found unwell and that nobody looks further at, and says why.
func (c *Cycle) tellUnwell(keep context.Context, found []evaluation, cause records.Cause, why string) error {
	if len(found) == 0 {
		return nil
	}
	open, err := c.Store.OpenIncidents(keep)
	if err != nil {
		return err
	}
	limits, err := c.Limits(keep)
	if err != nil {
		return err
	}
	for _, e := range found {
		c.summary.needHuman(e.service, fmt.Sprintf("%s is %s; nobody looks further in this cycle, because %s", e.service, e.status, why))
		ask := records.Ask{Cause: cause, Why: "No agent looks at it: " + why, Next: nextCycle}
		if err := c.RequestAttention(keep, limits, open[e.service], ask); err != nil {
			return err
		}
	}
	return nil
}
