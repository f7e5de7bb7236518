package handoff

import (
	"fmt"
	"maps"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/claudeops/claudeops/check"
)

// Complete adds to a draft, a JSON object from an agent, the members that are missing and known to the program: schema_version, and
// whatever is set in known. Members of the draft are kept, even a null. A draft that is not an object is returned unchanged, because
// Parse reports all its faults at once.
func Complete(draft []byte, known Handoff) ([]byte, error) {
	known.SchemaVersion = SchemaVersion
	text, err := known.Marshal()
	if err != nil {
		return nil, err
	}
	var all, has map[string]jsontext.Value
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, fmt.Errorf("complete the handoff: %w", err)
	}
	if json.Unmarshal(draft, &has) != nil || has == nil {
		return draft, nil //nolint:nilerr // Parse reports it
	}
	unset := []string{"0", "[]", "null"}
	maps.DeleteFunc(all, func(_ string, v jsontext.Value) bool { return slices.Contains(unset, string(v)) })
	maps.Copy(all, has)
	return json.Marshal(all, json.Deterministic(true))
}

// Continue returns h, which Tier 2 wrote, with what must not be lost from the handoff that started Tier 2: all check results, including
// those of checks that could not be made, and the unresolved services. The services and results that h has in addition are kept, and
// marked as Added.
func (h Handoff) Continue(before Handoff, unresolved []string) Handoff {
	h.Added = Addition{
		ServicesAffected: Without(h.ServicesAffected, before.ServicesAffected),
		CheckResults:     NewResults(before.CheckResults, h.CheckResults),
	}
	h.ServicesAffected = slices.Concat(unresolved, Without(h.ServicesAffected, unresolved))
	h.CheckResults, h.UnknownChecks, h.Alerts = before.CheckResults, before.UnknownChecks, before.Alerts
	h.LeftOut = before.LeftOut
	return h
}

// Without returns the names that are not among others. It must be fast, because an agent may have named a hundred thousand.
func Without(names, others []string) []string {
	drop := make(map[string]bool, len(others))
	for _, name := range others {
		drop[name] = true
	}
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return drop[name] })
}

// NewResults returns the later results that differ from all known ones in more than their response time.
func NewResults(known, later []check.Result) []check.Result {
	return slices.DeleteFunc(slices.Clone(later), func(r check.Result) bool {
		return slices.ContainsFunc(known, func(k check.Result) bool {
			return k.Service == r.Service && k.Type == r.Type && k.Status == r.Status && k.Error == r.Error
		})
	})
}
