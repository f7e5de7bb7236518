package cycle

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/claudeops/claudeops/books"
	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/store"
)

// hole is why checks cannot be made, which says nothing of their services, and which they are.
type hole struct {
	cause  books.Cause // the same each time
	why    string
	checks []check.Result
}

// holes are the checks that could not be made, those of one cause together, in the order of the results. What the program's own checks
// say of a cause is always the same; an agent's words are not, so what was reported is one hole.
func holes(results []check.Result, probed map[string]check.Status) (found []hole) {
	for _, r := range results {
		if r.Status != check.Unknown {
			continue
		}
		cause := books.CannotCheck + ": as reported"
		if _, ours := probed[r.Service]; ours {
			sum := sha256.Sum256([]byte(withoutNumbers(r.Error)))
			cause = books.CannotCheck + books.Cause(": "+hex.EncodeToString(sum[:8]))
		}
		at := slices.IndexFunc(found, func(h hole) bool { return h.cause == cause })
		if at < 0 {
			at = len(found)
			found = append(found, hole{cause: cause, why: r.Error})
		}
		found[at].checks = append(found[at].checks, r)
	}
	return found
}

// tellHoles tells people, once a day for each cause, what is not watched and what to do about it. At what people work, they know.
func (c *Cycle) tellHoles(keep context.Context, found []hole) error {
	for _, h := range found {
		var names []string
		for _, r := range h.checks {
			quiet, err := c.quiet(keep, r.Service)
			if err != nil {
				return err
			}
			if !quiet {
				names = append(names, fmt.Sprintf("%s (%s)", r.Service, r.Type))
			}
		}
		if len(names) == 0 {
			continue
		}
		why := h.why
		if why == "" {
			why = "nobody said why"
		}
		title := books.Counted(len(names), "check") + " cannot be made"
		if len(names) == 1 {
			title = names[0] + " cannot be checked"
		}
		c.summary.needHuman("", title+": "+why)
		err := c.Notify(keep, store.Notification{
			Kind: store.AgentFailing, Cause: string(h.cause), Title: title,
			Body: c.Compose(books.Letter{
				Head:  title,
				Why:   why,
				Facts: []string{"not watched: " + books.Few(names, 10), "nothing is known of these services by these checks, so nothing is done about them"},
				Look:  []string{"claudeops doctor", "claudeops probe"},
			}),
		})
		if err != nil {
			return err
		}
	}
	return nil
}
