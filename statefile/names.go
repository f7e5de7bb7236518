package statefile

import (
	"maps"
	"slices"
)

// MergeNames gives each service one entry: entries under its other names, according to nameOf, are merged into its own. Records are then
// sorted, oldest first. A healthy streak is the shorter of both. Unknown members of the service itself take precedence.
func (s *State) MergeNames(nameOf func(string) string) {
	for _, other := range slices.Sorted(maps.Keys(s.Services)) {
		name := nameOf(other)
		if name == other {
			continue
		}
		from := s.Service(other)
		delete(s.Services, other)
		is := s.Services[name]
		if is == nil {
			s.Services[name] = from
			continue
		}
		for _, a := range Actions() {
			all := slices.Concat(is.Records(a), from.Records(a))
			slices.SortStableFunc(all, func(x, y Record) int { return x.Timestamp.Compare(y.Timestamp) })
			is.SetRecords(a, all)
		}
		is.ConsecutiveHealthy = min(is.ConsecutiveHealthy, from.ConsecutiveHealthy)
		if is.Extra == nil {
			is.Extra = from.Extra
		}
	}
}
