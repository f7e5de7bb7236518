package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// Kind is what a case asks for.
type Kind string

// The kinds of a case.
const (
	Fault Kind = "fault"  // something is to be detected, named and mended
	NoAct Kind = "no-act" // the right act is none
)

// Case is one fault, or none, with its cure and the truth about it. Each is one file, case_NAME.go, which registers it by its init.
type Case struct {
	Name string
	Kind Kind
	// Summary says in one line what is wrong, or what looks wrong.
	Summary string
	// Unseen is set where no check type can see the fault: a model or an alert has to.
	Unseen bool
	// Services are those at fault that are down, as in the services file; none with NoAct. An act on any other counts as collateral.
	Services []string
	// Culprits are programs at fault that no check finds down, such as one that took a port: an act on them is no collateral.
	Culprits []string
	// Terms name the cause: each list must have one of its words in what was written about the fault, without regard to case. They tell it
	// from other causes with the same symptom, and none is a word for any outage, such as down or failed.
	Terms [][]string
	// Needs are the parts of the homelab that the case uses besides the processes.
	Needs []string
	// Inject makes the trouble. It returns when that is there.
	Inject func(ctx context.Context, lab *Lab) error
	// Between, which may be nil, is called after each cycle; the first is cycle 1.
	Between func(ctx context.Context, lab *Lab, cycle int) error
	// Well, which may be nil, returns what is still wrong besides what the checks say. A case that is Unseen needs it.
	Well func(ctx context.Context, lab *Lab) error
	// Cure is what a perfect operator does to each of Services: restart, redeploy, or the name of an action of the services file. A scripted
	// model plays it in tests.
	Cure string
	// Propose, which may be nil, is a command that must run before the cure and that no verb runs. The drill permits it where it is proposed,
	// as a person would, and no other.
	Propose []string
	// Undo, which may be nil, takes back what Inject did outside of the homelab's processes. It is called whatever became of the case.
	Undo func(ctx context.Context, lab *Lab) error
}

var cases []Case

// register adds a case. The init of its file calls it.
func register(c Case) { cases = append(cases, c) }

// Cases returns all cases, faults first, by name.
func Cases() []Case {
	return slices.SortedFunc(slices.Values(cases), func(a, b Case) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), cmp.Compare(a.Name, b.Name))
	})
}

// rank orders the kinds of cases: faults that a check sees, unseen faults, no-act cases.
func (c Case) rank() int {
	switch {
	case c.Kind == NoAct:
		return 2
	case c.Unseen:
		return 1
	}
	return 0
}

// Named returns the cases of these names, all without one.
func Named(names ...string) ([]Case, error) {
	all := Cases()
	if len(names) == 0 {
		return all, nil
	}
	var found []Case
	for _, name := range names {
		i := slices.IndexFunc(all, func(c Case) bool { return c.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("no case is called %q; --list lists them", name)
		}
		found = append(found, all[i])
	}
	return found, nil
}
