package dashboard

import (
	"context"
	"errors"

	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/store"
)

// ProposalLine is a proposal in a list.
type ProposalLine struct {
	store.Proposal
	Command string `json:"command"` // the argument list as a shell would take it
	State   string `json:"state"`   // its phase in words: who decided, and how its run ended
	Waits   bool   `json:"waits"`   // it waits for a person now
}

// ProposalsPage is the list of proposals.
type ProposalsPage struct {
	Proposals []ProposalLine `json:"proposals"` // newest first; at most 200
}

// ProposalDetail is one proposal.
type ProposalDetail struct {
	ProposalLine
	Limit *state.Limit   `json:"limit"` // that it uses up; nil if it counts for none
	Run   *store.Session `json:"run"`   // the session that runs or ran it; nil if there is none
}

// Proposals returns the newest proposals.
func (i *Instance) Proposals(ctx context.Context, q store.ProposalFilter) (*ProposalsPage, error) {
	page := &ProposalsPage{}
	q.Limit = mostOnPage
	err := i.read(ctx, func(b *ledger.Records) (err error) {
		page.Proposals, err = i.proposalLines(ctx, b, q)
		return err
	})
	return page, err
}

func (i *Instance) proposalLines(ctx context.Context, b *ledger.Records, q store.ProposalFilter) (lines []ProposalLine, err error) {
	proposals, err := b.Store.Proposals(ctx, q)
	for _, p := range proposals {
		lines = append(lines, i.proposalLine(p))
	}
	return lines, err
}

func (i *Instance) proposalLine(p store.Proposal) ProposalLine {
	p = notify.ProposalAt(p, i.now())
	return ProposalLine{p, guard.CommandLine(p.Argv), notify.ProposalState(p), p.Status == store.ProposalWaiting}
}

// Proposal returns one proposal.
func (i *Instance) Proposal(ctx context.Context, id int64) (*ProposalDetail, error) {
	d := &ProposalDetail{}
	err := i.read(ctx, func(b *ledger.Records) error {
		p, err := b.Store.Proposal(ctx, id)
		if err != nil {
			return err
		}
		d.ProposalLine = i.proposalLine(p)
		if p.RunSessionID != nil {
			run, err := b.Store.Session(ctx, *p.RunSessionID)
			if err != nil && !errors.Is(err, store.ErrNotFound) {
				return err
			}
			if err == nil {
				d.Run = &run
			}
		}
		if p.Action == store.ProposedAsk {
			return nil
		}
		st, _, err := state.Mended(ctx, b) // the first page reports faults of cooldown.json
		if err != nil {
			return err
		}
		limit := st.Service(p.Service).Permission(p.Action).AsLimit("")
		d.Limit = &limit
		return nil
	})
	return d, err
}
