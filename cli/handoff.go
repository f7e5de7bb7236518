package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/handoff"
	"github.com/claudeops/claudeops/internal/strict"
	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/store"
)

func init() { addCommand((*app).handoffCommand) }

func (a *app) handoffCommand() *cobra.Command {
	c := &cobra.Command{Use: "handoff", Short: "Ask for the next tier (for agents)"}
	c.AddCommand(a.handoffWriteCommand(), a.handoffValidateCommand())
	return c
}

func (a *app) handoffWriteCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "write --tier N",
		Short: "Write handoff.json from JSON on standard input",
		Long: `write makes a valid handoff.json for the tier asked for. What it is made of comes as a JSON object on
standard input. schema_version, recommended_tier, cooldown_state and, from Tier 2, Tier 1's check_results are
filled in. Nothing is written where anything is wrong: every fault is named.`,
	}
	tier := tierFlag(c, "tier", "the tier asked for, `N`: 2 or 3", 2, 3)
	c.RunE = a.onRecords(store.ReadWrite, func(ctx context.Context, b *ledger.Records, _ []string) error {
		h, err := a.writeHandoff(ctx, b, *tier)
		return a.answerHandoff(h, err, "handoff.json written: Tier %d is asked for %s")
	})
	return c
}

func (a *app) writeHandoff(ctx context.Context, b *ledger.Records, tier int) (handoff.Handoff, error) {
	from := b.Config.Agent.Tier
	if from == 0 {
		return handoff.Handoff{}, errors.New("only the agent of a running cycle hands off; `claudeops run-once --service NAME --tier N` starts a tier for a person")
	}
	if want := min(from+1, handoff.LastTier); tier != want { // Tier 3 asks for a human this way
		return handoff.Handoff{}, fmt.Errorf("--tier %d: Tier %d may ask for Tier %d only", tier, from, want)
	}
	draft, err := a.readInput(handoff.MaxBytes)
	if err != nil {
		return handoff.Handoff{}, err
	}
	now, unreadable, err := state.Mended(ctx, b)
	if err != nil {
		return handoff.Handoff{}, err
	}
	return now.WriteHandoff(ctx, b, from, draft, unreadable)
}

func (a *app) handoffValidateCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "validate [FILE]",
		Short: "Check a handoff: exit 0 valid, 1 with every fault on a line of its own",
		Long: `validate checks a handoff by the rules for the tier that wrote it: exit 0 where it is valid, else 1 with every fault on a line of
its own. Without FILE it is handoff.json in the state directory.`,
	}
	from := tierFlag(c, "from", "the tier that wrote it, `N`: 1, 2 or 3 (default: by the file's recommended_tier)", 1, 2, 3)
	c.RunE = a.configured(func(_ context.Context, l *loaded, args []string) error {
		path := state.HandoffPath(l.config)
		if len(args) > 0 {
			path = args[0]
		} else if err := stateDirectory(l.config.StateDir); err != nil {
			return err
		}
		h, err := validated(path, cmp.Or(*from, l.config.Agent.Tier))
		return a.answerHandoff(h, err, "valid: asks for Tier %d for %s")
	})
	return c
}

// validated reads the handoff at path by the rules for the tier from; if that is 0, the tier that it asks for decides.
func validated(path string, from int) (handoff.Handoff, error) {
	h, raw, err := handoff.Read(path, max(from, 1))
	if errors.Is(err, fs.ErrNotExist) {
		return h, fmt.Errorf("there is no %s; `claudeops handoff write` makes one", path)
	}
	var asked struct {
		Tier int `json:"recommended_tier"`
	}
	if from == 0 && json.Unmarshal(raw, &asked) == nil && asked.Tier == handoff.LastTier {
		return handoff.Parse(raw, handoff.LastTier-1)
	}
	return h, err
}

// verdict is the JSON form of a handoff's validity.
type verdict struct {
	Valid    bool     `json:"valid"`
	Faults   []string `json:"faults"`
	Tier     int      `json:"recommended_tier,omitzero"`
	Services []string `json:"services_affected,omitzero"`
}

// answerHandoff prints whether a handoff is valid, or why it could not be read or written. done is the text for a valid one, with verbs
// for the tier and the services.
func (a *app) answerHandoff(h handoff.Handoff, err error, done string) error {
	if err == nil {
		said := fmt.Sprintf(done, h.RecommendedTier, a.line(strings.Join(h.ServicesAffected, ", "))) + "\n"
		return a.answer(verdict{true, []string{}, h.RecommendedTier, h.ServicesAffected}, said)
	}
	if !a.json {
		return err
	}
	faults := []string{err.Error()}
	if invalid := (*strict.InvalidError)(nil); errors.As(err, &invalid) {
		faults = invalid.Faults
	}
	return cmp.Or(a.printJSON(verdict{Faults: faults}), failUnless(false))
}
