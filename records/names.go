package records

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// mergeNames gives each service one entry: entries under its other names, according to nameOf, are merged into its own. Records are then
// sorted, oldest first. A healthy streak is the shorter of both. Unknown members of the service itself take precedence. It returns the
// names that were removed, sorted.
func mergeNames(s *statefile.State, nameOf func(string) string) (gone []string) {
	for _, other := range slices.Sorted(maps.Keys(s.Services)) {
		name := nameOf(other)
		if name == other {
			continue
		}
		from := s.Services[other]
		delete(s.Services, other)
		gone = append(gone, other)
		is, known := s.Services[name]
		if from == nil {
			continue
		}
		if !known || is == nil {
			s.Services[name] = from
			continue
		}
		for _, a := range statefile.Actions() {
			all := slices.Concat(is.Records(a), from.Records(a))
			slices.SortStableFunc(all, func(x, y statefile.Record) int { return x.Timestamp.Compare(y.Timestamp) })
			is.SetRecords(a, all)
		}
		is.ConsecutiveHealthy = min(is.ConsecutiveHealthy, from.ConsecutiveHealthy)
		if is.Extra == nil {
			is.Extra = from.Extra
		}
	}
	return gone
}

// MergeNames moves records under another name of a service, written before the inventory listed it, to the service. It requires the cycle
// lock; cooldown.json is merged whenever it is read.
func (b *Records) MergeNames(ctx context.Context) (found []Notice, err error) {
	names, err := b.Store.AllNames(ctx)
	if err != nil {
		return nil, err
	}
	for _, other := range names {
		name := b.Inventory.NameOf(other)
		if name == other {
			continue
		}
		if err := b.Store.MergeName(ctx, other, name); err != nil {
			return nil, err
		}
		found = append(found, b.merged(other))
	}
	return found, nil
}

// merged is the notice of what was on record under another name of a service.
func (b *Records) merged(other string) Notice {
	name := b.Inventory.NameOf(other)
	return Notice{Level: store.Info, Service: name, Message: fmt.Sprintf("%s is another name of %s: what was on record under it is %s's now", other, name, name)}
}
