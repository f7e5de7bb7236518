package prompts

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
)

func TestSPEC0007_REQ14_Tier1ReadsCooldownState(t *testing.T) {
	text := prompt(t, 1, session(1))
	read := step(t, text, "Step 4: Read Cooldown State")
	inOrder(t, read, "claudeops cooldown show", "`$CLAUDEOPS_STATE_DIR/cooldown.json`", "Note each service in cooldown", "2 restarts in the last 4 h", "1 redeployment in the last 24 h")
	if strings.Contains(text, "cooldown record") {
		t.Error("Tier 1 is instructed to record remediations, which it may not do")
	}
	inOrder(t, step(t, text, "Step 5: Evaluate Results"), "`healthy`", "`degraded`", "`down`", "in cooldown")
}

func TestSPEC0007_REQ14_Tier2ChecksAndUpdatesCooldownState(t *testing.T) {
	checksThenActs(t, 2, "restart", "`restart` with the service and why")
}

func TestSPEC0007_REQ14_Tier3ChecksAndUpdatesCooldownState(t *testing.T) {
	checksThenActs(t, 3, "redeployment", "`redeploy` with the service and why")
}

// The program records what it runs.
func checksThenActs(t *testing.T, tier int, action, act string) {
	t.Helper()
	inOrder(t, step(t, prompt(t, tier, session(tier)), "Step 3: Check Cooldown, Then Remediate"), "claudeops cooldown check SERVICE "+action,
		"`$CLAUDEOPS_STATE_DIR/cooldown.json`", "records each act", act, "Refused: do")
}

// REQ-6 requires, through REQ-14, that Tier 1 also reports healthy results, because the healthy streak is counted from them.
func TestSPEC0007_REQ6_Tier1ReportsHealthyResultsToo(t *testing.T) {
	inOrder(t, step(t, prompt(t, 1, session(1)), "Step 5: Evaluate Results"), "report ALL results", "one call of `report`", "the healthy ones too")
}

func TestSPEC0016_TierPromptChanges_Tier1PromptWritesHandoffInsteadOfSpawningTask(t *testing.T) {
	inOrder(t, step(t, prompt(t, 1, session(1)), "Step 6: Hand Off or End"),
		"Everything healthy: write no handoff", "`$CLAUDEOPS_STATE_DIR/handoff.json`", "claudeops handoff write --tier 2",
		"`services_affected`", "`check_results`", "`schema_version` 1", "`recommended_tier` 2", "`cooldown_state`", "End.")
}

func TestSPEC0016_TierPromptChanges_Tier2PromptWritesHandoffInsteadOfSpawningTask(t *testing.T) {
	text := step(t, prompt(t, 2, session(2)), "Step 5: Hand Off or End")
	inOrder(t, text, "All affected services healthy: write no handoff", "`$CLAUDEOPS_STATE_DIR/handoff.json`", "then end",
		"claudeops handoff write --tier 3", "services_affected", "investigation_findings", "remediation_attempted",
		"`schema_version` 1", "`recommended_tier` 3", "`check_results`", "`cooldown_state`")
	v := session(2)
	v.MaxTier = 2
	if strings.Contains(text, "switched off") || !strings.Contains(prompt(t, 2, v), "Tier 3 is switched off here") {
		t.Error("Tier 2 is misinformed about whether there is a Tier 3")
	}
}

func TestSPEC0016_TierPromptChanges_TaskToolIsNamedNowhere(t *testing.T) {
	tool := regexp.MustCompile(`\bTask\b|\b[Ss]ub-?agent|\bAgent tool`)
	for _, v := range rehearsals() {
		for name, text := range texts(t, v) {
			if found := tool.FindString(text); found != "" {
				t.Errorf("%s holds %q", name, found)
			}
		}
	}
}

func TestSPEC0016_TierPromptChanges_Tier2ReceivesHandoffContextViaSystemPrompt(t *testing.T) {
	inOrder(t, step(t, prompt(t, 2, session(2)), "Step 1: Read the Escalation Context"),
		"`## Escalation Context`", "`services_affected`", "`check_results`", "`cooldown_state`", "need not be run again")
}

func TestSPEC0016_TierPromptChanges_Tier3ReceivesHandoffContextViaSystemPrompt(t *testing.T) {
	inOrder(t, step(t, prompt(t, 3, session(3)), "Step 1: Read the Escalation Context"),
		"`## Escalation Context`", "`check_results`", "`investigation_findings`", "`remediation_attempted`", "`cooldown_state`")
}

// SPEC-0016 "Escalation chain terminates at Tier 3": what Tier 3 cannot resolve is for a human.
func TestSPEC0016_SupervisorEscalationLogic_Tier3LeavesTheRestToAHuman(t *testing.T) {
	inOrder(t, step(t, prompt(t, 3, session(3)), "Step 5: End, or Ask a Human"),
		"All affected services healthy: write no handoff", "No tier follows", "the call for a human", "claudeops handoff write --tier 3")
}

// The cooldown reset command is only named to forbid it to agents.
func TestOnlyCommandsThatExistAreNamed(t *testing.T) {
	const act = ` (SERVICE|[a-z-]+) (restart|redeployment)`
	forms := regexp.MustCompile(`^claudeops (?:` + strings.Join([]string{
		`report(?: <<'EOF')?`,
		`handoff validate`,
		`handoff write --tier [23](?: <<'EOF')?`,
		`cooldown show(?: [a-z-]+)?`,
		`cooldown reset`,
		`cooldown check` + act,
		`cooldown record` + act + ` success`,
		`query (?:SERVICE STATEMENT|[a-z-]+ ['"].+['"])`,
	}, "|") + `)$`)
	seen := map[string]bool{}
	for name, text := range texts(t, session(1)) {
		for _, code := range code(text) {
			if !strings.HasPrefix(code, "claudeops") {
				continue
			}
			if !forms.MatchString(code) {
				t.Errorf("%s names %q", name, code)
			}
			words := strings.Fields(code)
			seen[strings.Join(words[1:min(len(words), 3)], " ")] = true
		}
	}
	for _, want := range []string{"report", "handoff validate", "handoff write", "cooldown show", "cooldown check", "cooldown record"} {
		if !seen[want] && !seen[want+" <<'EOF'"] {
			t.Errorf("no text names claudeops %s", want)
		}
	}
}

// code returns the code in a text: the lines of its fences and its spans.
func code(text string) []string {
	var found []string
	fenced := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "```"):
			fenced = !fenced
		case fenced:
			found = append(found, line)
		default:
			for i, part := range strings.Split(line, "`") {
				if i%2 == 1 {
					found = append(found, part)
				}
			}
		}
	}
	return found
}

type result struct {
	Service        string `json:"service"`
	CheckType      string `json:"check_type"`
	Status         string `json:"status"`
	Error          string `json:"error"`
	ResponseTimeMS *int   `json:"response_time_ms"`
}

// The example on standard input has the members that SPEC-0016 "Check result object structure" names.
func TestTheExampleOnStandardInputIsWellFormed(t *testing.T) {
	var handoff struct {
		Services  []string `json:"services_affected"`
		Results   []result `json:"check_results"`
		Findings  string   `json:"investigation_findings"`
		Attempted string   `json:"remediation_attempted"`
		Evidence  []struct {
			Command string `json:"command"`
			Quote   string `json:"quote"`
		} `json:"evidence"`
	}
	text := heredoc(t, prompt(t, 3, session(3)), "claudeops handoff write --tier 3")
	must(t, json.Unmarshal([]byte(text), &handoff, json.RejectUnknownMembers(true)))
	if len(handoff.Services) == 0 || len(handoff.Results) == 0 || handoff.Findings == "" || handoff.Attempted == "" {
		t.Errorf("handoff: %+v", handoff)
	}
	checkResults(t, handoff.Results)
}

// A tier's prompt names the tools of that tier, and no others.
func TestPromptsNameTheToolsOfTheirTier(t *testing.T) {
	tools := []string{"report", "hand_off", "restart", "action", "propose", "redeploy"}
	for tier, named := range map[int][]string{
		1: {"report", "hand_off"}, 2: {"report", "hand_off", "restart", "action", "propose"}, 3: {"report", "restart", "action", "propose", "redeploy"},
	} {
		text := prompt(t, tier, session(tier))
		for _, tool := range tools {
			if got, want := strings.Contains(text, "`"+tool+"`"), slices.Contains(named, tool); got != want {
				t.Errorf("Tier %d: names %s: %t, want %t", tier, tool, got, want)
			}
		}
	}
}

func checkResults(t *testing.T, results []result) {
	t.Helper()
	types := regexp.MustCompile(`^(http|dns|container|database|service)$`)
	statuses := regexp.MustCompile(`^(healthy|degraded|down)$`)
	for _, r := range results {
		if r.Service == "" || !types.MatchString(r.CheckType) || !statuses.MatchString(r.Status) || (r.Status == "healthy") != (r.Error == "") {
			t.Errorf("not a check result: %+v", r)
		}
	}
}

func heredoc(t *testing.T, text, command string) string {
	t.Helper()
	_, rest, _ := strings.Cut(text, "\n"+command+" <<'EOF'\n")
	body, _, found := strings.Cut(rest, "\nEOF\n")
	if !found {
		t.Fatalf("no %s with a here-document in\n%s", command, text)
	}
	return body
}

func TestSPEC0007_REQ13_SkillShowsTheDataModel(t *testing.T) {
	_, rest, _ := strings.Cut(texts(t, session(2))["skills/cooldowns.md"], "\n```json\n")
	sample, _, _ := strings.Cut(rest, "\n```\n")
	type record struct {
		Timestamp string `json:"timestamp"`
		Success   *bool  `json:"success"`
		Error     string `json:"error"`
		Tier      int    `json:"tier"`
	}
	var state struct {
		Services map[string]struct {
			Restarts           []record `json:"restarts"`
			Redeployments      []record `json:"redeployments"`
			ConsecutiveHealthy *int     `json:"consecutive_healthy"`
		} `json:"services"`
		LastRun         *string `json:"last_run"`
		LastDailyDigest *string `json:"last_daily_digest"`
	}
	must(t, json.Unmarshal([]byte(sample), &state, json.RejectUnknownMembers(true)))
	shop := state.Services["shop"]
	if len(shop.Restarts) != 2 || shop.Redeployments == nil || shop.ConsecutiveHealthy == nil || state.LastRun == nil {
		t.Errorf("the sample does not show every field: %+v", state)
	}
	for _, r := range shop.Restarts {
		if _, err := time.Parse("2006-01-02T15:04:05Z", r.Timestamp); err != nil || r.Success == nil || *r.Success != (r.Error == "") {
			t.Errorf("not an action record: %+v", r)
		}
	}
}
