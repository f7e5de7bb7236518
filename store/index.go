package store

import "github.com/claudeops/claudeops/statefile"

// index finds the records of a state by their ids. Once it was asked about a place, records are added there and replaced through it
// alone.
type index struct {
	st     *statefile.State
	places map[place]map[string]int // where the first record of an id stands in its place
}

func indexOf(st *statefile.State) index { return index{st, map[place]map[string]int{}} }

// find is the record of an act in the place where it belongs; nil where there is none.
func (x index) find(a *Act) *statefile.Record {
	at := place{a.Service, a.Action}
	records := x.st.Service(at.service).Records(at.action)
	ids, known := x.places[at]
	if !known {
		ids = make(map[string]int, len(records))
		for i := len(records) - 1; i >= 0; i-- {
			ids[records[i].ID] = i
		}
		x.places[at] = ids
	}
	i, known := ids[a.ID]
	if !known {
		return nil
	}
	return &records[i]
}

// add adds the record of an act that has none.
func (x index) add(a *Act, r statefile.Record) {
	at := place{a.Service, a.Action}
	if ids, known := x.places[at]; known {
		ids[r.ID] = len(x.st.Service(at.service).Records(at.action))
	}
	x.st.Add(at.service, at.action, r)
}

// replace replaces all records of a place.
func (x index) replace(at place, records []statefile.Record) {
	delete(x.places, at)
	x.st.Ensure(at.service).SetRecords(at.action, records)
}
