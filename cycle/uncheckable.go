package cycle

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/store"
)

// hole is a reason why checks cannot be made, and these checks. It says nothing about the status of their services.
type hole struct {
	cause   notify.Cause // stable from cycle to cycle
	service string       // if the cause is an agent's, so that none hides another
	why     string
	checks  []check.Result
}

// planUncheckable tells people what is not monitored and what to do about it: once a day for each hole. Silenced
// services are left out.
func (p *planner) planUncheckable() {
	for _, h := range p.holes() {
		told := notify.CannotCheck(h.cause, h.service, h.checks, h.why)
		p.add(attention{"", told.Title + ": " + h.why}, news{told})
	}
}

// holes gathers the checks that could not be made, in their order.
func (p *planner) holes() (found []hole) {
	for _, k := range p.Run.checks {
		if k.Status != check.Unknown || p.Now.Service(k.Service).Quiet().Given() {
			continue
		}
		is := p.holeOf(k)
		at := slices.IndexFunc(found, func(h hole) bool { return h.cause == is.cause && h.service == is.service })
		if at < 0 {
			at = len(found)
			found = append(found, is)
		}
		found[at].checks = append(found[at].checks, k.Result)
	}
	return found
}

// holeOf returns the hole of a check, without its checks. The program's own checks word a reason the same way each
// time. An agent's words vary, and so do names that nothing else knows: they are one hole.
func (p *planner) holeOf(k store.Check) hole {
	h := hole{why: cmp.Or(k.Error, "no reason was given")}
	if k.Source == store.Probed {
		sum := sha256.Sum256([]byte(check.WithoutNumbers(k.Error)))
		h.cause = notify.Cause(fmt.Sprintf("cannot_check: %x", sum[:8]))
		return h
	}
	h.cause = "cannot_check: reported by the agent"
	is := p.Now.Service(k.Service)
	if p.Now.Inventory == nil || is.Listed != nil || is.Incident != nil {
		h.service = k.Service
	}
	return h
}
