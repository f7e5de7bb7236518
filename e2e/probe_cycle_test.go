package e2e

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/testkit/need"
)

// site is a service that is well unless a file of its name exists. Agents fix it by removing the file.
func (w *world) site(name string) (address string) {
	w.t.Helper()
	broken := w.path("agent", "broken-"+name)
	server := httptest.NewServer(http.HandlerFunc(func(answer http.ResponseWriter, _ *http.Request) {
		if _, err := os.Stat(broken); err == nil {
			answer.WriteHeader(http.StatusBadGateway)
		}
	}))
	w.t.Cleanup(server.Close)
	return server.URL
}

func (w *world) breaks(names ...string) {
	w.t.Helper()
	for _, name := range names {
		must(w.t, os.WriteFile(w.path("agent", "broken-"+name), nil, 0o600))
	}
}

const mendShop = `sh rm "$FAKE_AGENT_DIR/broken-shop"`

// inventory writes an inventory of sites, which docker restarts; more has further lines for each, by name.
func (w *world) inventory(names []string, more map[string]string) {
	w.t.Helper()
	text := "services:\n"
	for _, name := range names {
		text += fmt.Sprintf("  - name: %s\n    settle: 10ms\n", name)
		if lines := more[name]; lines != "" {
			text += "    " + lines + "\n"
		}
		if !strings.Contains(more[name], "restart:") {
			text += "    " + byDocker(name) + "\n"
		}
		text += fmt.Sprintf("    checks: [{type: http, url: %q, attempts: 1}]\n", w.site(name))
	}
	path := filepath.Join(w.dir, "inventory.yaml")
	must(w.t, os.WriteFile(path, []byte(text), 0o600))
	w.env["CLAUDEOPS_INVENTORY"] = path
}

// probing is an operator with the probes as Tier 1, whose docker restarts what it is told.
func probing(t *testing.T, names []string, more map[string]string) *world {
	t.Helper()
	w := newWorld(t)
	w.inventory(names, more)
	w.program("docker", "")
	w.env["CLAUDEOPS_TIER1_AGENT"] = "probe"
	w.env["ANTHROPIC_API_KEY"] = "sk-ant-test"
	return w
}

func (w *world) wantNotified(kind string, services ...string) {
	w.t.Helper()
	got := []string{}
	for _, n := range w.notified(kind) {
		got = append(got, n.Service)
	}
	if diff := cmp.Diff(append([]string{}, services...), got); diff != "" {
		w.t.Errorf("%s, -want +got:\n%s", kind, diff)
	}
}

func TestProbesAsTier1AHealthyCycleCostsNothing(t *testing.T) {
	w := probing(t, []string{"shop", "mail"}, nil)
	w.cycle(0)
	w.wantStatuses("1 completed")
	s := w.sessions()[0]
	if s.Agent != "probe" || s.Model != "" || s.CostUSD != 0 || !strings.Contains(s.Response, "2 healthy") {
		t.Errorf("session %+v", s)
	}
	equal(t, "consecutive healthy", w.cooldowns().Service("shop").ConsecutiveHealthy, 1)
	w.noHandoff()
}

func TestProbesAsTier1HandOffAndTheirHandoffReachesTier2(t *testing.T) {
	w := probing(t, []string{"shop", "mail"}, nil)
	w.breaks("shop")
	w.agent(2, askRestart, mendShop, "say restarted it", finish)
	w.cycle(0)
	w.wantStatuses("1 escalated", "2 completed")
	context, _ := w.given(2).Flag("--append-system-prompt")
	for _, text := range []string{"HTTP 502", `"services_affected":["shop"]`} {
		says(t, context, text)
	}
	w.wantEvent(store.Info, "shop remediated by Tier 2: its checks are healthy again")
	w.wantNotified("remediated", "shop")
	w.wantNotified("human_attention")
	w.cycle(0)
	equal(t, "after one healthy cycle", len(w.cooldowns().Service("shop").Restarts), 1)
	w.cycle(0)
	equal(t, "after two healthy cycles", len(w.cooldowns().Service("shop").Restarts), 0)
	w.wantNotified("recovered", "shop")
}

// Fixed services need no further tier, even if the tier asks for one.
func TestProofAfterARemediationStopsTheChain(t *testing.T) {
	w := probing(t, []string{"shop"}, nil)
	w.breaks("shop")
	w.agent(2, askRestart, mendShop, askForTier3, finish)
	a := w.cycle(0)
	w.wantStatuses("1 escalated", "2 completed")
	w.wantEvent(store.Info, "Tier 3 not started for shop: the checks find it healthy")
	w.wantNotified("remediated", "shop")
	says(t, a.out, "shop by Tier 2 (session 2): its checks are healthy again")
}

// An exit code proves nothing.
func TestWithoutProofAHumanIsAsked(t *testing.T) {
	w := probing(t, []string{"shop"}, nil)
	w.breaks("shop")
	w.agent(2, askRestart, "say all is well again", finish)
	a := w.cycle(0)
	w.wantStatuses("1 escalated", "2 completed")
	w.wantNotified("remediated")
	w.wantNotified("human_attention", "shop")
	says(t, a.out, "although by the checks after it shop is down: http: HTTP 502")
}

func TestATierThatFailedAfterItsFixAsksNobody(t *testing.T) {
	w := probing(t, []string{"shop"}, nil)
	w.breaks("shop")
	w.agent(2, askRestart, mendShop, "exit 1")
	w.cycle(1)
	w.wantStatuses("1 escalated", "2 failed")
	w.wantNotified("remediated", "shop")
	w.wantNotified("human_attention")
}

// If a tier fixed some of its services, the next one is started for the rest.
func TestOnlyWhatIsNotFixedGoesOn(t *testing.T) {
	w := probing(t, []string{"shop", "mail"}, nil)
	w.breaks("shop", "mail")
	w.agent(2, askRestart, mendShop, strings.Replace(askForTier3, `["shop"]`, `["shop","mail"]`, 1), finish)
	w.agent(3, finish)
	w.cycle(0)
	w.wantStatuses("1 escalated", "2 escalated", "3 completed")
	context, _ := w.given(3).Flag("--append-system-prompt")
	says(t, context, `"services_affected":["mail"]`)
	w.wantNotified("remediated", "shop")
	w.wantNotified("human_attention", "mail")
}

func TestProbesStandInForAModelThatFails(t *testing.T) {
	w := probing(t, []string{"shop", "mail"}, nil)
	w.env["CLAUDEOPS_TIER1_AGENT"] = "claude"
	w.breaks("shop")
	w.agent(1, `bash echo '{"services_affected":["mail"],"check_results":[{"service":"mail","check_type":"http","status":"down","error":"x"}]}' | claudeops handoff write --tier 2`, "exit 1")
	w.agent(2, finish)
	w.cycle(1)
	w.wantStatuses("1 failed")
	if w.ran(2) {
		t.Error("Tier 2 ran")
	}
	w.noHandoff()
	w.wantNotified("agent_failing", "shop")
	equal(t, "mail was healthy in", w.cooldowns().Service("mail").ConsecutiveHealthy, 1)
	w.agent(1, finish) // the next cycle runs as usual
	w.cycle(0)
	if !w.ran(2) {
		t.Error("Tier 2 did not run in the next cycle")
	}
}

func TestProbesStandInWhereTheBudgetIsSpent(t *testing.T) {
	w := probing(t, []string{"shop"}, nil)
	w.env["CLAUDEOPS_TIER1_AGENT"] = "claude"
	w.env["CLAUDEOPS_DAILY_BUDGET_USD"] = "0.005"
	w.agent(1, finish) // $0.01
	w.cycle(0)
	w.cycle(1)
	w.wantStatuses("1 completed", "1 failed")
	checked := 0
	w.database(func(ctx context.Context, s *store.Store) {
		made, err := s.SessionChecks(ctx, w.sessions()[1].ID)
		must(t, err)
		checked = len(made)
	})
	equal(t, "checks in its place", checked, 1)
}

// A model gets the results of the probes, and cannot overrule them.
func TestProbesAreInTheContextOfAModelAndOverruleIt(t *testing.T) {
	w := probing(t, []string{"shop"}, nil)
	w.env["CLAUDEOPS_TIER1_AGENT"] = "claude"
	w.breaks("shop")
	w.agent(1, reportFine, `bash echo '{"services_affected":["mail"],"check_results":[{"service":"mail","check_type":"http","status":"down","error":"x"}]}' | claudeops handoff write --tier 2`, finish)
	w.agent(2, finish)
	w.cycle(0)
	w.wantStatuses("1 escalated", "2 completed")
	context, _ := w.given(1).Flag("--append-system-prompt")
	prompt := w.given(1).Args[1]
	if !strings.Contains(context, "<probe-results>") || !strings.Contains(context, "HTTP 502") || !strings.Contains(prompt, "has just made them") {
		t.Errorf("Tier 1 was not told:\n%s", context)
	}
	w.wantEvent(store.Warning, "Tier 1 did not hand off all that was found unwell: shop added")
	if got := len(w.sessions()); got != 2 {
		t.Errorf("%d sessions; probes that prepare a context are none", got)
	}
}

func TestProbesOverruleAModelThatSeesGhosts(t *testing.T) {
	w := probing(t, []string{"shop"}, nil)
	w.env["CLAUDEOPS_TIER1_AGENT"] = "claude"
	w.agent(1, `bash echo '{"services_affected":["shop"],"check_results":[{"service":"shop","check_type":"http","status":"down","error":"x"}]}' | claudeops handoff write --tier 2`, finish)
	w.cycle(0)
	w.wantStatuses("1 completed")
	w.wantEvent(store.Info, "Tier 2 not started for shop: the checks find it healthy")
	equal(t, "consecutive healthy", w.cooldowns().Service("shop").ConsecutiveHealthy, 1)
}

func TestAutoIsProbesWithoutAModelAndSaysSo(t *testing.T) {
	w := probing(t, []string{"shop"}, nil)
	w.env["CLAUDEOPS_TIER1_AGENT"] = "auto"
	delete(w.env, "ANTHROPIC_API_KEY")
	w.breaks("shop")
	a := w.cycle(0)
	w.wantStatuses("1 completed")
	if !strings.Contains(a.err, "no model observes") || !strings.Contains(a.out, "Tier 2 not started for shop: no credential for the agent program") {
		t.Errorf("it is not said loudly:\n%s%s", a.err, a.out)
	}
	w.wantNotified("human_attention", "shop")
	if w.ran(2) {
		t.Error("Tier 2 ran")
	}
}

func TestMaintenanceIsRecordedAndNothingElse(t *testing.T) {
	w := probing(t, []string{"shop", "mail"}, map[string]string{"shop": `maintenance: [{schedule: "* * * * *", for: 10m, note: new disk}]`})
	w.breaks("shop")
	a := w.cycle(0)
	w.wantStatuses("1 completed")
	w.wantEvent(store.Info, "Tier 2 not started for shop: in maintenance until")
	w.wantNotified("human_attention")
	counted(t, "incidents", w.incidents(), 0)
	if got := w.run("cooldown", "check", "shop", "restart"); got.code != 1 || !strings.Contains(got.out, "shop is not to be touched now: in maintenance until") {
		t.Errorf("cooldown check: exit %d, %s", got.code, got.out)
	}
	if got := w.run("policy", "explain", "--tier", "2", "--", "docker", "restart", "shop"); !strings.Contains(got.out, "Now it would be refused: shop is not to be touched now") {
		t.Errorf("policy explain: %s%s", got.out, got.err)
	}
	if !strings.Contains(a.out, "held back: in maintenance until") || !strings.Contains(a.out, "(new disk)") {
		t.Errorf("the summary does not say it:\n%s", a.out)
	}
}

// A failure caused by a dependency is recorded under the dependency: one incident, one message, one tier.
func TestADependentServiceIsRecordedUnderTheIncidentOfWhatItDependsOn(t *testing.T) {
	need.Full(t, "docker")
	w := probing(t, []string{"shop", "web"}, map[string]string{"web": "depends_on: [shop]"})
	w.breaks("shop", "web")
	w.agent(2, "bash docker restart web", finish)
	w.cycle(0)
	w.wantStatuses("1 escalated", "2 completed")
	context, _ := w.given(2).Flag("--append-system-prompt")
	says(t, context, `"services_affected":["shop"]`)
	w.wantNotified("human_attention", "shop")
	open := w.incidents()
	if len(open) != 1 || open[0].Service != "shop" {
		t.Fatalf("incidents %+v, want shop's alone", open)
	}
	if shown := w.run("incidents", "show", "1"); !strings.Contains(shown.out, "web, which depends on it, is down") {
		t.Errorf("the incident does not show it:\n%s", shown.out)
	}
	if answer := w.kept("answer"); w.acted() || !strings.Contains(answer, "shop, on which it depends, is down") {
		t.Errorf("the agent was told %s", answer)
	}
}

// The incident of a service that was removed from the inventory is left to an operator.
func TestAnIncidentCanBeClosed(t *testing.T) {
	w := probing(t, []string{"shop"}, nil)
	w.env["CLAUDEOPS_MAX_TIER"] = "1"
	w.breaks("shop")
	w.cycle(0)
	if a := w.run("incidents", "close", "1"); a.code != 0 || a.out != "incident 1 is closed\n" {
		t.Errorf("exit %d: %s%s", a.code, a.out, a.err)
	}
	equal(t, "incidents, -want +got", cmp.Diff([]string{"closed"}, incidentStates(w.incidents())), "")
	if a := w.run("incidents", "close", "1"); a.code != 1 || !strings.Contains(a.err, "is closed already") {
		t.Errorf("again: exit %d: %s", a.code, a.err)
	}
	w.env["CLAUDEOPS_SESSION_ID"], w.env["CLAUDEOPS_TIER"] = "1", "2"
	if a := w.run("incidents", "close", "1"); a.code != 1 || !strings.Contains(a.err, "is for operators") {
		t.Errorf("by an agent: exit %d: %s", a.code, a.err)
	}
}

// A partial result is not healthy: a service of which one check was not made must not have its counters reset.
func TestAServiceSeenInPartIsNotHealthy(t *testing.T) {
	w := probing(t, []string{"shop"}, nil)
	text, err := os.ReadFile(w.env["CLAUDEOPS_INVENTORY"])
	must(t, err)
	w.program("check_slow", "exec sleep 600")
	slow := "checks: [{type: service, plugin: [" + w.path("bin", "check_slow") + "], timeout: 5m, attempts: 1}, "
	must(t, os.WriteFile(w.env["CLAUDEOPS_INVENTORY"], []byte(strings.Replace(string(text), "checks: [", slow, 1)), 0o600))
	w.env["CLAUDEOPS_TIER1_TIMEOUT"] = "8s" // enough for the other check on any machine
	w.exits(0, "cooldown", "record", "shop", "restart", "success")
	w.cycle(0)
	w.cycle(0)
	if got := w.cooldowns().Service("shop"); len(got.Restarts) != 1 || got.ConsecutiveHealthy != 0 {
		t.Errorf("counters %+v", got)
	}
	w.wantNotified("agent_failing", "")
	says(t, w.notified("agent_failing")[0].Body, "There was no time for it within 8 s")
}

// A human is asked about what is still broken, not about what was just fixed.
func TestNobodyIsAskedAboutWhatIsMended(t *testing.T) {
	for name, handedOff := range map[string]string{"the other is handed off": `["mail"]`, "the other is forgotten": `["shop"]`} {
		t.Run(name, func(t *testing.T) {
			w := makeWorld(t)
			w.inventory([]string{"shop", "mail"}, nil)
			w.program("docker", "")
			w.env["CLAUDEOPS_TIER1_AGENT"], w.env["ANTHROPIC_API_KEY"], w.env["CLAUDEOPS_MAX_TIER"] = "probe", "sk-ant-test", "2"
			w.breaks("shop", "mail")
			w.agent(2, askRestart, mendShop, strings.Replace(askForTier3, `["shop"]`, handedOff, 1), finish)
			w.cycle(0)
			w.wantStatuses("1 escalated", "2 completed")
			w.wantNotified("remediated", "shop")
			w.wantNotified("human_attention", "mail")
			for _, i := range w.incidents() {
				if i.Service == "shop" && (i.DeadEnds != 0 || i.RetryAt != nil || i.LastChain != "solved") {
					t.Errorf("shop's incident is %+v", i)
				}
			}
		})
	}
}

// A check that never saw the problem does not prove its end.
func TestAProofNeedsACheckThatSawTheTrouble(t *testing.T) {
	w := probing(t, []string{"shop"}, map[string]string{"shop": "aliases: [shop-web-1]"})
	w.env["CLAUDEOPS_TIER1_AGENT"] = "claude"
	w.agent(1, `bash echo '{"services_affected":["shop-web-1"],"check_results":[{"service":"shop-web-1","check_type":"database","status":"down","error":"a replica is corrupt"}]}' | claudeops handoff write --tier 2`, finish)
	w.agent(2, askRestart, askForTier3, finish)
	w.agent(3, finish)
	w.cycle(0)
	w.wantStatuses("1 escalated", "2 escalated", "3 completed")
	w.wantNotified("remediated")
}

func TestAMaintenanceThatBeginsMeanwhileKeepsPeopleOut(t *testing.T) {
	w := probing(t, []string{"shop"}, nil)
	w.breaks("shop")
	begin := fmt.Sprintf(`sh sed -i 's/settle: 10ms/settle: 10ms\n    maintenance: [{from: "2020-01-01T00:00:00Z", to: "2999-01-01T00:00:00Z"}]/' %q`, w.env["CLAUDEOPS_INVENTORY"])
	w.agent(2, begin, finish)
	w.cycle(0)
	w.wantNotified("human_attention", "shop") // this cycle has already read the old file
	w.cycle(0)
	w.wantEvent(store.Info, "shop is down: in maintenance until 2999-01-01 00:00 UTC")
	w.wantStatuses("1 escalated", "2 completed", "1 completed")
}

// A failed remediation gets no credit for a service that recovers meanwhile.
func TestAFailedRemediationIsNotCalledOne(t *testing.T) {
	w := probing(t, []string{"shop"}, nil)
	w.breaks("shop")
	w.agent(2, claim("shop", "restarts", `success: false, error: "permission denied"`), mendShop, finish)
	w.cycle(0)
	w.wantNotified("remediated")
	w.wantEvent(store.Info, "shop is healthy, by its checks; Tier 2 remediated nothing there")
}

// A remediated service is checked even if the tier was not started for it.
func TestAServiceOutsideTheChainIsCheckedAfterWhatWasDoneToIt(t *testing.T) {
	w := probing(t, []string{"shop", "mail"}, map[string]string{"shop": "depends_on: [mail]"})
	w.breaks("shop")
	w.agent(2, mendShop, "bash docker restart mail", `sh touch "$FAKE_AGENT_DIR/broken-mail"`, finish)
	w.cycle(0)
	w.wantNotified("human_attention", "mail")
}

// The model's handoff is invalid, but the results of the checks are known.
func TestAnInvalidHandoffDoesNotHideWhatTheProbesFound(t *testing.T) {
	w := probing(t, []string{"shop"}, nil)
	w.env["CLAUDEOPS_TIER1_AGENT"] = "claude"
	w.breaks("shop")
	w.agent(1, writeGarbage, finish)
	w.cycle(0)
	w.wantStatuses("1 completed")
	w.wantNotified("human_attention", "")
	w.wantNotified("agent_failing", "shop")
}

// Ten thousand names do not fit into a handoff, but each service has its incident, and people are notified of each.
func TestMoreServicesDownThanAHandoffHolds(t *testing.T) {
	w := newWorld(t)
	var text strings.Builder
	text.WriteString("services:\n")
	for i := range 3000 {
		fmt.Fprintf(&text, "  - {name: %s-%04d, checks: [{type: service, address: \"127.0.0.1:1\", attempts: 1}]}\n", strings.Repeat("long", 40), i)
	}
	w.services(text.String())
	w.env["CLAUDEOPS_TIER1_AGENT"], w.env["CLAUDEOPS_MAX_TIER"] = "probe", "1"
	a := w.cycle(0)
	if len(a.out) > 10_000 {
		t.Errorf("a summary of %d bytes", len(a.out))
	}
	w.database(func(ctx context.Context, s *store.Store) {
		open, err := s.OpenIncidents(ctx)
		must(t, err)
		all, err := s.Notifications(ctx, store.NotificationFilter{Pending: true})
		must(t, err)
		if len(open) != 3000 || len(all) != 3000 {
			t.Errorf("%d incidents and %d requests, want 3,000 of both", len(open), len(all))
		}
		for _, n := range all {
			if len(n.Body) > 4000 {
				t.Fatalf("a message of %d bytes", len(n.Body))
			}
		}
	})
}

// A model examines more than the checks: what they found broken and later healthy is fixed.
func TestAProofHoldsAlthoughAModelSawMore(t *testing.T) {
	w := probing(t, []string{"shop"}, nil)
	w.env["CLAUDEOPS_TIER1_AGENT"] = "claude"
	w.breaks("shop")
	w.agent(1, `bash echo '[{"service":"shop","check_type":"container","status":"down","error":"exited (1)"}]' | claudeops report`, finish)
	w.agent(2, `bash echo '[{"service":"shop","check_type":"container","status":"down","error":"exited (1)"}]' | claudeops report`, askRestart, mendShop, askForTier3, finish)
	w.cycle(0)
	w.wantStatuses("1 escalated", "2 completed")
	w.wantNotified("remediated", "shop")
	w.wantNotified("human_attention")
}

// A human is asked about reported services even if they were not handed off.
func TestWhatIsNotHandedOffIsAskedAboutToo(t *testing.T) {
	w := newWorld(t)
	w.env["CLAUDEOPS_MAX_TIER"] = "1"
	w.agent(1, `bash echo '[{"service":"backup","check_type":"service","status":"degraded","error":"as every Sunday"},{"service":"shop","check_type":"http","status":"down","error":"x"}]' | claudeops report`,
		`bash echo '{"services_affected":["shop"],"check_results":[{"service":"shop","check_type":"http","status":"down","error":"x"}]}' | claudeops handoff write --tier 2`, finish)
	w.cycle(0)
	w.wantNotified("human_attention", "shop", "backup")
}

// Thousands fail because of one service: only that one is handed off and notified.
func TestOneCauseOfThousandsIsHandedOff(t *testing.T) {
	w := newWorld(t)
	var text strings.Builder
	text.WriteString("services:\n  - {name: zz-switch, checks: [{type: service, address: \"127.0.0.1:1\", attempts: 1}]}\n")
	for i := range 3000 {
		fmt.Fprintf(&text, "  - {name: %s-%04d, depends_on: [zz-switch], checks: [{type: service, address: \"127.0.0.1:1\", attempts: 1}]}\n", strings.Repeat("long", 40), i)
	}
	w.services(text.String())
	w.env["CLAUDEOPS_TIER1_AGENT"], w.env["ANTHROPIC_API_KEY"] = "probe", "sk-ant-test"
	w.agent(2, finish)
	w.cycle(0)
	w.wantStatuses("1 escalated", "2 completed")
	w.wantNotified("human_attention", "zz-switch")
	if got := w.incidents(); len(got) != 1 || got[0].Service != "zz-switch" {
		t.Errorf("%d incidents, want that of zz-switch alone", len(got))
	}
}

// holed is a world with a site, and two containers on an engine that cannot be reached.
func holed(t *testing.T) *world {
	t.Helper()
	w := probing(t, []string{"shop"}, nil)
	f, err := os.OpenFile(w.env["CLAUDEOPS_INVENTORY"], os.O_APPEND|os.O_WRONLY, 0)
	must(t, err)
	_, err = fmt.Fprintf(f, "  - {name: web, checks: [{type: container}]}\n  - {name: db, checks: [{type: container}]}\n")
	must(t, errors.Join(err, f.Close()))
	w.env["DOCKER_HOST"] = "unix://" + filepath.Join(w.dir, "no-engine.sock")
	return w
}

// A check that cannot be made says nothing about its service; people are notified once that the monitoring is incomplete.
func TestAnEngineThatCannotBeAskedIsNoOutage(t *testing.T) {
	for _, observer := range []string{"probe", "claude"} {
		t.Run(observer, func(t *testing.T) {
			w := holed(t)
			w.env["CLAUDEOPS_TIER1_AGENT"] = observer
			w.agent(1, "say nothing further to do", finish)
			w.cycle(0)
			a := w.cycle(0)
			w.wantStatuses("1 completed", "1 completed")
			if open := w.incidents(); len(open) > 0 {
				t.Errorf("incidents: %+v", open)
			}
			w.wantNotified("human_attention")
			sent := w.notified("agent_failing")
			if len(sent) != 1 || sent[0].Title != "2 checks cannot be made" || !strings.Contains(sent[0].Body, "web (container) and db (container)") ||
				!strings.Contains(sent[0].Body, "is it running? Start it") {
				t.Errorf("notifications %+v", sent)
			}
			says(t, a.out, "services: 1 healthy, 2 unknown")
			equal(t, "web was healthy in", w.cooldowns().Service("web").ConsecutiveHealthy, 0)
			w.noHandoff()
			w.cycle(3, "--strict") // incomplete monitoring needs a human
		})
	}
}

// They reach Tiers 2 and 3 whatever the agents do with them.
func TestUnknownChecksGoAlongWhateverAgentsHandOff(t *testing.T) {
	w := holed(t)
	w.env["CLAUDEOPS_TIER1_AGENT"] = "claude"
	w.breaks("shop")
	handsOff := func(tier int, unknown string) string {
		return fmt.Sprintf(`sh echo '{"schema_version":1,"recommended_tier":%d,"services_affected":["shop"],"check_results":[{"service":"shop","check_type":"http","status":"down","error":"x"}],`+
			`"unknown_checks":%s,"investigation_findings":"x","remediation_attempted":"x","cooldown_state":{}}' > "$CLAUDEOPS_STATE_DIR/handoff.json"`, tier, unknown)
	}
	w.agent(1, handsOff(2, "[]"), finish)
	w.agent(2, handsOff(3, `["own words"]`), finish)
	w.agent(3, mendShop, finish)
	w.cycle(0)
	w.wantStatuses("1 escalated", "2 escalated", "3 completed")
	for tier := 2; tier <= 3; tier++ {
		context, _ := w.given(tier).Flag("--append-system-prompt")
		if strings.Count(context, `"check_type":"container","status":"unknown"`) != 2 {
			t.Errorf("the context of Tier %d:\n%s", tier, context)
		}
		if strings.Contains(context, "own words") {
			t.Errorf("Tier %d is told what Tier 2 says of checks that could not be made:\n%s", tier, context)
		}
	}
}

// If the check of an incident can no longer be made, the incident stays unchanged.
func TestAnIncidentStaysOpenWhileItsCheckIsUnknown(t *testing.T) {
	w := newWorld(t)
	w.env["CLAUDEOPS_DRY_RUN"] = "true"
	w.agent(1, reportDown, finish)
	w.cycle(0)
	w.agent(1, strings.Replace(reportDown, `"status":"down"`, `"status":"unknown"`, 1), finish)
	for range 3 {
		w.cycle(0)
	}
	says(t, w.run("incidents", "list").out, "open, unknown")
	says(t, w.run("incidents", "show", "1").out, "Incident 1: shop, open, unknown")
	open := w.incidents()
	if len(open) != 1 || open[0].ClosedAt != nil || open[0].HealthySince != nil {
		t.Errorf("incidents: %+v", open)
	}
	w.wantNotified("recovered")
	if sent := w.notified("agent_failing"); len(sent) != 2 { // the dry run, and the incomplete monitoring
		t.Errorf("notifications %+v", sent)
	}
}

// A fixed service is shown everywhere as recovering until two cycles have found it healthy.
func TestAMendedServiceIsRecoveringUntilItsIncidentCloses(t *testing.T) {
	w := probing(t, []string{"shop"}, nil)
	w.breaks("shop")
	w.agent(2, askRestart, mendShop, finish)
	for _, closes := range []string{"closes after 2 healthy cycles", "closes after the next healthy cycle"} {
		a := w.cycle(0)
		list, show, asJSON := w.run("incidents", "list"), w.run("incidents", "show", "1"), w.run("incidents", "list", "--json")
		for what, text := range map[string]string{
			a.out: "services: 1 healthy\n  shop recovering: healthy since ", a.out + " ": closes + " (incident 1)",
			list.out: "recovering, healthy since ", show.out: closes, asJSON.out: `"state":"recovering"`,
		} {
			if !strings.Contains(strings.ReplaceAll(what, `": "`, `":"`), text) {
				t.Errorf("no %q in:\n%s", text, what)
			}
		}
		if strings.Contains(a.out+list.out, "down") {
			t.Errorf("it is called down:\n%s%s", a.out, list.out)
		}
	}
	w.wantEvent(store.Info, "waiting 10ms for shop to settle before checking it again")
	w.cycle(0)
	if a := w.run("incidents", "list"); !strings.Contains(a.out, "closed") {
		t.Errorf("after two healthy cycles:\n%s", a.out)
	}
}

// What root may do but the job's user may not is found as that user.
func TestDoctorMakesChecksAsTheUserOfTheJob(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root makes them as another user")
	}
	w := probing(t, []string{"shop"}, nil)
	w.program("roots-plugin", "exit 0")
	must(t, os.WriteFile(w.env["CLAUDEOPS_INVENTORY"], []byte("services:\n  - {name: queue, checks: [{type: service, plugin: ["+w.path("bin", "roots-plugin")+"]}]}\n"), 0o644))
	w.asUser()
	w.as = nil
	must(t, errors.Join(os.Chown(w.path("bin", "roots-plugin"), 0, 0), os.Chmod(w.path("bin", "roots-plugin"), 0o700)))
	w.bin = "unshare"
	const script = `mount -t tmpfs none /etc/cron.d && printf '%s\n' '# BEGIN claudeops (claudeops crontab install)' '# installed with --user nobody' '# END claudeops' >/etc/cron.d/claudeops && exec "$0" doctor`
	a := w.run("--mount", "sh", "-c", script, claudeopsBin)
	for _, text := range []string{"/etc/cron.d/claudeops runs it as nobody", "cannot be made as nobody, by that of queue", "permission denied"} {
		says(t, a.out, text)
	}
}
