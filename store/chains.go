package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// ChainFilter selects chains by their sessions: a chain is listed if one of its sessions matches. Zero fields do not restrict.
type ChainFilter struct {
	Status  Status
	Tier    int
	Trigger string    // of the chain's root; or escalation, of the session itself
	Service string    // a service that the session worked on, according to an incident, a remediation or an event
	From    time.Time // started at this time or later
	Until   time.Time // started before this time
	Loud    bool      // only those that are not quiet
	Before  int64     // only chains whose root has a lower id
	Limit   int       // the maximum number of chains
}

// Link is a session in its chain, without long texts. The Session's response, error, handoff, run token, process and log fields are
// empty.
type Link struct {
	Session
	Root    int64
	Depth   int  // 0 for the root
	Matches bool // the session itself matches the filter
}

// chainBatch is the initial number of sessions per query in the search for chains.
const chainBatch = 128

// rootsOf finds the roots of sessions by following their parents.
const rootsOf = `
	WITH RECURSIVE
		hit (id) AS (%s),
		up (hit, id, parent) AS (
			SELECT id, id, parent_session_id FROM sessions WHERE id IN hit
			UNION ALL
			SELECT up.hit, s.id, s.parent_session_id FROM up JOIN sessions s ON s.id = up.parent)
	SELECT hit, id FROM up WHERE parent IS NULL ORDER BY hit DESC`

// conditions returns the filter's conditions on a session s, except Before.
func (want ChainFilter) conditions() (f filter) {
	f.add(want.Status != "", "s.status = ?", want.Status)
	f.add(want.Tier != 0, "s.tier = ?", want.Tier)
	f.add(!want.From.IsZero(), "s.started_at >= ?", timeText(want.From))
	f.add(!want.Until.IsZero(), "s.started_at < ?", timeText(want.Until))
	if want.Loud {
		f.where = append(f.where, "s.quiet = 0")
	}
	switch want.Trigger {
	case "":
	case "escalation":
		f.where = append(f.where, "s.trigger = 'escalation'")
	default: // three tiers: the root is the session, its parent or its grandparent
		f.where = append(f.where, `(s.trigger = ? OR s.trigger = 'escalation' AND EXISTS (
			SELECT 1 FROM sessions p LEFT JOIN sessions g ON g.id = p.parent_session_id WHERE p.id = s.parent_session_id
				AND (p.trigger = ? OR p.trigger = 'escalation' AND g.trigger = ?)))`)
		f.args = append(f.args, want.Trigger, want.Trigger, want.Trigger)
	}
	if want.Service != "" {
		f.where = append(f.where, `s.id IN (
			SELECT session_id FROM incident_sessions WHERE incident_id IN (SELECT id FROM incidents WHERE service = ?)
			UNION SELECT session_id FROM cooldown_actions WHERE service = ? AND session_id IS NOT NULL
			UNION SELECT session_id FROM events WHERE service = ? AND session_id IS NOT NULL)`)
		f.args = append(f.args, want.Service, want.Service, want.Service)
	}
	return f
}

// between restricts the ids if times are given: the index on times takes a tenth of the time of reading all sessions.
func (want ChainFilter) between(f *filter) {
	var times filter
	times.add(!want.From.IsZero(), "started_at >= ?", timeText(want.From))
	times.add(!want.Until.IsZero(), "started_at < ?", timeText(want.Until))
	if len(times.where) == 0 {
		return
	}
	for _, bound := range []string{"s.id >= (SELECT min(id)", "s.id <= (SELECT max(id)"} {
		f.where = append(f.where, bound+" FROM sessions INDEXED BY sessions_started_at"+times.clause()+")")
		f.args = append(f.args, times.args...)
	}
}

// ChainRoots lists the roots of chains with a matching session, newest first, and reports whether there are more. The ids of a chain's
// sessions are consecutive, since only one cycle runs at a time.
func (s *Store) ChainRoots(ctx context.Context, want ChainFilter) (roots []int64, more bool, err error) {
	limit := max(want.Limit, 1)
	before := want.Before
	for batch := max(chainBatch, 4*limit); ; batch = min(2*batch, 1<<14) {
		hits, err := s.chainHits(ctx, want, before, batch)
		if err != nil {
			return nil, false, err
		}
		for _, h := range hits {
			roots, before = append(roots, h.Root), h.ID
		}
		slices.SortFunc(roots, func(a, b int64) int { return cmp.Compare(b, a) })
		roots = slices.Compact(roots)
		roots = roots[:min(len(roots), limit+1)]
		// Lower sessions have lower roots, so the roots down to the last one seen are final.
		if len(hits) < batch || len(roots) > limit && roots[limit] >= before {
			return roots[:min(len(roots), limit)], len(roots) > limit, nil
		}
	}
}

type chainHit struct{ ID, Root int64 }

// chainHits returns the newest matching sessions below an id (0: all), with their roots.
func (s *Store) chainHits(ctx context.Context, want ChainFilter, below int64, limit int) ([]chainHit, error) {
	f := want.conditions()
	f.add(below != 0, "s.id < ?", below)
	want.between(&f)
	query := fmt.Sprintf(rootsOf, `SELECT s.id FROM sessions s`+f.clause()+` ORDER BY s.id DESC LIMIT ?`)
	f.args = append(f.args, limit)
	return list[chainHit](ctx, s, "list chains", query, f.args...)
}

// Root returns the root of a session's chain, or ErrNotFound.
func (s *Store) Root(ctx context.Context, id int64) (int64, error) {
	found, err := find[chainHit](ctx, s, "session", id, fmt.Sprintf(rootsOf, `SELECT ?`))
	return found.Root, err
}

// Links returns the sessions of the chains with these roots: the chain with the newest root first, each in the order of ids.
func (s *Store) Links(ctx context.Context, roots []int64, want ChainFilter) ([]Link, error) {
	f := want.conditions()
	matches := "TRUE"
	if len(f.where) > 0 {
		matches = strings.Join(f.where, " AND ")
	}
	scan := func(r row, l *Link) error {
		return r.Scan(&l.ID, &l.ParentID, &l.Tier, &l.Model, &l.Agent, &l.Trigger, &l.Status, &l.StartedAt, &l.EndedAt, &l.CostUSD,
			&l.NumTurns, &l.DurationMS, &l.InputTokens, &l.OutputTokens, &l.Root, &l.Depth, &l.Matches)
	}
	return listBy(ctx, s, "read chains", scan, `
		WITH RECURSIVE chain (root, id, depth) AS (
			SELECT value, value, 0 FROM json_each(?)
			UNION ALL
			SELECT chain.root, s.id, chain.depth + 1 FROM chain JOIN sessions s ON s.parent_session_id = chain.id)
		SELECT s.id, s.parent_session_id, s.tier, s.model, s.agent, s.trigger, s.status, s.started_at, s.ended_at, s.cost_usd, s.num_turns, s.duration_ms,
			s.input_tokens, s.output_tokens, chain.root, chain.depth, `+matches+`
		FROM chain JOIN sessions s ON s.id = chain.id ORDER BY chain.root DESC, s.id`, append([]any{jsonList(roots)}, f.args...)...)
}
