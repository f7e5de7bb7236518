package state_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/claudeops/claudeops/alerts"
	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/internal/mask"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// noon is the time of most tests.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// fixture is the records of a real file and a real database, as used by the commands of one session at a time, with a clock that the test
// moves.
type fixture struct {
	*records.Records
	t   testing.TB
	dir string
	now time.Time

	ended config.Agent  // the session that was settled last
	added records.Added // to the session's copy of the file
}

func newFixture(t testing.TB) *fixture {
	t.Helper()
	d := fixtureIn(t, t.TempDir())
	t.Cleanup(func() { ok(t, d.Close()) })
	return d
}

// fixtureIn opens the records of a directory. The caller closes them.
func fixtureIn(t testing.TB, dir string) *fixture {
	t.Helper()
	d := &fixture{t: t, dir: dir, now: noon}
	c := config.Config{StateDir: dir, MaxRemediationsPerDay: 12}
	var err error
	d.Records, err = records.Open(t.Context(), c, mask.New([]string{"hunter22"}), func() time.Time { return d.now }, store.ReadWrite)
	ok(t, err)
	d.adopt()
	return d
}

func (d *fixture) path() string { return filepath.Join(d.dir, store.FileName) }

// picture returns the picture of the moment.
func (d *fixture) picture() *state.State {
	d.t.Helper()
	st, err := state.Of(d.t.Context(), d.Records)
	ok(d.t, err)
	return st
}

// about returns what a message about a service says of it now.
func (d *fixture) about(service string) notify.About {
	d.t.Helper()
	return d.picture().Service(service).AboutNow(d.Redactor.String)
}

// session begins a session of a tier, to which later calls belong.
func (d *fixture) session(tier int) int64 {
	d.t.Helper()
	return d.begin(store.Session{Tier: tier, Trigger: "manual"})
}

func (d *fixture) begin(s store.Session) int64 {
	d.t.Helper()
	s.Status, s.StartedAt = store.Running, d.now
	id, err := d.Store.AddSession(d.t.Context(), s)
	ok(d.t, err)
	d.Config.Agent.SessionID, d.Config.Agent.Tier, d.added = id, s.Tier, records.Added{}
	return id
}

// settle ends the session.
func (d *fixture) settle() {
	d.t.Helper()
	if d.InSession() {
		d.ended, d.Config.Agent = d.Config.Agent, config.Agent{}
	}
	ok(d.t, d.EndActs(d.t.Context(), d.ended.SessionID))
}

// adopt does what a cycle does at its start.
func (d *fixture) adopt() {
	d.t.Helper()
	must(d.Adopt(d.t.Context(), false))
}

// reads returns the current file.
func (d *fixture) reads() *statefile.State {
	d.t.Helper()
	st, err := statefile.Parse(must(os.ReadFile(statefile.Path(d.dir))))
	ok(d.t, err)
	return st
}

// edits changes the file as an operator does, without the program.
func (d *fixture) edits(change func(*statefile.State)) {
	d.t.Helper()
	st := d.reads()
	change(st)
	d.writes(string(must(st.Marshal())))
}

// writes replaces the file, as an editor would.
func (d *fixture) writes(text string) {
	d.t.Helper()
	ok(d.t, os.WriteFile(statefile.Path(d.dir), []byte(text), 0o644))
}

// tampers changes the agent's copy of the file.
func (d *fixture) tampers(change func(*statefile.State)) {
	d.t.Helper()
	base, left := d.reads(), d.reads()
	change(left)
	session := must(d.Store.Session(d.t.Context(), d.Config.Agent.SessionID))
	ok(d.t, d.AddFromCopy(d.t.Context(), session, base, left, d.added))
}

// toolUse returns a new tool use id.
func (d *fixture) toolUse() string { return fmt.Sprintf("toolu_%d", d.now.UnixNano()) }

// record records an act outside of any session, as an operator does.
func (d *fixture) record(done store.Act) {
	d.t.Helper()
	agent := d.Config.Agent
	d.Config.Agent = config.Agent{}
	err := d.Record(d.t.Context(), done)
	d.Config.Agent = agent
	ok(d.t, err)
}

func restart(service string) store.Act {
	return store.Act{Service: service, Action: statefile.Restart, Detail: "docker restart " + service}
}

func redeploy(service string) store.Act {
	return store.Act{Service: service, Action: statefile.Redeployment, Detail: "ansible-playbook " + service + ".yml"}
}

func reload(service string) store.Act {
	return store.Act{Service: service, Action: statefile.Other, Detail: "reload"}
}

// done records what was done to a service some time ago.
func (d *fixture) done(service string, action statefile.Action, ages ...time.Duration) {
	d.t.Helper()
	d.edits(func(st *statefile.State) {
		for _, age := range ages {
			st.Add(service, action, statefile.Record{Timestamp: statefile.At(d.now.Add(-age)), Success: true})
		}
	})
	d.adopt()
}

// reserve requests a reservation as the broker does: if the service may not be touched, that is recorded, and a human may be asked.
func (d *fixture) reserve(toolUse string, wanted store.Act) error {
	ctx := d.t.Context()
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
	var asked *records.Ask
	if ask, needed := refusal.Ask(); needed {
		asked, refusal.HumanAsked = &ask, true
	}
	return errors.Join(err, d.Refused(ctx, now.Service(refusal.Service).AboutNow(d.Redactor.String), refusal.Event(), asked))
}

// by returns who acts in the session.
func (d *fixture) by() state.By {
	session, err := d.Store.Session(d.t.Context(), d.Config.Agent.SessionID)
	ok(d.t, err)
	return state.ByOf(session)
}

// reserves requests a reservation, and returns the refusal, if it is one.
func (d *fixture) reserves(wanted store.Act) *state.Refusal {
	d.t.Helper()
	d.now = d.now.Add(time.Second) // each tool use takes some time
	err := d.reserve(d.toolUse(), wanted)
	refusal := (*state.Refusal)(nil)
	if err != nil && !errors.As(err, &refusal) {
		d.t.Fatal(err)
	}
	return refusal
}

func (d *fixture) wantGranted(wanted store.Act) {
	d.t.Helper()
	if refusal := d.reserves(wanted); refusal != nil {
		d.t.Errorf("refused: %v", refusal)
	}
}

// wantHeld fails unless a restart of a service is refused for a hold of a kind, with these words, and nothing is recorded.
func (d *fixture) wantHeld(service string, kind state.Kind, words string) {
	d.t.Helper()
	before := d.reads()
	refusal := d.reserves(restart(service))
	if refusal == nil || refusal.Kind != kind || !strings.Contains(refusal.Error(), words) {
		d.t.Errorf("a restart of %s: %v; want that it is refused for a hold %q that says %q", service, refusal, kind, words)
	}
	same(d.t, d.reads(), before)
}

// wantRefused fails unless wanted is refused for a limit with these words, nothing is recorded, and a human is asked.
func (d *fixture) wantRefused(wanted store.Act, words ...string) {
	d.t.Helper()
	before, asked := d.reads(), len(d.asked())
	refused := d.reserves(wanted)
	if refused == nil || !refused.Limited() {
		d.t.Fatalf("refused: %v", refused)
	}
	for _, word := range append(words, "A human has been asked", "Do not look for another way") {
		if !strings.Contains(refused.Error(), word) {
			d.t.Errorf("%q does not say %q", refused, word)
		}
	}
	same(d.t, d.reads(), before)
	told := d.asked()
	if len(told) != asked+1 {
		d.t.Fatalf("a human is asked %d times, want %d", len(told), asked+1)
	}
	n := told[asked]
	if n.Service != refused.Service || !strings.Contains(n.Title, "needs human attention") || !strings.Contains(n.Body, " was refused.") {
		d.t.Errorf("a human is asked %q: %q", n.Title, n.Body)
	}
}

// wantRefusedIn is wantRefused in a new session.
func (d *fixture) wantRefusedIn(tier int, wanted store.Act, words ...string) {
	d.t.Helper()
	d.session(tier)
	d.wantRefused(wanted, words...)
	d.settle()
}

// asked returns the requests to people so far.
func (d *fixture) asked() (all []store.Notification) {
	d.t.Helper()
	for _, n := range d.told() {
		if n.Kind == store.HumanAttention {
			all = append(all, n)
		}
	}
	return all
}

// told returns the messages to people so far, oldest first.
func (d *fixture) told() []store.Notification {
	d.t.Helper()
	all, err := d.Store.Notifications(d.t.Context(), store.NotificationFilter{})
	ok(d.t, err)
	slices.Reverse(all)
	return all
}

func (d *fixture) outcome(success bool, fault string) {
	d.t.Helper()
	id := d.toolUse()
	d.now = d.now.Add(2 * time.Second)
	ok(d.t, d.Complete(d.t.Context(), id, success, fault, 2*time.Second))
}

// knows sets the inventory.
func (d *fixture) knows(file string) {
	d.t.Helper()
	var err error
	d.Inventory, err = inventory.Parse([]byte(file))
	ok(d.t, err)
}

// finds stores a result a second later: of the program's own check, or as an agent reports it.
func (d *fixture) finds(service string, status check.Status, probed bool) {
	d.t.Helper()
	d.now = d.now.Add(time.Second)
	results := []check.Result{{Service: service, Type: check.Service, Status: status}}
	if probed {
		ok(d.t, d.Store.AddProbed(d.t.Context(), d.Config.Agent.SessionID, d.now, results, nil))
	} else {
		ok(d.t, d.Store.AddChecks(d.t.Context(), nil, d.now, results))
	}
}

// opens opens an incident of a service that was found down in so many cycles.
func (d *fixture) opens(service string, cycles int) store.Incident {
	d.t.Helper()
	i := store.Incident{
		Service: service, Status: check.Down, Fingerprint: "f", OpenedAt: d.now, LastSeenAt: d.now, UnwellCycles: cycles,
	}
	var err error
	i.ID, err = d.Store.OpenIncident(d.t.Context(), i)
	ok(d.t, err)
	return i
}

// alerts keeps an alert about a service.
func (d *fixture) alerts(service string, means check.Status, title string) {
	d.t.Helper()
	a := alerts.Alert{Source: "s", Fingerprint: "f", Status: alerts.Firing, Names: []string{service}, Means: means, Title: title}
	_, err := d.KeepAlerts(d.t.Context(), []alerts.Alert{a})
	ok(d.t, err)
}

func (d *fixture) silences(service string, lasts time.Duration, reason string) store.Silence {
	d.t.Helper()
	s, _, err := d.Silence(d.t.Context(), service, lasts, reason, "command, by ann")
	ok(d.t, err)
	return s
}

// refusals counts the events of refused remediations.
func (d *fixture) refusals() (count int) {
	d.t.Helper()
	for _, e := range must(d.Store.Events(d.t.Context(), store.EventFilter{Limit: 100})) {
		if e.Level == store.Warning && strings.Contains(e.Message, " was refused: ") {
			count++
		}
	}
	return count
}

// wantAgreement fails unless the file and the database have the same records, each with a unique id.
func (d *fixture) wantAgreement() {
	d.t.Helper()
	file, base := map[string]string{}, map[string]string{}
	for name, svc := range d.reads().Services {
		for _, action := range statefile.Actions() {
			for _, r := range svc.Records(action) {
				if _, twice := file[r.ID]; r.ID == "" || twice {
					d.t.Errorf("a %s of %s has the id %q, which is empty or another's", action, name, r.ID)
				}
				file[r.ID] = fmt.Sprint(name, " ", action, " ", r.Timestamp, " ", r.Success, " ", r.Error)
			}
		}
	}
	for _, a := range must(d.Store.ActsSince(d.t.Context(), d.now.Add(-statefile.PruneAfter))) {
		base[a.ID] = fmt.Sprint(a.Service, " ", a.Action, " ", statefile.At(a.CreatedAt), " ", a.Success, " ", a.Error)
	}
	same(d.t, base, file)
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
