package store

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/claudeops/claudeops/statefile"
)

// place is where a record stands in the state file.
type place struct {
	service string
	action  statefile.Action
}

func byPlace(acts []Act) map[place][]statefile.Record {
	kept := map[place][]statefile.Record{}
	for _, a := range acts {
		key := place{a.Service, a.Action}
		kept[key] = append(kept[key], a.record())
	}
	return kept
}

// eachRecord calls f for every record of the file, in the order of names.
func eachRecord(st *statefile.State, f func(place, *statefile.Record)) {
	for _, name := range slices.Sorted(maps.Keys(st.Services)) {
		for _, action := range statefile.Actions() {
			records := st.Services[name].Records(action)
			for i := range records {
				f(place{name, action}, &records[i])
			}
		}
	}
}

func countRecords(st *statefile.State) (n int) {
	eachRecord(st, func(place, *statefile.Record) { n++ })
	return n
}

// nameRecords gives every record of the file an id of its own and reports whether any had none.
func nameRecords(st *statefile.State) (named bool) {
	seen := map[string]bool{}
	eachRecord(st, func(_ place, r *statefile.Record) {
		if r.ID == "" || seen[r.ID] { // a copy, made in an editor, is an act of its own
			r.ID, named = newID(), true
		}
		seen[r.ID] = true
	})
	return named
}

// adoptRecords returns what the store does not know as the file has it.
func adoptRecords(st *statefile.State, acts []Act) (changed []Act) {
	known := map[string]Act{}
	for _, a := range acts {
		known[a.ID] = a
	}
	eachRecord(st, func(at place, r *statefile.Record) {
		a, ok := known[r.ID]
		if ok && a.Service == at.service && a.Action == at.action && a.sameAs(*r) {
			return
		}
		if !ok {
			a = Act{ID: r.ID, Source: SourceFile, Tier: r.Tier}
		}
		a.Service, a.Action, a.CreatedAt, a.Success, a.Error = at.service, at.action, r.Timestamp.Time, r.Success, r.Error
		changed = append(changed, a)
	})
	return changed
}

func (a Act) sameAs(r statefile.Record) bool {
	return r.Timestamp.Equal(statefile.At(a.CreatedAt).Time) && r.Success == a.Success && r.Error == a.Error
}

// missing are the acts that the file no longer has, wherever they stood: an operator removed them.
func missing(st *statefile.State, acts []Act) []Act {
	there := map[string]bool{}
	eachRecord(st, func(_ place, r *statefile.Record) { there[r.ID] = true })
	return slices.DeleteFunc(slices.Clone(acts), func(a Act) bool { return there[a.ID] })
}

// merger brings the sources of one session together: the n-th of each for a service and action are the same act.
type merger struct {
	Settlement
	st    *statefile.State
	now   time.Time
	acts  []Act // of the session, oldest first
	known map[string]bool
	dirty map[string]bool
}

func (l *Ledger) merger(st *statefile.State, s Settlement) *merger {
	return &merger{Settlement: s, st: st, now: l.now(), known: map[string]bool{}, dirty: map[string]bool{}}
}

// know takes over what the store knows, in the order in which it was told.
func (m *merger) know(acts []Act) {
	for _, a := range acts {
		m.known[a.ID] = true
		if m.SessionID != 0 && a.SessionID != nil && *a.SessionID == m.SessionID {
			m.acts = append(m.acts, a)
		}
	}
}

// tell completes the earliest act of the session that source has not told of yet, or adds one.
func (m *merger) tell(source string, t Told) {
	for i := range m.acts {
		a := &m.acts[i]
		if a.Service == t.Service && a.Action == t.Action && !a.toldBy(source) {
			m.complete(a, source, t)
			return
		}
	}
	a := Act{
		ID: newID(), Service: t.Service, Action: t.Action, Success: t.Success, Tier: m.Tier, Source: source,
		CreatedAt: statefile.At(m.now).Time,
	}
	if m.SessionID != 0 {
		a.SessionID = &m.SessionID
	}
	r := a.record()
	if t.Success {
		r.ActionDetail = t.Message
	} else {
		a.Error, r.Error = t.Message, t.Message
	}
	m.add(a, r)
}

func (m *merger) add(a Act, r statefile.Record) {
	m.st.Add(a.Service, a.Action, r)
	m.acts = append(m.acts, a)
	m.dirty[a.ID] = true
}

// complete adds what a further source says of an act. A failure that one of them saw stands.
func (m *merger) complete(a *Act, source string, t Told) {
	unfinished := a.Error == InProgress
	a.Source += "," + source
	a.Success = t.Success && (a.Success || unfinished)
	switch {
	case !t.Success && (a.Error == "" || unfinished):
		a.Error = t.Message
	case a.Success:
		a.Error = ""
	}
	m.dirty[a.ID] = true
	records := m.st.Service(a.Service).Records(a.Action)
	for i := range records {
		if records[i].ID == a.ID {
			records[i].Success, records[i].Error = a.Success, a.Error
		}
	}
}

// InProgress is the error of an act that was reserved and whose outcome is not known yet.
const InProgress = "in progress"

func (a Act) toldBy(source string) bool { return slices.Contains(strings.Split(a.Source, ","), source) }

// takeStrangers takes the records that the agent itself added to the file: each is merged with an act of the session, or
// becomes one, keeping its time and its unknown members.
func (m *merger) takeStrangers() (found []Notice) {
	taken := 0
	for _, name := range slices.Sorted(maps.Keys(m.st.Services)) {
		for _, action := range statefile.Actions() {
			svc := m.st.Services[name]
			var own, strange []statefile.Record
			for _, r := range svc.Records(action) {
				if m.known[r.ID] {
					own = append(own, r)
				} else {
					strange = append(strange, r)
				}
			}
			if len(strange) == 0 {
				continue
			}
			svc.SetRecords(action, own)
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

// maxStrangers bounds the records that one session may add to the file by other means: no agent remediates more often.
const maxStrangers = 200

// unknown are the records of a state, so far as they may still count, that none of acts is.
func unknown(st *statefile.State, acts []Act, now time.Time) (lost []Act) {
	if st == nil {
		return nil
	}
	known := map[string]bool{}
	for _, a := range acts {
		known[a.ID] = true
	}
	eachRecord(st, func(at place, r *statefile.Record) {
		if r.ID != "" && !known[r.ID] && r.Timestamp.After(now.Add(-statefile.PruneAfter)) {
			lost = append(lost, Act{
				ID: r.ID, Service: at.service, Action: at.action, Success: r.Success, Error: r.Error, Tier: r.Tier, Source: SourceFile, CreatedAt: r.Timestamp.Time,
			})
		}
	})
	return lost
}

// tellMarkers merges the markers. A session that is settled again, because its first settling was killed before it was closed, has
// its first markers merged already.
func (m *merger) tellMarkers() {
	merged := map[place]int{}
	for _, a := range m.acts {
		if a.toldBy(SourceMarker) {
			merged[place{a.Service, a.Action}]++
		}
	}
	for _, told := range m.Markers {
		at := place{told.Service, told.Action}
		if merged[at]--; merged[at] < 0 {
			m.tell(SourceMarker, told)
		}
	}
}

func (m *merger) countHealthy() {
	if m.Healthy == nil {
		return
	}
	for name, svc := range m.st.Services {
		svc.ConsecutiveHealthy = m.Healthy[name]
	}
}

// redact takes secrets out of what the agent wrote, in the file and in the acts of its session.
func (m *merger) redact() {
	if m.Redact == nil {
		return
	}
	eachRecord(m.st, func(_ place, r *statefile.Record) {
		r.Error, r.ActionDetail = m.Redact(r.Error), m.Redact(r.ActionDetail)
	})
	for i := range m.acts {
		if a := &m.acts[i]; m.Redact(a.Error) != a.Error {
			a.Error, m.dirty[a.ID] = m.Redact(a.Error), true
		}
	}
}

// redate makes records that the agent added with a date before its session count as of now: it cannot have done them then.
func (m *merger) redate() (found []Notice) {
	began := statefile.At(m.StartedAt)
	eachRecord(m.st, func(at place, r *statefile.Record) {
		if !m.known[r.ID] && r.Timestamp.Before(began.Time) {
			found = append(found, Notice{Warning, at.service, fmt.Sprintf("an agent added a %s of %s dated %s, before its session began: it counts as of now",
				at.action, at.service, r.Timestamp), false})
			r.Timestamp = statefile.At(m.now)
		}
	})
	return found
}

func (m *merger) take(name string, action statefile.Action, r statefile.Record) {
	for i := range m.acts {
		a := &m.acts[i]
		if a.Service == name && a.Action == action && !a.toldBy(SourceFile) {
			m.complete(a, SourceFile, Told{Service: name, Action: action, Success: r.Success, Message: r.Error})
			return
		}
	}
	r.ID = newID()
	if r.Tier == 0 {
		r.Tier = m.Tier
	}
	a := Act{ID: r.ID, Service: name, Action: action, Success: r.Success, Error: r.Error, Tier: m.Tier, Source: SourceFile, CreatedAt: r.Timestamp.Time}
	if m.SessionID != 0 {
		a.SessionID = &m.SessionID
	}
	m.add(a, r)
}

func (m *merger) changed() []Act {
	return slices.DeleteFunc(slices.Clone(m.acts), func(a Act) bool { return !m.dirty[a.ID] })
}
