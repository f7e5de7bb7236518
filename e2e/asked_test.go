package e2e

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/cycle"
	"github.com/claudeops/claudeops/testkit/modeltest"
)

// checkedServices returns the services with results, sorted.
func (w *world) checkedServices() string {
	w.t.Helper()
	return strings.Join(slices.Sorted(maps.Keys(w.cooldowns().Services)), " ")
}

// A person asks about one service: an agent of Tier 1 answers, although Tier 1 is normally the checks alone, and nothing else is affected.
func TestAskedAQuestionAboutAService(t *testing.T) {
	w := probing(t, []string{"shop", "db", "mail"}, map[string]string{"shop": "depends_on: [db]"})
	w.breaks("mail")
	w.agent(1, `say Slow since the deployment at noon.\nIts queue is full.`, finish)
	a := w.cycle(0, "--service", "shop", "--prompt", "why is it slow since noon?")
	says(t, a.out, "asked: why is it slow since noon?\nanswer of Tier 1 (session 1):\n  unverified (no evidence): Slow since the deployment at noon.\n  Its queue is full.\n", "services: 2 healthy\n")
	w.wantStatuses("1 completed")
	equal(t, "services with results", w.checkedServices(), "db shop")
	counted(t, "incidents", w.incidents(), 0)
	prompt := w.given(1).Stdin + strings.Join(w.given(1).Args, "\n")
	says(t, prompt, "## The Operator's Question\nThe operator started this cycle about shop and asks:\n\nwhy is it slow since noon?\n", "THE OPERATOR ASKS: only the services in")
	says(t, w.exits(0, "sessions", "show", "1").out, "\nQuestion:\n  why is it slow since noon?\n\nResponse:\n  unverified (no evidence): Slow since the deployment at noon.\n")

	w.agent(2, `sh rm "$FAKE_AGENT_DIR/broken-mail"`, finish)
	w.cycle(0) // as it is scheduled
	w.wantStatuses("1 completed", "1 escalated", "2 completed")
	equal(t, "services with results", w.checkedServices(), "db mail shop")
	equal(t, "healthy cycles of shop, reset at the second", w.cooldowns().Service("shop").ConsecutiveHealthy, 0)
}

// A person starts Tier 2 for a service that is healthy.
func TestAskedForATier(t *testing.T) {
	w := probing(t, []string{"shop", "mail"}, nil)
	w.agent(2, "say It is well: 3 ms a request.", finish)
	var summary cycle.Summary
	a := w.feed("how is it?\n", "run-once", "--json", "--service", "shop", "--tier", "2", "--prompt-file", "-")
	must(t, json.Unmarshal([]byte(a.out), &summary))
	if want := (cycle.Answer{Question: "how is it?", Text: "unverified (no evidence): It is well: 3 ms a request.", Tier: 2, Session: 2}); summary.Answer == nil || *summary.Answer != want {
		t.Errorf("the answer is %+v, want %+v", summary.Answer, want)
	}
	w.wantStatuses("1 escalated", "2 completed")
	counted(t, "needs", summary.Attention, 0)
	counted(t, "messages", w.notified("human_attention"), 0)
	equal(t, "services with results", w.checkedServices(), "shop")
	says(t, strings.Join(w.given(2).Args, "\n"), `"services_affected":["shop"]`)

	w.env["CLAUDEOPS_MAX_TIER"] = "1"
	says(t, w.cycle(2, "--service", "shop", "--tier", "2").err, "--tier 2: CLAUDEOPS_MAX_TIER is 1")
	w.wantStatuses("1 escalated", "2 completed")
}

// If a tier that a person started fails, no human is needed for a service that the checks find healthy.
func TestAskedTierFails(t *testing.T) {
	w := probing(t, []string{"shop"}, nil)
	w.agent(2, "exit 3")
	w.cycle(1, "--service", "shop", "--tier", "2")
	w.wantStatuses("1 escalated", "2 failed")
	counted(t, "messages", w.notified("human_attention"), 0)
}

// While a tier works for a person, its agent can neither report nor restart services outside of the request.
func TestAskedCycleLeavesOthersAlone(t *testing.T) {
	w := probing(t, []string{"shop", "mail"}, nil)
	w.agent(2, `bash echo '[{"service":"mail","check_type":"http","status":"down","error":"no"}]' | claudeops report`, finish)
	w.cycle(0, "--service", "shop", "--tier", "2")
	says(t, w.read("agent", "answer"), "mail is looked after by other cycles: a person asked for this one, about other services; leave it out and report the others again")
	counted(t, "incidents", w.incidents(), 0)
}

func TestClaude_AnswersTheOperatorsQuestion(t *testing.T) {
	shop := newService(t)
	w, srv := withClaude(t, modeltest.Script{"haiku": {modeltest.Bash("claudeops cooldown show shop"), modeltest.Say("Its upstream answers after 3 s since 12:04.")}})
	must(t, os.WriteFile(w.path("inventory.yaml"), []byte("services:\n  - {name: shop, checks: [{type: http, url: \""+shop.URL+"\"}]}\n"), 0o600))
	w.env["CLAUDEOPS_INVENTORY"] = w.path("inventory.yaml")
	w.env["CLAUDEOPS_TIER1_AGENT"] = "probe"
	a := w.cycle(0, "--service", "shop", "--prompt", "why is it slow since noon?")
	says(t, a.out, "answer of Tier 1 (session 1):\n  unverified (no evidence): Its upstream answers after 3 s since 12:04.\n")
	w.wantStatuses("1 completed")
	if first := srv.Requests()[0]; !bytes.Contains(first.Body, []byte("why is it slow since noon?")) {
		t.Error("the model was not asked")
	}
}

// A question about a service that is down does not count as an attempt to fix it: its incident stays unchanged. Its dependency is checked,
// too.
func TestAskedAboutAServiceThatIsDown(t *testing.T) {
	w := probing(t, []string{"shop", "db"}, map[string]string{"shop": "depends_on: [db]"})
	w.breaks("db")
	w.agent(2, "say db is full.", finish)
	w.cycle(0, "--service", "shop", "--tier", "2", "--prompt", "why is it slow?")
	says(t, strings.Join(w.given(2).Args, "\n"), `"services_affected":["shop","db"]`)
	counted(t, "messages", w.notified("human_attention"), 0)
	if i := w.incidents(); len(i) != 1 || i[0].Service != "db" || i[0].DeadEnds != 0 || i[0].LastChain != "" || i[0].RetryAt != nil {
		t.Errorf("the incidents are %+v", i)
	}
}
