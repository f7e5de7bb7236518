package ledger

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/store"
)

// MaxProposals limits the proposals of one session: a misled agent must not flood a phone.
const MaxProposals = 3

// MaxProposedCommand limits the command of a proposal, in bytes: nobody answers for what is too long to read.
const MaxProposedCommand = 4 << 10

// DecidedError means that a proposal cannot be decided, because it was decided before, has expired or is void.
type DecidedError struct{ Proposal store.Proposal }

func (e *DecidedError) Error() string {
	return fmt.Sprintf("proposal %d is not waiting for an answer: %s", e.Proposal.ID, notify.ProposalState(e.Proposal))
}

// Propose keeps a call that needs a person's approval, and asks people. If the same call waits already, that proposal
// is returned, and nobody is asked again. command is the argument list as people read it, and about is of the
// proposal's service, if it has one.
func (b *Records) Propose(ctx context.Context, p store.Proposal, command string, about notify.About) (kept store.Proposal, err error) {
	unreadable := func(r rune) bool { return r == '`' || !unicode.IsGraphic(r) }
	if p.Action == store.ProposedAsk && strings.ContainsFunc(command, unreadable) {
		return p, errors.New("a person could not read it in a message: it has a line break, a backtick or an invisible character in it")
	}
	if b.Redactor.String(command) != command || slices.ContainsFunc(p.Argv, func(word string) bool { return b.Redactor.String(word) != word }) {
		return p, errors.New("its arguments hold a secret, which a proposal would show")
	}
	if len(command) > MaxProposedCommand {
		return p, fmt.Errorf("it is %d bytes long, more than a person would read: at most %d are proposed", len(command), MaxProposedCommand)
	}
	p.Service, p.Reason, p.Status = b.Inventory.NameOf(p.Service), b.line(p.Reason), store.ProposalWaiting
	p.CreatedAt = b.Now().UTC().Truncate(time.Millisecond)
	p.ExpiresAt = p.CreatedAt.Add(b.Config.ApprovalExpires)
	err = b.Together(ctx, func() error {
		waiting, err := b.Store.Proposals(ctx, store.ProposalFilter{Status: store.ProposalWaiting})
		if err != nil {
			return err
		}
		for _, w := range waiting {
			if sameCall(w, p) && w.ExpiresAt.After(p.CreatedAt) {
				kept = w
				return nil
			}
		}
		before, err := b.Store.Proposals(ctx, store.ProposalFilter{Session: *p.SessionID, Limit: MaxProposals})
		if err != nil {
			return err
		}
		if len(before) >= MaxProposals {
			return fmt.Errorf("this session has proposed %d calls, and no more are kept: report what else is needed", len(before))
		}
		kept = p
		return b.propose(ctx, &kept, b.line(command), about)
	})
	return kept, err
}

// sameCall reports whether two proposals are about the same call, and what it depends on is the same.
func sameCall(x, y store.Proposal) bool {
	return x.Tier == y.Tier && x.Service == y.Service && x.Action == y.Action && x.Program == y.Program && x.Dir == y.Dir &&
		slices.Equal(x.Argv, y.Argv) && maps.Equal(x.Bound, y.Bound)
}

// propose stores a proposal with the incident of its service, and asks people.
func (b *Records) propose(ctx context.Context, p *store.Proposal, command string, about notify.About) (err error) {
	about.Incident.Service = p.Service
	if i := about.Incident; i.ID != 0 {
		p.IncidentID, p.Fingerprint = &i.ID, i.Fingerprint
	}
	if p.Service == "" {
		about.Found, about.Limits = nil, nil
	}
	var evidence []string
	for _, r := range about.Found {
		evidence = append(evidence, strings.TrimSuffix(fmt.Sprintf("%s %s: %s", r.Type, r.Status, r.Error), ": "))
	}
	p.Evidence = strings.Join(evidence, "\n")
	if p.ID, err = b.Store.AddProposal(ctx, *p); err != nil {
		return err
	}
	what := fmt.Sprintf("proposal %d waits for a person until %s: Tier %d wants to run %s",
		p.ID, text.Moment(p.ExpiresAt), p.Tier, notify.Code(command))
	return errors.Join(b.note(ctx, store.Warning, p.SessionID, p.Service, what), b.Queue(ctx, notify.Proposed(about, *p, command)))
}

// Decide approves a waiting proposal, which the next cycle then runs, or rejects it: then its incident waits as after a chain that ended
// with a request for a human. by says who decides. One that does not wait is a *DecidedError.
func (b *Records) Decide(ctx context.Context, id int64, status store.ProposalStatus, by, reason string) (p store.Proposal, err error) {
	by, reason = b.line(by), b.line(reason)
	err = b.Together(ctx, func() error {
		decided := b.Store.DecideProposal(ctx, id, status, by, reason, b.Now())
		if p, err = b.Store.Proposal(ctx, id); err != nil {
			return err
		}
		if errors.Is(decided, store.ErrNotFound) {
			return &DecidedError{notify.ProposalAt(p, b.Now())}
		}
		if decided != nil {
			return decided
		}
		what := fmt.Sprintf("proposal %d %s (%s)", p.ID, status, by)
		if reason != "" {
			what += ": " + reason
		}
		if err := b.note(ctx, store.Info, nil, p.Service, what); err != nil || status != store.ProposalRejected {
			return err
		}
		return b.proposalDeadEnd(ctx, p)
	})
	return p, err
}

// EndProposal ends a proposal that waits or is approved as void or expired. reason is a clause. If somebody has decided
// it since, the error is store.ErrNotFound.
func (b *Records) EndProposal(ctx context.Context, p store.Proposal, status store.ProposalStatus, reason string) error {
	if err := b.Store.EndProposal(ctx, p.ID, p.Status, status, b.line(reason)); err != nil {
		return err
	}
	what := fmt.Sprintf("proposal %d is %s and does not run: %s", p.ID, status, reason)
	return b.note(ctx, store.Warning, nil, p.Service, what)
}

// ExpireProposals ends proposals that nobody answered, and approved ones that no cycle ran in the same time. The
// incident of each is at a dead end.
func (b *Records) ExpireProposals(ctx context.Context) error {
	return b.Together(ctx, func() error {
		pending, err := b.Store.PendingProposals(ctx)
		for _, p := range pending {
			why, until := "nobody answered", p.ExpiresAt
			if p.DecidedAt != nil {
				why, until = "it was approved, and no cycle ran it in time", p.DecidedAt.Add(p.ExpiresAt.Sub(p.CreatedAt))
			}
			if p.RunSessionID == nil && !b.Now().Before(until) {
				err = errors.Join(err, b.EndProposal(ctx, p, store.ProposalExpired, why), b.proposalDeadEnd(ctx, p))
			}
		}
		return err
	})
}

// proposalDeadEnd makes the incident of a proposal wait, unless it is over or has changed since.
func (b *Records) proposalDeadEnd(ctx context.Context, p store.Proposal) error {
	if p.IncidentID == nil {
		return nil
	}
	incident, err := b.Store.Incident(ctx, *p.IncidentID)
	if err != nil || incident.ClosedAt != nil || incident.Fingerprint != p.Fingerprint {
		return err
	}
	return b.Store.SaveIncident(ctx, incident.DeadEnd(b.Now()))
}
