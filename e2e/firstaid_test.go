package e2e

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/testkit/denied"
	"github.com/claudeops/claudeops/testkit/servers"
)

// aided is an operator with the probes as Tier 1, whose services have first aid: it runs a program.
func aided(t *testing.T, program string, names []string, more string) *world {
	t.Helper()
	w := newWorld(t)
	w.env["CLAUDEOPS_TIER1_AGENT"] = "probe"
	lines := map[string]string{}
	for _, name := range names {
		lines[name] = fmt.Sprintf("restart: {run: [%s, %q]}\n    first_aid: {settle: 20ms}%s", program, w.path("agent", "broken-"+name), more)
	}
	w.inventory(names, lines)
	return w
}

func (w *world) wantBroken(name string, want bool) {
	w.t.Helper()
	_, err := os.Stat(w.path("agent", "broken-"+name))
	if is := err == nil; is != want {
		w.t.Errorf("%s is broken: %v, want %v\n%s", name, is, want, strings.Join(w.events(store.Info), "\n"))
	}
}

// What mends a service is done without a model, counted, proved by its checks, and told.
func TestFirstAid(t *testing.T) {
	for name, key := range map[string]string{"with a model": "sk-ant-test", "without one": ""} {
		t.Run(name, func(t *testing.T) {
			w := aided(t, "/bin/rm", []string{"shop"}, "")
			w.env["ANTHROPIC_API_KEY"] = key
			w.agent(2, "exit 1")
			w.breaks("shop")
			w.cycle(0)
			w.wantBroken("shop", false)
			w.wantStatuses("1 escalated", "2 completed")
			all := w.sessions()
			first, aid := all[0], all[1]
			if first.ID > aid.ID {
				first, aid = aid, first
			}
			if aid.Agent != "first-aid" || aid.Model != "" || aid.CostUSD != 0 || aid.ParentID == nil || *aid.ParentID != first.ID || aid.Trigger != "escalation" {
				t.Errorf("the session is %+v", aid)
			}
			if n := len(w.cooldowns().Service("shop").Records(statefile.Restart)); n != 1 {
				t.Errorf("%d restarts are counted", n)
			}
			w.wantNotified("remediated", "shop")
			if told := w.notified("remediated")[0]; told.Title != "shop remediated by first aid" || strings.Contains(told.Body, "found: ") {
				t.Errorf("people are told %q: %q", told.Title, told.Body)
			}
			w.wantNotified("human_attention")
			w.database(func(ctx context.Context, s *store.Store) {
				tried, err := s.IncidentAttempts(ctx, w.incidents()[0].ID)
				must(t, err)
				if len(tried) != 1 || !strings.HasSuffix(tried[0].Attempted, "; the checks after it find it healthy") {
					t.Errorf("the incident keeps %+v", tried)
				}
			})
			w.wantEvent(store.Info, "shop remediated by first aid: its checks are healthy again")
		})
	}
}

// Where it does not help, the model of Tier 2 follows and knows what was tried; without one a human is asked.
func TestFirstAidThatDoesNotHelp(t *testing.T) {
	t.Run("with a model", func(t *testing.T) {
		w := aided(t, "/bin/ls", []string{"shop"}, "")
		w.env["ANTHROPIC_API_KEY"] = "sk-ant-test"
		w.agent(2, mendShop, claim("shop", "restarts", "success: true"), finish)
		w.breaks("shop")
		w.cycle(0)
		w.wantBroken("shop", false)
		w.wantStatuses("1 escalated", "2 completed", "2 completed")
		var parents []int64
		for _, s := range w.sessions() {
			if s.ParentID != nil {
				parents = append(parents, *s.ParentID)
			}
		}
		if len(parents) != 2 || parents[0] != parents[1] {
			t.Errorf("the parents are %v, want Tier 1's session twice", parents)
		}
		if given := strings.Join(w.given(2).Args, "\n"); !strings.Contains(given, "first aid: `/bin/ls ") || !strings.Contains(given, "do not find it healthy") {
			t.Errorf("the model is not told of it:\n%s", given)
		}
		if limits := string(w.escalationContext(2).CooldownState); !strings.Contains(limits, `"used":1`) {
			t.Errorf("of its limits the model is told %s", limits)
		}
	})
	t.Run("without one", func(t *testing.T) {
		w := aided(t, "/bin/ls", []string{"shop"}, "")
		w.breaks("shop")
		w.cycle(0)
		w.wantStatuses("1 escalated", "2 completed")
		w.wantNotified("remediated")
		w.wantNotified("human_attention", "shop")
		w.wantEvent(store.Warning, "first aid for shop did not help: `/bin/ls ")
		says(t, w.notified("human_attention")[0].Body, "tried: `/bin/ls ", " by first aid: succeeded")
	})
}

// When first aid is not given, nothing is run, and the reason is on record.
func TestWhenFirstAidIsNotGiven(t *testing.T) {
	outside := func() string { // hours that are over
		now := time.Now().UTC()
		return fmt.Sprintf("\n    remediate: {hours: \"%s-%s UTC\"}", now.Add(-3*time.Hour).Format("15:04"), now.Add(-2*time.Hour).Format("15:04"))
	}
	for name, c := range map[string]struct {
		more, why string
		set       map[string]string
		broken    []string
		before    func(w *world)
	}{
		"dry run":      {why: "CLAUDEOPS_DRY_RUN is set", set: map[string]string{"CLAUDEOPS_DRY_RUN": "true"}},
		"highest tier": {why: "CLAUDEOPS_MAX_TIER is 1", set: map[string]string{"CLAUDEOPS_MAX_TIER": "1"}},
		"hours":        {why: "it may be remediated at ", more: outside()},
		"many down": {
			why: "3 services are down at once, which has one cause: CLAUDEOPS_MAX_SERVICES_PER_HOUR is 2", broken: []string{"shop", "wiki", "mail"},
			set: map[string]string{"CLAUDEOPS_MAX_SERVICES_PER_HOUR": "2"},
		},
		"limit": {why: "its limit is reached: restart: 2 of 2 used", before: func(w *world) {
			for range 2 {
				w.exits(0, "cooldown", "record", "shop", "restart", "success")
			}
		}},
		"many mended": {
			why: "CLAUDEOPS_MAX_SERVICES_PER_HOUR is 1, and other services had their turn within this hour: wiki", set: map[string]string{"CLAUDEOPS_MAX_SERVICES_PER_HOUR": "1"},
			before: func(w *world) { w.exits(0, "cooldown", "record", "wiki", "restart", "success") },
		},
		"silence":    {before: func(w *world) { w.exits(0, "silence", "shop", "--for", "1h") }},
		"fail_after": {more: "\n    fail_after: 2"},
	} {
		t.Run(name, func(t *testing.T) {
			w := aided(t, "/bin/rm", []string{"shop", "wiki", "mail"}, c.more)
			for key, value := range c.set {
				w.env[key] = value
			}
			w.cycle(0)
			if c.before != nil {
				c.before(w)
			}
			broken := c.broken
			if broken == nil {
				broken = []string{"shop"}
			}
			w.breaks(broken...)
			w.cycle(0)
			w.wantBroken("shop", true)
			for _, s := range w.sessions() {
				if s.Agent == "first-aid" {
					t.Errorf("session %d is first aid", s.ID)
				}
			}
			if c.why == "" {
				return
			}
			w.wantEvent(store.Info, "no first aid for shop: "+c.why)
			asked := w.notified("human_attention")
			if name == "dry run" {
				return // it is configured, so nobody is asked
			}
			if len(asked) == 0 || !strings.Contains(asked[0].Body, "no first aid for ") {
				t.Errorf("a human is told %+v", asked)
			}
		})
	}
}

// givenFirstAid returns how many sessions of first aid there were.
func (w *world) givenFirstAid() (count int) {
	for _, s := range w.sessions() {
		if s.Agent == store.FirstAid {
			count++
		}
	}
	return count
}

// What is flapping is for people.
func TestFirstAidIsNotForWhatIsFlapping(t *testing.T) {
	w := aided(t, "/bin/rm", []string{"shop"}, "")
	w.env["CLAUDEOPS_MAX_TIER"] = "1"
	for range store.FlappingReturns {
		w.breaks("shop")
		w.cycle(0)
		must(t, os.Remove(w.path("agent", "broken-shop")))
		w.cycle(0)
		w.cycle(0)
	}
	w.env["CLAUDEOPS_MAX_TIER"] = "3"
	w.breaks("shop")
	w.cycle(0)
	w.wantBroken("shop", true)
	w.wantEvent(store.Info, "Tier 2 not started for shop: it is flapping")
	equal(t, "first aid", w.givenFirstAid(), 0)
}

// A cycle about some services mends them alone.
func TestFirstAidOfTheServicesAskedAbout(t *testing.T) {
	w := aided(t, "/bin/rm", []string{"shop", "wiki"}, "")
	w.breaks("shop", "wiki")
	w.cycle(0, "--service", "wiki")
	w.wantBroken("wiki", false)
	w.wantBroken("shop", true)
}

// What is the check's own fault, or the path's, or asks for time is no reason to act.
func TestFirstAidIsForFaultsOfTheServiceAlone(t *testing.T) {
	w := newWorld(t)
	w.env["CLAUDEOPS_TIER1_AGENT"] = "probe"
	w.env["WRONG"] = "wrong-word"
	postgres, redis := servers.Postgres(t), servers.Redis(t, "", "maxclients 1")
	full, err := net.Dial("tcp", redis.Addr)
	must(t, err)
	defer full.Close()
	_, err = fmt.Fprintf(full, "PING\r\n")
	must(t, err)
	_, err = full.Read(make([]byte, 7))
	must(t, err)
	web := servers.Nginx(t, time.Hour, "location / { return 401; }").URL
	text := "services:\n"
	for name, check := range map[string]string{
		"plugin":     "type: service, plugin: [/bin/sh, -c, exit 3]",
		"password":   fmt.Sprintf("type: database, url: %q, password_env: WRONG", withoutPassword(postgres.URL())),
		"statement":  fmt.Sprintf("type: database, url: %q, query: SELECT 1 FROM none", postgres.URL()),
		"credential": fmt.Sprintf("type: http, url: %q, headers: {Authorization: Bearer wrong-word}", web),
		"proxy":      fmt.Sprintf("type: http, url: %q, proxy: http://127.0.0.1:1", web),
		"time":       fmt.Sprintf("type: database, url: %q", redis.URL()),
		"port":       "type: service, address: 127.0.0.1:1",
	} {
		text += fmt.Sprintf("  - {name: %s, restart: {run: [/bin/touch, %q]}, first_aid: {settle: 10ms}, checks: [{%s, attempts: 1}]}\n", name, w.path("agent", "broken-"+name), check)
	}
	w.services(text)
	w.cycle(0)
	made, err := filepath.Glob(w.path("agent", "broken-*"))
	must(t, err)
	equal(t, "what got first aid", fmt.Sprint(made), fmt.Sprint([]string{w.path("agent", "broken-port")}))
	w.wantEvent(store.Info, "time is degraded: it asks for time, and has until ")
	equal(t, "incidents", len(w.incidents()), 1)
}

// A reason of which only the numbers change is not recorded again.
func TestWhyNoFirstAidIsRecordedOnce(t *testing.T) {
	w := aided(t, "/bin/rm", []string{"shop", "wiki", "mail", "db"}, "")
	w.env["CLAUDEOPS_MAX_SERVICES_PER_HOUR"] = "2"
	w.breaks("shop", "wiki", "mail")
	w.cycle(0)
	w.breaks("db")
	w.cycle(0)
	reasons := slices.DeleteFunc(w.events(store.Info), func(e string) bool { return !strings.HasPrefix(e, "no first aid for shop: ") })
	if len(reasons) != 1 || !strings.Contains(reasons[0], "3 services are down at once") {
		t.Errorf("recorded: %q", reasons)
	}
	w.wantEvent(store.Info, "no first aid for db: 4 services are down at once")
}

// What depends on a service that is down is left alone: only that service gets first aid.
func TestFirstAidGoesToTheDependency(t *testing.T) {
	w := newWorld(t)
	w.env["CLAUDEOPS_TIER1_AGENT"] = "probe"
	aid := func(name string) string {
		return fmt.Sprintf("restart: {run: [/bin/rm, %q]}\n    first_aid: {settle: 10ms}", w.path("agent", "broken-"+name))
	}
	w.inventory([]string{"shop", "db"}, map[string]string{"shop": "depends_on: [db]\n    " + aid("shop"), "db": aid("db")})
	w.breaks("shop", "db")
	w.cycle(0)
	w.wantBroken("db", false)
	w.wantBroken("shop", true)
}

// Where a person must permit it, first aid is a proposal, and runs once it is approved.
func TestFirstAidThatNeedsApproval(t *testing.T) {
	w := aided(t, "/bin/rm", []string{"shop"}, "\n    approval: remediation")
	w.breaks("shop")
	w.cycle(0)
	w.wantBroken("shop", true)
	w.wantProposal(1, store.ProposalWaiting, "")
	w.wantNothingAttempted()
	w.wantEvent(store.Info, "no first aid for shop: proposal 1 waits for a person until ")
	w.exits(0, "approve", "1")
	w.cycle(0)
	w.wantBroken("shop", false)
	w.wantEvent(store.Info, "waiting 10ms for shop to settle before checking it again")
	w.wantProposal(1, store.ProposalDone, "it ran, and the checks find shop healthy")
}

// It needs no model of Tier 1 either, one that is there but fails, or whose handoff cannot be read.
func TestFirstAidWhereTier1Fails(t *testing.T) {
	for name, c := range map[string]struct {
		lines    []string
		exit     int
		statuses []string
	}{
		"overloaded":         {[]string{"exit 1"}, 1, []string{"1 failed", "2 completed", "2 completed"}},
		"an invalid handoff": {[]string{`sh echo '{' > "$CLAUDEOPS_STATE_DIR/handoff.json"`, finish}, 0, []string{"1 escalated", "2 completed", "2 completed"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := aided(t, "/bin/rm", []string{"shop", "wiki"}, "")
			w.env["CLAUDEOPS_TIER1_AGENT"] = "claude"
			w.env["ANTHROPIC_API_KEY"] = "sk-ant-test"
			w.agent(1, c.lines...)
			w.breaks("shop", "wiki")
			w.cycle(c.exit)
			w.wantBroken("shop", false)
			w.wantBroken("wiki", false)
			w.wantStatuses(c.statuses...)
			w.wantEvent(store.Info, "shop remediated by first aid")
			if asked := w.notified("human_attention"); slices.ContainsFunc(asked, func(n store.Notification) bool { return n.Service != "" }) {
				t.Errorf("a human is told %+v", asked)
			}
		})
	}
}

// A model's word alone is no reason for it.
func TestFirstAidIgnoresWhatOnlyAModelClaims(t *testing.T) {
	w := aided(t, "/bin/touch", []string{"shop"}, "")
	w.env["CLAUDEOPS_TIER1_AGENT"] = "claude"
	w.env["ANTHROPIC_API_KEY"] = "sk-ant-test"
	w.agent(1, reportDown, finish)
	w.agent(2, finish)
	w.cycle(0)
	w.wantBroken("shop", false)
}

// What has recovered since Tier 1 found it down, here by the first aid of another service, is left alone.
func TestFirstAidLeavesAloneWhatHasRecovered(t *testing.T) {
	w := newWorld(t)
	w.env["CLAUDEOPS_TIER1_AGENT"] = "probe"
	w.inventory([]string{"db", "shop"}, map[string]string{
		"db":   fmt.Sprintf("restart: {run: [/bin/rm, %q, %q]}\n    first_aid: {settle: 10ms}", w.path("agent", "broken-db"), w.path("agent", "broken-shop")),
		"shop": fmt.Sprintf("restart: {run: [/bin/touch, %q]}\n    first_aid: {settle: 10ms}", w.path("agent", "broken-shop")),
	})
	w.breaks("db", "shop")
	w.cycle(0)
	w.wantBroken("shop", false)
	w.wantEvent(store.Info, "db remediated by first aid")
	w.wantEvent(store.Info, "no first aid for shop: the checks right before it find it healthy")
	w.wantStatuses("1 escalated", "2 completed")
	w.wantNotified("human_attention")
}

// A second attempt is made only on what is still down.
func TestFirstAidIsRepeatedOnlyWhileDown(t *testing.T) {
	for exit, again := range map[string]bool{"1": false, "3": false, "2": true} {
		t.Run("exit status "+exit, func(t *testing.T) {
			w := newWorld(t)
			w.env["CLAUDEOPS_TIER1_AGENT"] = "probe"
			state, acts := w.path("agent", "state"), w.path("agent", "acts")
			must(t, os.WriteFile(state, []byte("2"), 0o600))
			path := w.path("inventory.yaml")
			must(t, os.WriteFile(path, fmt.Appendf(nil, `services:
  - name: shop
    restart: {run: [/bin/sh, -c, "echo %s > %s; echo >> %s"]}
    first_aid: {settle: 10ms, attempts: 2}
    checks: [{type: service, plugin: [/bin/sh, -c, "exit $(cat %s)"], attempts: 1}]
`, exit, state, acts, state), 0o600))
			w.env["CLAUDEOPS_INVENTORY"] = path
			w.cycle(0)
			want := 2
			if !again {
				want = 1
				w.wantEvent(store.Info, "no first aid for shop: the program's own checks do not find it down")
			}
			done, err := os.ReadFile(acts)
			must(t, err)
			equal(t, "attempts", len(done), want)
		})
	}
}

// wantNothingAttempted fails if an incident keeps that something was attempted.
func (w *world) wantNothingAttempted() {
	w.t.Helper()
	w.database(func(ctx context.Context, s *store.Store) {
		tried, err := s.IncidentAttempts(ctx, w.incidents()[0].ID)
		must(w.t, err)
		for _, one := range tried {
			equal(w.t, "attempted", one.Attempted, "")
		}
	})
}

// What could not be run is not told as something that did not help, and its reason is recorded once.
func TestFirstAidThatCannotRun(t *testing.T) {
	w := aided(t, "/opt/no-such-program", []string{"shop"}, "")
	w.breaks("shop")
	for range 3 {
		w.cycle(0)
	}
	w.wantNothingAttempted()
	const why = "/opt/no-such-program is not installed on this machine"
	if body := w.notified("human_attention")[0].Body; !strings.Contains(body, "no first aid for shop: "+why) || strings.Contains(body, "did not help") {
		t.Errorf("a human is told %q", body)
	}
	w.wantEvent(store.Info, "no first aid for shop: "+why)
	told := map[string]bool{}
	for _, message := range w.events(store.Info) {
		if strings.HasPrefix(message, "no first aid") && told[message] {
			t.Errorf("told again: %q", message)
		}
		told[message] = true
	}
}

// It needs neither an agent nor what confines one.
func TestFirstAidWithoutTheShim(t *testing.T) {
	w := aided(t, "/bin/rm", []string{"shop"}, "")
	w.bin = w.path("claudeops")
	must(t, os.Link(claudeopsBin, w.bin))
	w.breaks("shop")
	w.cycle(0)
	w.wantBroken("shop", false)
	w.wantNotified("remediated", "shop")
}

func TestFirstAidWithoutLandlock(t *testing.T) {
	w := aided(t, "/bin/rm", []string{"shop"}, "")
	denied.Landlock(t)
	w.breaks("shop")
	w.cycle(0)
	w.wantBroken("shop", false)
	w.wantNotified("remediated", "shop")
}

// What is left of first aid when its cycle is killed is ended. The next cycle does not give it again beyond its attempts, as it is
// not known what that did; once the service was healthy it does.
func TestFirstAidWhoseCycleIsKilled(t *testing.T) {
	for attempts, again := range map[int]int{1: 0, 2: 1} {
		t.Run(fmt.Sprintf("attempts: %d", attempts), func(t *testing.T) {
			w := newWorld(t)
			w.env["CLAUDEOPS_TIER1_AGENT"] = "probe"
			running := w.path("agent", "running")
			w.inventory([]string{"shop"}, map[string]string{
				"shop": fmt.Sprintf(`restart: {run: [/bin/sh, -c, "test -e %s && exit; (touch %s; exec sleep 600) & wait"]}
    first_aid: {settle: 10ms, attempts: %d}`, running, running, attempts),
			})
			w.breaks("shop")
			cmd := w.start("run-once")
			waitFor(t, running)
			must(t, cmd.Process.Kill())
			_ = cmd.Wait() // killed
			w.cycle(0)
			w.wantEvent(store.Warning, "ended 1 processes that a killed cycle had left running")
			counted(t, "restarts", w.cooldowns().Service("shop").Records(statefile.Restart), 1+again)
			asked := w.notified("human_attention")
			why := []string{"it was given at ", "its limit is reached: restart: 2 of 2 used"}[again]
			if len(asked) != 1 || !strings.Contains(asked[0].Body, "no first aid for shop: "+why) {
				t.Errorf("a human is told %+v", asked)
			}
			if again > 0 {
				return
			}
			must(t, os.Remove(w.path("agent", "broken-shop")))
			w.cycle(0)
			w.breaks("shop")
			w.cycle(0)
			counted(t, "restarts", w.cooldowns().Service("shop").Records(statefile.Restart), 2)
		})
	}
}

// Alerts name what their senders like: services that are made up, that the checks find healthy, or on which others depend.
func TestAlertsDoNotKeepFirstAidAway(t *testing.T) {
	w := newWorld(t)
	w.env["CLAUDEOPS_TIER1_AGENT"] = "probe"
	w.inventory([]string{"shop", "engine", "db", "mail", "wiki"}, map[string]string{
		"shop": fmt.Sprintf("depends_on: [engine]\n    restart: {run: [/bin/rm, %q]}\n    first_aid: {settle: 10ms}", w.path("agent", "broken-shop")),
	})
	w.cycle(0)
	for n := range 9 {
		w.alert(fmt.Sprintf(`{"service":"made-up-%d","status":"firing","message":"all is lost","severity":"critical"}`, n))
	}
	for _, name := range []string{"db", "mail", "wiki"} {
		w.alert(fmt.Sprintf(`{"service":%q,"status":"firing","message":"all is lost","severity":"critical"}`, name))
	}
	w.alert(`{"service":"engine","status":"firing","message":"slow","severity":"info"}`)
	w.breaks("shop")
	w.cycle(0)
	w.wantBroken("shop", false)
}

// Who was told by an alert that a service is degraded is told that it is down.
func TestAnAlertDoesNotKeepAnOutageUntold(t *testing.T) {
	w := aided(t, "/bin/ls", []string{"shop"}, "")
	w.cycle(0)
	w.alert(`{"service":"shop","status":"firing","message":"x","severity":"info"}`)
	w.cycle(0)
	w.wantNotified("human_attention", "shop")
	w.breaks("shop")
	w.cycle(0)
	if told := w.notified("human_attention"); len(told) != 2 || !slices.ContainsFunc(told, func(n store.Notification) bool { return strings.HasPrefix(n.Title, "shop is down") }) {
		t.Errorf("a human is told %+v", told)
	}
}

// An alert that comes and goes does not make a service flap whose own checks find it healthy.
func TestAlertsDoNotMakeAServiceFlap(t *testing.T) {
	w := aided(t, "/bin/rm", []string{"shop"}, "")
	w.cycle(0)
	for range 4 {
		w.alert(`{"service":"shop","status":"firing","message":"x","severity":"info"}`)
		w.cycle(0)
		w.alert(`{"service":"shop","status":"resolved"}`)
		w.cycle(0)
		w.cycle(0)
	}
	w.breaks("shop")
	w.cycle(0)
	w.wantBroken("shop", false)
}
