package cycle

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/store"
)

// reportedUnknown is the cause where an agent reported that checks cannot be made, which says nothing else of it.
const reportedUnknown = records.CannotCheck + ": reported by the agent"

// noReason is why checks cannot be made, where nothing says it.
const noReason = "no reason was given"

// uncheckable is why checks cannot be made, which says nothing of their services, and which they are.
type uncheckable struct {
	cause  records.Cause // the same each time
	why    string
	checks []check.Result
}

// uncheckables are the checks that could not be made, those of one cause together, in the order of the results. What the program's own checks
// say of a cause is always the same; an agent's words are not, so all that it reported has one cause.
func uncheckables(checks []store.Check) (found []uncheckable) {
	for _, k := range checks {
		if k.Status != check.Unknown {
			continue
		}
		cause := reportedUnknown
		if k.Source == store.Probed {
			sum := sha256.Sum256([]byte(withoutNumbers(k.Error)))
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

// reportUncheckable notifies people, once a day for each cause, of what is not watched and what to do about it; of what an agent reported,
// once a day for each service. What is silenced is left out.
func (c *Cycle) reportUncheckable(keep context.Context, found []uncheckable) error {
	for _, u := range found {
		var left []check.Result
		for _, r := range u.checks {
			quiet, err := c.isQuiet(keep, r.Service)
			if err != nil {
				return err
			}
			if !quiet {
				left = append(left, r)
			}
		}
		if len(left) == 0 {
			continue
		}
		u.checks = left
		title, _ := notify.CannotCheckTitle(u.checks)
		c.summary.addAttention("", title+": "+u.why)
		var err error
		if u.cause == reportedUnknown {
			err = c.notifyReportedUnknown(keep, u)
		} else {
			err = c.Queue(keep, u.cause, notify.CannotCheck("", u.checks, u.why))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// notifyReportedUnknown queues a notification for each service, so that none hides behind another; the outbox makes one message of them.
// Of services that only the agent has named it is a few a day, since such a name may say anything.
func (c *Cycle) notifyReportedUnknown(keep context.Context, u uncheckable) error {
	open, err := c.Store.OpenIncidents(keep)
	if err != nil {
		return err
	}
	var names []string
	by := map[string][]check.Result{}
	for _, r := range u.checks {
		names = union(names, []string{r.Service})
		by[r.Service] = append(by[r.Service], r)
	}
	for _, name := range names {
		cause, why := u.cause, cmp.Or(by[name][0].Error, noReason)
		_, listed := c.Inventory.Get(name)
		if _, known := open[name]; !known && !listed {
			cause += ", not in the inventory"
			told, err := c.Store.ToldWithoutIncident(keep, store.AgentFailing, string(cause), c.Now().Add(-24*time.Hour))
			if err != nil {
				return err
			}
			if told >= records.MaxNameless {
				continue
			}
		}
		if err := c.Queue(keep, cause, notify.CannotCheck(name, by[name], why)); err != nil {
			return err
		}
	}
	return nil
}
