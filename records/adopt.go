package records

import (
	"maps"
	"slices"

	"github.com/google/uuid"

	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// place identifies the records of a service and action.
type place struct {
	service string
	action  statefile.Action
}

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

// nameRecords gives every record of the file a unique id.
func nameRecords(st *statefile.State) {
	seen := map[string]bool{}
	eachRecord(st, func(_ place, r *statefile.Record) {
		if r.ID == "" || seen[r.ID] { // a copy made in an editor is a separate act
			r.ID = newID()
		}
		seen[r.ID] = true
	})
}

// Unreported is the error of an act that was still in progress when its session ended.
const Unreported = "the outcome was never reported: the session ended while it was in progress"

// closeRecords ends records that are in progress in the file although their session is gone.
func closeRecords(st *statefile.State) {
	eachRecord(st, func(_ place, r *statefile.Record) {
		if store.OutcomeOf(r.Success, r.Error) == store.InProgress {
			r.Error = Unreported
		}
	})
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
			a = &store.Act{ID: r.ID, Source: store.SourceFile, Detail: r.ActionDetail}
			if 1 <= r.Tier && r.Tier <= 3 {
				a.Tier = r.Tier
			}
		}
		a.Service, a.Action, a.CreatedAt, a.Success, a.Error = at.service, at.action, r.Timestamp, r.Success, r.Error
		changed = append(changed, *a)
	})
	for _, a := range known {
		removed = append(removed, *a)
	}
	return changed, removed
}

// sameAct reports whether the file and the database agree on an act.
func sameAct(a *store.Act, r statefile.Record) bool {
	return r.Timestamp.Equal(statefile.At(a.CreatedAt)) && r.Success == a.Success && r.Error == a.Error
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

// newID returns a new record id. Ids sort by creation time, even within a second.
func newID() string { return uuid.Must(uuid.NewV7()).String() }
