package e2e

import (
	"strings"
	"testing"

	"github.com/claudeops/claudeops/store"
)

// sharding is the second of four shards: of these services it has shop; mail belongs to the first and db to the last.
func sharding(t *testing.T) *world {
	t.Helper()
	w := probing(t, []string{"shop", "mail", "db"}, map[string]string{"shop": "depends_on: [db]"})
	w.env["CLAUDEOPS_SHARD"] = "2/4"
	return w
}

// What a shard's agents are told, what they may not touch, and that dependencies in other shards hold nothing back.
func TestAShardsAgentsAreGivenItsServicesAlone(t *testing.T) {
	w := sharding(t)
	w.env["CLAUDEOPS_TIER1_AGENT"] = "claude"
	w.breaks("shop", "mail", "db")
	const both = `{"services_affected":["mail","shop"],"check_results":[{"service":"shop","check_type":"http","status":"down","error":"x"}]}`
	w.agent(1,
		`sh cat $(find "$FAKE_AGENT_DIR/../state" -name services.md) > "$FAKE_AGENT_DIR/services"; echo "$CLAUDEOPS_SHARD" > "$FAKE_AGENT_DIR/shard"`,
		`bash echo '[{"service":"mail","check_type":"http","status":"down","error":"x"}]' | claudeops report; echo '`+both+`' | claudeops handoff write --tier 2`,
		`sh cp "$FAKE_AGENT_DIR/answer" "$FAKE_AGENT_DIR/refusal"`,
		`sh echo '{"schema_version":1,"recommended_tier":2,"cooldown_state":{},`+strings.TrimPrefix(both, "{")+`' > "$CLAUDEOPS_STATE_DIR/handoff.json"`, // whatever its origin, the cycle does not use it
		finish)
	w.agent(2, askRestart, mendShop, "say restarted it", finish)
	w.cycle(0)
	w.wantStatuses("1 escalated", "2 completed")
	equal(t, "the list of its services and its shard", w.kept("services")+w.kept("shard"), "shop\n2/4\n")
	if got := w.kept("refusal"); strings.Count(got, "mail is looked after by shard 1/4; ") != 2 {
		t.Errorf("a report and a handoff of another's service: %q", got)
	}
	for tier := 1; tier <= 2; tier++ {
		if system, _ := w.given(tier).Flag("--system-prompt"); !strings.Contains(system, "SHARD 2/4: ") {
			t.Errorf("Tier %d is told\n%s", tier, system)
		}
	}
	context, _ := w.given(1).Flag("--append-system-prompt")
	if !strings.Contains(context, `"shop"`) || strings.Contains(context, `"mail"`) || strings.Contains(context, `"db"`) {
		t.Errorf("Tier 1 is given\n%s", context)
	}
	context, _ = w.given(2).Flag("--append-system-prompt")
	says(t, context, `"services_affected":["shop"]`)
	w.wantEvent(store.Info, "Tier 2 not started for mail: it is looked after by shard 1/4")
	w.wantNotified("remediated", "shop")
	w.wantNotified("human_attention")
}

// The probes of a shard as Tier 1, and its checks after a remediation.
func TestAShardProbesAndProvesItsServicesAlone(t *testing.T) {
	w := sharding(t)
	w.breaks("shop", "mail", "db")
	w.agent(2, askRestart, mendShop, finish)
	a := w.cycle(0)
	w.wantStatuses("1 escalated", "2 completed")
	w.wantNotified("remediated", "shop")
	w.wantNotified("human_attention")
	if strings.Contains(a.out, "mail") || strings.Contains(a.out, "db") {
		t.Errorf("the summary tells of others:\n%s", a.out)
	}
	w.cycle(0)
	a = w.cycle(0)
	w.wantNotified("recovered", "shop")
	says(t, a.out, "services: 1 healthy\n")
}
