package cycle

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/store"
)

// reportedUnknown is the cause if an agent reported that checks cannot be made; it does not depend on the agent's words.
const reportedUnknown = records.CannotCheck + ": reported by the agent"

// nobodyKnows is the cause for services that neither the inventory nor an incident names.
const nobodyKnows = reportedUnknown + ", not in the inventory"

// noReason stands in for a missing reason why checks cannot be made.
const noReason = "no reason was given"

// uncheckable is a reason why checks cannot be made, and the checks that it applies to. It says nothing about the status of their
// services.
type uncheckable struct {
	cause  records.Cause // stable from cycle to cycle
	why    string
	checks []check.Result
}

// uncheckables groups the checks that could not be made by cause, in the order of the results. The program's own checks word a cause the
// same way each time. An agent's wording varies, so everything that it reported has one cause.
func uncheckables(checks []store.Check) (found []uncheckable) {
	for _, k := range checks {
		if k.Status != check.Unknown {
			continue
		}
		cause := reportedUnknown
		if k.Source == store.Probed {
			sum := sha256.Sum256([]byte(check.WithoutNumbers(k.Error)))
			cause = records.CannotCheck + records.Cause(": "+hex.EncodeToString(sum[:8]))
		}
		at := slices.IndexFunc(found, func(u uncheckable) bool { return u.cause == cause })
		if at < 0 {
			at = len(found)
			found = append(found, uncheckable{cause: cause, why: cmp.Or(k.Error, noReason)})
		}
		found[at].checks = append(found[at].checks, k.Result)
	}
	return found
}

// planUncheckable tells people what is not monitored and what to do about it: once a day for each cause or, for an agent's reports, for each
// service. Silenced services are left out.
func (p *planner) planUncheckable() {
	for _, u := range p.Uncheckable {
		u.checks = slices.DeleteFunc(slices.Clone(u.checks), func(r check.Result) bool { return p.Now.Service(r.Service).Quiet().Given() })
		if len(u.checks) == 0 {
			continue
		}
		title, _ := notify.CannotCheckTitle(u.checks)
		p.add(attention{"", title + ": " + u.why})
		if u.cause == reportedUnknown {
			p.planReportedUnknown(u)
		} else {
			p.add(news{u.cause, notify.CannotCheck("", u.checks, u.why)})
		}
	}
}

// planReportedUnknown tells of each service that an agent cannot check it, so that none hides another; the outbox merges them into one
// message. Services that only the agent has named are limited to a few a day, since such a name can be any text.
func (p *planner) planReportedUnknown(u uncheckable) {
	var names []string
	by := map[string][]check.Result{}
	for _, r := range u.checks {
		names = union(names, []string{r.Service})
		by[r.Service] = append(by[r.Service], r)
	}
	for _, name := range names {
		cause := u.cause
		if is := p.Now.Service(name); is.Incident == nil && is.Listed == nil {
			if cause = nobodyKnows; p.Nameless >= records.MaxNameless {
				continue
			}
			p.Nameless++
		}
		p.add(news{cause, notify.CannotCheck(name, by[name], cmp.Or(by[name][0].Error, noReason))})
	}
}

// readUncheckable returns the checks that could not be made, and how often people were told that of services that nothing else names.
func (c *Cycle) readUncheckable(ctx context.Context, checks []store.Check) (found []uncheckable, nameless int, err error) {
	found = uncheckables(checks)
	for n, u := range found {
		if u.cause == reportedUnknown {
			nameless, err = c.Store.ToldWithoutIncident(ctx, store.AgentFailing, string(nobodyKnows), c.Now().Add(-24*time.Hour))
		} else {
			var anew string
			anew, err = c.startedAnew(ctx, u.checks)
			found[n].why += anew
		}
		if err != nil {
			return nil, 0, err
		}
	}
	return found, nameless, nil
}

// startedAnew returns, to follow why the checks of a service cannot be made, that what its restart reaches has started since they found
// it healthy: a server that no longer knows the account of a check may have lost its data. It is empty if that is not so or not known, and
// for checks of several services, whose fault lies elsewhere.
func (c *Cycle) startedAnew(ctx context.Context, checks []check.Result) (string, error) {
	name := checks[0].Service
	s, known := c.Inventory.Get(name)
	if !known || slices.ContainsFunc(checks, func(r check.Result) bool { return r.Service != name }) {
		return "", nil
	}
	looking, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	var at time.Time
	switch w := s.Restart; w.Kind {
	case inventory.Container, inventory.Compose:
		at = c.inspect(looking, w).started
	case inventory.Unit:
		show := w.There("systemctl", "show", "--timestamp=unix", "--property=ActiveEnterTimestamp", "--value", w.Name)
		out, _ := c.looker().run(looking, show)
		if seconds, err := strconv.ParseInt(strings.Trim(out, "@\n"), 10, 64); err == nil {
			at = time.Unix(seconds, 0)
		}
	}
	if at.IsZero() {
		return "", nil
	}
	before, err := c.Store.HealthyBefore(ctx, name, at)
	if err != nil || !before {
		return "", err
	}
	since, err := c.Store.HealthySince(ctx, name, at)
	if err != nil || since {
		return "", err
	}
	return fmt.Sprintf("; it was healthy before it was started anew, at %s: does it have its data?", text.Moment(at)), nil
}
