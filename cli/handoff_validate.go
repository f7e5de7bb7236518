package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"

	"github.com/go-json-experiment/json"
	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/handoff"
	"github.com/claudeops/claudeops/records"
)

func (a *app) handoffValidateCommand() *cobra.Command {
	from := tierOf("1", "2", "3")
	c := &cobra.Command{
		Use:   "validate [FILE]",
		Short: "Check a handoff: exit 0 valid, 1 with every fault on a line of its own",
		Long: `validate checks a handoff by the rules for the tier that wrote it: exit 0 where it is valid, else 1 with every fault on a line of
its own. Without FILE it is handoff.json in the state directory.`,
		Args: takes("[FILE]"),
		RunE: func(_ *cobra.Command, args []string) error {
			cfg, err := a.config()
			if err != nil {
				return err
			}
			path := records.HandoffPath(cfg)
			if len(args) > 0 {
				path = args[0]
			} else if err := stateDirectory(cfg.StateDir); err != nil {
				return err
			}
			h, err := validated(path, cmp.Or(from.tier(), cfg.Agent.Tier))
			return a.answerHandoff(h, err, "valid: asks for Tier %d for %s")
		},
	}
	c.Flags().Var(from, "from", "the tier that wrote it, `N`: 1, 2 or 3 (default: by the file's recommended_tier)")
	return c
}

// validated reads the handoff at path by the rules for the tier from; 0 is not known.
func validated(path string, from int) (handoff.Handoff, error) {
	h, raw, err := handoff.Read(path, max(from, 1))
	if errors.Is(err, fs.ErrNotExist) {
		return h, fmt.Errorf("there is no %s", path)
	}
	if from == 0 && asksForLast(raw) {
		return handoff.Parse(raw, handoff.LastTier-1)
	}
	return h, err
}

// asksForLast tells which tier's rules a file is to be held to where nobody says who wrote it.
func asksForLast(raw []byte) bool {
	var h struct {
		RecommendedTier int `json:"recommended_tier"`
	}
	return json.Unmarshal(raw, &h) == nil && h.RecommendedTier == handoff.LastTier
}
