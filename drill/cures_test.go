package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/testkit/modeltest"
	"github.com/claudeops/claudeops/testkit/need"
)

// everyday are the cases whose cures the tests play each time: a restart, a redeployment, an action, a proposal, one that only
// a model sees, and one without an act.
var everyday = []string{"hang", "wrong-password", "db-lock-other", "port-taken", "clock-wrong", "recovered"}

// leastMended is how many faults must be mended where all cures are played: fewer say that the machine lacks too much, or the machinery fails.
const leastMended = 25

// The real agent program, with a scripted model that knows each case and plays its cure: every cure gets through the broker to the service,
// and nothing else is touched. The services file has no first aid, which would take cures from the model. All cases, or some:
//
//	DRILL_CURES=all go test -v -timeout 60m -run '^TestEveryCureGetsThrough$' ./drill
//	DRILL_CURES='crash hang' go test -v -run '^TestEveryCureGetsThrough$' ./drill
func TestEveryCureGetsThrough(t *testing.T) {
	need.Full(t, "PostgreSQL and the real claude program")
	named := strings.Fields(os.Getenv("DRILL_CURES"))
	switch {
	case len(named) == 0:
		named = everyday
	case slices.Equal(named, []string{"all"}):
		named = nil
	}
	var seen, unseen []Case // by the checks: there the probes are Tier 1, elsewhere a model
	for _, c := range chosen(t, named...) {
		if c.Kind == Fault && !c.Unseen {
			seen = append(seen, c)
		} else {
			unseen = append(unseen, c)
		}
	}
	srv := modeltest.Start(t, nil)
	play := func(tier1 string, list []Case) []Result {
		o := with(t, environ(t, append(srv.Environ(), "CLAUDEOPS_CLAUDE_BIN="+modeltest.Program(t), "CLAUDEOPS_TIER1_AGENT="+tier1,
			"DOCKER_HOST="+os.Getenv("DOCKER_HOST"), "DOCKER_CONFIG="+os.Getenv("DOCKER_CONFIG"))...), list...)
		o.noFirstAid = true
		o.Began = func(lab *Lab, c Case) { srv.Play(player{t, lab, c}.script()) }
		o.Ended = func(r Result) {
			text, err := json.Marshal(r)
			t.Logf("%s %v", text, err)
		}
		report, err := Run(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		return report.Cases
	}
	mended, skipped, permitted := 0, []string{}, []string{}
	for _, r := range append(play("probe", seen), play("claude", unseen)...) {
		switch {
		case r.Skipped != "":
			skipped = append(skipped, r.Name+" ("+r.Skipped+")")
		case len(r.Collateral) > 0:
			t.Errorf("%s: touched %q", r.Name, r.Collateral)
		case r.Kind == NoAct:
		case !r.Mended || *r.Cause != CauseNamed:
			t.Errorf("%s: mended %v, cause %s", r.Name, r.Mended, *r.Cause)
		default:
			mended++
			if chosen(t, r.Name)[0].Propose != nil {
				permitted = append(permitted, r.Name)
			}
		}
	}
	t.Logf("%d mended, of these after a proposal was permitted: %q; skipped: %q", mended, permitted, skipped)
	if named == nil && mended < leastMended {
		t.Errorf("%d mended of all cases, want at least %d", mended, leastMended)
	}
}

func TestTheDrillEndsAtTheDailyBudget(t *testing.T) {
	need.Full(t, "the real claude program")
	srv := modeltest.Start(t, nil)
	o := with(t, environ(t, append(srv.Environ(), "CLAUDEOPS_CLAUDE_BIN="+modeltest.Program(t), "CLAUDEOPS_TIER1_AGENT=probe")...), chosen(t, "hang", "crash")...)
	o.noFirstAid, o.DailyBudgetUSD = true, 0.001
	o.Began = func(lab *Lab, c Case) { srv.Play(player{t, lab, c}.script()) }
	report, err := Run(t.Context(), o)
	const want = "CLAUDEOPS_DAILY_BUDGET_USD is 0.001: the drill has ended after 1 of 2 cases"
	if err == nil || !strings.Contains(err.Error(), want) || len(report.Cases) != 1 || report.Cases[0].CostUSD == 0 {
		t.Errorf("%+v, %v; want %s", report, err, want)
	}
}

// player is a model that knows a case.
type player struct {
	t   *testing.T
	lab *Lab
	c   Case
}

func (p player) script() modeltest.Script {
	if p.c.Kind == NoAct {
		return modeltest.Script{"": {modeltest.Say("Nothing is to be done.")}}
	}
	return modeltest.Script{"haiku": {modeltest.Ask(p.observe)}, "sonnet": p.turns(2), "opus": p.turns(3)}
}

// observe is Tier 1: the checks have seen what they can see.
func (p player) observe(modeltest.Request) modeltest.Turn {
	if !p.c.Unseen || p.c.Well(p.t.Context(), p.lab) == nil {
		return modeltest.Say("The probes have checked all.")
	}
	return modeltest.Use("mcp__claudeops__report", map[string]any{"check_results": []any{
		map[string]any{"service": p.c.Services[0], "check_type": "service", "status": "down", "error": p.c.Summary}}})
}

// turns are those of Tier 2 or 3: it looks, acts as far as its tier may, and says what the cause was.
func (p player) turns(tier int) (turns []modeltest.Turn) {
	look := "labctl status " + p.c.Services[0]
	switch {
	case slices.Contains(p.c.Needs, containers) || slices.Contains(p.c.Needs, compose):
		look = "docker ps --all"
	case slices.Contains(p.c.Needs, units):
		look = "systemctl show --property=ActiveState " + p.lab.unit()
	}
	turns = append(turns, modeltest.Bash(look))
	if tier == 2 && p.c.Cure == "redeploy" {
		return append(turns, modeltest.Ask(func(q modeltest.Request) modeltest.Turn {
			return modeltest.Use("mcp__claudeops__hand_off", map[string]any{
				"services_affected": p.c.Services, "investigation_findings": p.cause(), "remediation_attempted": "nothing: a restart would not remove the cause",
				"evidence": []any{map[string]any{"command": look, "quote": quote(q)}}})
		}))
	}
	seen, proposed, waits := "", p.c.Propose == nil, false // in all sessions of the tier
	for i, service := range p.c.Services {
		turns = append(turns, modeltest.Ask(func(q modeltest.Request) modeltest.Turn {
			if i == 0 {
				seen = quote(q)
			}
			if waits = !proposed; waits {
				proposed = true
				return modeltest.Use("mcp__claudeops__propose", map[string]any{"service": service, "argv": p.c.Propose, "why": p.c.Summary})
			}
			return p.act(service)
		}))
	}
	return append(turns, modeltest.Ask(func(q modeltest.Request) modeltest.Turn {
		for _, r := range q.Results {
			if r.IsError && !waits {
				p.t.Errorf("%s: Tier %d: %s", p.c.Name, tier, r.Text)
			}
		}
		return modeltest.Say(fmt.Sprintf("%s\n[EVIDENCE] %s => %s", p.cause(), look, seen))
	}))
}

// cause names the cause with the words of the case.
func (p player) cause() string {
	words := slices.Clone(p.c.Services)
	for _, list := range p.c.Terms {
		words = append(words, list[0])
	}
	return p.c.Summary + ": " + strings.Join(words, ", ")
}

// quote is the first line of what a model was answered last.
func quote(q modeltest.Request) string {
	for _, r := range q.Results {
		line, _, _ := strings.Cut(strings.TrimSpace(r.Text), "\n")
		return line
	}
	return ""
}

// act is the call of the tool that cures a service.
func (p player) act(service string) modeltest.Turn {
	tool, arguments := p.c.Cure, map[string]any{"service": service, "why": p.c.Summary}
	if tool != "restart" && tool != "redeploy" {
		tool, arguments["action"] = "action", tool
	}
	return modeltest.Use("mcp__claudeops__"+tool, arguments)
}
