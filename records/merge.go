package records

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// maxMessage is how many bytes of what is told of an act are kept: long ones could fill the file (maxTaken).
const maxMessage = 2 << 10

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
func adoptRecords(st *statefile.State, acts []store.Act) (changed, removed []store.Act) {
	known := make(map[string]*store.Act, len(acts))
	for i := range acts {
		known[acts[i].ID] = &acts[i]
	}
	eachRecord(st, func(at place, r *statefile.Record) {
		a, ok := known[r.ID]
		delete(known, r.ID)
		if ok && a.Service == at.service && a.Action == at.action && sameAct(a, *r) {
			return
		}
		if !ok {
			a = &store.Act{ID: r.ID, Source: store.SourceFile}
			if 1 <= r.Tier && r.Tier <= 3 {
				a.Tier = r.Tier
			}
		}
		a.Service, a.Action, a.CreatedAt, a.Success, a.Error = at.service, at.action, r.Timestamp.Time, r.Success, r.Error
		changed = append(changed, *a)
	})
	for _, a := range known {
		removed = append(removed, *a)
	}
	return changed, removed
}

// sameAct reports whether the file has an act as the database has it.
func sameAct(a *store.Act, r statefile.Record) bool {
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
	session int64 // 0 is none
	tier    int
	st      *statefile.State
	now     time.Time
	acts    []*store.Act // of the session, in the order in which they were told
	dirty   map[string]bool
}

func (l *Ledger) merger(st *statefile.State, session int64, tier int) *merger {
	return &merger{session: session, tier: tier, st: st, now: l.now(), dirty: map[string]bool{}}
}

// know takes over what the session has done so far, as the store and the file have it.
func (m *merger) know(ctx context.Context, q interface {
	SessionActs(ctx context.Context, session int64) ([]store.Act, error)
}) error {
	acts, err := q.SessionActs(ctx, m.session)
	for i := range acts {
		if a := &acts[i]; a.ClearedAt == nil {
			m.acts = append(m.acts, a)
			m.believeRecord(a)
		}
	}
	return err
}

// record is the record of an act; nil where the file has none.
func (m *merger) record(a *store.Act) *statefile.Record {
	records := m.st.Service(a.Service).Records(a.Action)
	i := slices.IndexFunc(records, func(r statefile.Record) bool { return r.ID == a.ID })
	if i < 0 {
		return nil
	}
	return &records[i]
}

// bounded is the beginning of a text that is told of an act.
func bounded(text string) string {
	if len(text) <= maxMessage {
		return text
	}
	return strings.ToValidUTF8(text[:maxMessage], "") + "…"
}

// tell completes the earliest act of the session that source has not told of yet, or adds one.
func (m *merger) tell(source string, t Told) {
	t.Message = bounded(outcomeText(t.Success, t.Message))
	if m.completeNext(source, t) {
		return
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

func (m *merger) newAct(source, service string, action statefile.Action, at time.Time) store.Act {
	a := store.Act{ID: newID(), Service: service, Action: action, Tier: m.tier, Source: source, CreatedAt: statefile.At(at).Time}
	if m.session != 0 {
		a.SessionID = &m.session
	}
	return a
}

func (m *merger) add(a store.Act, r statefile.Record) {
	m.st.Add(a.Service, a.Action, r)
	m.acts = append(m.acts, &a)
	m.dirty[a.ID] = true
}

// completeNext completes the earliest act of the session that source has not told of yet, and says whether there is one.
func (m *merger) completeNext(source string, t Told) bool {
	for _, a := range m.acts {
		if a.Service == t.Service && a.Action == t.Action && !toldBy(a, source) {
			m.complete(a, source, t)
			return true
		}
	}
	return false
}

// complete adds what a further source says of an act.
func (m *merger) complete(a *store.Act, source string, t Told) {
	a.Source += "," + source
	m.dirty[a.ID] = true
	if !t.Success && t.Message == store.InProgress {
		return // it says no more than that
	}
	m.finish(a, t.Success, t.Message)
	if r := m.record(a); r != nil && t.Success {
		r.ActionDetail = joined(r.ActionDetail, t.Message)
	}
}

func toldBy(a *store.Act, source string) bool {
	return slices.Contains(strings.Split(a.Source, ","), source)
}

// tellMarkers merges the markers. A session that is settled again, because its first settling was killed before it was closed, has
// its first markers merged already.
func (m *merger) tellMarkers(markers []Told) {
	merged := map[place]int{}
	for _, a := range m.acts {
		if toldBy(a, store.SourceMarker) {
			merged[place{a.Service, a.Action}]++
		}
	}
	for _, told := range markers {
		at := place{told.Service, told.Action}
		if merged[at]--; merged[at] < 0 {
			m.tell(store.SourceMarker, told)
		}
	}
}

func (m *merger) changed() (acts []store.Act) {
	for _, a := range m.acts {
		if m.dirty[a.ID] {
			acts = append(acts, *a)
		}
	}
	return acts
}

// newID makes the id of a record. Ids are in the order of their making, so that acts of one second are too.
func newID() string { return uuid.Must(uuid.NewV7()).String() }
