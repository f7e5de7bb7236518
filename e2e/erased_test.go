package e2e

import (
	"fmt"
	"testing"
	"time"

	"github.com/claudeops/claudeops/store"
)

func TestErasedRecordsAreToldOf(t *testing.T) {
	for name, line := range map[string]string{
		"service":   jq(`del(.services.shop)`),
		"all":       jq(`.services = {}`),
		"file":      `sh rm "$CLAUDEOPS_STATE_DIR/cooldown.json"`,
		"one":       jq(`.services.shop.restarts |= .[1:]`),
		"backdated": jq(`.services.shop.restarts[0].timestamp = "2026-01-01T00:00:00Z"`),
	} {
		for _, tier := range []int{1, 2} {
			t.Run(fmt.Sprintf("%s, Tier %d", name, tier), func(t *testing.T) {
				w := newWorld(t)
				w.writeCooldowns(shopFile(done(time.Hour, 2*time.Hour), "[]", 0))
				w.agent(1, reportDown, finish)
				w.agent(tier, line, checkRestart, finish)
				w.cycle(0)
				if w.acted() {
					t.Error("what an agent erased no longer counts in its session")
				}
				w.wantRecords(2, 0)
				w.wantEvent(store.Critical, "changes nothing")
				w.wantErased(true)
			})
		}
	}
}

func TestErasedRecordsAreToldOfOnceIn24Hours(t *testing.T) {
	w := newWorld(t)
	w.writeCooldowns(shopFile(done(time.Hour), "[]", 0))
	w.agent(1, jq(`.services = {}`), finish)
	for range 3 {
		w.cycle(0)
	}
	w.wantRecords(1, 0)
	if got := len(w.events(store.Critical)); got != 3 {
		t.Errorf("%d critical events, want one a cycle", got)
	}
	counted(t, "notifications", w.notified("human_attention"), 1)
}

func TestErasedRecordsOfAKilledCycle(t *testing.T) {
	w := newWorld(t)
	w.writeCooldowns(shopFile(done(time.Hour, 2*time.Hour), "[]", 0))
	w.agent(1, "bash "+jqCommand(`.services = {}`), `sh touch "$FAKE_AGENT_DIR/running"`, "hang")
	w.kill("running")
	w.agent(1, checkRestart, finish)
	w.cycle(0)
	w.wantRecords(2, 0)
	w.wantEvent(store.Critical, "changes nothing")
	if w.acted() {
		t.Error("what the killed cycle's agent erased no longer counts")
	}
}
