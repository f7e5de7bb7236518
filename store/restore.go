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
		r := m.records.find(a)
		switch {
		case r == nil:
			m.records.add(a, a.Record())
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
	home := make(map[string]place, len(m.kept))
	for _, a := range m.kept {
		home[a.ID] = place{a.Service, a.Action}
	}
	for name, svc := range m.st.Services {
		for _, action := range statefile.Actions() {
			records := svc.Records(action)
			seen := make(map[string]bool, len(records))
			m.records.replace(place{name, action}, slices.DeleteFunc(records, func(r statefile.Record) bool {
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
	at := map[place][]*Act{}
	for i := range acts {
		p := place{acts[i].Service, acts[i].Action}
		at[p] = append(at[p], &acts[i])
	}
	for p, acts := range at {
		giveBack(st.Service(p.service).Records(p.action), acts)
	}
}

// giveBack is giveIDsBack for one place.
func giveBack(records []statefile.Record, acts []*Act) {
	type likeness struct {
		second  int64
		success bool
	}
	named := make(map[string]bool, len(records))
	nameless := map[likeness][]int{}
	for i, r := range records {
		if r.ID != "" {
			named[r.ID] = true
		} else if like := (likeness{r.Timestamp.Unix(), r.Success}); !r.Timestamp.Unreadable() {
			nameless[like] = append(nameless[like], i)
		}
	}
	for _, a := range acts {
		if named[a.ID] {
			continue
		}
		like := likeness{statefile.At(a.CreatedAt).Unix(), a.Success}
		if inProgress(a.Record()) {
			done := likeness{like.second, true}
			if len(nameless[like]) == 0 || len(nameless[done]) > 0 && nameless[done][0] < nameless[like][0] {
				like = done
			}
		}
		if found := nameless[like]; len(found) > 0 {
			records[found[0]].ID, nameless[like] = a.ID, found[1:]
		}
	}
}

// newID makes the id of a record. Ids are in the order of their making, so that acts of one second are too.
func newID() string { return uuid.Must(uuid.NewV7()).String() }

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// straightenActs is State.Straighten for acts: those of the future become as the straightened file has them, or now. It returns
// them.
func straightenActs(st *statefile.State, acts []Act, now time.Time) (late []Act) {
	records := indexOf(st)
	for i := range acts {
		a := &acts[i]
		if !a.CreatedAt.After(now) {
			continue
		}
		a.CreatedAt = statefile.At(now).Time
		if r := records.find(a); r != nil {
			a.CreatedAt = r.Timestamp.Time
		}
		late = append(late, *a)
	}
	return late
}
