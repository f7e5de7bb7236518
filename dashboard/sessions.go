package dashboard

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/claudeops/claudeops/store"
)

// SessionQuery says which sessions to list. Zero fields ask for nothing.
type SessionQuery struct {
	Status  store.Status
	Tier    int
	Trigger string // of the chain's root, or escalation
	Service string // that the session worked on: an incident of it, a remediation, an event
	From    time.Time
	Until   time.Time
	Before  int64 // only chains whose root has a lower id: the next page
	Limit   int   // chains on a page; 0 is 25, at most 200
}

// SessionsPage is a page of chains, the newest first.
type SessionsPage struct {
	Chains []Chain `json:"chains"`
	Next   int64   `json:"next_before"` // Before of the next page; 0 where this is the last
}

// Chain is the sessions of one cycle, root first. One session alone is a chain too.
type Chain struct {
	Sessions []ChainLink `json:"sessions"`
	CostUSD  float64     `json:"cost_usd"`
	Tokens   Tokens      `json:"tokens"`
	NumTurns int         `json:"num_turns"`
	// DurationMS is the sum of the tiers', as CostUSD is.
	DurationMS int64 `json:"duration_ms"`
	// Services are those of the incidents that its sessions worked on, the first 5 by name.
	Services []string `json:"services"`
}

// Tokens are what models read and wrote.
type Tokens struct {
	Input  int64 `json:"input"`
	Output int64 `json:"output"`
}

// ChainLink is a session as lists and diagrams show it: without its long texts.
type ChainLink struct {
	ID           int64        `json:"id"`
	ParentID     *int64       `json:"parent_session_id"`
	Tier         int          `json:"tier"`
	Model        string       `json:"model"` // or the agent, where there is no model
	Trigger      string       `json:"trigger"`
	Status       store.Status `json:"status"`
	StartedAt    time.Time    `json:"started_at"`
	EndedAt      *time.Time   `json:"ended_at"`
	CostUSD      float64      `json:"cost_usd"`
	NumTurns     int          `json:"num_turns"`
	DurationMS   int64        `json:"duration_ms"` // up to now, while it runs
	InputTokens  int64        `json:"input_tokens"`
	OutputTokens int64        `json:"output_tokens"`
	Depth        int          `json:"depth"`   // 0 is the root
	Matches      bool         `json:"matches"` // the query itself, and not only its chain
}

const (
	sessionsOnPage = 25
	mostOnPage     = 200
)

// Sessions reads a page of chains of which any session matches.
func (i *Instance) Sessions(ctx context.Context, q SessionQuery) (*SessionsPage, error) {
	filter := store.ChainFilter{
		Status: q.Status, Tier: q.Tier, Trigger: q.Trigger, Service: q.Service, From: q.From, Until: q.Until, Before: q.Before,
		Limit: onPage(q.Limit, sessionsOnPage, mostOnPage),
	}
	page := &SessionsPage{Chains: []Chain{}}
	err := i.read(ctx, func(s *store.Store) error {
		roots, more, err := s.ChainRoots(ctx, filter)
		if err != nil {
			return err
		}
		links, err := s.Links(ctx, roots, filter)
		if err != nil {
			return err
		}
		if page.Chains, err = i.chains(ctx, s, links); err != nil {
			return err
		}
		if more {
			page.Next = roots[len(roots)-1]
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return page, nil
}

// onPage is how many of a list a page shows: as many as were asked for, but no more than most, and the usual number where none was.
func onPage(wanted, usual, most int) int {
	if wanted <= 0 {
		return usual
	}
	return min(wanted, most)
}

// mostChainServices is how many services a chain names.
const mostChainServices = 5

// chains puts links that stand in the order of their chains together.
func (i *Instance) chains(ctx context.Context, s *store.Store, links []store.Link) ([]Chain, error) {
	ids := make([]int64, len(links))
	for n, l := range links {
		ids[n] = l.ID
	}
	worked, err := s.WorkedServices(ctx, ids)
	if err != nil {
		return nil, err
	}
	chains := []Chain{}
	for n, l := range links {
		if n == 0 || l.Root != links[n-1].Root {
			chains = append(chains, Chain{Services: []string{}})
		}
		chain := &chains[len(chains)-1]
		chain.add(i.link(l))
		chain.Services = append(chain.Services, worked[l.ID]...)
	}
	for n := range chains {
		services := &chains[n].Services
		slices.Sort(*services)
		*services = slices.Compact(*services)
		*services = (*services)[:min(len(*services), mostChainServices)]
	}
	return chains, nil
}

// add adds a session and what it took.
func (c *Chain) add(l ChainLink) {
	c.Sessions = append(c.Sessions, l)
	c.CostUSD += l.CostUSD
	c.NumTurns += l.NumTurns
	c.DurationMS += l.DurationMS
	c.Tokens.Input += l.InputTokens
	c.Tokens.Output += l.OutputTokens
}

func (i *Instance) link(l store.Link) ChainLink {
	link := ChainLink{
		ID: l.ID, ParentID: l.ParentID, Tier: l.Tier, Model: cmp.Or(l.Model, l.Agent), Trigger: l.Trigger, Status: l.Status,
		StartedAt: l.StartedAt, EndedAt: l.EndedAt, CostUSD: l.CostUSD, NumTurns: l.NumTurns, DurationMS: l.DurationMS,
		InputTokens: l.InputTokens, OutputTokens: l.OutputTokens, Depth: l.Depth, Matches: l.Matches,
	}
	if l.EndedAt == nil {
		link.DurationMS = i.since(l.StartedAt)
	}
	return link
}

// since is how long ago that was, in milliseconds; 0 for what lies ahead.
func (i *Instance) since(t time.Time) int64 { return max(0, i.now().Sub(t).Milliseconds()) }
