package statefile

import (
	"maps"
	"slices"
)

// Entry is a record with its service and action.
type Entry struct {
	Service string
	Action  Action
	Record  Record
}

// Changes compares a copy of the state, as it was handed out and as it is now. It returns the records that were removed or altered, and of
// the others as many as the copy has more, the last ones. A record is known by its id, time and outcome.
func Changes(was, is *State) (added, removed []Entry) {
	all := maps.Clone(was.Services)
	maps.Copy(all, is.Services)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		for _, action := range Actions() {
			gone, now := slices.Clone(was.Service(name).Records(action)), is.Service(name).Records(action)
			more := max(len(now)-len(gone), 0)
			var fresh []Entry
			for _, r := range now {
				i := slices.IndexFunc(gone, func(old Record) bool {
					return old.ID == r.ID && old.Success == r.Success && old.Timestamp.Equal(r.Timestamp.Time)
				})
				if i < 0 {
					fresh = append(fresh, Entry{name, action, r})
				} else {
					gone = slices.Delete(gone, i, i+1)
				}
			}
			added = append(added, fresh[max(len(fresh)-more, 0):]...)
			for _, r := range gone {
				removed = append(removed, Entry{name, action, r})
			}
		}
	}
	return added, removed
}

// MergeNames gives each service one entry: entries under its other names, according to nameOf, are merged into its own. Records are then
// sorted, oldest first. A healthy streak is the shorter of both. Unknown members of the service
// itself take precedence. It returns the names that were removed, sorted.
func (s *State) MergeNames(nameOf func(string) string) (gone []string) {
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
		for _, a := range Actions() {
			all := slices.Concat(is.Records(a), from.Records(a))
			slices.SortStableFunc(all, func(x, y Record) int { return x.Timestamp.compare(y.Timestamp) })
			is.SetRecords(a, all)
		}
		is.ConsecutiveHealthy = min(is.ConsecutiveHealthy, from.ConsecutiveHealthy)
		if is.Extra == nil {
			is.Extra = from.Extra
		}
	}
	return gone
}
