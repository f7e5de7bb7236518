package store

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/claudeops/claudeops/statefile"
)

// takeStrangers takes the records that the agent itself added to the file: each is merged with an act of the session, or
// becomes one, keeping its time and its unknown members.
func (m *merger) takeStrangers() (found []Notice) {
	taken := 0
	for _, name := range slices.Sorted(maps.Keys(m.st.Services)) {
		for _, action := range statefile.Actions() {
			svc := m.st.Services[name]
			var own, strange []statefile.Record
			for _, r := range svc.Records(action) {
				if m.known[r.ID] != nil {
					own = append(own, r)
				} else {
					strange = append(strange, r)
				}
			}
			if len(strange) == 0 {
				continue
			}
			m.records.replace(place{name, action}, own)
			for _, r := range strange {
				if taken++; taken <= maxStrangers {
					m.take(name, action, r)
				}
			}
		}
	}
	if taken > maxStrangers {
		found = append(found, Notice{Critical, "", fmt.Sprintf("an agent added %d records to cooldown.json: all but the first %d were dropped", taken, maxStrangers), false})
	}
	return found
}

// dropTold drops what Tier 1 told of: it remediates nothing, so none of it counts (DESIGN.md §4 "Three sources, one count").
func (m *merger) dropTold() (found []Notice) {
	told := map[place]int{}
	for _, marker := range m.Markers {
		told[place{marker.Service, marker.Action}]++
	}
	for name, svc := range m.st.Services {
		for _, action := range statefile.Actions() {
			records := svc.Records(action)
			own := slices.DeleteFunc(records, func(r statefile.Record) bool { return m.known[r.ID] == nil })
			if dropped := len(records) - len(own); dropped > 0 {
				told[place{name, action}] += dropped
				m.records.replace(place{name, action}, own)
			}
		}
	}
	for _, at := range slices.SortedFunc(maps.Keys(told), place.compare) {
		found = append(found, Notice{Warning, at.service, NotCounted(told[at], at.service, at.action), false})
	}
	return found
}

// NotCounted says that Tier 1 recorded so many remediations of a service, in whatever way.
func NotCounted(n int, service string, action statefile.Action) string {
	what := "a " + string(action)
	if n > 1 {
		what = fmt.Sprintf("%d %ss", n, action)
	}
	return fmt.Sprintf("Tier 1 recorded %s of %s. Not counted: Tier 1 may not remediate.", what, service)
}

func (p place) compare(other place) int {
	return cmp.Or(cmp.Compare(p.service, other.service), cmp.Compare(p.action, other.action))
}

// maxStrangers bounds the records that one session may add to the file by other means: no agent remediates more often.
const maxStrangers = 200

func (m *merger) take(name string, action statefile.Action, r statefile.Record) {
	told := Told{Service: name, Action: action, Success: r.Success, Message: r.Error}
	if r.Success {
		told.Message = r.ActionDetail
	}
	for _, a := range m.acts {
		if a.Service == name && a.Action == action && !a.toldBy(SourceFile) {
			m.complete(a, SourceFile, told)
			return
		}
	}
	a := m.newAct(SourceFile, name, action, r.Timestamp.Time)
	a.Success, a.Error = r.Success, r.Error
	r.ID = a.ID
	if r.Tier == 0 {
		r.Tier = m.Tier
	}
	m.add(a, r)
}

// redate makes records that the agent added with a date before its session count as of now: it cannot have done them then.
func (m *merger) redate() (found []Notice) {
	eachRecord(m.st, func(at place, r *statefile.Record) {
		if m.known[r.ID] == nil && m.before(*r) {
			found = append(found, Notice{Warning, at.service, fmt.Sprintf("an agent added a %s of %s dated %s, before its session began: it counts as of now",
				at.action, at.service, r.Timestamp), false})
			r.Timestamp = statefile.At(m.now)
		}
	})
	return found
}

// before reports whether a record is dated before the session began.
func (m *merger) before(r statefile.Record) bool {
	return r.Timestamp.Before(statefile.At(m.StartedAt).Time)
}
