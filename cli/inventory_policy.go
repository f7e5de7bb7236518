package cli

import (
	"fmt"
	"slices"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/internal/statedir"
	"github.com/claudeops/claudeops/inventory"
)

// maxPolicy limits an operator's policy file, in bytes.
const maxPolicy = 1 << 20

// readInventory reads the services file as seen by this instance's shard and cycle; nil if none is configured.
func readInventory(c config.Config) (*inventory.Inventory, error) {
	if c.Inventory == "" {
		return nil, nil // its methods accept nil; its fields must not be read
	}
	inv, err := inventory.Read(c.Inventory)
	if err != nil {
		return nil, fmt.Errorf("CLAUDEOPS_INVENTORY: %w", err)
	}
	return partOf(c, inv), nil
}

// partOf returns an inventory as seen by this instance's shard and a cycle about some services.
func partOf(c config.Config, inv *inventory.Inventory) *inventory.Inventory {
	switch {
	case c.Services != nil:
		return inv.Part(func(service string) string {
			if slices.Contains(c.Services, service) {
				return ""
			}
			return "other cycles: a person asked for this one, about other services"
		})
	case c.Shard.Count > 0:
		return inv.Part(c.Shard.Elsewhere)
	}
	return inv
}

// table returns what agents may look with, with the operator's additions. A fault in them is a usage error.
func (l *loaded) table() (*guard.Table, error) {
	table, err := tableOf(l.config.Policy)
	if err != nil {
		return nil, &exitError{exitUsage, err}
	}
	return table, nil
}

func tableOf(path string) (*guard.Table, error) {
	if path == "" {
		return guard.BuiltIn(), nil
	}
	added, err := statedir.ReadFile(path, maxPolicy)
	if err != nil {
		return nil, fmt.Errorf("CLAUDEOPS_POLICY: %w", err)
	}
	table, err := guard.BuiltIn().With(added)
	if err != nil {
		return nil, fmt.Errorf("CLAUDEOPS_POLICY: %s: %w", path, err)
	}
	return table, nil
}
