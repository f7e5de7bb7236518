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

const (
	// maxDepth limits how far a chain is followed. A cycle has three tiers, so only an edited database has more.
	maxDepth = 64
	// maxLinks limits the sessions that Links returns.
	maxLinks = 2000
	// chainBatch is the initial number of sessions per query in the search for chains.
	chainBatch = 128
)

// A session's root is found by following parents only to lower ids, since a session is created after its parent. In a database that was
// edited into a circle, or that lost a parent, the search still ends and every session has one root.
const rootsOf = `
	WITH RECURSIVE
		hit (id) AS (%s),
		up (hit, id, parent, depth) AS (
			SELECT id, id, parent_session_id, 0 FROM sessions WHERE id IN hit
			UNION ALL
			SELECT up.hit, s.id, s.parent_session_id, up.depth + 1 FROM up JOIN sessions s ON s.id = up.parent AND s.id < up.id WHERE up.depth < %d)
	SELECT hit, min(id) FROM up GROUP BY hit ORDER BY hit DESC`

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
// sessions are consecutive, since only one cycle runs at a time. A session whose parent was edited may be missing on a later page.
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
	query := fmt.Sprintf(rootsOf, `SELECT s.id FROM sessions s`+f.clause()+` ORDER BY s.id DESC LIMIT ?`, maxDepth)
	f.args = append(f.args, limit)
	return list[chainHit](ctx, s, "list chains", query, f.args...)
}

// Root returns the root of a session's chain, or ErrNotFound.
func (s *Store) Root(ctx context.Context, id int64) (int64, error) {
	found, err := find[chainHit](ctx, s, "session", id, fmt.Sprintf(rootsOf, `SELECT ?`, maxDepth))
	return found.Root, err
}

const linkColumns = `s.id, %s, s.tier, s.model, s.agent, s.trigger, s.status, s.started_at, s.ended_at, s.cost_usd, s.num_turns, s.duration_ms,
	s.input_tokens, s.output_tokens`

func scanLink(r row, l *Link) error {
	return r.Scan(&l.ID, &l.ParentID, &l.Tier, &l.Model, &l.Agent, &l.Trigger, &l.Status, &l.StartedAt, &l.EndedAt, &l.CostUSD,
		&l.NumTurns, &l.DurationMS, &l.InputTokens, &l.OutputTokens, &l.Root, &l.Depth, &l.Matches)
}

// Links returns the sessions of the chains with these roots, at most 2,000: the chain with the newest root first, each in the order of
// ids. The parent column is stored after the long texts, so it is read only for roots.
func (s *Store) Links(ctx context.Context, roots []int64, want ChainFilter) ([]Link, error) {
	if len(roots) == 0 {
		return nil, nil
	}
	f := want.conditions()
	matches := "TRUE"
	if len(f.where) > 0 {
		matches = strings.Join(f.where, " AND ")
	}
	args := make([]any, 0, len(roots)+len(f.args))
	for _, root := range roots {
		args = append(args, root)
	}
	query := fmt.Sprintf(`
		WITH RECURSIVE chain (root, id, parent, depth) AS (
			SELECT id, id, NULL, 0 FROM sessions WHERE id IN (?%s)
			UNION ALL
			SELECT chain.root, s.id, chain.id, chain.depth + 1 FROM chain JOIN sessions s ON s.parent_session_id = chain.id AND s.id > chain.id
			WHERE chain.depth < %d LIMIT %d)
		SELECT %s, chain.root, chain.depth, %s FROM chain JOIN sessions s ON s.id = chain.id ORDER BY chain.root DESC, s.id`,
		strings.Repeat(", ?", len(roots)-1), maxDepth, maxLinks,
		fmt.Sprintf(linkColumns, "iif(chain.depth = 0, s.parent_session_id, chain.parent)"), matches)
	return listBy(ctx, s, "read chains", scanLink, query, append(args, f.args...)...)
}

// Link returns one session without its chain; nil if there is none with that id.
func (s *Store) Link(ctx context.Context, id int64) (*Link, error) {
	found, err := s.singleLinks(ctx, "s.id = ?", id, 1)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[0], nil
}

// Children returns the child sessions of a session, at most limit, in the order of ids.
func (s *Store) Children(ctx context.Context, id int64, limit int) ([]Link, error) {
	return s.singleLinks(ctx, "s.parent_session_id = ?", id, limit)
}

// singleLinks returns sessions without their chains, each as a root.
func (s *Store) singleLinks(ctx context.Context, where string, args ...any) ([]Link, error) {
	return listBy(ctx, s, "read linked sessions", scanLink,
		`SELECT `+fmt.Sprintf(linkColumns, "s.parent_session_id")+`, s.id, 0, TRUE FROM sessions s WHERE `+where+` ORDER BY s.id LIMIT ?`, args...)
}
