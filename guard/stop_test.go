package guard

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/check"
)

const (
	stopped    = `{"hook_event_name":"Stop","stop_hook_active":false}`
	stillGoing = `{"hook_event_name":"Stop","stop_hook_active":true}`
	goodOne    = `{"schema_version":1,"recommended_tier":2,"services_affected":["shop"],"check_results":[{"service":"shop","check_type":"http","status":"down","error":"502"}],"cooldown_state":{}}`
)

func TestStop(t *testing.T) {
	down := []check.Result{{Service: "shop", Type: check.HTTP, Status: check.Down}, {Service: "api", Type: check.HTTP, Status: check.Degraded}, {Service: "db", Type: check.HTTP, Status: check.Healthy}}
	for name, test := range map[string]struct {
		tier    int
		handoff string
		results []check.Result
		told    []string // parts of what the agent is told; none where it may go
	}{
		"all healthy":                         {1, "", down[2:], nil},
		"nothing reported":                    {1, "", nil, nil},
		"a valid handoff":                     {1, goodOne, down, nil},
		"something unhealthy and no handoff":  {1, "", down, []string{"api is degraded, shop is down, and there is no handoff.json", "claudeops report"}},
		"a Tier 2 that is done":               {2, "", down, nil},
		"an invalid handoff":                  {1, `{"schema_version":1}`, nil, []string{"recommended_tier", "services_affected", "check_results", "claudeops handoff write --tier 2"}},
		"no JSON":                             {2, `{`, nil, []string{"handoff.json is not valid", "--tier 3"}},
		"Tier 2 with the handoff of a Tier 1": {2, goodOne, nil, []string{"recommended_tier", "investigation_findings"}},
		"an invalid one of Tier 3":            {3, `{}`, nil, []string{"not valid", "--tier 3"}},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, test.tier)
			d.results = test.results
			if test.handoff != "" {
				must(t, os.WriteFile(d.Handoff, []byte(test.handoff), 0o600))
			}
			out, err := d.Answer(t.Context(), []byte(stopped))
			must(t, err)
			if blocked := strings.HasPrefix(string(out), `{"decision":"block","reason":"`); blocked != (len(test.told) > 0) || !blocked && len(out) > 0 {
				t.Errorf("answer %q; to be blocked: %t", out, len(test.told) > 0)
			}
			for _, part := range test.told {
				if !strings.Contains(string(out), part) {
					t.Errorf("it is not told %q: %s", part, out)
				}
			}
		})
	}
}

func TestAnAgentIsBlockedTwiceAtMost(t *testing.T) {
	const bad, worse, worst = `{"schema_version":1}`, `{"schema_version":2}`, `[]`
	for name, test := range map[string]struct {
		handoffs, inputs []string
		blocks           string
	}{
		"the same fault, and a repeat":          {[]string{bad, bad}, []string{stopped, stillGoing}, "yes no"},
		"the same fault, after other work":      {[]string{bad, bad, bad}, []string{stopped, stopped, stopped}, "yes yes no"},
		"another fault":                         {[]string{bad, worse, worst}, []string{stopped, stillGoing, stillGoing}, "yes yes no"},
		"mended":                                {[]string{bad, goodOne}, []string{stopped, stillGoing}, "yes no"},
		"a repeat of somebody else's hook":      {[]string{bad}, []string{stillGoing}, "yes"},
		"a fault that comes back after another": {[]string{bad, worse, bad}, []string{stopped, stillGoing, stillGoing}, "yes yes no"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, 1)
			var blocks []string
			for i, input := range test.inputs {
				must(t, os.WriteFile(d.Handoff, []byte(test.handoffs[i]), 0o600))
				out, err := d.Answer(t.Context(), []byte(input))
				must(t, err)
				blocks = append(blocks, map[bool]string{true: "yes", false: "no"}[len(out) > 0])
			}
			if got := strings.Join(blocks, " "); got != test.blocks {
				t.Errorf("blocked: %s, want %s", got, test.blocks)
			}
		})
	}
}

// Whatever cannot be known lets an agent go: there is no answer that keeps it.
func TestTroubleDoesNotKeepAnAgent(t *testing.T) {
	broken := errors.New("database is locked")
	for name, spoil := range map[string]func(*desk) error{
		"results unreadable": func(d *desk) error {
			d.Checks = func(context.Context) ([]check.Result, error) { return nil, broken }
			return nil
		},
		"audit unreadable": func(d *desk) error {
			return errors.Join(os.WriteFile(d.Handoff, []byte("{"), 0o600), os.Mkdir(d.Audit.Path, 0o700))
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, 1)
			must(t, spoil(d))
			out, err := d.Answer(t.Context(), []byte(stopped))
			if len(out) > 0 || err == nil {
				t.Errorf("%q, %v; want no answer and an error", out, err)
			}
		})
	}
}
