package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/cycle"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

func init() { addCommand((*app).undoCommand) }

func (a *app) undoCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "undo [ID]",
		Short: "Undo a redeployment, or list what can be undone (for operators)",
		Long: `undo brings back what ran before a redeployment: the former image of a compose service, the former revision of a Helm release or of a
Kubernetes deployment. It is done in the next cycle as a redeployment that you have approved, counted and proved like any other. It is not
done if another redeployment came since. Without an ID it lists what can be undone. Agents are refused.`,
		Example: "  " + a.program + " undo\n  " + a.program + " undo 3",
	}
	all := list(a, listing[store.Undo]{
		db: new(string), none: "nothing can be undone: no redeployment of Tier 2 or 3 changed an image or a revision", noMatch: "nothing can be undone",
		query:   func(ctx context.Context, s *store.Store) ([]store.Undo, error) { return s.Undos(ctx, maxUndos) },
		heading: []string{"ID", "SERVICE", "DONE", "TIER", "COMMAND"},
		row: func(u store.Undo) []string {
			return []string{strconv.FormatInt(u.ID, 10), u.Service, a.local(u.CreatedAt), strconv.Itoa(u.Tier), text.Shorten(u.Done, 100)}
		},
	})
	one := a.deciding("undo", a.undo)
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return all(c, args)
		}
		return one(c, args)
	}
	return c
}

// maxUndos limits the list of what can be undone.
const maxUndos = 1000

// undo lets the next cycle undo what the argument names.
func (a *app) undo(ctx context.Context, b *records.Records, args []string) error {
	u, err := b.Store.Undo(ctx, parseID(args[0]))
	if errors.Is(err, store.ErrNotFound) {
		return fmt.Errorf("nothing with the number %s can be undone; `%s undo` lists what can be", args[0], a.program)
	}
	if err != nil {
		return err
	}
	limits, err := b.Limits(ctx, u.Service)
	if err != nil {
		return err
	}
	permission, err := limits.Of(ctx, u.Service, statefile.Redeployment)
	if err != nil {
		return err
	}
	if !permission.DayFree.IsZero() { // what the window permits, an undo may exceed by one
		return fmt.Errorf("undoing it would be one more remediation of %s: %s; it is possible after %s",
			u.Service, permission, text.Moment(permission.DayFree))
	}
	policy, err := a.loaded.policy()
	if err != nil {
		return err
	}
	run := cycle.Cycle{Records: *b, Environ: a.loaded.environment.Environ(), Policy: policy}
	p, err := run.UndoProposal(ctx, u)
	if err != nil {
		return fmt.Errorf("not undone: %w", err)
	}
	p, err = b.Undo(ctx, u, p, byCommand())
	if err != nil {
		return err
	}
	if err := records.Wake(b.Config.StateDir, store.ByApproval); err != nil {
		return err
	}
	return a.answer(p, fmt.Sprintf("proposal %d undoes %s; the next cycle runs it\n", p.ID, u.Done))
}
