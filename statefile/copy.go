package statefile

import (
	"maps"
	"slices"
)

// Lost is a record that an agent removed from its copy of the state, or altered there.
type Lost struct {
	Service string
	Action  Action
	Record  Record // as it was handed out, and still stands
}

// Take applies to s what an agent did to its copy of the state, which was base when it was handed out and is copied now: the records
// and unknown members that it added and, with streaks, which are Tier 1's, its count of healthy cycles, the second of which empties a service's records
// (SPEC-0007 REQ-6). What it removed or altered stands as it was, and is returned. So does what others did to s meanwhile (DESIGN.md §4
// "An agent adds, it never erases").
func (s *State) Take(base, copied *State, streaks bool) (lost []Lost) {
	all := maps.Clone(base.Services)
	maps.Copy(all, copied.Services)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		was, is := base.Service(name), copied.Service(name)
		recovered := streaks && was.ConsecutiveHealthy == HealthyToReset-1 && is.ConsecutiveHealthy == 0 && len(is.Restarts)+len(is.Redeployments) == 0
		for _, action := range Actions() {
			removed, added := difference(was.Records(action), is.Records(action))
			if recovered && len(removed) > 0 {
				_, left := difference(removed, s.Service(name).Records(action))
				s.Ensure(name).SetRecords(action, left)
				removed = nil
			}
			for _, r := range removed {
				lost = append(lost, Lost{name, action, r})
			}
			for _, r := range added {
				s.Add(name, action, r)
			}
		}
		if members := mergeMembers(s.Service(name).Extra, is.Extra); len(is.Extra) > 0 {
			s.Ensure(name).Extra = members
		}
		if streaks && is.ConsecutiveHealthy != was.ConsecutiveHealthy {
			s.Ensure(name).ConsecutiveHealthy = is.ConsecutiveHealthy
		}
	}
	s.Extra = mergeMembers(s.Extra, copied.Extra)
	return lost
}

// difference is what was removed from the records in was, or altered, and what stands in is beside them. Records are known by their id
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
