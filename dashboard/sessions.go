package dashboard

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/handoff"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/store"
)

// SessionsPage is a page of chains, newest first.
type SessionsPage struct {
	Chains []Chain `json:"chains"`
	Next   int64   `json:"next_before"` // Before of the next page; 0 if this is the last
}

// Chain is the sessions of one cycle, root first. A single session is a chain too.
type Chain struct {
	Sessions []ChainLink `json:"sessions"`
	CostUSD  float64     `json:"cost_usd"`
	Tokens   Tokens      `json:"tokens"`
	NumTurns int         `json:"num_turns"`
	// DurationMS is the sum over the tiers, like CostUSD.
	DurationMS int64 `json:"duration_ms"`
	// Services are those of the incidents that its sessions worked on: the first 5 by name.
	Services []string `json:"services"`
}

// Tokens counts what models read and wrote.
type Tokens struct {
	Input  int64 `json:"input"`
	Output int64 `json:"output"`
}

// ChainLink is a session in a list or a diagram, without long texts.
type ChainLink struct {
	ID           int64        `json:"id"`
	ParentID     *int64       `json:"parent_session_id"`
	Tier         int          `json:"tier"`
	Model        string       `json:"model"` // or the agent if there is no model
	Trigger      string       `json:"trigger"`
	Status       store.Status `json:"status"`
	StartedAt    time.Time    `json:"started_at"`
	EndedAt      *time.Time   `json:"ended_at"`
	CostUSD      float64      `json:"cost_usd"`
	NumTurns     int          `json:"num_turns"`
	DurationMS   int64        `json:"duration_ms"` // up to now while it runs
	InputTokens  int64        `json:"input_tokens"`
	OutputTokens int64        `json:"output_tokens"`
	Depth        int          `json:"depth"`   // 0 for the root
	Matches      bool         `json:"matches"` // the session itself matches the query
	Gone         bool         `json:"gone"`    // on record as running, but nothing runs it any more
}

const (
	sessionsOnPage    = 25
	mostOnPage        = 200
	mostChainServices = 5 // services named by a chain
)

// Sessions returns a page of chains with a matching session: 25 if no Limit is set, at most 200.
func (i *Instance) Sessions(ctx context.Context, q store.SessionFilter) (*SessionsPage, error) {
	q.Limit = onPage(q.Limit, sessionsOnPage, mostOnPage)
	page := &SessionsPage{}
	err := i.read(ctx, func(b *ledger.Records) error {
		roots, more, err := b.Store.ChainRoots(ctx, q)
		if err != nil {
			return err
		}
		if more {
			page.Next = roots[len(roots)-1]
		}
		page.Chains, err = i.chains(ctx, b.Store, roots, q)
		return err
	})
	return page, err
}

// onPage returns the number of entries on a page: wanted, but at most most, or usual if wanted is 0.
func onPage(wanted, usual, most int) int {
	if wanted <= 0 {
		return usual
	}
	return min(wanted, most)
}

// chains returns the chains with these roots, with matching sessions marked.
func (i *Instance) chains(ctx context.Context, s *store.Store, roots []int64, filter store.SessionFilter) ([]Chain, error) {
	links, err := s.Links(ctx, roots, filter)
	if err != nil {
		return nil, err
	}
	ids := make([]int64, len(links))
	for n, l := range links {
		ids[n] = l.ID
	}
	worked, err := s.WorkedServices(ctx, ids)
	if err != nil {
		return nil, err
	}
	var chains []Chain
	depths := map[int64]int{}
	for n, l := range links { // in the order of their chains
		if n == 0 || l.RootID != links[n-1].RootID {
			chains = append(chains, Chain{})
		}
		c, link := &chains[len(chains)-1], i.link(l)
		if l.ParentID != nil {
			link.Depth = depths[*l.ParentID] + 1
		}
		depths[l.ID] = link.Depth
		c.Sessions = append(c.Sessions, link)
		c.CostUSD += link.CostUSD
		c.NumTurns += link.NumTurns
		c.DurationMS += link.DurationMS
		c.Tokens.Input += link.InputTokens
		c.Tokens.Output += link.OutputTokens
		c.Services = append(c.Services, worked[l.ID]...)
	}
	for n := range chains {
		slices.Sort(chains[n].Services)
		services := slices.Compact(chains[n].Services)
		chains[n].Services = services[:min(len(services), mostChainServices)]
	}
	return chains, nil
}

func (i *Instance) link(l store.Link) ChainLink {
	link := ChainLink{
		ID: l.ID, ParentID: l.ParentID, Tier: l.Tier, Model: cmp.Or(l.Model, l.Agent), Trigger: l.Trigger, Status: l.Status,
		StartedAt: l.StartedAt, EndedAt: l.EndedAt, CostUSD: l.CostUSD, NumTurns: l.NumTurns, DurationMS: l.DurationMS,
		InputTokens: l.InputTokens, OutputTokens: l.OutputTokens, Matches: l.Matches, Gone: i.gone(l.Session),
	}
	if l.EndedAt == nil {
		link.DurationMS = max(0, i.now().Sub(l.StartedAt).Milliseconds())
	}
	return link
}

// SessionDetail is one session with everything that belongs to it.
type SessionDetail struct {
	Session  store.Session `json:"session"`
	Chain    Chain         `json:"chain"`
	Parent   *ChainLink    `json:"parent"`
	Children []ChainLink   `json:"children"`
	Gone     bool          `json:"gone"`    // on record as running, but nothing runs it any more
	Handoff  *Handoff      `json:"handoff"` // for the next tier; nil if it left none
	Calls    []guard.Entry `json:"tool_calls"`
	Checks   []store.Check `json:"checks"`
	Acts     []store.Act   `json:"remediations"`
	Events   []store.Event `json:"events"`
	// Incidents that it worked on.
	Incidents []IncidentLine `json:"incidents"`
	// Numbers of unlisted entries (at most 500 calls, 500 checks and 200 others are listed).
	MoreCalls  int    `json:"more_tool_calls"`
	MoreChecks int    `json:"more_checks"`
	MoreEvents int    `json:"more_events"`
	CallsNote  string `json:"tool_calls_note"` // why calls are missing in the list; empty if none is
}

// Handoff is a session's handoff for people. If its text is not a valid handoff, Fault says so and everything else except Raw is empty.
type Handoff struct {
	RecommendedTier int      `json:"recommended_tier"`
	Services        []string `json:"services_affected"`
	Findings        string   `json:"investigation_findings"`
	Attempted       string   `json:"remediation_attempted"`
	Raw             string   `json:"raw"` // indented
	Fault           string   `json:"fault"`
}

// Limits of a session's lists.
const (
	mostCalls  = 500
	mostChecks = 500
	mostOthers = 200
)

// Session returns one session.
func (i *Instance) Session(ctx context.Context, id int64) (*SessionDetail, error) {
	d := &SessionDetail{}
	err := i.read(ctx, func(b *ledger.Records) (err error) {
		if d.Session, err = b.Store.Session(ctx, id); err != nil {
			return err
		}
		if err := i.relatives(ctx, b.Store, d); err != nil {
			return err
		}
		if d.Checks, err = b.Store.SessionChecks(ctx, id); err != nil {
			return err
		}
		if d.Events, err = b.Store.Events(ctx, store.EventFilter{SessionID: &id}); err != nil {
			return err
		}
		slices.Reverse(d.Events) // the oldest first
		d.MoreChecks, d.MoreEvents = max(0, len(d.Checks)-mostChecks), max(0, len(d.Events)-mostOthers)
		d.Checks, d.Events = d.Checks[:len(d.Checks)-d.MoreChecks], d.Events[:len(d.Events)-d.MoreEvents]
		if d.Acts, err = b.Store.SessionActs(ctx, id); err != nil {
			return err
		}
		d.Acts = d.Acts[:min(len(d.Acts), mostOthers)]
		incidents, err := b.Store.Incidents(ctx, store.IncidentFilter{Session: id, Limit: mostOthers})
		if err != nil {
			return err
		}
		d.Incidents, err = i.incidentLinesNow(ctx, b, incidents)
		return err
	})
	if err != nil {
		return nil, err
	}
	d.Gone = i.gone(d.Session)
	d.Handoff = handoffOf(d.Session)
	d.Calls, d.MoreCalls, d.CallsNote = i.calls(d.Session)
	return d, nil
}

// relatives adds the sessions that are linked with a session.
func (i *Instance) relatives(ctx context.Context, s *store.Store, d *SessionDetail) error {
	chains, err := i.chains(ctx, s, []int64{d.Session.RootID}, store.SessionFilter{})
	if err != nil {
		return err
	}
	d.Chain = chains[0]
	for _, link := range d.Chain.Sessions {
		if d.Session.ParentID != nil && *d.Session.ParentID == link.ID {
			d.Parent = &link
		}
		if link.ParentID != nil && *link.ParentID == d.Session.ID {
			d.Children = append(d.Children, link)
		}
	}
	return nil
}

// handoffOf returns the handoff of a session; nil if it left none.
func handoffOf(s store.Session) *Handoff {
	if s.HandoffJSON == "" {
		return nil
	}
	raw := text.Clip(s.HandoffJSON, handoff.MaxBytes)
	h, err := handoff.Parse([]byte(s.HandoffJSON), s.Tier)
	if err != nil {
		return &Handoff{Services: []string{}, Raw: indented(raw), Fault: err.Error()}
	}
	return &Handoff{
		RecommendedTier: h.RecommendedTier, Services: h.ServicesAffected,
		Findings: handoff.Mark(h.InvestigationFindings, h.Evidence), Attempted: h.RemediationAttempted, Raw: indented(raw),
	}
}

// mostNested limits the nesting of JSON that is indented: deeper JSON is not a real handoff, and would be mostly spaces.
const mostNested = 64

// indented formats JSON for reading. Invalid JSON is returned unchanged.
func indented(text string) string {
	depth, deepest := 0, 0
	for n := range len(text) {
		switch text[n] {
		case '{', '[':
			depth++
			deepest = max(deepest, depth)
		case '}', ']':
			depth--
		}
	}
	value := jsontext.Value(text)
	if deepest > mostNested || value.Indent(jsontext.WithIndent("  "), lenient) != nil {
		return text
	}
	return string(value)
}

// Limits of a page of events.
const usualEvents, mostEvents = 100, 500

// EventsPage is a page of events, newest first.
type EventsPage struct {
	Events []store.Event `json:"events"`
	Next   int64         `json:"next_before"` // Before of the next page; 0 if this is the last
}

// Events returns a page of events; a Limit of 0 means 100, at most 500.
func (i *Instance) Events(ctx context.Context, q store.EventFilter) (*EventsPage, error) {
	most := onPage(q.Limit, usualEvents, mostEvents)
	q.Limit = most + 1
	page := &EventsPage{}
	err := i.read(ctx, func(b *ledger.Records) (err error) {
		page.Events, err = b.Store.Events(ctx, q)
		return err
	})
	if len(page.Events) > most {
		page.Events = page.Events[:most]
		page.Next = page.Events[most-1].ID
	}
	return page, err
}
