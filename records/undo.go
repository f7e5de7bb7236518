package records

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/store"
)

// UndoTier is the tier whose rights a redeployment needs.
const UndoTier = 3

// Undo lets the next cycle undo a remediation, as a proposal that a person has approved. p has what the proposal is bound to. If people
// were asked already whether to undo it, that proposal is approved.
func (b *Records) Undo(ctx context.Context, u store.Undo, p store.Proposal, by string) (kept store.Proposal, err error) {
	err = b.Together(ctx, func() error {
		if u, err = b.Store.Undo(ctx, u.ID); err != nil { // another may undo it at the same time
			return err
		}
		if u.ProposalID != nil {
			switch kept, err = b.Store.Proposal(ctx, *u.ProposalID); {
			case errors.Is(err, store.ErrNotFound): // pruned
			case err != nil:
				return err
			case kept.Status == store.ProposalWaiting && b.Now().Before(kept.ExpiresAt):
				kept, err = b.Approve(ctx, kept.ID, by)
				return err
			case kept.Status == store.ProposalApproved:
				return &DecidedError{kept}
			}
		}
		kept = b.undoing(u, p)
		if kept.ID, err = b.Store.AddProposal(ctx, kept); err != nil {
			return err
		}
		if err := b.Store.ProposeUndo(ctx, u.ID, kept.ID); err != nil {
			return err
		}
		kept, err = b.Approve(ctx, kept.ID, by)
		return err
	})
	return kept, err
}

// ProposeUndo asks people whether to undo a remediation. command is what undoes it as people read it, and why what is wrong with it.
func (b *Records) ProposeUndo(ctx context.Context, u store.Undo, p store.Proposal, command, why string) error {
	p = b.undoing(u, p)
	p.Reason = why + firstSteps(u)
	kept, _, err := b.Propose(ctx, p, command)
	if err != nil {
		return err
	}
	return b.Store.ProposeUndo(ctx, u.ID, kept.ID)
}

// undoing completes a proposal to undo something.
func (b *Records) undoing(u store.Undo, p store.Proposal) store.Proposal {
	p.Tier, p.Service, p.Action, p.Status = UndoTier, u.Service, store.ProposedRedeployment, store.ProposalWaiting
	p.Argv, p.Dir, p.Reason = u.Steps[len(u.Steps)-1], u.Dir, "undoes "+u.Done+firstSteps(u)
	p.CreatedAt = b.Now()
	p.ExpiresAt = p.CreatedAt.Add(b.Config.ApprovalExpires)
	return p
}

// firstSteps names what is done before the last step of undoing something, to be added to a sentence.
func firstSteps(u store.Undo) string {
	before := ""
	for _, step := range u.Steps[:len(u.Steps)-1] {
		before += "; before it: " + strings.Join(step, " ")
	}
	return before
}

// undoLines names the commands that undo what a session did to a service.
func (b *Records) undoLines(ctx context.Context, session int64, service string) (lines []string, err error) {
	all, err := b.Store.SessionUndos(ctx, session)
	for _, u := range slices.DeleteFunc(all, func(u store.Undo) bool { return u.Service != service }) {
		lines = append(lines, fmt.Sprintf("to undo %s: `claudeops undo %d`", text.Shorten(u.Done, 100), u.ID))
	}
	return lines, err
}
