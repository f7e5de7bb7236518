package store

import (
	"context"
	"time"
)

// SessionFilter selects sessions, or chains of which one session matches. Zero fields do not restrict.
type SessionFilter struct {
	Status  Status
	Tier    int
	Agent   string
	Trigger string    // of the chain's root; or escalation, of the session itself
	Service string    // a service that the session worked on, according to an incident, a remediation or an event
	From    time.Time // started at this time or later
	Until   time.Time // started before this time
	Loud    bool      // only those that are not quiet
	Before  int64     // only chains whose root has a lower id
	Limit   int       // the maximum number
}

// Link is a session in its chain, without long texts: its response, error, handoff and question are empty.
type Link struct {
	Session
	Matches bool // the session itself matches the filter
}

// conditions returns the filter's conditions on a session s.
func (want SessionFilter) conditions() (f filter) {
	f.add(want.Status != "", "s.status = ?", want.Status)
	f.add(want.Tier != 0, "s.tier = ?", want.Tier)
	f.add(want.Agent != "", "s.agent = ?", want.Agent)
	f.add(want.Before != 0, "s.root_id < ?", want.Before)
	f.add(!want.From.IsZero(), "s.started_at >= ?", want.From)
	f.add(!want.Until.IsZero(), "s.started_at < ?", want.Until)
	// Later chains have higher ids: these end the search where no session can match.
	f.add(!want.From.IsZero(), "s.root_id >= (SELECT root_id FROM sessions WHERE started_at >= ? ORDER BY started_at LIMIT 1)", want.From)
	f.add(!want.Until.IsZero(), "s.root_id <= (SELECT root_id FROM sessions WHERE started_at < ? ORDER BY started_at DESC LIMIT 1)", want.Until)
	f.add(want.Loud, "s.quiet = 0")
	f.add(want.Trigger != "", `(s.trigger = ?
		OR s.trigger = 'escalation' AND (SELECT trigger FROM sessions r WHERE r.id = s.root_id) = ?)`, want.Trigger, want.Trigger)
	f.add(want.Service != "", `s.id IN (
		SELECT session_id FROM incident_sessions WHERE incident_id IN (SELECT id FROM incidents WHERE service = ?)
		UNION SELECT session_id FROM cooldown_actions WHERE service = ? AND session_id IS NOT NULL
		UNION SELECT session_id FROM events WHERE service = ? AND session_id IS NOT NULL)`, want.Service, want.Service, want.Service)
	return f
}

// ChainRoots lists the roots of chains with a matching session, newest first, and reports whether there are more.
func (s *Store) ChainRoots(ctx context.Context, want SessionFilter) (roots []int64, more bool, err error) {
	limit := max(want.Limit, 1)
	roots, err = listed[int64](ctx, s, "list chains", `SELECT DISTINCT s.root_id FROM sessions s`, want.conditions(),
		"s.root_id DESC", limit+1)
	return roots[:min(len(roots), limit)], len(roots) > limit, err
}

// Links returns the sessions of the chains with these roots: the chain with the newest root first, each in the order of ids.
func (s *Store) Links(ctx context.Context, roots []int64, want SessionFilter) ([]Link, error) {
	f := want.conditions()
	return list[Link](ctx, s, "read chains", `
		SELECT id, parent_session_id, root_id, `+tierColumns+`, '', '', '', `+processColumns+`, '', TRUE`+f.where+`
		FROM sessions s WHERE root_id IN (SELECT value FROM json_each(?)) ORDER BY root_id DESC, id`, append(f.args, roots)...)
}
