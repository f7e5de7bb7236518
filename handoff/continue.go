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
		ServicesAffected: slices.DeleteFunc(slices.Clone(h.ServicesAffected), among(before.ServicesAffected)),
		CheckResults:     before.NewResults(h),
	}
	h.ServicesAffected = slices.Concat(unresolved, slices.DeleteFunc(slices.Clone(h.ServicesAffected), among(unresolved)))
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

func among(names []string) func(string) bool {
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[name] = true
	}
	return func(name string) bool { return set[name] }
}

// NewResults are the check results of a later handoff that say anything that
// those of h do not: how long an answer took is not told apart.
func (h Handoff) NewResults(later Handoff) []check.Result {
	type finding struct {
		service string
		typ     check.Type
		status  check.Status
		text    string
	}
	of := func(r check.Result) finding { return finding{r.Service, r.Type, r.Status, r.Error} }
	known := make(map[finding]bool, len(h.CheckResults))
	for _, r := range h.CheckResults {
		known[of(r)] = true
	}
	return slices.DeleteFunc(slices.Clone(later.CheckResults), func(r check.Result) bool { return known[of(r)] })
}
