package e2e

import (
	"strings"
	"testing"

	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// What the agent program asks its hook before and tells it after a restart of shop, which does not take place here.
const (
	hookInput     = `"session_id":"x","cwd":"/","permission_mode":"dontAsk","tool_name":"Bash","tool_use_id":"toolu_1","tool_input":{"command":"docker restart shop"}`
	askRestart    = `sh echo '{"hook_event_name":"PreToolUse",` + hookInput + `}' | claudeops guard | grep -q '"allow"' && touch "$FAKE_AGENT_DIR/acted"`
	tellRestarted = `sh echo '{"hook_event_name":"PostToolUse",` + hookInput + `,"tool_response":{"stdout":"shop"},"duration_ms":1200}' | claudeops guard`
)

func TestSPEC0007_REQ7_ReservedBeforeItRuns(t *testing.T) {
	const kill = "hang"
	unreported := statefile.Record{Error: store.Unreported, Tier: 2, ActionDetail: "docker restart shop"}
	restarted := statefile.Record{Success: true, Tier: 2, ActionDetail: "docker restart shop", DurationMS: 1200}
	for name, tt := range map[string]struct {
		lines  []string
		want   statefile.Record
		erased bool
	}{
		"outcome told":            {[]string{tellRestarted, finish}, restarted, false},
		"outcome told in all":     {[]string{tellRestarted, `sh claudeops cooldown record shop restart success`, jq(restartByJQ), finish}, restarted, false},
		"outcome told, killed":    {[]string{tellRestarted, kill}, restarted, false},
		"never told":              {[]string{finish}, unreported, false},
		"never told, failed":      {[]string{"exit 1"}, unreported, false},
		"never told, killed":      {[]string{kill}, unreported, false},
		"told by its marker":      {[]string{restartMarker, finish}, statefile.Record{Success: true, Tier: 2, ActionDetail: "docker restart shop; restarted, HTTP 200 after 20 s"}, false},
		"told by marker, killed":  {[]string{restartMarker, kill}, statefile.Record{Success: true, Tier: 2, ActionDetail: "docker restart shop; restarted, HTTP 200 after 20 s"}, false},
		"erased":                  {[]string{jq(`.services.shop.restarts = []`), tellRestarted, finish}, statefile.Record{Success: true, Tier: 2}, true},
		"erased, killed":          {[]string{jq(`del(.services.shop)`), kill}, statefile.Record{Error: store.Unreported, Tier: 2}, true},
		"success, then a failure": {[]string{tellRestarted, `sh claudeops cooldown record shop restart failure --error 'still 502'`, finish}, statefile.Record{Error: "still 502", Tier: 2, ActionDetail: "docker restart shop", DurationMS: 1200}, false},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.agent(1, reportDown, finish)
			last := tt.lines[len(tt.lines)-1]
			if last == kill {
				w.agent(2, append(append([]string{askRestart}, tt.lines[:len(tt.lines)-1]...), `sh touch "$FAKE_AGENT_DIR/running"`, kill)...)
				w.kill("running")
				w.agent(1, finish)
			} else {
				w.agent(2, append([]string{askRestart}, tt.lines...)...)
			}
			code := 0
			if strings.HasPrefix(last, "exit") {
				code = 1
			}
			w.cycle(code)
			if !w.acted() {
				t.Fatal("the restart was not granted")
			}
			records, acts := w.cooldowns().Service("shop").Restarts, w.acts()
			if len(records) != 1 || len(acts) != 1 {
				t.Fatalf("records %+v, acts %+v, want one", records, acts)
			}
			got, act := records[0], acts[0]
			if act.ID != got.ID || act.Success != got.Success || act.Error != got.Error || act.ToolUseID != "toolu_1" {
				t.Errorf("the record is %+v, the act %+v", got, act)
			}
			got.ID, got.Timestamp = "", statefile.Time{}
			if got.Success != tt.want.Success || got.Error != tt.want.Error || got.ActionDetail != tt.want.ActionDetail ||
				got.DurationMS != tt.want.DurationMS || got.Tier != tt.want.Tier {
				t.Errorf("the record is %+v, want %+v", got, tt.want)
			}
			erased := 0
			for _, n := range w.told("human_attention") {
				if n.Cause == "erased_records" {
					erased++
				}
			}
			if tt.erased != (erased == 1) {
				t.Errorf("people are told %d times of erased records", erased)
			}
		})
	}
}
