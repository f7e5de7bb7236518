package ledger_test

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/claudeops/claudeops/alerts"
	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/internal/statedir"
	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/testkit/recording"
)

func (d *fixture) sends(all ...alerts.Alert) ledger.Kept {
	d.T.Helper()
	kept, err := d.KeepAlerts(d.T.Context(), all)
	ok(d.T, err)
	return kept
}

func (d *fixture) firing() (all []store.AlertRow) {
	d.T.Helper()
	all, err := d.Store.FiringAlerts(d.T.Context())
	ok(d.T, err)
	return all
}

// mostAlerts is how many fire at once.
const mostAlerts = 5_000

func alertOf(names ...string) alerts.Alert {
	return alerts.Alert{Source: "s", Fingerprint: "f", Status: alerts.Firing, Names: names, Means: check.Down, Title: "slow"}
}

func wantKept(t *testing.T, got, want ledger.Kept) {
	t.Helper()
	if want.Unknown == nil {
		want.Unknown = []string{}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func (d *fixture) wantWake(want string) {
	d.T.Helper()
	if got, err := statedir.TakeWake(d.Config.StateDir); got != want || err != nil {
		d.T.Errorf("woken by %q, %v; want %q", got, err, want)
	}
}

// A sender whose body is refused is seldom read by anybody: the event says why, and how the body begins.
func TestRefusedAlertsLeaveAnEvent(t *testing.T) {
	d := newFixture(t)
	refuse := func(body string, fault error) {
		t.Helper()
		if _, err := d.TakeAlerts(t.Context(), []byte(body), fault); err == nil {
			t.Errorf("%s was taken", body)
		}
		ok(t, d.Store.AddEvent(t.Context(), store.Event{Level: store.Warning, Message: "something else"}))
		d.Time = d.Time.Add(40 * time.Second)
	}
	refuse(`{"service":"shop","status":"burning","key":"hunter22"}`, nil)
	refuse("hello", nil) // within a minute
	refuse("", errors.New("its Content-Encoding is br"))
	if _, err := d.TakeAlerts(t.Context(), []byte(`{"service":"shop","status":"firing"}`), nil); err != nil {
		t.Error(err)
	}
	all := must(d.Store.Events(t.Context(), store.EventFilter{Level: store.Warning, Begins: "alerts were sent and refused"}))
	if len(all) != 2 || !strings.Contains(all[0].Message, "its Content-Encoding is br") ||
		!strings.Contains(all[1].Message, `"burning"; must be firing or resolved; they begin with`) || strings.Contains(all[1].Message, "hunter22") {
		t.Errorf("events %+v", all)
	}
}

func TestAlertsAreKeptOnce(t *testing.T) {
	d := newFixture(t)
	d.Knows(recording.Fleet)
	wantKept(t, d.sends(alertOf("nobody", "db-1", "mail")), ledger.Kept{Firing: 1})
	d.wantWake("alert")
	first := d.firing()
	if len(first) != 1 || first[0].Service != "db" || !first[0].StartsAt.Equal(d.Time) {
		t.Fatalf("kept %+v", first)
	}
	d.Time = d.Time.Add(time.Hour)
	wantKept(t, d.sends(alertOf("nobody", "db-1", "mail")), ledger.Kept{Repeated: 1})
	d.wantWake("")
	again := d.firing()
	first[0].ReceivedAt = d.Time
	if diff := cmp.Diff(first, again); diff != "" {
		t.Errorf("a repetition changed it, -want +got:\n%s", diff)
	}
	end := alertOf("nobody", "db-1")
	end.Status, end.EndsAt = alerts.Resolved, time.Date(2099, 1, 1, 0, 0, 0, 0, time.UTC)
	wantKept(t, d.sends(end), ledger.Kept{Resolved: 1})
	d.wantWake("alert")
	wantKept(t, d.sends(end), ledger.Kept{Ignored: 1})
	d.wantWake("")
	if left := d.firing(); len(left) > 0 {
		t.Errorf("still fires: %+v", left)
	}
}

// Two senders of one kind may number their alerts alike: each service has its own.
func TestAlertsOfTwoServicesWithOneFingerprint(t *testing.T) {
	d := newFixture(t)
	d.Knows(recording.Fleet)
	wantKept(t, d.sends(alertOf("db"), alertOf("mail"), alertOf("mail f")), ledger.Kept{Firing: 3, Unknown: []string{"mail f"}})
	end := alertOf("mail")
	end.Status = alerts.Resolved
	wantKept(t, d.sends(end), ledger.Kept{Resolved: 1})
	if all := d.firing(); len(all) != 2 || all[0].Service != "db" || all[1].Service != "mail f" {
		t.Errorf("after the end of mail's: %+v", all)
	}
}

// Once the services file knows an alert's name as an alias, its end still ends what was kept under that name.
func TestAnAlertEndsUnderTheNameItWasKeptUnder(t *testing.T) {
	d := newFixture(t)
	a, end := alertOf("db-1"), alertOf("db")
	a.Fingerprint, end.Fingerprint, end.Status = "", "", alerts.Resolved
	for _, b := range []alerts.Alert{a, alertOf("db-1")} {
		d.sends(b)
	}
	d.Knows(recording.Fleet)
	d.sends(alertOf("db-1"))
	ok(t, d.MergeNames(t.Context())) // as the next cycle does
	d.sends(end)
	end.Fingerprint = "f"
	d.sends(end)
	if all := d.firing(); len(all) != 0 {
		t.Errorf("still fires: %+v", all)
	}
}

// People are told what was lost, even if no cycle can be asked for.
func TestLostAlertsAreToldOfAlthoughNobodyWakes(t *testing.T) {
	d := newFixture(t)
	var all []alerts.Alert
	for n := range mostAlerts + 1 {
		all = append(all, alertOf("f"+strconv.Itoa(n)))
	}
	ok(t, os.MkdirAll(filepath.Join(d.Config.StateDir, "wake", "full"), 0o700)) // nothing takes its place
	_, err := d.KeepAlerts(t.Context(), all)
	if !errors.Is(err, ledger.ErrAlertsLost) || !strings.Contains(err.Error(), "ask for a cycle") {
		t.Errorf("%v; want that an alert was lost, and that no cycle was asked for", err)
	}
	sent, err := d.Store.Notifications(t.Context(), store.NotificationFilter{})
	ok(t, err)
	if len(sent) != 1 || sent[0].Cause != "alerts_lost" {
		t.Errorf("told %+v, want that alerts are lost", sent)
	}
}

// However many alerts are sent, so many fire at once, and who loses an alert is told. When they have ended by age,
// there is room again.
// A sender may choose any name: those that nobody knows leave room for what others say.
func TestAlertsOfUnknownNamesLeaveRoom(t *testing.T) {
	d := newFixture(t)
	d.Knows(recording.Fleet)
	var storm []alerts.Alert
	for n := range 1001 {
		storm = append(storm, alertOf("unknown-"+strconv.Itoa(n)))
	}
	if _, err := d.KeepAlerts(t.Context(), storm); !errors.Is(err, ledger.ErrAlertsLost) || !strings.Contains(err.Error(), "about unknown-1000;") {
		t.Errorf("%v; want that the last one is lost", err)
	}
	wantKept(t, d.sends(alertOf("db")), ledger.Kept{Firing: 1})
}

func TestSoManyAlertsFireAtMost(t *testing.T) {
	d := newFixture(t)
	d.Knows(recording.Fleet)
	about := func(service string, n int) alerts.Alert {
		a := alertOf(service)
		a.Fingerprint = strconv.Itoa(n)
		return a
	}
	storm := make([]alerts.Alert, mostAlerts)
	for n := range storm {
		storm[n] = about("db", n)
	}
	wantKept(t, d.sends(storm...), ledger.Kept{Firing: mostAlerts})
	for range 2 {
		kept, err := d.KeepAlerts(t.Context(), []alerts.Alert{about("db", mostAlerts), about("mail", 1), about("db", 1)})
		if !errors.Is(err, ledger.ErrAlertsLost) || !strings.Contains(err.Error(), "about db and mail") {
			t.Errorf("%v; want that another one about db and mail's were lost", err)
		}
		wantKept(t, kept, ledger.Kept{Repeated: 1})
	}
	d.WantTold(store.AgentFailing, "Alerts are lost: too many fire",
		`Alerts that other programs sent were not kept: 2 firing alerts, about db and mail; at most 5000 fire at once, 1000 of them about unknown names.`)

	d.Time = d.Time.Add(ledger.AlertLasts + time.Second)
	if _, err := d.Store.ExpireAlerts(t.Context(), d.Time.Add(-ledger.AlertLasts), d.Time); err != nil {
		t.Fatal(err)
	}
	wantKept(t, d.sends(about("db", mostAlerts), about("mail", 2)), ledger.Kept{Firing: 2})
}

// While an alert fires, the worst that was said of it counts.
func TestARepetitionDoesNotLowerTheSeverity(t *testing.T) {
	d := newFixture(t)
	for _, means := range []check.Status{check.Degraded, check.Down, check.Degraded} {
		a := alertOf("shop")
		a.Means = means
		d.sends(a)
	}
	if all := d.firing(); len(all) != 1 || all[0].Means != check.Down {
		t.Errorf("firing: %+v, want one that means down", all)
	}
}

// A time of the future, or one that is not known, counts as now.
func TestTheTimesOfAlerts(t *testing.T) {
	d := newFixture(t)
	for at, want := range map[time.Time]time.Time{
		{}: noon, noon.Add(-time.Hour): noon.Add(-time.Hour), time.Date(2099, 1, 1, 0, 0, 0, 0, time.UTC): noon,
	} {
		a := alertOf("shop")
		a.StartsAt, a.Fingerprint = at, at.String()
		d.sends(a)
		all := d.firing()
		if got := all[len(all)-1].StartsAt; !got.Equal(want) {
			t.Errorf("%v became %v, want %v", at, got, want)
		}
	}
}

func TestAlertsAboutWhatNobodyKnows(t *testing.T) {
	d := newFixture(t)
	a, b := alertOf("queue", "host"), alertOf("cache")
	a.Fingerprint, b.Fingerprint = "", "" // then the service tells them apart
	wantKept(t, d.sends(a, b), ledger.Kept{Firing: 2, Unknown: []string{"queue", "cache"}})
	wantKept(t, d.sends(a), ledger.Kept{Repeated: 1, Unknown: []string{"queue"}})
	if all := d.firing(); len(all) != 2 || all[0].Service != "queue" || all[0].Fingerprint != "queue" {
		t.Errorf("kept %+v", all)
	}
}

func TestAlertsEndByAge(t *testing.T) {
	d := newFixture(t)
	d.sends(alertOf("shop"))
	for _, passed := range []time.Duration{ledger.AlertLasts, time.Millisecond} {
		d.Time = d.Time.Add(passed)
		ended, err := d.Store.ExpireAlerts(t.Context(), d.Time.Add(-ledger.AlertLasts), d.Time)
		ok(t, err)
		if want := passed == time.Millisecond; (len(ended) == 1) != want {
			t.Errorf("after %v more: ended %+v", passed, ended)
		}
	}
}

func TestKeptInALine(t *testing.T) {
	k := ledger.Kept{Firing: 1, Resolved: 2, Unknown: []string{"queue"}}
	if got := k.String(); !strings.HasPrefix(got, "1 firing, 0 repeated, 2 resolved, 0 ignored; ") || !strings.HasSuffix(got, "queue") {
		t.Error(got)
	}
}
