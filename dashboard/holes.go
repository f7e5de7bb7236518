package dashboard

import (
	"context"
	"fmt"
	"slices"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/records"
)

// Hole is why checks could not be made when their services were looked at last: how these are nobody knows.
type Hole struct {
	Why    string   `json:"why"`    // empty where nobody said
	Checks []string `json:"checks"` // such as "web (http)"
}

// Which names the first of its checks.
func (h Hole) Which() string { return records.Few(h.Checks, 5) }

// holes reads why services are unknown that somebody has looked at, those of one reason together.
func (i *Instance) holes(ctx context.Context, b *records.Records, s *snapshot, o *Overview) error {
	o.Holes = []Hole{}
	looked := 0
	for _, name := range s.names {
		if s.statuses[name] != check.Unknown {
			continue
		}
		if looked++; looked > mostHoles {
			break
		}
		last, err := b.Store.LastChecks(ctx, name, o.At.Add(-i.lasts(o.At)))
		if err != nil {
			return err
		}
		for _, c := range last {
			at := slices.IndexFunc(o.Holes, func(h Hole) bool { return h.Why == c.Error })
			if at < 0 {
				at = len(o.Holes)
				o.Holes = append(o.Holes, Hole{Why: c.Error})
			}
			o.Holes[at].Checks = append(o.Holes[at].Checks, fmt.Sprintf("%s (%s)", c.Service, c.Type))
		}
	}
	return nil
}
