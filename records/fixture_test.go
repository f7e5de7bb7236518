package records

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/internal/mask"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// fixture is the Records of a real file and a real database, as used by the commands of one session at a time, with a clock that the test
// moves.
type fixture struct {
	*Records
	t   testing.TB
	dir string
	now time.Time

	toolUses int          // number of tool uses in begins
	ended    config.Agent // the session that was settled last
	added    Added        // to the session's copy of the file
	shop     notify.About // in tests of proposals
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
	d.Records, err = Open(t.Context(), c, mask.New([]string{"hunter22"}), func() time.Time { return d.now }, store.ReadWrite)
	ok(t, err)
	d.adopt()
	return d
}

// path returns the path of the database.
func (d *fixture) path() string { return d.database() }

// session begins a session of a tier, to which later calls belong.
func (d *fixture) session(tier int) int64 {
	d.t.Helper()
	id, err := d.Store.AddSession(d.t.Context(), store.Session{Tier: tier, Trigger: "manual", Status: store.Running, StartedAt: d.now})
	ok(d.t, err)
	d.Config.Agent.SessionID, d.Config.Agent.Tier, d.added = id, tier, Added{}
	return id
}

// settle ends the session, and returns the events about that. If it has ended, it is settled again, as after a cycle that was killed before
// closing it.
func (d *fixture) settle() []store.Event {
	d.t.Helper()
	if d.InSession() {
		d.ended, d.Config.Agent = d.Config.Agent, config.Agent{}
	}
	return d.noted(func() error { return d.EndActs(d.t.Context(), d.ended.SessionID) })
}

// adopt does what a cycle does at its start, and returns the events about that.
func (d *fixture) adopt() []store.Event {
	d.t.Helper()
	return d.noted(func() error {
		_, err := d.Adopt(d.t.Context(), false)
		return err
	})
}

// noted returns the events that come of something, newest first.
func (d *fixture) noted(do func() error) []store.Event {
	d.t.Helper()
	before := len(must(d.Store.Events(d.t.Context(), store.EventFilter{})))
	ok(d.t, do())
	all := must(d.Store.Events(d.t.Context(), store.EventFilter{}))
	return all[:len(all)-before]
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

// tampers changes the agent's copy of the file, and returns the events about it.
func (d *fixture) tampers(change func(*statefile.State)) []store.Event {
	d.t.Helper()
	base, left := d.reads(), d.reads()
	change(left)
	session := must(d.Store.Session(d.t.Context(), d.Config.Agent.SessionID))
	return d.noted(func() error { return d.AddFromCopy(d.t.Context(), session, base, left, d.added) })
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

// begins reserves a remediation in the session regardless of the limits, with the tool use ids toolu_1, toolu_2 and so on.
func (d *fixture) begins(service string, action statefile.Action) {
	d.t.Helper()
	d.toolUses++
	ok(d.t, d.change(d.t.Context(), func(st *statefile.State) error {
		agent := d.Config.Agent
		a := store.Act{ID: newID(), SessionID: &agent.SessionID, Service: service, Action: action, Error: store.InProgress, Tier: agent.Tier,
			Source: store.SourceReserved, ToolUseID: fmt.Sprintf("toolu_%d", d.toolUses), CreatedAt: d.now}
		st.Add(service, action, a.Record())
		return d.Store.PutAct(d.t.Context(), a)
	}))
}

func (d *fixture) wantRestarts(service string, want int) {
	d.t.Helper()
	if got := statefile.Count(must(d.State(d.t.Context())).Service(service).Restarts, statefile.Restart, d.now).Used; got != want {
		d.t.Errorf("%s: %d restarts count, want %d", service, got, want)
	}
}

// counting returns the acts in the database that count.
func (d *fixture) counting() []store.Act {
	d.t.Helper()
	return must(d.Store.ActsSince(d.t.Context(), d.now.Add(-statefile.PruneAfter)))
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
	for _, a := range d.counting() {
		base[a.ID] = fmt.Sprint(a.Service, " ", a.Action, " ", statefile.At(a.CreatedAt), " ", a.Success, " ", a.Error)
	}
	same(d.t, base, file)
}

func restart(service string) store.Act {
	return store.Act{Service: service, Action: statefile.Restart, Detail: "docker restart " + service}
}

func redeploy(service string) store.Act {
	return store.Act{Service: service, Action: statefile.Redeployment, Detail: "ansible-playbook " + service + ".yml"}
}

// reserves reserves an act that nothing stands in the way of.
func (d *fixture) reserves(toolUse string, wanted store.Act) error {
	return d.Reserve(d.t.Context(), toolUse, wanted, func(*statefile.State) error { return nil })
}

// errRefused is why an act may not be done, in tests of what a refusal does.
var errRefused = errors.New("refused")

func refuses(*statefile.State) error { return errRefused }

func (d *fixture) wantGranted(wanted store.Act) {
	d.t.Helper()
	d.now = d.now.Add(time.Second) // each tool use takes some time
	ok(d.t, d.reserves(d.toolUse(), wanted))
}

// fleet is an inventory.
const fleet = `
services:
  - name: db
    aliases: [db-1]
    checks: [{type: service, address: "127.0.0.1:5432"}]
  - {name: api, depends_on: [db-1]}
  - {name: web, depends_on: [api]}
  - {name: mail, owner: Ada}
`

// wantTold fails unless the outbox has exactly one message of a kind, with this title, and with these facts in its body.
func (d *fixture) wantTold(kind store.Kind, title string, facts ...string) {
	d.t.Helper()
	all, err := d.Store.Notifications(d.t.Context(), store.NotificationFilter{})
	ok(d.t, err)
	var told []store.Notification
	for _, n := range all {
		if n.Kind == kind {
			told = append(told, n)
		}
	}
	if len(told) != 1 {
		d.t.Fatalf("%d messages of kind %s, want one: %+v", len(told), kind, all)
	}
	same(d.t, told[0].Title, title)
	for _, fact := range facts {
		if !strings.Contains(told[0].Body, fact) {
			d.t.Errorf("nothing says %q:\n%s", fact, told[0].Body)
		}
	}
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
