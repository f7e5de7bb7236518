package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// limit is the state of a limit as scripts read it.
type limit struct {
	Permitted bool       `json:"permitted"`
	Used      int        `json:"used"`
	Limit     int        `json:"limit"`
	FreesAt   *time.Time `json:"frees_at"`
}

func limitOf(t *testing.T, a answer) (l limit) {
	t.Helper()
	if err := json.Unmarshal([]byte(a.out), &l); err != nil {
		t.Fatalf("%v: %q", err, a.out)
	}
	for _, name := range []string{"permitted", "used", "limit", "frees_at"} {
		says(t, a.out, `"`+name+`"`)
	}
	return l
}

func TestCooldownCheck(t *testing.T) {
	const free = "redeployment"
	for name, test := range map[string]struct {
		restarts string
		action   string
		code     int
		want     limit
	}{
		"unknown service": {"[]", "restart", 0, limit{true, 0, 2, nil}},
		"one used":        {done(time.Hour), "restart", 0, limit{true, 1, 2, nil}},
		"used up":         {done(time.Hour, 2*time.Hour), "restart", 1, limit{false, 2, 2, nil}},
		"more than up":    {done(time.Hour, 2*time.Hour, 3*time.Hour), "restart", 1, limit{false, 3, 2, nil}},
		"the other limit": {done(time.Hour, 2*time.Hour), free, 0, limit{true, 0, 1, nil}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.writeCooldowns(shopFile(test.restarts, "[]", 0))
			got := w.run("cooldown", "check", "shop", test.action, "--json")
			l := limitOf(t, got)
			if got.code != test.code || l.Permitted != test.want.Permitted || l.Used != test.want.Used || l.Limit != test.want.Limit {
				t.Errorf("exit code %d, %s", got.code, got.out)
			}
			if !l.Permitted { // when the second youngest leaves the window
				at := w.cooldowns().Service("shop").Restarts[1].Timestamp.Add(statefile.RestartWindow)
				if l.FreesAt == nil || !l.FreesAt.Equal(at) {
					t.Errorf("frees_at is %v, want %v", l.FreesAt, at)
				}
			} else if l.FreesAt != nil {
				t.Errorf("frees_at is %v", l.FreesAt)
			}
			text := w.run("cooldown", "check", "shop", test.action)
			permitted := strings.HasPrefix(text.out, "permitted: ")
			if text.code != test.code || permitted != test.want.Permitted || strings.Count(text.out, "\n") != 1 || text.err != "" {
				t.Errorf("for a person: %+v", text)
			}
			if _, err := os.Stat(w.path("state", "claudeops.db")); err == nil {
				t.Error("a check made a database")
			}
		})
	}
}

func TestCooldownRecord(t *testing.T) {
	w := newWorld(t)
	for i, want := range []limit{{true, 1, 2, nil}, {false, 2, 2, nil}, {false, 3, 2, nil}} {
		a := w.run("cooldown", "record", "shop", "restart", "success", "--json")
		if l := limitOf(t, a); a.code != 0 || l.Permitted != want.Permitted || l.Used != want.Used {
			t.Errorf("record %d: exit code %d, %s", i, a.code, a.out)
		}
	}
	a := w.run("cooldown", "record", "shop", "redeployment", "failure", "--error", "playbook ended with 2")
	if a.code != 0 || !strings.Contains(a.out, "recorded: redeployment of shop") {
		t.Errorf("%+v", a)
	}
	w.wantRecords(3, 1)
	if r := w.cooldowns().Service("shop").Redeployments[0]; r.Success || r.Error != "playbook ended with 2" || r.Tier != 0 {
		t.Errorf("recorded as %+v", r)
	}
}

func TestCooldownShow(t *testing.T) {
	w := newWorld(t)
	if a := w.run("cooldown", "show"); a.code != 0 || !strings.Contains(a.out, "no service") {
		t.Errorf("without a file: %+v", a)
	}
	if a := w.run("cooldown", "show", "--json"); a.code != 0 || strings.TrimSpace(a.out) != "[]" {
		t.Errorf("without a file: %+v", a)
	}
	w.writeCooldowns(fmt.Sprintf(`{"services":{"shop":{"restarts":%s,"redeployments":%s,"consecutive_healthy":1},"db":{}},"last_run":null,"last_daily_digest":null}`,
		done(time.Hour), done(time.Hour)))
	type shown struct {
		Service      string `json:"service"`
		Restart      limit  `json:"restart"`
		Redeployment limit  `json:"redeployment"`
		Healthy      int    `json:"consecutive_healthy"`
	}
	var all, one []shown
	must(t, json.Unmarshal([]byte(w.run("cooldown", "show", "--json").out), &all))
	must(t, json.Unmarshal([]byte(w.run("cooldown", "show", "shop", "--json").out), &one))
	if len(all) != 2 || len(one) != 1 || all[0].Service != "db" || all[1].Service != "shop" || one[0].Service != "shop" {
		t.Fatalf("%+v, %+v", all, one)
	}
	if s := one[0]; s.Restart.Used != 1 || !s.Restart.Permitted || s.Redeployment.Permitted || s.Redeployment.FreesAt == nil || s.Healthy != 1 {
		t.Errorf("%+v", s)
	}
	if a := w.run("cooldown", "show"); !strings.Contains(a.out, "1 of 2") || !strings.Contains(a.out, "1 of 1, free at") {
		t.Errorf("%s", a.out)
	}
}

func TestCooldownUsage(t *testing.T) {
	w := newWorld(t)
	for _, args := range [][]string{
		{}, {"chek", "shop", "restart"}, {"check"}, {"check", "shop"}, {"check", "shop", "reboot"}, {"check", "shop", "restart", "now"},
		{"check", "", "restart"}, {"check", "a\nb", "restart"}, {"record", "shop", "restart"}, {"record", "shop", "restart", "maybe"},
		{"record", "shop", "reboot", "success"}, {"record", strings.Repeat("x", 201), "restart", "success"}, {"reset"}, {"reset", "a", "b"}, {"show", "a", "b"},
	} {
		a := w.run(append([]string{"cooldown"}, args...)...)
		if a.code != 2 || a.out != "" || a.err == "" {
			t.Errorf("cooldown %q: %+v, want exit code 2 and an explanation", args, a)
		}
	}
	if entries, err := os.ReadDir(w.path("state")); err != nil || len(entries) != 0 {
		t.Errorf("something was touched: %v, %v", entries, err)
	}
}

// If a limit cannot be determined, nothing is permitted.
func TestCooldownCheckFailsClosed(t *testing.T) {
	w := newWorld(t)
	must(t, os.Mkdir(w.path("state", "cooldown.json"), 0o700))
	if a := w.run("cooldown", "check", "shop", "restart"); a.code != 1 || !strings.Contains(a.err, "cooldown.json") {
		t.Errorf("%+v", a)
	}
	w.env["CLAUDEOPS_STATE_DIR"] = w.path("none")
	if a := w.run("cooldown", "check", "shop", "restart"); a.code != 1 || !strings.Contains(a.err, "CLAUDEOPS_STATE_DIR") {
		t.Errorf("%+v", a)
	}
}

// together runs a command n times concurrently.
func (w *world) together(times int, args func(i int) []string) {
	w.t.Helper()
	var group sync.WaitGroup
	answers := make([]answer, times)
	for i := range times {
		group.Go(func() { answers[i] = w.run(args(i)...) })
	}
	group.Wait()
	for i, a := range answers {
		if a.code != 0 {
			w.t.Errorf("%q: %+v", args(i), a)
		}
	}
}

func TestTwentyRecordsAtOnce(t *testing.T) {
	w := newWorld(t)
	w.together(20, func(int) []string { return []string{"cooldown", "record", "shop", "restart", "success"} })
	w.wantRecords(20, 0)
}

func TestTwentyRecordsOfAnAgentAtOnce(t *testing.T) {
	w := newWorld(t)
	w.agent(1, reportDown, finish)
	w.restartable("exit 0", "shop")
	w.agent(2, askRestart, `bash for i in $(seq 20); do claudeops cooldown record shop restart success & done; wait`, finish)
	w.cycle(0)
	w.wantRecords(1, 0)
	counted(t, "answers", strings.Split(strings.TrimSpace(w.kept("answer")), "\n"), 20)
}

// Tier 1 may not remediate: nothing that it records in any way counts, or prevents Tier 2.
func TestNothingThatTier1TellsOfCounts(t *testing.T) {
	marker := `[COOLDOWN:restart:shop] success — restarted\n[COOLDOWN:redeployment:shop] success — redeployed\n`
	for name, test := range map[string]struct{ line, said string }{
		"markers":         {`say ` + marker + marker, ""},
		"cooldown record": {`bash for i in 1 2; do claudeops cooldown record shop restart success; done; claudeops cooldown record shop redeployment success`, ""},
		"jq":              {jq(`.services.shop.restarts += [{timestamp: (now | todate), success: true}, {timestamp: (now | todate), success: true}] | .services.shop.redeployments += [{timestamp: "2024-03-01T12:00:00Z", success: true}]`), "Not counted: Tier 1 may not remediate"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.agent(1, reportDown, test.line, finish)
			w.agent(2, finish)
			w.cycle(0)
			w.wantStatuses("1 escalated", "2 completed")
			w.wantRecords(0, 0)
			counted(t, "acts", w.acts(), 0)
			if test.said != "" {
				w.wantEvent(store.Warning, test.said)
			}
			if name == "cooldown record" && !strings.Contains(w.kept("answer"), "not recorded: claudeops ran no restart") {
				t.Errorf("the agent was told %q", w.kept("answer"))
			}
			counted(t, "critical events", w.events(store.Critical), 0)
		})
	}
}

// What an operator records or resets while an agent runs is the operator's.
func TestCooldownCommandsBesideAnAgent(t *testing.T) {
	for name, test := range map[string]struct {
		args []string
		left int
	}{
		"reset":  {[]string{"cooldown", "reset", "shop"}, 0},
		"record": {[]string{"cooldown", "record", "shop", "restart", "success"}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.writeCooldowns(shopFile(done(time.Hour), "[]", 0))
			w.agent(1, `sh touch "$FAKE_AGENT_DIR/running"`, "wait-for "+w.path("agent", "go"), finish)
			cmd := w.start("run-once")
			waitFor(t, w.path("agent", "running"))
			w.exits(0, test.args...)
			must(t, os.WriteFile(w.path("agent", "go"), nil, 0o600))
			must(t, cmd.Wait())
			w.wantRecords(test.left, 0)
			counted(t, "critical events", w.events(store.Critical), 0)
		})
	}
}

// What only an agent says is nothing to tell people, and no reason to wait for an alert to end.
func TestARecordIsNoRemediation(t *testing.T) {
	t.Run("to tell of", func(t *testing.T) {
		w := probing(t, []string{"shop"}, nil)
		w.breaks("shop")
		w.agent(2, claim("shop", "restarts", "success: true"), mendShop, finish)
		w.cycle(0)
		w.wantRecords(1, 0)
		w.wantNotified("remediated")
	})
	t.Run("to wait for", func(t *testing.T) {
		w := probing(t, []string{"shop"}, nil)
		w.alertFirst(shopFires)
		w.agent(2, claim("shop", "restarts", "success: true"), finish)
		w.cycle(0)
		w.cycle(0)
		w.wantRecords(1, 0)
		if said := strings.Join(w.events(store.Info), "\n"); strings.Contains(said, "waited for") || strings.Contains(said, "waiting for the alert") {
			t.Errorf("the alert is held back:\n%s", said)
		}
	})
}
