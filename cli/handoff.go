package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/handoff"
)

func init() { addCommand((*app).handoffCommand) }

func (a *app) handoffCommand() *cobra.Command {
	c := &cobra.Command{Use: "handoff", Short: "Ask for the next tier (for agents)"}
	c.AddCommand(a.handoffWriteCommand(), a.handoffValidateCommand())
	return c
}

// verdict is what --json tells of a handoff.
type verdict struct {
	Valid    bool     `json:"valid"`
	Faults   []string `json:"faults"`
	Tier     int      `json:"recommended_tier,omitzero"`
	Services []string `json:"services_affected,omitzero"`
}

// answerHandoff tells whether a handoff is valid, or why it could not be read or written. done is what to say where it is, with
// places for the tier asked for and the services.
func (a *app) answerHandoff(h handoff.Handoff, err error, done string) error {
	switch {
	case err == nil && a.json:
		return a.printJSON(verdict{true, []string{}, h.RecommendedTier, h.ServicesAffected})
	case err == nil:
		return a.print(fmt.Sprintf(done, h.RecommendedTier, a.line(strings.Join(h.ServicesAffected, ", "))) + "\n")
	case !a.json:
		return err
	}
	faults := []string{err.Error()}
	if invalid := (*handoff.InvalidError)(nil); errors.As(err, &invalid) {
		faults = invalid.Faults
	}
	if err := a.printJSON(verdict{Faults: faults}); err != nil {
		return err
	}
	return &exitError{code: exitFault}
}
