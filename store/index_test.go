package store

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/claudeops/claudeops/statefile"
)

// Very many records of one service, some of which somebody wrote anew without ids, find their acts again, and what that takes grows as they
// do, and not with their square. Where each act were looked for among all records, this would take minutes.
func TestManyRecordsOfOneService(t *testing.T) {
	allocated := func(many int) uint64 {
		st := statefile.New()
		web := st.Ensure("web")
		acts := make([]Act, many)
		for i := range acts {
			acts[i] = Act{ID: fmt.Sprintf("act-%d", i), Service: "web", Action: statefile.Restart, Success: true, CreatedAt: noon.Add(-time.Duration(i%7) * time.Second)}
			if i%3 != 0 {
				r := acts[i].Record()
				if i%3 == 1 {
					r.ID = ""
				}
				web.Restarts = append(web.Restarts, r)
			}
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		m := (&Ledger{now: func() time.Time { return noon }}).merger(st, Settlement{})
		m.know(acts)
		m.restore(nil)
		changed, removed := adoptRecords(st, acts)
		runtime.ReadMemStats(&after)
		seen := map[string]bool{}
		for _, r := range web.Restarts {
			seen[r.ID] = true
		}
		if len(web.Restarts) != many || len(seen) != many || seen[""] {
			t.Errorf("%d records with %d ids, want %d of each", len(web.Restarts), len(seen), many)
		}
		if len(changed)+len(removed) > 0 {
			t.Errorf("%d acts are changed and %d removed, although all were put back", len(changed), len(removed))
		}
		return after.TotalAlloc - before.TotalAlloc
	}
	few, many := allocated(25_000), allocated(200_000)
	if many > 16*few { // 8 times as many records; a square would be 64
		t.Errorf("8 times as many records take %d times as much memory", many/few)
	}
}

// Whatever was rewritten without ids: the first act gets the first record that is like it, as if each looked through all.
func TestPropertyIDsAreGivenBack(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		draw := func(label string) (acts []Act) {
			for i := range rapid.IntRange(0, 6).Draw(r, label) {
				a := Act{ID: fmt.Sprint(i), Service: "web", Action: statefile.Restart, Success: rapid.Bool().Draw(r, "success"),
					CreatedAt: noon.Add(time.Duration(rapid.IntRange(0, 1).Draw(r, "second")) * time.Second)}
				if !a.Success && rapid.Bool().Draw(r, "in progress") {
					a.Error = InProgress
				}
				acts = append(acts, a)
			}
			return acts
		}
		st, acts := statefile.New(), draw("acts")
		for _, a := range draw("records") {
			record := a.Record()
			if rapid.Bool().Draw(r, "nameless") {
				record.ID = ""
			}
			st.Add("web", statefile.Restart, record)
		}
		records := st.Service("web").Restarts
		var want []string
		for _, record := range records {
			want = append(want, record.ID)
		}
		for _, a := range acts {
			first, known := -1, false
			for i, record := range records {
				known = known || want[i] == a.ID
				like := record.Timestamp.Equal(a.CreatedAt) && (record.Success == a.Success || inProgress(a.Record()))
				if first < 0 && want[i] == "" && like {
					first = i
				}
			}
			if !known && first >= 0 {
				want[first] = a.ID
			}
		}
		giveIDsBack(indexOf(st), acts)
		for i, record := range records {
			if record.ID != want[i] {
				r.Fatalf("record %d is %q, want %q", i, record.ID, want[i])
			}
		}
	})
}
