package records

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// drawnFixture returns a fixture on a new state directory for one draw of a property. template is an empty database.
func drawnFixture(t *testing.T, r *rapid.T, template []byte) *fixture {
	dir := must(os.MkdirTemp(t.TempDir(), ""))
	ok(t, os.WriteFile(filepath.Join(dir, store.FileName), template, 0o600))
	d := fixtureIn(t, dir)
	r.Cleanup(func() { ok(t, d.Close()) })
	return d
}

func newDatabase(t *testing.T) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), store.FileName)
	ok(t, must(store.Open(t.Context(), path, store.ReadWrite)).Close())
	return must(os.ReadFile(path))
}

// Three sources, one count: within a session, the n-th claims of each source for a service and action are the same act, and a failure that
// any of them reported is kept.
func TestPropertyTheNthOfEachSourceIsTheSameAct(t *testing.T) {
	template := newDatabase(t)
	rapid.Check(t, func(r *rapid.T) {
		d := drawnFixture(t, r, template)
		session := d.session(2)
		outcomes := map[string][]bool{}
		for _, source := range []string{store.SourceReserved, store.SourceRecord, store.SourceFile, store.SourceMarker} {
			outcomes[source] = rapid.SliceOfN(rapid.Bool(), 0, 3).Draw(r, source)
		}
		perform(d, r, outcomes)

		acts := must(d.Store.SessionActs(t.Context(), session))
		want := 0
		for _, told := range outcomes {
			want = max(want, len(told))
		}
		if len(acts) != want {
			r.Fatalf("%d acts, want %d: %+v", len(acts), want, acts)
		}
		// The first acts are those with the most sources, which need not be the oldest.
		slices.SortStableFunc(acts, func(a, b store.Act) int { return strings.Count(b.Source, ",") - strings.Count(a.Source, ",") })
		for i, a := range acts {
			if fault := wrongOutcome(a, i, outcomes); fault != "" {
				r.Fatalf("act %d: %s: %+v", i, fault, a)
			}
		}
		d.wantRestarts("shop", want)
		d.wantAgreement()
		if again := d.settle(); len(again) != 0 {
			r.Fatalf("settling again tells %+v", again)
		}
		d.wantAgreement()
	})
}

// perform makes the sources report restarts of shop: the reservation before the command, the agent's record after it, mixed with what the
// agent adds to the file. The markers come at the end of the session.
func perform(d *fixture, r *rapid.T, outcomes map[string][]bool) {
	var order []string
	for _, source := range []string{store.SourceReserved, store.SourceRecord, store.SourceFile} {
		order = append(order, slices.Repeat([]string{source}, len(outcomes[source]))...)
	}
	order = rapid.Permutation(order).Draw(r, "order")
	if rapid.Bool().Draw(r, "guard first") {
		slices.SortStableFunc(order, func(a, b string) int { return strings.Compare(guardFirst(a), guardFirst(b)) })
	}
	done := map[string]int{}
	for _, source := range order {
		d.now = d.now.Add(time.Second)
		n := done[source]
		done[source]++
		told := toldOf(source, n, outcomes)
		switch {
		case source == store.SourceReserved && max(done[store.SourceRecord], done[store.SourceFile]) > n:
			// The agent recorded a restart without a reservation: the next reservation is the one after it.
			outcomes[store.SourceReserved] = append(slices.Clone(outcomes[store.SourceReserved][:n]), outcomes[store.SourceReserved][n+1:]...)
			done[source]--
		case source == store.SourceReserved:
			d.begins("shop", statefile.Restart)
		case source == store.SourceRecord:
			d.record(told)
		default:
			d.tampers(func(st *statefile.State) {
				st.Add("shop", statefile.Restart, statefile.Record{Timestamp: statefile.At(d.now), Success: told.Success, Error: told.Message})
			})
		}
	}
	d.now = d.now.Add(time.Second)
	markers := []Claim{}
	for n := range outcomes[store.SourceMarker] {
		markers = append(markers, toldOf(store.SourceMarker, n, outcomes))
	}
	d.settle(markers...)
}

func guardFirst(source string) string {
	if source == store.SourceReserved {
		return "0"
	}
	return "1"
}

func toldOf(source string, n int, outcomes map[string][]bool) Claim {
	told := Claim{Service: "shop", Action: statefile.Restart, Success: outcomes[source][n]}
	if !told.Success {
		told.Message = fmt.Sprintf("%s saw it fail, %d", source, n)
	}
	return told
}

// wrongOutcome returns what is wrong with the n-th act of a session. A reservation alone has no outcome.
func wrongOutcome(a store.Act, n int, outcomes map[string][]bool) string {
	success, known := true, false
	for _, source := range []string{store.SourceReserved, store.SourceRecord, store.SourceFile, store.SourceMarker} {
		if claimedBy(&a, source) != (n < len(outcomes[source])) {
			return "its source is wrong"
		}
		if source != store.SourceReserved && n < len(outcomes[source]) {
			success, known = success && outcomes[source][n], true
		}
	}
	switch {
	case !known:
		if a.Success || a.Error != Unreported {
			return "its outcome is not known, and yet it has one"
		}
	case a.Success != success:
		return "its outcome is wrong"
	case !success && !strings.Contains(a.Error, "saw it fail"):
		return "it does not say why it failed"
	case success && a.Error != "":
		return "it succeeded with an error"
	}
	return ""
}

// vandal is an agent that changes its copy of cooldown.json arbitrarily.
type vandal struct {
	*fixture
	before   map[place]int // what counted when the session began
	recorded map[place]int // what the agent reported with `cooldown record` since
	added    map[place]int // what it added to its copy
}

var vandalServices = []string{"a", "b", "c"}

func vandalPlaces() (all []place) {
	for _, service := range vandalServices {
		for _, action := range statefile.Actions() {
			all = append(all, place{service, action})
		}
	}
	return all
}

// Whatever an agent does to its copy of the file, what counts is never less than what counted before and what it reported.
func TestPropertyAnAgentAddsItNeverErases(t *testing.T) {
	template := newDatabase(t)
	rapid.Check(t, func(r *rapid.T) {
		v := &vandal{fixture: drawnFixture(t, r, template), before: map[place]int{}, recorded: map[place]int{}, added: map[place]int{}}
		v.begin(r)
		for range rapid.IntRange(1, 6).Draw(r, "deeds") {
			v.now = v.now.Add(time.Second)
			v.deed(r)
			v.wantAtLeast(r, "in the session", v.recorded)
		}
		told := v.told(r)
		v.end(r, told)
		v.wantAtLeast(r, "after the session", told)
		v.wantAgreement()
		v.adopt()
		v.wantAtLeast(r, "in the next cycle", told)
		v.wantAgreement()
	})
}

// begin draws a file as an operator may have it. No record is close to the edge of a window.
func (v *vandal) begin(r *rapid.T) {
	v.adopt()
	v.edits(func(st *statefile.State) {
		for _, at := range vandalPlaces() {
			for _, half := range rapid.SliceOfN(rapid.IntRange(0, 60), 0, 3).Draw(r, at.service+" "+string(at.action)) {
				age := time.Duration(half)*30*time.Minute + 10*time.Minute
				st.Add(at.service, at.action, statefile.Record{Timestamp: statefile.At(v.now.Add(-age)), Success: half%2 == 0})
			}
		}
	})
	v.adopt()
	st := v.reads()
	for _, at := range vandalPlaces() {
		v.before[at] = st.Position(at.service, at.action, v.now).Used
	}
	v.session(2)
}

// deed is one action of an agent.
func (v *vandal) deed(r *rapid.T) {
	at := rapid.SampledFrom(vandalPlaces()).Draw(r, "where")
	switch deed := rapid.SampledFrom([]string{"record", "remove", "edit", "edit", "edit", "edit"}).Draw(r, "deed"); deed {
	case "record":
		v.record(Claim{Service: at.service, Action: at.action, Success: rapid.Bool().Draw(r, "success")})
		v.recorded[at]++
	default:
		v.tampers(func(st *statefile.State) {
			if deed == "edit" {
				if tamper(r, st, at, v.now) {
					v.added[at]++
				}
			} else { // which makes it unreadable
				*st = *statefile.New()
			}
		})
	}
}

// tamper changes the records at one place of a copy, and reports whether it added one that counts.
func tamper(r *rapid.T, st *statefile.State, at place, now time.Time) (added bool) {
	svc := st.Ensure(at.service)
	records := slices.Clone(svc.Records(at.action))
	minutes := rapid.IntRange(-600, 6000).Draw(r, "minutes")
	fresh := statefile.Record{Timestamp: statefile.At(now.Add(-time.Duration(max(0, minutes)%200) * time.Second)), Success: minutes%2 == 0}
	switch way := rapid.SampledFrom([]string{"add", "add with an id", "erase", "drop", "date", "undate", "outcome", "strip", "rename", "double", "move"}).Draw(r, "way"); {
	case way == "add":
		records, added = append(records, fresh), true
	case way == "add with an id":
		fresh.ID = rapid.SampledFrom([]string{"x", "y"}).Draw(r, "id")
		records = append(records, fresh)
	case way == "drop":
		delete(st.Services, at.service)
		return false
	case way == "erase":
		records = nil
	case len(records) == 0:
		return false
	default:
		i := rapid.IntRange(0, len(records)-1).Draw(r, "i")
		switch way {
		case "date":
			records[i].Timestamp = statefile.At(now.Add(-time.Duration(minutes) * time.Minute))
		case "undate":
			records[i].Timestamp = statefile.Time{}
		case "outcome":
			records[i].Success = !records[i].Success
		case "strip":
			records[i].ID = ""
		case "rename":
			records[i].ID = "forged"
		case "double":
			records = append(records, records[i])
		case "move":
			to := rapid.SampledFrom(vandalPlaces()).Draw(r, "to")
			st.Add(to.service, to.action, records[i])
			records = slices.Delete(slices.Clone(svc.Records(at.action)), i, i+1)
		}
	}
	svc.SetRecords(at.action, records)
	return added
}

// told returns how many acts the agent reported at each place: by commands, by records added to its copy, and by markers, of which end
// draws as many. The n-th of each are the same act.
func (v *vandal) told(r *rapid.T) map[place]int {
	told := map[place]int{}
	for _, at := range vandalPlaces() {
		told[at] = max(v.recorded[at], v.added[at], rapid.IntRange(0, 2).Draw(r, "markers"))
	}
	return told
}

// end settles the session, with a marker for everything reported.
func (v *vandal) end(r *rapid.T, told map[place]int) {
	var markers []Claim
	for _, at := range vandalPlaces() {
		for range told[at] {
			markers = append(markers, Claim{Service: at.service, Action: at.action, Success: rapid.Bool().Draw(r, "marked")})
		}
	}
	v.settle(markers...)
}

func (v *vandal) wantAtLeast(r *rapid.T, when string, told map[place]int) {
	st, err := v.State(v.t.Context())
	ok(v.t, err)
	for _, at := range vandalPlaces() {
		if got := st.Position(at.service, at.action, v.now).Used; got < v.before[at]+told[at] {
			r.Fatalf("%s %d %ss of %s count: fewer than the %d of before and the %d that the agent told of",
				when, got, at.action, at.service, v.before[at], told[at])
		}
	}
}
