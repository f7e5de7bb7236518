package store

import "github.com/claudeops/claudeops/statefile"

// index finds the records of a state by their ids. Once it was asked about a place, records are added there and replaced through it
// alone.
type index struct {
	st     *statefile.State
	places map[place]map[string]int // where the first record of an id stands in its place
}

func indexOf(st *statefile.State) index { return index{st, map[place]map[string]int{}} }

// ids are where the first record of each id stands in a place.
func (x index) ids(at place) map[string]int {
	if ids, known := x.places[at]; known {
		return ids
	}
	records := x.st.Service(at.service).Records(at.action)
	ids := make(map[string]int, len(records))
	for i := len(records) - 1; i >= 0; i-- {
		ids[records[i].ID] = i
	}
	x.places[at] = ids
	return ids
}

// find is the record of an act in the place where it belongs; nil where there is none.
func (x index) find(a *Act) *statefile.Record {
	i, known := x.ids(a.place())[a.ID]
	if !known {
		return nil
	}
	return &x.st.Service(a.Service).Records(a.Action)[i]
}

// add adds the record of an act that has none.
func (x index) add(a *Act, r statefile.Record) {
	at := a.place()
	if ids, known := x.places[at]; known {
		ids[r.ID] = len(x.st.Service(at.service).Records(at.action))
	}
	x.st.Add(at.service, at.action, r)
}

// name gives the i-th record of an act's place the act's id.
func (x index) name(a *Act, i int) {
	x.ids(a.place())[a.ID] = i
	x.st.Service(a.Service).Records(a.Action)[i].ID = a.ID
}

// replace replaces all records of a place.
func (x index) replace(at place, records []statefile.Record) {
	delete(x.places, at)
	x.st.Ensure(at.service).SetRecords(at.action, records)
}
