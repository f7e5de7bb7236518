package store

import (
	"context"
	"time"

	"github.com/claudeops/claudeops/statefile"
)

// ProposalStatus is the phase of a proposal.
type ProposalStatus string

// The phases. An approved proposal with a run session is running.
const (
	ProposalWaiting  ProposalStatus = "waiting" // for a person
	ProposalApproved ProposalStatus = "approved"
	ProposalRejected ProposalStatus = "rejected"
	ProposalExpired  ProposalStatus = "expired"
	ProposalVoid     ProposalStatus = "void" // what it was about has changed
	ProposalDone     ProposalStatus = "done"
	ProposalFailed   ProposalStatus = "failed"
)

// ProposedAsk is the action of a call that an agent has proposed by itself.
const ProposedAsk statefile.Action = "ask"

// Proposal is one act that runs only if a person approves it.
type Proposal struct {
	ID         int64            `json:"id"`
	IncidentID *int64           `json:"incident_id"` // the service's open incident when it was proposed; nil if there was none
	SessionID  *int64           `json:"session_id"`  // that proposed it; nil: pruned
	Tier       int              `json:"tier"`
	Service    string           `json:"service"`
	Action     statefile.Action `json:"action_type"`
	Program    string           `json:"program"` // its resolved path
	Argv       []string         `json:"argv"`
	Dir        string           `json:"dir"`
	// Bound has the digests, by path, of the program and of the files and folders that the arguments name. If one differs, it is void.
	Bound        map[string]string `json:"bound"`
	Fingerprint  string            `json:"fingerprint"` // the incident's
	Reason       string            `json:"reason"`      // in the agent's words
	Evidence     string            `json:"evidence"`    // what the checks found
	Status       ProposalStatus    `json:"status"`
	CreatedAt    time.Time         `json:"created_at"`
	ExpiresAt    time.Time         `json:"expires_at"`
	DecidedBy    string            `json:"decided_by"`
	DecidedAt    *time.Time        `json:"decided_at"`
	Outcome      string            `json:"outcome"`        // why it was rejected or is void, or how its run ended
	RunSessionID *int64            `json:"run_session_id"` // the session that runs or ran it
}

// ProposalFilter selects proposals. Zero fields do not restrict.
type ProposalFilter struct {
	Status   ProposalStatus
	Service  string
	Session  int64 // that proposed or ran them
	Incident int64
	Limit    int
}

const proposalColumns = `id, incident_id, session_id, tier, service, action_type, program, argv, dir, bound, fingerprint, reason, evidence, status, created_at,
	expires_at, decided_by, decided_at, outcome, run_session_id`

// AddProposal adds a waiting proposal, and returns its id.
func (s *Store) AddProposal(ctx context.Context, p Proposal) (int64, error) {
	return s.insert(ctx, "add a proposal", `
		INSERT INTO proposals (incident_id, session_id, tier, service, action_type, program, argv, dir, bound, fingerprint, reason, evidence, status,
			created_at, expires_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		p.IncidentID, p.SessionID, p.Tier, p.Service, p.Action, p.Program, p.Argv, p.Dir, p.Bound, p.Fingerprint, p.Reason, p.Evidence,
		ProposalWaiting, p.CreatedAt, p.ExpiresAt)
}

// DecideProposal ends the wait of a proposal for a person, once: of several that decide at the same time, all but one get ErrNotFound. So
// does one who decides after it has expired.
func (s *Store) DecideProposal(ctx context.Context, id int64, status ProposalStatus, by, why string, at time.Time) error {
	return s.change(ctx, "proposal", id, `
		UPDATE proposals SET status = ?1, decided_by = ?2, decided_at = ?3, outcome = ?4 WHERE id = ?5 AND status = 'waiting' AND expires_at > ?3`,
		status, by, at, why, id)
}

// ClaimProposal marks an approved proposal as run by a session, once: the error is ErrNotFound if another session has run it.
func (s *Store) ClaimProposal(ctx context.Context, id, session int64) error {
	return s.change(ctx, "proposal", id, `
		UPDATE proposals SET run_session_id = ? WHERE id = ? AND status = 'approved' AND run_session_id IS NULL`, session, id)
}

// EndProposal sets the last status of a proposal in the status was. If somebody has decided it since, the error is ErrNotFound.
func (s *Store) EndProposal(ctx context.Context, id int64, was, status ProposalStatus, outcome string) error {
	return s.change(ctx, "proposal", id, `
		UPDATE proposals SET status = ?, outcome = ? WHERE id = ? AND status = ?`, status, outcome, id, was)
}

// Proposal returns one proposal, or ErrNotFound.
func (s *Store) Proposal(ctx context.Context, id int64) (Proposal, error) {
	return find[Proposal](ctx, s, "proposal", id, `SELECT `+proposalColumns+` FROM proposals WHERE id = ?`)
}

// Proposals lists proposals, newest first.
func (s *Store) Proposals(ctx context.Context, want ProposalFilter) ([]Proposal, error) {
	var f filter
	f.add(want.Status != "", "status = ?", want.Status)
	f.add(want.Service != "", "service = ?", want.Service)
	f.add(want.Incident != 0, "incident_id = ?", want.Incident)
	f.add(want.Session != 0, "(session_id = ? OR run_session_id = ?)", want.Session, want.Session)
	return listed[Proposal](ctx, s, "list proposals", `SELECT `+proposalColumns+` FROM proposals`, f, "id DESC", want.Limit)
}

// PendingProposals returns the proposals that wait or are approved, oldest first.
func (s *Store) PendingProposals(ctx context.Context) ([]Proposal, error) {
	return list[Proposal](ctx, s, "list proposals", `
		SELECT `+proposalColumns+` FROM proposals WHERE status IN ('waiting', 'approved') ORDER BY id`)
}
