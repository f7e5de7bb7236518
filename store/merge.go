package store

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/claudeops/claudeops/statefile"
)

// maxMessage is how many bytes of what is told of an act are kept: long ones could fill the file (maxTaken).
const maxMessage = 2 << 10

// place is where a record stands in the state file.
type place struct {
	service string
	action  statefile.Action
}

func (a *Act) place() place { return place{a.Service, a.Action} }

func byPlace(acts []*Act) map[place][]statefile.Record {
	kept := map[place][]statefile.Record{}
	for _, a := range acts {
		kept[a.place()] = append(kept[a.place()], a.Record())
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
	seen := make(map[string]bool, countRecords(st))
	eachRecord(st, func(_ place, r *statefile.Record) {
		if r.ID == "" || seen[r.ID] { // a copy, made in an editor, is an act of its own
			r.ID, named = newID(), true
		}
		seen[r.ID] = true
	})
	return named
}

// adoptRecords returns what the store does not know as the file has it, and the acts that the file no longer has, wherever they stood: an
// operator removed them. No two records have one id.
func adoptRecords(st *statefile.State, acts []Act) (changed, removed []Act) {
	known := make(map[string]*Act, len(acts))
	for i := range acts {
		known[acts[i].ID] = &acts[i]
	}
	eachRecord(st, func(at place, r *statefile.Record) {
		a, ok := known[r.ID]
		delete(known, r.ID)
		if ok && a.Service == at.service && a.Action == at.action && a.sameAs(*r) {
			return
		}
		if !ok {
			a = &Act{ID: r.ID, Source: SourceFile, Tier: r.Tier}
		}
		a.Service, a.Action, a.CreatedAt, a.Success, a.Error = at.service, at.action, r.Timestamp.Time, r.Success, r.Error
		changed = append(changed, *a)
	})
	for _, a := range known {
		removed = append(removed, *a)
	}
	return changed, removed
}

func (a Act) sameAs(r statefile.Record) bool {
	return r.Timestamp.Equal(statefile.At(a.CreatedAt).Time) && r.Success == a.Success && r.Error == a.Error
}

// recoveries are the services whose counters a recovery has emptied in the file, and perhaps not in the store yet: at rest no service has
// that count.
func recoveries(st *statefile.State) (recovered []string) {
	for name, is := range st.Services {
		if is.ConsecutiveHealthy >= statefile.HealthyToReset {
			recovered = append(recovered, name)
		}
	}
	return recovered
}

// merger brings the sources of one session together: the n-th of each for a service and action are the same act.
type merger struct {
	Settlement
	st      *statefile.State
	records index // those of st
	now     time.Time
	trusted time.Time // now, as windows are judged by it
	kept    []*Act    // what the store knows and the file should, of all sessions
	acts    []*Act    // of the session, in the order in which they were told
	known   map[string]*Act
	dirty   map[string]bool
}

func (l *Ledger) merger(st *statefile.State, s Settlement) *merger {
	return &merger{Settlement: s, st: st, records: indexOf(st), now: l.now(), trusted: l.trusted(), known: map[string]*Act{}, dirty: map[string]bool{}}
}

// since is the time of the oldest record that the file could hold when the session began.
func (m *merger) since() time.Time {
	if m.StartedAt.IsZero() || m.StartedAt.After(m.trusted) {
		return m.trusted.Add(-statefile.PruneAfter)
	}
	return m.StartedAt.Add(-statefile.PruneAfter)
}

// know takes over what the store knows, in the order in which it was told, and what the file says of its acts in progress.
func (m *merger) know(acts []Act) {
	giveIDsBack(m.records, acts)
	m.known = make(map[string]*Act, len(acts))
	for i := range acts {
		a := &acts[i]
		m.known[a.ID] = a
		if m.young(a) {
			m.kept = append(m.kept, a)
		}
		if m.SessionID != 0 && a.SessionID != nil && *a.SessionID == m.SessionID {
			m.acts = append(m.acts, a)
			m.believeRecord(a)
		}
	}
}

// young reports whether the file still holds an act.
func (m *merger) young(a *Act) bool { return m.trusted.Sub(a.CreatedAt) < statefile.PruneAfter }

// tell completes the earliest act of the session that source has not told of yet, or adds one.
func (m *merger) tell(source string, t Told) {
	if t.Message = outcomeText(t.Success, t.Message); len(t.Message) > maxMessage {
		t.Message = strings.ToValidUTF8(t.Message[:maxMessage], "") + "…"
	}
	for _, a := range m.acts {
		if a.Service == t.Service && a.Action == t.Action && !a.toldBy(source) {
			m.complete(a, source, t)
			return
		}
	}
	a := m.newAct(source, t.Service, t.Action, m.now)
	a.Success = t.Success
	r := a.Record()
	if t.Success {
		r.ActionDetail = t.Message
	} else {
		a.Error, r.Error = t.Message, t.Message
	}
	m.add(a, r)
}

func (m *merger) newAct(source, service string, action statefile.Action, at time.Time) Act {
	a := Act{ID: newID(), Service: service, Action: action, Tier: m.Tier, Source: source, CreatedAt: statefile.At(at).Time}
	if m.SessionID != 0 {
		a.SessionID = &m.SessionID
	}
	return a
}

func (m *merger) add(a Act, r statefile.Record) {
	m.records.add(&a, r)
	m.acts = append(m.acts, &a)
	m.dirty[a.ID] = true
}

// complete adds what a further source says of an act.
func (m *merger) complete(a *Act, source string, t Told) {
	a.Source += "," + source
	m.dirty[a.ID] = true
	if !t.Success && t.Message == InProgress {
		return // it says no more than that
	}
	m.finish(a, t.Success, t.Message)
	if r := m.records.find(a); r != nil && t.Success {
		r.ActionDetail = joined(r.ActionDetail, t.Message)
	}
}

func (a Act) toldBy(source string) bool { return slices.Contains(strings.Split(a.Source, ","), source) }

// unknown are the records of a state, so far as they may still count, that none of acts is.
func unknown(st *statefile.State, acts []Act, now time.Time) (lost []Act) {
	if st == nil {
		return nil
	}
	known := make(map[string]bool, len(acts))
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
			merged[a.place()]++
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
	for _, a := range m.acts {
		if text := m.Redact(a.Error); text != a.Error {
			a.Error, m.dirty[a.ID] = text, true
		}
	}
}

func (m *merger) changed() (acts []Act) {
	for _, a := range m.acts {
		if m.dirty[a.ID] {
			acts = append(acts, *a)
		}
	}
	return acts
}
