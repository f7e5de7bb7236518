package crontab

import (
	"time"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/handoff"
	"github.com/claudeops/claudeops/inventory"
)

const (
	// perTier is what a tier takes in addition to its limit: ignored signals, open pipes, its records.
	perTier = time.Minute
	// perCycle is what a cycle takes in addition to its tiers and messages: recovery, heartbeats, metrics, waiting for locks.
	perCycle = 2 * time.Minute
)

// LongestCycle returns the longest duration of a cycle: the tiers' limits, the probes in place of a model and those after a remediation,
// the time for services to settle, and the messages.
func LongestCycle(c config.Config) time.Duration {
	settle := longestSettle(c.Inventory)
	longest := perCycle + c.NotifyTimeout + c.Tier(1).Timeout // of the probes in the place of a Tier 1 that failed
	for tier := 1; tier <= max(c.MaxTier, 1); tier++ {
		limit := c.Tier(tier).Timeout
		longest += limit + perTier
		if tier > 1 {
			longest += settle + limit/4
		}
	}
	return longest
}

// LongestWithAllTiers is LongestCycle regardless of CLAUDEOPS_MAX_TIER: each cycle rereads that, so an installed job must allow for all
// tiers.
func LongestWithAllTiers(c config.Config) time.Duration {
	c.MaxTier = handoff.LastTier
	return LongestCycle(c)
}

// longestSettle is what the slowest service of an inventory needs after a restart. A file that cannot be read keeps every cycle from
// starting, so that it does not matter what is said of it here.
func longestSettle(path string) time.Duration {
	longest := inventory.DefaultSettle
	if path == "" {
		return longest
	}
	inv, err := inventory.Read(path)
	if err != nil {
		return longest
	}
	for _, s := range inv.Services {
		longest = max(longest, s.Settle)
	}
	return longest
}
