package cli

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/guard/policy"
	"github.com/claudeops/claudeops/internal/statedir"
	"github.com/claudeops/claudeops/inventory"
)

// maxPolicy bounds an operator's policy file.
const maxPolicy = 1 << 20

// world is what the guard decides by, from the configuration and the environment that the agent's shell shares.
func world(l *loaded, tier int, cwd string, services func() (*inventory.Inventory, error)) (guard.World, error) {
	c := l.config
	known, err := policyOf(c.Policy)
	if err != nil {
		return guard.World{}, err
	}
	known = known.WithSecretFiles(l.environment.SecretFiles())
	scratch := os.Getenv("TMPDIR")
	if scratch == "" {
		scratch = filepath.Join(c.StateDir, "run", "session-0", "tmp")
	}
	return guard.World{
		Tier: tier, DryRun: c.DryRun, Cwd: cwd, StateDir: c.StateDir, ResultsDir: c.ResultsDir, ReposDir: c.ReposDir, Scratch: scratch,
		Home: os.Getenv("HOME"), Environ: os.Environ(), Policy: known,
		Inventory: services,
	}, nil
}

// guardFault is why the guard could not decide: the operator's files that it reads.
func guardFault(c config.Config) error {
	if _, err := policyOf(c.Policy); err != nil {
		return fmt.Errorf("CLAUDEOPS_POLICY: %w", err)
	}
	_, err := readInventory(c)
	return err
}

// readInventory reads the services file, as this instance's shard sees it; nil where none is configured.
func readInventory(c config.Config) (*inventory.Inventory, error) {
	if c.Inventory == "" {
		return nil, nil
	}
	inv, err := inventory.Read(c.Inventory)
	if err != nil {
		return nil, fmt.Errorf("CLAUDEOPS_INVENTORY: %w", err)
	}
	return ofShard(c, inv), nil
}

// ofShard is an inventory as this instance's shard sees it.
func ofShard(c config.Config, inv *inventory.Inventory) *inventory.Inventory {
	if c.Shard.Count == 0 {
		return inv
	}
	return inv.Part(c.Shard.Elsewhere)
}

// policyOf is the embedded policy with the operator's additions.
func policyOf(path string) (*policy.Policy, error) { return joinedPolicy(policy.Embedded(), path) }

// brokeredPolicy is the policy of the programs that agents reach, with the operator's additions.
func brokeredPolicy(path string) (*policy.Policy, error) {
	return joinedPolicy(policy.Brokered(), path)
}

func joinedPolicy(base *policy.Policy, path string) (*policy.Policy, error) {
	if path == "" {
		return base, nil
	}
	data, err := statedir.ReadFile(path, maxPolicy)
	if err != nil {
		return nil, fmt.Errorf("the policy: %w", err)
	}
	own, err := policy.Parse(data)
	if err != nil {
		return nil, fmt.Errorf("the policy %s: %w", path, err)
	}
	joined, err := base.Join(own)
	if err != nil {
		return nil, fmt.Errorf("the policy %s: %w", path, err)
	}
	return joined, nil
}
