package statefile

import (
	"fmt"
	"maps"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// MergeNames gives each service one entry: those of its other names, by nameOf, are added to its own. Records are oldest first then; a
// healthy streak is as long as both had it; of members that both have and that are not ours, those under the service's name stay. It
// returns a line for each entry that is gone, in the order of their names.
func (s *State) MergeNames(nameOf func(string) string) (lines []string) {
	for _, other := range slices.Sorted(maps.Keys(s.Services)) {
		name := nameOf(other)
		if name == other {
			continue
		}
		from := s.Services[other]
		delete(s.Services, other)
		lines = append(lines, fmt.Sprintf("%s is another name of %s: what stood under it is %s's now", other, name, name))
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
		is.Extra = mergeMembers(is.Extra, from.Extra)
	}
	return lines
}

// mergeMembers are an object's members and those of another that it does not have. What is no object adds nothing.
func mergeMembers(own, more jsontext.Value) jsontext.Value {
	var has, adds map[string]jsontext.Value
	if json.Unmarshal(more, &adds, jsontext.AllowInvalidUTF8(true)) != nil || len(adds) == 0 {
		return own
	}
	if json.Unmarshal(own, &has, jsontext.AllowInvalidUTF8(true)) != nil || len(has) == 0 {
		return more
	}
	maps.Copy(adds, has)
	all, err := json.Marshal(adds, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return own
	}
	return all
}
