package cycle

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/store"
)

// reportedUnknown is the cause where an agent reported that checks cannot be made, which says nothing else of it.
const reportedUnknown = records.CannotCheck + ": reported by the agent"

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
			found = append(found, uncheckable{cause: cause, why: k.Error})
		}
		found[at].checks = append(found[at].checks, k.Result)
	}
	return found
}

// tellUncheckable tells people, once a day for each cause, what is not watched and what to do about it. What an agent reported is told
// once a day for each service. At what people work, they know.
func (c *Cycle) tellUncheckable(keep context.Context, found []uncheckable) error {
	for _, u := range found {
		var told []check.Result
		for _, r := range u.checks {
			quiet, err := c.quiet(keep, r.Service)
			if err != nil {
				return err
			}
			if !quiet {
				told = append(told, r)
			}
		}
		if len(told) == 0 {
			continue
		}
		u.checks = told
		c.summary.needHuman("", u.title()+": "+u.reason())
		var err error
		if u.cause == reportedUnknown {
			err = c.tellReportedUnknown(keep, u)
		} else {
			err = c.notifyUncheckable(keep, u, "")
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// tellReportedUnknown tells of each service for itself, so that none hides behind another; the outbox makes one message of them. Of
// services that nobody but the agent has named it tells a few a day: by such a name it could say to people whatever it likes.
func (c *Cycle) tellReportedUnknown(keep context.Context, u uncheckable) error {
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
		of := uncheckable{cause: u.cause, why: by[name][0].Error, checks: by[name]}
		_, listed := c.Inventory.Get(name)
		if _, known := open[name]; !known && !listed {
			of.cause += ", not in the inventory"
			told, err := c.Store.ToldWithoutIncident(keep, store.AgentFailing, string(of.cause), c.Now().Add(-24*time.Hour))
			if err != nil {
				return err
			}
			if told >= records.MaxNameless {
				continue
			}
		}
		if err := c.notifyUncheckable(keep, of, name); err != nil {
			return err
		}
	}
	return nil
}

func (c *Cycle) notifyUncheckable(keep context.Context, u uncheckable, service string) error {
	return c.Notify(keep, store.Notification{
		Kind: store.AgentFailing, Service: service, Cause: string(u.cause), Title: u.title(),
		Body: c.Compose(records.Body{
			Head:  u.title(),
			Why:   u.reason(),
			Facts: []string{"not watched: " + records.Few(u.names(), 10), "nothing is known of these services by these checks, so nothing is done about them"},
			Look:  []string{"claudeops doctor", "claudeops probe"},
		}),
	})
}

func (u uncheckable) names() (names []string) {
	for _, r := range u.checks {
		names = append(names, fmt.Sprintf("%s (%s)", r.Service, r.Type))
	}
	return names
}

func (u uncheckable) title() string {
	if names := u.names(); len(names) == 1 {
		return names[0] + " cannot be checked"
	}
	return records.Counted(len(u.checks), "check") + " cannot be made"
}

func (u uncheckable) reason() string {
	if u.why == "" {
		return "nobody said why"
	}
	return u.why
}
