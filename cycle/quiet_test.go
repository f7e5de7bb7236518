package cycle

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

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
	const from = "shop was silenced from 2026-03-01T12:00:00Z to 2026-03-01T14:00:00Z (a new disk)"
	const paused = "Everything was paused from 2026-03-01T12:00:00Z to 2026-03-01T13:30:00Z"
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
		m     meanwhile
		want  string
		alarm bool
	}{
		"nobody looked": {meanwhile{silence: shop}, from + ": nothing was checked meanwhile.", false},
		"healthy, and not looked at since": {
			meanwhile{silence: shop, found: []store.Found{{Service: "shop", Checked: 1}}},
			from + ": checked once, always healthy; it was not checked since.", false,
		},
		"unwell by now": {
			meanwhile{silence: shop, found: []store.Found{{Service: "shop", Checked: 4}}, now: down},
			from + ". Meanwhile:\n\n- checked 4 times, always healthy\n- now it is down: http: HTTP 502" + all, true,
		},
		"in a cycle that was interrupted": {
			meanwhile{silence: shop, found: []store.Found{once}, now: interrupted},
			from + ". Meanwhile:\n\n- checked 4 times: degraded once, at 2026-03-01T12:30:00Z\n" +
				"- last checked at 2026-03-01T13:30:00Z, it was down: http: HTTP 502" + all, true,
		},
		"all of it": {
			meanwhile{silence: shop, found: []store.Found{unwell}, acts: failed, refused: 2, now: healthy},
			from + ". Meanwhile:\n\n- checked 4 times: down twice, degraded once, first at 2026-03-01T12:30:00Z, last at 2026-03-01T13:30:00Z\n" +
				"- 2 restarts recorded, of which 1 failed\n- 1 redeployment recorded\n- 2 remediations refused\n- now it is healthy" + all, false,
		},
		"only refused": {
			meanwhile{silence: shop, refused: 1, now: healthy},
			from + ". Meanwhile:\n\n- it was not checked\n- 1 remediation refused\n- now it is healthy" + all, false,
		},
		"a pause of nothing": {
			meanwhile{silence: pause, found: []store.Found{well, well}}, paused + ": 2 services checked, always healthy.", false,
		},
		"a pause, the worst first": {
			meanwhile{silence: pause, found: []store.Found{once, well, unwell}, now: several},
			paused + ". Meanwhile:\n\n- shop: down twice, degraded once, first at 2026-03-01T12:30:00Z, last at 2026-03-01T13:30:00Z; now it is degraded\n" +
				"- blog: degraded once, at 2026-03-01T12:30:00Z; now it is healthy" + events, true,
		},
		"a pause with refusals alone": {
			meanwhile{silence: pause, found: []store.Found{well}, refused: 3},
			paused + ". Meanwhile:\n\n- 1 service checked, always healthy\n- 3 remediations refused" + events, false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, tt.m.body()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if got := tt.m.unwellNow(); got != tt.alarm {
				t.Errorf("unwell now: %t, want %t", got, tt.alarm)
			}
		})
	}
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
