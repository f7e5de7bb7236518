package statefile

import (
	"fmt"
	"maps"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Entry is a record with its service and action.
type Entry struct {
	Service string
	Action  Action
	Record  Record
}

// Take applies to s an agent's changes to its copy of the state, which was base when it was handed out and is now copied. It takes over
// unknown members that the agent added and, with streaks, which is for Tier 1, its counts of healthy cycles. If the agent emptied a
// service's records at the second healthy cycle, as the cooldown skill says (SPEC-0007 REQ-6), the service gets that count, and keeps its
// records until the end of the cycle. Take returns the records that the agent added, without ids, which it must not set; and, unchanged,
// those that it removed or altered, which stay in s (RULE "What an agent writes").
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
				if !moved[r.ID] { // otherwise it was moved from another service, where it still is
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

// difference returns the records in was that were removed or altered in is, and those that is has in addition. Records are identified by
// their id or, if that was dropped when they were rewritten, by their second and outcome.
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

// MergeNames gives each service one entry: entries under its other names, according to nameOf, are merged into its own. Records are then
// sorted, oldest first. A healthy streak is the shorter of both. Of unknown members in both, those under the service's name are kept. It
// returns a line for each entry that was removed, sorted by name.
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

// mergeMembers returns an object's members together with those of another that it lacks. Anything but an object adds nothing.
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
