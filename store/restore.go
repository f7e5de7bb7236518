package store

import (
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/claudeops/claudeops/statefile"
)

// restore puts back what is missing from the file or altered in it, except for the services in resets, and takes out copies of
// known records from places that are not theirs.
func (m *merger) restore(resets map[string]bool) (found []Notice) {
	m.dropCopies()
	for _, a := range m.kept {
		if resets[a.Service] {
			continue
		}
		r := m.record(a)
		switch {
		case r == nil:
			m.st.Add(a.Service, a.Action, a.Record())
			found = append(found, putBack(a, "erased from"))
		case !r.Timestamp.Equal(statefile.At(a.CreatedAt).Time) || r.Success != a.Success && !inProgress(*r):
			r.Timestamp, r.Success, r.Error = statefile.At(a.CreatedAt), a.Success, a.Error
			found = append(found, putBack(a, "altered in"))
		case inProgress(*r): // in a copy of the file that was made before the outcome came
			r.Success, r.Error = a.Success, a.Error
		}
	}
	return found
}

func putBack(a *Act, vandalism string) Notice {
	return Notice{Critical, a.Service, fmt.Sprintf("the record of a %s of %s at %s had been %s cooldown.json: put back",
		a.Action, a.Service, stamp(a.CreatedAt), vandalism), true}
}

func (m *merger) dropCopies() {
	home := map[string]place{}
	for _, a := range m.kept {
		home[a.ID] = place{a.Service, a.Action}
	}
	for name, svc := range m.st.Services {
		for _, action := range statefile.Actions() {
			seen := map[string]bool{}
			svc.SetRecords(action, slices.DeleteFunc(svc.Records(action), func(r statefile.Record) bool {
				at, known := home[r.ID]
				misplaced := r.ID != "" && (seen[r.ID] || known && at != place{name, action})
				seen[r.ID] = true
				return misplaced
			}))
		}
	}
}

// giveIDsBack names again the records of known acts that were rewritten by somebody who kept what the cooldown skill shows of one,
// and no id; those of acts in progress may have got their outcome.
func giveIDsBack(st *statefile.State, acts []Act) {
	for _, a := range acts {
		records := st.Service(a.Service).Records(a.Action)
		if slices.ContainsFunc(records, func(r statefile.Record) bool { return r.ID == a.ID }) {
			continue
		}
		i := slices.IndexFunc(records, func(r statefile.Record) bool {
			return r.ID == "" && r.Timestamp.Equal(statefile.At(a.CreatedAt).Time) && (r.Success == a.Success || inProgress(a.Record()))
		})
		if i >= 0 {
			records[i].ID = a.ID
		}
	}
}

// newID makes the id of a record. Ids are in the order of their making, so that acts of one second are too.
func newID() string { return uuid.Must(uuid.NewV7()).String() }

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// straightenActs is State.Straighten for acts: those of the future become as the straightened file has them, or now. It returns
// them.
func straightenActs(st *statefile.State, acts []Act, now time.Time) (late []Act) {
	for i := range acts {
		a := &acts[i]
		if !a.CreatedAt.After(now) {
			continue
		}
		a.CreatedAt = statefile.At(now).Time
		for _, r := range st.Service(a.Service).Records(a.Action) {
			if r.ID == a.ID {
				a.CreatedAt = r.Timestamp.Time
			}
		}
		late = append(late, *a)
	}
	return late
}
