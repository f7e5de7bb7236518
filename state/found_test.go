package state_test

import (
	"slices"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/store"
)

// said is a round of the program's own checks, or a report, of web.
type said struct {
	source  store.Source
	results []check.Result
}

func of(typ check.Type, status check.Status) check.Result {
	r := check.Result{Service: "web", Type: typ, Status: status}
	if status != check.Healthy {
		r.Error = "why"
	}
	return r
}

func own(results ...check.Result) said      { return said{store.Probed, results} }
func reported(results ...check.Result) said { return said{store.Reported, results} }

// tell stores what is said of web, a minute apart, in a session of Tier 1 that begins before it, and returns the session.
func (d *fixture) tell(all ...said) (session int64) {
	d.T.Helper()
	session = d.Session(1)
	for _, one := range all {
		d.Time = d.Time.Add(time.Minute)
		if one.source == store.Probed {
			ok(d.T, d.Store.AddChecks(d.T.Context(), store.Probed, session, d.Time, one.results))
		} else {
			ok(d.T, d.Store.AddChecks(d.T.Context(), store.Reported, session, d.Time, one.results))
		}
	}
	return session
}

// RULE "Consecutive healthy": a later report replaces an earlier one, and the program's own checks overrule the model. RULE "Unknown is not
// down". RULE "Fixed is what a check says".
func TestWhatSaysHowAServiceIs(t *testing.T) {
	const healthy, degraded, down, unknown = check.Healthy, check.Degraded, check.Down, check.Unknown
	http := func(s check.Status) check.Result { return of(check.HTTP, s) }
	container := func(s check.Status) check.Result { return of(check.Container, s) }
	for name, tt := range map[string]struct {
		before, now []said // by Tier 1 of the cycle before, and of this one
		status      check.Status
		found       []check.Type // the types of the results that stand
		proven      bool
	}{
		"nothing":                          {nil, nil, "", nil, false},
		"the worst of a report":            {nil, []said{reported(http(healthy), container(down))}, down, []check.Type{check.Container, check.HTTP}, false},
		"a report replaces one before":     {nil, []said{reported(http(down), container(down)), reported(http(degraded))}, degraded, []check.Type{check.HTTP}, false},
		"ours replace a report of a type":  {nil, []said{own(http(healthy)), reported(http(down))}, healthy, []check.Type{check.HTTP}, true},
		"ours overrule a good report":      {nil, []said{own(http(down)), reported(http(healthy))}, down, []check.Type{check.HTTP}, false},
		"a report beside ours":             {nil, []said{own(container(healthy)), reported(http(down))}, down, []check.Type{check.Container, check.HTTP}, false},
		"and ours again":                   {nil, []said{own(container(healthy)), reported(http(down)), own(container(healthy))}, down, []check.Type{check.Container, check.HTTP}, false},
		"a report that cannot be made":     {nil, []said{reported(http(down)), reported(http(unknown))}, down, []check.Type{check.HTTP}, false},
		"and could not be the cycle after": {[]said{reported(http(down))}, []said{reported(http(unknown))}, unknown, []check.Type{check.HTTP}, false},
		"it says that it is well again":    {nil, []said{own(container(healthy)), reported(http(down)), reported(http(healthy))}, healthy, []check.Type{check.Container, check.HTTP}, true},
		"ours saw it, and its end":         {nil, []said{own(container(down)), reported(http(down)), own(container(healthy))}, healthy, []check.Type{check.Container}, true},
		"ours saw it end before":           {nil, []said{own(container(down)), own(container(healthy)), reported(http(down))}, down, []check.Type{check.Container, check.HTTP}, false},
		"a report of the cycle before":     {[]said{reported(http(down))}, []said{own(container(healthy))}, healthy, []check.Type{check.Container}, true},
		"ours of the cycle before":         {[]said{own(http(healthy))}, []said{reported(http(down))}, down, []check.Type{check.HTTP}, false},
		"a check that is no longer made":   {[]said{own(http(down), container(down))}, []said{own(http(healthy))}, healthy, []check.Type{check.HTTP}, true},
		"ours could not be made":           {nil, []said{own(http(unknown))}, unknown, []check.Type{check.HTTP}, false},
		"a report of what ours could not":  {nil, []said{own(http(unknown)), reported(http(down))}, down, []check.Type{check.HTTP, check.HTTP}, false},
		"one could not, the other is well": {nil, []said{own(http(unknown), container(healthy))}, healthy, []check.Type{check.Container, check.HTTP}, true},
		"there was no time for one":        {nil, []said{own(check.Result{Service: "web", Type: check.HTTP, Status: unknown, Error: check.NoTime}, container(healthy))}, unknown, []check.Type{check.Container, check.HTTP}, false},
		"nothing but the cycle before":     {[]said{own(http(down))}, nil, down, []check.Type{check.HTTP}, false},
	} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			before := d.tell(tt.before...)
			ok(t, d.Store.AddCycle(t.Context(), store.CycleRow{Trigger: "cron", Outcome: store.CycleCompleted, StartedAt: d.Time.Add(time.Minute)}))
			d.Time = d.Time.Add(time.Hour)
			session := d.tell(tt.now...)
			web := d.picture().Service("web")
			stored := slices.Concat(must(d.Store.SessionChecks(t.Context(), before)), must(d.Store.SessionChecks(t.Context(), session)))
			stands := slices.DeleteFunc(stored, func(k store.Check) bool { return !web.Stands(k) })
			same(t, len(stands), len(tt.found))
			var types []check.Type
			for _, c := range web.Checks {
				types = append(types, c.Type)
			}
			slices.Sort(types)
			same(t, web.Status(), tt.status)
			same(t, types, tt.found)
			same(t, web.Proven(), tt.proven)
		})
	}
}

// While an incident is open, what could not be checked since it was unwell neither ends it nor makes another one of it.
func TestACheckThatCouldNotBeMadeSinceItWasUnwell(t *testing.T) {
	http := func(s check.Status) check.Result { return of(check.HTTP, s) }
	container := func(s check.Status) check.Result { return of(check.Container, s) }
	for name, tt := range map[string]struct {
		then, now []check.Result
		status    check.Status
		same      bool // the fingerprint
		trouble   string
	}{
		"it alone":                   {[]check.Result{container(check.Down)}, []check.Result{container(check.Unknown)}, check.Unknown, true, "container: why"},
		"the other is well":          {[]check.Result{container(check.Down), http(check.Healthy)}, []check.Result{container(check.Unknown), http(check.Healthy)}, check.Unknown, true, "container: why"},
		"the other was unwell":       {[]check.Result{container(check.Healthy), http(check.Down)}, []check.Result{container(check.Unknown), http(check.Healthy)}, check.Healthy, false, ""},
		"the other is as it was":     {[]check.Result{container(check.Down), http(check.Down)}, []check.Result{container(check.Unknown), http(check.Down)}, check.Down, true, "http: why"},
		"the other has become worse": {[]check.Result{container(check.Down), http(check.Degraded)}, []check.Result{container(check.Unknown), http(check.Down)}, check.Down, false, "http: why"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			d.tell(own(tt.then...))
			before := d.picture().Service("web").Fingerprint()
			d.opens("web", 1)
			d.tell(own(tt.now...))
			web := d.picture().Service("web")
			same(t, web.Status(), tt.status)
			same(t, web.Fingerprint() == before, tt.same)
			same(t, web.Trouble(), tt.trouble)
		})
	}
}

// RULE "Alerts": one that fires is unwell even where the checks are healthy, or less so, and is a part of what is found.
func TestWhatAnAlertAddsToTheChecks(t *testing.T) {
	for name, tt := range map[string]struct {
		found, alert check.Status
		trouble      string
	}{
		"beside a healthy check":  {check.Healthy, check.Degraded, "alert: slow"},
		"worse than a check":      {check.Degraded, check.Down, "alert: slow"},
		"not as bad as a check":   {check.Down, check.Degraded, "http: why"},
		"just as bad as a check":  {check.Down, check.Down, "http: why"},
		"beside one that was not": {check.Unknown, check.Degraded, "alert: slow"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			d.tell(own(of(check.HTTP, tt.found)))
			d.alerts("web", tt.alert, "slow")
			web := d.picture().Service("web")
			same(t, web.Trouble(), tt.trouble)
			said := check.Result{Service: "web", Type: check.Alert, Status: tt.alert, Error: "slow"}
			same(t, web.Fingerprint(), check.Fingerprint([]check.Result{of(check.HTTP, tt.found), said}))
		})
	}
}

// What an alert says is proved to be over by checks that have seen its trouble, and by no others.
func TestWhatProvesTheEndOfAnAlert(t *testing.T) {
	for want, first := range map[bool]check.Status{true: check.Down, false: check.Healthy} {
		d := newFixture(t)
		d.tell(own(of(check.HTTP, first)), own(of(check.HTTP, check.Healthy)))
		d.alerts("web", check.Down, "slow")
		same(t, d.picture().Service("web").Proven(), want)
	}
}

// A service was well after a time if all of the program's own checks have said so since, and not one of them alone, or a report.
func TestWellSince(t *testing.T) {
	down := own(of(check.HTTP, check.Down), of(check.Container, check.Healthy))
	well := []check.Result{of(check.HTTP, check.Healthy), of(check.Container, check.Healthy)}
	for name, tt := range map[string]struct {
		said []said
		want bool
	}{
		"all checks":            {[]said{down, own(well...), down}, true},
		"one of two":            {[]said{down, down}, false},
		"one could not be made": {[]said{down, own(of(check.HTTP, check.Unknown), well[1])}, false},
		"only a report":         {[]said{down, reported(well...)}, false},
		"only a report, ever":   {[]said{reported(well...)}, false},
	} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			d.tell(own(well...))
			at := d.Time
			d.tell(tt.said...)
			same(t, d.picture().Service("web").WellSince(at), tt.want)
		})
	}
}
