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

// Merge returns a tier's own handoff with what must not be lost of known: for Tier 1 the program's, for Tier 2 the one that started it.
// unresolved are the services of known that still need somebody.
//
// Tier 1's own results stand. Of a service that it does not name, or has no result of, the program's are added. Tier 2 passes on Tier 1's;
// the services and results that it has in addition are marked as Added.
func (h Handoff) Merge(known Handoff, unresolved []string) Handoff {
	own := h.ServicesAffected
	h.LeftOut, h.Alerts, h.UnknownChecks = known.LeftOut, known.Alerts, known.UnknownChecks
	if h.RecommendedTier > 2 {
		h.Added = Addition{ServicesAffected: Without(own, known.ServicesAffected), CheckResults: NewResults(known.CheckResults, h.CheckResults)}
		h.ServicesAffected = slices.Concat(unresolved, Without(own, unresolved))
		h.CheckResults = known.CheckResults
		return h
	}
	h.ServicesAffected = slices.Concat(own, Without(unresolved, own))
	named, reported, lacking := set(own), check.Worst(h.CheckResults), map[string]bool{}
	for _, name := range h.ServicesAffected {
		_, has := reported[name]
		lacking[name] = !has || !named[name]
	}
	h.CheckResults = bounded(h.ServicesAffected, slices.Concat(
		slices.DeleteFunc(slices.Clone(h.CheckResults), func(r check.Result) bool { return lacking[r.Service] }),
		slices.DeleteFunc(slices.Clone(known.CheckResults), func(r check.Result) bool { return !lacking[r.Service] })))
	h.CooldownState = known.CooldownState
	return h
}

// Without returns the names that are not among others. It must be fast, because an agent may have named a hundred thousand.
func Without(names, others []string) []string {
	drop := set(others)
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return drop[name] })
}

func set(names []string) map[string]bool {
	has := make(map[string]bool, len(names))
	for _, name := range names {
		has[name] = true
	}
	return has
}

// NewResults returns the later results that differ from all known ones in more than their response time.
func NewResults(known, later []check.Result) []check.Result {
	return slices.DeleteFunc(slices.Clone(later), func(r check.Result) bool {
		return slices.ContainsFunc(known, func(k check.Result) bool {
			return k.Service == r.Service && k.Type == r.Type && k.Status == r.Status && k.Error == r.Error
		})
	})
}
