package cli

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/handoff"
	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/store"
)

// handoffFlags are the parts of a handoff that may be given as flags.
type handoffFlags struct {
	tier      *tierChoice
	services  []string
	findings  string
	attempted string
}

func (a *app) handoffWriteCommand() *cobra.Command {
	f := handoffFlags{tier: tierOf("2", "3")}
	c := &cobra.Command{
		Use:   "write --tier N",
		Short: "Write handoff.json from flags and JSON on standard input",
		Long: `write makes a valid handoff.json for the tier asked for. What it is made of comes as a JSON object on standard input, as
flags, or both (a flag wins). schema_version, recommended_tier, cooldown_state and, from Tier 2, Tier 1's check_results are
filled in. Nothing is written where anything is wrong: every fault is named.`,
		Args: cobra.MatchAll(takes(), func(*cobra.Command, []string) error {
			if f.tier.tier() == 0 {
				return errors.New("--tier is missing: the tier asked for, 2 or 3")
			}
			return nil
		}),
		RunE: func(c *cobra.Command, _ []string) error {
			return a.withInventory(c, store.ReadWrite, func(b *records.Records) error {
				h, err := a.writeHandoff(c, b, f)
				return a.answerHandoff(h, err, "handoff.json written: Tier %d is asked for %s")
			})
		},
	}
	c.Flags().Var(f.tier, "tier", "the tier asked for, `N`: 2 or 3")
	c.Flags().StringSliceVar(&f.services, "services", nil, "the services affected: `NAMES` with commas between")
	c.Flags().StringVar(&f.findings, "findings", "", "investigation_findings, as `TEXT`")
	c.Flags().StringVar(&f.attempted, "attempted", "", "remediation_attempted, as `TEXT`")
	return c
}

func (a *app) writeHandoff(c *cobra.Command, b *records.Records, f handoffFlags) (handoff.Handoff, error) {
	tier := f.tier.tier()
	from := tier - 1
	if at := b.Config.Agent.Tier; at != 0 {
		if want := min(at+1, handoff.LastTier); tier != want {
			return handoff.Handoff{}, fmt.Errorf("--tier %d: Tier %d may ask for Tier %d only", tier, at, want)
		}
		from = at // Tier 3 asks for a human this way
	}
	draft, err := a.draft(f)
	if err != nil {
		return handoff.Handoff{}, err
	}
	return b.WriteHandoff(c.Context(), from, draft)
}

// draft is the JSON object on standard input with the members that were given as flags.
func (a *app) draft(f handoffFlags) ([]byte, error) {
	members := map[string]jsontext.Value{}
	text, err := a.readInput(handoff.MaxBytes)
	if err != nil {
		return nil, err
	}
	if text = bytes.TrimSpace(text); len(text) > 0 {
		if err := json.Unmarshal(text, &members); err != nil || members == nil {
			return text, nil //nolint:nilerr // what is wrong with it is for the handoff's reader to say, all at once
		}
	}
	for _, m := range []struct {
		name  string
		value any
		given bool
	}{
		{"services_affected", f.services, len(f.services) > 0},
		{"investigation_findings", f.findings, f.findings != ""},
		{"remediation_attempted", f.attempted, f.attempted != ""},
	} {
		if !m.given {
			continue
		}
		if members[m.name], err = json.Marshal(m.value); err != nil {
			return nil, fmt.Errorf("--%s: %w", m.name, err)
		}
	}
	return json.Marshal(members, json.Deterministic(true))
}
