package cycle

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/handoff"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/probe"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/tiers"
)

// agentProbe is the sessions.agent value of the program's own checks.
const agentProbe = "probe"

// probeSpec runs the probes as a tier: a process like any agent, but of this program and with the operator's environment.
func (c *Cycle) probeSpec(keep context.Context, s store.Session, log *sessionLog) (tiers.Spec, error) {
	self, err := os.Executable()
	if err != nil {
		return tiers.Spec{}, fmt.Errorf("find this program's own file: %w", err)
	}
	environ := slices.Clone(c.Environ)
	for name, value := range c.sessionVariables(s, c.Config.StateDir) {
		environ = append(environ, name+"="+value)
	}
	args := []string{"probe", "--agent", "--env-file", os.DevNull} // the environment already has the file's values
	for _, name := range c.Config.Services {
		args = append(args, "--service", name)
	}
	return tiers.Spec{
		Tier: s.Tier, Bin: self, Args: args,
		Timeout: c.Config.Tier(s.Tier).Timeout, Dir: c.Config.StateDir, Environ: environ, Redactor: c.Redactor, Log: log,
		Started: c.recordProcess(keep, s), Progress: c.progressOf(s),
	}, nil
}

// probe runs the checks of services within limit and stores the results in a session.
func (c *Cycle) probe(outer, keep context.Context, s store.Session, services []inventory.Service, limit time.Duration) ([]check.Result, error) {
	ctx, cancel := context.WithTimeout(outer, limit)
	defer cancel()
	settings := probe.Settings{Environ: c.Environ, Restarts: c.containerRestarts, Now: c.Now, Secret: c.Inventory.SecretVariables()}
	report := probe.Run(ctx, inventory.Checked(services), settings, probe.Bounds{}, nil)
	maps.Copy(c.containerRestartsNow, report.Restarts)
	if outer.Err() == nil && len(report.Unchecked) > 0 {
		if err := c.event(keep, store.Warning, s.ID, "", "not checked within "+limit.String()+": "+some(report.Unchecked)); err != nil {
			return nil, err
		}
	}
	_, err := c.Probed(keep, s.ID, s.Tier, report.Results, nil)
	c.Forget()
	return report.Results, err
}

// prepare runs the checks that a model need not repeat, and renders the results for its context.
func (c *Cycle) prepare(ctx, keep context.Context, s store.Session) (string, error) {
	results, err := c.probe(ctx, keep, s, c.Inventory.Services, c.Config.Tier(s.Tier).Timeout/2)
	if err != nil {
		return "", err
	}
	c.sawUnwell = map[string]bool{}
	for name, status := range check.Worst(results) {
		c.sawUnwell[name] = status.Unwell()
	}
	text, cut := handoff.Probed(results)
	if cut != "" {
		err = c.event(keep, store.Warning, s.ID, "", "probe results in the context truncated: "+cut)
	}
	return c.Redactor.String(text), err
}
