package cycle

import (
	"log/slog"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/claudeops/claudeops/broker"
	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/internal/mask"
	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// night is the time at which the tests' cycles run.
var night = time.Date(2026, 11, 21, 3, 0, 0, 0, time.UTC)

func earlier(d time.Duration) time.Time { return night.Add(-d) }

// room is a cycle in progress, on a real file and a real database, with a clock that the test moves.
type room struct {
	*Cycle
	t   *testing.T
	now time.Time
}

func newRoom(t *testing.T) *room {
	t.Helper()
	r := &room{t: t, now: night}
	conf := config.Config{StateDir: t.TempDir(), MaxRemediationsPerDay: 12, AppriseURLs: []string{"json://127.0.0.1:9"}, MaxTier: 3}
	opened, err := ledger.Open(t.Context(), conf, mask.New([]string{"hunter22"}), func() time.Time { return r.now }, store.ReadWrite)
	must(t, err)
	t.Cleanup(func() { must(t, opened.Close()) })
	adopted, err := opened.Adopt(t.Context(), false)
	must(t, err)
	r.Cycle = &Cycle{Records: *opened, Log: slog.New(slog.DiscardHandler), findings: findings{before: adopted, summary: Summary{StartedAt: night}}}
	return r
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantSame(t *testing.T, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// again returns the next cycle at that time, on the records of the last one.
func (r *room) again(at time.Time) {
	r.t.Helper()
	r.now = at
	adopted, err := r.Adopt(r.t.Context(), false)
	must(r.t, err)
	r.before, r.summary.StartedAt = adopted, at
}

// digestAt returns last_daily_digest.
func (r *room) digestAt() *time.Time {
	r.t.Helper()
	st, err := r.State(r.t.Context())
	must(r.t, err)
	return st.LastDailyDigest
}

// finds sets the cycle's findings: "" for healthy, anything else is the error of a service that is down.
func (r *room) finds(services map[string]string) {
	r.t.Helper()
	var results []check.Result
	for name, fault := range services {
		res := check.Result{Service: name, Type: check.HTTP, Status: check.Healthy, Error: fault}
		if fault != "" {
			res.Status = check.Down
		}
		results = append(results, res)
	}
	must(r.t, r.Store.AddChecks(r.t.Context(), store.Reported, 0, r.now, results))
}

// opens opens an incident of a service that is down.
func (r *room) opens(service string, at time.Time) store.Incident {
	r.t.Helper()
	i := store.Incident{Service: service, Status: check.Down, OpenedAt: at, LastSeenAt: at, UnwellCycles: 1}
	var err error
	i.ID, err = r.Store.OpenIncident(r.t.Context(), i)
	must(r.t, err)
	return i
}

// ran returns a session that has ended.
func (r *room) ran(tier int, at time.Time, status store.Status, usd float64, fault string) store.Session {
	r.t.Helper()
	id, err := r.Store.AddSession(r.t.Context(), store.Session{Tier: tier, Trigger: "cron", Status: store.Running, StartedAt: at})
	must(r.t, err)
	must(r.t, r.Store.EndSession(r.t.Context(), id, store.Session{Status: status, EndedAt: new(at.Add(4 * time.Minute)), CostUSD: usd, Error: fault}))
	s, err := r.Store.Session(r.t.Context(), id)
	must(r.t, err)
	return s
}

// told returns the sent and pending notifications of a kind, oldest first.
func (r *room) told(kind store.Kind) (list []store.Notification) {
	r.t.Helper()
	all, err := r.Store.Notifications(r.t.Context(), store.NotificationFilter{})
	must(r.t, err)
	for i := range all {
		if n := all[len(all)-1-i]; n.Kind == kind {
			list = append(list, n)
		}
	}
	return list
}

// wantTold fails unless exactly one notification of a kind was queued, with this title and body.
func (r *room) wantTold(kind store.Kind, title, body string) {
	r.t.Helper()
	told := r.told(kind)
	if len(told) != 1 {
		r.t.Fatalf("%d messages of kind %s, want one", len(told), kind)
	}
	wantSame(r.t, told[0].Title, title)
	wantSame(r.t, told[0].Body, body)
}

// service returns a service as it is now.
func (r *room) service(name string) *state.Service {
	r.t.Helper()
	now, err := r.picture(r.t.Context())
	must(r.t, err)
	return now.Service(name)
}

// about returns what a message about an incident of a service says.
func (r *room) about(i store.Incident) notify.About {
	is := *r.service(i.Service)
	is.Incident = &i
	return is.About(r.Redactor.String)
}

// reserve reserves an act on shop for a tool use of the session, as the broker would.
func (r *room) reserve(toolUse string, action statefile.Action) error {
	r.t.Helper()
	ctx, wanted := r.t.Context(), guard.Order{Service: "shop", Action: guard.Restart}
	if action == statefile.Redeployment {
		wanted.Action = guard.Redeploy
	}
	session := store.Session{ID: r.Config.Agent.SessionID, Tier: r.Config.Agent.Tier}
	w := &broker.Workplace{Setup: broker.Setup{Records: r.Records, Session: session}}
	return w.Reserve(ctx, toolUse, "", wanted)
}

// plans carries out a part of a round about a session that has ended.
func (r *room) plans(done *tierRun, part func(*planner)) error {
	r.t.Helper()
	_, err := r.round(r.t.Context(), done.session.ID, func(now *state.State) (Decision, error) {
		known, err := r.roundOf(r.t.Context(), now, Ended, done)
		p := planner{Round: known, found: known.found()}
		part(&p)
		return p.Decision, err
	})
	return err
}

// ends carries out the round about a session that has ended.
func (r *room) ends(done *tierRun) error {
	_, err := r.plan(r.t.Context(), Ended, done, nil)
	return err
}

// plansFound carries out a round about what the cycle found.
func (r *room) plansFound(done *tierRun) error {
	r.t.Helper()
	_, err := r.plan(r.t.Context(), Observed, done, nil)
	return err
}

// cannotCheck carries out a round about checks that could not be made.
func (r *room) cannotCheck(checks []store.Check) {
	r.t.Helper()
	must(r.t, r.plans(&tierRun{checks: checks}, (*planner).planUncheckable))
}
