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

// maxMessage limits the part of a claim's message that is kept, in bytes: long ones could fill the file (maxTaken).
const maxMessage = 2 << 10

// eachRecord calls f for every record of the file, ordered by service name.
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

// nameRecords gives every record of the file a unique id, and reports whether any was missing.
func nameRecords(st *statefile.State) (named bool) {
	seen := make(map[string]bool, countRecords(st))
	eachRecord(st, func(_ place, r *statefile.Record) {
		if r.ID == "" || seen[r.ID] { // a copy made in an editor is a separate act
			r.ID, named = newID(), true
		}
		seen[r.ID] = true
	})
	return named
}

// Unreported is the error of an act that was still in progress when its session ended.
const Unreported = "the outcome was never reported: the session ended while it was in progress"

// closeRecords ends records that are in progress in the file although their session is gone.
func closeRecords(st *statefile.State) (closed bool) {
	eachRecord(st, func(_ place, r *statefile.Record) {
		if store.OutcomeOf(r.Success, r.Error) == store.InProgress {
			r.Error, closed = Unreported, true
		}
	})
	return closed
}

// adoptRecords returns in changed the file's version of what the store does not have, and in removed the acts that are no longer anywhere
// in the file: an operator removed them. Ids are unique.
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

// sameAct reports whether the file and the database agree on an act.
func sameAct(a *store.Act, r statefile.Record) bool {
	return r.Timestamp.Equal(statefile.At(a.CreatedAt).Time) && r.Success == a.Success && r.Error == a.Error
}

// recoveries returns the services whose counters a recovery has emptied in the file, but perhaps not in the store yet. Otherwise no
// service has that count.
func recoveries(st *statefile.State) (recovered []string) {
	for name, is := range st.Services {
		if is.ConsecutiveHealthy >= statefile.HealthyToReset {
			recovered = append(recovered, name)
		}
	}
	return recovered
}

// merger combines the sources of one session: the n-th entry of each source for a service and action is the same act.
type merger struct {
	session int64 // 0 means none
	tier    int
	st      *statefile.State
	now     time.Time
	acts    []*store.Act // the session's, oldest first
	dirty   map[string]bool
	// unfounded returns why a claim about a service does not count where it completes no act; empty if it does.
	unfounded func(service string) (why string, err error)
}

// merger returns a merger with what the session has done so far, according to the store and the file.
func (b *Records) merger(ctx context.Context, st *statefile.State, session int64, tier int) (*merger, error) {
	m := &merger{session: session, tier: tier, st: st, now: b.Now(), dirty: map[string]bool{}}
	m.unfounded = func(service string) (string, error) { return b.unfounded(ctx, session, service) }
	if session == 0 {
		return m, nil
	}
	acts, err := b.Store.SessionActs(ctx, session)
	for i := range acts {
		if a := &acts[i]; a.ClearedAt == nil {
			m.acts = append(m.acts, a)
			m.believeRecord(a)
		}
	}
	return m, err
}

// believeRecord takes over the outcome of an act in progress that was completed only in the file: with jq, or by a process that was
// killed before it updated the store.
func (m *merger) believeRecord(a *store.Act) {
	if r := m.record(a); a.Pending() && r != nil && (r.Success || r.Error != "" && r.Error != store.InProgress) {
		m.finish(a, r.Success, r.Error)
	}
}

// record returns the record of an act; nil if the file has none.
func (m *merger) record(a *store.Act) *statefile.Record {
	records := m.st.Service(a.Service).Records(a.Action)
	i := slices.IndexFunc(records, func(r statefile.Record) bool { return r.ID == a.ID })
	if i < 0 {
		return nil
	}
	return &records[i]
}

// Claim is one act as reported by a source.
type Claim struct {
	Service string
	Action  statefile.Action
	Success bool
	Message string // why it failed, or what was done
}

// claim completes the session's earliest act that source has not claimed yet, or adds one. It does not add one that is unfounded, and
// returns why.
func (m *merger) claim(source string, c Claim) (unfounded string, err error) {
	c.Message = bounded(outcomeText(c.Success, c.Message))
	if m.completeNext(source, c) {
		return "", nil
	}
	if unfounded, err = m.unfounded(c.Service); err != nil || unfounded != "" {
		return unfounded, err
	}
	a := m.newAct(source, c.Service, c.Action, m.now)
	a.Success = c.Success
	r := record(a)
	if c.Success {
		r.ActionDetail = c.Message
	} else {
		a.Error, r.Error = c.Message, c.Message
	}
	m.add(a, r)
	return "", nil
}

// reserve adds an act in progress.
func (m *merger) reserve(toolUseID string, w Wanted) {
	a := m.newAct(store.SourceReserved, w.Service, w.Action, m.now)
	a.Error, a.ToolUseID = store.InProgress, toolUseID
	r := record(a)
	r.ActionDetail = w.Detail
	m.add(a, r)
}

// bounded shortens a text that came with a claim.
func bounded(text string) string {
	if len(text) <= maxMessage {
		return text
	}
	return strings.ToValidUTF8(text[:maxMessage], "") + "…"
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

// completeNext completes the session's earliest act that source has not claimed yet, and reports whether there is one.
func (m *merger) completeNext(source string, c Claim) bool {
	i := slices.IndexFunc(m.acts, func(a *store.Act) bool {
		return a.Service == c.Service && a.Action == c.Action && !claimedBy(a, source)
	})
	if i < 0 {
		return false
	}
	a := m.acts[i]
	a.Source += "," + source
	m.dirty[a.ID] = true
	if !c.Success && c.Message == store.InProgress {
		return true // the claim has no further information
	}
	m.finish(a, c.Success, c.Message)
	if r := m.record(a); r != nil && c.Success {
		r.ActionDetail = joined(r.ActionDetail, c.Message)
	}
	return true
}

func claimedBy(a *store.Act, source string) bool {
	return slices.Contains(strings.Split(a.Source, ","), source)
}

// finish sets the outcome of an act. A failure that was claimed before stays, and a later source's message is added to it.
func (m *merger) finish(a *store.Act, success bool, fault string) {
	failed := !a.Success && !a.Pending()
	was := *a
	switch {
	case success && !failed:
		a.Success, a.Error = true, ""
	case failed && !success:
		a.Error = joined(a.Error, fault)
	case !success:
		a.Success, a.Error = false, fault
	}
	if *a != was {
		m.dirty[a.ID] = true
	}
	if r := m.record(a); r != nil {
		r.Success, r.Error = a.Success, a.Error
	}
}

// outcomeText returns the message of an outcome; it must not read like that of an act in progress.
func outcomeText(success bool, message string) string {
	if !success && message == store.InProgress {
		return "failed: " + message
	}
	return message
}

// joined appends more to text unless text already contains it.
func joined(text, more string) string {
	switch {
	case strings.Contains(text, more):
		return text
	case text == "":
		return more
	}
	return text + "; " + more
}

func (m *merger) changed() (acts []store.Act) {
	for _, a := range m.acts {
		if m.dirty[a.ID] {
			acts = append(acts, *a)
		}
	}
	return acts
}

// newID returns a new record id. Ids sort by creation time, even within a second.
func newID() string { return uuid.Must(uuid.NewV7()).String() }
