package cycle

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

func TestWhatTheEndOfASilenceTells(t *testing.T) {
	began := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	first, last := began.Add(30*time.Minute), began.Add(90*time.Minute)
	shop := store.Silence{Service: "shop", Reason: "a new disk", CreatedAt: began, Until: began.Add(2 * time.Hour)}
	pause := store.Silence{CreatedAt: began, Until: began.Add(2 * time.Hour), EndedAt: &last}
	unwell := store.Found{Service: "shop", Checked: 4, Down: 2, Degraded: 1, FirstUnwell: &first, LastUnwell: &last}
	well := store.Found{Service: "mail", Checked: 4}
	once := store.Found{Service: "blog", Checked: 4, Degraded: 1, FirstUnwell: &first, LastUnwell: &first}
	const from = "shop was silenced from 2026-03-01 12:00 to 14:00 UTC (a new disk)"
	const it = "It was silenced from 2026-03-01 12:00 to 14:00 UTC (a new disk).\n\n"
	const paused = "Everything was paused from 2026-03-01 12:00 to 13:30 UTC"
	const all, events = "\n\nEverything: `claudeops events --service shop`", "\n\nEverything: `claudeops events`"
	now := func(service string, status check.Status, found string) map[string]look {
		return map[string]look{service: {status: status, found: found}}
	}
	down := now("shop", check.Down, "http: HTTP 502")
	healthy := now("shop", check.Healthy, "")
	interrupted := map[string]look{"shop": {status: check.Down, found: "http: HTTP 502", at: last}}
	several := map[string]look{"blog": {status: check.Healthy}, "shop": {status: check.Degraded}, "mail": {status: check.Down}}
	failed := []store.Act{
		{Action: statefile.Restart, Success: true}, {Action: statefile.Restart, Error: "no"}, {Action: statefile.Redeployment, Success: true},
	}
	for name, tt := range map[string]struct {
		m           meanwhile
		title, want string
		alarm       bool
	}{
		"nobody looked": {meanwhile{silence: shop}, "The silence of shop is over: nobody has looked since", from + ": nothing was checked meanwhile.", false},
		"healthy, and not looked at since": {
			meanwhile{silence: shop, found: []store.Found{{Service: "shop", Checked: 1}}}, "The silence of shop is over: nobody has looked since",
			from + ": checked once, always healthy; it was not checked since.", false,
		},
		"unwell by now": {
			meanwhile{silence: shop, found: []store.Found{{Service: "shop", Checked: 4}}, now: down}, "shop is down, and its silence is over",
			"shop: now it is down: http: HTTP 502.\n" + it + "- meanwhile checked 4 times, always healthy" + all, true,
		},
		"in a cycle that was interrupted": {
			meanwhile{silence: shop, found: []store.Found{once}, now: interrupted}, "shop is still down, and its silence is over",
			"shop: last checked at 2026-03-01 13:30 UTC, it was down: http: HTTP 502.\n" + it +
				"- meanwhile checked 4 times: degraded once, at 2026-03-01 12:30 UTC" + all, true,
		},
		"all of it": {
			meanwhile{silence: shop, found: []store.Found{unwell}, acts: failed, refused: 2, now: healthy}, "The silence of shop is over: it is healthy",
			"shop: now it is healthy.\n" + it + "- meanwhile checked 4 times: down twice, degraded once, from 2026-03-01 12:30 to 13:30 UTC\n" +
				"- 2 restarts recorded, of which 1 failed\n- 1 redeployment recorded\n- 2 remediations refused" + all, false,
		},
		"only refused": {
			meanwhile{silence: shop, refused: 1, now: healthy}, "The silence of shop is over: it is healthy",
			"shop: now it is healthy.\n" + it + "- meanwhile it was not checked\n- 1 remediation refused" + all, false,
		},
		"a pause of nothing": {
			meanwhile{silence: pause, found: []store.Found{well, well}}, "The pause is over: what was watched is healthy",
			paused + ": 2 services checked, always healthy.", false,
		},
		"a pause in which all was silenced": {
			meanwhile{silence: pause, still: 2}, "The pause is over",
			paused + ": nothing else was checked; 2 services are silenced still: what happened to them is told when that ends.", false,
		},
		"a pause, the worst first": {
			meanwhile{silence: pause, found: []store.Found{once, well, unwell}, still: 1, now: several}, "The pause is over: mail and shop are unwell",
			paused + ".\n\n- mail: now it is down; meanwhile always healthy\n" +
				"- shop: now it is degraded; meanwhile down twice, degraded once, from 2026-03-01 12:30 to 13:30 UTC\n" +
				"- blog: now it is healthy; meanwhile degraded once, at 2026-03-01 12:30 UTC\n" +
				"- 1 service is silenced still: what happened to it is told when that ends" + events, true,
		},
		"broken after a pause": {
			meanwhile{silence: pause, now: down}, "The pause is over: shop is down",
			paused + ".\n\n- shop: now it is down: http: HTTP 502; meanwhile it was not checked" + events, true,
		},
		"a pause with refusals alone": {
			meanwhile{silence: pause, found: []store.Found{well}, refused: 3}, "The pause is over: what was watched is healthy",
			paused + ".\n\n- 1 service checked, always healthy\n- 3 remediations refused" + events, false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			wantSame(t, tt.m.title(), tt.title)
			wantSame(t, tt.m.body().String(), tt.want)
			if got := tt.m.unwellNow(); got != tt.alarm {
				t.Errorf("unwell now: %t, want %t", got, tt.alarm)
			}
		})
	}
}

// After a pause of ten thousand services that are down the title counts them, and the body says how many it leaves out.
func TestTheEndOfALongPauseFits(t *testing.T) {
	m := meanwhile{silence: store.Silence{CreatedAt: earlier(time.Hour), Until: night}, refused: 1, now: map[string]look{}}
	for i := range 10_000 {
		m.now[fmt.Sprintf("%04d%s", i, strings.Repeat("x", 100))] = look{status: check.Down, found: strings.Repeat("error ", 40)}
	}
	wantSame(t, m.title(), "The pause is over: 10000 services are down")
	body := m.body().String()
	told := strings.Count(body, "now it is down")
	if told < 3 || utf8.RuneCountInString(body) > records.MaxBody {
		t.Errorf("%d services in %d characters", told, utf8.RuneCountInString(body))
	}
	if !strings.HasSuffix(body, fmt.Sprintf("\n- … and %d more\n- 1 remediation refused\n\nEverything: `claudeops events`", 10_000-told)) {
		t.Errorf("its end is missing:\n%s", body)
	}
}

// What a pause's end looks at: what is unwell now, whenever that began, but for what is silenced still.
func TestTheEndOfAPauseLooksAtAllThatIsUnwell(t *testing.T) {
	r := newRoom(t)
	_, _, err := r.Silence(t.Context(), "", time.Hour, "")
	must(t, err)
	r.again(night.Add(time.Hour))
	_, _, err = r.Silence(t.Context(), "mail", time.Hour, "")
	must(t, err)
	r.finds(map[string]string{"shop": "HTTP 502", "mail": "refused", "db": ""})
	must(t, r.tellSilencesEnded(t.Context()))
	r.wantTold(store.Message, "The pause is over: shop is down", `Everything was paused from 2026-11-21 03:00 to 04:00 UTC.

- shop: now it is down: http: HTTP 502; meanwhile it was not checked

Everything: `+"`claudeops events`")
	wantSame(t, r.told(store.Message)[0].Type, notify.Warning)
}

func TestAnIncidentInASilence(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	dead := store.Incident{Status: check.Down, Fingerprint: "f", DeadEnds: 2, RetryAt: &at, LastChain: chainAttention}
	if diff := cmp.Diff(dead, worked(dead)); diff != "" {
		t.Errorf("a dead end stays one, -want +got:\n%s", diff)
	}
	if got := worked(store.Incident{Fingerprint: "f", LastChain: chainSolved, HollowFixes: 1}); got.LastChain != chainNone || got.HollowFixes != 1 {
		t.Errorf("after a chain that ended as solved it is %+v", got)
	}
	after, stuck := seenUnhealthy(recoveredQuietly(dead), check.Down, "f", at)
	if stuck || after.DeadEnds != 0 || after.RetryAt != nil {
		t.Errorf("the same trouble after a recovery is %+v", after)
	}
}
