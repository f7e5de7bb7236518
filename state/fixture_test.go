package state_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/claudeops/claudeops/alerts"
	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/testkit/recording"
)

// noon is the time of most tests.
var noon = recording.Noon

type fixture struct{ *recording.Fixture }

func newFixture(t testing.TB) *fixture { return &fixture{recording.New(t)} }

// picture returns the picture of the moment.
func (d *fixture) picture() *state.State {
	d.T.Helper()
	st, err := state.Of(d.T.Context(), d.Records)
	ok(d.T, err)
	return st
}

// about returns what a message about a service says of it now.
func (d *fixture) about(service string) notify.About {
	d.T.Helper()
	return d.picture().Service(service).About(d.Redactor.String)
}

func reload(service string) store.Act {
	return store.Act{Service: service, Action: statefile.Other, Detail: "reload"}
}

// done records what was done to a service some time ago.
func (d *fixture) done(service string, action statefile.Action, ages ...time.Duration) {
	d.T.Helper()
	d.Edits(func(st *statefile.State) {
		for _, age := range ages {
			st.Add(service, action, statefile.Record{Timestamp: statefile.At(d.Time.Add(-age)), Success: true})
		}
	})
	d.AdoptFile()
}

// reserve requests a reservation as the broker does: if the service may not be touched, that is recorded, and a human may be asked.
func (d *fixture) reserve(toolUse string, wanted store.Act) error {
	ctx := d.T.Context()
	var now *state.State
	err := d.Reserve(ctx, toolUse, wanted, func(file *statefile.State) (err error) {
		if now, err = state.Load(ctx, d.Store, file, d.Inventory, d.Config, d.Now()); err != nil {
			return err
		}
		if refusal := now.MayTouch(wanted.Service, wanted.Action, d.by()); refusal != nil {
			refusal.Wanted = wanted.Detail
			return refusal
		}
		return nil
	})
	refusal := (*state.Refusal)(nil)
	if !errors.As(err, &refusal) {
		return err
	}
	asked := refusal.Ask()
	refusal.HumanAsked = asked.Cause != ""
	return errors.Join(err, d.Refused(ctx, now.Service(refusal.Service).About(d.Redactor.String), refusal.Event(), asked))
}

// by returns who acts in the session.
func (d *fixture) by() state.By {
	session, err := d.Store.Session(d.T.Context(), d.Config.Agent.SessionID)
	ok(d.T, err)
	return state.ByOf(session)
}

// reserves requests a reservation, and returns the refusal, if it is one.
func (d *fixture) reserves(wanted store.Act) *state.Refusal {
	d.T.Helper()
	d.Time = d.Time.Add(time.Second) // each tool use takes some time
	err := d.reserve(d.ToolUse(), wanted)
	refusal := (*state.Refusal)(nil)
	if err != nil && !errors.As(err, &refusal) {
		d.T.Fatal(err)
	}
	return refusal
}

func (d *fixture) wantGranted(wanted store.Act) {
	d.T.Helper()
	if refusal := d.reserves(wanted); refusal != nil {
		d.T.Errorf("refused: %v", refusal)
	}
}

// wantHeld fails unless a restart of a service is refused for a hold of a kind, with these words, and nothing is recorded.
func (d *fixture) wantHeld(service string, kind state.Kind, words string) {
	d.T.Helper()
	before := d.Reads()
	refusal := d.reserves(recording.Restart(service))
	if refusal == nil || refusal.Kind != kind || !strings.Contains(refusal.Error(), words) {
		d.T.Errorf("a restart of %s: %v; want that it is refused for a hold %q that says %q", service, refusal, kind, words)
	}
	same(d.T, d.Reads(), before)
}

// wantRefused fails unless wanted is refused for a limit with these words, nothing is recorded, and a human is asked.
func (d *fixture) wantRefused(wanted store.Act, words ...string) {
	d.T.Helper()
	before, asked := d.Reads(), len(d.asked())
	refused := d.reserves(wanted)
	if refused == nil || !refused.Limited() {
		d.T.Fatalf("refused: %v", refused)
	}
	for _, word := range append(words, "A human has been asked", "Do not look for another way") {
		if !strings.Contains(refused.Error(), word) {
			d.T.Errorf("%q does not say %q", refused, word)
		}
	}
	same(d.T, d.Reads(), before)
	told := d.asked()
	if len(told) != asked+1 {
		d.T.Fatalf("a human is asked %d times, want %d", len(told), asked+1)
	}
	n := told[asked]
	if n.Service != refused.Service || !strings.Contains(n.Title, "needs human attention") || !strings.Contains(n.Body, " was refused.") {
		d.T.Errorf("a human is asked %q: %q", n.Title, n.Body)
	}
}

// wantRefusedIn is wantRefused in a new session.
func (d *fixture) wantRefusedIn(tier int, wanted store.Act, words ...string) {
	d.T.Helper()
	d.Session(tier)
	d.wantRefused(wanted, words...)
	d.Settle()
}

// asked returns the requests to people so far.
func (d *fixture) asked() (all []store.Notification) {
	d.T.Helper()
	for _, n := range d.Told() {
		if n.Kind == store.HumanAttention {
			all = append(all, n)
		}
	}
	return all
}

// finds stores a result a second later: of the program's own check, or as an agent reports it.
func (d *fixture) finds(service string, status check.Status, probed bool) {
	d.T.Helper()
	d.Time = d.Time.Add(time.Second)
	results := []check.Result{{Service: service, Type: check.Service, Status: status}}
	if probed {
		ok(d.T, d.Store.AddChecks(d.T.Context(), store.Probed, d.Config.Agent.SessionID, d.Time, results))
	} else {
		ok(d.T, d.Store.AddChecks(d.T.Context(), store.Reported, 0, d.Time, results))
	}
}

// opens opens an incident of a service that was found down in so many cycles.
func (d *fixture) opens(service string, cycles int) store.Incident {
	d.T.Helper()
	i := store.Incident{
		Service: service, Status: check.Down, Fingerprint: "f", OpenedAt: d.Time, LastSeenAt: d.Time, UnwellCycles: cycles,
	}
	var err error
	i.ID, err = d.Store.OpenIncident(d.T.Context(), i)
	ok(d.T, err)
	return i
}

// alerts keeps an alert about a service.
func (d *fixture) alerts(service string, means check.Status, title string) {
	d.T.Helper()
	a := alerts.Alert{Source: "s", Fingerprint: "f", Status: alerts.Firing, Names: []string{service}, Means: means, Title: title}
	_, err := d.KeepAlerts(d.T.Context(), []alerts.Alert{a})
	ok(d.T, err)
}

// refusals counts the events of refused remediations.
func (d *fixture) refusals() (count int) {
	d.T.Helper()
	for _, e := range must(d.Store.Events(d.T.Context(), store.EventFilter{Limit: 100})) {
		if e.Level == store.Warning && strings.Contains(e.Message, " was refused: ") {
			count++
		}
	}
	return count
}

func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func same(t testing.TB, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
