package e2e

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// Lines of agent scripts that concern the limits.
const (
	checkRestart  = `bash claudeops cooldown check shop restart`
	ifRefused     = `sh test -e "$FAKE_AGENT_DIR/acted" || touch "$FAKE_AGENT_DIR/refused"`
	restartByJQ   = `.services.shop.restarts += [{timestamp: (now | todate), success: true}]`
	restartMarker = `say [COOLDOWN:restart:shop] success — restarted, HTTP 200 after 20 s`
	resetByJQ     = `.services.shop.restarts = [] | .services.shop.redeployments = [] | .services.shop.consecutive_healthy = 0`
)

// jq returns the command of the cooldown skill with a filter.
func jq(filter string) string { return "sh " + jqCommand(filter) }

func jqCommand(filter string) string {
	return `jq '` + filter + `' "$CLAUDEOPS_STATE_DIR/cooldown.json" > "$CLAUDEOPS_STATE_DIR/cooldown.json.tmp" && ` +
		`mv "$CLAUDEOPS_STATE_DIR/cooldown.json.tmp" "$CLAUDEOPS_STATE_DIR/cooldown.json"`
}

// claim returns a line by which an agent adds a record to its copy of cooldown.json.
func claim(service, list, record string) string {
	return jq(`.services["` + service + `"].` + list + ` += [{timestamp: (now | todate), ` + record + `}]`)
}

// stamp returns a time that long ago, in the file's format.
func stamp(ago time.Duration) string { return time.Now().UTC().Add(-ago).Format(time.RFC3339) }

// done returns records of successful remediations that long ago, as an operator writes them.
func done(ago ...time.Duration) string {
	list := make([]string, len(ago))
	for i, a := range ago {
		list[i] = fmt.Sprintf(`{"timestamp":%q,"success":true}`, stamp(a))
	}
	return "[" + strings.Join(list, ",") + "]"
}

// shopFile returns a cooldown.json with shop.
func shopFile(restarts, redeployments string, healthy int) string {
	return fmt.Sprintf(`{"services":{"shop":{"restarts":%s,"redeployments":%s,"consecutive_healthy":%d}},"last_run":null,"last_daily_digest":null}`,
		restarts, redeployments, healthy)
}

// kept returns what the agent has written to a file in its directory.
func (w *world) kept(name string) string {
	w.t.Helper()
	text, err := os.ReadFile(w.path("agent", name))
	must(w.t, err)
	return string(text)
}

func (w *world) acted() bool {
	_, err := os.Stat(w.path("agent", "acted"))
	return err == nil
}

// acts returns the remediations in the database that count, oldest first.
func (w *world) acts() (list []store.Act) {
	w.t.Helper()
	w.database(func(ctx context.Context, s *store.Store) {
		var err error
		list, err = s.ActsSince(ctx, time.Now().Add(-statefile.PruneAfter))
		must(w.t, err)
	})
	return list
}

// wantRecords fails unless shop has n records in the file, and the database has the same.
func (w *world) wantRecords(restarts, redeployments int) {
	w.t.Helper()
	shop := w.cooldowns().Service("shop")
	if len(shop.Restarts) != restarts || len(shop.Redeployments) != redeployments {
		w.t.Errorf("%d restarts and %d redeployments in the file, want %d and %d: %+v", len(shop.Restarts), len(shop.Redeployments), restarts, redeployments, shop)
	}
	var inFile, inBase []string
	for _, r := range slices.Concat(shop.Restarts, shop.Redeployments) {
		inFile = append(inFile, r.ID)
	}
	for _, a := range w.acts() {
		if a.Service == "shop" {
			inBase = append(inBase, a.ID)
		}
	}
	slices.Sort(inFile)
	slices.Sort(inBase)
	if !slices.Equal(inFile, inBase) {
		w.t.Errorf("records %q in the file, %q in the database", inFile, inBase)
	}
}

func (w *world) wantNoNotification(kind string) {
	w.t.Helper()
	counted(w.t, "notifications", w.notified(kind), 0)
}

func TestSPEC0007_REQ2_FirstRunWithNoExistingStateFile(t *testing.T) {
	w := newWorld(t)
	w.agent(1, `sh jq -c . "$CLAUDEOPS_STATE_DIR/cooldown.json" > "$FAKE_AGENT_DIR/kept"`, finish)
	w.cycle(0)
	equal(t, "Tier 1 found", w.kept("kept"), `{"services":{},"last_run":null,"last_daily_digest":null}`+"\n")
}

// limited makes Tier 2 ask whether it may restart, after restarts that long ago.
func limited(t *testing.T, ago ...time.Duration) *world {
	t.Helper()
	w := newWorld(t)
	w.writeCooldowns(shopFile(done(ago...), "[]", 0))
	w.agent(1, reportDown, finish)
	w.agent(2, checkRestart, finish)
	w.cycle(0)
	w.wantStatuses("1 escalated", "2 completed")
	return w
}

func TestSPEC0007_REQ4_FirstRestartWithinCooldownWindow(t *testing.T) {
	w := limited(t)
	if !w.acted() {
		t.Errorf("the agent is answered %q", w.kept("answer"))
	}
	w.wantNoNotification("human_attention")
}

func TestSPEC0007_REQ4_ThirdRestartBlockedByCooldown(t *testing.T) {
	w := limited(t, time.Hour, 3*time.Hour+50*time.Minute)
	if w.acted() {
		t.Errorf("the agent is answered %q", w.kept("answer"))
	}
	sent := w.notified("human_attention")
	if len(sent) != 1 || sent[0].Service != "shop" || sent[0].IncidentID == nil {
		t.Fatalf("notifications %+v", sent)
	}
	says(t, sent[0].Body, "The limit of 2 restarts in 4 h is reached: a restart was refused. ")
	context, _ := w.given(2).Flag("--append-system-prompt")
	says(t, strings.ReplaceAll(context, `": `, `":`), `"permitted":false`)
}

func TestSPEC0007_REQ6_ServiceHealthyForTwoConsecutiveChecks(t *testing.T) {
	w := newWorld(t)
	w.writeCooldowns(shopFile(done(time.Hour, 2*time.Hour), done(time.Hour), 0))
	w.agent(1, reportFine, finish)
	w.cycle(0)
	w.wantRecords(2, 1)
	w.cycle(0)
	w.wantRecords(0, 0)
	equal(t, "consecutive_healthy", w.cooldowns().Service("shop").ConsecutiveHealthy, 0)
	for _, action := range statefile.Actions() {
		w.exits(0, "cooldown", "check", "shop", string(action))
	}
}

func TestSPEC0007_REQ6_TheSkillsResetInTier1(t *testing.T) {
	const ownHandoff = `sh echo '{"schema_version":1,"recommended_tier":2,"services_affected":["shop"],"check_results":[{"service":"shop","check_type":"http","status":"down","error":"x"}],"cooldown_state":{}}' > "$CLAUDEOPS_STATE_DIR/handoff.json"`
	for name, test := range map[string]struct {
		healthy int // consecutive_healthy at the start
		lines   []string
		left    int  // restarts
		sent    bool // that the agent tampered with them
	}{
		"second healthy cycle":                   {1, []string{jq(resetByJQ)}, 0, false},
		"first healthy cycle":                    {0, []string{jq(resetByJQ)}, 2, true},
		"reported as down":                       {1, []string{reportDown, jq(resetByJQ)}, 2, false},
		"handed off as down":                     {1, []string{jq(resetByJQ), ownHandoff}, 2, false},
		"one array only":                         {1, []string{jq(`.services.shop.restarts = [] | .services.shop.consecutive_healthy = 0`)}, 2, true},
		"count that the agent raised on its own": {0, []string{jq(`.services.shop.consecutive_healthy = 1`), jq(resetByJQ)}, 2, true},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.writeCooldowns(shopFile(done(time.Hour, 2*time.Hour), done(time.Hour), test.healthy))
			w.agent(1, append(test.lines, finish)...)
			w.agent(2, finish)
			w.cycle(0)
			w.wantRecords(test.left, test.left/2)
			w.wantErased(test.sent)
		})
	}
}

func TestSPEC0007_REQ6_NoResetInAHigherTier(t *testing.T) {
	w := newWorld(t)
	w.writeCooldowns(shopFile(done(time.Hour, 2*time.Hour), "[]", 1))
	w.agent(1, reportDown, finish)
	w.agent(2, jq(resetByJQ), finish)
	w.cycle(0)
	w.wantRecords(2, 0)
	w.wantEvent(store.Critical, "changes nothing")
}

// A cycle counts once, after Tier 1: a count that a higher tier writes is not a health check of a cycle.
func TestSPEC0007_REQ6_HigherTiersDoNotCount(t *testing.T) {
	w := newWorld(t)
	w.agent(1, reportDown, finish)
	w.agent(2, claim("shop", "restarts", "success: true"), jq(`.services.shop.consecutive_healthy = 2`), finish)
	w.cycle(0)
	w.agent(1, reportFine, finish)
	w.cycle(0)
	w.wantRecords(1, 0)
	equal(t, "consecutive_healthy", w.cooldowns().Service("shop").ConsecutiveHealthy, 1)
}

func TestSPEC0007_REQ7_SuccessfulContainerRestart(t *testing.T) {
	for name, lines := range map[string][]string{
		"the broker's":           {askRestart},
		"the broker's, and told": {askRestart, `bash claudeops cooldown record shop restart success`, jq(restartByJQ), restartMarker},
		"jq":                     {jq(restartByJQ)},
		"jq, and told":           {jq(restartByJQ), restartMarker, `bash claudeops cooldown record shop restart success`},
		"jq, wrong year":         {jq(`.services.shop.restarts += [{timestamp: "2024-03-01T12:00:00Z", success: true}]`)},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.restartable("exit 0", "shop")
			began := time.Now().UTC().Truncate(time.Second)
			w.agent(1, reportDown, finish)
			w.agent(2, append(lines, finish)...)
			w.cycle(0)
			w.wantRecords(1, 0)
			for _, r := range w.cooldowns().Service("shop").Restarts {
				if !r.Success || r.Error != "" || r.Tier != 2 || r.Timestamp.Before(began) || r.Timestamp.After(time.Now()) {
					t.Errorf("recorded as %+v", r)
				}
			}
			counted(t, "critical events", w.events(store.Critical), 0)
		})
	}
}

// A marker is an event and counts nothing, and so does `cooldown record` of what the broker has not run.
func TestSPEC0007_REQ7_WhatOnlyAnAgentTellsCountsNothing(t *testing.T) {
	w := newWorld(t)
	w.agent(1, reportDown, finish)
	w.agent(2, restartMarker, `bash claudeops cooldown record shop restart success`, finish)
	w.cycle(0)
	w.wantRecords(0, 0)
	w.wantEvent(store.Info, "the agent wrote [COOLDOWN:restart:shop] success")
	says(t, w.kept("answer"), "not recorded: claudeops ran no restart of shop in this session; the tool `restart` does it and records it")
}

// What the agent of a killed cycle did and added counts once.
func TestSPEC0007_REQ7_KilledCycle(t *testing.T) {
	for name, lines := range map[string][]string{
		"jq":                   {"bash " + jqCommand(restartByJQ)},
		"the broker's":         {askRestart},
		"the broker's, and jq": {askRestart, "bash " + jqCommand(restartByJQ)},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.restartable("exit 0", "shop")
			w.agent(1, reportDown, finish)
			w.agent(2, append(lines, `sh touch "$FAKE_AGENT_DIR/running"`, "hang")...)
			w.kill("running")
			w.agent(1, finish)
			w.cycle(0)
			w.wantStatuses("1 escalated", "2 interrupted", "1 completed")
			w.wantRecords(1, 0)
		})
	}
}

// kill starts a cycle and kills it when its agent has created a file.
func (w *world) kill(file string) {
	w.t.Helper()
	cmd := w.start("run-once")
	waitFor(w.t, w.path("agent", file))
	must(w.t, cmd.Process.Kill())
	_ = cmd.Wait() // killed
}

func TestSPEC0007_REQ8_RunWithEscalation(t *testing.T) {
	w := newWorld(t)
	w.agent(1, reportDown, finish)
	w.agent(2, askForTier3, finish)
	w.agent(3, finish)
	w.cycle(0)
	last := w.sessions()[2]
	if at := w.cooldowns().LastRun; at == nil || at.Before(last.EndedAt.Truncate(time.Second)) {
		t.Errorf("last_run %v is before the end of Tier 3 at %v", at, last.EndedAt)
	}
}

func TestSPEC0007_REQ8_WhateverBecameOfTheTiers(t *testing.T) {
	for name, test := range map[string]struct {
		lines []string
		env   string
		value string
	}{
		"failed":      {[]string{"exit 1"}, "CLAUDEOPS_LOG_LEVEL", "info"},
		"timed out":   {[]string{"hang"}, "CLAUDEOPS_TIER1_TIMEOUT", "200ms"},
		"not started": {nil, "CLAUDEOPS_CLAUDE_BIN", "/bin/false"},
		"bad handoff": {[]string{writeGarbage, "exit 1"}, "CLAUDEOPS_LOG_LEVEL", "info"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.env[test.env] = test.value
			w.writeCooldowns(strings.Replace(shopFile("[]", "[]", 0), `"last_run":null`, `"last_run":"2025-06-15T10:30:00Z"`, 1))
			w.agent(1, test.lines...)
			began := time.Now().UTC().Truncate(time.Second)
			w.cycle(1)
			if at := w.cooldowns().LastRun; at == nil || at.Before(began) {
				t.Errorf("last_run is %v", at)
			}
		})
	}
}

func TestSPEC0007_REQ12_SingleContainerAccessingState(t *testing.T) {
	w := newWorld(t)
	w.agent(1, reportDown, finish)
	w.agent(2, claim("shop", "restarts", "success: true"), claim("db", "restarts", "success: true"), claim("shop", "redeployments", "success: true"), finish)
	w.cycle(0)
	w.wantRecords(1, 1)
	counted(t, "db's restarts", w.cooldowns().Service("db").Restarts, 1)
}
