package dashboard

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/statefile"
)

// Cooldowns are what may still be done to each service that is known: the fullest first, then by name.
func (i *Instance) Cooldowns(ctx context.Context) ([]Cooldown, error) {
	s, err := i.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	return s.cooldowns, nil
}

// cooldownsOf are those of the services named. times are when each was remediated in the last 24 h.
func cooldownsOf(ctx context.Context, limits records.Limits, times map[string][]time.Time, names []string) ([]Cooldown, error) {
	all := make([]Cooldown, 0, len(names))
	for _, name := range names {
		restart, redeployment, err := limits.Both(ctx, name)
		if err != nil {
			return nil, err
		}
		is := limits.State.Service(name)
		all = append(all, Cooldown{
			Service: name, Restart: restart.AsLimit(), Redeployment: redeployment.AsLimit(), Today: len(times[name]), Ceiling: restart.Ceiling,
			ConsecutiveHealthy: is.ConsecutiveHealthy,
			RestartsEnd:        limits.Ends(name, statefile.Restart), RedeploymentsEnd: limits.Ends(name, statefile.Redeployment),
		})
	}
	slices.SortStableFunc(all, func(x, y Cooldown) int { return cmp.Compare(y.fullness(), x.fullness()) })
	return all, nil
}

// fullness is how much of the fullest limit is used: 1 where nothing more is permitted of one kind.
func (c Cooldown) fullness() float64 {
	full := max(share(c.Restart), share(c.Redeployment))
	if c.Ceiling > 0 {
		full = max(full, float64(c.Today)/float64(c.Ceiling))
	}
	return full
}

func share(l records.Limit) float64 {
	switch {
	case !l.Permitted:
		return max(1, float64(l.Used)/float64(max(l.Limit, 1)))
	case l.Limit == 0:
		return 0
	}
	return float64(l.Used) / float64(l.Limit)
}

// used are the first of which a place is used, at most so many; all are in order of that.
func used(all []Cooldown, most int) []Cooldown {
	n := slices.IndexFunc(all, func(c Cooldown) bool { return c.Restart.Used == 0 && c.Redeployment.Used == 0 && c.Today == 0 })
	if n < 0 {
		n = len(all)
	}
	return all[:min(n, most):min(n, most)]
}
