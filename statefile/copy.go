package statefile

import (
	"fmt"
	"maps"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Entry is a record and where it is.
type Entry struct {
	Service string
	Action  Action
	Record  Record
}

// Take applies to s what an agent did to its copy of the state, which was base when it was handed out and is copied now: the unknown
// members that it added and, with streaks, which are Tier 1's, its counts of healthy cycles. A service whose records it emptied at the
// second one, as the cooldown skill says (SPEC-0007 REQ-6), has that count, and its records until the cycle's end. The records that it
// added are returned, without ids, which are not its to give; and, as they were handed out, those that it removed or altered, which stay
// (RULE "What an agent writes").
func (s *State) Take(base, copied *State, streaks bool) (added, removed []Entry) {
	moved := map[string]bool{}
	for _, svc := range base.Services {
		for _, action := range Actions() {
			for _, r := range svc.Records(action) {
				moved[r.ID] = r.ID != ""
			}
		}
	}
	all := maps.Clone(base.Services)
	maps.Copy(all, copied.Services)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		was, is := base.Service(name), copied.Service(name)
		recovered := streaks && was.ConsecutiveHealthy >= HealthyToReset-1 && is.ConsecutiveHealthy == 0 &&
			len(was.Restarts)+len(was.Redeployments) > 0 && len(is.Restarts)+len(is.Redeployments) == 0
		for _, action := range Actions() {
			gone, more := difference(was.Records(action), is.Records(action))
			for _, r := range gone {
				if !recovered {
					removed = append(removed, Entry{name, action, r})
				}
			}
			for _, r := range more {
				if !moved[r.ID] { // from elsewhere, where it still is
					r.ID = ""
					added = append(added, Entry{name, action, r})
				}
			}
		}
		if members := mergeMembers(s.Service(name).Extra, is.Extra); len(is.Extra) > 0 {
			s.Ensure(name).Extra = members
		}
		if recovered {
			s.Ensure(name).ConsecutiveHealthy = HealthyToReset
		} else if streaks && is.ConsecutiveHealthy != was.ConsecutiveHealthy {
			s.Ensure(name).ConsecutiveHealthy = is.ConsecutiveHealthy
		}
	}
	s.Extra = mergeMembers(s.Extra, copied.Extra)
	return added, removed
}

// difference is what was removed from the records in was, or altered, and what is holds beside them. Records are known by their id
// or, where whoever rewrote them left that out, by their second and outcome.
func difference(was, is []Record) (removed, added []Record) {
	type likeness struct {
		second  int64
		success bool
	}
	alike := func(r Record) likeness { return likeness{r.Timestamp.Unix(), r.Success} }
	named, nameless := map[string]likeness{}, map[likeness]int{}
	for _, r := range is {
		if r.ID != "" {
			named[r.ID] = alike(r)
		} else {
			nameless[alike(r)]++
		}
	}
	known, knownNameless := map[string]bool{}, map[likeness]int{}
	for _, r := range was {
		if r.ID != "" {
			known[r.ID] = true
		}
		if there, has := named[r.ID]; r.ID != "" && has {
			if there != alike(r) {
				removed = append(removed, r)
			}
			continue
		}
		if nameless[alike(r)] == 0 {
			removed = append(removed, r)
			continue
		}
		nameless[alike(r)]--
		knownNameless[alike(r)]++
	}
	for _, r := range is {
		switch {
		case r.ID != "" && known[r.ID]:
		case r.ID == "" && knownNameless[alike(r)] > 0:
			knownNameless[alike(r)]--
		default:
			added = append(added, r)
		}
	}
	return removed, added
}

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
