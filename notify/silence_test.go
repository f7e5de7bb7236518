package notify

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/claudeops/claudeops/check"
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
	now := func(service string, status check.Status, found string) map[string]Look {
		return map[string]Look{service: {Status: status, Found: found}}
	}
	down := now("shop", check.Down, "http: HTTP 502")
	healthy := now("shop", check.Healthy, "")
	interrupted := map[string]Look{"shop": {Status: check.Down, Found: "http: HTTP 502", At: last}}
	several := map[string]Look{"blog": {Status: check.Healthy}, "shop": {Status: check.Degraded}, "mail": {Status: check.Down}}
	failed := []store.Act{
		{Action: statefile.Restart, Success: true}, {Action: statefile.Restart, Error: "no"}, {Action: statefile.Redeployment, Success: true},
	}
	for name, tt := range map[string]struct {
		m           SilenceEnd
		title, want string
		alarm       bool
	}{
		"not checked": {SilenceEnd{Silence: shop}, "The silence of shop is over: it was not checked since", from + ": nothing was checked meanwhile.", false},
		"healthy, and not looked at since": {
			SilenceEnd{Silence: shop, Found: []store.Found{{Service: "shop", Checked: 1}}}, "The silence of shop is over: it was not checked since",
			from + ": checked once, always healthy; it was not checked since.", false,
		},
		"unwell by now": {
			SilenceEnd{Silence: shop, Found: []store.Found{{Service: "shop", Checked: 4}}, Now: down}, "shop is down, and its silence is over",
			"shop: now it is down: http: HTTP 502.\n" + it + "- meanwhile checked 4 times: always healthy" + all, true,
		},
		"in a cycle that was interrupted": {
			SilenceEnd{Silence: shop, Found: []store.Found{once}, Now: interrupted}, "shop is still down, and its silence is over",
			"shop: last checked at 2026-03-01 13:30 UTC, it was down: http: HTTP 502.\n" + it +
				"- meanwhile checked 4 times: degraded once, at 2026-03-01 12:30 UTC" + all, true,
		},
		"all of it": {
			SilenceEnd{Silence: shop, Found: []store.Found{unwell}, Acts: failed, Refused: 2, Now: healthy}, "The silence of shop is over: it is healthy",
			"shop: now it is healthy.\n" + it + "- meanwhile checked 4 times: down twice, degraded once, from 2026-03-01 12:30 to 13:30 UTC\n" +
				"- 2 restarts recorded, of which 1 failed\n- 1 redeployment recorded\n- 2 remediations refused" + all, false,
		},
		"only refused": {
			SilenceEnd{Silence: shop, Refused: 1, Now: healthy}, "The silence of shop is over: it is healthy",
			"shop: now it is healthy.\n" + it + "- meanwhile it was not checked\n- 1 remediation refused" + all, false,
		},
		"a pause of nothing": {
			SilenceEnd{Silence: pause, Found: []store.Found{well, well}}, "The pause is over: what was watched is healthy",
			paused + ": 2 services checked, always healthy.", false,
		},
		"a pause in which all was silenced": {
			SilenceEnd{Silence: pause, Still: 2}, "The pause is over",
			paused + ": nothing else was checked; 2 services still silenced, and reported when that ends.", false,
		},
		"a pause, the worst first": {
			SilenceEnd{Silence: pause, Found: []store.Found{once, well, unwell}, Still: 1, Now: several}, "The pause is over: mail and shop are unwell",
			paused + ".\n\n- mail: now it is down; meanwhile always healthy\n" +
				"- shop: now it is degraded; meanwhile down twice, degraded once, from 2026-03-01 12:30 to 13:30 UTC\n" +
				"- blog: now it is healthy; meanwhile degraded once, at 2026-03-01 12:30 UTC\n" +
				"- 1 service still silenced, and reported when that ends" + events, true,
		},
		"broken after a pause": {
			SilenceEnd{Silence: pause, Now: down}, "The pause is over: shop is down",
			paused + ".\n\n- shop: now it is down: http: HTTP 502; meanwhile it was not checked" + events, true,
		},
		"a pause with refusals alone": {
			SilenceEnd{Silence: pause, Found: []store.Found{well}, Refused: 3}, "The pause is over: what was watched is healthy",
			paused + ".\n\n- 1 service checked, always healthy\n- 3 remediations refused" + events, false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			n := tt.m.News()
			same(t, n.Title, tt.title)
			same(t, n.Body.Text(asIs), tt.want)
			if got := n.Type == Warning; got != tt.alarm {
				t.Errorf("unwell now: %t, want %t", got, tt.alarm)
			}
		})
	}
}

// After a pause in which ten thousand services went down, the title counts them, and the body says how many are left out.
func TestTheEndOfALongPauseFits(t *testing.T) {
	m := SilenceEnd{Silence: store.Silence{CreatedAt: earlier(time.Hour), Until: night}, Refused: 1, Now: map[string]Look{}}
	for i := range 10_000 {
		m.Now[fmt.Sprintf("%04d%s", i, strings.Repeat("x", 100))] = Look{Status: check.Down, Found: strings.Repeat("error ", 40)}
	}
	n := m.News()
	same(t, n.Title, "The pause is over: 10000 services are down")
	body := n.Body.Text(asIs)
	told := strings.Count(body, "now it is down")
	if told < 3 || utf8.RuneCountInString(body) > MaxBody {
		t.Errorf("%d services in %d characters", told, utf8.RuneCountInString(body))
	}
	if !strings.HasSuffix(body, fmt.Sprintf("\n- … and %d more\n- 1 remediation refused\n\nEverything: `claudeops events`", 10_000-told)) {
		t.Errorf("its end is missing:\n%s", body)
	}
}

func TestTheEndOfASilenceLeavesOutWhatPeopleAreToldOf(t *testing.T) {
	noon := noon
	end := func() SilenceEnd {
		return SilenceEnd{
			Found: []store.Found{{Service: "db", Checked: 1}, {Service: "shop", Checked: 1, Down: 1, FirstUnwell: &noon, LastUnwell: &noon}},
			Now:   map[string]Look{"shop": {Status: check.Down}, "mail": {Status: check.Down}},
		}
	}
	for _, test := range []struct {
		told    []string
		nothing bool
		title   string
	}{
		{nil, false, "The pause is over: mail and shop are down"},
		{[]string{"other"}, false, "The pause is over: mail and shop are down"},
		{[]string{"shop"}, false, "The pause is over: mail is down"},
		{[]string{"shop", "mail"}, true, "The pause is over: what was watched is healthy"},
	} {
		e := end()
		nothing := e.Without(test.told)
		same(t, nothing, test.nothing)
		same(t, e.News().Title, test.title)
	}
	healthy := SilenceEnd{Silence: store.Silence{Service: "shop"}, Now: map[string]Look{"shop": {Status: check.Healthy}}}
	same(t, healthy.Without([]string{"shop"}), true) // people already know that it recovered
	same(t, (&SilenceEnd{}).Without([]string{"shop"}), false)
}
