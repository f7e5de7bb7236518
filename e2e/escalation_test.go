package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/handoff"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// escalationContext returns the JSON that the last run of a tier's agent got.
func (w *world) escalationContext(tier int) (h handoff.Handoff) {
	w.t.Helper()
	text, _ := w.given(tier).Flag("--append-system-prompt")
	_, text, _ = strings.Cut(text, "<escalation-context>\n")
	text, _, found := strings.Cut(text, "\n</escalation-context>")
	if !found {
		w.t.Fatalf("Tier %d has no escalation context", tier)
	}
	must(w.t, json.Unmarshal([]byte(text), &h))
	return h
}

// findings returns "service type status" of each result.
func findings(results []check.Result) (list []string) {
	for _, r := range results {
		list = append(list, r.Service+" "+string(r.Type)+" "+string(r.Status))
	}
	return list
}

func wantEqual(t *testing.T, what string, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s, -want +got:\n%s", what, diff)
	}
}

// The handoff contains only the newest records, whether `claudeops report` or `claudeops handoff write` writes it.
func TestAServiceWithVeryManyRecordsEscalates(t *testing.T) {
	for name, script := range map[string][]string{
		"reported":   {reportDown},
		"handed off": {reportDown, `bash echo '{"services_affected":["shop"],"check_results":[{"service":"shop","check_type":"http","status":"down","error":""}]}' | claudeops handoff write --tier 2`},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			many := statefile.New()
			first := time.Now().Add(-40 * time.Hour)
			for i := range 20_000 { // none of them counts any more
				at := first.Add(time.Duration(i) * time.Second)
				many.Add("shop", statefile.Restart, statefile.Record{Timestamp: statefile.At(at), ID: fmt.Sprint("id-", i)})
			}
			text, err := many.Marshal()
			must(t, err)
			w.writeCooldowns(string(text))
			w.agent(1, append(script, finish)...)
			w.agent(2, finish)
			w.cycle(0)
			w.wantStatuses("1 escalated", "2 completed")
			var got struct {
				Services map[string]struct {
					Restarts []statefile.Record `json:"restarts"`
					Older    int                `json:"older_records"`
				} `json:"services"`
			}
			must(t, json.Unmarshal(w.escalationContext(2).CooldownState, &got))
			shop := got.Services["shop"]
			if n := len(shop.Restarts); n != 20 || shop.Restarts[n-1].ID != "id-19999" || shop.Older != 19_980 {
				t.Errorf("%d restarts, the last %+v, and %d older", n, shop.Restarts[max(n-1, 0):], shop.Older)
			}
		})
	}
}

// What Tier 1 reported is passed on, also beside a handoff of its own.
func TestReportIsAHandoff(t *testing.T) {
	reportBoth := `bash echo '[{"service":"shop","check_type":"http","status":"down","error":"502 Bad Gateway"},{"service":"mail","check_type":"service","status":"degraded"}]' | claudeops report`
	handOffMail := `bash echo '{"services_affected":["mail"],"check_results":[{"service":"mail","check_type":"service","status":"degraded","error":""}]}' | claudeops handoff write --tier 2`
	for name, tt := range map[string]struct {
		script []string
		want   []string
		warned bool
	}{
		"alone":                   {[]string{reportDown}, []string{"shop"}, false},
		"with a later one":        {[]string{reportBoth, reportFine}, []string{"mail"}, false},
		"with a handoff of fewer": {[]string{reportBoth, handOffMail}, []string{"mail", "shop"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.agent(1, append(tt.script, "say it is down", finish)...)
			w.agent(2, finish)
			w.cycle(0)
			w.wantStatuses("1 escalated", "2 completed")
			wantEqual(t, "services affected", tt.want, w.escalationContext(2).ServicesAffected)
			if tt.warned {
				w.wantEvent(store.Warning, "Tier 1 did not hand off all that was found unwell: shop added")
			}
			kept, err := handoff.Parse([]byte(w.sessions()[0].HandoffJSON), 1)
			must(t, err)
			wantEqual(t, "services affected in the record", tt.want, kept.ServicesAffected)
		})
	}
}

// If no further tier may start, people are notified of each reported service by name.
func TestReportIsToldWhereNothingEscalates(t *testing.T) {
	for variable, kind := range map[string]string{"CLAUDEOPS_MAX_TIER=1": "human_attention", "CLAUDEOPS_DRY_RUN=true": "agent_failing"} {
		t.Run(variable, func(t *testing.T) {
			w := newWorld(t)
			name, value, _ := strings.Cut(variable, "=")
			w.env[name] = value
			w.agent(1, reportDown, finish)
			w.cycle(3, "--strict")
			w.wantStatuses("1 completed")
			w.wantNotified(kind, "shop")
		})
	}
}

// For services that are held back no tier is started.
func TestReportRespectsASilence(t *testing.T) {
	w := newWorld(t)
	w.agent(1, reportFine, finish)
	w.cycle(0)
	w.exits(0, "silence", "shop", "--for", "2h")
	w.agent(1, reportDown, finish)
	w.cycle(0, "--strict")
	w.wantStatuses("1 completed", "1 completed")
	w.wantNotified("human_attention")
}

// A failed Tier 1 escalates nothing, and people are notified at once of what it had reported, including services that are not in the
// inventory.
func TestReportOfATier1ThatFailsIsTold(t *testing.T) {
	for name, tt := range map[string]struct {
		end       []string
		env       map[string]string
		inventory []string
		statuses  []string
	}{
		"failed":              {[]string{"exit 1"}, nil, nil, []string{"1 failed"}},
		"turn limit":          {[]string{"error-result error_max_turns 0.5"}, nil, nil, []string{"1 failed"}},
		"timed out":           {[]string{"hang"}, map[string]string{"CLAUDEOPS_TIER1_TIMEOUT": "5s"}, nil, []string{"1 timed_out"}},
		"probes in its place": {[]string{"exit 1"}, nil, []string{"mail"}, []string{"1 failed"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			if tt.inventory != nil {
				w.inventory(tt.inventory, nil)
			}
			for name, value := range tt.env {
				w.env[name] = value
			}
			w.agent(1, append([]string{reportDown}, tt.end...)...)
			a := w.cycle(1, "--strict")
			w.wantStatuses(tt.statuses...)
			w.wantNotified("agent_failing", "shop")
			if sent := w.notified("agent_failing"); len(sent) == 1 && !strings.HasPrefix(sent[0].Title, "shop is down and needs human attention: 502 Bad Gateway") {
				t.Errorf("told %q", sent[0].Title)
			}
			says(t, a.out, "needs a human:\n  shop: ")
		})
	}
}

// A handoff in which nothing is unwell starts no tier, in any cycle.
func TestHealthyHandoffStartsNothing(t *testing.T) {
	w := newWorld(t)
	w.agent(1, `bash echo '{"services_affected":["shop"],"check_results":[{"service":"shop","check_type":"http","status":"healthy","error":""}]}' | claudeops handoff write --tier 2`, finish)
	w.agent(2, finish)
	w.cycle(0, "--strict")
	w.wantStatuses("1 completed")
	w.wantEvent(store.Info, "Tier 2 not started for shop: it was found healthy")
	wantEqual(t, "healthy cycles", 1, w.cooldowns().Service("shop").ConsecutiveHealthy)
	wantEqual(t, "incidents", 0, len(w.incidents()))
}

// Only the unwell services in a handoff are passed on. A service without a result counts as down, because it must be examined.
func TestHandoffOfHealthyAndUnwell(t *testing.T) {
	w := newWorld(t)
	w.env["CLAUDEOPS_MAX_TIER"] = "1"
	w.agent(1, `bash echo '{"services_affected":["mail","shop","db"],"check_results":[{"service":"mail","check_type":"http","status":"healthy","error":""},{"service":"shop","check_type":"http","status":"down","error":"x"}]}' | claudeops handoff write --tier 2`, finish)
	w.cycle(3, "--strict")
	w.wantNotified("human_attention", "shop", "db")
}

// Tier 2 may find the cause elsewhere: Tier 3 gets that too, marked, and nothing that Tier 1 found is lost.
func TestHandoffOfTier2LosesNothing(t *testing.T) {
	const found = `"investigation_findings":"db is the cause","remediation_attempted":"nothing"`
	db := `{"service":"db","check_type":"database","status":"down","error":"no space left"}`
	elsewhere := `bash echo '{"services_affected":["db"],"check_results":[` + db + `],` + found + `}' | claudeops handoff write --tier 3`
	report := func(results string) string { return "bash echo '[" + results + "]' | claudeops report" }
	mailWell := `{"service":"mail","check_type":"service","status":"healthy"}`
	all, added := []string{"mail", "shop", "db"}, handoff.Addition{ServicesAffected: []string{"db"}, CheckResults: []check.Result{{Service: "db", Type: check.Database, Status: check.Down, Error: "no space left"}}}
	for name, tt := range map[string]struct {
		script   []string
		affected []string
		added    handoff.Addition
	}{
		"names the cause alone":     {[]string{elsewhere}, all, added},
		"mended one of them":        {[]string{report(mailWell), elsewhere}, []string{"shop", "db"}, added},
		"reported the cause":        {[]string{report(db), strings.Replace(askForTier3, `["shop"]`, `["shop","mail"]`, 1)}, all, handoff.Addition{ServicesAffected: []string{"db"}}},
		"has no results of its own": {[]string{askForTier3}, []string{"mail", "shop"}, handoff.Addition{}},
		"found one of them healthy": {[]string{`bash echo '{"services_affected":["shop","mail"],"check_results":[` + strings.Replace(mailWell, "}", `,"error":""}`, 1) + `],` + found + `}' | claudeops handoff write --tier 3`}, []string{"shop"}, handoff.Addition{CheckResults: []check.Result{{Service: "mail", Type: check.Service, Status: check.Healthy}}}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.agent(1, `bash echo '[{"service":"shop","check_type":"http","status":"down","error":"502 Bad Gateway"},{"service":"mail","check_type":"service","status":"degraded","error":"slow"}]' | claudeops report`, finish)
			w.agent(2, append(tt.script, finish)...)
			w.agent(3, finish)
			w.cycle(0)
			w.wantStatuses("1 escalated", "2 escalated", "3 completed")
			given := w.escalationContext(3)
			wantEqual(t, "services affected", tt.affected, given.ServicesAffected)
			wantEqual(t, "Tier 1's results", []string{"shop http down", "mail service degraded"}, findings(given.CheckResults))
			wantEqual(t, "added", tt.added, given.Added)
			var kept handoff.Handoff
			must(t, json.Unmarshal([]byte(w.sessions()[1].HandoffJSON), &kept))
			wantEqual(t, "added, in the record", tt.added, kept.Added)
			wantEqual(t, "Tier 1's results, in the record", findings(given.CheckResults), findings(kept.CheckResults))
		})
	}
}

// A service that Tier 2 adds has an incident from then on, whatever Tier 3 reports: no other record of it exists.
func TestWhatTier2AddsHasAnIncident(t *testing.T) {
	w := newWorld(t)
	w.agent(1, reportDown, finish)
	w.agent(2, strings.Replace(askForTier3, `["shop"]`, `["shop","db"]`, 1), finish)
	w.agent(3, finish)
	w.cycle(0)
	w.wantStatuses("1 escalated", "2 escalated", "3 completed")
	var open []string
	for _, i := range w.incidents() {
		open = append(open, i.Service+" "+string(i.Status))
	}
	wantEqual(t, "incidents", []string{"db down", "shop down"}, open)
	w.wantEvent(store.Warning, "db is down: incident 2 opened")
}

// needsHuman returns the services in the summary's needs_human after a cycle that exits with code.
func (w *world) needsHuman(code int) []string {
	w.t.Helper()
	var summary struct {
		Needs []struct {
			Service string `json:"service"`
		} `json:"needs_human"`
	}
	must(w.t, json.Unmarshal([]byte(w.cycle(code, "--strict", "--json").out), &summary))
	services := []string{}
	for _, n := range summary.Needs {
		services = append(services, n.Service)
	}
	return services
}

// A request made inside a tier is in the summary at the end of the cycle, and in later ones until the service is found well.
func TestStrictKnowsWhatATierAsked(t *testing.T) {
	w := newWorld(t)
	w.writeCooldowns(shopFile(done(time.Hour, 2*time.Hour), "[]", 0))
	w.agent(1, reportDown, finish)
	w.agent(2, checkRestart, "say I could not restart it", finish)
	wantEqual(t, "needs_human", []string{"shop"}, w.needsHuman(3))
	w.wantNotified("human_attention", "shop")
	wantEqual(t, "needs_human, asked again", []string{"shop"}, w.needsHuman(3))
	w.wantNotified("human_attention", "shop")
	w.agent(1, reportFine, finish)
	wantEqual(t, "needs_human, when it is well", []string{}, w.needsHuman(0))
}

// If an agent erased records, a human is needed for the monitoring itself.
func TestStrictKnowsOfErasedRecords(t *testing.T) {
	w := newWorld(t)
	w.writeCooldowns(shopFile(done(time.Hour), "[]", 0))
	w.agent(1, reportFine, jq(`.services = {}`), finish)
	wantEqual(t, "needs_human", []string{""}, w.needsHuman(3))
}

// No human is needed for a service that is silenced.
func TestStrictLeavesOutWhatIsSilenced(t *testing.T) {
	w := newWorld(t)
	w.writeCooldowns(shopFile(done(time.Hour, 2*time.Hour), "[]", 0))
	w.agent(1, reportDown, finish)
	w.agent(2, checkRestart, ifRefused, "wait-for "+w.path("agent", "silenced"), finish)
	cycle := w.start("run-once", "--strict")
	waitFor(t, w.path("agent", "refused"))
	w.exits(0, "silence", "shop", "--for", "2h")
	must(t, os.WriteFile(w.path("agent", "silenced"), nil, 0o600))
	must(t, cycle.Wait()) // exit 0
	w.wantNotified("human_attention", "shop")
}

// What Tier 2 says against the program's own checks opens no incident, which would permit a restart.
func TestTier2AddsNothingThatTheChecksFindHealthy(t *testing.T) {
	w := newWorld(t)
	w.inventory([]string{"shop", "db"}, nil)
	w.env["CLAUDEOPS_TIER1_AGENT"], w.env["ANTHROPIC_API_KEY"] = "probe", "sk-ant-test"
	w.breaks("shop")
	w.agent(2, `bash echo '[{"service":"db","check_type":"service","status":"down","error":"the log says so"}]' | claudeops report`,
		`bash echo '{"services_affected":["shop","db"],"investigation_findings":"db is the cause","remediation_attempted":"none"}' | claudeops handoff write --tier 3`, finish)
	w.agent(3, finish)
	w.cycle(0)
	w.database(func(ctx context.Context, s *store.Store) {
		open, err := s.OpenIncidents(ctx)
		must(t, err)
		if _, known := open["db"]; known || len(open) != 1 {
			t.Errorf("open are %v", open)
		}
	})
}
