package cli

import (
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/sandbox"
)

// observer is the agent of Tier 1 in a cycle, and whether a model is available for later tiers.
type observer struct {
	is      config.Agency // Claude or Probe
	noModel string        // why no model can be started; empty if one can
}

// Remedies for an agent that cannot run.
const (
	installAgent   = "install it with `npm install -g @anthropic-ai/claude-code`, or name it in CLAUDEOPS_CLAUDE_BIN"
	giveCredential = "give it a credential: ANTHROPIC_API_KEY, ANTHROPIC_API_KEY_FILE, CLAUDE_CODE_OAUTH_TOKEN, or log in with `claude`"
	writeInventory = "or do without it: `claudeops probe discover` writes an inventory for CLAUDEOPS_INVENTORY, whose checks need no model"
)

// observe chooses the observer (RULE "First observer"): the agent program or the probes. Its error says why no cycle can run with this
// configuration, with a remedy.
func observe(c config.Config, credential config.Credential, inv *inventory.Inventory) (observer, error) {
	remedies, missing := modelFault(c, credential)
	noModel := ""
	if missing != nil {
		noModel = missing.Error()
	}
	canProbe := inv.HasChecks()
	switch {
	case c.Tier1Agent == config.Probe && len(inv.Everything()) == 0: // services without checks are known by their alerts
		return observer{}, errors.New("CLAUDEOPS_TIER1_AGENT=probe, and there is nothing to probe: CLAUDEOPS_INVENTORY names no services file;\n" +
			"`claudeops probe discover` writes a beginning")
	case c.Tier1Agent == config.Probe, c.Tier1Agent == config.Auto && missing != nil && canProbe:
		return observer{config.Probe, noModel}, nil
	case missing == nil:
		return observer{is: config.Claude}, nil
	case c.Tier1Agent == config.Auto && inv != nil:
		remedies = append(remedies, "or do without it: give the services in "+c.Inventory+" checks, of which they have none yet")
	case c.Tier1Agent == config.Auto:
		remedies = append(remedies, writeInventory)
	}
	return observer{}, fmt.Errorf("%w\n%s", missing, strings.Join(append(remedies, "`claudeops doctor` shows what is found"), ";\n"))
}

// loudly returns a warning for an operator who has not chosen the probes; empty if there is none.
func (o observer) loudly(c config.Config) string {
	if c.Tier1Agent != config.Auto || o.is != config.Probe {
		return ""
	}
	return "no model observes: the inventory's own checks are Tier 1, and no model looks further where one fails: " + o.noModel
}

// modelFault returns why no model can be started, with remedies. Without auto, the operator who chose the agent program is responsible
// for its credential: the program may know others.
func modelFault(c config.Config, credential config.Credential) (remedies []string, fault error) {
	_, err := exec.LookPath(c.ClaudeBin)
	anonymous := c.Tier1Agent != config.Claude && credential.Kind == config.None
	if err != nil {
		fault = fmt.Errorf("no agent to run with: CLAUDEOPS_CLAUDE_BIN=%q: %w", c.ClaudeBin, err)
		remedies = append(remedies, installAgent)
	} else if anonymous {
		fault = errors.New("no credential for the agent program")
	}
	if anonymous {
		remedies = append(remedies, giveCredential)
	}
	if _, missing := sandbox.FindShim(); fault == nil { // it connects an agent to its tools
		fault = missing
	}
	return remedies, fault
}
