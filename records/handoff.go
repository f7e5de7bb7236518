package records

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/handoff"
	"github.com/claudeops/claudeops/statefile"
)

// maxSnapshot limits the records per service and action in a handoff.
const maxSnapshot = 20

// Snapshot returns the cooldown data of services for a handoff: their newest records, the number of older ones left out, and the use of
// their limits or why that cannot be read.
func (b *Records) Snapshot(ctx context.Context, services []string) (jsontext.Value, error) {
	type entry struct {
		statefile.Service
		Restart      Limit `json:"restart_limit"`
		Redeployment Limit `json:"redeployment_limit"`
		Older        int   `json:"older_records,omitempty"`
	}
	limits, err := b.Limits(ctx)
	if err != nil {
		// The next tier gets the reason instead. Its remediations are refused until the file can be read.
		return json.Marshal(map[string]string{"unreadable": err.Error()})
	}
	entries := map[string]entry{}
	for _, name := range services {
		restart, redeployment, err := limits.Both(ctx, name)
		if err != nil {
			return nil, err
		}
		e := entry{Service: *limits.State.Service(name), Restart: restart.AsLimit(), Redeployment: redeployment.AsLimit()}
		for _, action := range statefile.Actions() {
			all := e.Records(action)
			newest := all[max(len(all)-maxSnapshot, 0):]
			e.SetRecords(action, newest)
			e.Older += len(all) - len(newest)
		}
		entries[name] = e
	}
	text, err := json.Marshal(map[string]any{"services": entries}, json.Deterministic(true))
	if err != nil {
		return nil, fmt.Errorf("encode the cooldown snapshot: %w", err)
	}
	return text, nil
}

// HandoffPath returns the path of handoff.json: in the state directory or, for a command of a session, in the session's directory.
func HandoffPath(c config.Config) string {
	return filepath.Join(cmp.Or(c.Agent.Folder, c.StateDir), handoff.FileName)
}

// WriteHandoff writes the handoff of an agent of the given tier. The program fills in schema_version, recommended_tier, the cooldown
// snapshot and, from Tier 2, Tier 1's check results. If the draft is still invalid, nothing is written, and all faults are returned
// together as a *strict.InvalidError.
func (b *Records) WriteHandoff(ctx context.Context, from int, draft []byte) (handoff.Handoff, error) {
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
	if known.CooldownState, err = b.Snapshot(ctx, named.Services); err != nil {
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
	h.WrittenBy = "" // report may have made it; from now on it is the agent's
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
