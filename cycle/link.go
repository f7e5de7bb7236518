package cycle

import (
	"slices"

	"github.com/claudeops/claudeops/handoff"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/tiers"
)

// link is one tier of the chain.
type link struct {
	session      store.Session
	parent       *link
	services     []string // what the chain is about: what each handoff so far has named; nil before the first
	observesOnly bool     // it runs in the place of a model that failed: what it hands off is not read

	// What is known once it has ended.
	outcome tiers.Outcome
	handoff *handoff.Handoff // nil where it left none that counts
	invalid bool             // it left one that could not be read
	checks  []store.Check    // the latest of a Tier 1 that completed, by which its handoff was completed
	proven  map[string]bool  // services that the program's own checks find healthy
	// unproven says that a signal came before those checks were made: nobody knows whether it helped.
	unproven bool
	standIn  *link // the probes that ran because it failed
}

// started is a tier about to run; parent is nil for Tier 1.
func started(tier int, agent string, parent *link) *link {
	l := &link{session: store.Session{Tier: tier, Agent: agent}, parent: parent, proven: map[string]bool{}}
	if parent != nil {
		l.services = slices.DeleteFunc(slices.Clone(parent.services), func(name string) bool { return parent.proven[name] })
	}
	return l
}

// union adds the names that are new.
func union(names, more []string) []string {
	all := slices.Clone(names)
	known := make(map[string]bool, len(names)+len(more))
	for _, name := range names {
		known[name] = true
	}
	for _, name := range more {
		if !known[name] {
			known[name] = true
			all = append(all, name)
		}
	}
	return all
}
