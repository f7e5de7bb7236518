package dashboard

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/handoff"
	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/store"
)

// SessionDetail is one session with all that belongs to it.
type SessionDetail struct {
	Session  store.Session `json:"session"`
	Chain    Chain         `json:"chain"`
	Parent   *ChainLink    `json:"parent"`
	Children []ChainLink   `json:"children"` // one as a rule; more where a database was edited
	Gone     bool          `json:"gone"`     // it is on record as running, and its process is no longer there
	Handoff  *Handoff      `json:"handoff"`  // what it left for the next tier; nil where it left nothing
	Calls    []guard.Entry `json:"tool_calls"`
	Checks   []store.Check `json:"checks"`
	Acts     []store.Act   `json:"remediations"`
	Events   []store.Event `json:"events"`
	// Incidents that it worked on.
	Incidents []IncidentLine `json:"incidents"`
	// How many there are of each list beyond what is listed (at most 500 calls, 500 checks, 200 others).
	MoreCalls  int    `json:"more_tool_calls"`
	MoreChecks int    `json:"more_checks"`
	MoreEvents int    `json:"more_events"`
	CallsNote  string `json:"tool_calls_note"` // why calls cannot be listed, or not all of them; empty where all is well
}

// Handoff is a session's handoff, for people. Where its text is no valid handoff, Fault says so and the rest but Raw is empty.
type Handoff struct {
	RecommendedTier int      `json:"recommended_tier"`
	Services        []string `json:"services_affected"`
	Findings        string   `json:"investigation_findings"`
	Attempted       string   `json:"remediation_attempted"`
	Raw             string   `json:"raw"` // indented
	Fault           string   `json:"fault"`
}

// How much of a session's lists is read.
const (
	mostCalls  = 500
	mostChecks = 500
	mostOthers = 200
)

// Session reads one session.
func (i *Instance) Session(ctx context.Context, id int64) (*SessionDetail, error) {
	d := &SessionDetail{}
	err := i.readRecords(ctx, func(b *records.Records) error {
		if err := i.readChain(ctx, b.Store, id, d); err != nil {
			return err
		}
		return i.readWork(ctx, b, id, d)
	})
	if err != nil {
		return nil, err
	}
	d.Gone = i.gone(d.Session)
	d.Handoff = handoffOf(d.Session)
	d.Calls, d.MoreCalls, d.CallsNote = i.calls(d.Session)
	return d, nil
}

// readChain reads a session and those that it is linked with.
func (i *Instance) readChain(ctx context.Context, s *store.Store, id int64, d *SessionDetail) (err error) {
	if d.Session, err = s.Session(ctx, id); err != nil {
		return err
	}
	root, err := s.Root(ctx, id)
	if err != nil {
		return err
	}
	links, err := s.Links(ctx, []int64{root}, store.ChainFilter{})
	if err != nil {
		return err
	}
	chains, err := i.chains(ctx, s, links)
	if err != nil {
		return err
	}
	if len(chains) > 0 {
		d.Chain = chains[0]
	}
	if parent := d.Session.ParentID; parent != nil {
		link, err := s.Link(ctx, *parent)
		if err != nil {
			return err
		}
		if link != nil {
			d.Parent = new(i.link(*link))
		}
	}
	children, err := s.Children(ctx, id, mostOthers)
	d.Children = make([]ChainLink, len(children))
	for n, child := range children {
		d.Children[n] = i.link(child)
	}
	return err
}

// readWork reads what a session did.
func (i *Instance) readWork(ctx context.Context, b *records.Records, id int64, d *SessionDetail) error {
	checks, allChecks, err := b.Store.FirstSessionChecks(ctx, id, mostChecks)
	if err != nil {
		return err
	}
	events, allEvents, err := b.Store.FirstSessionEvents(ctx, id, mostOthers)
	if err != nil {
		return err
	}
	acts, err := b.Store.FirstSessionActs(ctx, id, mostOthers)
	if err != nil {
		return err
	}
	incidents, err := b.Store.SessionIncidents(ctx, id, mostOthers)
	if err != nil {
		return err
	}
	d.Checks, d.MoreChecks = emptyNotNil(checks), allChecks-len(checks)
	d.Events, d.MoreEvents = emptyNotNil(events), allEvents-len(events)
	d.Acts = emptyNotNil(acts)
	d.Incidents, err = i.incidentLines(ctx, b, incidents)
	return err
}

// emptyNotNil is what makes a list without members an empty one as JSON.
func emptyNotNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// handoffOf reads the handoff that a session left; nil where it left none.
func handoffOf(s store.Session) *Handoff {
	if s.HandoffJSON == "" {
		return nil
	}
	raw := clip(s.HandoffJSON, handoff.MaxBytes)
	h, err := handoff.Parse([]byte(s.HandoffJSON), s.Tier)
	if err != nil {
		return &Handoff{Services: []string{}, Raw: indented(raw), Fault: err.Error()}
	}
	return &Handoff{
		RecommendedTier: h.RecommendedTier, Services: h.ServicesAffected,
		Findings: h.InvestigationFindings, Attempted: h.RemediationAttempted, Raw: indented(raw),
	}
}

// mostNested is how deep JSON may be nested to be indented: what is deeper is no handoff of anybody's, and would be spaces for the most part.
const mostNested = 64

// indented lays out JSON for reading. What is no JSON stays as it is.
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
	if deepest > mostNested || value.Indent(jsontext.WithIndent("  "), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) != nil {
		return text
	}
	return string(value)
}
