package cli

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/cycle"
	"github.com/claudeops/claudeops/handoff"
	"github.com/claudeops/claudeops/store"
)

func (a *app) handoffCommand() *cobra.Command {
	c := &cobra.Command{Use: "handoff", Short: "Ask for the next tier (for agents)"}
	c.AddCommand(a.handoffWriteCommand(), a.handoffValidateCommand())
	return c
}

// handoffFlags are the parts of a handoff that may be given as flags.
type handoffFlags struct {
	tier      int
	services  []string
	findings  string
	attempted string
}

func (a *app) handoffWriteCommand() *cobra.Command {
	var f handoffFlags
	c := &cobra.Command{
		Use:   "write --tier N",
		Short: "Write handoff.json from flags and JSON on standard input",
		Long: `write makes a valid handoff.json for the tier asked for. What it is made of comes as a JSON object on standard input, as
flags, or both (a flag wins). schema_version, recommended_tier, cooldown_state and, from Tier 2, Tier 1's check_results are
filled in. Nothing is written where anything is wrong: every fault is named.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if f.tier != 2 && f.tier != 3 {
				return &exitError{exitUsage, fmt.Errorf("--tier %d: the tier asked for is 2 or 3", f.tier)}
			}
			return a.withBooks(c, store.ReadWrite, func(b *cycle.Books) error { return a.writeHandoff(c, b, f) })
		},
	}
	c.Flags().IntVar(&f.tier, "tier", 0, "the tier asked for, `2 or 3`")
	c.Flags().StringSliceVar(&f.services, "services", nil, "the services affected, separated by commas")
	c.Flags().StringVar(&f.findings, "findings", "", "investigation_findings, as `TEXT`")
	c.Flags().StringVar(&f.attempted, "attempted", "", "remediation_attempted, as `TEXT`")
	return c
}

func (a *app) writeHandoff(c *cobra.Command, b *cycle.Books, f handoffFlags) error {
	from := f.tier - 1
	if at := b.Config.Agent.Tier; at != 0 {
		if want := min(at+1, handoff.LastTier); f.tier != want {
			return fmt.Errorf("--tier %d: Tier %d may ask for Tier %d only", f.tier, at, want)
		}
		from = at // Tier 3 asks for a human this way
	}
	draft, err := a.draft(f)
	if err != nil {
		return err
	}
	h, err := b.WriteHandoff(c.Context(), from, draft)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.Out, "handoff.json written: Tier %d is asked for %s\n", h.RecommendedTier, strings.Join(h.ServicesAffected, ", "))
	return err
}

func (a *app) handoffValidateCommand() *cobra.Command {
	var tier int
	c := &cobra.Command{
		Use:   "validate [FILE]",
		Short: "Check a handoff: exit 0 valid, 1 with every fault on a line of its own",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			l, err := a.load()
			if err != nil {
				return err
			}
			path := cycle.HandoffPath(l.config)
			if len(args) > 0 {
				path = args[0]
			}
			if tier == 0 {
				tier = l.config.Agent.Tier
			}
			return a.validateHandoff(path, tier)
		},
	}
	c.Flags().IntVar(&tier, "from", 0, "the tier that wrote it (default: as the file's recommended_tier says)")
	return c
}

func (a *app) validateHandoff(path string, from int) error {
	h, raw, err := handoff.Read(path, max(from, 1))
	if from == 0 && asksForLast(raw) {
		h, err = handoff.Parse(raw, handoff.LastTier-1)
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.Out, "valid: asks for Tier %d for %s\n", h.RecommendedTier, strings.Join(h.ServicesAffected, ", "))
	return err
}

// asksForLast tells which tier's rules a file is to be held to where nobody says who wrote it.
func asksForLast(raw []byte) bool {
	var h struct {
		RecommendedTier int `json:"recommended_tier"`
	}
	return json.Unmarshal(raw, &h) == nil && h.RecommendedTier == handoff.LastTier
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
