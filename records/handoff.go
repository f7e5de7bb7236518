package records

import (
	"cmp"
	"context"
	"path/filepath"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/handoff"
)

// HandoffPath returns the path of handoff.json: in the state directory or, for a command of a session, in the session's directory.
func HandoffPath(c config.Config) string {
	return filepath.Join(cmp.Or(c.Agent.Folder, c.StateDir), handoff.FileName)
}

// WriteHandoff writes the handoff of an agent of the given tier. The program fills in schema_version, recommended_tier, the cooldown
// data of its services and, from Tier 2, Tier 1's check results. If the draft is still invalid, nothing is written, and all faults are returned
// together as a *strict.InvalidError.
func (b *Records) WriteHandoff(
	ctx context.Context, from int, draft []byte, cooldowns func(services []string) (jsontext.Value, error),
) (handoff.Handoff, error) {
	known := handoff.Handoff{RecommendedTier: min(from+1, handoff.LastTier)}
	var named struct {
		Services []string `json:"services_affected"`
	}
	// If not even the names can be parsed, the snapshot is empty, and Parse below reports all faults together.
	unreadable := json.Unmarshal(draft, &named)
	if unreadable != nil {
		named.Services = nil
	}
	for i, name := range named.Services {
		named.Services[i] = b.Inventory.NameOf(name)
	}
	var err error
	if known.CooldownState, err = cooldowns(named.Services); err != nil {
		return handoff.Handoff{}, err
	}
	if from > 1 && b.InSession() {
		if known.CheckResults, err = b.firstResults(ctx); err != nil {
			return handoff.Handoff{}, err
		}
	}
	completed, err := handoff.Complete(draft, known)
	if err != nil {
		return handoff.Handoff{}, err
	}
	h, err := handoff.Parse(completed, from)
	if err == nil {
		err = b.refuseElsewhere(h.ServicesAffected, "leave it out")
	}
	if err != nil {
		return h, err
	}
	return h, handoff.Write(HandoffPath(b.Config), h, from)
}

// firstResults returns the check results of Tier 1's handoff from the session that led to this one.
func (b *Records) firstResults(ctx context.Context) ([]check.Result, error) {
	chain, err := b.Store.Chain(ctx, b.Config.Agent.SessionID)
	if err != nil {
		return nil, err
	}
	for _, s := range chain {
		if s.Tier == 1 && s.HandoffJSON != "" {
			h, err := handoff.Parse([]byte(s.HandoffJSON), 1)
			return h.CheckResults, err
		}
	}
	return nil, nil
}
