package records_test

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/internal/mask"
	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// desk is records on a real file and a real database, as the commands of one session at a time have them, with a clock that the test
// moves.
type desk struct {
	*records.Records
	t   testing.TB
	dir string
	now time.Time
}

func newDesk(t testing.TB) *desk {
	t.Helper()
	d := deskIn(t, t.TempDir())
	t.Cleanup(func() { must(t, d.Close()) })
	return d
}

// deskIn is records on a directory. The caller closes them.
func deskIn(t testing.TB, dir string) *desk {
	t.Helper()
	d := &desk{t: t, dir: dir, now: noon}
	c := config.Config{StateDir: dir, MaxRemediationsPerDay: 12}
	var err error
	d.Records, err = records.Open(t.Context(), c, mask.New([]string{"hunter22"}), func() time.Time { return d.now }, store.ReadWrite)
	must(t, err)
	_, err = d.Ledger.Adopt(t.Context())
	must(t, err)
	return d
}

func must(t testing.TB, err error) {
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

// session begins one of a tier; what the desk does from now on is done in it.
func (d *desk) session(tier int) {
	d.t.Helper()
	id, err := d.Store.AddSession(d.t.Context(), store.Session{Tier: tier, Trigger: "manual", Status: store.Running, StartedAt: d.now})
	must(d.t, err)
	d.Config.Agent.SessionID, d.Config.Agent.Tier = id, tier
}

// settle ends the session.
func (d *desk) settle(markers ...records.Told) []records.Notice {
	d.t.Helper()
	agent := d.Config.Agent
	found, err := d.Ledger.Settle(d.t.Context(), records.Settlement{SessionID: agent.SessionID, Tier: agent.Tier, Markers: markers})
	must(d.t, err)
	d.Config.Agent = config.Agent{}
	return found
}

// reads is the file as it is.
func (d *desk) reads() *statefile.State {
	d.t.Helper()
	text, err := os.ReadFile(statefile.Path(d.dir))
	must(d.t, err)
	st, err := statefile.Parse(text)
	must(d.t, err)
	return st
}

// edits changes the file as an operator does, behind the program's back.
func (d *desk) edits(change func(*statefile.State)) {
	d.t.Helper()
	st := d.reads()
	change(st)
	text, err := st.Marshal()
	must(d.t, err)
	must(d.t, os.WriteFile(statefile.Path(d.dir), text, 0o644))
}

// tampers changes the copy of the file that an agent has.
func (d *desk) tampers(change func(*statefile.State)) {
	d.t.Helper()
	base, copied := d.reads(), d.reads()
	change(copied)
	session, err := d.Store.Session(d.t.Context(), d.Config.Agent.SessionID)
	must(d.t, err)
	_, err = d.Ledger.Take(d.t.Context(), records.Copied{Session: session, Base: base, Left: copied, Redact: d.Redactor.String})
	must(d.t, err)
}

// toolUse is a new id of one.
func (d *desk) toolUse() string { return fmt.Sprintf("toolu_%d", d.now.UnixNano()) }

// wantAgreement fails unless the file and the database have the same records.
func (d *desk) wantAgreement() {
	d.t.Helper()
	file, base := map[string]string{}, map[string]string{}
	for name, svc := range d.reads().Services {
		for _, action := range statefile.Actions() {
			for _, r := range svc.Records(action) {
				file[r.ID] = fmt.Sprint(name, " ", action, " ", r.Timestamp, " ", r.Success, " ", r.Error)
			}
		}
	}
	acts, err := d.Store.ActsSince(d.t.Context(), d.now.Add(-statefile.PruneAfter))
	must(d.t, err)
	for _, a := range acts {
		base[a.ID] = fmt.Sprint(a.Service, " ", a.Action, " ", statefile.At(a.CreatedAt), " ", a.Success, " ", a.Error)
	}
	same(d.t, base, file)
}

func restart(services ...string) (wanted []records.Wanted) {
	for _, s := range services {
		wanted = append(wanted, records.Wanted{Service: s, Action: statefile.Restart, Detail: "docker restart " + s})
	}
	return wanted
}

func redeploy(service string) []records.Wanted {
	return []records.Wanted{{Service: service, Action: statefile.Redeployment, Detail: "ansible-playbook " + service + ".yml"}}
}

// done is what was done to a service before, some time ago.
func (d *desk) done(service string, action statefile.Action, ages ...time.Duration) {
	d.t.Helper()
	d.edits(func(st *statefile.State) {
		for _, age := range ages {
			st.Add(service, action, statefile.Record{Timestamp: statefile.At(d.now.Add(-age)), Success: true})
		}
	})
	_, err := d.Ledger.Adopt(d.t.Context())
	must(d.t, err)
}

// reserves asks for a reservation and returns the refusal, if it is one.
func (d *desk) reserves(wanted []records.Wanted) *records.LimitError {
	d.t.Helper()
	d.now = d.now.Add(time.Second) // each tool use takes its time
	err := d.Reserve(d.t.Context(), d.toolUse(), wanted)
	var refused *records.LimitError
	if err != nil && !errors.As(err, &refused) {
		d.t.Fatal(err)
	}
	return refused
}

func (d *desk) wantGranted(wanted []records.Wanted) {
	d.t.Helper()
	if refused := d.reserves(wanted); refused != nil {
		d.t.Errorf("refused: %v", refused)
	}
}

// wantRefused fails unless all of wanted is refused with these words, nothing is recorded, and a human is asked.
func (d *desk) wantRefused(wanted []records.Wanted, words ...string) {
	d.t.Helper()
	before, asked := d.reads(), len(d.asked())
	refused := d.reserves(wanted)
	if refused == nil {
		d.t.Fatal("granted")
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

// asked is what people were asked so far.
func (d *desk) asked() (all []store.Notification) {
	d.t.Helper()
	pending, err := d.Store.Notifications(d.t.Context(), store.NotificationFilter{Pending: true})
	must(d.t, err)
	slices.Reverse(pending)
	for _, n := range pending {
		if n.Kind == store.HumanAttention {
			all = append(all, n)
		}
	}
	return all
}

func (d *desk) outcome(success bool, fault string) {
	d.t.Helper()
	id := d.toolUse()
	d.now = d.now.Add(2 * time.Second)
	must(d.t, d.Outcome(d.t.Context(), id, success, fault, 2*time.Second))
}

// wantRefusedIn begins a session for it.
func (d *desk) wantRefusedIn(tier int, wanted []records.Wanted, words ...string) {
	d.t.Helper()
	d.session(tier)
	d.wantRefused(wanted, words...)
	d.settle()
}
