package handoff

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/claudeops/claudeops/check"
)

// Complete adds to a draft, a JSON object from an agent, the members that are missing and known to the program: schema_version, and
// whatever is set in known. Members of the draft are kept, even a null. A draft that is not an object is returned unchanged, because
// Parse reports all its faults at once.
func Complete(draft []byte, known Handoff) ([]byte, error) {
	var has, knows map[string]jsontext.Value
	if json.Unmarshal(draft, &has, jsontext.AllowDuplicateNames(true)) != nil || has == nil {
		return draft, nil //nolint:nilerr // Parse reports it
	}
	known.SchemaVersion = SchemaVersion
	text, err := json.Marshal(known)
	if err == nil {
		err = json.Unmarshal(text, &knows)
	}
	if err != nil {
		return nil, fmt.Errorf("complete the handoff: %w", err)
	}
	var add []byte
	for _, name := range []string{
		"schema_version", "recommended_tier", "services_affected", "check_results", "investigation_findings", "remediation_attempted", "cooldown_state", "written_by",
	} {
		value := string(knows[name])
		if _, there := has[name]; there || slices.Contains([]string{"", "0", "[]", "null"}, value) {
			continue
		}
		add = fmt.Appendf(add, "%q:%s,", name, value)
	}
	if len(has) == 0 {
		add = bytes.TrimSuffix(add, []byte(","))
	}
	return slices.Insert(slices.Clone(draft), bytes.IndexByte(draft, '{')+1, add...), nil
}

// Continue returns h, which Tier 2 wrote, with what must not be lost from the handoff that started Tier 2: all check results, including
// those of checks that could not be made, and the unresolved services. What h has in addition is kept, and marked as Added.
func (h Handoff) Continue(before Handoff, unresolved []string) Handoff {
	h.Added = Addition{
		ServicesAffected: Without(h.ServicesAffected, before.ServicesAffected),
		CheckResults:     NewResults(before.CheckResults, h.CheckResults),
	}
	h.ServicesAffected = slices.Concat(unresolved, Without(h.ServicesAffected, unresolved))
	if !sameJSON(h.UnknownChecks, before.UnknownChecks) {
		h.Added.UnknownChecks = h.UnknownChecks
	}
	h.CheckResults, h.UnknownChecks, h.Alerts = before.CheckResults, before.UnknownChecks, before.Alerts
	h.LeftOut = before.LeftOut
	return h
}

// sameJSON reports whether two JSON values are equal, ignoring their formatting.
func sameJSON(a, b jsontext.Value) bool {
	a, b = slices.Clone(a), slices.Clone(b)
	_, _ = a.Canonicalize(), b.Canonicalize() // anything but JSON stays unchanged
	return bytes.Equal(a, b)
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
