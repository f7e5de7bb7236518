package cycle

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/handoff"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/probe"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/tiers"
)

// agentProbe is the sessions.agent value of the program's own checks.
const agentProbe = "probe"

// probe makes the checks of services within limit, and stores what they find in a session; without an id, in none. It is Tier 1 without a
// model, what a model of Tier 1 is told first, each look beside a tier, and each proof. If ctx ends, the results are those found before.
func (c *Cycle) probe(ctx context.Context, s store.Session, services []inventory.Service, limit time.Duration) ([]check.Result, error) {
	return c.probeSince(ctx, c.lastRan(), s, services, limit)
}

// lastRan returns when the cycle before ended; zero if there was none.
func (c *Cycle) lastRan() time.Time {
	if c.before == nil || c.before.LastRun == nil {
		return time.Time{}
	}
	return *c.before.LastRun
}

// probeSince is probe after other checks than those of the last cycle.
func (c *Cycle) probeSince(
	ctx context.Context, since time.Time, s store.Session, services []inventory.Service, limit time.Duration,
) ([]check.Result, error) {
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	settings := probe.Settings{
		Environ: c.Environ, Since: since, Now: c.Now, Secret: c.Inventory.SecretVariables(), RunToken: s.RunToken,
	}
	results := probe.Run(limited, inventory.Checked(services), settings, probe.Bounds{}, c.counting(s, inventory.CountChecks(services)))
	if ctx.Err() != nil {
		results = slices.DeleteFunc(results, func(r check.Result) bool { return r.Error == check.NoTime })
	}
	for n := range results {
		if results[n].Error == check.NoTime {
			results[n].Error += fmt.Sprintf(" within %s: see CLAUDEOPS_TIER%d_TIMEOUT", text.Duration(limit), max(s.Tier, 1))
		}
	}
	return results, c.Probed(ctx, s.ID, results)
}

// counting returns what shows the progress of Tier 1's checks; nil for nothing.
func (c *Cycle) counting(s store.Session, total int) func(check.Result) {
	if s.Agent != agentProbe {
		return nil
	}
	made := 0
	return func(check.Result) {
		made++
		c.shows(s, tiers.Progress{Tool: fmt.Sprintf("%d of %s made", made, text.Count(total, "check"))})
	}
}

// observeAlone is Tier 1 without a model.
func (c *Cycle) observeAlone(ctx context.Context, run *tierRun) (tiers.Outcome, error) {
	out := tiers.Outcome{Ending: tiers.Completed}
	results, err := c.probe(ctx, run.session, c.Inventory.Services, c.Config.Tier(1).Timeout)
	run.checks = make([]store.Check, 0, len(results))
	for _, r := range results {
		run.checks = append(run.checks, store.Check{Result: r, Source: store.Probed, CheckedAt: c.Now()})
	}
	switch {
	case err != nil:
		out.Ending, out.ExitCode = tiers.Failed, -1
	case ctx.Err() != nil:
		out.Ending, out.ExitCode, out.Reason = tiers.Interrupted, -1, "stopped: "+context.Cause(ctx).Error()
	}
	out.Response = probeWords(results)
	return out, err
}

// standIn makes the program's own checks in place of a model of Tier 1 that has failed: watching must not depend on one.
func (c *Cycle) standIn(ctx context.Context, run *tierRun) error {
	failed := run.session.Tier == 1 && run.session.Agent == agentClaude && run.outcome.Ending != tiers.Completed
	possible := ctx.Err() == nil && c.Inventory.HasChecks()
	if !failed || !possible {
		return nil
	}
	_, err := c.probe(ctx, run.session, c.Inventory.Services, c.Config.Tier(1).Timeout)
	run.stoodIn = err == nil && ctx.Err() == nil
	return err
}

// probeWords returns the report of Tier 1 without a model.
func probeWords(results []check.Result) string {
	lines := []string{check.Tally(results)}
	for _, r := range results {
		if r.Status != check.Healthy {
			lines = append(lines, fmt.Sprintf("- %s (%s) is %s: %s", r.Service, r.Type, r.Status, r.Error))
		}
	}
	return strings.Join(lines, "\n")
}

// prepare makes the checks that a model of Tier 1 need not repeat, and renders the results for its context.
func (c *Cycle) prepare(ctx context.Context, s store.Session) (string, error) {
	results, err := c.probe(ctx, s, c.Inventory.Services, c.Config.Tier(s.Tier).Timeout/2)
	if err != nil {
		return "", err
	}
	words, cut := handoff.Probed(results)
	if cut != "" {
		err = c.event(ctx, store.Warning, s.ID, "", "probe results in the context truncated: "+cut)
	}
	return c.Redactor.String(words), err
}
