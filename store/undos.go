package store

import (
	"context"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"
)

// Undo says how a remediation can be undone. It is kept when the remediation is done.
type Undo struct {
	ID        int64  `json:"id"`
	SessionID *int64 `json:"session_id"`  // that did what can be undone
	ToolUseID string `json:"tool_use_id"` // of its cooldown actions
	Service   string `json:"service"`
	Tier      int    `json:"tier"`
	Done      string `json:"done"` // the command that can be undone
	// Steps are the argument lists that undo it. The last is the redeployment; those before it prepare it.
	Steps      [][]string        `json:"steps"`
	Dir        string            `json:"dir"`
	Was        map[string]string `json:"was"`    // what ran before, by name
	Became     map[string]string `json:"became"` // what ran afterwards: it can be undone as long as this runs
	CreatedAt  time.Time         `json:"created_at"`
	ProposalID *int64            `json:"proposal_id"` // the last proposal to undo it
}

const undoColumns = `id, session_id, tool_use_id, service, tier, done, steps, dir, was, became, created_at, proposal_id`

func scanUndo(r row, u *Undo) error {
	return r.Scan(&u.ID, &u.SessionID, &u.ToolUseID, &u.Service, &u.Tier, &u.Done, readJSON{&u.Steps}, &u.Dir, readJSON{&u.Was}, readJSON{&u.Became},
		&u.CreatedAt, &u.ProposalID)
}

// AddUndo adds a way to undo a remediation, and returns its id.
func (s *Store) AddUndo(ctx context.Context, u Undo) (int64, error) {
	var columns []any
	for _, part := range []any{u.Steps, u.Was, u.Became} {
		text, err := json.Marshal(part, json.Deterministic(true))
		if err != nil {
			return 0, fmt.Errorf("encode how to undo a remediation: %w", err)
		}
		columns = append(columns, string(text))
	}
	return s.insert(ctx, "keep how to undo a remediation", `
		INSERT INTO undos (session_id, tool_use_id, service, tier, done, steps, dir, was, became, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		u.SessionID, u.ToolUseID, u.Service, u.Tier, u.Done, columns[0], u.Dir, columns[1], columns[2], s.orNow(u.CreatedAt))
}

// Undo returns one, or ErrNotFound.
func (s *Store) Undo(ctx context.Context, id int64) (Undo, error) {
	return findBy(ctx, s, "undo", id, scanUndo, `SELECT `+undoColumns+` FROM undos WHERE id = ?`)
}

// Undos returns the latest way to undo something of each service, newest first, at most limit: what came before the latest remediation
// is not what runs.
func (s *Store) Undos(ctx context.Context, limit int) ([]Undo, error) {
	return listBy(ctx, s, "list what can be undone", scanUndo, `
		SELECT `+undoColumns+` FROM undos WHERE id IN (SELECT max(id) FROM undos GROUP BY service) ORDER BY id DESC LIMIT ?`, limit)
}

// SessionUndos returns the ways to undo what a session did, oldest first.
func (s *Store) SessionUndos(ctx context.Context, session int64) ([]Undo, error) {
	return listBy(ctx, s, "list what can be undone", scanUndo, `SELECT `+undoColumns+` FROM undos WHERE session_id = ? ORDER BY id`, session)
}

// UndoOf returns what a proposal is to undo; found is false if it is about something else.
func (s *Store) UndoOf(ctx context.Context, proposal int64) (u Undo, found bool, err error) {
	return s.undoBy(ctx, `?`, proposal)
}

// UndoRunBy returns what a session is to undo; found is false if it was not started to undo something.
func (s *Store) UndoRunBy(ctx context.Context, session int64) (u Undo, found bool, err error) {
	return s.undoBy(ctx, `(SELECT max(id) FROM proposals WHERE run_session_id = ?)`, session)
}

// undoBy returns what a proposal is to undo; which selects the proposal by id.
func (s *Store) undoBy(ctx context.Context, which string, id int64) (u Undo, found bool, err error) {
	all, err := listBy(ctx, s, "find what is to be undone", scanUndo, `SELECT `+undoColumns+` FROM undos WHERE proposal_id = `+which, id)
	if err != nil || len(all) == 0 {
		return Undo{}, false, err
	}
	return all[0], true, nil
}

// ProposeUndo records the proposal that undoes something. Such a one fits its incident whatever is wrong with the service.
func (s *Store) ProposeUndo(ctx context.Context, undo, proposal int64) error {
	return s.Update(ctx, func(tx *Store) error {
		if err := tx.change(ctx, "proposal", proposal, `UPDATE proposals SET fingerprint = '' WHERE id = ?`, proposal); err != nil {
			return err
		}
		return tx.change(ctx, "undo", undo, `UPDATE undos SET proposal_id = ? WHERE id = ?`, proposal, undo)
	})
}
