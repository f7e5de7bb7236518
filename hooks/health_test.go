package hooks

import (
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
)

// settingsOf returns the settings of an environment.
func settingsOf(environ ...string) *Config {
	c := LoadConfig("", environ, "/nowhere")
	if len(c.Faults) > 0 {
		panic(strings.Join(c.Faults, "\n"))
	}
	return c
}

func TestHealth(t *testing.T) {
	now := time.Date(2026, 2, 10, 23, 40, 0, 0, time.UTC)
	at, later, earlier := now.Add(-time.Minute), now.Add(time.Minute), now.Add(-2*time.Minute)
	open := Hook{Circuit: Circuit{State: Open, ConsecutiveFailures: 3, DisabledAt: &at, RetryAfter: &later}}
	due := Hook{Circuit: Circuit{State: Open, DisabledAt: &earlier, RetryAfter: &at}}
	trial := Hook{Circuit: Circuit{State: HalfOpen, Generation: 2}, Running: map[string]Run{"x": {Generation: 2, Trial: true}}}
	looping := func(state State, retry *time.Time) Hook {
		return Hook{Sessions: map[string]*Session{"s": {Loop: &Circuit{State: state, RetryAfter: retry}}, "t": nil, "u": {}}}
	}
	type row struct {
		hook     Hook
		environ  string // settings, separated by NUL
		others   bool   // there are other hooks, some of them open
		disabled bool
		reason   Reason
		parent   string
		spared   Sparing
		failing  bool
		loops    int
	}
	for name, r := range map[string]row{
		"closed":                   {hook: Hook{}},
		"failing, not open yet":    {hook: Hook{Circuit: Circuit{ConsecutiveFailures: 2}}},
		"open":                     {hook: open, disabled: true, reason: CircuitOpen},
		"open and due":             {hook: Hook{Circuit: Circuit{State: Open, RetryAfter: &at}}, disabled: true, reason: CircuitOpen},
		"half open":                {hook: Hook{Circuit: Circuit{State: HalfOpen}}, disabled: true},
		"on trial":                 {hook: trial, disabled: true, reason: TrialRunning},
		"by hand":                  {hook: Hook{DisabledByHand: &at}, disabled: true, reason: DisabledByHand},
		"by hand and open":         {hook: Hook{DisabledByHand: &at, Circuit: open.Circuit}, disabled: true, reason: DisabledByHand},
		"parent open":              {hook: Hook{}, environ: `GUARDRAILS_DEPENDENCIES={"/h/it.py": ["parent"]}`, disabled: true, reason: ParentOpen, parent: "parent.py"},
		"parent closed":            {hook: Hook{}, others: true, environ: `GUARDRAILS_DEPENDENCIES={"/h/it.py": ["closed.py"]}`},
		"parent due":               {hook: Hook{}, others: true, environ: `GUARDRAILS_DEPENDENCIES={"/h/it.py": ["due.py"]}`},
		"parent observed":          {hook: Hook{}, others: true, environ: "GUARDRAILS_DEPENDENCIES={/h/it.py: [parent]}\x00GUARDRAILS_HOOKS={parent: {mode: observe}}"},
		"parent of a parent":       {hook: Hook{}, environ: `GUARDRAILS_DEPENDENCIES={"/h/it.py": ["closed.py"], closed.py: [parent.py, it.py]}`, disabled: true, reason: ParentOpen, parent: "parent.py"},
		"parent is no hook":        {hook: Hook{}, environ: `GUARDRAILS_DEPENDENCIES={"/h/it.py": ["none"]}`},
		"it is not its own parent": {hook: open, environ: `GUARDRAILS_DEPENDENCIES={"/h/it.py": ["/h/it"]}`, disabled: true, reason: CircuitOpen},
		"observed":                 {hook: open, environ: `GUARDRAILS_HOOKS={"/h/it.py": {mode: observe}}`, reason: CircuitOpen, spared: SparedByObserving},
		"observed and closed":      {hook: Hook{}, environ: `GUARDRAILS_HOOKS={"/h/it.py": {mode: observe}}`},
		"breaker off":              {hook: open, environ: "GUARDRAILS_ENABLED=false", reason: CircuitOpen, spared: SparedByBeingOff},
		"never skipped":            {hook: Hook{Circuit: open.Circuit, Event: "WorktreeCreate"}, reason: CircuitOpen, spared: SparedByItsEvent},
		"excluded":                 {hook: Hook{}, environ: "GUARDRAILS_EXCLUDE=/h/it.py"},
		"excluded and failing":     {hook: open, environ: "GUARDRAILS_EXCLUDE=/h/it.py", failing: true},
		"excluded, failing a bit":  {hook: Hook{Circuit: Circuit{ConsecutiveFailures: 2}}, environ: "GUARDRAILS_EXCLUDE=/h/it.py"},
		"loop":                     {hook: looping(Open, &later), loops: 1},
		"loop that is over":        {hook: looping(Open, &earlier)},
		"loop on trial":            {hook: looping(HalfOpen, &later)},
		"loop without a time":      {hook: looping(Open, nil)},
	} {
		t.Run(name, func(t *testing.T) {
			const it = "/h/it.py"
			c := settingsOf(strings.Split(r.environ, "\x00")...)
			hooks := map[string]Hook{it: r.hook, "closed.py": {}}
			if r.parent != "" || r.others {
				hooks["uv run /h/parent.py"], hooks["uv run /h/parent2.py"], hooks["due.py"] = open, open, due
			}
			health := c.Examine(Report{Hooks: hooks, Now: now})
			var got HookHealth
			for _, h := range health.Hooks {
				if h.Command == it {
					got = h
				}
			}
			found := row{r.hook, r.environ, r.others, got.Disabled, got.Reason, got.Parent, got.Spared, got.Failing, len(got.Loops)}
			if diff := cmp.Diff(r, found, cmp.AllowUnexported(row{})); diff != "" {
				t.Error(diff)
			}
			if got.Name != "it.py" || got.State == "" || health.Total != len(hooks) || health.Active+health.Disabled != health.Total {
				t.Errorf("%+v", health)
			}
		})
	}
}

func TestHealthOfNothingIsEmptyLists(t *testing.T) {
	text, err := json.Marshal(settingsOf().Examine(Report{}))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"total":0,"active":0,"disabled":0,"hooks":[],"global_stats":{"total_executions":0,"total_failures":0,"hooks_disabled":0,"last_updated":null},` +
		`"enabled":true,"observe":false,"faults":[],"now":"0001-01-01T00:00:00Z"}`
	if diff := cmp.Diff(want, string(text)); diff != "" {
		t.Error(diff)
	}
}

func TestHealthAsJSON(t *testing.T) {
	at := time.Date(2026, 2, 10, 23, 35, 42, 0, time.UTC)
	c := settingsOf("GUARDRAILS_BACKOFF_ADAPTIVE=true")
	h := Hook{Circuit: Circuit{State: Open, FailureCount: 5, LastError: "broken", DisabledAt: &at}, Executions: 7}
	text, err := json.Marshal(c.Examine(Report{Hooks: map[string]Hook{"/h/a.py": h}, Now: at}).Hooks)
	if err != nil {
		t.Fatal(err)
	}
	want := `[{"name":"a.py","command":"/h/a.py","disabled":true,"reason":"circuit_open","excluded":false,"failing":false,"recovery_estimate":0.5,` +
		`"failure_threshold":3,"success_threshold":2,` +
		`"state":"open","failure_count":5,"consecutive_failures":0,"consecutive_successes":0,"first_failure":null,"last_failure":null,"last_success":null,` +
		`"last_error":"broken","disabled_at":"2026-02-10T23:35:42Z","retry_after":null,"executions":7}]`
	if diff := cmp.Diff(want, string(text)); diff != "" {
		t.Error(diff)
	}
}
