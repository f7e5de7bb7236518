package handoff

import (
	"bytes"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/claudeops/claudeops/check"
)

// Continue returns h, which Tier 2 left, with what must not be lost of the
// handoff before, which had started it: all check results, those of checks that
// could not be made too, and those services that are unresolved. What h has
// beside these stays, and is marked as Added.
func (h Handoff) Continue(before Handoff, unresolved []string) Handoff {
	h.Added = Addition{
		ServicesAffected: Without(h.ServicesAffected, before.ServicesAffected),
		CheckResults:     NewResults(before.CheckResults, h.CheckResults),
	}
	h.ServicesAffected = slices.Concat(unresolved, Without(h.ServicesAffected, unresolved))
	if !sameJSON(h.UnknownChecks, before.UnknownChecks) {
		h.Added.UnknownChecks = h.UnknownChecks
	}
	h.CheckResults, h.UnknownChecks = before.CheckResults, before.UnknownChecks
	return h
}

// sameJSON reports whether two values are the same, however they are written.
func sameJSON(a, b jsontext.Value) bool {
	a, b = slices.Clone(a), slices.Clone(b)
	_, _ = a.Canonicalize(), b.Canonicalize() // what is no JSON stays as it is
	return bytes.Equal(a, b)
}

// Without are the names that are not among others.
func Without(names, others []string) []string {
	drop := make(map[string]bool, len(others))
	for _, name := range others {
		drop[name] = true
	}
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return drop[name] })
}

// NewResults are those of later that say anything that the known ones do not;
// how long an answer took does not count.
func NewResults(known, later []check.Result) []check.Result {
	type finding struct {
		service string
		typ     check.Type
		status  check.Status
		text    string
	}
	of := func(r check.Result) finding { return finding{r.Service, r.Type, r.Status, r.Error} }
	said := make(map[finding]bool, len(known))
	for _, r := range known {
		said[of(r)] = true
	}
	return slices.DeleteFunc(slices.Clone(later), func(r check.Result) bool { return said[of(r)] })
}
