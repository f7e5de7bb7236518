// Package recording is a state directory for tests: a real cooldown.json and a real database, as the commands of one
// session at a time use them, with a clock that the test moves.
package recording

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/internal/mask"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// Noon is the time at which a Fixture begins.
var Noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// Fleet is an inventory.
const Fleet = `
services:
  - name: db
    aliases: [db-1]
    checks: [{type: service, address: "127.0.0.1:5432"}]
    maintenance: [{from: "2026-03-01T14:00:00Z", to: "2026-03-01T15:00:00Z", note: a new disk}]
  - {name: api, depends_on: [db-1]}
  - {name: web, depends_on: [api]}
  - {name: mail, owner: Ada}
`

// Fixture is the records of a directory.
type Fixture struct {
	*ledger.Records
	T    testing.TB
	Dir  string
	Time time.Time // the clock

	Added ledger.Added // to the session's copy of the file
	ended config.Agent // the session that was settled last
}

// New makes a Fixture that is closed when the test ends.
func New(t testing.TB) *Fixture {
	t.Helper()
	d := In(t, t.TempDir())
	t.Cleanup(func() { d.ok(d.Close()) })
	return d
}

// In opens the records of a directory. The caller closes them.
func In(t testing.TB, dir string) *Fixture {
	t.Helper()
	d := &Fixture{T: t, Dir: dir, Time: Noon}
	c := config.Config{StateDir: dir, MaxRemediationsPerDay: 12}
	var err error
	d.Records, err = ledger.Open(t.Context(), c, mask.New([]string{"hunter22"}), func() time.Time { return d.Time }, store.ReadWrite)
	d.ok(err)
	d.AdoptFile()
	return d
}

// Loses puts a new database in the place of the fixture's, as a cycle does that cannot use it.
func (d *Fixture) Loses() {
	d.T.Helper()
	now := func() time.Time { return d.Time }
	d.ok(d.Close())
	_, err := ledger.SetAside(d.T.Context(), d.Config, d.Redactor, now, &store.UnusableError{Why: "lost"})
	d.ok(err)
	d.Reopen()
}

// Reopen opens the closed fixture as a cycle does.
func (d *Fixture) Reopen() {
	d.T.Helper()
	var err error
	d.Records, err = ledger.Open(d.T.Context(), d.Config, d.Redactor, func() time.Time { return d.Time }, store.Migrate)
	d.ok(err)
	d.AdoptFile()
}

func (d *Fixture) ok(err error) {
	d.T.Helper()
	if err != nil {
		d.T.Fatal(err)
	}
}

// Path returns the path of the database.
func (d *Fixture) Path() string { return filepath.Join(d.Dir, store.FileName) }

// Session begins a session of a tier, to which later calls belong.
func (d *Fixture) Session(tier int) int64 {
	d.T.Helper()
	return d.Begin(store.Session{Tier: tier, Trigger: "manual"})
}

// Begin begins a session, to which later calls belong.
func (d *Fixture) Begin(s store.Session) int64 {
	d.T.Helper()
	s.Status, s.StartedAt = store.Running, d.Time
	id, err := d.Store.AddSession(d.T.Context(), s)
	d.ok(err)
	d.Config.Agent.SessionID, d.Config.Agent.Tier, d.Added = id, s.Tier, ledger.Added{}
	return id
}

// Settle ends the session, and returns the events about that. If it has ended, it is settled again, as after a cycle
// that was killed before closing it.
func (d *Fixture) Settle() []store.Event {
	d.T.Helper()
	if d.InSession() {
		d.ended, d.Config.Agent = d.Config.Agent, config.Agent{}
	}
	return d.Noted(func() error { return d.EndActs(d.T.Context(), d.ended.SessionID) })
}

// AdoptFile does what a cycle does at its start, and returns the events about that.
func (d *Fixture) AdoptFile() []store.Event {
	d.T.Helper()
	return d.Noted(func() error {
		_, err := d.Adopt(d.T.Context(), false)
		return err
	})
}

// Tampers changes the agent's copy of the file, and returns the events about it.
func (d *Fixture) Tampers(change func(*statefile.State)) []store.Event {
	d.T.Helper()
	issued, left := d.Reads(), d.Reads()
	change(left)
	session, err := d.Store.Session(d.T.Context(), d.Config.Agent.SessionID)
	d.ok(err)
	return d.Noted(func() error { return d.AddFromCopy(d.T.Context(), session, issued, left, d.Added) })
}

// Noted returns the events that come of something, newest first.
func (d *Fixture) Noted(do func() error) []store.Event {
	d.T.Helper()
	before := len(d.Events())
	d.ok(do())
	all := d.Events()
	return all[:len(all)-before]
}

// Events returns all events, newest first.
func (d *Fixture) Events() []store.Event {
	d.T.Helper()
	all, err := d.Store.Events(d.T.Context(), store.EventFilter{})
	d.ok(err)
	return all
}

// Reads returns the current file.
func (d *Fixture) Reads() *statefile.State {
	d.T.Helper()
	text, err := os.ReadFile(statefile.Path(d.Dir))
	d.ok(err)
	st, err := statefile.Parse(text)
	d.ok(err)
	return st
}

// Edits changes the file as an operator does, without the program.
func (d *Fixture) Edits(change func(*statefile.State)) {
	d.T.Helper()
	st := d.Reads()
	change(st)
	text, err := st.Marshal()
	d.ok(err)
	d.Writes(string(text))
}

// Writes replaces the file, as an editor would.
func (d *Fixture) Writes(text string) {
	d.T.Helper()
	d.ok(os.WriteFile(statefile.Path(d.Dir), []byte(text), 0o644))
}

// ToolUse returns a new tool use id.
func (d *Fixture) ToolUse() string { return fmt.Sprintf("toolu_%d", d.Time.UnixNano()) }

// Outcome completes what the last tool use reserved, two seconds later.
func (d *Fixture) Outcome(fault string) {
	d.T.Helper()
	id := d.ToolUse()
	d.Time = d.Time.Add(2 * time.Second)
	d.ok(d.Complete(d.T.Context(), id, fault, 2*time.Second))
}

// Did records an act outside of any session, as an operator does.
func (d *Fixture) Did(act store.Act) {
	d.T.Helper()
	agent := d.Config.Agent
	d.Config.Agent = config.Agent{}
	err := d.Record(d.T.Context(), act)
	d.Config.Agent = agent
	d.ok(err)
}

// Restart returns a restart to reserve.
func Restart(service string) store.Act {
	return store.Act{Service: service, Action: statefile.Restart, Detail: "docker restart " + service}
}

// Redeploy returns a redeployment to reserve.
func Redeploy(service string) store.Act {
	return store.Act{Service: service, Action: statefile.Redeployment, Detail: "ansible-playbook " + service + ".yml"}
}

// Silences starts a silence as an operator does, or a pause if service is empty.
func (d *Fixture) Silences(service string, lasts time.Duration, reason string) store.Silence {
	d.T.Helper()
	s, _, err := d.Silence(d.T.Context(), service, lasts, reason, "command, by ann")
	d.ok(err)
	return s
}

// Knows sets the inventory.
func (d *Fixture) Knows(file string) {
	d.T.Helper()
	var err error
	d.Inventory, err = inventory.Parse([]byte(file))
	d.ok(err)
}

// Shard sets the inventory of the Fleet, as the shard with these services sees it.
func (d *Fixture) Shard(names ...string) {
	d.T.Helper()
	d.Knows(Fleet)
	d.Inventory = d.Inventory.Part(func(service string) string {
		if slices.Contains(names, service) {
			return ""
		}
		return "shard 2/4"
	})
}

// Told returns the messages to people so far, oldest first.
func (d *Fixture) Told() []store.Notification {
	d.T.Helper()
	all, err := d.Store.Notifications(d.T.Context(), store.NotificationFilter{})
	d.ok(err)
	slices.Reverse(all)
	return all
}

// WantTold fails unless the outbox has exactly one message of a kind, with this title, and with these facts in its
// body, in which ' is a backtick.
func (d *Fixture) WantTold(kind store.Kind, title string, facts ...string) {
	d.T.Helper()
	told := slices.DeleteFunc(d.Told(), func(n store.Notification) bool { return n.Kind != kind })
	if len(told) != 1 {
		d.T.Fatalf("%d messages of kind %s, want one: %+v", len(told), kind, told)
	}
	if told[0].Title != title {
		d.T.Errorf("its title is %q, want %q", told[0].Title, title)
	}
	for _, fact := range facts {
		if !strings.Contains(told[0].Body, strings.ReplaceAll(fact, "'", "`")) {
			d.T.Errorf("nothing says %q:\n%s", fact, told[0].Body)
		}
	}
}

// WantAgreement fails unless the file and the database have the same records, each with a unique id.
func (d *Fixture) WantAgreement() {
	d.T.Helper()
	file, base := map[string]string{}, map[string]string{}
	for name, svc := range d.Reads().Services {
		for _, action := range statefile.Actions() {
			for _, r := range svc.Records(action) {
				if _, twice := file[r.ID]; r.ID == "" || twice {
					d.T.Errorf("a %s of %s has the id %q, which is empty or another's", action, name, r.ID)
				}
				file[r.ID] = fmt.Sprint(name, " ", action, " ", r.Timestamp, " ", r.Success, " ", r.Error)
			}
		}
	}
	for _, a := range d.Counting() {
		base[a.ID] = fmt.Sprint(a.Service, " ", a.Action, " ", statefile.At(a.CreatedAt), " ", a.Success, " ", a.Error)
	}
	if diff := cmp.Diff(file, base); diff != "" {
		d.T.Errorf("the file and the database, -file +database:\n%s", diff)
	}
}

// Counting returns the acts in the database that count.
func (d *Fixture) Counting() []store.Act {
	d.T.Helper()
	acts, err := d.Store.ActsSince(d.T.Context(), d.Time.Add(-statefile.PruneAfter))
	d.ok(err)
	return acts
}
