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
	for name, svc := range m.st.Services {
		for _, action := range statefile.Actions() {
			at, records := place{name, action}, svc.Records(action)
			first, looked := m.records.ids(at), 0
			left := slices.DeleteFunc(records, func(r statefile.Record) bool {
				looked++
				a := m.known[r.ID]
				return r.ID != "" && (first[r.ID] != looked-1 || a != nil && m.young(a) && a.place() != at)
			})
			if len(left) < len(records) {
				m.records.replace(at, left)
			}
		}
	}
}

// likeness is what the cooldown skill shows of a record.
type likeness struct {
	second  int64
	success bool
}

// giveIDsBack names again the records of known acts that were rewritten by somebody who kept what the cooldown skill shows of one,
// and no id; those of acts in progress may have got their outcome.
func giveIDsBack(records index, acts []Act) {
	places := map[place]map[likeness][]int{} // the nameless records of each
	for i := range acts {
		a := &acts[i]
		if records.find(a) != nil {
			continue
		}
		nameless, known := places[a.place()]
		if !known {
			nameless = namelessIn(records.st.Service(a.Service).Records(a.Action))
			places[a.place()] = nameless
		}
		like := likeness{statefile.At(a.CreatedAt).Unix(), a.Success}
		if inProgress(a.Record()) {
			done := likeness{like.second, true}
			if len(nameless[like]) == 0 || len(nameless[done]) > 0 && nameless[done][0] < nameless[like][0] {
				like = done
			}
		}
		if found := nameless[like]; len(found) > 0 {
			records.name(a, found[0])
			nameless[like] = found[1:]
		}
	}
}

// namelessIn is where the records without an id stand whose time can be read.
func namelessIn(records []statefile.Record) map[likeness][]int {
	nameless := map[likeness][]int{}
	for i, r := range records {
		if like := (likeness{r.Timestamp.Unix(), r.Success}); r.ID == "" && !r.Timestamp.Unreadable() {
			nameless[like] = append(nameless[like], i)
		}
	}
	return nameless
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
